//! `doctor`: checks the store, a registries folder and the environment, and suggests a fix for each
//! problem. Changes nothing unless asked to recover a damaged store.

use std::{
    fs,
    path::{Path, PathBuf},
};

use promptdeck_core::plural::plural;
use promptdeck_request::document::{Content, OtherContent};
use promptdeck_service::store::{
    OpenedStore, STORE_VARIABLE, Store, default_path, named_path, on_waiting,
};
use serde::Serialize;

use crate::{
    args::Format,
    failure::Failure,
    input,
    output::{self, ExitStatus, Output},
    registry_files::{self, Listing},
    verbs::snapshot,
};

/// The registries folder that is checked if none is named.
const FOLDER: &str = "registries";

/// Flags of `doctor`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The registries folder; by default `registries` in the current folder, if it is there. The store
    /// is that of `PROMPTDECK_STORE`, or the studio's own.
    folder: Option<PathBuf>,
    /// Format of the findings.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Recover the intact part of a damaged store; the damaged file is kept.
    #[arg(long)]
    recover: bool,
}

/// Result of one check.
#[derive(Debug, Serialize)]
struct Finding {
    ok: bool,
    what: String,
    message: String,
}

impl Finding {
    fn new(ok: bool, what: &str, message: impl Into<String>) -> Self {
        Self {
            ok,
            what: what.to_owned(),
            message: message.into(),
        }
    }
}

/// Prints the results; status 1 if there is a problem.
pub fn run(args: &Args, out: &mut Output) -> Result<ExitStatus, Failure> {
    out.ignore_closed_pipe();
    let mut findings = vec![Finding::new(true, "version", env!("CARGO_PKG_VERSION"))];
    findings.extend(store(args.recover));
    match &args.folder {
        Some(folder) => findings.extend(registries(folder)),
        None if Path::new(FOLDER).exists() => findings.extend(registries(Path::new(FOLDER))),
        None => {
            let message = format!("no folder {FOLDER} here; name yours: promptdeck doctor FOLDER");
            findings.push(Finding::new(true, "registries", message));
        }
    }
    findings.push(display());
    match args.format {
        Format::Json => out.json(&findings)?,
        Format::Text => {
            for Finding { ok, what, message } in &findings {
                let verdict = if *ok { "ok" } else { "PROBLEM" };
                out.row(format_args!("{verdict:7}  {what:12}  {message}"))?;
            }
        }
    }
    let good = findings.iter().all(|finding| finding.ok);
    Ok(if good {
        ExitStatus::Done
    } else {
        ExitStatus::Problems
    })
}

fn store(recover: bool) -> Vec<Finding> {
    let named = |message: String, ok| Finding::new(ok, "store", message);
    let Some(path) = default_path() else {
        return vec![named(
            format!("there is no home folder; set {STORE_VARIABLE}"),
            false,
        )];
    };
    if named_path().is_some()
        && !Store::exists(&path)
        && let Err(failure) = snapshot::has_folder(&path)
    {
        return vec![named(failure.to_string(), false)];
    }
    on_waiting(output::warning);
    let refusal = Store::refusal(&path);
    if let (Some(refusal), false) = (&refusal, path.exists()) {
        return vec![named(refusal.to_string(), false)];
    }
    let opened = match Store::open_to_read(&path) {
        Ok(opened) => opened,
        Err(error) => return vec![named(error.to_string(), false)],
    };
    let way_out = "open the studio or run `promptdeck doctor --recover` to recover what is intact; \
                   the damaged file is kept";
    if recover && is_damaged(&opened) {
        drop(opened);
        return vec![recover_store(&path)];
    }
    let mut findings = vec![if let Some(salvage) = &opened.salvage {
        named(salvage.to_string(), false)
    } else if path.exists() {
        match opened.store.problems() {
            Ok(problems) if problems.is_empty() => {
                let size = fs::metadata(&path).map_or(0, |data| data.len());
                let message = format!("{}: sound, {} kB", path.display(), size.div_ceil(1000));
                named(message, true)
            }
            Ok(problems) => {
                let message = format!(
                    "{} is damaged: {}; {way_out}",
                    path.display(),
                    problems.join("; ")
                );
                named(message, false)
            }
            Err(error) => named(error.to_string(), false),
        }
    } else {
        let way_out = match named_path() {
            Some(_) => format!("; check the name in {STORE_VARIABLE} if it should be there"),
            None => String::new(),
        };
        let message = format!(
            "{}: not there yet; it is created when it is needed{way_out}",
            path.display()
        );
        named(message, true)
    }];
    findings.extend(refusal.map(|fault| Finding::new(false, "writing", fault.to_string())));
    findings
}

fn is_damaged(opened: &OpenedStore) -> bool {
    opened.salvage.is_some() || !opened.store.is_sound().unwrap_or(true)
}

/// Recovers a damaged store. The damage remains a problem, since data may be lost.
fn recover_store(path: &Path) -> Finding {
    let message = match Store::open_damaged(path) {
        Ok(OpenedStore {
            salvage: Some(salvage),
            ..
        }) => salvage.to_string(),
        Ok(_) => format!(
            "{} was damaged; another program recovered it meanwhile",
            path.display()
        ),
        Err(error) => error.to_string(),
    };
    Finding::new(false, "store", message)
}

fn registries(folder: &Path) -> Vec<Finding> {
    if let Err(error) = fs::read_dir(folder) {
        let message = format!("cannot read the folder {}: {error}", folder.display());
        return vec![Finding::new(false, "registries", message)];
    }
    let Listing { files, unread, .. } = registry_files::of(&[folder.to_owned()]);
    let mut broken: Vec<Failure> = unread.into_iter().map(|unread| unread.failure).collect();
    let mut readable = 0;
    for file in files {
        let name = input::name_of(&file.path);
        let content = input::read(&file.path).map(|bytes| file.content(&bytes));
        broken.push(match content {
            Ok(Content::Registry(..)) => {
                readable += 1;
                continue;
            }
            Ok(Content::Other(content @ OtherContent::Misspelled { .. })) => {
                Failure::not_a_registry(&name, &content)
            }
            Ok(Content::Other(_)) => continue,
            Ok(Content::NoSection(_, kind)) => Failure::no_section(&name, kind),
            Ok(Content::Faulty(error)) => Failure::registry(&name, &error),
            Err(failure) => failure,
        });
    }
    if broken.is_empty() && readable == 0 {
        let message = format!("{}: no registry in it", folder.display());
        return vec![Finding::new(false, "registries", message)];
    }
    if broken.is_empty() {
        let message = format!(
            "{}: {}, all readable",
            folder.display(),
            plural(readable, "registry")
        );
        return vec![Finding::new(true, "registries", message)];
    }
    let broken = broken.into_iter();
    broken
        .map(|failure| Finding::new(false, "registry", failure.to_string()))
        .collect()
}

/// A missing display is not a problem: the command line needs none.
fn display() -> Finding {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let message = if !cfg!(target_os = "linux") || set("DISPLAY") || set("WAYLAND_DISPLAY") {
        "there is one; the studio can open"
    } else {
        "none (DISPLAY and WAYLAND_DISPLAY are empty); the studio cannot open here"
    };
    Finding::new(true, "display", message)
}
