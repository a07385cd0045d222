//! What exported prompt files print, and what they leave out.

use serde_json::json;

use super::*;
use crate::{
    hydrate::{Seed, State},
    import::prompt_file::{import_dotprompt, import_prompty},
    registry::parse,
};

const DECK: &str = r#"{
    "title": "Desk \"7\"",
    "assembly_order": ["role", "rules", "mood"],
    "role": {"items": [{"id": "a", "text": "You help {name} of {place}, {\"a\": {x}}."}],
             "template_vars": ["name", "place"], "template_var_defaults": {"place": "Bern"}},
    "rules": {"items": [{"id": "a", "pre_context": "Rules:", "items": ["be kind", "for {name}"]}],
              "template_vars": ["name"], "template_var_defaults": {"name": "Ada"}},
    "mood": {"section_random": true, "items": [{"id": "a", "text": "Dry."}, {"id": "b", "text": "Dry."}]},
    "generation": {"model": "m", "temperature": 0.5, "retries": 2}
}"#;

fn export(deck: &str, format: PromptFileFormat) -> PromptFile {
    let engine = Engine::new(parse(deck.as_bytes()).expect("a registry").registry);
    let call = Call {
        state: &State::default(),
        route: None,
        seed: Seed::from_bits(1),
    };
    let document = parse(deck.as_bytes()).expect("a registry").document.wrapper;
    prompt_file(&engine, &call, &document.unwrap_or_default(), format).expect("a file")
}

fn prompt(deck: &str) -> String {
    let engine = Engine::new(parse(deck.as_bytes()).expect("a registry").registry);
    let call = Call {
        state: &State::default(),
        route: None,
        seed: Seed::from_bits(1),
    };
    engine.hydrate_text(&call).expect("a prompt")
}

#[test]
fn exports_print_the_same_after_an_import() {
    for format in [PromptFileFormat::Dotprompt, PromptFileFormat::Prompty] {
        let file = export(DECK, format);
        assert_eq!(
            file.omissions,
            [
                "section \"mood\" is rolled: the file has the item of this seed",
                "the generation setting \"retries\"",
            ]
        );
        let import = match format {
            PromptFileFormat::Dotprompt => import_dotprompt(file.text.as_bytes()),
            PromptFileFormat::Prompty => import_prompty(file.text.as_bytes()),
        };
        let import = import.expect("a deck");
        assert_eq!(prompt(&import.text), prompt(DECK), "{}", file.text);
        let second = export(&import.text, format);
        let body = |text: &str| text.rsplit_once("---\n").expect("settings").1.to_owned();
        assert_eq!(body(&second.text), body(&file.text));
    }
}

#[test]
fn a_condition_is_written_where_its_variable_can_be_without_a_value() {
    let deck = |default: &str| {
        format!(
            r#"{{"assembly_order": ["a.text", "b.text", "c.text"],
            "a": {{"template_vars": ["weather", "name"], "template_var_defaults": {{{default}}},
                 "items": [{{"id": "x", "text": "Base.", "fragments": [
                     {{"if_var": "weather", "text": "It is {{weather}}, {{name}}."}},
                     {{"text": "Always."}}]}}]}},
            "b": {{"template_vars": ["mood"], "items": [{{"id": "x", "text": "Be {{mood}}!", "fragments": [
                     {{"if_var": "mood", "text": "Smile."}}]}}]}},
            "c": {{"template_vars": ["only"], "items": [{{"id": "x", "text": "", "fragments": [
                     {{"if_var": "only", "text": "Hat."}}]}}]}}}}"#
        )
    };
    let weather = "Base.{{#if weather}} It is {{weather}}, {{name}}.{{/if}} Always.";
    let rest = "Be {{mood}}!{{#if mood}} Smile.{{/if}}{{#if only}}\n\nHat.{{/if}}\n";
    let file = export(&deck(""), PromptFileFormat::Dotprompt);
    assert!(
        file.text.ends_with(&format!("{weather}\n\n{rest}")),
        "{}",
        file.text
    );
    assert!(
        file.text
            .contains("\"name\": string\n    \"only?\": string"),
        "{}",
        file.text
    );
    assert!(file.omissions.is_empty(), "{:?}", file.omissions);

    let file = export(&deck(r#""weather": "sunny""#), PromptFileFormat::Dotprompt);
    let weather = "Base. It is {{weather}}, {{name}}. Always.";
    assert!(
        file.text.ends_with(&format!("{weather}\n\n{rest}")),
        "{}",
        file.text
    );
    assert_eq!(
        file.omissions,
        [
            "the condition of a fragment of section \"a\", which the file prints with any \
          \"weather\": \"It is {weather}, {name}.\""
        ]
    );
}

#[test]
fn a_variable_without_a_value_that_is_a_whole_text_stays_empty() {
    let deck = r#"{"assembly_order": ["a", "b"],
        "a": {"template_vars": ["x"], "items": [{"id": "a", "text": "{x}"}]},
        "b": {"items": [{"id": "a", "text": "End."}]}}"#;
    let file = export(deck, PromptFileFormat::Dotprompt);
    assert!(file.text.ends_with("\nEnd.\n"), "{}", file.text);
}

