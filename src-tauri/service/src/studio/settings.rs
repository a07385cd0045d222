//! Settings of the window, and of the view of each registry.

use crate::ServiceError;
use crate::studio::Studio;
use crate::wire::{Settings, View};

impl Studio {
    /// Keeps the window's settings.
    pub fn save_settings(&self, settings: &Settings) -> Result<(), ServiceError> {
        self.inner.store_handle.save_settings(settings)
    }

    /// How a registry is looked at.
    pub fn view(&self, file: &str) -> Result<View, ServiceError> {
        Ok(self.inner.store_handle.view(&self.key(file)?))
    }

    /// Keeps how a registry is looked at. The seed's lock has a call of its own.
    pub fn save_view(&self, file: &str, view: &View) -> Result<(), ServiceError> {
        let key = self.key(file)?;
        let mut view = view.clone();
        view.seed_locked = self.inner.store_handle.view(&key).seed_locked;
        self.inner.store_handle.save_view(&key, &view)
    }
}
