//! Ollama's `/api/chat`: sampling fields under `options`, streams as lines of JSON, durations in
//! nanoseconds.

use promptdeck_core::run::{Request, Timing, Usage};
use reqwest::Url;
use serde_json::{Map, Value, json};

use super::{Piece, Protocol, calls, default, messages, names, text_at};
use crate::{base_url::BaseUrl, http::Framing};

/// Ollama's chat protocol.
pub(crate) struct Ollama;

impl Protocol for Ollama {
    fn framing(&self) -> Framing {
        Framing::JsonLines
    }

    fn address(&self, base: &BaseUrl, _: &Request) -> Url {
        base.join(None, &["api", "chat"])
    }

    fn body(&self, request: &Request) -> Result<Value, &'static str> {
        let generation = &request.generation;
        let (mut body, messages) = messages(request)?;
        default(&mut body, "model", &generation.model);
        default(&mut body, "messages", messages);
        parse_arguments(&mut body);
        body.insert("stream".to_owned(), json!(request.stream));
        default(&mut body, "options", Map::new());
        if let Some(Value::Object(options)) = body.get_mut("options") {
            default(options, "temperature", generation.temperature);
            default(options, "num_predict", generation.max_tokens);
            if let Some(top_p) = generation.top_p {
                default(options, "top_p", top_p);
            }
            if let Some(top_k) = generation.top_k {
                default(options, "top_k", top_k);
            }
            if let Some(penalty) = generation.repeat_penalty {
                default(options, "repeat_penalty", penalty);
            }
        }
        Ok(Value::Object(body))
    }

    fn read(&self, document: &Value) -> Option<Piece> {
        let is_done = document.get("done")?.as_bool()?;
        let count = |key: &str| document.get(key)?.as_u64();
        let ms = |key: &str| Some(document.get(key)?.as_u64()? as f64 / 1e6);
        let finish = is_done.then(|| text_at(document, "/done_reason").unwrap_or("stop"));
        Some(Piece {
            text: text_at(document, "/message/content")
                .unwrap_or_default()
                .to_owned(),
            usage: Usage {
                prompt_tokens: count("prompt_eval_count"),
                completion_tokens: count("eval_count"),
                cached_tokens: None,
            },
            timing: Timing {
                total_ms: ms("total_duration"),
                load_ms: ms("load_duration"),
                prompt_ms: ms("prompt_eval_duration"),
                generation_ms: ms("eval_duration"),
                ..Timing::default()
            },
            finish: finish.map(str::to_owned),
            calls: calls(document.get("message")),
            ..Piece::default()
        })
    }

    fn models_address(&self, base: &BaseUrl, _: Option<&str>) -> Url {
        base.join(None, &["api", "tags"])
    }

    fn models(&self, document: &Value) -> Option<(Vec<String>, Option<String>)> {
        Some((names(document, "models", "name")?, None))
    }
}

/// Ollama reads the arguments of calls as objects, where OpenAI's messages have them as text.
fn parse_arguments(body: &mut Map<String, Value>) {
    let messages = body.get_mut("messages").and_then(Value::as_array_mut);
    let calls = messages.into_iter().flatten().filter_map(|message| {
        let calls = message.get_mut("tool_calls")?;
        calls.as_array_mut()
    });
    for call in calls.flatten() {
        if let Some(arguments) = call.pointer_mut("/function/arguments")
            && let Some(Ok(object @ Value::Object(_))) =
                arguments.as_str().map(serde_json::from_str)
        {
            *arguments = object;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault::FaultKind;
    use crate::protocol::tests::{body_of, read_all};

    #[test]
    fn sampling_goes_under_options() {
        assert_eq!(
            body_of(&Ollama, true),
            json!({
                "model": "m",
                "messages": [
                    {"role": "system", "content": "Be brief."},
                    {"role": "user", "content": "Hello"},
                ],
                "stream": true,
                "options": {
                    "temperature": 0.5,
                    "num_predict": 64,
                    "top_p": 0.9,
                    "top_k": 40,
                    "repeat_penalty": 1.1,
                },
            })
        );
    }

    /// Recorded from Ollama 0.5.
    const RECORDED: [&str; 3] = [
        r#"{"model":"llama3.2","created_at":"2024-12-05T14:02:11.217Z","message":{"role":"assistant","content":"The"},"done":false}"#,
        r#"{"model":"llama3.2","created_at":"2024-12-05T14:02:11.301Z","message":{"role":"assistant","content":" sky"},"done":false}"#,
        r#"{"model":"llama3.2","created_at":"2024-12-05T14:02:16.492Z","message":{"role":"assistant","content":""},"done_reason":"stop","done":true,"total_duration":4883583458,"load_duration":1334875,"prompt_eval_count":26,"prompt_eval_duration":342546000,"eval_count":282,"eval_duration":4535599000}"#,
    ];

    #[test]
    fn nanoseconds_become_milliseconds() {
        let answer = read_all(&Ollama, &RECORDED).expect("an answer");
        assert_eq!(
            (answer.text.as_str(), answer.finish.as_deref()),
            ("The sky", Some("stop"))
        );
        let (usage, timing) = (&answer.usage, &answer.timing);
        assert_eq!(
            (usage.prompt_tokens, usage.completion_tokens),
            (Some(26), Some(282))
        );
        assert_eq!(timing.total_ms, Some(4_883.583_458));
        assert_eq!(timing.load_ms, Some(1.334_875));
        assert_eq!(timing.prompt_ms, Some(342.546));
        assert_eq!(timing.generation_ms, Some(4535.599));
        let speed = timing.tokens_per_second(usage).expect("a speed");
        assert!((speed - 62.175).abs() < 0.001, "{speed}");
    }

    #[test]
    fn without_its_last_line_it_is_cut() {
        assert_eq!(
            read_all(&Ollama, &RECORDED[..2]).map_err(FaultKind::code),
            Err("truncated")
        );
    }

    #[test]
    fn the_model_list() {
        let listed =
            json!({"models": [{"name": "llama3.2:latest", "size": 1}, {"name": "qwen2.5:7b"}]});
        let names = vec!["llama3.2:latest".to_owned(), "qwen2.5:7b".to_owned()];
        assert_eq!(Ollama.models(&listed), Some((names, None)));
        assert_eq!(Ollama.models(&json!({"data": []})), None);
    }
}
