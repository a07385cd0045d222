//! The panel of files: folders that were open, details of registries, what a change of a file did.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::Failure;

/// A folder that is open or was open before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FolderEntry {
    /// Path, by which it is opened.
    pub path: String,
    /// Last step of the path.
    pub name: String,
    /// Number of registries when it was last listed.
    pub registries: u32,
    /// Whether it exists now.
    pub found: bool,
    /// Whether it is the open folder.
    pub current: bool,
}

/// A registry that was opened before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RecentFile {
    /// Path of its folder.
    pub folder: String,
    /// File name, relative to the folder.
    pub file: String,
    /// Its title when its folder was last listed.
    pub title: String,
    /// Whether the file exists now.
    pub found: bool,
    /// Whether it, its checks or its call documents have unsaved edits.
    pub modified: bool,
}

/// Where the author has worked, latest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Places {
    /// The folders, the open one first.
    pub folders: Vec<FolderEntry>,
    /// The registries.
    pub recent: Vec<RecentFile>,
}

/// Tokens of one section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SectionSize {
    /// Section.
    pub section: String,
    /// Number of tokens.
    pub tokens: u32,
}

/// Tokens of the prompt that a registry gives without any choice of the author.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RegistrySize {
    /// File name, relative to the folder.
    pub file: String,
    /// Number of tokens of the prompt.
    pub tokens: u32,
    /// Whether the count is exact.
    pub exact: bool,
    /// The sections in the order of the prompt.
    pub sections: Vec<SectionSize>,
}

/// A registry under another name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Moved {
    /// Its file name now, relative to the folder.
    pub file: String,
    /// What did not follow, each with its reason: a call document that still names the old file, or
    /// a title that could not be saved.
    pub behind: Vec<String>,
}

/// What a typed name is for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum NamePurpose {
    /// A registry to be created.
    NewRegistry {
        /// The sub-folder, empty for the folder itself.
        folder: String,
    },
    /// The other title of a registry.
    Registry {
        /// File name, relative to the folder.
        file: String,
    },
    /// A sub-folder to be created.
    NewFolder,
    /// The other name of a sub-folder.
    Folder {
        /// Its name now, relative to the folder.
        folder: String,
    },
    /// A call document to be created.
    NewCall {
        /// Its registry.
        registry: String,
    },
}

/// A registry in the trash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Deleted {
    /// Identifies the deletion that can be undone.
    pub id: u32,
    /// The file name it had.
    pub file: String,
}

/// The text of a registry that cannot be opened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct DamagedText {
    /// The text of the file; empty if the file is gone.
    pub text: String,
    /// Identifies what the file holds; empty if the file is gone.
    pub version: String,
    /// Why the file cannot be opened; absent if it can be by now.
    pub problem: Option<Failure>,
    /// What the author wrote and did not save.
    pub draft: Option<DamagedDraft>,
}

/// A text of a damaged registry that is not in its file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DamagedDraft {
    /// The text.
    pub text: String,
    /// The version of the file that it was written from.
    pub version: String,
}

/// Result of saving the text of a damaged registry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct DamagedSaved {
    /// Identifies what the file holds now.
    pub version: String,
    /// Why the file still cannot be opened; absent if it can be.
    pub problem: Option<Failure>,
    /// Name of the copy of what another program had written.
    pub kept: Option<String>,
}
