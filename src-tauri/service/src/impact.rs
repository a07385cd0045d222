//! The impact of an edit in an open document, as the page shows it: versions to compare, and
//! snapshots under the edited registry.

mod last_sample;
mod saved_engine;
mod view;

pub(crate) use last_sample::{LastSample, Sample, SampleKey};
pub(crate) use saved_engine::SavedEngine;
pub(crate) use view::{snapshot, view};

use promptdeck_core::hydrate::{Call, Engine, Seed, State};
use promptdeck_core::registry::BUILT_IN_ROUTE;
use promptdeck_population::impact::{ImpactOptions, ImpactPlan, Side};

use crate::ServiceError;
use crate::session::Session;

/// The open document's call, whose rolls are compared.
pub(crate) struct RolledCall {
    pub state: State,
    pub route: Option<String>,
}

impl RolledCall {
    pub fn of(session: &Session) -> Self {
        Self {
            state: session.state().clone(),
            route: session.route().map(str::to_owned),
        }
    }

    /// The call with a seed.
    pub fn with_seed(&self, seed: Seed) -> Call<'_> {
        Call {
            state: &self.state,
            route: self.route.as_deref(),
            seed,
        }
    }

    /// The same on the route of a version.
    pub fn of_version(&self, version: &NamedEngine) -> Self {
        Self {
            state: self.state.clone(),
            route: version.route.clone(),
        }
    }
}

/// The route that both versions roll, by name; `None` if neither has another, or each rolls its own.
pub(crate) fn rolled_route([before, after]: [&NamedEngine; 2]) -> Option<String> {
    let has_others = |version: &NamedEngine| !version.engine.registry().routes().is_empty();
    let is_named = before.route == after.route && (has_others(before) || has_others(after));
    is_named.then(|| route_name(before.route.as_deref()).to_owned())
}

/// The name of a route, or of the call without one.
pub(crate) fn route_name(route: Option<&str>) -> &str {
    route.unwrap_or(BUILT_IN_ROUTE)
}

/// A version of a registry.
pub(crate) struct NamedEngine {
    /// Name for display.
    pub name: String,
    pub engine: Engine,
    /// The route that is rolled.
    pub route: Option<String>,
}

/// A comparison of two versions in the rolls of a call.
pub(crate) fn plan<'a>(
    [before, after]: [&'a NamedEngine; 2],
    call: &'a RolledCall,
    options: ImpactOptions<'a>,
) -> Result<ImpactPlan<'a>, ServiceError> {
    for version in [before, after] {
        known_route(version)?;
    }
    let side = |version: &'a NamedEngine| Side {
        engine: &version.engine,
        route: version.route.as_deref(),
    };
    Ok(ImpactPlan::new(
        side(before),
        side(after),
        &call.state,
        options,
    )?)
}

/// Fails if the version has not its route.
pub(crate) fn known_route(version: &NamedEngine) -> Result<(), ServiceError> {
    let call = Call {
        state: &State::default(),
        route: version.route.as_deref(),
        seed: Seed::default(),
    };
    let found = version.engine.hydrate_text(&call);
    found.map(drop).map_err(|fault| ServiceError::Version {
        name: version.name.clone(),
        fault,
    })
}
