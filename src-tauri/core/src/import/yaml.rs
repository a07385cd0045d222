//! YAML as JSON values, with positions and within bounds. Aliases are refused: a few bytes of them
//! stand for any amount of data.

use std::collections::HashMap;

use saphyr_parser::{Event, Marker, Parser, ScalarStyle};
use serde_json::{Map, Number, Value};

use super::{pointer::pointer, text_input::fault};
use crate::registry::{ParseCode, ParseError, Position};

/// How large a YAML text may be, in bytes.
pub(super) const MAX_BYTES: usize = 4 << 20;

/// How many values a YAML text may hold.
const MAX_VALUES: usize = 100_000;

/// How deep its containers may nest.
const MAX_DEPTH: usize = 32;

/// How long a key may be, in characters: the limit of YAML for keys without a question mark.
const MAX_KEY: usize = 1024;

/// A YAML document as a JSON value.
#[derive(Debug)]
pub(super) struct Yaml {
    pub value: Value,
    positions: Positions,
}

/// The position of each value. A key is stored once for its value, not with each one inside it.
#[derive(Debug, Default)]
struct Positions {
    root: Option<Position>,
    /// Number and position of each value, by the number of the container and the step into it. The root
    /// has the number 0.
    inner: HashMap<(u32, String), (u32, Position)>,
}

impl Positions {
    /// Adds a value at a step into a container, or the root, and returns its number.
    fn add(&mut self, at: Option<(u32, String)>, position: Position) -> u32 {
        let Some(at) = at else {
            self.root = Some(position);
            return 0;
        };
        let number = self.inner.len() as u32 + 1;
        self.inner.insert(at, (number, position));
        number
    }
}

impl Yaml {
    /// The position of a value, or of the innermost value around it.
    pub fn position(&self, pointer: &str) -> Option<Position> {
        let mut found = (0, self.positions.root?);
        for step in pointer.split('/').skip(1) {
            let step = step.replace("~1", "/").replace("~0", "~");
            match self.positions.inner.get(&(found.0, step)) {
                Some(inner) => found = *inner,
                None => break,
            }
        }
        Some(found.1)
    }
}

/// Reads one YAML document. Its first line is `line` of the file, counted from 0.
///
/// # Errors
///
/// With a position: syntax errors, duplicate keys, keys that are no texts, aliases, several
/// documents, and texts out of bounds.
pub(super) fn read(text: &str, line: usize) -> Result<Yaml, ParseError> {
    if text.len() > MAX_BYTES {
        let message = format!(
            "the YAML has {} bytes; the limit is {} MiB",
            text.len(),
            MAX_BYTES >> 20
        );
        return Err(fault(ParseCode::TooLarge, message, None));
    }
    let mut builder = Builder {
        line,
        open: Vec::new(),
        root: None,
        values: 0,
        documents: 0,
        positions: Positions::default(),
    };
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| {
            let at = builder.position(error.marker());
            fault(
                ParseCode::Syntax,
                format!("YAML: {}", error.info()),
                Some(at),
            )
        })?;
        builder.event(event, &span.start)?;
    }
    Ok(Yaml {
        value: builder.root.unwrap_or(Value::Null),
        positions: builder.positions,
    })
}

/// A container that is not closed yet.
enum Open {
    List(Vec<Value>),
    /// The members, and the key whose value comes next.
    Object(Map<String, Value>, Option<String>),
}

impl Open {
    /// The step to the value that comes next.
    fn step(&self) -> String {
        match self {
            Self::List(entries) => entries.len().to_string(),
            Self::Object(_, key) => key.clone().unwrap_or_default(),
        }
    }
}

struct Builder {
    line: usize,
    /// The open containers with their numbers, outermost first.
    open: Vec<(u32, Open)>,
    root: Option<Value>,
    values: usize,
    documents: usize,
    positions: Positions,
}

impl Builder {
    fn position(&self, marker: &Marker) -> Position {
        Position {
            line: (self.line + marker.line().max(1)) as u32,
            column: marker.col() as u32 + 1,
        }
    }

    fn refuse(&self, code: ParseCode, marker: &Marker, message: impl Into<String>) -> ParseError {
        let mut error = fault(code, message.into(), Some(self.position(marker)));
        error.pointer = self.pointer();
        error
    }

