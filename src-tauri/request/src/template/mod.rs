//! The rendering contract of prompts: a Jinja text and a context become an output that says where
//! every piece of it came from, or, when anything goes wrong, the text as it was and the error
//! beside it. Whatever a template does, it ends soon and within bounds. What the names in the
//! context are is the affair of [`arguments`](super::arguments).

mod budget;
mod const_fold_guard;
mod display;
mod environment;
mod faulty_tag;
mod filters;
mod gaps;
mod instrument;
mod jinja2;
mod json;
mod one_line;
mod printed;
mod sequence;
mod value;

#[cfg(test)]
mod contract_tests;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use minijinja::{
    AutoEscape, ErrorKind,
    machinery::{self, Token},
    syntax::SyntaxConfig,
};
use promptdeck_core::registry::{DataKey, Diagnostic, DiagnosticData, Severity};
use serde::Serialize;
use serde_json::{Map, Value};

use budget::{LoopedTexts, Reached, Trail};
pub use faulty_tag::faulty_tag;
pub use gaps::{ExpressionGap, GapKind, LoopedExpression, Suggestion};
pub use instrument::Origin;
use instrument::Program;
pub use printed::PrintedExpression;

use crate::codes;

/// What a rendering may use before it is stopped. The defaults keep the worst template known
/// within 250 ms and 64 MiB.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Instructions of the template machine.
    pub fuel: u64,
    /// Nested macro calls and loops; a macro call counts four.
    pub recursion: usize,
    /// Length of the output in bytes.
    pub output: usize,
    /// Bytes of all texts and lists a template makes on its way.
    pub produced: usize,
    /// Steps spent inside filters, comparisons and look-ups.
    pub work: usize,
    /// Bytes of the template between Jinja's delimiters.
    pub code: usize,
    /// Words and signs within one pair of delimiters.
    pub tag: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            fuel: 400_000,
            recursion: 120,
            output: 8 << 20,
            produced: 24 << 20,
            work: 4_000_000,
            code: 128 << 10,
            tag: 1000,
        }
    }
}

impl Limits {
    /// The same limits, and room for what the caller passes to be handled four times over.
    #[must_use]
    pub fn with_room_for(mut self, context: &Map<String, Value>) -> Self {
        let room = 4 * context.values().map(weight).sum::<usize>();
        self.output += room;
        self.produced += room;
        self.work += room;
        self
    }
}

/// The bytes of a value's texts, and one for everything else.
fn weight(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(entries) => 1 + entries.iter().map(weight).sum::<usize>(),
        Value::Object(map) => {
            let entries = map.iter().map(|(key, value)| key.len() + weight(value));
            1 + entries.sum::<usize>()
        }
        _ => 1,
    }
}

/// Why a template was not rendered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("the prompt is not rendered: {message}{}", place_in_prompt(*.line, *.column))]
pub struct TemplateError {
    /// What went wrong, in a word: `syntax`, `undefined`, `unknown_filter`, `limit`, ...
    pub kind: &'static str,
    /// Line, from 1; `None` when the template as a whole is meant.
    pub line: Option<usize>,
    /// Column in characters, from 1.
    pub column: Option<usize>,
    /// One line for a person.
    pub message: String,
    /// Where in the template, in bytes.
    #[serde(skip)]
    pub offset: Option<usize>,
    /// The name without a value that the tag at fault reads.
    #[serde(skip)]
    pub argument: Option<String>,
}

/// The place of an error in words: no file holds the prompt, so it is no place of one.
fn place_in_prompt(line: Option<usize>, column: Option<usize>) -> String {
    line.map_or_else(String::new, |line| {
        let column = column.unwrap_or(1);
        format!(" (line {line}, column {column} of the prompt)")
    })
}

impl TemplateError {
    /// The diagnostic of a prompt that is not rendered; `pointer` leads to the field at fault.
    #[must_use]
    pub fn diagnostic(&self, pointer: String) -> Diagnostic {
        Diagnostic::new(
            codes::PROMPT_TEMPLATE,
            Severity::Error,
            self.to_string(),
            pointer,
            DiagnosticData::of(DataKey::Reason, self.message.as_str()),
        )
    }
}

/// A piece of the output and what it came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Length in bytes.
    pub length: usize,
    /// Where it came from; `None` if that is unknown.
    pub origin: Option<Origin>,
}

/// What became of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendering {
    /// The output, or the template's own text when there is an error.
    pub output: String,
    /// The output cut by origin, in order; the lengths add up to the output's. Empty on an error.
    pub pieces: Vec<Piece>,
    /// The expressions that left a gap in the output because they had no value, each once, in the order
    /// of the template. Empty on an error.
    pub gaps: Vec<ExpressionGap>,
    /// The expressions that a loop went over and that were a text, in the order of the template. Empty on
    /// an error.
    pub text_loops: Vec<LoopedExpression>,
    /// What the printed expressions read. Empty on an error.
    pub printed: Vec<PrintedExpression>,
    /// Why there is no output.
    pub error: Option<TemplateError>,
}

