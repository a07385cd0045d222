//! Why something could not be done, with a stable code, and the form the page gets it in.

use promptdeck_core::hydrate::HydrateError;
use promptdeck_core::registry::ParseError;
use promptdeck_core::run::RunError;
use promptdeck_provider::{fault::Fault, keyring::KeyError};
use promptdeck_store::StoreError;

use crate::edit::BadEdit;
use crate::tree::BadPart;
use crate::wire::Failure;

/// A refusal or fault of the service.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServiceError {
    /// A registry file that can't be read.
    #[error("{file}: {fault}")]
    Parse {
        /// The file.
        file: String,
        /// What and where.
        fault: ParseError,
    },
    /// An edit would make the registry invalid.
    #[error("invalid edit: {0}")]
    Refused(ParseError),
    /// An edit does not fit the tree.
    #[error(transparent)]
    BadEdit(#[from] BadEdit),
    /// A part of the tree is not what it has to be.
    #[error(transparent)]
    BadPart(#[from] BadPart),
    /// Edits for another revision.
    #[error("the edits are for revision {given}, the document is at {current}; open it again")]
    StaleRevision {
        /// The revision the edits were made on.
        given: u32,
        /// The revision of the document.
        current: u32,
    },
    /// The call can't be hydrated.
    #[error(transparent)]
    Hydrate(#[from] HydrateError),
    /// The document is not open.
    #[error("{0} is not open; open it first")]
    NotOpen(String),
    /// A name that leads out of the folder, or is no registry file's.
    #[error("{0:?} is not a registry of this folder; name a .json file in it")]
    BadFile(String),
    /// The seed is locked.
    #[error("the seed is locked; unlock it to roll")]
    SeedLocked,
    /// There is nothing to undo, to redo, or to go back to.
    #[error("there is nothing to {0}")]
    Nothing(&'static str),
    /// The document is not in conflict with its file.
    #[error("{0} is not in conflict with its file any more")]
    NoConflict(String),
    /// The conflict must be resolved first.
    #[error("{0} changed on disk; choose what to keep before saving")]
    Conflict(String),
    /// The operating system gave no random numbers.
    #[error("the operating system provides no random numbers: {0}")]
    Random(String),
    /// An output policy that can't be read.
    #[error("the output policy is not valid: {0}")]
    Policy(String),
    /// The store can't be used.
    #[error("the store can't be used: {0}")]
    NoStore(String),
    /// JSON of ours that can't be read back.
    #[error("stored data is corrupt; promptdeck doctor checks the store")]
    Json(#[from] serde_json::Error),
    /// A thread could not be started.
    #[error("could not start a thread: {0}; close some programs")]
    Thread(std::io::Error),
    /// A newer call of the same command took its place.
    #[error("superseded by a newer request")]
    Superseded,
    /// Too many calls of a command wait.
    #[error("too many pending calls of {0}; try again later")]
    Busy(String),
    /// The work of a command panicked.
    #[error("{0} failed inside Promptdeck; please report it with what you did")]
    Panicked(String),
    /// The store or a file refused.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A model provider can't be opened or reached.
    #[error(transparent)]
    Provider(#[from] Fault),
    /// A key can't be kept or read.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// There is no such connection, or it makes no sense.
    #[error("{0}")]
    Connection(String),
    /// The call can't be run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A chat template that does not compile.
    #[error("invalid chat template: {why}")]
    Template {
        /// The stable code.
        code: &'static str,
        /// What and where.
        why: String,
    },
    /// A conversation that can't be written down.
    #[error("the conversation cannot be rendered: {0}")]
    Chat(String),
}

impl ServiceError {
    /// Stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Parse { fault, .. } | Self::Refused(fault) => fault.code(),
            Self::BadEdit(fault) => fault.code(),
            Self::BadPart(_) => "bad_part",
            Self::StaleRevision { .. } => "stale_revision",
            Self::Hydrate(fault) => fault.code(),
            Self::NotOpen(_) => "not_open",
            Self::BadFile(_) => "bad_file",
            Self::SeedLocked => "seed_locked",
            Self::Nothing(_) => "nothing_to_do",
            Self::NoConflict(_) => "no_conflict",
            Self::Conflict(_) => "conflict",
            Self::Random(_) => "no_randomness",
            Self::Policy(_) => "bad_policy",
            Self::NoStore(_) => "store_unavailable",
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
            Self::Chat(_) => "chat_not_written",
        }
    }
}

impl From<&ServiceError> for Failure {
    fn from(fault: &ServiceError) -> Self {
        let mut failure = Self::new(fault.code(), fault.to_string());
        if let ServiceError::Parse { fault, .. } | ServiceError::Refused(fault) = fault {
            failure.pointer = Some(fault.pointer.clone());
            failure.line = fault.line();
            failure.column = fault.column();
        }
        if let ServiceError::Parse { file, .. } = fault {
            failure.file = Some(file.clone());
        }
        failure
    }
}

impl From<ServiceError> for Failure {
    fn from(fault: ServiceError) -> Self {
        Self::from(&fault)
    }
}
