//! Maps errors of the HTTP client to faults. `status` maps responses.

use std::{error::Error, io};

use crate::fault::FaultKind;

/// Kind of the fault and message of the system.
pub(super) fn read(error: &reqwest::Error) -> (FaultKind, String) {
    let causes: Vec<_> = chain(error).collect();
    let detail = innermost(error).to_string();
    let kind = if causes.iter().any(|cause| is_tls(*cause)) {
        FaultKind::Tls
    } else if causes.iter().any(|cause| cause.to_string() == "dns error") {
        // The resolver's error has no public type.
        FaultKind::Dns
    } else if error.is_timeout() {
        return (FaultKind::Timeout, "connecting took too long".to_owned());
    } else if io_kind(&causes) == Some(io::ErrorKind::ConnectionRefused) {
        FaultKind::Refused
    } else if error.is_connect() {
        FaultKind::Unreachable
    } else if error.is_builder() {
        FaultKind::InvalidUrl
    } else {
        FaultKind::Truncated
    };
    (kind, detail)
}

/// The root cause, which is the most precise one.
pub(super) fn innermost<'a>(error: &'a (dyn Error + 'static)) -> &'a (dyn Error + 'static) {
    chain(error).last().unwrap_or(error)
}

fn chain<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |&error| {
        // The `source` of an I/O error skips the error it wraps; look inside it first.
        match error
            .downcast_ref::<io::Error>()
            .and_then(io::Error::get_ref)
        {
            Some(inner) => Some(inner as &(dyn Error + 'static)),
            None => error.source(),
        }
    })
}

fn is_tls(error: &(dyn Error + 'static)) -> bool {
    error.is::<rustls::Error>()
}

fn io_kind(causes: &[&(dyn Error + 'static)]) -> Option<io::ErrorKind> {
    causes
        .iter()
        .find_map(|cause| cause.downcast_ref::<io::Error>())
        .map(io::Error::kind)
}
