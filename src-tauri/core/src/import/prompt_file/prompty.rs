//! Prompty: YAML settings and a Jinja or Mustache template, its messages begun by lines with a role
//! and a colon.

use std::collections::BTreeMap;

use promptdeck_json::nearest::nearest;
use serde_json::{Map, Value};

use super::{
    RoleText, TemplateEngine, deck, finish,
    front_matter::PromptFile,
    settings::{Settings, add_values, has_values},
};
use crate::{
    import::{ConversionStatus, Import, ReportEntry, SourceFormat, deck::Deck, text_input},
    registry::ParseError,
};

/// The roles of lines, and those of messages.
const ROLES: [(&str, &str); 6] = [
    ("system", "system"),
    ("developer", "system"),
    ("user", "user"),
    ("assistant", "assistant"),
    ("function", "tool"),
    ("tool", "tool"),
];

/// Settings of a call that a registry does not have.
const LEFT_OUT: [&str; 4] = ["tools", "outputs", "outputSchema", "output"];

/// The settings with values of variables.
const INPUTS: [&str; 3] = ["inputs", "inputSchema", "sample"];

/// The deck of a Prompty file.
///
/// # Errors
///
/// With a position: YAML that is not valid or out of bounds, and templates without a text.
pub fn import(bytes: &[u8]) -> Result<Import, ParseError> {
    let text = text_input::read(bytes)?;
    let file = PromptFile::read(&text)?;
    let mut settings = file.settings.clone();
    let inputs = settings.clone();
    let values = values(&mut settings);
    let engine = engine(&settings);
    let mut deck = deck(&file, messages(file.body), engine, &values)?;
    // What no text of the template uses, and what inputs are described by.
    for key in INPUTS {
        if let Some(input) = inputs.get(key)
            && !has_values(&deck, input)
        {
            settings.insert(key.to_owned(), input.clone());
        }
    }
    let mut deck_settings = Settings::new(&mut deck);
    deck_settings.text(&mut settings, "name", "title");
    deck_settings.text(&mut settings, "description", "description");
    match settings.shift_remove("model") {
        Some(Value::String(model)) => deck_settings.model(&model),
        Some(Value::Object(model)) => self::model(&mut deck_settings, model),
        Some(_) => deck_settings.left_out(&["model"]),
        None => {}
    }
    for key in LEFT_OUT {
        if settings.shift_remove(key).is_some() {
            deck_settings.left_out(&[key]);
        }
    }
    settings.shift_remove("template");
    settings.shift_remove("parser");
    deck_settings.metadata(settings);
    deck_settings.finish();
    misspelled_roles(&file, &mut deck);
    unread_parts(&file, &mut deck);
    Ok(finish(&file, deck, SourceFormat::Prompty))
}

/// What the file fills its inputs with: the values of `sample` before the defaults.
fn values(settings: &mut Map<String, Value>) -> BTreeMap<String, String> {
    let mut values = BTreeMap::new();
    let input_value = |input: &Value| {
        let keys = ["default", "sample", "example"].into_iter();
        keys.filter_map(|key| input.get(key))
            .find(|value| !value.is_null())
            .cloned()
    };
    for key in ["inputs", "inputSchema"] {
        let Some(inputs) = settings.shift_remove(key) else {
            continue;
        };
        let inputs = match inputs {
            Value::Object(mut members) => match members.shift_remove("properties") {
                Some(properties) => properties,
                None => Value::Object(members),
            },
            other => other,
        };
        match inputs {
            Value::Object(inputs) => {
                for (name, input) in inputs {
                    let value = if input.is_object() {
                        input_value(&input)
                    } else {
                        Some(input)
                    };
                    add_values(&mut values, &name, &value.unwrap_or_default());
                }
            }
            Value::Array(inputs) => {
                for input in inputs {
                    if let (Some(name), Some(value)) = (
                        input.get("name").and_then(Value::as_str),
                        input_value(&input),
                    ) {
                        add_values(&mut values, name, &value);
                    }
                }
            }
            _ => {}
        }
    }
    if let Some(sample) = settings.shift_remove("sample") {
        add_values(&mut values, "", &sample);
    }
    values
}

/// The template engine: Jinja, unless the file names Mustache.
fn engine(settings: &Map<String, Value>) -> TemplateEngine {
    let template = settings.get("template");
    let format = template
        .and_then(|template| template.get("format"))
        .or(template);
    let kind = format
        .and_then(|format| format.get("kind").or(format.get("type")))
        .or(format);
    match kind.and_then(Value::as_str) {
        Some("mustache" | "handlebars") => TemplateEngine::Handlebars,
        _ => TemplateEngine::Jinja,
    }
}

