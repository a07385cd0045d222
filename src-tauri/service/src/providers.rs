//! Opening a model provider for a run: its server, the key that belongs to it, a chat template
//! where it needs one. Nothing is sent by opening.

use promptdeck_core::chat::{
    self,
    extract::Markers,
    jinja::{Moment, Template},
};
use promptdeck_core::engine::Message;
use promptdeck_provider::base_url::BaseUrl;
use promptdeck_provider::keys::KeyPlace;
use promptdeck_provider::retry::Retry;
use promptdeck_provider::secret::Secret;
use promptdeck_provider::server::{Server, ServerKind};
use promptdeck_provider::{Caller, Limits, Template as Raw};
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
}

/// Opens the provider.
pub fn open(target: &Target<'_>) -> Result<Caller, ServiceError> {
    let base = BaseUrl::parse(target.base_url.unwrap_or(target.kind.usual_base_url()))?;
    let place = KeyPlace::of(target.connection, &base);
    let key = match target.key.cloned().or_else(|| key_in_environment(&place)) {
        None if target.keyed => place.in_keyring()?,
        key => key,
    };
    let server = Server::new(target.kind, base, key, Limits::default())?;
    let caller = Caller::new(server, Retry::default(), Box::new(jitter));
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
        ..chat::Request::default()
    };
    let clock = WallClock::of_the_system();
    Ok(caller.with_template(Raw {
        markers: Markers::in_template(raw.source),
        write: Box::new(move |messages| rendered(&template, &base, messages, clock.now())),
    }))
}

/// The key that the environment holds for a connection.
pub(crate) fn key_in_environment(place: &KeyPlace) -> Option<Secret> {
    place.in_environment(|name| std::env::var(name).ok())
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
