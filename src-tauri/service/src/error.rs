//! Errors of the service, with stable codes and their form for the page.

use promptdeck_core::control_chars::{escape, escape_lines};
use promptdeck_core::hydrate::HydrateError;
use promptdeck_core::hydrate::variants::SampleError;
use promptdeck_core::prompt_edit::Refusal;
use promptdeck_core::registry::ParseError;
use promptdeck_core::run::RunError;
use promptdeck_provider::{fault::Fault, keyring::KeyError};
use promptdeck_request::build::BuildError;
use promptdeck_store::StoreError;

use crate::edit::BadEdit;
use crate::saturating::saturating_u32;
use crate::tree::BadPart;
use crate::wire::Failure;

/// An error of the service.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServiceError {
    /// A registry file cannot be parsed.
    #[error("{file}: {fault}")]
    Parse {
        /// Name of the file.
        file: String,
        /// The parse error.
        fault: ParseError,
    },
    /// An edit would make the registry invalid.
    #[error("invalid edit: {0}")]
    Refused(ParseError),
    /// An edit does not fit the tree.
    #[error(transparent)]
    BadEdit(#[from] BadEdit),
    /// A part of the tree has the wrong type.
    #[error(transparent)]
    BadPart(#[from] BadPart),
    /// An edit in the prompt is refused.
    #[error(transparent)]
    PromptEdit(#[from] Refusal),
    /// The prompt is rendered with Jinja.
    #[error("this prompt is rendered with arguments; edit its texts on their cards")]
    RenderedPrompt,
    /// The edits are for another revision.
    #[error("the edits are for revision {given}, the document is at {current}; open it again")]
    StaleRevision {
        /// The revision that the edits are based on.
        given: u32,
        /// The current revision of the document.
        current: u32,
    },
    /// The call cannot be hydrated.
    #[error(transparent)]
    Hydrate(#[from] HydrateError),
    /// A version cannot be hydrated in the call of the open document.
    #[error("{name}: {fault}")]
    Version {
        /// Name of the version.
        name: String,
        /// Why.
        fault: HydrateError,
    },
    /// The call cannot be sampled in this mode.
    #[error(transparent)]
    Sample(#[from] SampleError),
    /// No selection prints a roll of a sample.
    #[error("no selection prints this roll; give its items an id, or copy its text")]
    NoSampledState,
    /// The document is not open.
    #[error("{0} is not open; open it first")]
    NotOpen(String),
    /// A name that leads outside the folder or is not that of a JSON file.
    #[error("\"{0}\" is not the name of a file of this folder; name a .json file in it")]
    BadFile(String),
    /// More sections than the window can draw while it answers keys.
    #[error(
        "{file} has {sections} sections, the window shows at most {limit}; split the registry or use the command line"
    )]
    TooManySections {
        /// Name of the file.
        file: String,
        /// Its sections.
        sections: usize,
        /// The most that are shown.
        limit: usize,
    },
    /// The studio was started with JSON of another kind.
    #[error("{0} is not a registry: it has no sections; to convert it, import it with Ctrl+I")]
    OtherKind(String),
    /// A document to import cannot be converted.
    #[error("{}{fault}", prefix(.file))]
    Source {
        /// Name of the file, or empty.
        file: String,
        /// The parse error.
        fault: ParseError,
    },
    /// A document to import is too large.
    #[error("the document has {0} bytes; the limit is 64 MiB: import a part of it")]
    LargeSource(usize),
    /// A folder of wildcards holds too much.
    #[error(
        "the folder holds more than 50,000 files or 64 MiB of wildcards; choose a folder with the wildcards alone"
    )]
    LargeWildcards,
    /// A folder without wildcards.
    #[error(
        "{0} has no wildcards: .txt files with a value on each line, or lists in .yaml or .json; choose their folder"
    )]
    NoWildcards(String),
    /// A folder to duplicate holds too many files.
    #[error("the folder holds more than {0} files; copy it with the file manager")]
    LargeFolder(usize),
    /// The program has no such starter.
    #[error("{0:?} is not a starter; choose one from the list")]
    NoStarter(String),
    /// Another source, or another view of it, took the place of this one.
    #[error("another document replaced this one; check what is shown and try again")]
    OtherSource,
    /// A name that leads outside the folder or is not a sub-folder.
    #[error("{0:?} is not a sub-folder of this folder; choose one from the list")]
    BadFolder(String),
    /// A sub-folder that is not removed, since it holds what others put there.
    #[error(
        "the folder {folder} is not removed: it holds {holds}; move that elsewhere, or delete the folder"
    )]
    FolderInUse {
        /// The folder.
        folder: String,
        /// One of the things in it.
        holds: String,
    },
    /// A title or a name that cannot be given.
    #[error("{} cannot be used: {why}; choose another name", quoted(.name))]
    BadName {
        /// The name.
        name: String,
        /// The rule that it breaks.
        why: &'static str,
    },
    /// Another file has the name.
    #[error("{0} already exists; choose another name")]
    NameTaken(String),
    /// The store has snapshots or unsaved edits of a file that had the name.
    #[error("snapshots or unsaved edits of a deleted {0} are kept under that name; choose another")]
    NameKept(String),
    /// A folder that was not opened before.
    #[error("{0} was not opened before; choose it with Open folder")]
    UnknownFolder(String),
    /// The unsaved edits of a document are not in the store.
    #[error("the unsaved edits of {0} could not be stored; save it first")]
    DraftNotStored(String),
    /// A template variable cannot have the name.
    #[error("the variable cannot be called {name:?}: {why}; choose another name")]
    VariableName {
        /// The name.
        name: String,
        /// Why not.
        why: &'static str,
    },
    /// The seed is locked.
    #[error("the seed is locked; unlock it to roll")]
    SeedLocked,
    /// There is nothing to read, create or restore.
    #[error("there is nothing to {0}")]
    Nothing(&'static str),
    /// A document has no step to undo or redo.
    #[error("there is nothing to {step} in {document}")]
    NoStep {
        /// `undo` or `redo`.
        step: &'static str,
        /// The document: each has a history of its own.
        document: String,
    },
    /// The document has no conflict with its file.
    #[error("{0} is no longer in conflict with its file")]
    NoConflict(String),
    /// What took the place of a document's file cannot be read, so it is not replaced.
    #[error("{0} cannot be read and is not replaced; make it readable or move it away")]
    UnreadableFile(String),
    /// The conflict must be resolved first.
    #[error("{0} changed on disk; choose what to keep before saving")]
    Conflict(String),
    /// The operating system provides no random numbers.
    #[error("the operating system provides no random numbers: {0}")]
    Random(String),
    /// An output policy is invalid.
    #[error("the output policy is not valid: {0}")]
    Policy(String),
    /// The store cannot be used.
    #[error("the store cannot be used: {0}")]
    NoStore(String),
    /// A snapshot cannot be stored.
    #[error("the snapshot {} was not taken: {fault}", quoted(.name))]
    NoSnapshot {
        /// Its name.
        name: String,
        /// Why.
        fault: Box<ServiceError>,
    },
    /// Stored JSON is corrupt.
    #[error("stored data is corrupt; promptdeck doctor checks the store")]
    Json(#[from] serde_json::Error),
    /// A thread could not be started.
    #[error("could not start a thread: {0}; close some programs")]
    Thread(std::io::Error),
    /// A newer call of the same command replaced this one.
    #[error("superseded by a newer request")]
    Superseded,
    /// Too many calls of a command are waiting.
    #[error("too many pending calls of {0}; try again later")]
    Busy(String),
    /// A command, or background work, panicked.
    #[error("{0} failed inside Promptdeck; please report it with what you did")]
    Panicked(String),
    /// An error of the store or of a file.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A model provider cannot be opened or reached.
    #[error(transparent)]
    Provider(#[from] Fault),
    /// A key cannot be stored or read.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// A connection does not exist or is invalid.
    #[error("{0}")]
    Connection(String),
    /// The call cannot be run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A chat template does not compile.
    #[error("invalid chat template: {why}")]
    Template {
        /// Stable code.
        code: &'static str,
        /// Message with the position.
        why: String,
    },
    /// A conversation cannot be continued.
    #[error("{0}")]
    Talk(String),
    /// A request cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A conversation cannot be rendered.
    #[error("the conversation cannot be rendered: {0}")]
    Chat(String),
}

/// A name as it was typed, in quotes that it does not contain.
fn quoted(name: &str) -> String {
    let name = escape(name);
    match name.contains('"') {
        true => format!("“{name}”"),
        false => format!("\"{name}\""),
    }
}

/// The name of a file before what is wrong with it; a pasted text has none.
fn prefix(file: &str) -> String {
    match file {
        "" => String::new(),
        file => format!("{file}: "),
    }
}

impl ServiceError {
    /// Stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Parse { fault, .. } | Self::Source { fault, .. } | Self::Refused(fault) => {
                fault.code()
            }
            Self::LargeSource(_) | Self::LargeFolder(_) | Self::LargeWildcards => "too_large",
            Self::NoWildcards(_) => "no_wildcards",
            Self::BadEdit(fault) => fault.code(),
            Self::BadPart(_) => "bad_part",
            Self::PromptEdit(reason) => reason.code(),
            Self::RenderedPrompt => "prompt_rendered",
            Self::StaleRevision { .. } => "stale_revision",
            Self::Hydrate(fault) | Self::Version { fault, .. } => fault.code(),
            Self::Sample(fault) => fault.code(),
            Self::NoSampledState => "no_sampled_state",
            Self::NotOpen(_) => "not_open",
            Self::BadFile(_) => "bad_file",
            Self::TooManySections { .. } => "too_many_sections",
            Self::OtherKind(_) => "not_a_registry",
            Self::NoStarter(_) => "no_starter",
            Self::OtherSource => "other_source",
            Self::BadFolder(_) => "bad_folder",
            Self::FolderInUse { .. } => "folder_in_use",
            Self::BadName { .. } => "bad_name",
            Self::NameTaken(_) => "name_taken",
            Self::NameKept(_) => "name_kept",
            Self::UnknownFolder(_) => "unknown_folder",
            Self::DraftNotStored(_) => "draft_not_stored",
            Self::VariableName { .. } => "variable_name",
            Self::SeedLocked => "seed_locked",
            Self::Nothing(_) | Self::NoStep { .. } => "nothing_to_do",
            Self::NoConflict(_) => "no_conflict",
            Self::UnreadableFile(_) => "unreadable_file",
            Self::Conflict(_) => "conflict",
            Self::Random(_) => "no_randomness",
            Self::Policy(_) => "bad_policy",
            Self::NoStore(_) => "store_unavailable",
            Self::NoSnapshot { fault, .. } => fault.code(),
            Self::Json(_) => "bad_json",
            Self::Thread(_) => "no_thread",
            Self::Superseded => "superseded",
            Self::Busy(_) => "busy",
            Self::Panicked(_) => "panicked",
            Self::Store(fault) => fault.code(),
            Self::Provider(fault) => fault.code(),
            Self::Key(fault) => fault.code(),
            Self::Connection(_) => "bad_connection",
            Self::Run(fault) => fault.code(),
            Self::Template { code, .. } => code,
            Self::Talk(_) => "talk_refused",
            Self::Build(fault) => fault.code(),
            Self::Chat(_) => "chat_not_written",
        }
    }
}

