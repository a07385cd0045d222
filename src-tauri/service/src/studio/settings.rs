//! Settings of the window and view settings of each registry.

use crate::ServiceError;
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
        Ok(self.inner.store_handle.view(&self.key(file)?))
    }

    /// Stores the view settings of a registry, except the seed's lock, which has its own method.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn save_view(&self, file: &str, view: &View) -> Result<(), ServiceError> {
        let key = self.key(file)?;
        let mut view = view.clone();
        view.seed_locked = self.inner.store_handle.view(&key).seed_locked;
        self.inner.store_handle.save_view(&key, &view)
    }
}
