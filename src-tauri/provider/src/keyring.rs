//! API keys in the operating system's keyring or, where there is none, in environment variables,
//! which are read at each call. Keys are stored nowhere else. Each key is bound to hosts: one in
//! the keyring to the origin of its connection, one in the environment to the hosts described at
//! [`EnvironmentKey`].

use ::keyring::Entry;
use strsim::osa_distance;

use crate::{base_url::BaseUrl, secret::Secret, server::ServerKind};

/// Service name in the keyring.
const SERVICE: &str = "promptdeck";

/// Prefix of the environment variables.
const VARIABLE_PREFIX: &str = "PROMPTDECK_API_KEY_";

/// Suffix of the variable that lists the hosts of a key.
const HOST_SUFFIX: &str = "_HOST";

/// Why a key cannot be stored or read. No message contains a key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// There is no keyring, or it is locked.
    #[error("no keyring is available ({detail}); set {variable} in the environment instead")]
    NoKeyring {
        /// Message of the system.
        detail: String,
        /// The environment variable to use instead.
        variable: String,
    },
    /// The entry in the keyring is not a key.
    #[error("the keyring's entry for {connection} is not a key; set the key again")]
    NotAKey {
        /// Name of the connection.
        connection: String,
    },
    /// The key in the environment is for another host.
    #[error(transparent)]
    OtherHost(#[from] WithheldKey),
    /// The provider's own address takes no request without a key.
    #[error("{host} requires a key; {way_out}")]
    Required {
        /// The host of the request.
        host: String,
        /// How to give a key.
        way_out: String,
    },
}

/// The key of a connection in the environment. A user sets the variable for one service, and a base
/// URL, which may come from a script or a foreign file, must not redirect the key. The key
/// therefore goes to the hosts that the variable with the suffix `_HOST` lists, with or without a
/// port. If that variable is not set, the key goes to the provider's own address and, unless the
/// variable is named after a service (`_OPENAI`, `_GEMINI`), to servers on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EnvironmentKey {
    /// No variable is set.
    Absent,
    /// A key for this host.
    Usable(Secret),
    /// A key for other hosts.
    Withheld(WithheldKey),
}

/// A key in the environment that is not sent, with the way to allow it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{variable} is a key for {allowed} and is not sent to {host}; set {variable}{HOST_SUFFIX}={host} \
     to send it there, or unset {variable}"
)]
pub struct WithheldKey {
    /// The variable that holds the key.
    pub variable: String,
    /// The hosts that the key is for.
    pub allowed: String,
    /// The host of the request.
    pub host: String,
    /// Whether the host is this machine, whose servers rarely need a key.
    pub is_loopback: bool,
}

impl KeyError {
    /// Stable code of the error.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoKeyring { .. } => "no_keyring",
            Self::NotAKey { .. } => "not_a_key",
            Self::OtherHost(_) => "key_for_other_host",
            Self::Required { .. } => "key_required",
        }
    }
}

/// Reference to the key of one connection. It is bound to the origin of the base URL: a connection
/// with a changed origin has no key until the user sets one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRef {
    connection: String,
    account: String,
    host: String,
    port: u16,
    is_loopback: bool,
}

impl KeyRef {
    /// Reference to the key of a connection.
    #[must_use]
    pub fn of(connection: &str, base: &BaseUrl) -> Self {
        Self {
            connection: connection.to_owned(),
            account: format!("{connection} @ {}", base.origin()),
            host: base.host().to_owned(),
            port: base.port(),
            is_loopback: base.is_loopback(),
        }
    }

    /// The environment variable used where there is no keyring.
    #[must_use]
    pub fn variable(&self) -> String {
        variable(&self.connection)
    }

