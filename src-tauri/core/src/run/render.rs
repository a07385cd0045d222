//! The interface to what renders a prompt whose texts are templates. The core has no template
//! engine.

use std::fmt::Debug;

use crate::hydrate::{Hydration, Segment};

/// Renders the prompt of a registry whose texts are templates.
pub trait RenderPrompt: Debug + Send + Sync {
    /// The text that is sent.
    ///
    /// # Errors
    /// Why the prompt is not rendered, in one line.
    fn render(&self, hydration: &Hydration) -> Result<String, String> {
        let segments = self.render_segments(hydration)?;
        Ok(segments.into_iter().map(|segment| segment.text).collect())
    }

    /// The same in pieces that know where they come from.
    ///
    /// # Errors
    /// As for [`Self::render`].
    fn render_segments(&self, hydration: &Hydration) -> Result<Vec<Segment>, String>;
}
