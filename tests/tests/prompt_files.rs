//! Exported prompt files print what the engine prints, whichever of their variables have a value:
//! Prompty as jinja2 and our own engine read it, dotprompt as Handlebars reads its conditions.

use std::collections::BTreeMap;

use promptdeck_core::export::prompt_file::{PromptFile, PromptFileFormat, prompt_file};
use promptdeck_core::hydrate::{Call, Engine, Seed, State};
use promptdeck_core::registry::parse;
use promptdeck_request::template;
use promptdeck_tests::oracle;
use serde_json::{Map, Value, json};

use PromptFileFormat::{Dotprompt, Prompty};

fn call(state: &State) -> Call<'_> {
    Call {
        state,
        route: None,
        seed: Seed::new(1).expect("a seed"),
    }
}

fn engine(deck: &Value) -> Engine {
    Engine::new(
        parse(deck.to_string().as_bytes())
            .expect("a registry")
            .registry,
    )
}

fn export(deck: &Value, state: &State, format: PromptFileFormat) -> PromptFile {
    prompt_file(&engine(deck), &call(state), &Map::new(), format).expect("a known route")
}

fn state(values: &[(&str, &str)]) -> State {
    let variables = values
        .iter()
        .map(|(key, text)| ((*key).to_owned(), json!(text)));
    let variables: Map<String, Value> = variables.collect();
    serde_json::from_value(json!({ "template_vars": variables })).expect("a state")
}

/// The template of a file, without its settings and the line of its role.
fn body(file: &PromptFile) -> &str {
    let (_, template) = file.text[4..].split_once("---\n").expect("settings");
    let (_, body) = template.split_once('\n').expect("a role");
    body.strip_suffix('\n').expect("a line")
}

/// Handlebars, as far as exports use it. The lines that it takes away hold tags alone.
fn handlebars(template: &str, values: &BTreeMap<&str, &str>) -> String {
    for line in template
        .lines()
        .filter(|line| line.contains("{{#") || line.contains("{{/"))
    {
        let mut rest = line.to_owned();
        while let Some((before, tag)) = rest.split_once("{{") {
            let (tag, after) = tag.split_once("}}").expect("closed");
            let replacement = if tag.starts_with(['#', '/']) { "" } else { "x" };
            rest = format!("{before}{replacement}{after}");
        }
        assert!(!rest.trim().is_empty(), "a line of tags: {line:?}");
    }
    let (mut out, mut conditions) = (String::new(), Vec::new());
    let mut rest = template;
    while let Some(at) = rest.find("{{") {
        let is_text = rest[..at].ends_with('\\');
        let is_visible = conditions.iter().all(|is_met| *is_met);
        if is_visible {
            out.push_str(&rest[..at - usize::from(is_text)]);
        }
        rest = &rest[at + 2..];
        if is_text {
            out.extend(is_visible.then_some("{{"));
            continue;
        }
        let (inner, after) = rest.split_once("}}").expect("closed");
        rest = after;
        let value = |name: &str| values.get(name).copied().unwrap_or_default();
        if let Some(name) = inner.strip_prefix("#if ") {
            conditions.push(!value(name).is_empty());
        } else if inner == "/if" {
            conditions.pop().expect("open");
        } else {
            out.extend(is_visible.then(|| value(inner)));
        }
    }
    assert!(conditions.is_empty(), "{template}");
    out + rest
}

fn decks() -> Vec<Value> {
    let of = |fragments: Value, text: &str| json!({"template_vars": ["x", "y", "z"], "items": [{"id": "a", "text": text, "fragments": fragments}]});
    let x = json!({"if_var": "x", "text": "It is {x}, {z}."});
    let y = json!({"if_var": "y", "text": "Smile {{q}} {% q %}."});
    let always = json!({"text": "Always."});
    let deck = |sections: Vec<Value>| {
        let names: Vec<String> = (0..sections.len()).map(|at| format!("s{at}")).collect();
        let mut deck = json!({ "assembly_order": names });
        for (name, section) in names.iter().zip(sections) {
            deck[name] = section;
        }
        deck
    };
    let plain = || json!({"items": [{"id": "a", "text": "Plain."}]});
    vec![
        deck(vec![of(json!([x, always]), "Base.")]),
        deck(vec![of(json!([x, y]), "Base {x}!"), plain()]),
        // A condition on a whole section, before, between and behind others.
        deck(vec![of(json!([x]), ""), plain()]),
        deck(vec![plain(), of(json!([x]), ""), plain()]),
        deck(vec![plain(), of(json!([x]), "")]),
        deck(vec![of(json!([x]), ""), of(json!([y]), "")]),
        // A separator that needs both.
        deck(vec![of(json!([x, y]), "Base"), of(json!([y, x]), "Other")]),
        deck(vec![of(json!([x, x, always, y]), "Base")]),
    ]
}

