//! The configured base URL of a server and the addresses made from it. Nothing is ever sent
//! anywhere else.

use std::fmt;

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
        } else if is_of_this_machine(text) {
            format!("http://{text}")
        } else {
            format!("https://{text}")
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

/// An address as a message shows it: without query, which may hold a page token.
#[must_use]
pub(crate) fn place_of(url: &Url) -> String {
    let mut url = url.clone();
    url.set_query(None);
    url.into()
}

/// A refused text as a message shows it: what stands before an `@` or after a `?` may be a key.
fn shown(text: &str) -> String {
    let text = text.split(['?', '#']).next().unwrap_or_default();
    match (text.split_once("://"), text.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, host))) => format!("{scheme}://{host}"),
        (None, Some((_, host))) => host.to_owned(),
        (_, None) if text.is_empty() => "the base URL".to_owned(),
        (_, None) => text.to_owned(),
    }
}

fn is_version(segment: &str) -> bool {
    segment
        .strip_prefix('v')
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

fn is_of_this_machine(text: &str) -> bool {
    ["localhost", "127.", "[::1]"]
        .iter()
        .any(|host| text.starts_with(host))
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
        check(
            "http://h",
            None,
            &["../a?b", "c/d"],
            "http://h/..%2Fa%3Fb/c%2Fd",
        );
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
        check_refused(
            "https://h/v1?key=sk-planted",
            "https://h/v1: leave out the query; keys belong into the keyring",
        );
    }
}
