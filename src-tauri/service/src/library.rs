//! The studio's shelf: workspace, settings, snapshots, comparison. Documents themselves are in
//! [`crate::studio`].

use promptdeck_core::hydrate::{Seed, variants};
use promptdeck_core::output::{CompiledPolicy, OutputPolicy};
use promptdeck_core::registry::{Document, Registry, canonical, lint};
use promptdeck_model::tokenizer::TokenCounter as _;
use promptdeck_store::files::{self, Expected};
use std::path::Path;

use crate::analysis::Subject;
use crate::diff::versions::{self, Version};
use crate::preview::SLIDER;
use crate::session::Session;
use crate::snapshots::{self, Contents, Prepared, Taken};
use crate::studio::{Inner, Studio, if_free, lock};
use crate::wire::{
    Change, Comparison, Event, Failure, First, Granularity, Settings, Side, SnapshotPage,
    SnapshotQuery, SnapshotSummary, StartupState, Variant, VariantCount, VariantFactor, Verdict,
    View, Workspace,
};
use crate::{CancellationToken, ServiceError, clock, list_reader, tree};

/// Variants rolled at once, at most.
const MOST_VARIANTS: u32 = 200;

/// The sample that shows the most at once; a folder that was never opened begins with it.
const WELCOME: &str = "trivia_host.json";

impl Inner {
    /// Stores the snapshot that was prepared before something destructive. Without a store the
    /// undo history alone stands in for it, and the author is told.
    pub(crate) fn store_before(
        &self,
        document: &str,
        revision: u32,
        prepared: Result<Prepared, ServiceError>,
    ) {
        let stored =
            prepared.and_then(|prepared| prepared.store_if_needed(&*self.store_handle.store()?));
        if let Err(fault) = stored {
            self.tell(Event::Draft {
                document: document.to_owned(),
                revision,
                saved_at: clock::now(),
                problem: Some(fault.into()),
            });
        }
    }
}

/// A snapshot of a document as it is now.
fn prepare(session: &Session, name: &str, automatic: bool) -> Result<Prepared, ServiceError> {
    let (preview, _) = session.preview();
    Prepared::of(&Taken {
        name,
        note: "",
        file: session.path(),
        registry: tree::registry(session.tree()),
        state: session.state(),
        route: session.route(),
        seed: session.seed(),
        glance: &preview.glance(),
        automatic,
    })
}

/// A snapshot of a document as it is before something destructive, for
/// [`Studio::with_snapshot`].
pub(crate) fn prepare_before(session: &Session, what: &str) -> Result<Prepared, ServiceError> {
    prepare(session, &format!("Before {what}"), true)
}

/// The same before a document is replaced by a stored one.
pub(crate) fn prepare_before_switch(
    session: &Session,
    what: &str,
) -> Result<Prepared, ServiceError> {
    prepare_before(session, what).map(Prepared::unless_stored)
}

/// Replaces a file that holds what it held when the author chose it.
fn export(path: &Path, text: &str, held: Expected) -> Result<(), ServiceError> {
    files::replace(path, text.as_bytes(), held)?.or_changed_outside(path)?;
    Ok(())
}

/// The page knows files by their names in the folder.
fn relative(inner: &Inner, mut summary: SnapshotSummary) -> SnapshotSummary {
    let folder = snapshots::key(inner.folder.path());
    if let Ok(name) = Path::new(&summary.file).strip_prefix(&folder) {
        summary.file = name.to_string_lossy().into_owned();
    }
    summary
}

fn version(name: String, contents: Contents) -> Result<Version, ServiceError> {
    let registry = Registry::from_map(&contents.registry).map_err(ServiceError::Refused)?;
    Ok(Version::new(
        name,
        registry,
        contents.state,
        contents.route,
        contents.seed,
    ))
}

