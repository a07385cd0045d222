//! The page's types, from which the TypeScript types are generated.
//!
//! They are plain data. This module does not evaluate, store or edit.

mod call;
mod chat;
mod compare;
mod connection;
mod diagnostic_data;
mod document;
mod edit;
mod event;
mod failure;
mod import;
mod preview;
mod request;
mod run;
mod snapshot;
mod variants;
mod workspace;

pub use call::{CallChange, CallEntry, CallSaved, CallStatus, OpenCall, Violation};
pub use chat::{
    ChatAbility, ChatBlock, ChatBlockKind, ChatBreak, ChatCapability, ChatChange, ChatFamily,
    ChatForm, ChatInspection, ChatMessage, ChatModel, ChatOpening, ChatPiece, ChatPlace,
    ChatPolyfill, ChatProblem, ChatRemark, ChatReport, ChatSetup, ChatSlot, ChatStability,
    ChatTemplate, ChatTrial, ChatVariable, PromptRole,
};
pub use compare::{Comparison, Granularity, Part, PartKind, Setting, Side, SideText};
pub use connection::{ConnectionEntry, Connections, ServerKindEntry};
pub use diagnostic_data::DiagnosticData;
pub use document::{
    Change, Choice, Conflict, ConflictRow, DraftNote, EditGroup, Label, LockFailure, ModelJson,
    OpenDocument, SaveReport, Slot, Status,
};
pub use edit::{Edit, Path, Step};
pub use event::{Counts, DiagnosticNote, Event, Lint, Severity};
pub use failure::Failure;
pub use import::{ImportDialect, ImportFate, ImportLine, Imported};
pub use preview::{
    ArrayEvaluation, KeptEntries, Origin, Patch, PickedItem, PreviewPatch, SectionEvaluation,
    Segment, SliderEvaluation, Source, TokenReport, TokenStatus, UndeclaredName, UnprintedReason,
    UnprintedText, ValueLabel,
};
pub use request::{
    Block, CacheNote, CacheStatus, ChangedSpan, LayerItem, PlanNote, RequestOrder, RequestTarget,
    RequestView, StageNote, VolatileCause, VolatileNote,
};
pub use run::{
    RunAttempt, RunCall, RunChannel, RunDetail, RunExtracted, RunHistory, RunOrder, RunRetry,
    RunStarted, RunStatus, RunStep, RunSummary,
};
pub use snapshot::{SnapshotKind, SnapshotPage, SnapshotQuery, SnapshotSummary};
pub use variants::{Variant, VariantCount, VariantFactor, VariantPick, Verdict};
pub use workspace::{
    Columns, First, LockedSlot, RegistryEntry, Settings, StartupState, StoreHealth, StoreStatus,
    Theme, View, Workspace,
};