#[test]
fn a_variable_at_the_end_of_a_text_stays_open_and_its_whitespace_is_named() {
    let deck = r#"{"assembly_order": ["b", "a"],
        "a": {"template_vars": ["lang", "tone"], "items": [{"id": "a", "text": "In {tone} {lang}"}]},
        "b": {"items": [{"id": "a", "text": "End."}]}}"#;
    for format in [PromptFileFormat::Dotprompt, PromptFileFormat::Prompty] {
        let file = export(deck, format);
        assert!(
            file.text.contains("In {{tone}} {{lang}}\n"),
            "{}",
            file.text
        );
        assert_eq!(
            file.omissions,
            ["the deck cuts whitespace beside a variable without a value: the file prints it"]
        );
    }
}

#[test]
fn what_the_format_would_read_is_escaped() {
    let deck =
        r#"{"assembly_order": ["a"], "a": {"items": [{"id": "a", "text": "x {{y}} {% z %}"}]}}"#;
    let dotprompt = export(deck, PromptFileFormat::Dotprompt).text;
    assert!(dotprompt.ends_with("x \\{{y}} {% z %}\n"), "{dotprompt}");
    let import = import_dotprompt(dotprompt.as_bytes()).expect("a deck");
    assert_eq!(prompt(&import.text), "x {{y}} {% z %}");
    let prompty = export(deck, PromptFileFormat::Prompty).text;
    assert!(
        prompty.ends_with("x {{ '{{' }}y}} {{ '{%' }} z %}\n"),
        "{prompty}"
    );
}

fn import(file: &str, format: PromptFileFormat) -> String {
    let import = match format {
        PromptFileFormat::Dotprompt => import_dotprompt(file.as_bytes()),
        PromptFileFormat::Prompty => import_prompty(file.as_bytes()),
    };
    import.expect("a deck").text
}

#[test]
fn a_default_that_is_the_name_in_braces_is_printed() {
    let deck = r#"{"assembly_order": ["a"], "a": {"template_vars": ["braces", "b"],
        "template_var_defaults": {"braces": "{braces}", "b": "B"},
        "items": [{"id": "a", "text": "Use {braces} literally, {{b}}, \\{b}, [{b}}."}]}}"#;
    assert_eq!(prompt(deck), "Use {braces} literally, {B}, \\B, [B}.");
    let dotprompt = export(deck, PromptFileFormat::Dotprompt);
    let second = import(&dotprompt.text, PromptFileFormat::Dotprompt);
    assert_eq!(prompt(&second), prompt(deck), "{}", dotprompt.text);
    assert!(
        dotprompt
            .text
            .ends_with("Use {{braces}} literally, {B}, \\B, [{{{b}}}}.\n"),
        "{}",
        dotprompt.text
    );
    assert_eq!(dotprompt.omissions.len(), 1, "{:?}", dotprompt.omissions);
    let prompty = export(deck, PromptFileFormat::Prompty);
    assert!(
        prompty
            .text
            .ends_with("literally, {{ '{' }}{{b}}}, \\{{b}}, [{{b}}}.\n"),
        "{}",
        prompty.text
    );
    assert!(prompty.omissions.is_empty(), "{:?}", prompty.omissions);
    for (file, default) in [
        (
            &dotprompt.text,
            "  default:\n    \"b\": \"B\"\n    \"braces\": \"{braces}\"\n",
        ),
        (
            &prompty.text,
            "  \"braces\":\n    type: string\n    default: \"{braces}\"\n",
        ),
    ] {
        assert!(file.contains(default), "{file}");
    }
}

