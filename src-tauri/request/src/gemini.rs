//! What Gemini's REST API calls things: tools and generation settings in its spelling, and a
//! content object's readable text.

use promptdeck_core::registry::{DataKey, Diagnostic, DiagnosticData, Severity};
use promptdeck_json::push_step;
use serde_json::{Map, Value, json};

use super::{base64_text, codes, layers::canonical_json, tools};

/// Tools as the API takes them. Functions become declarations; what
/// is in the API's own shape stays, in camel case.
#[must_use]
pub fn tools(tools: &[Value]) -> Vec<Value> {
    let mut declarations = Vec::new();
    let mut others = Vec::new();
    for tool in &tools::in_openai_shape(tools) {
        let Some(map) = tool.as_object() else {
            continue;
        };
        match map.get("function").and_then(Value::as_object) {
            Some(function) => declarations.push(declaration(function)),
            None => others.push(Value::Object(own_shape(map))),
        }
    }
    let mut all = Vec::new();
    if !declarations.is_empty() {
        all.push(json!({"functionDeclarations": declarations}));
    }
    all.extend(others);
    all
}

/// The fields of the API's `GenerationConfig`.
pub const GENERATION_FIELDS: [&str; 27] = [
    "audioTimestamp",
    "audioTranscriptionConfig",
    "candidateCount",
    "enableAffectiveDialog",
    "enableEnhancedCivicAnswers",
    "frequencyPenalty",
    "imageConfig",
    "logprobs",
    "maxOutputTokens",
    "mediaResolution",
    "modelSelectionConfig",
    "presencePenalty",
    "responseFormat",
    "responseJsonSchema",
    "responseLogprobs",
    "responseMimeType",
    "responseModalities",
    "responseSchema",
    "routingConfig",
    "seed",
    "speechConfig",
    "stopSequences",
    "temperature",
    "thinkingConfig",
    "topK",
    "topP",
    "translationConfig",
];

/// Settings of a registry for running a prompt in this program; no API takes them.
const RUN_SETTINGS: [&str; 5] = [
    "provider",
    "model",
    "timeout_ms",
    "retries",
    "max_prompt_chars",
];

