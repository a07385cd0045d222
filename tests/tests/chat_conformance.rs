//! Compares chat templates with jinja2 configured as in transformers: every template of the pinned
//! wheels over every conversation, byte for byte, including errors and the messages that templates
//! raise.

use promptdeck_chat::{RenderError, Request};
use promptdeck_jinja::{ErrorKind, Moment, Template};
use promptdeck_tests::chat_conversations::{self, Conversation};
use promptdeck_tests::{chat_expressions, chat_sources, oracle};
use serde_json::{Map, Value, json};

fn moment() -> Option<Moment> {
    Moment::parse("2024-07-26T09:05:03").map(|(moment, _)| moment)
}

fn request(question: &Value) -> Request {
    let text = |name: &str| question[name].as_str().map(str::to_owned);
    Request {
        messages: question["messages"].as_array().cloned().unwrap_or_default(),
        tools: question.get("tools").cloned(),
        add_generation_prompt: question["add_generation_prompt"]
            .as_bool()
            .unwrap_or_default(),
        bos_token: text("bos_token"),
        eos_token: text("eos_token"),
        extra: question["extra"].as_object().cloned().unwrap_or_default(),
        now: moment(),
        continue_field: (question["continue_final_message"] == json!(true))
            .then(|| "content".into()),
        ..Request::default()
    }
}

/// Whether two results are equal: the same bytes, or errors, with the same message if the template
/// raised it.
fn agree(ours: &Result<String, RenderError>, theirs: &Value) -> bool {
    match ours {
        Ok(text) => theirs["output"].as_str() == Some(text),
        Err(RenderError::Template(error)) if error.kind() == ErrorKind::Raised => {
            theirs["error"] == json!("TemplateError")
                && theirs["message"].as_str() == Some(error.message())
        }
        Err(_) => theirs["ok"] == json!(false) && theirs["error"] != json!("TemplateError"),
    }
}

#[test]
fn templates_render_as_in_transformers() {
    let fetched = chat_sources::fetched();
    assert!(
        fetched.len() >= 80,
        "only {} templates were fetched",
        fetched.len()
    );
    let conversations = chat_conversations::all();
    assert!(conversations.len() >= 20);
    let all: Vec<(String, String)> = fetched
        .into_iter()
        .chain(chat_sources::repository_templates())
        .collect();
    let mut questions = Vec::new();
    for (_, source) in &all {
        for Conversation { question, .. } in &conversations {
            let mut question = question.clone();
            question["template"] = json!(source);
            questions.push(question);
        }
    }
    let answers = oracle::ask("chat_oracle.py", &questions);
    let mut different = Vec::new();
    let mut failed = 0;
    let mut cells = questions.iter().zip(&answers);
    for (name, source) in &all {
        let template = Template::compile(source);
        for conversation in &conversations {
            let (question, theirs) = cells.next().expect("one answer for each question");
            let ours = match &template {
                Ok(template) => request(question).render(template),
                Err(error) => panic!("{name} does not compile: {error}"),
            };
            failed += usize::from(ours.is_err());
            if !agree(&ours, theirs) {
                let ours = ours.map_err(|error| error.to_string());
                different.push(format!(
                    "{name} over {}:\n  ours   {ours:?}\n  theirs {theirs}",
                    conversation.name
                ));
            }
        }
    }
    println!(
        "{} templates x {} conversations: {} of {} renderings identical ({failed} of them errors in both)",
        all.len(),
        conversations.len(),
        questions.len() - different.len(),
        questions.len(),
    );
    assert!(
        different.is_empty(),
        "{} differ:\n{}",
        different.len(),
        different.join("\n")
    );
}

#[test]
fn expressions_evaluate_as_in_jinja() {
    let cases = chat_expressions::all();
    assert!(cases.len() >= 400, "only {} cases", cases.len());
    let questions: Vec<Value> = cases
        .iter()
        .map(|case| json!({"template": case, "variables": chat_expressions::variables()}))
        .collect();
    let answers = oracle::ask("chat_oracle.py", &questions);
    let variables: Map<String, Value> = chat_expressions::variables();
    let mut different = Vec::new();
    for (case, theirs) in cases.iter().zip(&answers) {
        let ours = Template::compile(case)
            .map_err(RenderError::from)
            .and_then(|template| {
                let mut all = promptdeck_jinja::Variables::default();
                for (name, value) in &variables {
                    all.set_json(name, value)?;
                }
                Ok(template.render(&all, moment(), promptdeck_jinja::Limits::default())?)
            });
        if !agree(&ours, theirs) {
            let ours = ours.map_err(|error| error.to_string());
            different.push(format!("{case}\n  ours   {ours:?}\n  theirs {theirs}"));
        }
    }
    let same = cases.len() - different.len();
    let rate = same as f64 * 100.0 / cases.len() as f64;
    println!(
        "{same} of {} expressions identical ({rate:.1} %)",
        cases.len()
    );
    let known = chat_expressions::KNOWN_DIFFERENT;
    let unexplained: Vec<&String> = different
        .iter()
        .filter(|one| !known.iter().any(|known| one.lines().next() == Some(known)))
        .collect();
    assert!(
        rate >= 97.0,
        "only {rate:.1} % identical:\n{}",
        different.join("\n")
    );
    assert!(
        unexplained.is_empty(),
        "not in COMPATIBILITY.md: {unexplained:#?}"
    );
    for known in known {
        assert!(
            different
                .iter()
                .any(|one| one.lines().next() == Some(known)),
            "{known} agrees by now: take it out of the list and of COMPATIBILITY.md"
        );
    }
}
