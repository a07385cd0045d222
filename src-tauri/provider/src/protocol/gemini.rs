//! Gemini's REST calls `generateContent` and `streamGenerateContent`. The body is built from the
//! messages, or is a given layered one, including cached content. Generation settings in a given
//! body override those of the registry.

use promptdeck_core::{
    output::GenerationConfig,
    run::{Message, Request, Role, ToolCall, Usage},
};
use reqwest::Url;
use serde_json::{Map, Value, json};

use super::{CallPiece, Piece, Protocol, default, messages, text_at};
use crate::{base_url::BaseUrl, http::Framing};

/// API version in the path. Newer fields exist only in the beta.
const VERSION: &str = "v1beta";

/// Reasons to end without text other than a complete response.
const REFUSALS: [&str; 6] = [
    "SAFETY",
    "RECITATION",
    "LANGUAGE",
    "BLOCKLIST",
    "PROHIBITED_CONTENT",
    "SPII",
];

/// Gemini's protocol.
pub(crate) struct Gemini;

impl Protocol for Gemini {
    fn framing(&self) -> Framing {
        Framing::Sse
    }

    fn address(&self, base: &BaseUrl, request: &Request) -> Url {
        let model = request.generation.model.as_str();
        let call = if request.stream {
            "streamGenerateContent"
        } else {
            "generateContent"
        };
        let (collection, model) = match model.split_once('/') {
            Some((collection @ ("models" | "tunedModels"), model)) => (collection, model),
            _ => ("models", model),
        };
        let mut url = base.join(Some(VERSION), &[collection, &format!("{model}:{call}")]);
        if request.stream {
            url.set_query(Some("alt=sse"));
        }
        url
    }

    fn body(&self, request: &Request) -> Result<Value, &'static str> {
        let (mut body, messages) = messages(request)?;
        if !messages.is_empty() {
            say(&mut body, &messages);
        }
        default(&mut body, "generationConfig", Map::new());
        if let Some(Value::Object(config)) = body.get_mut("generationConfig") {
            sampling(config, &request.generation);
        }
        Ok(Value::Object(body))
    }

    fn read(&self, document: &Value) -> Option<Piece> {
        let candidates = document.get("candidates").and_then(Value::as_array);
        let usage = document.get("usageMetadata");
        let prompt_blocked = text_at(document, "/promptFeedback/blockReason");
        if candidates.is_none() && usage.is_none() && prompt_blocked.is_none() {
            return None;
        }
        let parts = document.pointer("/candidates/0/content/parts");
        let text = parts
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter(|part| part.get("thought").and_then(Value::as_bool) != Some(true))
            .filter_map(|part| part.get("text")?.as_str())
            .collect();
        let finish = text_at(document, "/candidates/0/finishReason");
        let count = |key: &str| usage?.get(key)?.as_u64();
        let thoughts = count("thoughtsTokenCount").unwrap_or_default();
        Some(Piece {
            text,
            calls: calls(parts),
            usage: Usage {
                prompt_tokens: count("promptTokenCount"),
                completion_tokens: count("candidatesTokenCount").map(|answer| answer + thoughts),
                cached_tokens: count("cachedContentTokenCount"),
            },
            finish: finish.map(str::to_owned),
            blocked: prompt_blocked
                .or(finish.filter(|reason| REFUSALS.contains(reason)))
                .map(str::to_owned),
            ..Piece::default()
        })
    }

    fn models_address(&self, base: &BaseUrl, page: Option<&str>) -> Url {
        let mut url = base.join(Some(VERSION), &["models"]);
        url.query_pairs_mut().append_pair("pageSize", "200");
        if let Some(page) = page {
            url.query_pairs_mut().append_pair("pageToken", page);
        }
        url
    }

    fn models(&self, document: &Value) -> Option<(Vec<String>, Option<String>)> {
        let models = document.get("models")?.as_array()?;
        let names = models
            .iter()
            .filter(|model| generates(model))
            .filter_map(|model| model.get("name")?.as_str())
            .map(|name| name.strip_prefix("models/").unwrap_or(name).to_owned())
            .collect();
        let next = text_at(document, "/nextPageToken").filter(|token| !token.is_empty());
        Some((names, next.map(str::to_owned)))
    }
}

/// Writes messages into a body: system messages become the system instruction, the assistant's role
/// is `model`.
fn say(body: &mut Map<String, Value>, messages: &[Message]) {
    let part = |message: &Message| json!({"text": message.content});
    let (system, others): (Vec<_>, Vec<_>) = messages
        .iter()
        .partition(|message| message.role == Role::System);
    if !system.is_empty() {
        let parts: Vec<_> = system.into_iter().map(part).collect();
        default(body, "systemInstruction", json!({"parts": parts}));
    }
    let contents = others.into_iter().map(|message| {
        let role = match message.role {
            Role::Assistant => "model",
            Role::User | Role::System => "user",
        };
        json!({"role": role, "parts": [part(message)]})
    });
    default(body, "contents", contents.collect::<Value>());
}

/// The calls among the parts of a content.
fn calls(parts: Option<&Value>) -> Vec<CallPiece> {
    let parts = parts.and_then(Value::as_array).into_iter().flatten();
    let calls = parts.filter_map(|part| part.get("functionCall"));
    calls
        .map(|call| CallPiece {
            number: None,
            call: ToolCall {
                id: text_at(call, "/id").unwrap_or_default().to_owned(),
                name: text_at(call, "/name").unwrap_or_default().to_owned(),
                arguments: call
                    .get("args")
                    .map_or_else(|| "{}".to_owned(), Value::to_string),
            },
        })
        .collect()
}

