//! dotprompt: YAML settings and a Handlebars template, its messages begun by `{{role "..."}}`.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{
    RoleText, TemplateEngine, deck,
    expressions::{Piece, pieces},
    finish,
    front_matter::PromptFile,
    settings::{Settings, add_values, has_values},
};
use crate::{
    import::{
        ConversionStatus, Import, ReportEntry, SourceFormat,
        text_input::{self, fault},
    },
    registry::{ParseCode, ParseError},
};

/// Settings of a call that a registry does not have.
const LEFT_OUT: [&str; 3] = ["tools", "toolDefs", "output"];

/// The deck of a dotprompt file.
///
/// # Errors
///
/// With a position: YAML that is not valid or out of bounds, settings of the wrong type, and roles
/// that no message has.
pub fn import(bytes: &[u8]) -> Result<Import, ParseError> {
    let text = text_input::read(bytes)?;
    let file = PromptFile::read(&text)?;
    let mut settings = file.settings.clone();
    let mut values = BTreeMap::new();
    let input = settings.shift_remove("input").unwrap_or(Value::Null);
    if let Some(defaults) = input.get("default") {
        add_values(&mut values, "", defaults);
    }
    let mut deck = deck(&file, messages(&file)?, TemplateEngine::Handlebars, &values)?;
    deck.entries.extend(history(&file));
    let mut deck_settings = Settings::new(&mut deck);
    deck_settings.text(&mut settings, "name", "title");
    deck_settings.text(&mut settings, "description", "description");
    if let Some(model) = settings.shift_remove("model") {
        match model.as_str() {
            Some(model) => deck_settings.model(model),
            None => deck_settings.left_out(&["model"]),
        }
    }
    if let Some(Value::Object(config)) = settings.shift_remove("config") {
        deck_settings.parameters(&config, &["config"]);
    }
    for key in LEFT_OUT {
        if settings.shift_remove(key).is_some() {
            deck_settings.left_out(&[key]);
        }
    }
    let mut metadata = settings;
    if let Value::Object(mut input) = input {
        // Defaults of the names in the template are in the registry.
        if input
            .get("default")
            .is_some_and(|it| has_values(deck_settings.deck, it))
        {
            input.shift_remove("default");
        }
        if !input.is_empty() {
            metadata.insert("input".to_owned(), Value::Object(input));
        }
    }
    deck_settings.metadata(metadata);
    deck_settings.finish();
    Ok(finish(&file, deck, SourceFormat::Dotprompt))
}

/// The messages of the template. Before the first role stands a user message.
fn messages<'t>(file: &PromptFile<'t>) -> Result<Vec<RoleText<'t>>, ParseError> {
    let body = file.body;
    let mut messages = Vec::new();
    let (mut role, mut start) = ("user", 0);
    for piece in pieces(body, TemplateEngine::Handlebars) {
        let (text, at) = match piece {
            Piece::Other(text, at) => (text, at),
            // `{{history}}` is a name, and no variable.
            Piece::Text(_) | Piece::Name(_) => continue,
        };
        let inner = text.trim_matches(['{', '}']).trim();
        let next = match inner.split_once(char::is_whitespace) {
            Some(("role", name)) => role_of(name).ok_or_else(|| {
                let place = Some(file.body_position(at));
                let message =
                    format!("{text} names no role; roles are system, user, model and tool");
                fault(ParseCode::WrongType, message, place)
            })?,
            // What was said before has its place in a call document.
            None if inner == "history" => "user",
            _ => continue,
        };
        messages.push(RoleText::new(body, role, start..at));
        (role, start) = (next, at + text.len());
    }
    messages.push(RoleText::new(body, role, start..body.len()));
    Ok(messages)
}

/// Says where the messages go that the file leaves a place for.
fn history(file: &PromptFile<'_>) -> Option<ReportEntry> {
    let mut others = pieces(file.body, TemplateEngine::Handlebars)
        .into_iter()
        .filter_map(|piece| match piece {
            Piece::Other(text, at) => Some((text, at)),
            Piece::Text(_) | Piece::Name(_) => None,
        });
    let (_, at) = others.find(|(text, _)| text.trim_matches(['{', '}']).trim() == "history")?;
    Some(ReportEntry {
        status: ConversionStatus::Converted,
        pointer: String::new(),
        message:
            "{{history}} is the `history` of a call document, which is sent before its message"
                .to_owned(),
        place: Some(file.body_position(at)),
    })
}

fn role_of(arguments: &str) -> Option<&'static str> {
    let name = arguments
        .split_whitespace()
        .next()?
        .trim_matches(['"', '\'']);
    ["system", "user", "assistant", "tool"]
        .into_iter()
        .find(|role| *role == name || (*role == "assistant" && name == "model"))
}
