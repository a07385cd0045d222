//! Where keys are: in the operating system's keyring, or, where there is none, in an environment
//! variable that is read at each call. Nowhere else, and never in a file of ours.

use keyring::Entry;

use crate::{base_url::BaseUrl, secret::Secret};

/// What the keyring knows us by.
const SERVICE: &str = "promptdeck";

/// What the variables' names begin with.
const VARIABLE_PREFIX: &str = "PROMPTDECK_API_KEY_";

/// Why a key cannot be kept or read. No message holds a key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// There is no keyring, or it is locked.
    #[error("no keyring to keep keys in ({detail}); set {variable} in the environment instead")]
    NoKeyring {
        /// What the system said.
        detail: String,
        /// The variable that does instead.
        variable: String,
    },
    /// The keyring holds something else under this name.
    #[error("the keyring's entry for {connection} is no key; set the key again")]
    NotAKey {
        /// The connection's name.
        connection: String,
    },
}

impl KeyError {
    /// The stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoKeyring { .. } => "no_keyring",
            Self::NotAKey { .. } => "not_a_key",
        }
    }
}

/// The key of one connection. It is bound to the origin of the base URL: a connection that is
/// pointed elsewhere has no key until a person gives it one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyPlace {
    connection: String,
    account: String,
}

impl KeyPlace {
    /// The place of a connection's key.
    #[must_use]
    pub fn of(connection: &str, base: &BaseUrl) -> Self {
        Self {
            connection: connection.to_owned(),
            account: format!("{connection} @ {}", base.origin()),
        }
    }

    /// The environment variable that holds the key where there is no keyring.
    #[must_use]
    pub fn variable(&self) -> String {
        let name = self.connection.chars().map(|c| match c {
            'a'..='z' => c.to_ascii_uppercase(),
            'A'..='Z' | '0'..='9' => c,
            _ => '_',
        });
        VARIABLE_PREFIX.chars().chain(name).collect()
    }

    /// The key in the environment, as `lookup` reads it.
    #[must_use]
    pub fn in_environment(&self, lookup: impl Fn(&str) -> Option<String>) -> Option<Secret> {
        lookup(&self.variable())
            .map(|key| Secret::new(&key))
            .filter(|key| !key.is_empty())
    }

    /// The key in the keyring, if there is one.
    pub fn in_keyring(&self) -> Result<Option<Secret>, KeyError> {
        match self.entry()?.get_password() {
            Ok(key) => Ok(Some(Secret::new(&key))),
            Err(keyring::Error::NoEntry) => Ok(None),
            Err(error) => Err(self.failed(&error)),
        }
    }

    /// Keeps a key in the keyring.
    pub fn keep(&self, key: &Secret) -> Result<(), KeyError> {
        self.entry()?
            .set_password(key.expose())
            .map_err(|error| self.failed(&error))
    }

    /// Takes the key out of the keyring; there may be none.
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
            // These carry what was read, which may be the key.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn place(connection: &str, base: &str) -> KeyPlace {
        KeyPlace::of(connection, &BaseUrl::parse(base).expect("a base URL"))
    }

    #[test]
    fn variables() {
        let check = |name, expect| assert_eq!(place(name, "http://h").variable(), expect);
        check("openai", "PROMPTDECK_API_KEY_OPENAI");
        check("My llama.cpp 2", "PROMPTDECK_API_KEY_MY_LLAMA_CPP_2");
        check("Büro", "PROMPTDECK_API_KEY_B_RO");
    }

    #[test]
    fn the_environment_is_asked_for_that_variable_only() {
        let lookup = |name: &str| (name == "PROMPTDECK_API_KEY_WORK").then(|| " k ".to_owned());
        let found = place("work", "http://h").in_environment(lookup);
        assert_eq!(found, Some(Secret::new("k")));
        assert_eq!(place("home", "http://h").in_environment(lookup), None);
        assert_eq!(
            place("work", "http://h").in_environment(|_| Some(" ".into())),
            None
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
