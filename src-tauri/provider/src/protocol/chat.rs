//! OpenAI's `/v1/chat/completions`, also implemented by LM Studio, the llama.cpp server, vLLM and
//! others: server-sent events, with the usage in the last one.

use promptdeck_core::{
    output::GenerationConfig,
    run::{Request, Timing, Usage},
};
use reqwest::Url;
use serde_json::{Map, Value, json};

use super::{Piece, Protocol, calls, default, messages, names, text_at};
use crate::{base_url::BaseUrl, http::Framing};

/// OpenAI's chat protocol.
pub(crate) struct Chat;

impl Protocol for Chat {
    fn framing(&self) -> Framing {
        Framing::Sse
    }

    fn address(&self, base: &BaseUrl, _: &Request) -> Url {
        base.join(Some("v1"), &["chat", "completions"])
    }

    fn body(&self, request: &Request) -> Result<Value, &'static str> {
        let (mut body, messages) = messages(request)?;
        default(&mut body, "model", &request.generation.model);
        default(&mut body, "messages", messages);
        sampling(&mut body, &request.generation, request.stream);
        Ok(Value::Object(body))
    }

    fn read(&self, document: &Value) -> Option<Piece> {
        let text = ["/choices/0/delta/content", "/choices/0/message/content"]
            .iter()
            .find_map(|place| text_at(document, place));
        let message = ["/choices/0/delta", "/choices/0/message"]
            .iter()
            .find_map(|place| document.pointer(place));
        Some(Piece {
            calls: calls(message),
            ..read(document, text)?
        })
    }

    fn models_address(&self, base: &BaseUrl, _: Option<&str>) -> Url {
        base.join(Some("v1"), &["models"])
    }

    fn models(&self, document: &Value) -> Option<(Vec<String>, Option<String>)> {
        Some((names(document, "data", "id")?, None))
    }
}

/// Adds the sampling fields of OpenAI's two completion calls. `top_k` and `repeat_penalty` are not
/// part of the protocol, but all local servers accept them; they are sent only if the registry sets
/// them.
pub(super) fn sampling(
    body: &mut Map<String, Value>,
    generation: &GenerationConfig,
    streaming: bool,
) {
    body.insert("stream".to_owned(), json!(streaming));
    if streaming {
        default(body, "stream_options", json!({"include_usage": true}));
    }
    default(body, "temperature", generation.temperature);
    default(body, "max_tokens", generation.max_tokens);
    if let Some(top_p) = generation.top_p {
        default(body, "top_p", top_p);
    }
    if let Some(top_k) = generation.top_k {
        default(body, "top_k", top_k);
    }
    if let Some(penalty) = generation.repeat_penalty {
        default(body, "repeat_penalty", penalty);
    }
}

/// Reads a response of either completion call; `timings` is an extension of llama.cpp.
pub(super) fn read(document: &Value, text: Option<&str>) -> Option<Piece> {
    let choices = document.get("choices").and_then(Value::as_array);
    let usage = document.get("usage").filter(|usage| usage.is_object());
    if choices.is_none() && usage.is_none() {
        return None;
    }
    let count = |key: &str| usage?.get(key)?.as_u64();
    let duration = |key: &str| document.get("timings")?.get(key)?.as_f64();
    Some(Piece {
        text: text.unwrap_or_default().to_owned(),
        usage: Usage {
            prompt_tokens: count("prompt_tokens"),
            completion_tokens: count("completion_tokens"),
            cached_tokens: usage.and_then(|usage| {
                usage
                    .pointer("/prompt_tokens_details/cached_tokens")?
                    .as_u64()
            }),
        },
        timing: Timing {
            prompt_ms: duration("prompt_ms"),
            generation_ms: duration("predicted_ms"),
            ..Timing::default()
        },
        finish: text_at(document, "/choices/0/finish_reason").map(str::to_owned),
        ..Piece::default()
    })
}

#[cfg(test)]
mod tests {
    use promptdeck_core::run::ToolCall;

    use super::*;
    use crate::fault::FaultKind;
    use crate::protocol::tests::{body_of, read_all};

    #[test]
    fn sampling_goes_beside_the_messages() {
        let expect = |stream: bool| {
            let mut body = json!({
                "model": "m",
                "messages": [
                    {"role": "system", "content": "Be brief."},
                    {"role": "user", "content": "Hello"},
                ],
                "stream": stream,
                "temperature": 0.5,
                "max_tokens": 64,
                "top_p": 0.9,
                "top_k": 40,
                "repeat_penalty": 1.1,
            });
            if stream {
                body["stream_options"] = json!({"include_usage": true});
            }
            body
        };
        assert_eq!(body_of(&Chat, false), expect(false));
        assert_eq!(body_of(&Chat, true), expect(true));
    }

    #[test]
    fn usage_may_come_before_or_after_the_end_of_the_text() {
        let text =
            r#"{"choices":[{"delta":{"role":"assistant","content":"Hi"},"finish_reason":null}]}"#;
        let end = r#"{"choices":[{"delta":{},"finish_reason":"stop"}]}"#;
        let usage = r#"{"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":1,"prompt_tokens_details":{"cached_tokens":4}}}"#;
        for events in [[text, end, usage], [text, usage, end]] {
            let answer = read_all(&Chat, &events).expect("an answer");
            assert_eq!(
                (answer.text.as_str(), answer.finish.as_deref()),
                ("Hi", Some("stop"))
            );
            let usage = answer.usage;
            let counts = (
                usage.prompt_tokens,
                usage.completion_tokens,
                usage.cached_tokens,
            );
            assert_eq!(counts, (Some(9), Some(1), Some(4)));
        }
        assert_eq!(
            read_all(&Chat, &[text, usage]).map_err(FaultKind::code),
            Err("truncated")
        );
    }

    #[test]
    fn tool_calls_come_whole_or_in_parts() {
        let call = |id: &str, name: &str, arguments: &str| ToolCall {
            id: id.to_owned(),
            name: name.to_owned(),
            arguments: arguments.to_owned(),
        };
        let whole = r#"{"choices":[{"message":{"content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"look","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}"#;
        let answer = read_all(&Chat, &[whole]).expect("an answer");
        assert_eq!(answer.tool_calls, [call("a", "look", "{}")]);
        let parts = [
            r#"{"choices":[{"delta":{"content":null,"tool_calls":[{"index":0,"id":"a","function":{"name":"look","arguments":""}}]}}]}"#,
            r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"at\":"}}]}}]}"#,
            r#"{"choices":[{"delta":{"tool_calls":[{"index":1,"id":"b","function":{"name":"go","arguments":"{}"}}]}}]}"#,
            r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"1}"}}]},"finish_reason":"tool_calls"}]}"#,
        ];
        let answer = read_all(&Chat, &parts).expect("an answer");
        let expected = [call("a", "look", r#"{"at":1}"#), call("b", "go", "{}")];
        assert_eq!(answer.tool_calls, expected);
    }

    #[test]
    fn an_answer_without_text_is_an_empty_one() {
        let silent = r#"{"choices":[{"message":{"content":null,"tool_calls":[]},"finish_reason":"tool_calls"}]}"#;
        let answer = read_all(&Chat, &[silent]).expect("an answer");
        assert_eq!(
            (answer.text.as_str(), answer.finish.as_deref()),
            ("", Some("tool_calls"))
        );
    }
}