impl Studio {
    /// The folder, its registries, settings, the file to open first.
    #[must_use]
    pub fn workspace(&self) -> Workspace {
        let inner = &self.inner;
        let (mut registries, mut problem) = (Vec::new(), None);
        match inner.folder.list_small() {
            Ok(listing) => {
                registries = listing.entries;
                if listing.unread {
                    problem = list_reader::start(inner).err().map(Failure::from);
                }
            }
            Err(fault) => problem = Some(fault.into()),
        }
        let kept = inner
            .store_handle
            .store()
            .and_then(|store| Ok(store.modified_files()?));
        let kept = kept.unwrap_or_default();
        for entry in &mut registries {
            let open = inner.session(&entry.file).ok();
            // One that is being worked on is as its draft says: a list waits for nobody.
            let now = open.and_then(|open| if_free(&open).map(|session| session.modified()));
            entry.modified = now.unwrap_or_else(|| {
                kept.contains(&snapshots::key(&inner.folder.path().join(&entry.file)))
            });
        }
        let last = inner.store_handle.last_open(inner.folder.path());
        let first = registries
            .iter()
            .find(|entry| Some(&entry.file) == last.as_ref())
            .or_else(|| {
                let mut welcoming = registries.iter().filter(|entry| entry.file == WELCOME);
                welcoming.find(|entry| inner.folder.is_readable(&entry.file))
            })
            .or_else(|| {
                let mut all = registries.iter();
                all.find(|entry| inner.folder.is_readable(&entry.file))
            })
            .or_else(|| registries.iter().find(|entry| entry.problem.is_none()))
            .map(|entry| entry.file.clone());
        Workspace {
            folder: inner.folder.path().display().to_string(),
            registries,
            first,
            settings: inner.store_handle.settings(),
            store: inner.store_handle.health(),
            problem,
        }
    }

    /// What the window begins with: the folder, and its first registry opened.
    #[must_use]
    pub fn begin(&self) -> StartupState {
        let workspace = self.workspace();
        let open = |file: &String| -> Result<First, ServiceError> {
            Ok(First {
                opened: self.open_document(file)?,
                view: self.view(file)?,
            })
        };
        let (first, failure) = match workspace.first.as_ref().map(open).transpose() {
            Ok(first) => (first, None),
            Err(fault) => (None, Some(fault.into())),
        };
        StartupState {
            workspace,
            first,
            failure,
        }
    }

    /// Keeps the window's settings.
    pub fn save_settings(&self, settings: &Settings) -> Result<(), ServiceError> {
        self.inner.store_handle.save_settings(settings)
    }

    /// How a registry is looked at.
    pub fn view(&self, file: &str) -> Result<View, ServiceError> {
        Ok(self.inner.store_handle.view(&self.key(file)?))
    }

    /// Keeps how a registry is looked at. The seed's lock has a call of its own.
    pub fn save_view(&self, file: &str, view: &View) -> Result<(), ServiceError> {
        let key = self.key(file)?;
        let mut view = view.clone();
        view.seed_locked = self.inner.store_handle.view(&key).seed_locked;
        self.inner.store_handle.save_view(&key, &view)
    }

    /// Makes a new registry file and gives its name.
    pub fn new_registry(&self, title: &str) -> Result<String, ServiceError> {
        self.inner.folder.new_registry(title)
    }

    /// Makes a copy of a registry file and gives its name.
    pub fn duplicate_registry(&self, file: &str) -> Result<String, ServiceError> {
        self.inner.folder.duplicate(file)
    }

    /// Writes the document's model JSON to a path the author chose.
    pub fn export_to(&self, document: &str, path: &Path) -> Result<(), ServiceError> {
        let held = files::current(path)?;
        export(path, &self.model_json(document)?.text, held)
    }

    /// A stretch of the list of snapshots.
    pub fn snapshots(&self, query: &SnapshotQuery) -> Result<SnapshotPage, ServiceError> {
        let mut query = query.clone();
        if let Some(file) = &mut query.file {
            *file = self.key(file)?;
        }
        let store = self.inner.store_handle.store()?;
        let mut page = snapshots::list(&store, &query)?;
        page.snapshots = page
            .snapshots
            .into_iter()
            .map(|row| relative(&self.inner, row))
            .collect();
        Ok(page)
    }

    /// Takes a snapshot; without a name it is named by what is chosen.
    pub fn take_snapshot(
        &self,
        document: &str,
        name: Option<&str>,
    ) -> Result<SnapshotSummary, ServiceError> {
        let session = self.inner.session(document)?;
        let prepared = prepare(&lock(&session), name.unwrap_or_default(), false)?;
        // The store may be busy: nobody edits the worse for it.
        let row = prepared.store(&*self.inner.store_handle.store()?)?;
        Ok(relative(&self.inner, snapshots::summary(row)))
    }

