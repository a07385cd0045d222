//! The hydrated prompt as a template: if a registry sets Jinja as its engine, its authored text is
//! rendered with a call's arguments, and every piece of the result keeps its section, item and field.
//! Values of variables are printed, never parsed.

mod spans;
mod text_loops;

use promptdeck_core::{
    hydrate::{Gap, JINJA, Segment, Source},
    registry::{DataKey, Diagnostic, DiagnosticData, Registry, Severity},
};
use promptdeck_json::nearest::{hint, nearest};
use serde::Serialize;
use serde_json::{Map, Value};

use super::arguments::NAMESPACES;
use super::codes;
use super::template::{self, ExpressionGap, GapKind, Limits, Suggestion, TemplateError};
use spans::{Spans, Template};
pub use text_loops::TextLoop;

/// A prompt, rendered or as it was hydrated.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Prompt {
    /// The text a model gets.
    pub text: String,
    /// The text in pieces; concatenated they are the text.
    pub spans: Vec<PromptSpan>,
    /// Why the text is the hydrated one although rendering was asked for. The place is one in that
    /// text.
    pub error: Option<TemplateError>,
    /// The expressions without a value, where the template does not ask whether they have one.
    #[serde(skip)]
    pub gaps: Vec<PromptGap>,
    /// The loops over the letters of an argument, each expression once.
    #[serde(skip)]
    pub text_loops: Vec<TextLoop>,
    /// Where those expressions and variables without a value print nothing, in the order of the prompt.
    #[serde(skip)]
    pub empty: Vec<EmptyPlace>,
}

/// A place of a prompt at which something without a value prints nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmptyPlace {
    /// How many spans of the prompt precede it.
    pub span: usize,
    /// Where it is authored; a variable is named in it.
    pub source: Option<Source>,
    /// The expression, as it is written; none for a variable.
    pub expression: Option<String>,
}

/// An expression without a value in a prompt.
#[derive(Debug, Clone, PartialEq)]
pub struct PromptGap {
    /// The expression, as it is written.
    pub expression: String,
    /// What it leaves out.
    pub kind: GapKind,
    /// The argument that it begins with; `None` if the template sets that name.
    pub argument: Option<String>,
    /// What is probably meant.
    pub suggestion: Option<Suggestion>,
    /// Where it is written.
    pub source: Option<Source>,
}

impl PromptGap {
    /// An expression of a template.
    #[must_use]
    pub fn of(gap: ExpressionGap, template: &str) -> Self {
        Self {
            expression: template[gap.range].to_owned(),
            kind: gap.kind,
            argument: gap.argument,
            suggestion: gap.suggestion,
            source: None,
        }
    }

    /// The diagnostic of such an expression in the prompt of a registry.
    #[must_use]
    pub fn diagnostic(&self) -> Diagnostic {
        let pointer = self.source.as_ref().map(pointer);
        let pointer = pointer.unwrap_or_else(|| "/template_engine".to_owned());
        let part = match self.argument.as_deref() {
            // Made by the program.
            Some("system") => return self.diagnostic_at(pointer, None),
            Some(name) if NAMESPACES.contains(&name) => name,
            _ => "args",
        };
        let mut diagnostic =
            self.diagnostic_at(pointer, Some(&format!("{part} of the call document")));
        diagnostic.data = diagnostic
            .data
            .with_some(DataKey::Argument, self.key_in_args());
        diagnostic
    }

    /// The key in `args` whose value is missing.
    fn key_in_args(&self) -> Option<&str> {
        key_in_args(self.argument.as_deref()?, &self.expression)
    }

    /// The diagnostic of such an expression in a template at a pointer; `part` is where a name that is
    /// missing is set, if its user can set it.
    #[must_use]
    pub fn diagnostic_at(&self, pointer: String, part: Option<&str>) -> Diagnostic {
        let expression = self.expression.as_str();
        let place = self.source.as_ref();
        let place = place.map_or_else(String::new, |source| format!(" of {}", source.section));
        let effect = match self.kind {
            GapKind::Printed => "has no value and leaves a gap in the prompt",
            GapKind::Looped => "has no value, and its loop prints nothing",
        };
        let fix = match (&self.argument, part) {
            (Some(_), Some(part)) => format!(": set it in {part}"),
            _ => String::new(),
        };
        let suggestion = self.suggestion.as_ref();
        let name = suggestion.map(|suggestion| suggestion.name.as_str());
        let hint = hint(name);
        let section = self.source.as_ref().map(|source| &*source.section);
        Diagnostic::new(
            codes::EXPRESSION_GAP,
            Severity::Warning,
            format!("{expression}{place} {effect}{fix}{hint}"),
            pointer,
            DiagnosticData::of(DataKey::Name, expression)
                .with_some(DataKey::Section, section)
                .with_some(DataKey::Suggestion, name)
                .with_some(
                    DataKey::Replacement,
                    suggestion.map(|suggestion| suggestion.expression.as_str()),
                ),
        )
    }
}