/// Renders a template with the default limits.
#[must_use]
pub fn render(source: &str, context: &Map<String, Value>) -> Rendering {
    render_with(source, &[], context, &Limits::default())
}

/// Renders a template in which each occurrence of a stand-in is printed as the text it stands for.
///
/// Such a text is never read as part of the template. A stand-in is one character that occurs
/// nowhere else in `source`; `values` are its occurrences in order, the character first.
#[must_use]
pub fn render_with(
    source: &str,
    values: &[(char, &str)],
    context: &Map<String, Value>,
    limits: &Limits,
) -> Rendering {
    match attempt(source, values, context, limits) {
        Ok(rendering) => rendering,
        Err(error) => Rendering {
            output: source.to_owned(),
            pieces: Vec::new(),
            gaps: Vec::new(),
            text_loops: Vec::new(),
            printed: Vec::new(),
            error: Some(error),
        },
    }
}

/// The names that a template reads and neither sets itself nor has from its environment nor gives a
/// default at every use, sorted, with the offset of their first use. None if it does not parse.
#[must_use]
pub fn free_names(source: &str, limits: &Limits) -> BTreeMap<String, usize> {
    if check_code(source, limits).is_err() {
        return BTreeMap::new();
    }
    let env = environment::environment(limits);
    let Ok(template) = env.template_from_str(source) else {
        return BTreeMap::new();
    };
    let mut names = BTreeSet::from_iter(template.undeclared_variables(false));
    for (known, _) in env.globals() {
        names.remove(known);
    }
    if let Ok(template) = promptdeck_jinja::Template::compile(source) {
        for defaulted in template.defaulted() {
            names.remove(&defaulted);
        }
    }
    let places = first_uses(source);
    let placed = names.into_iter().map(|name| {
        let place = places.get(name.as_str()).copied().unwrap_or_default();
        (name, place)
    });
    placed.collect()
}

/// The offset of the first use of each name in a template's code, attributes excluded.
fn first_uses(source: &str) -> HashMap<&str, usize> {
    let mut places = HashMap::new();
    let mut is_attribute = false;
    for token in machinery::tokenize(source, false, SyntaxConfig::default()) {
        let Ok((token, span)) = token else {
            break;
        };
        if let (Token::Ident(name), false) = (&token, is_attribute) {
            places.entry(*name).or_insert(span.start_offset as usize);
        }
        is_attribute = matches!(token, Token::Dot);
    }
    places
}

fn attempt(
    source: &str,
    values: &[(char, &str)],
    context: &Map<String, Value>,
    limits: &Limits,
) -> Result<Rendering, TemplateError> {
    check_code(source, limits)?;
    let env = environment::environment(limits);
    let program = Program::compile(source, values).map_err(|error| describe(&error, source))?;
    let root = value::from_map(context);
    let mut output = String::new();
    let (_, state) = machinery::eval(
        &env,
        &program.main,
        root,
        &program.blocks,
        &mut machinery::make_string_output(&mut output),
        AutoEscape::None,
    )
    .map_err(|error| {
        let error = describe(&error, source);
        let argument = unset_argument(&error, source, context, limits);
        TemplateError { argument, ..error }
    })?;
    let trail = state.get_extension::<Trail>().map_or(&[][..], Trail::steps);
    let mut pieces: Vec<Piece> = Vec::with_capacity(trail.len());
    for &(mark, length) in trail {
        pieces.push(Piece {
            length,
            origin: Some(program.marks[mark].clone()),
        });
    }
    // A loop that calls itself inside an expression prints into a text first; what was noted then
    // doesn't add up, and the output is given without origins.
    let is_traced = pieces.iter().map(|piece| piece.length).sum::<usize>() == output.len();
    if !is_traced {
        pieces = vec![Piece {
            length: output.len(),
            origin: None,
        }];
    }
    let reached = state.get_extension::<Reached>();
    let gaps = program.gaps.into_iter().enumerate();
    let gaps = gaps.filter_map(|(index, mut gap)| {
        let places = reached?.0.get(&index)?;
        if is_traced {
            gap.places.clone_from(places);
        }
        // A name that the template sets is in no context.
        if gap.argument.is_some() {
            gap.suggestion = gaps::suggestion(&source[gap.range.clone()], context);
        }
        Some(gap)
    });
    let texts = state.get_extension::<LoopedTexts>();
    let text_loops = program.looped.into_iter().enumerate();
    let text_loops = text_loops
        .filter(|(index, _)| texts.is_some_and(|texts| texts.0.contains(index)))
        .map(|(_, looped)| looped);
    Ok(Rendering {
        output,
        pieces,
        gaps: gaps.collect(),
        text_loops: text_loops.collect(),
        printed: program.printed,
        error: None,
    })
}

