//! The kinds of documents that can be imported: which one a file is, and its reader.

use std::path::Path;

use serde_json::{Map, Value};

use super::{
    Import, character_card,
    dynamic_prompt::{self, Wildcards},
    import, messages, plain_prompt, prompt_file,
    resemblance::prompt_file as marked_prompt_file,
    text_input::without_bom,
};
use crate::registry::{ParseError, read_json};

/// A kind of document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SourceKind {
    /// A registry of promptlibretto 0.5 to 0.8.
    Registry,
    /// A text without any structure of its own.
    Plain,
    /// Messages in the JSON of `OpenAI` or Anthropic.
    Messages,
    /// A character card, JSON or PNG.
    Card,
    /// A lorebook or world info.
    Lorebook,
    /// A dotprompt file.
    Dotprompt,
    /// A Prompty file.
    Prompty,
    /// A Jinja template.
    Jinja,
    /// A template of sd-dynamic-prompts.
    Template,
    /// Wildcards of sd-dynamic-prompts.
    Wildcards,
}

impl SourceKind {
    /// Every kind.
    pub const ALL: [Self; 10] = [
        Self::Registry,
        Self::Plain,
        Self::Messages,
        Self::Card,
        Self::Lorebook,
        Self::Dotprompt,
        Self::Prompty,
        Self::Jinja,
        Self::Template,
        Self::Wildcards,
    ];

    /// The name of the kind in arguments, in kebab case.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Registry => "registry",
            Self::Plain => "plain",
            Self::Messages => "messages",
            Self::Card => "card",
            Self::Lorebook => "lorebook",
            Self::Dotprompt => "dotprompt",
            Self::Prompty => "prompty",
            Self::Jinja => "jinja",
            Self::Template => "template",
            Self::Wildcards => "wildcards",
        }
    }

    /// What the kind is, for a list of kinds.
    #[must_use]
    pub fn description(self) -> &'static str {
        match self {
            Self::Registry => "a registry of promptlibretto 0.5 to 0.8",
            Self::Plain => "a plain prompt, split into sections",
            Self::Messages => "OpenAI or Anthropic messages in JSON",
            Self::Card => "a SillyTavern character card, v1 to v3, JSON or PNG",
            Self::Lorebook => "a SillyTavern lorebook or world info, JSON",
            Self::Dotprompt => "a dotprompt file (.prompt)",
            Self::Prompty => "a Prompty file (.prompty)",
            Self::Jinja => "a Jinja template of a prompt",
            Self::Template => "a template of sd-dynamic-prompts",
            Self::Wildcards => "wildcards of sd-dynamic-prompts, text, YAML or JSON",
        }
    }

    /// The kind of a file, by its content and by the extension of its name.
    ///
    /// ```
    /// use promptdeck_core::import::SourceKind;
    ///
    /// let kind = SourceKind::detect("chat.json", br#"{"messages": []}"#);
    /// assert_eq!(kind, SourceKind::Messages);
    /// assert_eq!(SourceKind::detect("notes.md", b"# Rules"), SourceKind::Plain);
    /// ```
    #[must_use]
    pub fn detect(name: &str, bytes: &[u8]) -> Self {
        if bytes.starts_with(character_card::SIGNATURE) {
            return Self::Card;
        }
        // The reader of JSON refuses a byte order mark; to take the rest for a plain text would import
        // the source of a document as its prompt.
        let text = std::str::from_utf8(bytes).ok().map(without_bom);
        let bytes = text.map_or(bytes, str::as_bytes);
        if let Some(kind) = Self::of_name(name) {
            return kind;
        }
        let is_json = extension(name) == "json";
        let first = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
        match first {
            Some(b'{' | b'[') => {}
            _ if is_json => {}
            // Settings between dashes are no part of a prompt.
            _ => return text.and_then(marked_prompt_file).unwrap_or(Self::Plain),
        }
        match read_json(bytes) {
            Ok((Value::Object(members), _)) => of_members(&members),
            Ok((Value::Array(messages), _)) if !messages.is_empty() => Self::Messages,
            // The reader of the kind says what is wrong with it.
            Err(_) if first == Some(&b'[') && (is_json || looks_like_json(bytes)) => Self::Messages,
            _ if is_json || looks_like_json(bytes) => Self::Registry,
            _ => Self::Plain,
        }
    }

    /// The kind of a file whose extension says it; JSON may be of several kinds.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        Some(match extension(name).as_str() {
            "png" => Self::Card,
            "prompt" => Self::Dotprompt,
            "prompty" => Self::Prompty,
            "yaml" | "yml" => Self::Wildcards,
            "j2" | "jinja" | "jinja2" => Self::Jinja,
            "md" | "markdown" | "txt" | "text" => Self::Plain,
            _ => return None,
        })
    }
}

