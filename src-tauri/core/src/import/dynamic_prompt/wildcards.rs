//! Wildcards: named lists of values, in text, YAML or JSON files.

use std::{collections::BTreeMap, path::Path, sync::Arc};

use promptdeck_json::push_step;
use serde_json::Value;

use super::spot::Source;
use crate::{
    import::{ReportEntry, text_input, yaml},
    registry::{MAX_WEIGHT, MIN_WEIGHT, ParseCode, ParseError, Position, read_json},
};

/// Maximum total number of values of all wildcards.
const MAX_VALUES: usize = 200_000;

/// Maximum length of the name of a list in a YAML or JSON file, with the keys around it, in bytes.
const MAX_NAME: usize = 4096;

/// Maximum total size of the names of lists, and of the pointers to values that are not read, in bytes:
/// one long key may be part of very many.
const MAX_NAMES: usize = 8 << 20;

/// A value of a wildcard.
#[derive(Debug, PartialEq)]
pub(super) struct WildcardValue {
    /// Where its text is.
    pub source: Source,
    /// Its template.
    pub text: String,
    /// How often it is picked, relative to the others of its list.
    pub weight: f64,
    /// Whether the weight was written before the text in a text file, which the original program
    /// would print.
    pub weight_of_text_file: bool,
}

impl WildcardValue {
    /// Reads a value, with the number before `::` as its weight.
    fn read(text: &str, source: Source, of_text_file: bool) -> Self {
        let weighted = text.split_once("::").and_then(|(number, rest)| {
            let number = number.trim();
            let weight: f64 = number
                .starts_with(|first: char| first.is_ascii_digit())
                .then(|| number.parse().ok())??;
            let rest = rest.trim();
            (is_weight(weight) && !rest.is_empty()).then_some((weight, rest))
        });
        let (weight, rest) = weighted.unwrap_or((1.0, text));
        Self {
            // The text follows the weight.
            source: source.behind(&text[..text.len() - rest.len()], rest),
            text: rest.to_owned(),
            weight,
            weight_of_text_file: of_text_file && weighted.is_some(),
        }
    }

    /// Reads an entry of a list in YAML or JSON: a text, a number, or an object of text and weight.
    fn of_entry(entry: &Value, source: Source) -> Option<Self> {
        match entry {
            Value::String(text) => Some(Self::read(text.trim(), source, false)),
            Value::Number(number) => Some(Self::read(&number.to_string(), source, false)),
            Value::Object(members) => {
                let text = members.get("text").or_else(|| members.get("content"))?;
                let weight = match members.get("weight") {
                    Some(weight) => weight.as_f64().filter(|weight| is_weight(*weight))?,
                    None => 1.0,
                };
                Some(Self {
                    source,
                    text: text.as_str()?.trim().to_owned(),
                    weight,
                    weight_of_text_file: false,
                })
            }
            _ => None,
        }
    }
}

/// Whether an item can have this weight.
fn is_weight(weight: f64) -> bool {
    weight == 0.0 || (MIN_WEIGHT..=MAX_WEIGHT).contains(&weight)
}

/// A value of a YAML or JSON file that is not read.
#[derive(Debug)]
pub(super) struct IgnoredValue {
    /// JSON pointer to it.
    pub pointer: String,
    /// Its position in the file.
    pub place: Option<Position>,
    /// Why it is not read.
    pub reason: &'static str,
}

/// The values of a YAML or JSON file and their positions.
struct Tree<'p> {
    file: Arc<str>,
    position: &'p dyn Fn(&str) -> Option<Position>,
}

/// Named lists of values.
#[derive(Debug, Default)]
pub struct Wildcards {
    lists: BTreeMap<String, Vec<WildcardValue>>,
    values: usize,
    ignored: Vec<IgnoredValue>,
    /// How many more values are not read.
    more_ignored: usize,
    /// Size of the names of lists.
    names: usize,
    /// Size of the pointers of ignored values.
    pointers: usize,
    line_ends: Vec<ReportEntry>,
}

impl Wildcards {
    /// Adds the wildcards of a file: a text has one value on each line, YAML and JSON name their lists.
    ///
    /// # Errors
    ///
    /// Texts out of bounds, YAML and JSON that is not valid, with its position, and files without any
    /// value.
    pub fn add(&mut self, file: &str, bytes: &[u8]) -> Result<(), ParseError> {
        let path = Path::new(file);
        let extension = path
            .extension()
            .unwrap_or_default()
            .to_string_lossy()
            .to_lowercase();
        let before = self.values;
        let file: Arc<str> = file.into();
        match extension.as_str() {
            "yaml" | "yml" => {
                let text = text_input::read(bytes)?;
                self.line_ends.extend(text.entry());
                let yaml = yaml::read(&text, 0)?;
                let position = |pointer: &str| yaml.position(pointer);
                let position = &position;
                self.tree("", &yaml.value, "", &Tree { file, position })?;
            }
            "json" => {
                let (value, source_map) = read_json(bytes)?;
                let position = |pointer: &str| source_map.find(pointer);
                let position = &position;
                self.tree("", &value, "", &Tree { file, position })?;
            }
            _ => {
                let stem = path.with_extension("");
                let name = stem.to_string_lossy().replace('\\', "/");
                let text = text_input::read(bytes)?;
                self.line_ends.extend(text.entry());
                let lines = text.lines().zip(1..).map(|(line, number)| {
                    let value = line.trim();
                    let indent = line.len() - line.trim_start().len();
                    let start = Position {
                        line: number,
                        column: 1,
                    };
                    let source = Source::of_line(Arc::clone(&file), start);
                    (value, source.behind(&line[..indent], value))
                });
                let values =
                    lines.filter(|(value, _)| !value.is_empty() && !value.starts_with('#'));
                self.list(
                    &name,
                    values
                        .map(|(value, source)| WildcardValue::read(value, source, true))
                        .collect(),
                )?;
            }
        }
        if self.values == before {
            let message =
                "no wildcard has a value here: write a value on each line, or lists of them";
            return Err(text_input::fault(
                ParseCode::WrongType,
                message.to_owned(),
                None,
            ));
        }
        Ok(())
    }