#[test]
fn messages_of_the_call_are_written_or_named() {
    let deck = r#"{"registry": {"assembly_order": ["a"], "a": {"items": [{"id": "a", "text": "Help."}]}},
        "history": [{"role": "user", "content": "Print {{x}}"}, {"role": "assistant", "content": "No."},
            {"role": "assistant", "content": null, "tool_calls": [{"id": "1"}]},
            {"role": "tool", "tool_call_id": "1", "content": "ok"}],
        "message": {"text": "Why?"}, "tools": [{"type": "function"}], "assistant": {"name": "Ada"},
        "args": {"a": 1}}"#;
    let omissions = [
        "\"assistant\" of the call",
        "1 tool of the call",
        "message 3 of the call: tool calls without text are not written",
        "message 4 of the call: responses of tools are not written",
        "the argument \"a\" of the call",
    ];
    let dotprompt = export(deck, PromptFileFormat::Dotprompt);
    assert_eq!(dotprompt.omissions, omissions);
    let expected = "{{role \"system\"}}\nHelp.\n{{role \"user\"}}\nPrint \\{{x}}\n{{role \"model\"}}\nNo.\n\
                    {{role \"user\"}}\nWhy?\n";
    assert!(dotprompt.text.ends_with(expected), "{}", dotprompt.text);
    let prompty = export(deck, PromptFileFormat::Prompty);
    assert_eq!(prompty.omissions, omissions);
    let expected =
        "system:\nHelp.\n\nuser:\nPrint {{ '{{' }}x}}\n\nassistant:\nNo.\n\nuser:\nWhy?\n";
    assert!(prompty.text.ends_with(expected), "{}", prompty.text);
}

/// The messages of a dotprompt file of a call with this history, and what the file leaves out.
fn history(messages: Value) -> (String, Vec<String>) {
    let deck = json!({
        "registry": {"assembly_order": ["a"], "a": {"items": [{"id": "a", "text": "Help."}]}},
        "history": messages,
    });
    let file = export(&deck.to_string(), PromptFileFormat::Dotprompt);
    let (_, messages) = file.text.split_once("Help.\n").expect("the prompt");
    (messages.to_owned(), file.omissions)
}

#[test]
fn what_a_message_has_beside_its_text_is_named() {
    let (messages, omissions) = history(json!([
        {"role": "user", "content": "Score?", "language": "en", "name": ""},
        {"role": "assistant", "content": "I look.", "tool_calls": [{"id": "1"}], "language": "en"},
        {"role": "tool", "tool_call_id": "1", "content": "17"},
        {"role": "tool", "tool_call_id": "2", "content": "3"},
        {"role": "tool", "tool_call_id": "3", "content": "19"},
        {"role": "assistant", "content": "17.", "raw_response": [{}], "language": "en"},
        {"role": "user", "content": ["And", {"type": "image_url", "image_url": {"url": "x"}},
            {"type": "text", "text": "this?"}, {"type": "image_url"}, 1]},
    ]));
    assert_eq!(
        messages,
        "{{role \"user\"}}\nScore?\n{{role \"model\"}}\nI look.\n{{role \"model\"}}\n17.\n\
         {{role \"user\"}}\nAnd\nthis?\n"
    );
    assert_eq!(
        omissions,
        [
            "\"language\" of messages 1, 2 and 6 of the call",
            "\"raw_response\" of message 6 of the call",
            "\"tool_calls\" of message 2 of the call",
            "messages 3 to 5 of the call: responses of tools are not written",
            "parts of type \"image_url\" of message 7 of the call",
            "parts without a type of message 7 of the call",
        ]
    );
}

