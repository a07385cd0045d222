//! OpenAI's `/v1/completions`: the server sends the text to the model unchanged. Chat templates,
//! which produce that text, are applied elsewhere.

use promptdeck_core::run::{Input, Request, Role};
use reqwest::Url;
use serde_json::{Map, Value};

use super::{Piece, Protocol, chat, default, text_at};
use crate::{base_url::BaseUrl, http::Framing};

/// OpenAI's raw completion protocol.
pub(crate) struct Completions;

impl Protocol for Completions {
    fn framing(&self) -> Framing {
        Framing::Sse
    }

    fn address(&self, base: &BaseUrl, _: &Request) -> Url {
        base.join(Some("v1"), &["completions"])
    }

    fn body(&self, request: &Request) -> Result<Value, &'static str> {
        let mut body = Map::new();
        match &request.input {
            Input::Text(text) => default(&mut body, "prompt", text),
            // A single prompt without a template is already text.
            Input::Messages(messages) => match messages.as_slice() {
                [message] if message.role == Role::User => {
                    default(&mut body, "prompt", &message.content);
                }
                _ => return Err("a conversation needs a chat template to become a text"),
            },
            Input::Body(Value::Object(given)) => body.clone_from(given),
            _ => return Err("it takes a text, or a body that is an object"),
        }
        default(&mut body, "model", &request.generation.model);
        chat::sampling(&mut body, &request.generation, request.stream);
        Ok(Value::Object(body))
    }

    fn read(&self, document: &Value) -> Option<Piece> {
        chat::read(document, text_at(document, "/choices/0/text"))
    }

    fn models_address(&self, base: &BaseUrl, page: Option<&str>) -> Url {
        chat::Chat.models_address(base, page)
    }

    fn models(&self, document: &Value) -> Option<(Vec<String>, Option<String>)> {
        chat::Chat.models(document)
    }
}

#[cfg(test)]
mod tests {
    use promptdeck_core::{output::GenerationConfig, run::Message};
    use serde_json::json;

    use super::*;

    fn check(input: Input, expect: Result<Value, &str>) {
        let request = Request {
            input,
            generation: GenerationConfig::default(),
            stream: false,
        };
        let prompt = Completions
            .body(&request)
            .map(|body| body["prompt"].clone());
        assert_eq!(prompt.is_ok(), expect.is_ok());
        assert_eq!(prompt.unwrap_or_default(), expect.unwrap_or_default());
    }

    #[test]
    fn what_becomes_the_prompt() {
        let message = |role| Message {
            role,
            content: "Hello".to_owned(),
        };
        check(Input::Text("<s>Hello".to_owned()), Ok(json!("<s>Hello")));
        check(
            Input::Messages(vec![message(Role::User)]),
            Ok(json!("Hello")),
        );
        check(Input::Body(json!({"prompt": [1, 2]})), Ok(json!([1, 2])));
        check(
            Input::Messages(vec![message(Role::System)]),
            Err("no template"),
        );
        check(
            Input::Messages(vec![message(Role::User), message(Role::Assistant)]),
            Err("no template"),
        );
        check(Input::Body(json!("Hello")), Err("no object"));
    }
}
