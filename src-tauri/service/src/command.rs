//! The commands of the window, and how each of them may keep a thread: what the executor has to
//! know before it runs one.

/// How a command uses the thread it runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Workload {
    /// It waits: for the disk, the store, the network, the keyring or another caller's lock.
    Waits,
    /// It computes.
    Computes,
    /// It computes an answer that is of no use once the same question was asked again: the newer
    /// one cancels it.
    Latest,
}

macro_rules! commands {
    ($($workload:ident: $($name:ident),+;)+) => {
        /// A command of the window. `snake_case`, these are the names the page calls them by.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Command {
            $($(#[doc = concat!("The command `", stringify!($name), "`.")] $name,)+)+
        }

        impl Command {
            /// All commands.
            pub const ALL: &[Self] = &[$($(Self::$name,)+)+];

            /// How it uses its thread.
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
    Waits: Applied, Apply, Close, Lock, LockSeed, Open, Redo, Resolve, Revert, Roll, Save, Undo,
        UseLastSeed, UseSeed;
    Computes: LookUps, ModelJson;
    Latest: RollVariants, TryPolicy, VariantCount;
    // The folder, settings.
    Waits: DuplicateRegistry, ImportRegistry, NewRegistry, SaveSettings, SaveView, Start, View,
        Workspace;
    // Snapshots.
    Waits: DeleteSnapshot, DescribeSnapshot, DuplicateSnapshot, PinSnapshot, Snapshots,
        SwitchSnapshot, TakeSnapshot, UndeleteSnapshot;
    Computes: Compare;
    // Exports; while a dialog is open, no thread waits for it.
    Waits: Copy, ExportFile, ExportSnapshot;
    // The Chat tab.
    Waits: Chat, ChooseChatModel, SaveChat;
    Computes: CopiedChat, RenderChat;
    Latest: CompareChat, InspectChat;
    // Call documents and requests.
    Waits: ApplyCall, Calls, NewCall, OpenCall, RedoCall, ResolveCall, SaveCall, UndoCall, UseCall;
    Computes: Request;
    // Runs and connections.
    Waits: Connections, ForgetConnection, ForgetRun, KeepConnection, Models, ReopenRun, Run, Runs,
        SetKey, StartRuns, StopRuns, TryConnection, UseModel;
}

impl Command {
    /// The name the page calls it by.
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
    fn each_command_has_a_number_of_its_own() {
        for (index, command) in Command::ALL.iter().enumerate() {
            assert_eq!(*command as usize, index, "{command:?}");
        }
    }
}
