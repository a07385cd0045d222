//! Exports as prompt files of other programs: dotprompt and Prompty.
//!
//! Such a file has one system prompt with variables. What a deck has beyond that is fixed as the call
//! sets it, and reported.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::{
    hydrate::{Call, Engine, HydrateError, JINJA, Origin, Part, State},
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

/// Generation settings, and what the formats call them.
const PARAMETERS: [(&str, &str, &str); 4] = [
    ("temperature", "temperature", "temperature"),
    ("top_p", "topP", "top_p"),
    ("top_k", "topK", "top_k"),
    ("max_tokens", "maxOutputTokens", "max_tokens"),
];

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
    let mut variables = Variables::of(registry, call.state);
    let state = variables.state(call.state);
    let hydration = engine.hydrate(&Call {
        state: &state,
        route: call.route,
        seed: call.seed,
    })?;
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
        if source.is_some_and(|source| source.part == Part::Fragment) {
            writer.omit("fragments: their conditions are fixed as this call sets them".to_owned());
        }
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

/// One template variable.
struct Variable {
    /// Its name in the file.
    name: String,
    /// Its value in the call, or its default.
    value: Option<String>,
}

/// The template variables of a registry, by section and name.
struct Variables(BTreeMap<(String, String), Variable>);

impl Variables {
    /// Names them for the file: variables of one name and value are one.
    fn of(registry: &Registry, state: &State) -> Self {
        let mut given: BTreeMap<String, Option<String>> = BTreeMap::new();
        let mut variables = BTreeMap::new();
        for section in registry.canonical_sections() {
            for own in section.template_vars() {
                let key = format!("{}::{own}", section.name());
                let set = state
                    .template_vars
                    .get(&key)
                    .filter(|text| !text.is_empty());
                let default = section.defaults().template_var_defaults.get(own);
                let placeholder = format!("{{{own}}}");
                // A default that is the name in braces stands for none.
                let value =
                    set.or(default.filter(|text| !text.is_empty() && **text != placeholder));
                let base = identifier(own);
                let mut name = base.clone();
                if given
                    .get(&name)
                    .is_some_and(|other| *other != value.cloned())
                {
                    name = format!("{}_{base}", identifier(section.name()));
                }
                given.insert(name.clone(), value.cloned());
                let variable = Variable {
                    name,
                    value: value.cloned(),
                };
                variables.insert((section.name().to_owned(), own.clone()), variable);
            }
        }
        Self(variables)
    }

    fn get(&self, section: &str, name: &str) -> Option<&Variable> {
        self.0.get(&(section.to_owned(), name.to_owned()))
    }

    /// The state of the call, in which each variable has a text: an empty one would leave no place.
    fn state(&mut self, state: &State) -> State {
        let mut state = state.clone();
        for ((section, name), variable) in &self.0 {
            let text = variable
                .value
                .clone()
                .unwrap_or_else(|| format!("{{{name}}}"));
            state
                .template_vars
                .insert(format!("{section}::{name}"), text);
        }
        state
    }
}

/// A name that template engines can read.
fn identifier(name: &str) -> String {
    let part = |next: char| if next.is_alphanumeric() { next } else { '_' };
    let name: String = name.chars().map(part).collect();
    match name.starts_with(|first: char| first.is_ascii_digit()) {
        true => format!("_{name}"),
        false => name,
    }
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

fn dotprompt(
    registry: &Registry,
    generation: &mut Map<String, Value>,
    variables: &BTreeMap<String, Option<String>>,
) -> String {
    let mut yaml = head(registry);
    if let Some(Value::String(model)) = generation.shift_remove("model") {
        yaml.push_str(&format!("model: {}\n", text(&model)));
    }
    let parameters = parameters(generation, "  ", |(_, theirs, _)| theirs);
    if !parameters.is_empty() {
        yaml.push_str("config:\n");
        yaml.push_str(&parameters);
    }
    if !variables.is_empty() {
        yaml.push_str("input:\n  schema:\n");
        for name in variables.keys() {
            yaml.push_str(&format!("    {}: string\n", text(name)));
        }
        let mut defaults = variables
            .iter()
            .filter_map(|(name, value)| Some((name, value.as_ref()?)))
            .peekable();
        if defaults.peek().is_some() {
            yaml.push_str("  default:\n");
        }
        for (name, value) in defaults {
            yaml.push_str(&format!("    {}: {}\n", text(name), text(value)));
        }
    }
    yaml
}

fn prompty(
    registry: &Registry,
    generation: &mut Map<String, Value>,
    variables: &BTreeMap<String, Option<String>>,
) -> String {
    let mut yaml = head(registry);
    let model = generation.shift_remove("model");
    let parameters = parameters(generation, "    ", |(.., theirs)| theirs);
    if model.is_some() || !parameters.is_empty() {
        yaml.push_str("model:\n  api: chat\n");
    }
    if let Some(Value::String(model)) = model {
        yaml.push_str(&format!("  id: {}\n", text(&model)));
    }
    if !parameters.is_empty() {
        yaml.push_str("  parameters:\n");
        yaml.push_str(&parameters);
    }
    if !variables.is_empty() {
        yaml.push_str("inputs:\n");
        for (name, value) in variables {
            yaml.push_str(&format!("  {}:\n    type: string\n", text(name)));
            if let Some(value) = value {
                yaml.push_str(&format!("    default: {}\n", text(value)));
            }
        }
    }
    yaml
}

fn head(registry: &Registry) -> String {
    let mut yaml = String::new();
    for (key, value) in [
        ("name", registry.title()),
        ("description", registry.description()),
    ] {
        if let Some(value) = value {
            yaml.push_str(&format!("{key}: {}\n", text(value)));
        }
    }
    yaml
}

/// Takes the parameters that a format has from the settings.
fn parameters<'n>(
    generation: &mut Map<String, Value>,
    indent: &str,
    name: impl Fn((&'n str, &'n str, &'n str)) -> &'n str,
) -> String {
    let mut yaml = String::new();
    for own in PARAMETERS {
        if let Some(value @ Value::Number(_)) = generation.shift_remove(own.0) {
            yaml.push_str(&format!("{indent}{}: {value}\n", name(own)));
        }
    }
    yaml
}

/// A text as YAML: every JSON string is one.
fn text(text: &str) -> String {
    Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        hydrate::Seed,
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
