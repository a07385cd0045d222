//! Settings of the window and view settings of each registry.

use std::mem;

use crate::ServiceError;
use crate::calls::folder;
use crate::studio::Studio;
use crate::wire::{Settings, View};

impl Studio {
    /// Stores the window's settings. Edits made before autosave was turned on are saved then too.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn save_settings(&self, settings: &Settings) -> Result<(), ServiceError> {
        self.inner.store_handle.save_settings(settings)?;
        self.autosave_all_later();
        Ok(())
    }

    /// The view settings of a registry.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn view(&self, file: &str) -> Result<View, ServiceError> {
        let mut view = self.inner.store_handle.view(&self.key(file)?);
        rename_calls(&mut view, |call| {
            folder::from_stored(&self.inner.folder, file, call)
        });
        Ok(view)
    }

    /// Stores the view settings of a registry, except the seed's lock, which has its own method.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn save_view(&self, file: &str, view: &View) -> Result<(), ServiceError> {
        let key = self.key(file)?;
        let mut view = view.clone();
        view.seed_locked = self.inner.store_handle.view(&key).seed_locked;
        rename_calls(&mut view, |call| {
            folder::stored_name(&self.inner.folder, file, call)
        });
        self.inner.store_handle.save_view(&key, &view)
    }
}

/// Renames the call documents of a view. An empty name, which stands for no call, stays.
fn rename_calls(view: &mut View, new_name: impl Fn(&str) -> String) {
    let rename = |call: String| match call.is_empty() {
        true => call,
        false => new_name(&call),
    };
    view.call = view.call.take().map(rename);
    let branches = mem::take(&mut view.branches).into_iter();
    view.branches = branches.map(|(call, leaf)| (rename(call), leaf)).collect();
}