impl From<&ServiceError> for Failure {
    fn from(fault: &ServiceError) -> Self {
        if let ServiceError::Build(fault) = fault {
            return fault.into();
        }
        let mut failure = Self::new(fault.code(), fault.to_string());
        if let ServiceError::Parse { fault, .. }
        | ServiceError::Source { fault, .. }
        | ServiceError::Refused(fault) = fault
        {
            failure.pointer = Some(fault.pointer.clone());
            failure.line = fault.line();
            failure.column = fault.column();
        }
        if let ServiceError::PromptEdit(reason) = fault {
            failure.pointer = reason.pointer();
        }
        if let ServiceError::Parse { file, fault } = fault {
            failure.file = Some(file.clone());
            failure.reason = Some(escape_lines(&fault.to_string()).into_owned());
        }
        if let ServiceError::BadName { why, .. } = fault {
            failure.reason = Some((*why).to_owned());
        }
        failure
    }
}

impl From<&BuildError> for Failure {
    fn from(fault: &BuildError) -> Self {
        let mut failure = Self::new(fault.code(), fault.to_string());
        if let BuildError::Template(fault) = fault {
            failure.line = fault.line.map(saturating_u32);
            failure.column = fault.column.map(saturating_u32);
        }
        failure
    }
}

impl From<ServiceError> for Failure {
    fn from(fault: ServiceError) -> Self {
        Self::from(&fault)
    }
}
