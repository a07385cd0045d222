//! Errors of the service, with stable codes and their form for the page.

use promptdeck_core::hydrate::HydrateError;
use promptdeck_core::registry::ParseError;
use promptdeck_core::run::RunError;
use promptdeck_provider::{fault::Fault, keyring::KeyError};
use promptdeck_store::StoreError;

use crate::edit::BadEdit;
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
    /// The document is not open.
    #[error("{0} is not open; open it first")]
    NotOpen(String),
    /// A name that leads outside the folder or is not a registry file.
    #[error("{0:?} is not a registry of this folder; name a .json file in it")]
    BadFile(String),
    /// The seed is locked.
    #[error("the seed is locked; unlock it to roll")]
    SeedLocked,
    /// There is nothing to undo, redo or restore.
    #[error("there is nothing to {0}")]
    Nothing(&'static str),
    /// The document has no conflict with its file.
    #[error("{0} is not in conflict with its file any more")]
    NoConflict(String),
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
    #[error("the store can't be used: {0}")]
    NoStore(String),
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
    /// A command panicked.
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
    /// A conversation cannot be rendered.
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