#[test]
fn an_answer_is_left_out_with_its_question() {
    let image = json!({"role": "user", "content": [{"type": "image_url"}]});
    let user_turn = json!({"role": "user", "content": "Which?"});
    let answer = |text: &str| json!({"role": "assistant", "content": text});
    let check = |messages: &[&Value], texts: &[&str], omissions: &[&str]| {
        let (written, left_out) = history(json!(messages));
        let lines = written.lines().filter(|line| !line.starts_with("{{role"));
        assert_eq!(lines.collect::<Vec<_>>(), texts);
        assert_eq!(left_out, omissions);
    };
    let (cat, dog) = (answer("A cat."), answer("A dog."));
    let image_parts = "parts of type \"image_url\" of message 1 of the call";
    let (no_text, no_question) = (
        "messages without text are not written",
        "an answer is not written without its question",
    );
    check(
        &[&image, &cat, &dog, &user_turn, &dog],
        &["Which?", "A dog."],
        &[
            &format!("message 1 of the call: {no_text}"),
            &format!("messages 2 and 3 of the call: {no_question}"),
        ],
    );
    check(
        &[&user_turn, &cat, &image, &dog, &user_turn],
        &["Which?", "A cat.", "Which?"],
        &[
            &format!("message 3 of the call: {no_text}"),
            &format!("message 4 of the call: {no_question}"),
        ],
    );
    // A question in several messages, of which one is text; a greeting, which answers nothing.
    for question in [[&user_turn, &image], [&image, &user_turn]] {
        let no_text = match question[0] == &image {
            true => format!("message 1 of the call: {no_text}"),
            false => format!("message 2 of the call: {no_text}"),
        };
        let messages = [question[0], question[1], &cat];
        check(&messages, &["Which?", "A cat."], &[&no_text]);
    }
    check(&[&dog, &user_turn], &["A dog.", "Which?"], &[]);
    let both = json!({"role": "user", "content": [{"type": "image_url"}, "This?"]});
    check(&[&both, &cat], &["This?", "A cat."], &[image_parts]);
}

#[test]
fn names_and_arguments_of_a_jinja_template_are_inputs() {
    let file = "---\nsample: {tone: dry}\n---\nsystem:\n{% if question %}Answer {{question}}.{% endif %}\
                {% if tone %}Be {{tone}}.{% endif %}\nuser:\nHi\n";
    let deck = import(file, PromptFileFormat::Prompty);
    let exported = export(&deck, PromptFileFormat::Prompty);
    assert!(exported.omissions.is_empty(), "{:?}", exported.omissions);
    let inputs = "inputs:\n  \"question\":\n    type: string\n  \"tone\":\n    type: string\n    \
                  default: \"dry\"\n";
    assert!(exported.text.contains(inputs), "{}", exported.text);
    assert!(
        exported.text.ends_with("\n\nuser:\nHi\n"),
        "{}",
        exported.text
    );
    let without_metadata = |text: &str| {
        let mut file: Value = serde_json::from_str(text).expect("JSON");
        file.as_object_mut().expect("an object").remove("metadata");
        file
    };
    let second = import(&exported.text, PromptFileFormat::Prompty);
    assert_eq!(without_metadata(&second), without_metadata(&deck));
}

/// The prompt of a deck with these variables set wherever they are declared.
fn prompt_with(deck: &str, set: &[(&str, &str)]) -> String {
    let registry = parse(deck.as_bytes()).expect("a registry").registry;
    let mut state = State::default();
    for section in registry.sections().values() {
        for (name, value) in set {
            if section
                .template_vars()
                .iter()
                .any(|declared| declared == name)
            {
                let key = format!("{}::{name}", section.name());
                state.template_vars.insert(key, (*value).to_owned());
            }
        }
    }
    let call = Call {
        state: &state,
        route: None,
        seed: Seed::from_bits(1),
    };
    Engine::new(registry).hydrate_text(&call).expect("a prompt")
}

