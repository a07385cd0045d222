//! The configured base URL of a server and the URLs derived from it. Requests go nowhere else.

use std::{fmt, net::IpAddr};

use reqwest::Url;

use crate::fault::{Fault, FaultKind};

/// A base URL: `http` or `https`, a host, optionally a path; no credentials and no query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseUrl(Url);

impl BaseUrl {
    /// Parses a base URL. A missing scheme defaults to `http` for a loopback host and to `https`
    /// for any other.
    ///
    /// # Errors
    /// [`FaultKind::InvalidUrl`] if the text is not a base URL.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let text = text.trim();
        let refuse = |reason: &str| Fault::new(FaultKind::InvalidUrl, redacted(text), reason);
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
            return Err(refuse("only http and https are supported"));
        }
        if url.host_str().is_none_or(str::is_empty) {
            return Err(refuse("there is no host in it"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(refuse("it contains a password; store keys in the keyring"));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(refuse("it contains a query; store keys in the keyring"));
        }
        Ok(Self(url))
    }

    /// The URL of a path under the base. `version` is the first segment of the path (`v1`) where
    /// the protocol has one; a base that already ends in a version takes precedence.
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

    /// Scheme, host and port, to which a key is bound.
    #[must_use]
    pub fn origin(&self) -> String {
        self.0.origin().ascii_serialization()
    }

    /// The host: a name in lower case or an IP address, IPv6 in brackets.
    #[must_use]
    pub fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }

    /// The port, by default that of the scheme.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.0.port_or_known_default().unwrap_or_default()
    }

    /// Whether the host is this machine: `localhost`, its subdomains, and loopback addresses.
    #[must_use]
    pub fn is_loopback(&self) -> bool {
        is_loopback(self.host())
    }

    /// Whether the connection is unencrypted.
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

/// A URL for messages, without the parts that may hold a key or a page token: user, password,
/// query, fragment.
#[must_use]
pub(crate) fn place_of(url: &Url) -> String {
    let mut url = url.clone();
    url.set_query(None);
    url.set_fragment(None);
    // These fail only for URLs without a host, which have neither.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.into()
}

/// An invalid text for messages. The parts before an `@` and after a `?` may be keys.
fn redacted(text: &str) -> String {
    const REDACTED: &str = "the base URL";
    if text.contains('@') && text.contains(['?', '#']) {
        // A password may contain `?` and a query `@`, so the two cannot be distinguished.
        return REDACTED.to_owned();
    }
    let text = text.split(['?', '#']).next().unwrap_or_default();
    match (text.split_once("://"), text.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, host))) => format!("{scheme}://{host}"),
        (None, Some((_, host))) => host.to_owned(),
        (_, None) if text.is_empty() => REDACTED.to_owned(),
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
        // Connecting to the unspecified address reaches this machine too.
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
        check_refused("ftp://h/", "ftp://h/: only http and https are supported");
        check_refused("", "the base URL: empty host");
        check_refused("https://", "https://: empty host");
        check_refused(
            "https://me:sk-planted@h/v1",
            "https://h/v1: it contains a password; store keys in the keyring",
        );
        check_refused("https://me:pa?ss@h/v1", "the base URL: invalid port number");
        check_refused(
            "https://h/v1?key=sk@planted",
            "the base URL: it contains a query; store keys in the keyring",
        );
        check_refused(
            "https://h/v1?key=sk-planted",
            "https://h/v1: it contains a query; store keys in the keyring",
        );
    }
}