/// A piece of a prompt.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PromptSpan {
    /// The text, never empty.
    pub text: String,
    /// Where it was authored; glue comes from nowhere.
    pub source: Option<Source>,
    /// The expression that printed it, when one did.
    pub expression: Option<String>,
    /// The keys in `args` that this expression takes its text from.
    #[serde(skip)]
    pub arguments: Vec<String>,
}

impl Prompt {
    /// Whether a registry's prompt is rendered.
    #[must_use]
    pub fn is_template(registry: &Registry) -> bool {
        registry.template_engine() == Some(JINJA)
    }

    /// The prompt of a registry: rendered with a context if the registry sets an engine.
    #[must_use]
    pub fn of(registry: &Registry, segments: &[Segment], context: &Map<String, Value>) -> Self {
        if Self::is_template(registry) {
            Self::rendered(segments, &[], context)
        } else {
            Self::plain(segments)
        }
    }

    /// The diagnostic of a prompt that is not rendered, at the field where it occurred. `segments`
    /// are the ones it was rendered from.
    #[must_use]
    pub fn diagnostic(&self, segments: &[Segment]) -> Option<Diagnostic> {
        let error = self.error.as_ref()?;
        // A value is no code; what stands for it is as long.
        let source: String = segments
            .iter()
            .map(|segment| match is_value(segment) {
                true => "0".repeat(segment.text.len()),
                false => segment.text.clone(),
            })
            .collect();
        let tag = error
            .offset
            .and_then(|offset| template::faulty_tag(&source, offset));
        let offset = tag.as_ref().map(|tag| tag.start).or(error.offset);
        let offset = offset.unwrap_or_default();
        let mut end = 0;
        let place = segments.iter().find(|segment| {
            end += segment.text.len();
            offset < end
        });
        let pointer = place
            .and_then(|segment| segment.source.as_ref())
            .map_or_else(|| "/template_engine".to_owned(), pointer);
        let found = tag.map(|tag| &source[tag]);
        let mut diagnostic = error.diagnostic(pointer);
        diagnostic.data = diagnostic
            .data
            .with_some(DataKey::Found, found)
            .with_some(DataKey::Argument, error.argument.as_deref());
        Some(diagnostic)
    }

