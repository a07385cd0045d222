//! What the sentence of a diagnostic names, by key, so that no program reads the sentence.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};
use serde_json::Number;

/// Declares each key once: its variant, its name, the kind of its value, and what it holds.
macro_rules! keys {
    ($($key:ident $name:literal $kind:ident $holds:literal,)*) => {
        /// A key of [`DiagnosticData`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum DataKey {
            $(#[doc = $holds] $key,)*
        }

        impl DataKey {
            /// All keys.
            pub const ALL: &[Self] = &[$(Self::$key,)*];

            /// The key as programs read it.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$key => $name,)*
                }
            }

            /// What it holds.
            #[must_use]
            pub const fn doc(self) -> &'static str {
                match self {
                    $(Self::$key => $holds,)*
                }
            }

            /// The kind of its value.
            #[must_use]
            pub const fn kind(self) -> DataKind {
                match self {
                    $(Self::$key => DataKind::$kind,)*
                }
            }
        }

        /// What the sentence of a diagnostic names: a JSON object such as
        /// `{"name": "venue", "section": "base_context"}`.
        ///
        /// | key | value | what it holds |
        /// |---|---|---|
        $(#[doc = concat!("| `", $name, "` | ", stringify!($kind), " | ", $holds, " |")])*
        ///
        /// ```
        /// use promptdeck_core::registry::{DataKey, DiagnosticData};
        ///
        /// let data = DiagnosticData::of(DataKey::Name, "venue").with(DataKey::ItemIndex, 2);
        /// let json = serde_json::to_string(&data).expect("JSON");
        /// assert_eq!(json, r#"{"name":"venue","item_index":2}"#);
        /// ```
        #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
        #[serde(transparent)]
        pub struct DiagnosticData(BTreeMap<DataKey, DataValue>);
    };
}

keys! {
    Name "name" Text "The variable or argument.",
    Argument "argument" Text "The argument of a call that gives the missing value, as its key in `args`.",
    Section "section" Text "The section; of `unknown_section` and `state_unknown_section` the name that is none.",
    Item "item" Text "The id, else the name of the item; absent when it has neither.",
    ItemIndex "item_index" Number "The index of the item in its section.",
    OtherIndex "other_index" Number "The index of the earlier item with the same identity, or of the earlier tool with the same name.",
    Field "field" Text "The field of the item.",
    Entry "entry" Number "The index in the list.",
    Fragment "fragment" Number "The index of the fragment in its item.",
    Token "token" Text "The entry of the assembly order, as written.",
    Insertion "insertion" Text "The entry to add, so that the text is printed.",
    Index "index" Number "The position of that entry in its assembly order.",
    Order "order" Text "The JSON pointer of that order, counted from the registry object.",
    Mode "mode" Text "The mode, as written.",
    Key "key" Text "The key of the object, as written.",
    Object "object" Text "The object that the key belongs to, or the part of a state.",
    Route "route" Text "The route that the key belongs to.",
    Routes "routes" Texts "The routes that have the same fault.",
    Target "target" Text "The section or item that the entry of a list refers to, as written.",
    TargetSection "target_section" Text "The section of that item.",
    Conflict "conflict" Text "The entry of `requires` or `excludes` that contradicts it.",
    PrintedField "printed_field" Text "The field that is printed instead.",
    Printed "printed" Text "The text that is printed instead.",
    Suggestion "suggestion" Text "The known name nearest to the unknown one.",
    Replacement "replacement" Text "The text to write instead, or to add.",
    Expected "expected" Text "What is expected.",
    Found "found" Text "What was found.",
    Known "known" Texts "The names that are known.",
    Sections "sections" Texts "The sections.",
    Texts "texts" Texts "Texts that the brackets of a token can give, the first three.",
    Reason "reason" Text "The cause, as the part that failed puts it.",
    Step "step" Text "The change made for the chat template.",
    Template "template" Text "The name of the template.",
    Tool "tool" Text "The tool.",
    Cache "cache" Text "The name of the provider's cache.",
    Turn "turn" Number "The index of the turn, the first of several.",
    LastTurn "last_turn" Number "The index of the last of these turns.",
    Count "count" Number "How many there are.",
    Listed "listed" Number "How many of them are listed.",
    Characters "characters" Number "How many characters.",
    Tokens "tokens" Number "How many tokens.",
    Minimum "minimum" Number "The lower bound.",
    Maximum "maximum" Number "The upper bound.",
}

