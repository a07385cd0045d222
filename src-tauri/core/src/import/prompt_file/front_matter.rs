//! A prompt file: YAML between lines of three dashes, and the template below it.

use serde_json::{Map, Value};

use crate::{
    import::{
        ReportEntry,
        text_input::{TextInput, fault},
        yaml::{self, Yaml},
    },
    registry::{ParseCode, ParseError, Position, TextPositions},
};

/// A prompt file, split.
pub(super) struct PromptFile<'t> {
    /// The settings.
    pub settings: Map<String, Value>,
    /// Where they stand.
    yaml: Option<Yaml>,
    /// The template, trimmed.
    pub body: &'t str,
    /// Where the template begins in the text.
    pub body_start: usize,
    text: &'t TextInput<'t>,
}

impl<'t> PromptFile<'t> {
    /// Splits a file. One that does not begin with three dashes has a template only.
    pub fn read(text: &'t TextInput<'t>) -> Result<Self, ParseError> {
        let mut lines = text.split_inclusive('\n');
        let mut start = 0;
        // Comments and blank lines may precede the first dashes.
        let mut opening = None;
        for (number, line) in lines.by_ref().enumerate() {
            start += line.len();
            if is_dashes(line) {
                opening = Some(number + 1);
                break;
            }
            if !line.trim().is_empty() && !line.starts_with('#') {
                break;
            }
        }
        let Some(first) = opening else {
            return Ok(Self::of_body(text, 0, None));
        };
        let mut end = start;
        for line in lines {
            if is_dashes(line) {
                let yaml = yaml::read(&text[start..end], first)?;
                return Self::of_yaml(text, end + line.len(), yaml);
            }
            end += line.len();
        }
        let place = Some(Position {
            line: first as u32,
            column: 1,
        });
        let message = "the settings never end; close them with a line of three dashes";
        Err(fault(ParseCode::Syntax, message.to_owned(), place))
    }

    fn of_yaml(text: &'t TextInput<'t>, body: usize, yaml: Yaml) -> Result<Self, ParseError> {
        let mut file = Self::of_body(text, body, None);
        match &yaml.value {
            Value::Null => {}
            Value::Object(settings) => file.settings.clone_from(settings),
            _ => {
                let message = "the settings must be a mapping of names to values".to_owned();
                return Err(fault(ParseCode::WrongType, message, yaml.position("")));
            }
        }
        file.yaml = Some(yaml);
        Ok(file)
    }

    fn of_body(text: &'t TextInput<'t>, start: usize, yaml: Option<Yaml>) -> Self {
        let rest = &text[start..];
        let body_start = start + rest.len() - rest.trim_start().len();
        Self {
            settings: Map::new(),
            yaml,
            body: rest.trim(),
            body_start,
            text,
        }
    }

    /// The position of a setting, or the end of the settings.
    pub fn position(&self, pointer: &str) -> Option<Position> {
        self.yaml.as_ref()?.position(pointer)
    }

    /// The entry of a report about converted line ends.
    pub fn line_ends(&self) -> Option<ReportEntry> {
        self.text.entry()
    }

    /// The position of a byte of the template.
    pub fn body_position(&self, offset: usize) -> Position {
        TextPositions::new(self.text).at(self.body_start + offset)
    }
}

fn is_dashes(line: &str) -> bool {
    line.trim_end() == "---"
}
