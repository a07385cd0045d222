//! Prompt files: what their decks print, the call around them, and the report.

use serde_json::{Value, json};

use super::{import_dotprompt, import_jinja, import_prompty};
use crate::{
    hydrate::{Call, Engine, Seed, State},
    import::{ConversionStatus, Import, deck::prompt_of},
    lint,
    registry::{Severity, parse},
};

fn lines(import: &Import) -> Vec<String> {
    let entries = import.report.entries.iter();
    entries
        .map(|entry| {
            let line = entry.place.map_or(0, |place| place.line);
            format!("{:?} {line} {}", entry.status, entry.pointer)
        })
        .collect()
}

fn made(import: &Import) -> Value {
    serde_json::from_str(&import.text).expect("JSON")
}

#[test]
fn dotprompt_files_become_decks() {
    let file = "---\nname: greet\nmodel: googleai/gemini-2.5-flash\nconfig:\n  temperature: 0.7\n  stopSequences: [X]\n\
                input:\n  default:\n    guest: Ada\n  schema:\n    guest: string\noutput:\n  format: json\n---\n\
                {{role \"system\"}}\nYou greet {{guest}} in {{ lang }}.\n\nRules:\n- be kind\n- be brief\n\
                {{history}}\n{{role \"user\"}}\nHello, I am {{guest}}.\n";
    let import = import_dotprompt(file.as_bytes()).expect("a deck");
    assert_eq!(
        prompt_of(&import.text).expect("a prompt"),
        "You greet Ada in .\n\nRules:\n- be kind\n- be brief"
    );
    let registry = made(&import);
    assert_eq!(registry["registry"]["title"], "greet");
    let generation = json!({"model": "googleai/gemini-2.5-flash", "temperature": 0.7});
    assert_eq!(registry["registry"]["generation"], generation);
    assert_eq!(registry["message"], json!({"text": "Hello, I am Ada."}));
    assert_eq!(
        registry["registry"]["base_context"]["template_vars"],
        json!(["guest", "lang"])
    );
    assert_eq!(
        lines(&import),
        [
            "NotSupported 6 /config/stopSequences",
            "NotSupported 13 /output",
            "Converted 23 ",
            "Converted 23 ",
            "Converted 21 ",
            "Unread 8 /input",
        ]
    );
}

#[test]
fn what_prompty_reads_in_a_message_and_a_call_does_not_is_reported() {
    let file = "---\nname: a\n---\nsystem:\nBe kind.\nassistant[name=x]:\nHi.\nuser:\nSee\n![plan](a.png)\nNow?\n";
    let import = import_prompty(file.as_bytes()).expect("a deck");
    let unsupported = import.report.entries.iter();
    let unsupported = unsupported.filter(|entry| entry.status == ConversionStatus::NotSupported);
    let unsupported: Vec<_> = unsupported
        .map(|entry| {
            (
                entry.place.map_or(0, |place| place.line),
                entry.message.as_str(),
            )
        })
        .collect();
    assert_eq!(
        unsupported,
        [
            (6, "[name=x] is left out: a message has no attributes"),
            (
                10,
                "an image is sent as this text: put it into the call document as a part"
            ),
        ]
    );
}

#[test]
fn a_template_alone_is_a_prompt_file() {
    let import = import_dotprompt(b"Hi {{name}}! {{#if x}}y{{/if}}\n").expect("a deck");
    assert_eq!(
        prompt_of(&import.text).expect("a prompt"),
        "Hi ! {{#if x}}y{{/if}}"
    );
    assert_eq!(
        lines(&import),
        ["NotSupported 1 ", "NotSupported 1 ", "Converted 1 "]
    );
}

#[test]
fn prompty_files_of_both_versions_become_decks() {
    let first = "---\nname: Basic\nmodel:\n  api: chat\n  configuration:\n    type: azure_openai\n    azure_deployment: gpt\n  \
                 parameters:\n    max_tokens: 30\ninputs:\n  firstName:\n    type: string\nsample:\n  firstName: Jane\n  \
                 question: Why?\n---\nsystem:\nYou help {{firstName}}.\n\nuser:\n{{question}}\n";
    let second = "---\nname: Basic\nmodel:\n  id: gpt\n  options:\n    maxOutputTokens: 30\ninputSchema:\n  properties:\n    \
                  - name: firstName\n      default: Jane\n    - name: question\n      default: Why?\n\
                  template:\n  format:\n    kind: jinja2\n---\nsystem:\nYou help {{firstName}}.\n\nuser:\n{{question}}\n";
    let reports = [
        vec![
            "NotSupported 6 /model/configuration/type",
            "Converted 21 ",
            "Converted 21 ",
            "Unread 11 /inputs",
        ],
        vec!["Converted 21 ", "Converted 21 "],
    ];
    for (file, report) in [first, second].into_iter().zip(reports) {
        let import = import_prompty(file.as_bytes()).expect("a deck");
        assert_eq!(prompt_of(&import.text).expect("a prompt"), "You help Jane.");
        let registry = made(&import);
        assert_eq!(registry["message"], json!({"text": "Why?"}));
        assert_eq!(
            registry["registry"]["generation"],
            json!({"model": "gpt", "max_tokens": 30})
        );
        assert_eq!(lines(&import), report, "{:?}", import.report);
    }
}

