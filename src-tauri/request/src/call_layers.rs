//! What is wrong with the `layers` of a call, which Gemini alone reads: other targets have no reason to
//! report it.

use std::time::Duration;

use promptdeck_chat::timestamp::Moment;
use promptdeck_core::{
    hydrate::{Engine, Seed},
    registry::Diagnostic,
};

use crate::{
    build::{self, BuildContext, BuildError, Target},
    call::Call,
    codes,
    layers::SessionError,
    pipeline::StageClock,
    target::TargetError,
};

/// The faults that a request to Gemini reports, as far as neither the time nor the roll decides them.
/// None for a call that makes no request, whatever its target.
///
/// # Errors
/// [`SessionError`] for a value that no session can have; its pointer counts from `layers`.
pub fn lint(call: &Call, engine: &Engine) -> Result<Vec<Diagnostic>, SessionError> {
    if call.layers.is_empty() {
        return Ok(Vec::new());
    }
    let context = BuildContext {
        turn: &[],
        now: Moment::default(),
        seed: Seed::default(),
        clock: &Stopped,
        counter: &|_: &str| 0,
    };
    let mut found = match build::build(call, engine, Target::Gemini, &context) {
        Ok(built) => built.request.diagnostics,
        Err(BuildError::Target(TargetError::Session(error))) => return Err(error),
        Err(_) => Vec::new(),
    };
    found.retain(|found| {
        let depends = [codes::CACHE_MISS, codes::CACHE_REBUILD].contains(&found.code);
        !depends && found.pointer.starts_with("/layers/")
    });
    Ok(found)
}

struct Stopped;

impl StageClock for Stopped {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}