/// Kinds of errors that a value which is not there may cause.
const OF_VALUES: [&str; 4] = [
    "undefined",
    "unknown_method",
    "invalid_operation",
    "arguments",
];

/// The name without a value in the tag of an error: the last before the error, else the first.
fn unset_argument(
    error: &TemplateError,
    source: &str,
    context: &Map<String, Value>,
    limits: &Limits,
) -> Option<String> {
    let offset = error.offset.filter(|_| OF_VALUES.contains(&error.kind))?;
    let tag = faulty_tag(source, offset)?;
    let free = free_names(source, limits);
    let mut found: Vec<(usize, &str)> = first_uses(&source[tag.clone()])
        .into_iter()
        .filter(|(name, _)| free.contains_key(*name) && !context.contains_key(*name))
        .map(|(name, at)| (tag.start + at, name))
        .collect();
    found.sort_unstable();
    let before = found.iter().rev().find(|(at, _)| *at <= offset);
    let (_, name) = before.or(found.first())?;
    Some((*name).to_owned())
}

/// What the parser makes of a template takes a hundred times the room of its text, and nests as
/// deep as its longest tag, so both are bounded first.
fn check_code(source: &str, limits: &Limits) -> Result<(), TemplateError> {
    let mut code = 0;
    let mut opened = None;
    for token in machinery::tokenize(source, false, SyntaxConfig::default()) {
        // The parser meets the same error and describes it better.
        let Ok((token, span)) = token else {
            return Ok(());
        };
        let (start, end) = (span.start_offset as usize, span.end_offset as usize);
        match token {
            Token::TemplateData(_) => {}
            Token::VariableStart | Token::BlockStart => opened = Some((start, 0)),
            _ => {
                let Some((tag, tokens)) = &mut opened else {
                    continue;
                };
                *tokens += 1;
                let too_long = *tokens > limits.tag;
                let message = if too_long {
                    format!("a tag of more than {} words", limits.tag)
                } else {
                    format!(
                        "more than {} KiB of the template stand between Jinja's delimiters",
                        limits.code >> 10
                    )
                };
                if too_long || code + (end - *tag) > limits.code {
                    return Err(located("limit", Some(*tag), source, message));
                }
                if matches!(token, Token::VariableEnd | Token::BlockEnd) {
                    code += end - *tag;
                    opened = None;
                }
            }
        }
    }
    Ok(())
}

fn describe(error: &minijinja::Error, source: &str) -> TemplateError {
    let kind = if budget::is_limit(error) {
        "limit"
    } else {
        kind_name(error.kind())
    };
    let message = match error.detail() {
        _ if error.kind() == minijinja::ErrorKind::OutOfFuel => {
            "the template takes too many steps and was stopped".to_owned()
        }
        Some(detail) if kind == "limit" => detail.to_owned(),
        Some(detail) => format!("{}: {detail}", error.kind()),
        None => error.kind().to_string(),
    };
    let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
    let offset = error
        .range()
        .map(|range| range.start)
        .filter(|&start| source.is_char_boundary(start));
    let mut described = located(kind, offset, source, message);
    described.line = described.line.or(error.line());
    described
}

fn located(
    kind: &'static str,
    offset: Option<usize>,
    source: &str,
    message: String,
) -> TemplateError {
    let place = offset.and_then(|offset| place(source, offset));
    TemplateError {
        kind,
        line: place.map(|(line, _)| line),
        column: place.map(|(_, column)| column),
        message,
        offset,
        argument: None,
    }
}

/// Line and column, in characters, of a byte offset; `None` when it is within a character.
pub(super) fn place(text: &str, offset: usize) -> Option<(usize, usize)> {
    let before = text.get(..offset)?;
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    Some((
        before.matches('\n').count() + 1,
        before[line_start..].chars().count() + 1,
    ))
}

fn kind_name(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::SyntaxError | ErrorKind::BadEscape => "syntax",
        ErrorKind::UndefinedError => "undefined",
        ErrorKind::UnknownFilter => "unknown_filter",
        ErrorKind::UnknownTest => "unknown_test",
        ErrorKind::UnknownFunction => "unknown_function",
        ErrorKind::UnknownMethod => "unknown_method",
        ErrorKind::TooManyArguments | ErrorKind::MissingArgument => "arguments",
        ErrorKind::TemplateNotFound | ErrorKind::BadInclude => "no_other_templates",
        ErrorKind::CannotUnpack => "cannot_unpack",
        ErrorKind::OutOfFuel => "limit",
        _ => "invalid_operation",
    }
}
