//! What becomes of a name while it is typed: the file or the sub-folder that it would make, or why it
//! is refused.

use std::path::Path;

use crate::ServiceError;
use crate::calls::folder as call_folder;
use crate::studio::Studio;
use crate::wire::NamePurpose;
use crate::workspace::{check_folder_name, join, parts, titled_file_name};

impl Studio {
    /// The name of the file or sub-folder that a typed name makes, without the folder it is in.
    ///
    /// # Errors
    /// If the action that the name is for would refuse it.
    pub fn check_name(&self, purpose: &NamePurpose, typed: &str) -> Result<String, ServiceError> {
        let folder = &self.inner.folder;
        let made = match purpose {
            NamePurpose::NewRegistry { folder: within } => {
                let is_free = |path: &Path| !self.is_kept(path);
                folder.new_file(within.trim(), typed, &is_free)?.0
            }
            NamePurpose::Registry { file } => {
                let to = join(parts(file).0, &titled_file_name(typed)?);
                self.check_new_name(file, &to)?;
                to
            }
            NamePurpose::NewFolder => {
                let name = check_folder_name(typed)?;
                if folder.sub_folder(name)?.symlink_metadata().is_ok() {
                    return Err(ServiceError::NameTaken(name.to_owned()));
                }
                name.to_owned()
            }
            NamePurpose::Folder { folder } => self.renamed_folder(folder, typed)?,
            NamePurpose::NewCall { registry } => call_folder::named(folder, registry, typed)?,
        };
        Ok(parts(&made).1.to_owned())
    }
}