    /// Puts a snapshot into the document, as a step that can be undone. Unsaved edits are kept
    /// in a snapshot first.
    pub fn switch_snapshot(&self, document: &str, id: u32) -> Result<Change, ServiceError> {
        let contents = snapshots::contents(&*self.inner.store_handle.store()?, id.into())?;
        let name = contents.summary.name.clone();
        let to = tree::build(
            &contents.registry,
            &contents.state,
            contents.route.as_deref(),
            contents.seed,
        );
        self.with_snapshot(document, |session| {
            let modified = session.modified();
            let before =
                modified.then(|| prepare_before_switch(session, &format!("switch to {name}")));
            (before, session.switch(&format!("Switch to {name}"), &to))
        })
    }

    fn changed(
        &self,
        change: impl FnOnce(
            &promptdeck_store::Store,
        ) -> Result<
            promptdeck_store::snapshots::Summary,
            promptdeck_store::StoreError,
        >,
    ) -> Result<SnapshotSummary, ServiceError> {
        let row = change(&*self.inner.store_handle.store()?)?;
        Ok(relative(&self.inner, snapshots::summary(row)))
    }

    /// Gives a snapshot a name and a note.
    pub fn describe_snapshot(
        &self,
        id: u32,
        name: &str,
        note: &str,
    ) -> Result<SnapshotSummary, ServiceError> {
        self.changed(|store| store.describe_snapshot(id.into(), name, note))
    }

    /// Pins a snapshot to a key from 1 to 9, or unpins it.
    pub fn pin_snapshot(&self, id: u32, key: Option<u8>) -> Result<SnapshotSummary, ServiceError> {
        self.changed(|store| store.pin_snapshot(id.into(), key))
    }

    /// Makes a copy of a snapshot.
    pub fn duplicate_snapshot(&self, id: u32) -> Result<SnapshotSummary, ServiceError> {
        self.changed(|store| {
            let name = format!("{} copy", store.snapshot(id.into())?.name);
            store.duplicate_snapshot(id.into(), &name, clock::now_signed())
        })
    }

    /// Deletes a snapshot; it can be brought back for 30 days.
    pub fn delete_snapshot(&self, id: u32) -> Result<(), ServiceError> {
        self.inner
            .store_handle
            .store()?
            .delete_snapshot(id.into(), clock::now_signed())?;
        Ok(())
    }

    /// Brings a deleted snapshot back.
    pub fn undelete_snapshot(&self, id: u32) -> Result<SnapshotSummary, ServiceError> {
        self.changed(|store| store.undelete_snapshot(id.into()))
    }

    /// What to call a snapshot's file, and what its model JSON is.
    pub fn snapshot_json(&self, id: u32) -> Result<(String, String), ServiceError> {
        let contents = snapshots::contents(&*self.inner.store_handle.store()?, id.into())?;
        let document = Document {
            registry: contents.registry,
            wrapper: None,
        };
        Ok((
            contents.summary.name,
            canonical::export(&document, &contents.state),
        ))
    }

    /// Writes a snapshot's model JSON to a path the author chose.
    pub fn export_snapshot_to(&self, id: u32, path: &Path) -> Result<(), ServiceError> {
        let held = files::current(path)?;
        export(path, &self.snapshot_json(id)?.1, held)
    }

    /// Compares two versions.
    pub fn compare(
        &self,
        document: &str,
        left: &Side,
        right: &Side,
        granularity: Granularity,
    ) -> Result<Comparison, ServiceError> {
        let side = |side: &Side| match side {
            Side::Now => {
                let session = self.inner.session(document)?;
                let session = lock(&session);
                Ok(Version::new(
                    "Now".into(),
                    session.engine().registry().clone(),
                    session.state().clone(),
                    session.route().map(str::to_owned),
                    session.seed(),
                ))
            }
            Side::Snapshot { id } => {
                let contents =
                    snapshots::contents(&*self.inner.store_handle.store()?, (*id).into())?;
                version(contents.summary.name.clone(), contents)
            }
        };
        let (left, right) = (side(left)?, side(right)?);
        let mut comparison = versions::compare(&left, &right, granularity);
        let tokens = |version: &Version| {
            let count = self.inner.counter().count(&version.text()).tokens;
            u32::try_from(count).ok()
        };
        comparison.left.tokens = tokens(&left);
        comparison.right.tokens = tokens(&right);
        Ok(comparison)
    }

