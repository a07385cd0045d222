//! Exports as prompt files of other programs: dotprompt and Prompty.
//!
//! Such a file has one system prompt with variables, with fragments that print if a variable has a
//! value, and behind it the messages of the call. What a deck has beyond that is fixed as the call sets
//! it, and reported. Filled with the values of the call, the file prints the prompt of the call.

mod conditions;
mod conversation;
mod settings;
mod variables;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use promptdeck_json::abridged;
use serde_json::{Map, Value};

use self::{
    conditions::{Conditional, conditional},
    conversation::Conversation,
    settings::{dotprompt, prompty},
    variables::{Variable, Variables},
};
use crate::{
    hydrate::{
        Call, DropReason, Engine, HydrateError, JINJA, Origin, Part, Segment, TextOrigin,
        TokenOutcome, resolve_section,
    },
    import::prompt_file::{TemplateEngine, names_read},
    registry::Registry,
};

/// A format of prompt files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PromptFileFormat {
    /// dotprompt, a Handlebars template below its settings.
    Dotprompt,
    /// Prompty, a Jinja template below its settings.
    Prompty,
}

impl PromptFileFormat {
    fn engine(self) -> TemplateEngine {
        match self {
            Self::Dotprompt => TemplateEngine::Handlebars,
            Self::Prompty => TemplateEngine::Jinja,
        }
    }
}

/// A prompt file, and what it does not say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PromptFile {
    /// The file.
    pub text: String,
    /// What the file does not say, each in one line.
    pub omissions: Vec<String>,
}

/// The prompt file of a call: its prompt, with the template variables left open and their values as
/// defaults. Of the `document`, the fields of a call document, it has the messages and arguments.
///
/// # Errors
///
/// [`HydrateError`] if the call names an unknown route.
pub fn prompt_file(
    engine: &Engine,
    call: &Call<'_>,
    document: &Map<String, Value>,
    format: PromptFileFormat,
) -> Result<PromptFile, HydrateError> {
    let registry = engine.registry();
    let variables = Variables::of(registry, call.state, format.engine());
    let open = variables.hydrate(engine, call)?;
    // Double braces of a Jinja registry are expressions already, and its statements could cross ours.
    let jinja = registry.template_engine() == Some(JINJA);
    let mut prompt = match jinja {
        true => Conditional::fixed(&open),
        false => conditional(engine, call, &variables, &open)?,
    };
    let write = |prompt: &Conditional| {
        let mut writer = Writer::new(format, jinja);
        writer.prompt(prompt, &variables);
        writer.flush();
        writer
    };
    let mut writer = write(&prompt);
    if !writer.tags_are_read() {
        prompt = Conditional::fixed(&open);
        writer = write(&prompt);
    }
    writer.conversation(Conversation::of(document));
    let hydration = &prompt.hydration;
    let closed = hydration.gaps.iter().map(|gap| &gap.source);
    for source in closed {
        if let Some(name) = &source.variable {
            writer.omit(format!(
                "the variable {name:?} of section {:?}: it has no value in this call, and a value \
                 would print other texts too",
                source.section
            ));
        }
    }
    if open.is_spaced {
        writer.omit(
            "the deck cuts whitespace beside a variable without a value: the file prints it"
                .to_owned(),
        );
    }
    for omission in fixed_conditions(registry, &prompt, &variables) {
        writer.omit(omission);
    }
    let printed: BTreeSet<&str> = hydration
        .segments
        .iter()
        .filter_map(|segment| Some(&*segment.source.as_ref()?.section))
        .collect();
    let sliders: BTreeSet<&str> = hydration
        .segments
        .iter()
        .filter(|segment| segment.origin == Some(TextOrigin::Slider))
        .filter_map(|segment| Some(&*segment.source.as_ref()?.section))
        .collect();
    for (section, evaluation) in &hydration.evaluation.sections {
        if evaluation.origin == Origin::Random && printed.contains(section.as_str()) {
            writer.omit(format!(
                "section {section:?} is rolled: the file has the item of this seed"
            ));
        }
        if evaluation.slider.origin == Origin::Random && sliders.contains(section.as_str()) {
            writer.omit(format!(
                "the slider of section {section:?} is rolled: the file has the value of this seed"
            ));
        }
    }
    if hydration
        .evaluation
        .arrays
        .iter()
        .any(|array| array.origin == Origin::Random)
    {
        writer.omit("rolled entries of lists: the file has those of this seed".to_owned());
    }
    if !registry.output_policy().is_empty() {
        writer.omit("the output policy".to_owned());
    }
    if !registry.routes().is_empty() {
        writer.omit("routes: the file has the prompt of one".to_owned());
    }
    Ok(writer.finish(registry, call.route))
}