    /// Of some names of variables, the one that is probably meant to hold the key and is not read: it
    /// has the name of the connection and the word KEY, or is similar to the variable that is read.
    #[must_use]
    pub fn similar_variable<'n>(&self, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
        /// Names with more differences are other names; shorter names of connections are in many.
        const NEAR: usize = 3;
        let variable = self.variable();
        let name = variable.strip_prefix(VARIABLE_PREFIX).unwrap_or_default();
        let mut spellings = vec![variable.clone(), format!("{name}_API_KEY")];
        // Google's own libraries read this one.
        if name == "GEMINI" {
            spellings.push("GOOGLE_API_KEY".to_owned());
        }
        let letters = |text: &str| -> String {
            let letters = text.chars().filter(char::is_ascii_alphanumeric);
            letters.map(|letter| letter.to_ascii_uppercase()).collect()
        };
        let distance = |other: &str| {
            let other = letters(other);
            let distances = spellings
                .iter()
                .map(|known| osa_distance(&letters(known), &other));
            distances.min().unwrap_or(usize::MAX)
        };
        let name_letters = letters(name);
        let candidates = names.filter(|other| {
            let is_read = *other == variable || other.ends_with(HOST_SUFFIX);
            let has_words = || {
                let other = letters(other);
                name_letters.len() >= NEAR && other.contains(&name_letters) && other.contains("KEY")
            };
            !is_read && (distance(other) < NEAR || has_words())
        });
        candidates.min_by_key(|other| (distance(other), *other))
    }

    /// The environment variable that lists the hosts of the key.
    #[must_use]
    pub fn host_variable(&self) -> String {
        self.variable() + HOST_SUFFIX
    }

    /// Looks up the key in the environment for a server of this kind.
    #[must_use]
    pub fn in_environment(
        &self,
        kind: ServerKind,
        lookup: impl Fn(&str) -> Option<String>,
    ) -> EnvironmentKey {
        let lookup = |name: &str| lookup(name).filter(|value| !value.trim().is_empty());
        let Some(key) = lookup(&self.variable()) else {
            return EnvironmentKey::Absent;
        };
        let hosts = lookup(&self.host_variable());
        let is_usable = match &hosts {
            Some(hosts) => hosts
                .split([',', ' '])
                .any(|host| self.is_named_by(host.trim())),
            None => self.is_own_address(kind) || self.is_loopback && !self.is_named_after_service(),
        };
        if is_usable {
            return EnvironmentKey::Usable(Secret::new(&key));
        }
        let usual_host =
            || BaseUrl::parse(kind.usual_base_url()).map(|base| base.host().to_owned());
        EnvironmentKey::Withheld(WithheldKey {
            variable: self.variable(),
            allowed: hosts.unwrap_or_else(|| usual_host().unwrap_or_default()),
            host: self.host.clone(),
            is_loopback: self.is_loopback,
        })
    }

    /// Whether an entry of the list of hosts matches this host.
    fn is_named_by(&self, entry: &str) -> bool {
        let entry = entry.to_ascii_lowercase();
        entry == self.host || entry == format!("{}:{}", self.host, self.port)
    }

    /// Whether scheme, host and port are the defaults of this kind of server, which is not one of this
    /// machine.
    #[must_use]
    pub fn is_own_address(&self, kind: ServerKind) -> bool {
        BaseUrl::parse(kind.usual_base_url()).is_ok_and(|usual_address| {
            !usual_address.is_loopback()
                && self
                    .account
                    .ends_with(&format!(" @ {}", usual_address.origin()))
        })
    }

    /// Whether the variable is named after a service that does not run on this machine.
    fn is_named_after_service(&self) -> bool {
        ServerKind::ALL.into_iter().any(|kind| {
            variable(kind.name()) == self.variable()
                && BaseUrl::parse(kind.usual_base_url())
                    .is_ok_and(|usual_address| !usual_address.is_loopback())
        })
    }

    /// Reads the key from the keyring.
    ///
    /// # Errors
    /// [`KeyError::NoKeyring`] if the keyring is not available, [`KeyError::NotAKey`] if its entry
    /// is not text.
    pub fn in_keyring(&self) -> Result<Option<Secret>, KeyError> {
        match self.entry()?.get_password() {
            Ok(key) => Ok(Some(Secret::new(&key))),
            Err(keyring::Error::NoEntry) => Ok(None),
            Err(error) => Err(self.failed(&error)),
        }
    }

    /// Stores the key in the keyring.
    ///
    /// # Errors
    /// [`KeyError::NoKeyring`] if the keyring is not available.
    pub fn keep(&self, key: &Secret) -> Result<(), KeyError> {
        self.entry()?
            .set_password(key.expose())
            .map_err(|error| self.failed(&error))
    }

    /// Removes the key from the keyring, if there is one.
    ///
    /// # Errors
    /// [`KeyError::NoKeyring`] if the keyring is not available.
    pub fn forget(&self) -> Result<(), KeyError> {
        match self.entry()?.delete_credential() {
            Ok(()) | Err(keyring::Error::NoEntry) => Ok(()),
            Err(error) => Err(self.failed(&error)),
        }
    }

    fn entry(&self) -> Result<Entry, KeyError> {
        if let Err(error) = Entry::store_status() {
            return Err(self.failed(error));
        }
        Entry::new(SERVICE, &self.account).map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &keyring::Error) -> KeyError {
        match error {
            // These errors carry what was read, which may be the key.
            keyring::Error::BadEncoding(_)
            | keyring::Error::BadDataFormat(..)
            | keyring::Error::Ambiguous(_) => KeyError::NotAKey {
                connection: self.connection.clone(),
            },
            other => KeyError::NoKeyring {
                detail: other
                    .to_string()
                    .split_whitespace()
                    .collect::<Vec<_>>()
                    .join(" "),
                variable: self.variable(),
            },
        }
    }
}

