//! The interface to what renders a prompt whose texts are templates. The core has no template
//! engine.

use std::fmt::Debug;

use crate::hydrate::Hydration;

/// Renders the prompt of a registry whose texts are templates.
pub trait RenderPrompt: Debug + Send + Sync {
    /// The text that is sent.
    ///
    /// # Errors
    /// Why the prompt is not rendered, in one line.
    fn render(&self, hydration: &Hydration) -> Result<String, String>;
}
