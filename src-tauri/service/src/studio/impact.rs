//! What an edit changes: a summary after each edit, whole comparisons on demand, the snapshots of
//! the file.

use std::sync::Arc;
use std::time::Instant;

use promptdeck_core::hydrate::{Engine, Seed};
use promptdeck_core::registry::Registry;
use promptdeck_population::Survey as _;
use promptdeck_population::impact::{ImpactOptions, ImpactPlan};
use promptdeck_store::Hash;

use crate::diff::versions::{self, Version};
use crate::impact::{
    NamedEngine, RolledCall, Sample, SampleKey, known_route, plan, rolled_route, route_name,
    snapshot, view,
};
use crate::open_documents::{FileDocument as _, Shared, lock};
use crate::profile::{Counter, MAX_ROLLS, signed};
use crate::saturating::saturating_u32;
use crate::session::Session;
use crate::studio::Studio;
use crate::wire::{
    Comparison, EditImpact, Granularity, Impact, ImpactParams, ProfileProgress, Side,
    SnapshotImpact, SnapshotQuery,
};
use crate::{CancellationToken, ServiceError, file_version, population, snapshots, tree};

/// Rolls compared after an edit.
const EDIT_ROLLS: u32 = 2_000;

/// Maximum number of snapshots that are listed with a diff.
const MOST_LISTED: usize = 60;

/// Name of the open document among versions.
const NOW: &str = "Now";

fn seed_of(seed: u64) -> Result<Seed, ServiceError> {
    Ok(Seed::new(seed).map_err(|fault| tree::BadPart {
        part: "seed",
        why: fault.to_string(),
    })?)
}

fn options<'a>(
    params: &ImpactParams,
    tokenizer: &'a Counter<'a>,
) -> Result<ImpactOptions<'a>, ServiceError> {
    Ok(ImpactOptions {
        rolls: u64::from(params.rolls.min(MAX_ROLLS)),
        seed: seed_of(params.seed)?,
        tokenizer: Some(tokenizer),
        budget: params.budget.map(u64::from),
    })
}

/// Rolls a sample; one core is left to the window.
fn rolled(
    plan: &ImpactPlan<'_>,
    cancel: &CancellationToken,
    proceed: &(dyn Fn(u64) -> bool + Sync),
) -> Result<Sample, ServiceError> {
    let threads = population::threads(plan.rolls()).saturating_sub(1).max(1);
    let partial = population::survey(plan, threads, proceed)?;
    if cancel.is_cancelled() {
        return Err(ServiceError::Superseded);
    }
    let summary = plan.summary(&partial);
    Ok(Sample { partial, summary })
}

/// What a sample of the document against its file depends on.
fn sample_key(shared: &Shared<Session>, session: &Session, params: &ImpactParams) -> SampleKey {
    SampleKey {
        session: Arc::downgrade(shared),
        revision: session.copy().revision(),
        saved: session.copy().disk().hash,
        seed: params.seed,
        rolls: u64::from(params.rolls),
        budget: params.budget.map(u64::from),
    }
}

impl Studio {
    /// What the edits of a document change in the rolls from a seed on, against its file as last
    /// saved; `None` if nothing differs from the file.
    ///
    /// # Errors
    /// If the document is not open, its file has not the route in use, or the request is cancelled.
    pub fn edit_impact(
        &self,
        document: &str,
        seed: u64,
        budget: Option<u32>,
        cancel: &CancellationToken,
    ) -> Result<Option<EditImpact>, ServiceError> {
        let params = ImpactParams {
            before: Side::Saved,
            after: Side::Now,
            seed,
            rolls: EDIT_ROLLS,
            budget,
        };
        let session = self.inner.session(document)?;
        let saved = self.version(document, &Side::Saved)?;
        let (now, call, key) = {
            let locked_session = lock(&session);
            if !locked_session.copy().modified() {
                return Ok(None);
            }
            let key = sample_key(&session, &locked_session, &params);
            (now(&locked_session), RolledCall::of(&locked_session), key)
        };
        let tokenizer = Counter(self.inner.counter());
        let options = options(&params, &tokenizer)?;
        let proceed = |_| self.inner.pause.proceed(cancel);
        let sample = self.inner.sample.of(key, cancel, || {
            rolled(&plan([&saved, &now], &call, options)?, cancel, &proceed)
        })?;
        let summary = sample.summary;
        if summary.changed.rolls == 0 {
            let session = lock(&session);
            // The author may have typed what the file holds.
            if session.copy().equals(session.copy().disk()) {
                return Ok(None);
            }
        }
        Ok(Some(EditImpact {
            route: rolled_route([&saved, &now]),
            rolls: saturating_u32(summary.rolls),
            changed: saturating_u32(summary.changed.rolls),
            share: summary.changed.share,
            tokens: summary.tokens.map(|tokens| signed(tokens.median)),
        }))
    }

