//! The values a caller gives to a template. What a template computes with is `value`.

use std::sync::Arc;

use super::error::Result;
#[cfg(feature = "serde_json")]
use super::value::TextPool;
use super::value::{self, SharedMessages};

/// A value to render a template with. Cloning is cheap: the contents are shared.
///
/// ```
/// use promptdeck_jinja::{Limits, Template, Value, Variables};
///
/// let mut variables = Variables::default();
/// let user = Value::dict([("name", "Ada".into()), ("age", 36.into())])?;
/// variables.set("users", Value::list([user])?);
/// let template = Template::compile("{{ users }}")?;
/// let text = template.render(&variables, None, Limits::default())?;
/// assert_eq!(text, "[{'name': 'Ada', 'age': 36}]");
/// # Ok::<(), promptdeck_jinja::Error>(())
/// ```
#[derive(Clone)]
pub struct Value(pub(crate) value::Value);

impl Value {
    /// Python's `None`.
    #[must_use]
    pub fn none() -> Self {
        Self(value::Value::None)
    }

    /// A list.
    ///
    /// # Errors
    /// When it nests too deep.
    pub fn list(items: impl IntoIterator<Item = Self>) -> Result<Self> {
        let items = items.into_iter().map(|item| item.0).collect();
        value::Value::list(items).map(Self)
    }

    /// A mapping in this order; a later key replaces the value of an equal earlier one.
    ///
    /// # Errors
    /// When it nests too deep.
    pub fn dict<K: Into<Arc<str>>>(entries: impl IntoIterator<Item = (K, Self)>) -> Result<Self> {
        let entries = entries.into_iter();
        value::Value::dict(entries.map(|(key, item)| (value::Value::str(key), item.0))).map(Self)
    }

    /// As [`Value::dict`], of keys that are all different.
    #[doc(hidden)]
    #[allow(clippy::missing_errors_doc)]
    pub fn dict_of_unique(entries: UniqueEntries) -> Result<Self> {
        let dict = value::Dict::of_texts(entries.0)?;
        Ok(Self(value::Value::Dict(Arc::new(dict))))
    }

    /// The value of a JSON document, numbers as Python's `json.loads` reads them. Keys keep the order
    /// of the map: that of the document with the feature `preserve_order` of `serde_json`.
    ///
    /// # Errors
    /// When it nests too deep.
    #[cfg(feature = "serde_json")]
    pub fn from_json(json: &serde_json::Value) -> Result<Self> {
        Self::from_json_with(json, &mut TextPool::default())
    }

    /// As [`Value::from_json`], sharing texts with other documents of the same kind.
    #[cfg(feature = "serde_json")]
    #[doc(hidden)]
    #[allow(clippy::missing_errors_doc)]
    pub fn from_json_with(json: &serde_json::Value, texts: &mut TextPool) -> Result<Self> {
        value::Value::from_json(json, texts).map(Self)
    }
}

/// The entries of a mapping whose keys are all different, where the mapping has them: an iterator of
/// pairs would move each of them twice more.
#[doc(hidden)]
#[derive(Default)]
pub struct UniqueEntries(value::Entries);

impl UniqueEntries {
    /// No entries yet, with room for so many.
    #[must_use]
    pub fn with_capacity(count: usize) -> Self {
        Self(value::Entries::with_capacity(count))
    }

    /// Adds an entry.
    pub fn push(&mut self, key: Arc<str>, value: Value) {
        self.0.push((value::Value::Str(key), value.0));
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self(value::Value::str(text))
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self(value::Value::str(text))
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Self(value::Value::Bool(flag))
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self(value::Value::Int(number))
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self(value::Value::Float(number))
    }
}

impl SharedMessages {
    /// Adds a message. The present ones are copied only while a rendering still refers to them.
    pub fn push(&mut self, message: Value) {
        self.push_item(message.0);
    }
}
