//! Compares versions of an open document and of its snapshots.

use promptdeck_core::registry::Registry;
use promptdeck_model::tokenizer::TokenCounter as _;
use serde_json::{Map, Value};

use super::tree;
use super::versions::{self, Version};
use crate::open_documents::{FileDocument as _, lock};
use crate::snapshots::{self, Contents};
use crate::studio::Studio;
use crate::wire::{Comparison, Granularity, Side};
use crate::{ServiceError, file_version};

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
            Side::Now | Side::Route { .. } | Side::Saved | Side::File { .. } => {
                self.rolled_version(document, side)
            }
            Side::Snapshot { id } => {
                let contents =
                    snapshots::contents(&*self.inner.store_handle.store()?, (*id).into())?;
                version(contents.summary.name.clone(), contents)
            }
        };
        let edited = tree::differing_keys(
            &self.registry_of(document, left)?,
            &self.registry_of(document, right)?,
        );
        let (left, right) = (side(left)?, side(right)?);
        let mut comparison = versions::compare(&left, &right, granularity);
        comparison.edited = edited;
        let tokens = |version: &Version| {
            let count = self.inner.counter().count(&version.text()).tokens;
            u32::try_from(count).ok()
        };
        comparison.left.tokens = tokens(&left);
        comparison.right.tokens = tokens(&right);
        Ok(comparison)
    }

    /// The registry of a version as it is written.
    fn registry_of(&self, document: &str, side: &Side) -> Result<Map<String, Value>, ServiceError> {
        Ok(match side {
            Side::Now | Side::Route { .. } => {
                let session = self.inner.session(document)?;
                let session = lock(&session);
                session.copy().content().clone()
            }
            Side::Saved => {
                let session = self.inner.session(document)?;
                let session = lock(&session);
                session.copy().disk().content.clone()
            }
            Side::File { document } => {
                let bytes = file_version::bytes(&self.inner.folder.file(document)?)?;
                file_version::parse(document, &bytes)?.document.registry
            }
            Side::Snapshot { id } => {
                snapshots::contents(&*self.inner.store_handle.store()?, (*id).into())?.registry
            }
        })
    }
}