    /// Compares two versions in the same rolls of the document's state and route. Stopping returns
    /// the rolls made so far.
    ///
    /// # Errors
    /// If the document is not open, a version cannot be read or has not the route in use, or the
    /// request is cancelled.
    pub fn measure_impact(
        &self,
        document: &str,
        params: &ImpactParams,
        cancel: &CancellationToken,
    ) -> Result<Impact, ServiceError> {
        let begun = Instant::now();
        let (call, key) = {
            let session = self.inner.session(document)?;
            let locked_session = lock(&session);
            (
                RolledCall::of(&locked_session),
                sample_key(&session, &locked_session, params),
            )
        };
        let before = self.version(document, &params.before)?;
        let after = self.version(document, &params.after)?;
        let counter = self.inner.counter();
        let tokenizer = Counter(counter);
        let options = options(params, &tokenizer)?;
        let running = self.inner.impact.begin(params.rolls.min(MAX_ROLLS));
        let measured = plan([&before, &after], &call, options).and_then(|plan| {
            let proceed =
                |completed| running.proceed(completed) && self.inner.pause.proceed(cancel);
            let roll = || rolled(&plan, cancel, &proceed);
            // The status bar shows this sample too.
            let sample = match (&params.before, &params.after) {
                (Side::Saved, Side::Now) if params.rolls == EDIT_ROLLS => {
                    self.inner.sample.of(key, cancel, roll)?
                }
                _ => roll()?,
            };
            Ok(plan.impact(sample.partial)?)
        });
        self.inner.impact.end(&running);
        let impact = measured?;
        if cancel.is_cancelled() {
            return Err(ServiceError::Superseded);
        }
        let versions = [&before, &after];
        Ok(view(impact, versions, &call, counter, begun.elapsed()))
    }

    /// How far the running comparison is; `None` if none runs.
    #[must_use]
    pub fn impact_progress(&self) -> Option<ProfileProgress> {
        self.inner.impact.progress()
    }

    /// Stops the running comparison.
    pub fn stop_impact(&self) {
        self.inner.impact.stop();
    }

    /// Compares one roll of two versions in the document's state and route, by words.
    ///
    /// # Errors
    /// If the document is not open, or a version cannot be read or has not the route in use.
    pub fn compare_roll(
        &self,
        document: &str,
        left: &Side,
        right: &Side,
        seed: u64,
    ) -> Result<Comparison, ServiceError> {
        let seed = seed_of(seed)?;
        let call = RolledCall::of(&lock(&*self.inner.session(document)?));
        let side = |side: &Side| {
            let version = self.version(document, side)?;
            known_route(&version)?;
            Ok::<_, ServiceError>(evaluated(version, &call, seed))
        };
        let (left, right) = (side(left)?, side(right)?);
        Ok(versions::compare(&left, &right, Granularity::Words))
    }