fn variable(connection: &str) -> String {
    let name = connection.chars().map(|c| match c {
        'a'..='z' => c.to_ascii_uppercase(),
        'A'..='Z' | '0'..='9' => c,
        _ => '_',
    });
    VARIABLE_PREFIX.chars().chain(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(connection: &str, base: &str) -> KeyRef {
        KeyRef::of(connection, &BaseUrl::parse(base).expect("a base URL"))
    }

    #[test]
    fn variables() {
        let check = |name, expect| assert_eq!(place(name, "http://h").variable(), expect);
        check("openai", "PROMPTDECK_API_KEY_OPENAI");
        check("My llama.cpp 2", "PROMPTDECK_API_KEY_MY_LLAMA_CPP_2");
        check("Büro", "PROMPTDECK_API_KEY_B_RO");
    }

    #[test]
    fn a_variable_that_is_not_read_is_found_by_its_name() {
        let check = |connection: &str, names: &[&str], expected: Option<&str>| {
            let place = place(connection, "http://h");
            let found = place.similar_variable(names.iter().copied());
            assert_eq!(found, expected, "{connection} {names:?}");
        };
        let others = ["PATH", "PROMPTDECK_STORE", "PROMPTDECK_API_KEY_OPENAI_HOST"];
        check("openai", &others, None);
        for near in [
            "OPENAI_APIKEY",
            "OPENAI_API_KEY",
            "PROMPTDECK_APIKEY_OPENAI",
            "PROMPTDECK_API_KEY_OPNAI",
            "PROMPTDECK_OPENAI_API_KEY",
            "promptdeck_api_key_openai",
            "AZURE_OPENAI_KEY",
        ] {
            check("openai", &[&others[..], &[near]].concat(), Some(near));
        }
        let both = ["AZURE_OPENAI_KEY", "OPENAI_APIKEY"];
        check("openai", &both, Some("OPENAI_APIKEY"));
        check("openai", &["PROMPTDECK_API_KEY_OPENAI"], None);
        check(
            "openai",
            &["PROMPTDECK_API_KEY_GEMINI", "GEMINI_API_KEY"],
            None,
        );
        check("gemini", &["GOOGLE_API_KEY"], Some("GOOGLE_API_KEY"));
        check("a", &["API_KEYS_OF_MINE"], None);
    }

    #[test]
    fn the_environment_is_asked_for_that_variable_only() {
        let lookup = |name: &str| (name == "PROMPTDECK_API_KEY_WORK").then(|| " k ".to_owned());
        let openai = ServerKind::Openai;
        let place = |name| place(name, "http://localhost");
        let found = place("work").in_environment(openai, lookup);
        assert_eq!(found, EnvironmentKey::Usable(Secret::new("k")));
        let found = place("home").in_environment(openai, lookup);
        assert_eq!(found, EnvironmentKey::Absent);
        let found = place("work").in_environment(openai, |_| Some(" ".into()));
        assert_eq!(found, EnvironmentKey::Absent);
    }

    #[test]
    fn a_key_of_the_environment_goes_to_its_own_hosts() {
        use ServerKind::{Completions, Gemini, Ollama, Openai};
        let check = |connection: &str, kind: ServerKind, base: &str, hosts: &str, expect: bool| {
            let place = place(connection, base);
            let found = place.in_environment(kind, |name| {
                if name == place.variable() {
                    Some("k".to_owned())
                } else {
                    (name == place.host_variable()).then(|| hosts.to_owned())
                }
            });
            let is_usable = matches!(found, EnvironmentKey::Usable(_));
            assert_eq!(is_usable, expect, "{connection} {kind} {base} {hosts:?}");
        };
        // The provider's own address, with its scheme and port.
        check("openai", Openai, "https://api.openai.com/v1", "", true);
        check("openai", Openai, "api.openai.com", "", true);
        check("openai", Openai, "http://api.openai.com/v1", "", false);
        check("openai", Openai, "https://api.openai.com:444", "", false);
        check(
            "openai",
            Openai,
            "https://api.openai.com.evil.example",
            "",
            false,
        );
        check(
            "gemini",
            Gemini,
            "https://generativelanguage.googleapis.com",
            "",
            true,
        );
        check("gemini", Gemini, "https://api.openai.com", "", false);
        check("work", Openai, "https://api.openai.com/v1", "", true);
        check("work", Openai, "https://elsewhere.example", "", false);
        // Servers on this machine.
        check("ollama", Ollama, "http://127.0.0.1:4000", "", true);
        check("completions", Completions, "http://localhost:1", "", true);
        check("ollama", Ollama, "http://192.168.1.5:11434", "", false);
        check("openai", Openai, "http://localhost:1", "", false);
        check("openai", Completions, "http://localhost:1", "", false);
        check("gemini", Gemini, "http://[::1]:1", "", false);
        check("local", Openai, "http://localhost:1", "", true);
        // If hosts are listed, only those.
        check(
            "openai",
            Openai,
            "https://vllm.example/v1",
            "vllm.example",
            true,
        );
        check(
            "openai",
            Openai,
            "https://vllm.example/v1",
            "a, VLLM.example:443",
            true,
        );
        check(
            "openai",
            Openai,
            "https://vllm.example/v1",
            "vllm.example:80",
            false,
        );
        check(
            "openai",
            Openai,
            "https://vllm.example/v1",
            "example",
            false,
        );
        check(
            "openai",
            Openai,
            "https://api.openai.com",
            "vllm.example",
            false,
        );
        check("openai", Openai, "http://127.0.0.1:8080", "127.0.0.1", true);
        check(
            "ollama",
            Ollama,
            "http://127.0.0.1:8080",
            "elsewhere",
            false,
        );
    }

    #[test]
    fn a_withheld_key_names_the_way_out_in_one_line() {
        let place = place("openai", "https://vllm.example/v1");
        let lookup = |name: &str| (name == "PROMPTDECK_API_KEY_OPENAI").then(|| "k".to_owned());
        let EnvironmentKey::Withheld(withheld) = place.in_environment(ServerKind::Openai, lookup)
        else {
            panic!("it is for another host");
        };
        assert_eq!(
            withheld.to_string(),
            "PROMPTDECK_API_KEY_OPENAI is a key for api.openai.com and is not sent to \
             vllm.example; set PROMPTDECK_API_KEY_OPENAI_HOST=vllm.example to send it there, or \
             unset PROMPTDECK_API_KEY_OPENAI"
        );
    }

    #[test]
    fn a_key_is_bound_to_the_origin() {
        let one = place("work", "https://a.example/v1").account;
        assert_eq!(one, "work @ https://a.example");
        assert_eq!(one, place("work", "https://a.example/other").account);
        assert_ne!(one, place("work", "https://b.example/v1").account);
        assert_ne!(one, place("work", "http://a.example/v1").account);
    }

    #[test]
    fn failures_name_the_way_out_and_no_key() {
        let place = place("work", "http://h");
        let error = place.failed(&keyring::Error::NoDefaultStore);
        assert_eq!(error.code(), "no_keyring");
        assert!(
            error
                .to_string()
                .ends_with("; set PROMPTDECK_API_KEY_WORK in the environment instead")
        );
        let error = place.failed(&keyring::Error::BadEncoding(b"sk-planted".to_vec()));
        assert_eq!(error.code(), "not_a_key");
        assert!(!format!("{error} {error:?}").contains("planted"));
    }
}