/// The extension of a file's name in lower case, or nothing.
fn extension(name: &str) -> String {
    let extension = Path::new(name).extension().unwrap_or_default();
    extension.to_string_lossy().to_lowercase()
}

/// Whether a text that is not valid JSON begins as JSON does. Templates begin with braces, too:
/// `{{ name }}`, `{% if %}`, `{# #}`, `{red|blue}`; and prompts with brackets, as in `[INST]`.
fn looks_like_json(bytes: &[u8]) -> bool {
    let bytes = bytes.trim_ascii_start();
    let Some((first, rest)) = bytes.split_first() else {
        return false;
    };
    let next = rest.trim_ascii_start();
    match first {
        b'{' => matches!(next.first(), None | Some(b'"' | b'}')),
        b'[' => {
            matches!(next.first(), None | Some(b'"' | b']'))
                || next.first() == Some(&b'{') && looks_like_json(next)
        }
        _ => false,
    }
}

/// The kind of a JSON object.
fn of_members(members: &Map<String, Value>) -> SourceKind {
    if members.contains_key("assembly_order") || members.contains_key("registry") {
        SourceKind::Registry
    } else if character_card::is_card(members) {
        SourceKind::Card
    } else if messages::is_conversation(members) {
        SourceKind::Messages
    } else if character_card::is_lorebook(members) {
        SourceKind::Lorebook
    } else {
        SourceKind::Registry
    }
}

/// Converts a document of a kind. A template may name `wildcards`, and a list of values is called as
/// its file.
///
/// # Errors
///
/// What the reader of the kind rejects, with its position.
pub fn import_as(
    kind: SourceKind,
    name: &str,
    bytes: &[u8],
    wildcards: &Wildcards,
) -> Result<Import, ParseError> {
    match kind {
        SourceKind::Registry => import(bytes),
        SourceKind::Plain => plain_prompt::import(bytes),
        SourceKind::Messages => messages::import(bytes),
        SourceKind::Card => character_card::import_card(bytes),
        SourceKind::Lorebook => character_card::import_lorebook(bytes),
        SourceKind::Dotprompt => prompt_file::import_dotprompt(bytes),
        SourceKind::Prompty => prompt_file::import_prompty(bytes),
        SourceKind::Jinja => prompt_file::import_jinja(bytes),
        SourceKind::Template => dynamic_prompt::import_template(bytes, wildcards),
        SourceKind::Wildcards => dynamic_prompt::import_wildcards(name, bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::SourceKind;

    #[test]
    fn only_what_begins_as_json_is_damaged_json() {
        let check = |text: &str, kind| {
            for text in [text.to_owned(), format!("\u{feff}{text}")] {
                let found = SourceKind::detect("", text.as_bytes());
                assert_eq!(found, kind, "{text}");
            }
        };
        for text in [
            "{# note #}\nYou are kind.",
            "{% if a %}b{% endif %}",
            "{{ name }}, hello",
            "{{\"a\" | upper}}",
            "{red|blue} house",
            "{name}, hello",
            "[INST] Be kind. [/INST]",
            "[{name}] Be kind.",
            "  [System] Be kind.",
        ] {
            check(text, SourceKind::Plain);
        }
        for text in ["{\"a\": 1}", "{\"a\": 1", "{ \n \"a\" 1}", "{}{}", "{"] {
            check(text, SourceKind::Registry);
        }
        for text in ["[{\"role\": \"user\"", "[ ]]"] {
            check(text, SourceKind::Messages);
        }
        let dotprompt =
            "---\ninput:\n  schema:\n    a: string\n---\n{{role \"system\"}}\nBe {{a}}.";
        check(dotprompt, SourceKind::Dotprompt);
        check(
            "---\nsample:\n  a: 1\n---\nsystem:\nBe kind.",
            SourceKind::Prompty,
        );
        check("---\nBe kind.\n---\nAnswer.", SourceKind::Plain);
        let named = SourceKind::detect("a.md", dotprompt.as_bytes());
        assert_eq!(named, SourceKind::Plain);
        let named = SourceKind::detect("a.json", b"{# note #}");
        assert_eq!(named, SourceKind::Registry);
    }
}
