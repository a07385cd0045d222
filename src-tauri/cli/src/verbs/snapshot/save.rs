//! `snapshot save`.

use std::path::PathBuf;

use promptdeck_service::{
    diff::versions::Version,
    snapshots::{self, SnapshotSource},
    store::Store,
};

use crate::{
    failure::Failure,
    input,
    output::{ExitStatus, Output},
    state::{CallArgs, Deck, StateArgs},
};

/// Flags of `snapshot save`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The registry, a JSON file.
    registry: PathBuf,
    /// Name of the snapshot; by default a summary of the selections.
    #[arg(long, default_value = "")]
    name: String,
    /// A note.
    #[arg(long, default_value = "")]
    note: String,
    #[command(flatten)]
    state: StateArgs,
    #[command(flatten)]
    call: CallArgs,
}

/// Takes the snapshot and prints its number. The store is opened, and created if it is not there,
/// once there is something to store.
pub fn run(
    open: impl FnOnce() -> Result<Store, Failure>,
    args: &Args,
    out: &mut Output,
) -> Result<ExitStatus, Failure> {
    if input::is_stdin(&args.registry) {
        let message = "a snapshot belongs to a file, and standard input is none: name a file";
        return Err(Failure::input("wrong_usage", message));
    }
    let Deck { parsed, state, .. } = args.state.open(&args.registry)?;
    let seed = args.call.seed()?;
    let route = args.call.route.clone();
    let version = Version::new(
        args.name.clone(),
        parsed.registry,
        state.clone(),
        route.clone(),
        seed,
    );
    if let Some(problem) = version.problem() {
        let failure = Failure::input(problem.code.clone(), problem.message.clone());
        return Err(failure.in_file(&args.registry));
    }
    let store = open()?;
    let summary = snapshots::take(
        &store,
        &SnapshotSource {
            name: &args.name,
            note: &args.note,
            file: &args.registry,
            registry: &parsed.document.registry,
            state: &state,
            route: route.as_deref(),
            seed,
            glance: &version.glance(),
            automatic: false,
        },
    )?;
    let done = format!("snapshot {} was taken", summary.id);
    out.after_work(&done, |out| out.row(summary.id))?;
    Ok(ExitStatus::Done)
}
