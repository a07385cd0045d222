//! The configured base URL of a server and the addresses made from it. Nothing is ever sent
//! anywhere else.

use std::{fmt, net::IpAddr};

use reqwest::Url;

use crate::fault::{Fault, FaultKind};

/// A base URL: `http` or `https`, a host, perhaps a path; no key, no query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseUrl(Url);

impl BaseUrl {
    /// Reads a base URL; a missing scheme means `http` for a host of this machine and `https`
    /// for all others.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let text = text.trim();
        let refuse = |why: &str| Fault::new(FaultKind::InvalidUrl, shown(text), why);
        let with_scheme = if text.contains("://") {
            text.to_owned()
        } else {
            let plain = format!("http://{text}");
            let host = Url::parse(&plain).ok();
            let host = host.as_ref().and_then(Url::host_str);
            if host.is_some_and(is_loopback) {
                plain
            } else {
                format!("https://{text}")
            }
        };
        let url = Url::parse(&with_scheme).map_err(|error| refuse(&error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(refuse("only http and https are spoken"));
        }
        if url.host_str().is_none_or(str::is_empty) {
            return Err(refuse("there is no host in it"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(refuse("it holds a password; keys belong into the keyring"));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(refuse("leave out the query; keys belong into the keyring"));
        }
        Ok(Self(url))
    }

    /// The address of a path under the base. `version` is the path's first segment (`v1`) where
    /// the protocol has one: a base that already ends in a version keeps its own.
    #[must_use]
    pub fn join(&self, version: Option<&str>, segments: &[&str]) -> Url {
        let mut url = self.0.clone();
        let has_version = url.path_segments().is_some_and(|mut path| {
            path.rfind(|segment| !segment.is_empty())
                .is_some_and(is_version)
        });
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty();
            if let Some(version) = version.filter(|_| !has_version) {
                path.push(version);
            }
            path.extend(segments);
        }
        url
    }

    /// Scheme, host and port: what a key is bound to.
    #[must_use]
    pub fn origin(&self) -> String {
        self.0.origin().ascii_serialization()
    }

    /// The host: a name in lower case or an address, an IPv6 one in brackets.
    #[must_use]
    pub fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }

    /// The port, that of the scheme when none is given.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.0.port_or_known_default().unwrap_or_default()
    }

    /// Whether it is a server of this machine: `localhost` and the names below it, and addresses
    /// that lead back here.
    #[must_use]
    pub fn is_loopback(&self) -> bool {
        is_loopback(self.host())
    }

    /// Whether it is reached without encryption.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.0.scheme() == "http"
    }
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_str().trim_end_matches('/'))
    }
}

/// An address as a message shows it: without query, which may hold a page token, and without what
/// else may hold a key.
#[must_use]
pub(crate) fn place_of(url: &Url) -> String {
    let mut url = url.clone();
    url.set_query(None);
    url.set_fragment(None);
    // These fail for addresses that have no host, and so neither of them.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.into()
}

/// A refused text as a message shows it: what stands before an `@` or after a `?` may be a key.
fn shown(text: &str) -> String {
    const UNSHOWN: &str = "the base URL";
    if text.contains('@') && text.contains(['?', '#']) {
        // A password may hold `?`, and a query `@`: which is which can't be told.
        return UNSHOWN.to_owned();
    }
    let text = text.split(['?', '#']).next().unwrap_or_default();
    match (text.split_once("://"), text.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, host))) => format!("{scheme}://{host}"),
        (None, Some((_, host))) => host.to_owned(),
        (_, None) if text.is_empty() => UNSHOWN.to_owned(),
        (_, None) => text.to_owned(),
    }
}

fn is_version(segment: &str) -> bool {
    segment
        .strip_prefix('v')
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

fn is_loopback(host: &str) -> bool {
    let host = host.trim_matches(['[', ']']).trim_end_matches('.');
    match host.parse::<IpAddr>() {
        // The unspecified address connects to this machine, too.
        Ok(address) => {
            let address = address.to_canonical();
            address.is_loopback() || address.is_unspecified()
        }
        Err(_) => host == "localhost" || host.ends_with(".localhost"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(base: &str, version: Option<&str>, segments: &[&str], expect: &str) {
        let base = BaseUrl::parse(base).expect("a good base URL");
        assert_eq!(base.join(version, segments).as_str(), expect);
    }

    #[test]
    fn addresses() {
        let chat = ["chat", "completions"];
        check(
            "http://h:1",
            Some("v1"),
            &chat,
            "http://h:1/v1/chat/completions",
        );
        check(
            "http://h:1/",
            Some("v1"),
            &chat,
            "http://h:1/v1/chat/completions",
        );
        check(
            "http://h/v1/",
            Some("v1"),
            &chat,
            "http://h/v1/chat/completions",
        );
        check(
            "https://h/api/v1",
            Some("v1"),
            &chat,
            "https://h/api/v1/chat/completions",
        );
        check(
            "https://h/v1beta",
            Some("v1beta"),
            &["models"],
            "https://h/v1beta/models",
        );
        check(
            "https://h/vllm",
            Some("v1"),
            &chat,
            "https://h/vllm/v1/chat/completions",
        );
        check(
            "localhost:11434",
            None,
            &["api", "chat"],
            "http://localhost:11434/api/chat",
        );
        check("api.example.com", None, &["x"], "https://api.example.com/x");
        check("[::1]:1", None, &["x"], "http://[::1]:1/x");
        check(
            "localhost.example.com",
            None,
            &["x"],
            "https://localhost.example.com/x",
        );
        check("127.example.com", None, &["x"], "https://127.example.com/x");
        check(
            "http://h",
            None,
            &["../a?b", "c/d"],
            "http://h/..%2Fa%3Fb/c%2Fd",
        );
    }

    #[test]
    fn servers_of_this_machine() {
        let check = |base: &str, expect: bool| {
            let base = BaseUrl::parse(base).expect("a base URL");
            assert_eq!(base.is_loopback(), expect, "{base}");
        };
        for base in [
            "localhost:11434",
            "http://LOCALHOST.",
            "http://model.localhost",
            "https://127.0.0.1",
            "http://127.8.9.10:1",
            "http://0x7f000001",
            "http://0.0.0.0:8000",
            "http://[::1]:8080",
            "http://[::ffff:127.0.0.1]",
        ] {
            check(base, true);
        }
        for base in [
            "https://api.openai.com",
            "http://localhost.example.com",
            "http://127.0.0.1.example.com",
            "http://192.168.1.5",
            "http://[2001:db8::1]",
        ] {
            check(base, false);
        }
    }

    fn check_refused(text: &str, expect: &str) {
        let fault = BaseUrl::parse(text).expect_err("a bad base URL");
        assert_eq!(fault.code(), "invalid_url");
        assert_eq!(format!("{}: {}", fault.place, fault.detail), expect);
    }

    #[test]
    fn refusals_show_no_key() {
        check_refused("ftp://h/", "ftp://h/: only http and https are spoken");
        check_refused("", "the base URL: empty host");
        check_refused("https://", "https://: empty host");
        check_refused(
            "https://me:sk-planted@h/v1",
            "https://h/v1: it holds a password; keys belong into the keyring",
        );
        check_refused("https://me:pa?ss@h/v1", "the base URL: invalid port number");
        check_refused(
            "https://h/v1?key=sk@planted",
            "the base URL: leave out the query; keys belong into the keyring",
        );
        check_refused(
            "https://h/v1?key=sk-planted",
            "https://h/v1: leave out the query; keys belong into the keyring",
        );
    }
}