#[test]
fn conditions_are_fragments_again_after_an_import() {
    let deck = r#"{"assembly_order": ["a", "b", "c", "d"],
        "a": {"template_vars": ["weather", "name"], "template_var_defaults": {"name": "Ada"},
             "items": [{"id": "x", "text": "Base {name}.", "fragments": [
                 {"if_var": "weather", "text": "It is {weather}, {name}."},
                 {"text": "Always {{x}}."},
                 {"if_var": "weather", "text": "Go out."}]}]},
        "b": {"template_vars": ["mood"], "items": [{"id": "x", "text": "Be kind!", "fragments": [
                 {"if_var": "mood", "text": "Smile."}]}]},
        "c": {"template_vars": ["only"], "items": [{"id": "x", "text": "", "fragments": [
                 {"if_var": "only", "text": "A hat."}]}]},
        "d": {"items": [{"id": "x", "text": "End."}]}}"#;
    for format in [PromptFileFormat::Dotprompt, PromptFileFormat::Prompty] {
        let file = export(deck, format);
        assert!(file.omissions.is_empty(), "{:?}", file.omissions);
        let registry = import(&file.text, format);
        for choice in 0..8 {
            let all = [("weather", "dry"), ("mood", "good"), ("only", "yes")];
            let set = (0..3).filter(|number| choice >> number & 1 == 1);
            let set: Vec<_> = set.map(|number| all[number]).collect();
            assert_eq!(
                prompt_with(&registry, &set),
                prompt_with(deck, &set),
                "{set:?} {registry}"
            );
        }
        let second = export(&registry, format);
        assert_eq!(second.text, file.text);
    }
}

#[test]
fn a_variable_with_a_word_of_the_format_as_its_name_is_renamed() {
    let deck = |name: &str| {
        format!(
            r#"{{"assembly_order": ["a"], "a": {{"template_vars": ["{name}", "{name}_"],
            "template_var_defaults": {{"{name}": "cook", "{name}_": "chef"}},
            "items": [{{"id": "a", "text": "You are {{{name}}}, {{{name}_}}."}}]}}}}"#
        )
    };
    let check = |format, name: &str, expected: &str| {
        let file = export(&deck(name), format);
        assert!(
            file.text.ends_with(&format!("\n{expected}\n")),
            "{}",
            file.text
        );
        assert!(file.omissions.is_empty(), "{:?}", file.omissions);
        let second = import(&file.text, format);
        assert_eq!(prompt(&second), prompt(&deck(name)), "{}", file.text);
    };
    for name in [
        "role", "history", "if", "each", "else", "this", "true", "log", "len",
    ] {
        let expected = format!("You are {{{{{name}_}}}}, {{{{a_{name}_}}}}.");
        check(PromptFileFormat::Dotprompt, name, &expected);
    }
    for name in ["not", "and", "in", "if", "true", "None", "self", "range"] {
        let expected = format!("You are {{{{{name}_}}}}, {{{{a_{name}_}}}}.");
        check(PromptFileFormat::Prompty, name, &expected);
    }
    check(
        PromptFileFormat::Prompty,
        "role",
        "You are {{role}}, {{role_}}.",
    );
    check(
        PromptFileFormat::Dotprompt,
        "in",
        "You are {{in}}, {{in_}}.",
    );
}

#[test]
fn variables_whose_names_differ_in_other_characters_stay_apart() {
    let deck = r#"{"assembly_order": ["a"], "a": {"template_vars": ["user name", "user-name", "user.name"],
        "items": [{"id": "a", "text": "{user name} {user-name} {user.name}."}]}}"#;
    let file = export(deck, PromptFileFormat::Dotprompt);
    let expected = "{{user_name}} {{a_user_name}} {{a_user_name_}}.\n";
    assert!(file.text.ends_with(expected), "{}", file.text);
}

#[test]
fn a_rolled_slider_that_is_printed_is_named() {
    let deck = |token: &str| {
        format!(
            r#"{{"assembly_order": ["mood.text", "{token}"], "mood": {{"slider_random": true,
            "items": [{{"id": "a", "text": "A.", "scale_emotion": "joy"}}]}}}}"#
        )
    };
    let file = export(&deck("mood.scale"), PromptFileFormat::Dotprompt);
    let rolled = "the slider of section \"mood\" is rolled: the file has the value of this seed";
    assert_eq!(file.omissions, [rolled]);
    let file = export(&deck("mood.text"), PromptFileFormat::Dotprompt);
    assert!(file.omissions.is_empty(), "{:?}", file.omissions);
}