#[test]
fn a_prompty_file_with_statements_is_a_jinja_template() {
    let file = "---\nname: T\nsample:\n  a: 1\n---\nsystem:\n{% if a %}A {{a}}{% endif %}\n\nEnd {b}\nassistant:\nHi";
    let import = import_prompty(file.as_bytes()).expect("a deck");
    let registry = made(&import);
    assert_eq!(registry["registry"]["template_engine"], "jinja");
    assert_eq!(registry["defaults"], json!({"a": "1"}));
    let prompt = prompt_of(&import.text).expect("a prompt");
    assert_eq!(prompt, "{% if a %}A {{a}}{% endif %}\n\nEnd {b}");
    assert_eq!(
        registry["history"],
        json!([{"role": "assistant", "content": "Hi"}])
    );
}

#[test]
fn a_jinja_template_is_printed_as_written() {
    let text = "{% for x in xs %}\n- {{ x }}\n{% endfor %}\n\n{name}";
    let import = import_jinja(text.as_bytes()).expect("a deck");
    assert_eq!(prompt_of(&import.text).expect("a prompt"), text);
    let report = &import.report.entries[0];
    assert_eq!(report.status, ConversionStatus::NotSupported);
    assert_eq!(
        report.message,
        "the name xs has no value: set it in `args` of a call document"
    );
    let section = &made(&import)["registry"]["base_context"];
    assert_eq!(section["template_vars"], json!(["name"]));
    assert_eq!(section["template_var_defaults"], json!({"name": "{name}"}));
    let parsed = parse(import.text.as_bytes()).expect("a registry");
    let call = Call {
        state: &State::default(),
        route: None,
        seed: Seed::from_bits(0),
    };
    let found = lint::summary(&Engine::new(parsed.registry), &call);
    assert!(
        found.iter().all(|found| found.severity == Severity::Note),
        "{found:?}"
    );
}

#[test]
fn names_that_a_jinja_template_prints_are_variables() {
    let import =
        import_jinja(b"You are {{ name }}.\n{% if admin %}Yes.{% endif %}").expect("a deck");
    let section = &made(&import)["registry"]["base_context"];
    assert_eq!(section["template_vars"], json!(["name"]));
    assert_eq!(
        section["items"][0]["text"],
        "You are {name}.\n{% if admin %}Yes.{% endif %}"
    );
    let messages = import.report.entries.iter();
    let messages: Vec<&str> = messages.map(|entry| entry.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "the name admin has no value: set it in `args` of a call document",
            "{{name}} is the template variable \"name\"; it has no value yet",
        ]
    );
}

#[test]
fn files_that_are_not_valid_are_refused_with_their_place() {
    let message = |text: &str| {
        import_dotprompt(text.as_bytes())
            .expect_err("refused")
            .to_string()
    };
    assert_eq!(
        message("---\na: 1\n"),
        "line 1, column 1: the settings never end; close them with a line of three dashes"
    );
    assert_eq!(
        message("---\n- 1\n---\nx"),
        "line 2, column 1: the settings must be a mapping of names to values"
    );
    assert_eq!(
        message("---\na: &b [1]\nc: *b\n---\nx"),
        "line 3, column 4: /c: YAML aliases (*name) are not read; write the value here"
    );
    assert_eq!(
        message("---\n---\n"),
        "the template is empty: there is nothing to import"
    );
    assert_eq!(
        message("---\n---\n{{role \"boss\"}}x"),
        "line 3, column 1: {{role \"boss\"}} names no role; roles are system, user, model and tool"
    );
}

#[test]
fn a_line_with_a_misspelled_role_is_reported() {
    let file = "---\nname: n\n---\nsytem:\nBe brief.\n\nNote:\nusr :\nHello\nuser:\nHi\n";
    let import = import_prompty(file.as_bytes()).expect("a deck");
    let misspelled: Vec<_> = import
        .report
        .entries
        .iter()
        .filter(|entry| entry.message.contains("did you mean"))
        .map(|entry| (entry.place.map(|place| place.line), entry.message.as_str()))
        .collect();
    assert_eq!(
        misspelled,
        [
            (
                Some(4),
                "\"sytem\" is not a role, so the line is a text of the message; did you mean \"system\"?"
            ),
            (
                Some(8),
                "\"usr\" is not a role, so the line is a text of the message; did you mean \"user\"?"
            ),
        ]
    );
}

