//! Calls as the layers of a request to Gemini.

use promptdeck_core::registry::Severity;
use serde_json::json;

use super::{call, said, with};
use crate::target::gemini;

#[test]
fn gemini_gets_layers_from_the_same_call() {
    let request = with(&call(), "Ada", gemini).expect("a request");
    let contents = request.body["contents"].as_array().expect("contents");
    let fixed = contents[0]["parts"][0]["text"].as_str().expect("text");
    assert!(
        fixed.contains("You forecast. Ada") && fixed.contains("Be brief"),
        "{fixed}"
    );
    assert_eq!(
        contents[3]["parts"][0]["functionCall"],
        json!({"id": "t1", "name": "weather", "args": {"city": "Rome"}})
    );
    assert_eq!(
        contents[4]["parts"][0]["functionResponse"],
        json!({"id": "t1", "name": "weather", "response": {"sky": "blue"}})
    );
    assert_eq!(
        contents.last(),
        Some(&json!({"role": "user", "parts": [{"text": "And tomorrow?"}]}))
    );
    assert_eq!(
        request.body["generationConfig"],
        json!({"temperature": 0.5, "maxOutputTokens": 99})
    );
    assert_eq!(request.layers.len(), 4);
    let found = &request.diagnostics[0];
    assert_eq!(
        (found.code.as_str(), found.severity, found.pointer.as_str()),
        ("signature_missing", Severity::Warning, "/history/3")
    );
    assert!(
        found.message.starts_with("message 4, the latest"),
        "{}",
        found.message
    );
}

#[test]
fn a_tool_response_is_the_trigger_of_a_follow_up() {
    let mut document = call();
    document["history"]
        .as_array_mut()
        .expect("history")
        .truncate(3);
    document["message"] = json!(null);
    let request = with(&document, "Ada", gemini).expect("a request");
    let last = request.layers[3].contents[0];
    assert!(
        request.body["contents"][last]["parts"][0]
            .get("functionResponse")
            .is_some()
    );
}

#[test]
fn gemini_asks_for_the_new_message_where_there_is_nothing_to_answer() {
    let sentence = "no message to respond to: fill in the new message (message.text), or end the \
                    history with a message of the user or the response of a tool";
    let in_call = [("/message".to_owned(), sentence.to_owned())];
    for history in [json!([]), call()["history"].clone()] {
        let mut document = call();
        document["history"] = history;
        document["message"] = json!({"text": ""});
        let request = with(&document, "Ada", gemini).expect("a request");
        assert_eq!(said(&request, "no_trigger"), in_call);
        // A task of the layers is used instead of the message.
        document["layers"] = json!({"current_task": {"instruction": ""}});
        let request = with(&document, "Ada", gemini).expect("a request");
        assert!(
            said(&request, "no_trigger")[0]
                .1
                .contains("current_task.instruction")
        );
    }
}

#[test]
fn layers_of_the_wrong_shape_are_named() {
    let mut document = call();
    document["layers"] = json!({"turns": 1});
    assert_eq!(
        with(&document, "Ada", gemini)
            .expect_err("refused")
            .to_string(),
        "/layers/turns: expected a list"
    );
}

#[test]
fn gemini_gets_the_images_that_a_message_holds_as_data() {
    let image = |url: &str| json!({"type": "image_url", "image_url": {"url": url}});
    let mut document = call();
    document["history"][0]["content"] = json!([
        {"type": "text", "text": "Weather "}, image("data:image/png;base64,+/8"),
        {"type": "text", "text": "here?"}, image("https://example.com/a.png"),
        image("data:image/png,raw"), image("data:image/png;base64,!"),
    ]);
    document["history"][3]["content"] = json!(["Fine.", image("data:image/png;base64,AAAA")]);
    document["message"] = json!(null);
    let last = json!({"role": "user", "content": [image("data:image/jpeg;base64,AAAA")]});
    document["history"]
        .as_array_mut()
        .expect("a list")
        .push(last);
    let request = with(&document, "Ada", gemini).expect("a request");
    let contents = request.body["contents"].as_array().expect("contents");
    let data = |kind: &str, data: &str| json!({"inlineData": {"mimeType": kind, "data": data}});
    let asked = json!({"role": "user", "parts": [
        {"text": "Weather "}, data("image/png", "-_8="), {"text": "here?"},
    ]});
    assert!(contents.contains(&asked), "{contents:?}");
    let last = json!({"role": "user", "parts": [data("image/jpeg", "AAAA")]});
    assert_eq!(contents.last(), Some(&last));
    let places: Vec<String> = said(&request, "part_left_out")
        .into_iter()
        .map(|said| said.0)
        .collect();
    assert_eq!(
        places,
        [
            "/history/0/content/3",
            "/history/0/content/4",
            "/history/0/content/5",
            "/history/3/content/1"
        ]
    );
    let trigger = request.layers.last().expect("a trigger");
    assert_eq!(trigger.chars, "[image/jpeg]".len());
    let sent: String = request
        .spans
        .iter()
        .map(|span| span.text.as_str())
        .collect();
    assert!(sent.contains("Weather [image/png]here?"), "{sent}");

    document["layers"] = json!({"cached_turn_count": 1});
    let request = with(&document, "Ada", gemini).expect("a request");
    assert_eq!(
        said(&request, "part_left_out").pop(),
        Some((
            "/history/0".to_owned(),
            "message 1: image/png is left out, since the turn is in the static layer, which is a text; \
             lower cached_turn_count to send it"
                .to_owned()
        ))
    );
}