/// What the file does not say of the fragments whose conditions are fixed as the call sets them.
fn fixed_conditions(
    registry: &Registry,
    prompt: &Conditional,
    variables: &Variables,
) -> Vec<String> {
    let hydration = &prompt.hydration;
    let is_named_in_prompt = |section: &str, variable: &str| {
        let variable = variables.get(section, variable);
        variable.is_some_and(|variable| prompt.names.contains(&variable.name))
    };
    let sources = || {
        let segments = hydration.segments.iter();
        segments.filter_map(|segment| segment.source.as_ref())
    };
    let printed: BTreeSet<(&str, usize, usize)> = sources()
        .filter_map(|source| Some((&*source.section, source.item, source.fragment?)))
        .collect();
    // Fragments are a part of an item's text, which prints nothing if all its parts do.
    let texts: BTreeSet<(&str, usize)> = sources()
        .filter(|source| *source.field == *"text" && source.part != Part::Injection)
        .map(|source| (&*source.section, source.item))
        .collect();
    let blank: BTreeSet<&str> = hydration
        .tokens
        .iter()
        .filter(|token| {
            let reason = DropReason::Blank;
            token.outcome == TokenOutcome::Dropped { reason }
        })
        .filter_map(|token| {
            let name = token.token.split(['.', '[']).next()?;
            resolve_section(name, |name| registry.section(name).is_some())
        })
        .collect();
    let mut omissions = Vec::new();
    for (name, evaluation) in &hydration.evaluation.sections {
        let Some(section) = registry.section(name) else {
            continue;
        };
        for index in evaluation.items.iter().map(|item| item.index) {
            let is_used = texts.contains(&(name, index)) || blank.contains(&**name);
            for (number, fragment) in section.items()[index].fragments().enumerate() {
                let Some(variable) = fragment
                    .if_var
                    .filter(|variable| is_used && !is_named_in_prompt(name, variable))
                else {
                    continue;
                };
                let text = abridged(fragment.text);
                omissions.push(match printed.contains(&(name, index, number)) {
                    true => format!(
                        "the condition of a fragment of section {name:?}, which the file prints \
                         with any {variable:?}: {text:?}"
                    ),
                    false => format!(
                        "a fragment of section {name:?}, which this call does not print, as \
                         {variable:?} has no value: {text:?}"
                    ),
                });
            }
        }
    }
    omissions
}

/// A variable of the file.
struct Input {
    value: Option<String>,
    /// Whether the file prints something else without it.
    is_optional: bool,
}

struct Writer {
    format: PromptFileFormat,
    jinja: bool,
    text: String,
    /// Text at the end that is no variable, before it is escaped.
    literal: String,
    /// The messages behind the prompt.
    messages: String,
    /// The bytes of each tag of a condition.
    tags: Vec<Range<usize>>,
    inputs: BTreeMap<String, Input>,
    omissions: BTreeSet<String>,
}

impl Writer {
    fn new(format: PromptFileFormat, jinja: bool) -> Self {
        Self {
            format,
            jinja,
            text: String::new(),
            literal: String::new(),
            messages: String::new(),
            tags: Vec::new(),
            inputs: BTreeMap::new(),
            omissions: BTreeSet::new(),
        }
    }

