//! The types that cross to the page, defined once: TypeScript is generated from them.
//!
//! They hold plain data. Nothing here evaluates, stores or edits.

mod call;
mod chat;
mod compare;
mod connection;
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
pub use document::{
    Applied, Change, Choice, Conflict, ConflictRow, DraftNote, Label, ModelJson, OpenDocument,
    SaveReport, Slot, Status, Unlocked,
};
pub use edit::{Edit, Path, Step};
pub use event::{Counts, DiagnosticNote, Event, Lint, Severity};
pub use failure::Failure;
pub use import::{ImportDialect, ImportFate, ImportLine, Imported};
pub use preview::{
    ArrayEvaluation, KeptEntries, Origin, Patch, PickedItem, PreviewPatch, SectionEvaluation,
    Segment, SliderEvaluation, Source, TokenReport, TokenStatus, UndeclaredName, ValueLabel,
};
pub use request::{
    Block, CacheNote, ChangedSpan, Held, Keep, PlanNote, RequestOrder, RequestShown, RequestTarget,
    StageNote, VolatileCause, VolatileNote,
};
pub use run::{
    RunAttempt, RunBegun, RunCall, RunChannel, RunDetail, RunExtracted, RunHistory, RunOrder,
    RunRetry, RunStatus, RunStep, RunSummary,
};
pub use snapshot::{SnapshotKind, SnapshotPage, SnapshotQuery, SnapshotSummary};
pub use variants::{Variant, VariantCount, VariantFactor, VariantPick, Verdict};
pub use workspace::{
    Beginning, Columns, First, LockedSlot, RegistryEntry, Settings, StoreHealth, StoreStatus,
    Theme, View, Workspace,
};
