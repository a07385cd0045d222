//! Formats a conversation for other programs: messages as JSON, a shell command.

use serde_json::{Map, Value as Json, json};

/// Default address of a local completion server.
const SERVER: &str = "http://localhost:8080/v1/completions";

/// Messages and tools as in the body of a chat request.
pub fn messages(messages: Vec<Json>, tools: Option<Json>) -> String {
    let mut body = Map::new();
    body.insert("messages".into(), Json::Array(messages));
    if let Some(tools) = tools {
        body.insert("tools".into(), tools);
    }
    serde_json::to_string_pretty(&body).unwrap_or_default() + "\n"
}

/// A command that sends the exact text and stops at the end of an answer.
pub fn curl(text: &str, end_tag: &str) -> String {
    let mut body = json!({"prompt": text, "max_tokens": 512});
    let end = end_tag.trim();
    if !end.is_empty() {
        body["stop"] = json!([end]);
    }
    // In single quotes, a shell interprets nothing but the closing quote.
    let quoted = body.to_string().replace('\'', r"'\''");
    format!("curl {SERVER} -H 'Content-Type: application/json' -d '{quoted}'\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_gets_the_text_back() {
        assert_eq!(
            curl("It's <|im_end|>\n", "<|im_end|>\n"),
            "curl http://localhost:8080/v1/completions -H 'Content-Type: application/json' \
             -d '{\"prompt\":\"It'\\''s <|im_end|>\\n\",\"max_tokens\":512,\"stop\":[\"<|im_end|>\"]}'\n"
        );
        assert!(!curl("x", "").contains("stop"));
    }
}
