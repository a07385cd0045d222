//! Exports as prompt files of other programs: dotprompt and Prompty.
//!
//! Such a file has one system prompt with variables. What a deck has beyond that is fixed as the call
//! sets it, and reported. Filled with the values of the call, the file prints the prompt of the call.

mod settings;
mod variables;

use std::collections::{BTreeMap, BTreeSet};

use promptdeck_json::abridged;

use self::{
    settings::{dotprompt, prompty},
    variables::Variables,
};
use crate::{
    hydrate::{
        Call, DropReason, Engine, HydrateError, Hydration, JINJA, Origin, Part, TokenOutcome,
        resolve_section,
    },
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

/// A prompt file, and what it does not say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PromptFile {
    /// The file.
    pub text: String,
    /// What the file does not say, each in one line.
    pub omissions: Vec<String>,
}

/// The prompt file of a call: its prompt, with the template variables left open and their values as
/// defaults.
///
/// # Errors
///
/// [`HydrateError`] if the call names an unknown route.
pub fn prompt_file(
    engine: &Engine,
    call: &Call<'_>,
    format: PromptFileFormat,
) -> Result<PromptFile, HydrateError> {
    let registry = engine.registry();
    let variables = Variables::of(registry, call.state);
    let hydration = variables.hydrate(engine, call)?;
    let mut writer = Writer {
        format,
        // Double braces of a Jinja registry are expressions already.
        jinja: registry.template_engine() == Some(JINJA),
        text: String::new(),
        omissions: BTreeSet::new(),
    };
    let mut used = BTreeMap::new();
    for segment in &hydration.segments {
        let source = segment.source.as_ref();
        let variable =
            source.and_then(|source| Some((&*source.section, source.variable.as_deref()?)));
        match variable.and_then(|(section, name)| variables.get(section, name)) {
            Some(variable) => {
                writer.text.push_str(&format!("{{{{{}}}}}", variable.name));
                used.insert(variable.name.clone(), variable.value.clone());
            }
            None => writer.literal(&segment.text),
        }
    }
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
    for omission in conditions(registry, &hydration) {
        writer.omit(omission);
    }
    let printed: BTreeSet<&str> = hydration
        .segments
        .iter()
        .filter_map(|segment| Some(segment.source.as_ref()?.section.as_str()))
        .collect();
    for (section, evaluation) in &hydration.evaluation.sections {
        if evaluation.origin == Origin::Random && printed.contains(section.as_str()) {
            writer.omit(format!(
                "section {section:?} is rolled: the file has the item of this seed"
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
    Ok(writer.finish(registry, call.route, &used))
}

/// What the file does not say of the fragments with conditions, which are fixed as the call sets them.
fn conditions(registry: &Registry, hydration: &Hydration) -> Vec<String> {
    let sources = || {
        let segments = hydration.segments.iter();
        segments.filter_map(|segment| segment.source.as_ref())
    };
    let printed: BTreeSet<(&str, usize, usize)> = sources()
        .filter_map(|source| Some((&*source.section, source.item, source.fragment?)))
        .collect();
    // Fragments are a part of an item's text, which prints nothing if all its parts do.
    let texts: BTreeSet<(&str, usize)> = sources()
        .filter(|source| source.field == "text" && source.part != Part::Injection)
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
                let Some(variable) = fragment.if_var.filter(|_| is_used) else {
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

struct Writer {
    format: PromptFileFormat,
    jinja: bool,
    text: String,
    omissions: BTreeSet<String>,
}

impl Writer {
    fn omit(&mut self, omission: String) {
        self.omissions.insert(omission);
    }

    /// Writes a text that is no variable, what the format would read in it escaped.
    fn literal(&mut self, text: &str) {
        match (self.format, self.jinja) {
            (PromptFileFormat::Prompty, true) => self.text.push_str(text),
            (PromptFileFormat::Prompty, false) => {
                let mut rest = text;
                while let Some(at) = rest.find('{') {
                    let pair = rest[at..]
                        .get(..2)
                        .filter(|pair| ["{{", "{%", "{#"].contains(pair));
                    let length = pair.map_or(1, str::len);
                    self.text.push_str(&rest[..at]);
                    match pair {
                        Some(pair) => self.text.push_str(&format!("{{{{ '{pair}' }}}}")),
                        None => self.text.push('{'),
                    }
                    rest = &rest[at + length..];
                }
                self.text.push_str(rest);
            }
            (PromptFileFormat::Dotprompt, jinja) => {
                if jinja && ["{{", "{%", "{#"].iter().any(|open| text.contains(open)) {
                    self.omit(
                        "Jinja: dotprompt is Handlebars, which prints it as written".to_owned(),
                    );
                }
                self.text.push_str(&text.replace("{{", "\\{{"));
            }
        }
    }

    fn finish(
        mut self,
        registry: &Registry,
        route: Option<&str>,
        variables: &BTreeMap<String, Option<String>>,
    ) -> PromptFile {
        let role = |line: &str| {
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
        };
        if self.format == PromptFileFormat::Prompty && self.text.lines().any(role) {
            self.omit("a line such as `user:` begins a message in Prompty".to_owned());
        }
        let mut generation = registry.generation().clone();
        let route = route.and_then(|route| registry.routes().get(route));
        generation.extend(route.into_iter().flat_map(|route| route.generation.clone()));
        let settings = match self.format {
            PromptFileFormat::Dotprompt => dotprompt(registry, &mut generation, variables),
            PromptFileFormat::Prompty => prompty(registry, &mut generation, variables),
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
            text: format!("---\n{settings}---\n{role}\n{}\n", self.text),
            omissions: self.omissions.into_iter().collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        hydrate::{Seed, State},
        import::prompt_file::{import_dotprompt, import_prompty},
        registry::parse,
    };

    const DECK: &str = r#"{
        "title": "Desk \"7\"",
        "assembly_order": ["role", "rules", "mood"],
        "role": {"items": [{"id": "a", "text": "You help {name} of {place}, {\"a\": {x}}."}],
                 "template_vars": ["name", "place"], "template_var_defaults": {"place": "Bern"}},
        "rules": {"items": [{"id": "a", "pre_context": "Rules:", "items": ["be kind", "for {name}"]}],
                  "template_vars": ["name"], "template_var_defaults": {"name": "Ada"}},
        "mood": {"section_random": true, "items": [{"id": "a", "text": "Dry."}, {"id": "b", "text": "Dry."}]},
        "generation": {"model": "m", "temperature": 0.5, "retries": 2}
    }"#;

    fn export(deck: &str, format: PromptFileFormat) -> PromptFile {
        let engine = Engine::new(parse(deck.as_bytes()).expect("a registry").registry);
        let call = Call {
            state: &State::default(),
            route: None,
            seed: Seed::from_bits(1),
        };
        prompt_file(&engine, &call, format).expect("a file")
    }

    fn prompt(deck: &str) -> String {
        let engine = Engine::new(parse(deck.as_bytes()).expect("a registry").registry);
        let call = Call {
            state: &State::default(),
            route: None,
            seed: Seed::from_bits(1),
        };
        engine.hydrate_text(&call).expect("a prompt")
    }

    #[test]
    fn exports_print_the_same_after_an_import() {
        for format in [PromptFileFormat::Dotprompt, PromptFileFormat::Prompty] {
            let file = export(DECK, format);
            assert_eq!(
                file.omissions,
                [
                    "section \"mood\" is rolled: the file has the item of this seed",
                    "the generation setting \"retries\"",
                ]
            );
            let import = match format {
                PromptFileFormat::Dotprompt => import_dotprompt(file.text.as_bytes()),
                PromptFileFormat::Prompty => import_prompty(file.text.as_bytes()),
            };
            let import = import.expect("a deck");
            assert_eq!(prompt(&import.text), prompt(DECK), "{}", file.text);
            let again = export(&import.text, format);
            let body = |text: &str| text.rsplit_once("---\n").expect("settings").1.to_owned();
            assert_eq!(body(&again.text), body(&file.text));
        }
    }

    #[test]
    fn conditions_are_fixed_as_the_call_sets_them() {
        let deck = |default: &str| {
            format!(
                r#"{{"assembly_order": ["a.text", "b.text", "c.text"],
                "a": {{"template_vars": ["weather", "name"], "template_var_defaults": {{{default}}},
                     "items": [{{"id": "x", "text": "Base.", "fragments": [
                         {{"if_var": "weather", "text": "It is {{weather}}, {{name}}."}},
                         {{"text": "Always."}}]}}]}},
                "b": {{"template_vars": ["mood"], "items": [{{"id": "x", "text": "Be {{mood}}!", "fragments": [
                         {{"if_var": "mood", "text": "Smile."}}]}}]}},
                "c": {{"template_vars": ["only"], "items": [{{"id": "x", "text": "", "fragments": [
                         {{"if_var": "only", "text": "Hat."}}]}}]}}}}"#
            )
        };
        for (default, text, condition) in [
            (
                "",
                "Base. Always.\n\nBe !",
                "a fragment of section \"a\", which this call does not print, as \"weather\" has \
                 no value: \"It is {weather}, {name}.\"",
            ),
            (
                r#""weather": "sunny""#,
                "Base. It is sunny, . Always.\n\nBe !",
                "the condition of a fragment of section \"a\", which the file prints with any \
                 \"weather\": \"It is {weather}, {name}.\"",
            ),
        ] {
            let deck = deck(default);
            assert_eq!(prompt(&deck), text);
            for format in [PromptFileFormat::Dotprompt, PromptFileFormat::Prompty] {
                let file = export(&deck, format);
                let import = match format {
                    PromptFileFormat::Dotprompt => import_dotprompt(file.text.as_bytes()),
                    PromptFileFormat::Prompty => import_prompty(file.text.as_bytes()),
                };
                let import = import.expect("a deck");
                assert_eq!(prompt(&import.text), text, "{}", file.text);
                assert_eq!(file.text.contains("{{name}}"), !default.is_empty());
                assert_eq!(
                    file.omissions,
                    [
                        "a fragment of section \"b\", which this call does not print, as \
                         \"mood\" has no value: \"Smile.\"",
                        "a fragment of section \"c\", which this call does not print, as \
                         \"only\" has no value: \"Hat.\"",
                    ]
                    .into_iter()
                    .chain([condition])
                    .chain([
                        "the variable \"mood\" of section \"b\": it has no value in this call, \
                         and a value would print other texts too",
                    ])
                    .collect::<BTreeSet<_>>()
                    .into_iter()
                    .collect::<Vec<_>>()
                );
            }
        }
    }

    #[test]
    fn a_variable_without_a_value_that_is_a_whole_text_stays_empty() {
        let deck = r#"{"assembly_order": ["a", "b"],
            "a": {"template_vars": ["x"], "items": [{"id": "a", "text": "{x}"}]},
            "b": {"items": [{"id": "a", "text": "End."}]}}"#;
        let file = export(deck, PromptFileFormat::Dotprompt);
        assert!(file.text.ends_with("\nEnd.\n"), "{}", file.text);
    }

    #[test]
    fn what_the_format_would_read_is_escaped() {
        let deck = r#"{"assembly_order": ["a"], "a": {"items": [{"id": "a", "text": "x {{y}} {% z %}"}]}}"#;
        let dotprompt = export(deck, PromptFileFormat::Dotprompt).text;
        assert!(dotprompt.ends_with("x \\{{y}} {% z %}\n"), "{dotprompt}");
        let import = import_dotprompt(dotprompt.as_bytes()).expect("a deck");
        assert_eq!(prompt(&import.text), "x {{y}} {% z %}");
        let prompty = export(deck, PromptFileFormat::Prompty).text;
        assert!(
            prompty.ends_with("x {{ '{{' }}y}} {{ '{%' }} z %}\n"),
            "{prompty}"
        );
    }
}