    fn prompt(&mut self, prompt: &Conditional, variables: &Variables) {
        let mut needed: &[String] = &[];
        let segments = &prompt.hydration.segments;
        for (index, (segment, needs)) in segments.iter().zip(&prompt.needs).enumerate() {
            if needed != needs {
                self.close(needed);
                self.open(needs);
                needed = needs;
            }
            match variables.printed_by(segment) {
                Some(variable) => {
                    let next = segments.get(index + 1);
                    let is_closed = next.is_some_and(|next| next.text.starts_with('}'));
                    self.variable(variable, segment, is_closed);
                }
                None => self.literal.push_str(&segment.text),
            }
        }
        self.close(needed);
        for name in &prompt.names {
            let value = variables
                .named(name)
                .find_map(|variable| variable.value.clone());
            self.input(name, value, true);
        }
    }

    /// Writes a variable; `is_closed` if a closing brace follows it.
    fn variable(&mut self, variable: &Variable, segment: &Segment, is_closed: bool) {
        let name = &variable.name;
        let is_dotprompt = self.format == PromptFileFormat::Dotprompt;
        // Of three braces, or behind a backslash, Handlebars reads another expression.
        if is_dotprompt && self.literal.ends_with(['{', '\\']) {
            if variable.value.is_some() {
                self.literal.push_str(&segment.text);
            }
            self.omit(format!(
                "a place of the variable {name:?}, which has its text there: dotprompt would read \
                 the character before it as a part of the expression"
            ));
            return;
        }
        let is_opened = self.literal.ends_with('{');
        if is_opened {
            self.literal.pop();
        }
        self.flush();
        if is_opened {
            self.text.push_str("{{ '{' }}");
        }
        self.text.push_str(&match is_dotprompt && is_closed {
            // The same in dotprompt, which escapes nothing; `}}}` ends no expression of two braces.
            true => format!("{{{{{{{name}}}}}}}"),
            false => format!("{{{{{name}}}}}"),
        });
        self.input(name, variable.value.clone(), false);
    }

    fn input(&mut self, name: &str, value: Option<String>, is_optional: bool) {
        self.inputs
            .insert(name.to_owned(), Input { value, is_optional });
    }

    fn open(&mut self, needs: &[String]) {
        for name in needs {
            self.tag(&match self.format {
                PromptFileFormat::Dotprompt => format!("{{{{#if {name}}}}}"),
                PromptFileFormat::Prompty => format!("{{% if {name} %}}"),
            });
        }
    }

    fn close(&mut self, needs: &[String]) {
        for _ in needs {
            self.tag(match self.format {
                PromptFileFormat::Dotprompt => "{{/if}}",
                PromptFileFormat::Prompty => "{% endif %}",
            });
        }
    }

    fn tag(&mut self, tag: &str) {
        self.flush();
        let start = self.text.len();
        self.text.push_str(tag);
        self.tags.push(start..self.text.len());
    }

    /// Whether the format reads the tags as tags and prints the text around them as it is.
    fn tags_are_read(&self) -> bool {
        let is_apart = |tag: &Range<usize>| {
            !self.text[..tag.start].ends_with(['{', '\\']) && !self.text[tag.end..].starts_with('}')
        };
        // Handlebars takes a line away that holds tags alone.
        let is_in_text = |tag: &Range<usize>| {
            let start = self.text[..tag.start].rfind('\n').map_or(0, |at| at + 1);
            let end = self.text[tag.end..].find('\n');
            let end = end.map_or(self.text.len(), |at| tag.end + at);
            let is_text = |at: usize| !self.tags.iter().any(|tag| tag.contains(&at));
            let mut line = self.text[start..end].char_indices();
            line.any(|(at, next)| !next.is_whitespace() && is_text(start + at))
        };
        let is_read = |tag| match self.format {
            PromptFileFormat::Dotprompt => is_apart(tag) && is_in_text(tag),
            PromptFileFormat::Prompty => is_apart(tag),
        };
        self.tags.iter().all(is_read)
    }

    fn omit(&mut self, omission: String) {
        self.omissions.insert(omission);
    }

    /// Writes the text that is no variable.
    fn flush(&mut self) {
        let text = std::mem::take(&mut self.literal);
        if !self.jinja {
            self.text.push_str(&escaped(self.format, &text));
            return;
        }
        if self.format == PromptFileFormat::Prompty {
            self.text.push_str(&text);
            return;
        }
        if ["{{", "{%", "{#"].iter().any(|open| text.contains(open)) {
            self.omit("Jinja: dotprompt is Handlebars, which prints it as written".to_owned());
        }
        self.text.push_str(&escaped(self.format, &text));
    }

