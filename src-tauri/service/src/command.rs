//! The commands of the window and their workloads, by which the executor schedules them.

/// How a command uses its thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Workload {
    /// Waits for the disk, the store, the network, the keyring or a lock.
    Waits,
    /// It computes.
    Computes,
    /// Computes a result that a newer call of the same command makes useless; the newer call
    /// cancels it.
    Latest,
    /// The same for a result that follows edits: with low priority.
    Follows,
}

macro_rules! commands {
    ($($workload:ident: $($name:ident),+;)+) => {
        /// A command of the window. The page uses the names in `snake_case`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Command {
            $($(#[doc = concat!("The command `", stringify!($name), "`.")] $name,)+)+
        }

        impl Command {
            /// All commands.
            pub const ALL: &[Self] = &[$($(Self::$name,)+)+];

            /// Workload of the command.
            #[must_use]
            pub fn workload(self) -> Workload {
                match self {
                    $($(Self::$name)|+ => Workload::$workload,)+
                }
            }
        }
    };
}

commands! {
    // Documents: changes under the document's lock, files, drafts.
    Waits: Applied, Apply, Close, EditPrompt, Lock, LockSeed, Open, Redo, RenameVariable, Resolve, Revert, Roll,
        Save, Undo, UseLastSeed, UseSeed;
    Computes: Alternatives, EntrySplits, LookUps, ModelJson, PromptFile, SectionIndex;
    Latest: ProfileRolls, TryInsertion, TryPolicy;
    Follows: EditImpact, MeasureImpact, MeasureProfile, RollVariants, SampleRolls, VariantCount;
    Waits: ImpactProgress, ProfileProgress, StopImpact, StopProfile, UseSampled;
    // The folder and the settings.
    Computes: ChangeSource, ChooseWildcards, NewRegistryOptions, ReadSource;
    Waits: CheckName, ChooseFolder, DeleteFolder, DeleteRegistry, DiscardFolder, DuplicateFolder, DuplicateRegistry,
        ForgetFolder, ForgetSource, KeepDamaged, MoveRegistry, NewFolder, NewRegistry, OpenDamaged,
        OpenFolder, Places, RenameFolder, RenameRegistry, RestoreRegistry, Reveal, SaveDamaged,
        SaveSettings, SaveView, Start, Started, View, Workspace;
    Follows: RegistrySizes;
    // Snapshots.
    Waits: DeleteSnapshot, DescribeSnapshot, DuplicateSnapshot, PinSnapshot, Snapshots,
        SwitchSnapshot, TakeSnapshot, UndeleteSnapshot;
    Computes: Compare, CompareRoll;
    Follows: SnapshotImpact;
    // Exports. No thread waits for an open dialog.
    Waits: Copy, ExportFile, ExportPromptFile, ExportSnapshot;
    // The Chat tab.
    Waits: Chat, ChooseChatModel, SaveChat;
    Computes: CopiedChat, RenderChat;
    Latest: CompareChat, InspectChat;
    // Call documents and requests.
    Waits: ApplyCall, Calls, NewCall, OpenCall, RedoCall, ResolveCall, SaveCall, UndoCall, UseCall;
    Computes: ReadMessages, Request;
    // Checks.
    Waits: ApplyChecks, KeepCheck, OpenCheckRoll, OpenChecks, RedoChecks, ResolveChecks, SaveChecks,
        UndoChecks;
    Follows: RunChecks;
    // Runs and connections.
    Waits: Connections, ForgetConnection, ForgetRun, KeepConnection, Models, ReopenRun, Run, Runs,
        SetKey, StartRuns, StopRuns, TryConnection, UseModel;
    // Conversations.
    Waits: KeepCall, SendTurns, Talk;
    Computes: CompareTurns, TalkRequest;
}

impl Command {
    /// Name that the page uses.
    #[must_use]
    pub fn name(self) -> String {
        let mut name = String::new();
        for letter in format!("{self:?}").chars() {
            if letter.is_ascii_uppercase() && !name.is_empty() {
                name.push('_');
            }
            name.push(letter.to_ascii_lowercase());
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_page() {
        assert_eq!(Command::Save.name(), "save");
        assert_eq!(Command::UseLastSeed.name(), "use_last_seed");
    }

    #[test]
    fn each_command_has_a_unique_number() {
        for (index, command) in Command::ALL.iter().enumerate() {
            assert_eq!(*command as usize, index, "{command:?}");
        }
    }
}
