//! Opens a model provider for a run: its server, its key and, if needed, a chat template. Opening
//! sends nothing.

use promptdeck_chat::{self as chat, extract::Markers};
use promptdeck_core::run::Message;
use promptdeck_jinja::{Moment, Template};
use promptdeck_provider::base_url::BaseUrl;
use promptdeck_provider::keyring::{EnvironmentKey, KeyError, KeyRef, WithheldKey};
use promptdeck_provider::secret::Secret;
use promptdeck_provider::server::{Server, ServerKind};
use promptdeck_provider::transport_retry::Retry;
use promptdeck_provider::{HttpProvider, Limits, Template as Raw};
use serde_json::json;

use crate::{ServiceError, WallClock};

/// The provider to open.
#[derive(Debug, Clone, Copy)]
pub struct Target<'a> {
    /// Kind of the server.
    pub kind: ServerKind,
    /// Base URL; `None` for the default of this kind.
    pub base_url: Option<&'a str>,
    /// Name of the connection, under which its key is stored and by which errors name it.
    pub connection: &'a str,
    /// A key just typed by the user, which takes precedence.
    pub key: Option<&'a Secret>,
    /// Whether to read the keyring if the environment has no key; this may open a dialog.
    pub keyed: bool,
    /// Chat template that renders conversations for raw completions.
    pub template: Option<RawTemplate<'a>>,
}

/// A chat template, and its BOS and EOS tokens if known.
#[derive(Debug, Clone, Copy, Default)]
pub struct RawTemplate<'a> {
    /// Source of the template.
    pub source: &'a str,
    /// The BOS token.
    pub bos_token: Option<&'a str>,
    /// The EOS token.
    pub eos_token: Option<&'a str>,
    /// Whether the model thinks; `None` for the template's default.
    pub thinking: Option<bool>,
}

impl Target<'_> {
    fn base(&self) -> Result<BaseUrl, ServiceError> {
        Ok(BaseUrl::parse(
            self.base_url.unwrap_or(self.kind.usual_base_url()),
        )?)
    }

    /// The environment's key for this connection if it is not allowed for this host.
    ///
    /// # Errors
    /// If the base URL is invalid.
    pub fn withheld_key(&self) -> Result<Option<WithheldKey>, ServiceError> {
        let place = KeyRef::of(self.connection, &self.base()?);
        Ok(match key_in_environment(&place, self.kind) {
            EnvironmentKey::Withheld(withheld) => Some(withheld),
            EnvironmentKey::Absent | EnvironmentKey::Usable(_) => None,
        })
    }

    /// How to give a key where none was found: the variable that is read and, if it is not set, a
    /// similar one that is.
    fn missing_key(&self) -> Result<String, ServiceError> {
        if let Some(withheld) = self.withheld_key()? {
            return Ok(withheld.to_string());
        }
        let place = KeyRef::of(self.connection, &self.base()?);
        let names: Vec<String> = std::env::vars_os()
            .filter(|(_, value)| !value.is_empty())
            .filter_map(|(name, _)| name.into_string().ok())
            .collect();
        let similar = place.similar_variable(names.iter().map(String::as_str));
        let similar =
            similar.map_or_else(String::new, |name| format!("; {name} is set, but not read"));
        let variable = place.variable();
        Ok(format!(
            "set {variable} in the environment, or store a key for the connection{similar}"
        ))
    }

    /// The key to send: the typed one, the environment's, or the keyring's.
    fn found_key(&self, base: &BaseUrl) -> Result<Option<Secret>, ServiceError> {
        if let Some(key) = self.key {
            return Ok(Some(key.clone()));
        }
        let place = KeyRef::of(self.connection, base);
        let withheld = match key_in_environment(&place, self.kind) {
            EnvironmentKey::Usable(key) => return Ok(Some(key)),
            EnvironmentKey::Withheld(withheld) => Some(withheld),
            EnvironmentKey::Absent => None,
        };
        let stored_key = if self.keyed {
            place.in_keyring()
        } else {
            Ok(None)
        };
        match (stored_key, withheld) {
            (Ok(Some(key)), _) => Ok(Some(key)),
            // A server on this machine rarely needs a key.
            (_, Some(withheld)) if !withheld.is_loopback => {
                Err(KeyError::OtherHost(withheld).into())
            }
            (stored_key, _) => Ok(stored_key?),
        }
    }
}

/// Opens the provider.
///
/// # Errors
/// If the base URL, the key or the template is invalid, or the keyring cannot be read; without a key
/// for the provider's own address, which would receive the prompt and refuse it.
pub fn open(target: &Target<'_>) -> Result<HttpProvider, ServiceError> {
    let base = target.base()?;
    let key = target.found_key(&base)?;
    let way_out = match key {
        Some(_) => None,
        None => Some(target.missing_key()?),
    };
    if let Some(way_out) = &way_out
        && KeyRef::of(target.connection, &base).is_own_address(target.kind)
    {
        let (host, way_out) = (base.host().to_owned(), way_out.clone());
        return Err(KeyError::Required { host, way_out }.into());
    }
    prepared(target, key, way_out)
}

/// Checks whether the provider can be opened, without reading its key.
///
/// # Errors
/// If the base URL or the template is invalid.
pub fn check(target: &Target<'_>) -> Result<(), ServiceError> {
    prepared(target, None, None).map(drop)
}

fn prepared(
    target: &Target<'_>,
    key: Option<Secret>,
    missing_key: Option<String>,
) -> Result<HttpProvider, ServiceError> {
    let base = target.base()?;
    let mut server = Server::new(target.kind, base, key, Limits::default())?;
    if let Some(way_out) = missing_key {
        server = server.with_missing_key(way_out);
    }
    let caller =
        HttpProvider::new(server, Retry::default(), Box::new(jitter)).with_name(target.connection);
    let Some(raw) = target.template else {
        return Ok(caller);
    };
    let template = Template::compile(raw.source).map_err(|fault| ServiceError::Template {
        code: fault.code(),
        why: fault.to_string(),
    })?;
    let base = chat::Request {
        add_generation_prompt: true,
        bos_token: raw.bos_token.map(str::to_owned),
        eos_token: raw.eos_token.map(str::to_owned),
        thinking: raw.thinking,
        ..chat::Request::default()
    };
    let clock = WallClock::of_the_system();
    Ok(caller.with_template(Raw {
        markers: Markers::in_template(raw.source),
        write: Box::new(move |messages| rendered(&template, &base, messages, clock.now())),
    }))
}

/// The environment's key for a connection.
pub(crate) fn key_in_environment(place: &KeyRef, kind: ServerKind) -> EnvironmentKey {
    place.in_environment(kind, |name| std::env::var(name).ok())
}

/// The text of a conversation: `base` with its messages and the current time.
fn rendered(
    template: &Template,
    base: &chat::Request,
    messages: &[Message],
    now: Moment,
) -> Result<String, String> {
    let request = chat::Request {
        messages: messages.iter().map(|message| json!(message)).collect(),
        now: Some(now),
        ..base.clone()
    };
    request.render(template).map_err(|fault| fault.to_string())
}

/// A random number from 0 to 1. Without randomness, pauses of equal length are acceptable.
fn jitter() -> f64 {
    let mut bytes = [0; 4];
    match getrandom::fill(&mut bytes) {
        Ok(()) => f64::from(u32::from_le_bytes(bytes)) / f64::from(u32::MAX),
        Err(_) => 0.5,
    }
}
