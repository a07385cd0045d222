//! The page's types, from which the TypeScript types are generated.
//!
//! They are plain data. This module does not evaluate, store or edit.

mod call;
mod chat;
mod checks;
mod compare;
mod connection;
mod diagnostic_data;
mod document;
mod edit;
mod event;
mod failure;
mod files;
mod impact;
mod import;
mod new_registry;
mod population;
mod preview;
mod prompt_edit;
mod request;
mod run;
mod snapshot;
mod talk;
mod variants;
mod workspace;

pub use call::{
    CallChange, CallEntry, CallSaved, CallStatus, MessagePart, OpenCall, PastedMessages, Violation,
};
pub use chat::{
    CapabilityState, ChatBlock, ChatBlockKind, ChatBreak, ChatCapability, ChatChange,
    ChatConversation, ChatFamily, ChatForm, ChatInspection, ChatMessage, ChatModel, ChatOpening,
    ChatPiece, ChatPlace, ChatPolyfill, ChatProblem, ChatRemark, ChatReport, ChatSetup, ChatSlot,
    ChatStability, ChatTemplate, ChatTrial, ChatVariable, PromptRole,
};
pub use checks::{
    CheckAdded, CheckFailure, CheckFault, CheckOutcome, CheckVerdict, ChecksChange, ChecksReport,
    ChecksSaved, ChecksStatus, GoldenChange, NewCheck, OpenChecks,
};
pub use compare::{Comparison, Granularity, Part, PartKind, Setting, Side, SideText};
pub use connection::{ConnectionEntry, Connections, ServerKindEntry};
pub use diagnostic_data::DiagnosticData;
pub use document::{
    Change, Choice, Conflict, ConflictRow, DiskState, DraftNote, EditGroup, Exported, Label,
    LockFailure, ModelJson, OpenDocument, PromptFile, PromptFileFormat, PromptFileSource,
    SaveReport, Slot, Status,
};
pub use edit::{Edit, Path, Step};
pub use event::{Counts, DiagnosticNote, Event, Lint, Severity};
pub use failure::{Excerpt, Failure};
pub use files::{
    DamagedDraft, DamagedSaved, DamagedText, Deleted, FolderEntry, Moved, NamePurpose, Places,
    RecentFile, RegistrySize, SectionSize,
};
pub use impact::{
    BudgetCrossing, EditImpact, Impact, ImpactChange, ImpactField, ImpactParams, ImpactPlace,
    ImpactSection, ImpactVersion, LengthChange, SnapshotChange, SnapshotImpact,
};
pub use import::{ImportEntry, ImportFormat, ImportStatus};
pub use new_registry::{
    Conversion, IneffectivePoint, NewRegistry, NewRegistryOptions, NoEffect, PartLines,
    PartOpening, PrintedText, PromptPart, PromptSplit, SourceChange, SourceSection, SourceType,
    SourceView, SplitAt, SplitEdit, SplitPoint, Starter, StarterSection, WildcardsView,
};
pub use population::{
    AbsenceReason, CoverageAbsence, CoverageKind, CoverageRow, CoverageSection, DistinctCount,
    ImpossiblePair, OverBudget, PrefixLevel, PrefixPoint, PrefixSection, Profile, ProfileBar,
    ProfileConflict, ProfileLengths, ProfilePair, ProfileParams, ProfileProgress, ProfileSlot,
    RollFilter, RollList, RowKey, StablePrefix,
};
pub use preview::{
    ArrayEvaluation, EntrySplit, InsertionEffect, Origin, Patch, PickedItem, PreviewPatch,
    SectionEvaluation, Segment, SelectedEntries, SliderEvaluation, Source, TokenReport,
    TokenStatus, UnchangedRun, UndeclaredName, UnprintedReason, UnprintedText, ValueLabel,
};
pub use prompt_edit::{
    Alternative, AlternativeKind, Alternatives, Passage, PromptEdit, PromptEditRequest,
};
pub use request::{
    Block, CacheNote, CacheStatus, ChangedSpan, LayerItem, PlanNote, RequestParams, RequestTarget,
    RequestView, StageNote, VolatileCause, VolatileNote,
};
pub use run::{
    RunAttempt, RunCall, RunChannel, RunDetail, RunExtracted, RunHistory, RunParams, RunRetry,
    RunStarted, RunStatus, RunStep, RunSummary,
};
pub use snapshot::{
    SettingPlace, SnapshotChanges, SnapshotKind, SnapshotPage, SnapshotQuery, SnapshotSummary,
};
pub use talk::{
    CallMessage, SchemaStatus, SchemaVerdict, Talk, TalkCall, TalkMessage, TalkParams, TalkStarted,
    TalkTurn, TalkView, ToolVerdict, TurnState,
};
pub use variants::{
    SampleMode, SampleParams, SampledRoll, SampledRolls, Variant, VariantCount, VariantFactor,
    VariantPick, Verdict,
};
pub use workspace::{
    Columns, First, LockedSlot, RegistryEntry, Settings, StartupState, StoreHealth, StoreStatus,
    Theme, View, Workspace,
};