    /// The pointer of the value that comes next.
    fn pointer(&self) -> String {
        let steps: Vec<String> = self.open.iter().map(|(_, open)| open.step()).collect();
        pointer(&steps.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn event(&mut self, event: Event<'_>, at: &Marker) -> Result<(), ParseError> {
        match event {
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
            Event::DocumentStart(_) => {
                self.documents += 1;
                if self.documents > 1 {
                    let message = "a second YAML document begins here; keep one";
                    return Err(self.refuse(ParseCode::Syntax, at, message));
                }
            }
            Event::Alias(_) => {
                let message = "YAML aliases (*name) are not read; write the value here";
                return Err(self.refuse(ParseCode::Syntax, at, message));
            }
            Event::Scalar(text, style, _, tag) => {
                if let Some((_, Open::Object(members, key @ None))) = self.open.last_mut() {
                    let name = text.into_owned();
                    let length = name.chars().count();
                    if length > MAX_KEY {
                        let message =
                            format!("a key has {length} characters; the limit is {MAX_KEY}");
                        return Err(self.refuse(ParseCode::TooLarge, at, message));
                    }
                    if members.contains_key(&name) {
                        let message = format!("duplicate key {name:?}; keep one");
                        return Err(self.refuse(ParseCode::DuplicateKey, at, message));
                    }
                    *key = Some(name);
                    return Ok(());
                }
                let plain = style == ScalarStyle::Plain && tag.is_none();
                let value = if plain {
                    resolve(&text)
                } else {
                    Value::String(text.into_owned())
                };
                self.begin(at)?;
                self.add(value);
            }
            Event::SequenceStart(..) => {
                let number = self.begin(at)?;
                self.open.push((number, Open::List(Vec::new())));
            }
            Event::MappingStart(..) => {
                let number = self.begin(at)?;
                self.open.push((number, Open::Object(Map::new(), None)));
            }
            Event::SequenceEnd | Event::MappingEnd => match self.open.pop() {
                Some((_, Open::List(entries))) => self.add(Value::Array(entries)),
                Some((_, Open::Object(members, _))) => self.add(Value::Object(members)),
                None => {}
            },
        }
        Ok(())
    }

    /// Counts a value and notes its position before it is built. Returns its number.
    fn begin(&mut self, at: &Marker) -> Result<u32, ParseError> {
        if let Some((_, Open::Object(_, None))) = self.open.last() {
            let message = "a key is a text; this one is a list or a mapping";
            return Err(self.refuse(ParseCode::WrongType, at, message));
        }
        self.values += 1;
        if self.values > MAX_VALUES || self.open.len() >= MAX_DEPTH {
            let message = match self.values > MAX_VALUES {
                true => format!("the YAML holds more than {MAX_VALUES} values; split it"),
                false => format!("nested deeper than {MAX_DEPTH} levels"),
            };
            return Err(self.refuse(ParseCode::TooLarge, at, message));
        }
        let step = self
            .open
            .last()
            .map(|(number, open)| (*number, open.step()));
        let position = self.position(at);
        Ok(self.positions.add(step, position))
    }

    fn add(&mut self, value: Value) {
        match self.open.last_mut() {
            Some((_, Open::List(entries))) => entries.push(value),
            Some((_, Open::Object(members, key))) => {
                members.insert(key.take().unwrap_or_default(), value);
            }
            None => self.root = Some(value),
        }
    }
}

/// The value of a plain scalar, by the core schema of YAML 1.2.
fn resolve(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ => match serde_json::from_str::<Number>(text) {
            Ok(number) => Value::Number(number),
            Err(_) => Value::String(text.to_owned()),
        },
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn yaml_is_read_as_json() {
        let yaml = read(
            "a: 1.50\nb: [x, 'y', ~]\nc:\n  d: |\n    text\n  e: true\n",
            0,
        )
        .expect("YAML");
        let expected = json!({"b": ["x", "y", null], "c": {"d": "text\n", "e": true}});
        assert_eq!(yaml.value["a"].to_string(), "1.50");
        assert_eq!(yaml.value["b"], expected["b"]);
        assert_eq!(yaml.value["c"], expected["c"]);
        let place = |pointer| yaml.position(pointer).map(|at| (at.line, at.column));
        assert_eq!(place("/b/1"), Some((2, 8)));
        assert_eq!(place("/c/e/none"), Some((6, 6)));
        assert_eq!(place(""), Some((1, 1)));
        let escaped = read("a/b:\n  ~c: 1\n", 0).expect("YAML");
        let place = escaped.position("/a~1b/~0c").expect("a position");
        assert_eq!((place.line, place.column), (2, 7));
        assert_eq!(read("", 0).expect("YAML").value, Value::Null);
    }

    #[test]
    fn long_keys_around_many_values_take_little_memory() {
        let mut text = String::new();
        for depth in 0..12 {
            text.push_str(&format!("{}{}:\n", " ".repeat(depth), "k".repeat(1000)));
        }
        text.push_str(&format!("            [{}]\n", "0,".repeat(20_000)));
        let yaml = read(&text, 0).expect("YAML");
        let steps = yaml.positions.inner.keys();
        let stored: usize = steps.map(|(_, step)| step.len()).sum();
        assert!(stored < 3 * text.len(), "{stored} of {} bytes", text.len());
        let last = format!("{}/19999", format!("/{}", "k".repeat(1000)).repeat(12));
        assert_eq!(yaml.position(&last).expect("a position").line, 13);
    }

    #[test]
    fn yaml_out_of_bounds_is_refused_with_its_place() {
        let message = |text: &str| read(text, 3).expect_err("refused").to_string();
        assert_eq!(
            message("a: &x [1]\nb: *x\n"),
            "line 5, column 4: /b: YAML aliases (*name) are not read; write the value here"
        );
        assert_eq!(
            message("a: 1\na: 2"),
            "line 5, column 1: /: duplicate key \"a\"; keep one"
        );
        assert!(message("a: [").contains("YAML: "));
        assert!(message("--- a\n--- b\n").contains("a second YAML document"));
        assert!(message("? [a]\n: b\n").contains("a key is a text"));
        assert!(message(&"[".repeat(100_000)).starts_with("line "));
        let nested = format!("{}1", "- ".repeat(40));
        assert!(message(&nested).contains("nested deeper than 32 levels"));
        let long = format!("? {}\n: 1\n", "k".repeat(1025));
        assert!(message(&long).contains("a key has 1025 characters"));
        assert!(message(&"- 1\n".repeat(MAX_VALUES + 1)).contains("more than 100000 values"));
        assert!(message(&" ".repeat(MAX_BYTES + 1)).contains("the limit is 4 MiB"));
    }
}