fn sampling(config: &mut Map<String, Value>, generation: &GenerationConfig) {
    default(config, "temperature", generation.temperature);
    default(config, "maxOutputTokens", generation.max_tokens);
    if let Some(top_p) = generation.top_p {
        default(config, "topP", top_p);
    }
    if let Some(top_k) = generation.top_k {
        default(config, "topK", top_k);
    }
}

fn generates(model: &Value) -> bool {
    let methods = model
        .get("supportedGenerationMethods")
        .and_then(Value::as_array);
    methods.is_none_or(|methods| methods.iter().any(|method| method == "generateContent"))
}

#[cfg(test)]
mod tests {
    use promptdeck_core::run::Input;

    use super::*;
    use crate::fault::FaultKind;
    use crate::protocol::tests::{body_of, read_all, request};

    #[test]
    fn messages_become_contents() {
        assert_eq!(
            body_of(&Gemini, false),
            json!({
                "systemInstruction": {"parts": [{"text": "Be brief."}]},
                "contents": [{"role": "user", "parts": [{"text": "Hello"}]}],
                "generationConfig": {
                    "temperature": 0.5,
                    "maxOutputTokens": 64,
                    "topP": 0.9,
                    "topK": 40,
                },
            })
        );
    }

    #[test]
    fn a_layered_body_is_sent_unchanged_and_overrides_settings() {
        let layered = json!({
            "contents": [{"role": "model", "parts": [{"text": "x", "thoughtSignature": "AAE="}]}],
            "cachedContent": "cachedContents/abc",
            "generationConfig": {"temperature": 0.1, "thinkingConfig": {"thinkingBudget": 9}},
        });
        let mut request = request(false);
        request.input = Input::Body(layered.clone());
        let body = Gemini.body(&request).expect("a body");
        for key in ["contents", "cachedContent"] {
            assert_eq!(body[key], layered[key]);
        }
        assert_eq!(
            body["generationConfig"],
            json!({
                "temperature": 0.1,
                "thinkingConfig": {"thinkingBudget": 9},
                "maxOutputTokens": 64,
                "topP": 0.9,
                "topK": 40,
            })
        );
        request.input = Input::Body(json!([1]));
        assert!(Gemini.body(&request).is_err());
    }

    fn check_address(model: &str, stream: bool, expect: &str) {
        let base = BaseUrl::parse("https://h").expect("a base URL");
        let mut request = request(stream);
        request.generation.model = model.to_owned();
        assert_eq!(Gemini.address(&base, &request).as_str(), expect);
    }

    #[test]
    fn addresses() {
        check_address("g-2", false, "https://h/v1beta/models/g-2:generateContent");
        check_address(
            "models/g-2",
            true,
            "https://h/v1beta/models/g-2:streamGenerateContent?alt=sse",
        );
        check_address(
            "tunedModels/t",
            false,
            "https://h/v1beta/tunedModels/t:generateContent",
        );
        check_address(
            "../../x?y",
            false,
            "https://h/v1beta/models/..%2F..%2Fx%3Fy:generateContent",
        );
    }

    #[test]
    fn thoughts_are_counted_but_not_said() {
        let events = [
            r#"{"candidates":[{"content":{"role":"model","parts":[{"text":"Hm.","thought":true},{"text":"Good "}]}}],"usageMetadata":{"promptTokenCount":8}}"#,
            r#"{"candidates":[{"content":{"parts":[{"text":"evening"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":8,"candidatesTokenCount":2,"thoughtsTokenCount":30,"cachedContentTokenCount":5,"totalTokenCount":40}}"#,
        ];
        let answer = read_all(&Gemini, &events).expect("an answer");
        assert_eq!(
            (answer.text.as_str(), answer.finish.as_deref()),
            ("Good evening", Some("STOP"))
        );
        let usage = answer.usage;
        let counts = (
            usage.prompt_tokens,
            usage.completion_tokens,
            usage.cached_tokens,
        );
        assert_eq!(counts, (Some(8), Some(32), Some(5)));
    }

    #[test]
    fn refusals() {
        let check = |event: &str, expect: &str| {
            assert_eq!(
                read_all(&Gemini, &[event]).map_err(FaultKind::code),
                Err(expect)
            );
        };
        check(r#"{"promptFeedback":{"blockReason":"SAFETY"}}"#, "blocked");
        check(r#"{"candidates":[{"finishReason":"SAFETY"}]}"#, "blocked");
        check(
            r#"{"candidates":[{"content":{"parts":[{"text":"Half a"}]}}]}"#,
            "truncated",
        );
        check(r#"{"models":[]}"#, "invalid_response");
    }

    #[test]
    fn the_model_list_comes_in_pages() {
        let listed = json!({
            "models": [
                {"name": "models/g-2", "supportedGenerationMethods": ["generateContent"]},
                {"name": "models/embed", "supportedGenerationMethods": ["embedContent"]},
                {"name": "models/plain"},
            ],
            "nextPageToken": "next page",
        });
        let names = vec!["g-2".to_owned(), "plain".to_owned()];
        assert_eq!(
            Gemini.models(&listed),
            Some((names, Some("next page".to_owned())))
        );
        let base = BaseUrl::parse("https://h").expect("a base URL");
        assert_eq!(
            Gemini.models_address(&base, Some("next page")).as_str(),
            "https://h/v1beta/models?pageSize=200&pageToken=next+page"
        );
    }
}