#[test]
fn conditions_print_as_in_the_engine() {
    let sets: [&[&str]; 4] = [&[], &["x"], &["y"], &["x", "y"]];
    let (mut questions, mut expected) = (Vec::new(), Vec::new());
    for deck in decks() {
        let sections = deck["assembly_order"].as_array().expect("a list").len();
        let of_sections = |names: &[&'static str]| -> Vec<(String, &'static str)> {
            let keys = (0..sections).flat_map(|at| {
                let key = move |name: &&'static str| (format!("s{at}::{name}"), *name);
                names.iter().map(key)
            });
            keys.collect()
        };
        // Exported with and without values.
        for exported in sets {
            let section_state = of_sections(exported);
            let state_values: Vec<(&str, &str)> = section_state
                .iter()
                .map(|(key, name)| (&**key, *name))
                .collect();
            let files =
                [Dotprompt, Prompty].map(|format| export(&deck, &state(&state_values), format));
            for file in &files {
                let of_conditions = |message: &&String| message.contains("fragment");
                assert_eq!(
                    file.omissions.iter().find(of_conditions),
                    None,
                    "{}",
                    file.text
                );
            }
            for set in sets {
                let values = of_sections(set);
                let values: Vec<(&str, &str)> =
                    values.iter().map(|(key, name)| (&**key, *name)).collect();
                let prompt = engine(&deck).hydrate_text(&call(&state(&values)));
                let prompt = prompt.expect("a known route");
                let given: BTreeMap<&str, &str> = set.iter().map(|name| (*name, *name)).collect();
                let [dotprompt, prompty] = &files;
                assert_eq!(
                    handlebars(body(dotprompt), &given),
                    prompt,
                    "{}",
                    dotprompt.text
                );
                let context = json!(given);
                let map = context.as_object().expect("an object");
                let rendering = template::render(body(prompty), map);
                assert_eq!(rendering.output, prompt, "{}", prompty.text);
                questions.push(json!({"template": body(prompty), "context": context}));
                expected.push(prompt);
            }
        }
    }
    let answers = oracle::ask("template_oracle.py", &questions);
    for ((question, answer), prompt) in questions.iter().zip(&answers).zip(&expected) {
        assert_eq!(answer["output"], json!(prompt), "{question}");
    }
    println!("{} prompts as in jinja2", expected.len());
}

#[test]
fn a_condition_that_cannot_be_said_is_fixed_and_reported() {
    // Handlebars would take the line of the closing tag away.
    let deck = json!({"assembly_order": ["a"], "a": {"template_vars": ["x"], "items": [{
        "id": "a", "text": "Base", "fragments": [{"if_var": "x", "text": "A\n"}, {"text": "\nB"}],
    }]}});
    let omission =
        "a fragment of section \"a\", which this call does not print, as \"x\" has no value";
    let dotprompt = export(&deck, &State::default(), Dotprompt);
    assert!(!dotprompt.text.contains("{{#if"), "{}", dotprompt.text);
    assert!(
        dotprompt.omissions[0].starts_with(omission),
        "{:?}",
        dotprompt.omissions
    );
    let prompty = export(&deck, &State::default(), Prompty);
    assert_eq!(body(&prompty), "Base{% if x %} A\n{% endif %} \nB");
    assert!(prompty.omissions.is_empty());

    // Its default gives the variable a value in every call.
    let mut with_default = deck.clone();
    with_default["a"]["template_var_defaults"] = json!({"x": "1"});
    // Statements of the deck could cross those of the file.
    let mut jinja = deck;
    jinja["template_engine"] = json!("jinja");
    for deck in [with_default, jinja] {
        let prompty = export(&deck, &State::default(), Prompty);
        assert!(!prompty.text.contains("{% if"), "{}", prompty.text);
        assert!(
            prompty.omissions[0].contains("fragment"),
            "{:?}",
            prompty.omissions
        );
    }
}