/// Takes over the model: its name and parameters, in the layouts of either version of the format.
fn model(deck_settings: &mut Settings<'_>, mut model: Map<String, Value>) {
    if let Some(Value::String(id)) = model.shift_remove("id") {
        deck_settings.model(&id);
    }
    for key in ["configuration", "connection"] {
        if let Some(Value::Object(configuration)) = model.shift_remove(key) {
            let mut names = ["model", "name", "azure_deployment"].into_iter();
            let name = names.find_map(|name| configuration.get(name)?.as_str());
            if let Some(name) = name {
                deck_settings.model(name);
            }
            for (field, value) in &configuration {
                if value.as_str() != name {
                    deck_settings.left_out(&["model", key, field]);
                }
            }
        }
    }
    for key in ["parameters", "options"] {
        if let Some(Value::Object(parameters)) = model.shift_remove(key) {
            deck_settings.parameters(&parameters, &["model", key]);
        }
    }
    // A request to a model with messages is what a call is.
    for key in ["api", "apiType"] {
        if model.get(key).is_some_and(|kind| kind == "chat") {
            model.shift_remove(key);
        }
    }
    for key in model.keys() {
        deck_settings.left_out(&["model", key]);
    }
}

/// The messages of the template. Before the first role stands a system message.
fn messages(body: &str) -> Vec<RoleText<'_>> {
    let mut messages = Vec::new();
    let (mut role, mut start, mut at) = ("system", 0, 0);
    for line in body.split_inclusive('\n') {
        if let Some(next) = role_of(line) {
            messages.push(RoleText::new(body, role, start..at));
            (role, start) = (next, at + line.len());
        }
        at += line.len();
    }
    messages.push(RoleText::new(body, role, start..body.len()));
    messages
}

/// How many lines with a misspelled role are listed.
const MAX_LISTED: usize = 50;

/// Reports lines that are probably meant to begin a message.
fn misspelled_roles(file: &PromptFile<'_>, deck: &mut Deck) {
    let mut at = 0;
    let mut found = Vec::new();
    for line in file.body.split_inclusive('\n') {
        let name = line.trim().strip_suffix(':').unwrap_or_default().trim_end();
        if role_of(line).is_none()
            && let Some(suggestion) = nearest(name, ROLES.iter().map(|(role, _)| *role))
        {
            found.push(ReportEntry {
                status: ConversionStatus::NotSupported,
                pointer: String::new(),
                message: format!(
                    "{name:?} is not a role, so the line is a text of the message; did you mean {suggestion:?}?"
                ),
                place: Some(file.body_position(at)),
            });
        }
        if found.len() == MAX_LISTED {
            break;
        }
        at += line.len();
    }
    deck.entries.append(&mut found);
}

/// Reports what Prompty reads in a message and a call does not: attributes of its role, and images.
fn unread_parts(file: &PromptFile<'_>, deck: &mut Deck) {
    let mut at = 0;
    let mut found = Vec::new();
    for line in file.body.split_inclusive('\n') {
        let text = line.trim();
        let attributes = text.find('[').filter(|_| role_of(line).is_some());
        let message = if let Some(start) = attributes {
            let attributes = text[start..].trim_end_matches(':').trim_end();
            Some(format!(
                "{attributes} is left out: a message has no attributes"
            ))
        } else if image(text) {
            Some(
                "an image is sent as this text: put it into the call document as a part".to_owned(),
            )
        } else {
            None
        };
        found.extend(message.map(|message| ReportEntry {
            status: ConversionStatus::NotSupported,
            pointer: String::new(),
            message,
            place: Some(file.body_position(at)),
        }));
        if found.len() == MAX_LISTED {
            break;
        }
        at += line.len();
    }
    deck.entries.append(&mut found);
}

/// Whether a line holds an image as Markdown writes it.
fn image(line: &str) -> bool {
    line.split_once("![")
        .and_then(|(_, rest)| rest.split_once("]("))
        .is_some_and(|(_, rest)| rest.contains(')'))
}

/// The role of a line such as `system:`; attributes in brackets are passed over.
fn role_of(line: &str) -> Option<&'static str> {
    let line = line.trim().strip_suffix(':')?.trim_end();
    let line = line.strip_prefix('#').map_or(line, str::trim_start);
    let name = match line.split_once('[') {
        Some((name, attributes)) if attributes.ends_with(']') => name.trim_end(),
        _ => line,
    };
    let found = ROLES
        .iter()
        .find(|(role, _)| role.eq_ignore_ascii_case(name))?;
    Some(found.1)
}