/// Generation settings under the API's names. A key the API does not have would make it refuse the
/// whole request: it is left out, and said.
pub fn generation_config(
    settings: &Map<String, Value>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Map<String, Value> {
    let mut config = Map::new();
    for (key, value) in settings.iter().filter(|(_, value)| !value.is_null()) {
        let name = match key.as_str() {
            "max_tokens" => "maxOutputTokens".to_owned(),
            "stop" => "stopSequences".to_owned(),
            other => camel(other),
        };
        if !GENERATION_FIELDS.contains(&name.as_str()) {
            diagnostics.push(left_out(key));
            continue;
        }
        let value = match (name.as_str(), value) {
            ("stopSequences", Value::String(text)) => json!([text]),
            (_, other) => other.clone(),
        };
        config.insert(name, value);
    }
    config
}

fn left_out(key: &str) -> Diagnostic {
    let mut pointer = "/generation".to_owned();
    push_step(&mut pointer, key);
    let (severity, reason) = if RUN_SETTINGS.contains(&key) {
        (Severity::Note, "it tells this program how to run a prompt")
    } else {
        (Severity::Warning, "Gemini has no such setting")
    };
    let message = format!("{key:?} is left out of generationConfig: {reason}");
    let data = DiagnosticData::of(DataKey::Key, key);
    Diagnostic::new(codes::GENERATION_KEY, severity, message, pointer, data)
}

/// A message's parts as the API takes them, without those that it cannot have: neighbouring texts as
/// one, and images, audio and files that are data URLs as `inlineData`. Empty if they are texts alone.
#[must_use]
pub fn parts(content: &Value) -> Vec<Value> {
    let mut sent: Vec<Value> = Vec::new();
    let mut has_data = false;
    for part in content.as_array().into_iter().flatten() {
        if let Some(text) = part.as_str().or_else(|| part.get("text")?.as_str()) {
            match sent.last_mut().and_then(|last| last.get_mut("text")) {
                Some(Value::String(last)) => last.push_str(text),
                _ => sent.push(json!({"text": text})),
            }
        } else if let Some(data) = inline_data(part) {
            has_data = true;
            sent.push(json!({"inlineData": data}));
        }
    }
    // The API refuses a text without a character in it.
    let is_blank = |part: &Value| {
        part["text"]
            .as_str()
            .is_some_and(|text| text.trim().is_empty())
    };
    sent.retain(|part| !is_blank(part));
    if has_data { sent } else { Vec::new() }
}

/// The bytes of an image, audio or a file in `OpenAI`'s shape, if the part holds them.
#[must_use]
pub fn inline_data(part: &Value) -> Option<Value> {
    let (mime_type, data) = match part.get("type")?.as_str()? {
        "image_url" => {
            let image = &part["image_url"];
            data_url(image.as_str().or_else(|| image.get("url")?.as_str())?)?
        }
        "file" => data_url(part.pointer("/file/file_data")?.as_str()?)?,
        "input_audio" => {
            let audio = &part["input_audio"];
            let format = audio.get("format")?.as_str()?;
            (format!("audio/{format}"), audio.get("data")?.as_str()?)
        }
        _ => return None,
    };
    let data = base64_text::encode(&base64_text::decode(data)?);
    Some(json!({"data": data, "mimeType": mime_type}))
}

/// The type and the base64 text of a data URL.
fn data_url(url: &str) -> Option<(String, &str)> {
    let (head, data) = url.split_once(',')?;
    let (scheme, kind) = head.split_once(':')?;
    let (kind, encoding) = kind.rsplit_once(';')?;
    let mime_type = kind.split(';').next().filter(|kind| kind.contains('/'))?;
    let is_base64 = encoding.trim().eq_ignore_ascii_case("base64");
    (scheme.eq_ignore_ascii_case("data") && is_base64).then(|| (mime_type.to_owned(), data))
}

/// The text a content object holds: its texts, the types of its data, and its calls and responses as
/// JSON.
#[must_use]
pub fn readable(content: &Value) -> String {
    let mut text = String::new();
    for part in content
        .get("parts")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        match part.get("text").and_then(Value::as_str) {
            Some(part_text) => text.push_str(part_text),
            None if part.get("inlineData").is_some() => {
                let kind = part.pointer("/inlineData/mimeType").and_then(Value::as_str);
                text.push_str(&format!("[{}]", kind.unwrap_or("data")));
            }
            None => {
                for (key, value) in part.as_object().into_iter().flatten() {
                    if key != "thoughtSignature" {
                        text.push_str(&canonical_json(value));
                    }
                }
            }
        }
    }
    text
}

/// `max_output_tokens` to `maxOutputTokens`; what is in camel case already stays.
#[must_use]
pub fn camel(key: &str) -> String {
    let mut out = String::with_capacity(key.len());
    let mut upper = false;
    for character in key.chars() {
        if character == '_' && !out.is_empty() {
            upper = true;
        } else if upper {
            out.extend(character.to_uppercase());
            upper = false;
        } else {
            out.push(character);
        }
    }
    out
}

fn declaration(function: &Map<String, Value>) -> Value {
    let mut declared = Map::new();
    for (key, value) in function {
        let key = match key.as_str() {
            // A JSON Schema, which the API takes under another name.
            "parameters" if !value.is_null() => "parametersJsonSchema".to_owned(),
            // OpenAI's switch for exact schemas has no counterpart.
            "strict" => continue,
            _ if value.is_null() => continue,
            other => camel(other),
        };
        declared.insert(key, value.clone());
    }
    Value::Object(declared)
}

fn own_shape(map: &Map<String, Value>) -> Map<String, Value> {
    map.iter()
        .filter(|(_, value)| !value.is_null())
        .map(|(key, value)| {
            let value = match (key.as_str(), value) {
                ("function_declarations" | "functionDeclarations", Value::Array(functions)) => {
                    functions
                        .iter()
                        .map(|function| match function {
                            Value::Object(function) => Value::Object(
                                function
                                    .iter()
                                    .filter(|(_, value)| !value.is_null())
                                    .map(|(key, value)| (camel(key), value.clone()))
                                    .collect(),
                            ),
                            other => other.clone(),
                        })
                        .collect()
                }
                (_, other) => other.clone(),
            };
            (camel(key), value)
        })
        .collect()
}