    /// Writes the messages and arguments of a call.
    fn conversation(&mut self, conversation: Conversation<'_>) {
        for (role, text) in &conversation.messages {
            let role = match self.format {
                PromptFileFormat::Dotprompt => match *role {
                    "assistant" => "{{role \"model\"}}".to_owned(),
                    role => format!("{{{{role \"{role}\"}}}}"),
                },
                PromptFileFormat::Prompty => format!("\n{role}:"),
            };
            if self.format == PromptFileFormat::Prompty && begins_message(text) {
                self.omit(MESSAGE_LINE.to_owned());
            }
            let text = escaped(self.format, text);
            self.messages.push_str(&format!("{role}\n{text}\n"));
        }
        for omission in conversation.omissions {
            self.omit(omission);
        }
        let mut arguments = conversation.arguments;
        if self.format == PromptFileFormat::Dotprompt || !self.jinja {
            for name in arguments.keys() {
                self.omit(format!("the argument {name:?} of the call"));
            }
            return;
        }
        for name in names_read(&self.text) {
            let value = arguments.remove(name.as_str());
            self.inputs.entry(name).or_insert(Input {
                value,
                is_optional: true,
            });
        }
        for (name, value) in arguments {
            let name = name.to_owned();
            self.inputs.entry(name).or_insert(Input {
                value: Some(value),
                is_optional: true,
            });
        }
    }

    fn finish(mut self, registry: &Registry, route: Option<&str>) -> PromptFile {
        if self.format == PromptFileFormat::Prompty && begins_message(&self.text) {
            self.omit(MESSAGE_LINE.to_owned());
        }
        let mut generation = registry.generation().clone();
        let route = route.and_then(|route| registry.routes().get(route));
        generation.extend(route.into_iter().flat_map(|route| route.generation.clone()));
        let settings = match self.format {
            PromptFileFormat::Dotprompt => dotprompt(registry, &mut generation, &self.inputs),
            PromptFileFormat::Prompty => prompty(registry, &mut generation, &self.inputs),
        };
        for key in generation.keys() {
            self.omissions
                .insert(format!("the generation setting {key:?}"));
        }
        let role = match self.format {
            PromptFileFormat::Dotprompt => "{{role \"system\"}}",
            PromptFileFormat::Prompty => "system:",
        };
        PromptFile {
            text: format!(
                "---\n{settings}---\n{role}\n{}\n{}",
                self.text, self.messages
            ),
            omissions: self.omissions.into_iter().collect(),
        }
    }
}

/// What the file does not say of a text that has such a line.
const MESSAGE_LINE: &str = "a line such as `user:` begins a message in Prompty";

/// Whether a line of a text would begin a message in Prompty.
fn begins_message(text: &str) -> bool {
    text.lines().any(|line| {
        let name = line
            .trim()
            .trim_start_matches('#')
            .trim_start()
            .strip_suffix(':');
        let roles = [
            "system",
            "user",
            "assistant",
            "function",
            "developer",
            "tool",
        ];
        name.is_some_and(|name| roles.contains(&name.trim().to_lowercase().as_str()))
    })
}

/// A text with what the format would read in it escaped.
fn escaped(format: PromptFileFormat, text: &str) -> String {
    if format == PromptFileFormat::Dotprompt {
        return text.replace("{{", "\\{{");
    }
    let mut escaped = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('{') {
        let pair = rest[at..]
            .get(..2)
            .filter(|pair| ["{{", "{%", "{#"].contains(pair));
        let length = pair.map_or(1, str::len);
        escaped.push_str(&rest[..at]);
        match pair {
            Some(pair) => escaped.push_str(&format!("{{{{ '{pair}' }}}}")),
            None => escaped.push('{'),
        }
        rest = &rest[at + length..];
    }
    escaped + rest
}

#[cfg(test)]
mod tests;