/// The kind of value that a key holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DataKind {
    /// A JSON string.
    Text,
    /// A JSON number.
    Number,
    /// A JSON array of strings.
    Texts,
}

/// A value of [`DiagnosticData`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum DataValue {
    /// A text.
    Text(String),
    /// A number.
    Number(Number),
    /// Several texts.
    Texts(Vec<String>),
}

impl DataValue {
    fn kind(&self) -> DataKind {
        match self {
            Self::Text(_) => DataKind::Text,
            Self::Number(_) => DataKind::Number,
            Self::Texts(_) => DataKind::Texts,
        }
    }
}

impl DiagnosticData {
    /// The data of a sentence that names nothing.
    #[must_use]
    pub const fn none() -> Self {
        Self(BTreeMap::new())
    }

    /// The data of a sentence that names one thing.
    #[must_use]
    pub fn of(key: DataKey, value: impl Into<DataValue>) -> Self {
        Self::none().with(key, value)
    }

    /// The same with another key.
    #[must_use]
    pub fn with(mut self, key: DataKey, value: impl Into<DataValue>) -> Self {
        self.insert(key, value);
        self
    }

    /// The same with another key if there is a value for it.
    #[must_use]
    pub fn with_some(self, key: DataKey, value: Option<impl Into<DataValue>>) -> Self {
        match value {
            Some(value) => self.with(key, value),
            None => self,
        }
    }

    /// The same with the keys of `other`, which replace equal ones.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// Sets a key.
    pub fn insert(&mut self, key: DataKey, value: impl Into<DataValue>) {
        let value = value.into();
        debug_assert_eq!(key.kind(), value.kind(), "{}", key.as_str());
        self.0.insert(key, value);
    }

    /// Whether the sentence names nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The text of a key.
    #[must_use]
    pub fn text(&self, key: DataKey) -> Option<&str> {
        match self.0.get(&key)? {
            DataValue::Text(text) => Some(text),
            DataValue::Number(_) | DataValue::Texts(_) => None,
        }
    }

    /// The number of a key, if it is a count or an index.
    #[must_use]
    pub fn number(&self, key: DataKey) -> Option<usize> {
        match self.0.get(&key)? {
            DataValue::Number(number) => usize::try_from(number.as_u64()?).ok(),
            DataValue::Text(_) | DataValue::Texts(_) => None,
        }
    }

    /// The keys and their values.
    pub fn iter(&self) -> impl Iterator<Item = (DataKey, &DataValue)> {
        self.0.iter().map(|(key, value)| (*key, value))
    }
}

impl Serialize for DataKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl From<&str> for DataValue {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for DataValue {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Vec<String>> for DataValue {
    fn from(texts: Vec<String>) -> Self {
        Self::Texts(texts)
    }
}

impl From<&[&str]> for DataValue {
    fn from(texts: &[&str]) -> Self {
        Self::Texts(texts.iter().map(|&text| text.to_owned()).collect())
    }
}

impl From<usize> for DataValue {
    fn from(number: usize) -> Self {
        Self::Number(number.into())
    }
}

impl From<u64> for DataValue {
    fn from(number: u64) -> Self {
        Self::Number(number.into())
    }
}

impl From<i64> for DataValue {
    fn from(number: i64) -> Self {
        Self::Number(number.into())
    }
}

impl From<i32> for DataValue {
    fn from(number: i32) -> Self {
        Self::Number(number.into())
    }
}

impl From<f64> for DataValue {
    fn from(number: f64) -> Self {
        // Written as the sentence writes it: no fraction where there is none.
        let text = number.to_string();
        text.parse().map_or(Self::Text(text), Self::Number)
    }
}

impl From<u32> for DataValue {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}