    /// What the output policy in use, that of the route included, makes of a text.
    pub fn try_policy(
        &self,
        document: &str,
        text: &str,
        cancel: &CancellationToken,
    ) -> Result<Verdict, ServiceError> {
        let session = self.inner.session(document)?;
        let (registry, route) = {
            let session = lock(&session);
            (
                session.engine().registry().clone(),
                session.route().map(str::to_owned),
            )
        };
        let none = serde_json::Map::new();
        let over = route.and_then(|route| registry.routes().get(&route));
        let over = over.map_or(&none, |route| &route.output_policy);
        let refused = |fault: String| ServiceError::Policy(fault);
        let policy = OutputPolicy::layered(registry.output_policy(), over)
            .map_err(|fault| refused(fault.to_string()))?;
        let policy = CompiledPolicy::new(policy).map_err(|fault| refused(fault.to_string()))?;
        let verdict = policy
            .apply_unless(text, &|| cancel.is_cancelled())
            .map_err(|fault| refused(fault.to_string()))?
            .ok_or(ServiceError::Superseded)?;
        Ok(Verdict {
            text: verdict.text,
            accepted: verdict.accepted,
            reason: verdict.reason,
        })
    }

    /// The entries of an assembly order that complete a bracket left open, as in `section[`,
    /// without those that can match no item.
    pub fn look_ups(&self, document: &str, typed: &str) -> Result<Vec<String>, ServiceError> {
        let engine = lock(&*self.inner.session(document)?).engine().clone();
        Ok(lint::look_ups(engine.registry(), typed))
    }

    /// How many variants the document can roll.
    pub fn variant_count(
        &self,
        document: &str,
        cancel: &CancellationToken,
    ) -> Result<VariantCount, ServiceError> {
        let subject = Subject::of(&lock(&*self.inner.session(document)?));
        let is_cancelled = || cancel.is_cancelled();
        let factors = subject
            .with_call(|engine, call| variants::factors_unless(engine, call, &is_cancelled))?;
        if cancel.is_cancelled() {
            return Err(ServiceError::Superseded);
        }
        let count = variants::product(&factors);
        Ok(VariantCount {
            ordered: count.ordered.to_string(),
            unordered: count.unordered.to_string(),
            exact: count.exact,
            factors: factors_told(factors),
        })
    }

    /// Up to `count` different prompts (no more than 200), each with a seed that gives it, from
    /// `seed` on.
    pub fn roll_variants(
        &self,
        document: &str,
        seed: u64,
        count: u32,
        cancel: &CancellationToken,
    ) -> Result<Vec<Variant>, ServiceError> {
        let seed = Seed::new(seed).map_err(|fault| tree::BadPart {
            part: "seed",
            why: fault.to_string(),
        })?;
        let subject = Subject::of(&lock(&*self.inner.session(document)?)).with_seed(seed);
        let wanted = count.min(MOST_VARIANTS) as usize;
        let is_cancelled = || cancel.is_cancelled();
        let rolls = subject.with_call(|engine, call| {
            let rolls = variants::rolls(engine, call, wanted).unless(&is_cancelled);
            rolls.collect::<Result<Vec<_>, _>>()
        })?;
        let counter = self.inner.counter();
        let variant = |roll: variants::Roll| Variant {
            seed: roll.seed.get(),
            picks: subject.picks(roll.seed),
            tokens: u32::try_from(counter.count(&roll.text).tokens).unwrap_or(u32::MAX),
            text: roll.text,
        };
        let rolls = rolls.into_iter().take_while(|_| !is_cancelled());
        let told = rolls.map(variant).collect();
        if cancel.is_cancelled() {
            return Err(ServiceError::Superseded);
        }
        Ok(told)
    }
}

/// The factors of a count as the page shows them: the lists of one field together.
fn factors_told(factors: Vec<variants::Factor>) -> Vec<VariantFactor> {
    let mut told: Vec<VariantFactor> = Vec::new();
    for factor in factors {
        let of = match factor.rolled {
            variants::Rolled::Items => None,
            variants::Rolled::Slider => Some(SLIDER.to_owned()),
            variants::Rolled::Entries { field, .. } => Some(field),
        };
        let ways = factor.count.unordered.to_string();
        if ways == "1" && factor.count.ordered == factor.count.unordered {
            continue;
        }
        match told.last_mut() {
            Some(last) if of.is_some() && last.of == of && last.sections == factor.sections => {
                last.ways.push(ways);
            }
            _ => told.push(VariantFactor {
                sections: factor.sections,
                of,
                ways: vec![ways],
            }),
        }
    }
    told
}
