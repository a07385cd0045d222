//! The data of a diagnostic as the page reads it: the keys and their types are the core's.

use std::fmt::Write as _;
use std::path::PathBuf;

use promptdeck_core::registry::{self, DataKey, DataKind};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use ts_rs::{Config, TS};

/// What the sentence of a diagnostic names, by key.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DiagnosticData(Map<String, Value>);

impl DiagnosticData {
    /// The whole number under a key.
    #[must_use]
    pub fn number(&self, key: DataKey) -> Option<u64> {
        self.0.get(key.as_str())?.as_u64()
    }
}

impl From<&registry::DiagnosticData> for DiagnosticData {
    fn from(data: &registry::DiagnosticData) -> Self {
        let value = |value: &registry::DataValue| match value {
            registry::DataValue::Text(text) => Value::from(text.as_str()),
            registry::DataValue::Number(number) => Value::Number(number.clone()),
            registry::DataValue::Texts(texts) => Value::from(texts.as_slice()),
        };
        let members = data.iter();
        Self(
            members
                .map(|(key, datum)| (key.as_str().to_owned(), value(datum)))
                .collect(),
        )
    }
}

impl TS for DiagnosticData {
    type WithoutGenerics = Self;
    type OptionInnerType = Self;

    fn name(_: &Config) -> String {
        "DiagnosticData".to_owned()
    }

    fn inline(_: &Config) -> String {
        let mut object = String::from("{ ");
        for key in DataKey::ALL {
            let kind = match key.kind() {
                DataKind::Text => "string",
                DataKind::Number => "number",
                DataKind::Texts => "Array<string>",
            };
            // Writing to a string cannot fail.
            let _ = write!(
                object,
                "\n/**\n * {}\n */\n{}?: {kind}, ",
                key.doc(),
                key.as_str()
            );
        }
        object.push('}');
        object
    }

    fn decl(config: &Config) -> String {
        format!("type DiagnosticData = {};", Self::inline(config))
    }

    fn decl_concrete(config: &Config) -> String {
        Self::decl(config)
    }

    fn docs() -> Option<String> {
        Some("/**\n * What the sentence of a diagnostic names.\n */\n".to_owned())
    }

    fn output_path() -> Option<PathBuf> {
        Some(PathBuf::from("DiagnosticData.ts"))
    }
}
