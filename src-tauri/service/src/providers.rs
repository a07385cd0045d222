//! Opening a model provider for a run: its server, the key that belongs to it, a chat template
//! where it needs one. Nothing is sent by opening.

use promptdeck_chat::{self as chat, extract::Markers};
use promptdeck_core::run::Message;
use promptdeck_jinja::{Moment, Template};
use promptdeck_provider::base_url::BaseUrl;
use promptdeck_provider::keyring::{EnvironmentKey, KeyError, KeyRef, WithheldKey};
use promptdeck_provider::retry::Retry;
use promptdeck_provider::secret::Secret;
use promptdeck_provider::server::{Server, ServerKind};
use promptdeck_provider::{HttpProvider, Limits, Template as Raw};
use serde_json::json;

use crate::{ServiceError, WallClock};

/// Whom to ask.
#[derive(Debug, Clone, Copy)]
pub struct Target<'a> {
    /// The kind of server.
    pub kind: ServerKind,
    /// Where it is; where such a server usually is when not given.
    pub base_url: Option<&'a str>,
    /// The name of the connection, which its key goes by.
    pub connection: &'a str,
    /// The key, when a person has just typed one; it goes before all others.
    pub key: Option<&'a Secret>,
    /// Whether the keyring is asked when the environment has no key; that may open a dialog.
    pub keyed: bool,
    /// What makes a text of a conversation for raw completions.
    pub template: Option<RawTemplate<'a>>,
}

/// A chat template, and the tokens its texts begin and end with as far as they are known.
#[derive(Debug, Clone, Copy, Default)]
pub struct RawTemplate<'a> {
    /// The template.
    pub source: &'a str,
    /// The token texts begin with.
    pub bos_token: Option<&'a str>,
    /// The token texts end with.
    pub eos_token: Option<&'a str>,
    /// Whether the model is to think; the template's default when it is not said.
    pub thinking: Option<bool>,
}

impl Target<'_> {
    fn base(&self) -> Result<BaseUrl, ServiceError> {
        Ok(BaseUrl::parse(
            self.base_url.unwrap_or(self.kind.usual_base_url()),
        )?)
    }

    /// The key in the environment that belongs to this connection but not to this host.
    pub fn withheld_key(&self) -> Result<Option<WithheldKey>, ServiceError> {
        let place = KeyRef::of(self.connection, &self.base()?);
        Ok(match key_in_environment(&place, self.kind) {
            EnvironmentKey::Withheld(withheld) => Some(withheld),
            EnvironmentKey::Absent | EnvironmentKey::Usable(_) => None,
        })
    }

    /// The key to send: the one just typed, the environment's, the keyring's.
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
        let kept = if self.keyed {
            place.in_keyring()
        } else {
            Ok(None)
        };
        match (kept, withheld) {
            (Ok(Some(key)), _) => Ok(Some(key)),
            // A server of this machine mostly needs none.
            (_, Some(withheld)) if !withheld.is_loopback => {
                Err(KeyError::OtherHost(withheld).into())
            }
            (kept, _) => Ok(kept?),
        }
    }
}

/// Opens the provider.
pub fn open(target: &Target<'_>) -> Result<HttpProvider, ServiceError> {
    let key = target.found_key(&target.base()?)?;
    prepared(target, key)
}

/// Looks whether the provider can be opened, but for its key, which is not asked for.
pub fn check(target: &Target<'_>) -> Result<(), ServiceError> {
    prepared(target, None).map(drop)
}

fn prepared(target: &Target<'_>, key: Option<Secret>) -> Result<HttpProvider, ServiceError> {
    let base = target.base()?;
    let server = Server::new(target.kind, base, key, Limits::default())?;
    let caller = HttpProvider::new(server, Retry::default(), Box::new(jitter));
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

/// The key that the environment holds for a connection.
pub(crate) fn key_in_environment(place: &KeyRef, kind: ServerKind) -> EnvironmentKey {
    place.in_environment(kind, |name| std::env::var(name).ok())
}

/// The text of a conversation: `base` with its messages, and the time it is sent at.
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

/// From 0 to 1. Pauses of equal length do no harm where the system gives no random numbers.
fn jitter() -> f64 {
    let mut bytes = [0; 4];
    match getrandom::fill(&mut bytes) {
        Ok(()) => f64::from(u32::from_le_bytes(bytes)) / f64::from(u32::MAX),
        Err(_) => 0.5,
    }
}