#[test]
fn a_template_that_does_not_parse_is_reported() {
    let refusal = |import: &Import| {
        let found = import.report.entries.iter();
        let mut found = found.filter(|entry| entry.message.contains("it cannot be rendered"));
        found.next().and_then(|entry| Some(entry.place?.line))
    };
    let template = "Be brief.\n{% if user %}\nHi {{ user }}\n";
    let jinja = import_jinja(template.as_bytes()).expect("a deck");
    assert!(refusal(&jinja).is_some(), "{:?}", jinja.report);
    let open = import_jinja(b"One.\nTwo {{ user\n").expect("a deck");
    assert_eq!(refusal(&open), Some(2));
    let whole = import_jinja(b"{% if user %}Hi{% endif %}").expect("a deck");
    assert_eq!(refusal(&whole), None);
    let file = "---\nname: n\n---\nsystem:\nBe brief.\nHi {{ user\n";
    let prompty = import_prompty(file.as_bytes()).expect("a deck");
    assert_eq!(refusal(&prompty), Some(6));
    let dotprompt = import_dotprompt(b"Be brief.\nHi {{ user\n").expect("a deck");
    assert_eq!(lines(&dotprompt), ["NotSupported 2 ", "Converted 1 "]);
}

#[test]
fn every_expression_of_a_message_is_reported() {
    let file = "---\ninput:\n  default: {customer: Ann}\n---\n{{role \"system\"}}\nBe kind.\n\
                {{role \"user\"}}\nI am {{customer}}. {{#each items}}{{this}}{{/each}} {{this}}\n\
                {{media url=photo}} {{>footer}} {{customer}}\n";
    let import = import_dotprompt(file.as_bytes()).expect("a deck");
    let entries = import.report.entries.iter();
    let entries: Vec<String> = entries
        .filter(|entry| entry.message.contains("a message is not"))
        .map(|entry| {
            let line = entry.place.map_or(0, |place| place.line);
            format!("{:?} {line} {}", entry.status, entry.message)
        })
        .collect();
    assert_eq!(
        entries,
        [
            "NotSupported 8 {{#each items}}, {{this}}, {{/each}}, {{media url=photo}} and \
             {{>footer}} are sent as written: a message is not a template",
            "Converted 8 {{customer}} is fixed to the value of the file, \"Ann\": a message is \
             not a template",
        ]
    );
}

#[test]
fn entries_have_the_lines_of_their_system_message() {
    let file = "---\nname: a\n---\nsystem:\nOne\n\nsystem:\nTwo {x}\n{{#if y}}\n\nuser:\nHi\n";
    let file = file.replace("name: a", "template: {format: mustache}");
    let import = import_prompty(file.as_bytes()).expect("a deck");
    let line = |words: &str| {
        let mut entries = import.report.entries.iter();
        let entry = entries.find(|entry| entry.message.contains(words));
        entry.and_then(|entry| entry.place).map(|place| place.line)
    };
    assert_eq!(line("{x} is a template variable"), Some(8));
    assert_eq!(line("{{#if y}} prints as written"), Some(9));
}

#[test]
fn conditions_are_fragments_where_both_print_the_same() {
    let file = |settings: &str, body: &str| {
        format!("---\n{settings}---\n{{{{role \"system\"}}}}\n{body}\n")
    };
    let import = |text: String| import_dotprompt(text.as_bytes()).expect("a deck");
    let made_of = |import: &Import| -> Value { serde_json::from_str(&import.text).expect("JSON") };
    let settings = "input:\n  default:\n    pub: The Lantern\n    name: Ada\n";
    let found = import(file(
        settings,
        "Hi {{name}}.{{#if pub}} Come to {{pub}}.{{/if}}",
    ));
    let deck = made_of(&found);
    let section = &deck["registry"]["base_context"];
    assert_eq!(
        section["items"][0]["fragments"],
        json!([{"if_var": "pub", "text": "Come to {pub}."}])
    );
    assert_eq!(section["template_var_defaults"], json!({"name": "Ada"}));
    assert_eq!(
        deck["state"],
        json!({"template_vars": {"base_context::pub": "The Lantern"}})
    );
    assert_eq!(
        found.report.entries[0].message,
        "texts with the condition pub are fragments, which print if \"pub\" has a value; the value of \
         the file, \"The Lantern\", is in state of the call document, as a default would print them in \
         any call"
    );
    for unchanged in [
        "A {{#if x}}B{{else}}C{{/if}}",
        "A {{#unless x}}B{{/unless}}",
        "A{{#if x}}B{{/if}}",
        "A {{#if x}}B {{/if}}C and {{#if y}}D{{/if}}",
        "- a\n{{#if x}}- b\n{{/if}}- c",
        "A\n\n{{#if x}}\nB\n{{/if}}\n\nC",
        "A{{#if x}}{{#if y}} B{{/if}}{{/if}}",
        "A {{#if x}}B",
    ] {
        let found = import(file("", unchanged));
        let section = &made_of(&found)["registry"];
        assert!(
            !section.to_string().contains("if_var"),
            "{unchanged}: {section}"
        );
        assert!(found.text.contains("{{#"), "{unchanged}");
    }
}