    /// What the edited registry makes of the snapshots of its file.
    ///
    /// # Errors
    /// If the document is not open, the store cannot be read, or the request is cancelled.
    pub fn snapshot_impact(
        &self,
        document: &str,
        cancel: &CancellationToken,
    ) -> Result<SnapshotImpact, ServiceError> {
        let edited = now(&lock(&*self.inner.session(document)?)).engine;
        let store = self.inner.store_handle.store()?;
        let mut found = SnapshotImpact {
            snapshots: 0,
            same: 0,
            changed: 0,
            broken: 0,
            damaged: 0,
            listed: Vec::new(),
        };
        // Most snapshots follow one of the same registry.
        let mut last: Option<(Hash, Engine)> = None;
        let mut offset = 0;
        loop {
            let query = SnapshotQuery {
                file: Some(self.key(document)?),
                offset,
                limit: promptdeck_store::snapshots::LONGEST_PAGE,
                ..SnapshotQuery::default()
            };
            let page = snapshots::list(&store, &query)?;
            if page.snapshots.is_empty() {
                found.damaged += page.damaged;
                return Ok(found);
            }
            offset += saturating_u32(page.snapshots.len() as u64);
            for summary in page.snapshots {
                if !self.inner.pause.proceed(cancel) {
                    return Err(ServiceError::Superseded);
                }
                let Ok(contents) = snapshots::contents(&store, summary.id.into()) else {
                    found.damaged += 1;
                    continue;
                };
                let hash = contents.summary.content;
                let engine = match last.take() {
                    Some((of, engine)) if of == hash => engine,
                    _ => match Registry::from_map(&contents.registry) {
                        Ok(registry) => Engine::new(registry),
                        Err(_) => {
                            found.damaged += 1;
                            continue;
                        }
                    },
                };
                found.snapshots += 1;
                let listed = found.listed.len() < MOST_LISTED;
                let change = snapshot(&contents, &engine, &edited, self.inner.counter(), listed);
                last = Some((hash, engine));
                match &change {
                    None => found.same += 1,
                    Some(change) if change.problem.is_some() => found.broken += 1,
                    Some(_) => found.changed += 1,
                }
                found.listed.extend(change.filter(|_| listed));
            }
        }
    }

    /// A version of the registry of an open document, or another one to compare it with; on the route of
    /// the document, unless another is asked for.
    fn version(&self, document: &str, side: &Side) -> Result<NamedEngine, ServiceError> {
        let session = self.inner.session(document)?;
        let mut version = now(&lock(&*session));
        match side {
            Side::Now => {}
            Side::Route { route } => {
                version.name = format!("{NOW}, route {}", route_name(route.as_deref()));
                version.route.clone_from(route);
            }
            Side::Saved => {
                document.clone_into(&mut version.name);
                version.engine = self.inner.saved.of(&session)?;
            }
            Side::Snapshot { id } => {
                let store = self.inner.store_handle.store()?;
                let contents = snapshots::contents(&store, (*id).into())?;
                let registry =
                    Registry::from_map(&contents.registry).map_err(ServiceError::Refused)?;
                version.name = contents.summary.name;
                version.engine = Engine::new(registry);
            }
            Side::File { document } => {
                let bytes = file_version::bytes(&self.inner.folder.file(document)?)?;
                let parsed = file_version::parse(document, &bytes)?;
                document.clone_into(&mut version.name);
                version.engine = Engine::new(parsed.registry);
            }
        }
        Ok(version)
    }

    /// A version for a comparison of one roll: a snapshot with its own call, everything else with
    /// the document's.
    pub(crate) fn rolled_version(
        &self,
        document: &str,
        side: &Side,
    ) -> Result<Version, ServiceError> {
        let (call, seed) = {
            let session = self.inner.session(document)?;
            let session = lock(&session);
            (RolledCall::of(&session), session.seed())
        };
        Ok(evaluated(self.version(document, side)?, &call, seed))
    }
}

/// One roll of a version.
fn evaluated(version: NamedEngine, call: &RolledCall, seed: Seed) -> Version {
    let call = call.of_version(&version);
    Version::of(version.name, &version.engine, &call.with_seed(seed))
}

fn now(session: &Session) -> NamedEngine {
    NamedEngine {
        name: NOW.to_owned(),
        engine: session.engine().clone(),
        route: session.route().map(str::to_owned),
    }
}