    /// The names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.lists.keys().map(String::as_str)
    }

    /// How many lists there are.
    pub(super) fn len(&self) -> usize {
        self.lists.len()
    }

    /// The values of a wildcard.
    pub(super) fn values(&self, name: &str) -> Option<&[WildcardValue]> {
        self.lists.get(name).map(Vec::as_slice)
    }

    /// The values of every wildcard of that name; an asterisk stands for any text.
    pub(super) fn find(&self, name: &str) -> Vec<&WildcardValue> {
        if let Some(values) = self.values(name) {
            return values.iter().collect();
        }
        if !name.contains('*') {
            // A file name matches without its folders.
            let suffix = format!("/{name}");
            let mut found = self
                .lists
                .iter()
                .filter(|(list_name, _)| list_name.ends_with(&suffix));
            return found
                .next()
                .map(|(_, values)| values.iter().collect())
                .unwrap_or_default();
        }
        let matching = self
            .lists
            .iter()
            .filter(|(list_name, _)| matches(name, list_name));
        matching.flat_map(|(_, values)| values).collect()
    }

    /// Entries of a report about converted line ends.
    pub(super) fn line_ends(&self) -> impl Iterator<Item = &ReportEntry> {
        self.line_ends.iter()
    }

    /// The values that are not read.
    pub(super) fn ignored(&self) -> &[IgnoredValue] {
        &self.ignored
    }

    /// How many values are not read beside those.
    pub(super) fn more_ignored(&self) -> usize {
        self.more_ignored
    }

    fn list(&mut self, name: &str, values: Vec<WildcardValue>) -> Result<(), ParseError> {
        self.values += values.len();
        if self.values > MAX_VALUES {
            let message =
                format!("the wildcards have more than {MAX_VALUES} values; leave some out");
            return Err(text_input::fault(ParseCode::TooLarge, message, None));
        }
        if !values.is_empty() {
            // A pasted list has no file that names it.
            let name = if name.is_empty() { "wildcard" } else { name };
            if !self.lists.contains_key(name) {
                self.names += name.len();
            }
            if self.names > MAX_NAMES {
                let message = format!(
                    "the names of the wildcards have more than {} MiB; shorten them",
                    MAX_NAMES >> 20
                );
                return Err(text_input::fault(ParseCode::TooLarge, message, None));
            }
            self.lists
                .entry(name.to_owned())
                .or_default()
                .extend(values);
        }
        Ok(())
    }

    /// Adds the lists of a tree under the names that lead to them.
    fn tree(
        &mut self,
        name: &str,
        value: &Value,
        pointer: &str,
        tree: &Tree<'_>,
    ) -> Result<(), ParseError> {
        if name.len() > MAX_NAME {
            let message = format!("the name of a wildcard is longer than {MAX_NAME} bytes");
            let place = (tree.position)(pointer);
            return Err(text_input::fault(ParseCode::TooLarge, message, place));
        }
        match value {
            Value::Object(members) => {
                for (key, value) in members {
                    let mut pointer = pointer.to_owned();
                    push_step(&mut pointer, key);
                    let name = if name.is_empty() {
                        key.clone()
                    } else {
                        format!("{name}/{key}")
                    };
                    self.tree(&name, value, &pointer, tree)?;
                }
                Ok(())
            }
            Value::Array(entries) => {
                let mut values = Vec::with_capacity(entries.len());
                for (index, entry) in entries.iter().enumerate() {
                    let pointer = format!("{pointer}/{index}");
                    let source = Source::decoded(Arc::clone(&tree.file), (tree.position)(&pointer));
                    match WildcardValue::of_entry(entry, source) {
                        Some(value) => values.push(value),
                        None => self.ignore(pointer, "no text with a weight", tree),
                    }
                }
                self.list(name, values)
            }
            _ => {
                self.ignore(pointer.to_owned(), "no list of texts", tree);
                Ok(())
            }
        }
    }

    fn ignore(&mut self, pointer: String, reason: &'static str, tree: &Tree<'_>) {
        if self.pointers + pointer.len() > MAX_NAMES {
            self.more_ignored += 1;
            return;
        }
        self.pointers += pointer.len();
        self.ignored.push(IgnoredValue {
            place: (tree.position)(&pointer),
            pointer,
            reason,
        });
    }
}

/// Whether a name fits a pattern with asterisks.
fn matches(pattern: &str, name: &str) -> bool {
    let mut pieces = pattern.split('*');
    let Some(mut rest) = name.strip_prefix(pieces.next().unwrap_or_default()) else {
        return false;
    };
    let mut last = "";
    for piece in pieces {
        last = piece;
        let Some(at) = rest.find(piece) else {
            return false;
        };
        rest = &rest[at + piece.len()..];
    }
    last.is_empty() || rest.is_empty() || name.ends_with(last)
}