    /// What is odd about the values that the prompt is rendered with.
    pub fn warnings(&self) -> impl Iterator<Item = Diagnostic> + '_ {
        let gaps = self.gaps.iter().map(PromptGap::diagnostic);
        gaps.chain(self.text_loops.iter().map(TextLoop::diagnostic))
    }

    /// One note for each name that the templates read and the context does not have, at the text that
    /// first reads it.
    #[must_use]
    pub fn unset(segments: &[Segment], context: &Map<String, Value>) -> Vec<Diagnostic> {
        let mut authored = segments.iter().filter(|segment| !is_value(segment));
        if !authored.any(|segment| segment.text.contains('{')) {
            return Vec::new();
        }
        let mut source = String::new();
        let mut ends = Vec::new();
        for segment in segments {
            // A value is no code, and its text may look like some.
            source.push_str(match is_value(segment) {
                true => "0",
                false => &segment.text,
            });
            ends.push(source.len());
        }
        let names = template::free_names(&source, &Limits::default());
        let unset = names.iter();
        let unset = unset.filter(|(name, _)| !context.contains_key(*name));
        unset
            .map(|(name, offset)| {
                let segment = segments.get(ends.partition_point(|end| end <= offset));
                let place = segment.and_then(|segment| segment.source.as_ref());
                let suggestion = nearest(name, context.keys().map(String::as_str));
                Diagnostic::new(
                    codes::ARGUMENT_UNSET,
                    Severity::Note,
                    format!(
                        "the name {name} has no value: set it in args of a call document{}",
                        hint(suggestion)
                    ),
                    place.map_or_else(|| "/template_engine".to_owned(), pointer),
                    DiagnosticData::of(DataKey::Name, name.as_str())
                        .with_some(DataKey::Argument, Some(name.as_str()))
                        .with_some(DataKey::Suggestion, suggestion),
                )
            })
            .collect()
    }

    /// The prompt as it was hydrated.
    #[must_use]
    pub fn plain(segments: &[Segment]) -> Self {
        Self {
            text: segments
                .iter()
                .map(|segment| segment.text.as_str())
                .collect(),
            spans: segments
                .iter()
                .map(|segment| PromptSpan {
                    text: segment.text.clone(),
                    source: segment.source.clone(),
                    expression: None,
                    arguments: Vec::new(),
                })
                .collect(),
            error: None,
            gaps: Vec::new(),
            text_loops: Vec::new(),
            empty: Vec::new(),
        }
    }

    /// The prompt as it was hydrated, with the places of these variables without a value.
    #[must_use]
    pub fn plain_with_gaps(segments: &[Segment], gaps: &[Gap]) -> Self {
        let place = |gap: &Gap| EmptyPlace {
            span: gap.segment,
            source: Some(gap.source.clone()),
            expression: None,
        };
        Self {
            empty: gaps.iter().map(place).collect(),
            ..Self::plain(segments)
        }
    }

    /// The prompt rendered with a context; the hydrated one, and the error, when that fails. `gaps` are
    /// the variables of the hydrated one without a value, in its order.
    #[must_use]
    pub fn rendered(segments: &[Segment], gaps: &[Gap], context: &Map<String, Value>) -> Self {
        let plain = Self::plain_with_gaps(segments, gaps);
        let Some(stand_in) = unused_character(&plain.text) else {
            return plain;
        };
        let mut source = String::with_capacity(plain.text.len());
        let mut starts = Vec::with_capacity(segments.len());
        let mut values = Vec::new();
        for segment in segments {
            starts.push(source.len());
            if is_value(segment) {
                source.push(stand_in);
                values.push((stand_in, segment.text.as_str()));
            } else {
                source.push_str(&segment.text);
            }
        }
        let limits = Limits::default().with_room_for(context);
        let rendering = template::render_with(&source, &values, context, &limits);
        if let Some(error) = rendering.error {
            return Self {
                error: Some(relocated(error, segments, &starts, &plain.text)),
                ..plain
            };
        }
        let template = Template {
            source: &source,
            segments,
            starts: &starts,
            gaps,
        };
        let Spans { made, empty, .. } = Spans::of(&template, &rendering);
        let found = rendering.gaps.into_iter().map(|gap| PromptGap {
            source: template.source_at(gap.range.start).cloned(),
            ..PromptGap::of(gap, &source)
        });
        let mut text_loops: Vec<TextLoop> = Vec::new();
        for looped in &rendering.text_loops {
            let found = TextLoop::of(looped, &source).filter(|found| {
                !text_loops
                    .iter()
                    .any(|known| known.expression == found.expression)
            });
            text_loops.extend(found.map(|found| TextLoop {
                source: template.source_at(looped.range.start).cloned(),
                ..found
            }));
        }
        Self {
            gaps: found.collect(),
            text_loops,
            spans: made,
            empty,
            text: rendering.output,
            error: None,
        }
    }
}

/// The key in `args` of an expression that begins with an argument; none for what the program makes.
fn key_in_args<'a>(argument: &'a str, expression: &'a str) -> Option<&'a str> {
    match argument {
        "args" => {
            let steps = expression.strip_prefix("args.")?;
            steps.split(['.', '[']).next().map(str::trim)
        }
        name if NAMESPACES.contains(&name) => None,
        name => Some(name),
    }
}

/// The pointer of a text.
fn pointer(source: &Source) -> String {
    let Source {
        section,
        item,
        field,
        ..
    } = source;
    match (source.fragment, source.entry) {
        (Some(fragment), _) => format!("/{section}/items/{item}/fragments/{fragment}/text"),
        (_, Some(entry)) => format!("/{section}/items/{item}/{field}/{entry}"),
        _ => format!("/{section}/items/{item}/{field}"),
    }
}

fn is_value(segment: &Segment) -> bool {
    segment
        .source
        .as_ref()
        .is_some_and(|source| source.variable.is_some())
}

/// A character of a private plane that the text doesn't hold.
fn unused_character(text: &str) -> Option<char> {
    ('\u{f0000}'..='\u{ffffd}').find(|&candidate| !text.contains(candidate))
}

/// The place of an error in the hydrated text, where values stand instead of their stand-ins.
fn relocated(
    mut error: TemplateError,
    segments: &[Segment],
    starts: &[usize],
    text: &str,
) -> TemplateError {
    let Some(offset) = error.offset else {
        return error;
    };
    let index = starts
        .partition_point(|&start| start <= offset)
        .saturating_sub(1);
    let before: usize = segments[..index.min(segments.len())]
        .iter()
        .map(|segment| segment.text.len())
        .sum();
    let within = match segments.get(index) {
        Some(segment) if !is_value(segment) => offset - starts[index],
        _ => 0,
    };
    let offset = before + within;
    if let Some((line, column)) = template::place(text, offset) {
        error.line = Some(line);
        error.column = Some(column);
        error.offset = Some(offset);
    }
    error
}

#[cfg(test)]
mod tests;
