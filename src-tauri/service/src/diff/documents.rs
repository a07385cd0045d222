//! Compares versions of an open document and of its snapshots.

use promptdeck_core::registry::Registry;
use promptdeck_model::tokenizer::TokenCounter as _;

use super::versions::{self, Version};
use crate::ServiceError;
use crate::snapshots::{self, Contents};
use crate::studio::Studio;
use crate::wire::{Comparison, Granularity, Side};

fn version(name: String, contents: Contents) -> Result<Version, ServiceError> {
    let registry = Registry::from_map(&contents.registry).map_err(ServiceError::Refused)?;
    Ok(Version::new(
        name,
        registry,
        contents.state,
        contents.route,
        contents.seed,
    ))
}

impl Studio {
    /// Compares two versions.
    ///
    /// # Errors
    /// If the document is not open, or a snapshot cannot be read.
    pub fn compare(
        &self,
        document: &str,
        left: &Side,
        right: &Side,
        granularity: Granularity,
    ) -> Result<Comparison, ServiceError> {
        let side = |side: &Side| match side {
            Side::Now | Side::Saved | Side::File { .. } => self.rolled_version(document, side),
            Side::Snapshot { id } => {
                let contents =
                    snapshots::contents(&*self.inner.store_handle.store()?, (*id).into())?;
                version(contents.summary.name.clone(), contents)
            }
        };
        let (left, right) = (side(left)?, side(right)?);
        let mut comparison = versions::compare(&left, &right, granularity);
        let tokens = |version: &Version| {
            let count = self.inner.counter().count(&version.text()).tokens;
            u32::try_from(count).ok()
        };
        comparison.left.tokens = tokens(&left);
        comparison.right.tokens = tokens(&right);
        Ok(comparison)
    }
}
