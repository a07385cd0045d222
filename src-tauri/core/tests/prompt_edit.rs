//! Edits in the printed prompt: each prints what it shows, or is refused with a reason, and undo
//! restores the document.

use promptdeck_core::hydrate::{Call, Engine, Hydration, Seed, State, TextOrigin};
use promptdeck_core::prompt_edit::{Change, PromptEdit, Refusal, Step, plan};
use promptdeck_core::registry::Registry;
use proptest::prelude::*;
use serde_json::{Value, json};

/// A registry and a state, as one tree that changes apply to.
#[derive(Clone, Debug, PartialEq)]
struct Session(Value);

impl Session {
    fn new(registry: Value, state: Value) -> Self {
        Self(json!({"registry": registry, "state": state}))
    }

    fn with<T>(&self, seed: u64, work: impl FnOnce(&Engine, &Call<'_>) -> T) -> T {
        let map = self.0["registry"].as_object().expect("an object");
        let engine = Engine::new(Registry::from_map(map).expect("a registry"));
        let state: State = serde_json::from_value(self.0["state"].clone()).expect("a state");
        let call = Call {
            state: &state,
            route: None,
            seed: Seed::new(seed).expect("a seed"),
        };
        work(&engine, &call)
    }

    fn hydration(&self, seed: u64) -> Hydration {
        self.with(seed, |engine, call| engine.hydrate(call).expect("a prompt"))
    }

    /// The session after an edit, and its caret, or why the edit is refused.
    fn edited(&self, seed: u64, edit: &PromptEdit<'_>) -> Result<(Self, usize), Refusal> {
        let plan = self.with(seed, |engine, call| {
            let hydration = engine.hydrate(call).expect("a prompt");
            plan(engine, call, &hydration, edit)
        })?;
        let mut after = self.clone();
        for change in &plan.changes {
            after.apply(change);
        }
        let printed = after.with(seed, |engine, call| {
            engine.hydrate_text(call).expect("a prompt")
        });
        plan.check(&printed)?;
        Ok((after, plan.caret))
    }

    fn apply(&mut self, change: &Change) {
        match change {
            Change::Splice { path, range, text } => {
                let value = self.at(path);
                let mut own = value.as_str().expect("a text").to_owned();
                own.replace_range(range.clone(), text);
                *value = own.into();
            }
            Change::Set { path, text } => *self.at(path) = text.as_str().into(),
            Change::Insert { path, text } => {
                let (index, list) = self.list(path);
                list.insert(index, text.as_str().into());
            }
            Change::Remove { path } => {
                let (index, list) = self.list(path);
                list.remove(index);
            }
        }
    }

    /// The value at a path; keys that are missing are made.
    fn at(&mut self, path: &[Step]) -> &mut Value {
        path.iter().fold(&mut self.0, |value, step| match step {
            Step::Key(key) => &mut value[key],
            Step::Index(index) => &mut value[*index],
        })
    }

    fn list(&mut self, path: &[Step]) -> (usize, &mut Vec<Value>) {
        let Some((Step::Index(index), list)) = path.split_last() else {
            panic!("{path:?} is no entry");
        };
        (*index, self.at(list).as_array_mut().expect("a list"))
    }
}

fn registry() -> Value {
    json!({
        "assembly_order": ["scene", "who.context", "who.rules", "mood.scale", "mood.nudges", "end"],
        "scene": {
            "template_vars": ["venue", "round"],
            "template_var_defaults": {"round": "1"},
            "items": [{"id": "pub", "text": "Live at {venue}. Round {round}.",
                "fragments": [{"if_var": "venue", "text": "{venue} is full."}]}],
        },
        "who": {"items": [
            {"id": "dry", "context": "You are dry.", "rules": ["Be brief.", "Never explain.", "End."]},
            {"id": "loud", "context": "You are loud.", "rules": ["Shout."]},
        ]},
        "mood": {"slider": 8, "items": [{"id": "calm", "nudges": ["Hum.", "Nod.", "Wait."]}],
            "array_modes": {"nudges": "random:2"}},
        "end": {"items": [{"id": "go", "text": "Go on."}]},
    })
}

fn session() -> Session {
    let state = json!({"template_vars": {"scene::venue": "The Lantern"}});
    Session::new(registry(), state)
}

/// The edit at these words of the prompt: the segment that has them, and where they are in it.
fn place(hydration: &Hydration, words: &str) -> (usize, std::ops::Range<usize>) {
    let found = hydration
        .segments
        .iter()
        .enumerate()
        .find_map(|(index, segment)| {
            let start = segment.text.find(words)?;
            Some((index, start..start + words.len()))
        });
    found.unwrap_or_else(|| panic!("{words:?} is not printed"))
}

/// Replaces words of the prompt.
fn replaced(session: &Session, words: &str, text: &str) -> Result<Session, Refusal> {
    let (segment, range) = place(&session.hydration(7), words);
    let edit = PromptEdit::Replace {
        segment,
        range,
        text,
    };
    session.edited(7, &edit).map(|(after, _)| after)
}

fn at<'s>(session: &'s Session, pointer: &str) -> &'s Value {
    session.0.pointer(pointer).unwrap_or(&Value::Null)
}

#[test]
fn a_text_an_entry_a_heading_and_a_sentence_are_edited_where_they_are_written() {
    for (words, text, pointer) in [
        ("dry", "dryer", "/registry/who/items/0/context"),
        ("Never", "Do not", "/registry/who/items/0/rules/1"),
        ("Live at", "Back at", "/registry/scene/items/0/text"),
        (
            "is full",
            "is packed",
            "/registry/scene/items/0/fragments/0/text",
        ),
        ("Go on.", "Go on now.", "/registry/end/items/0/text"),
        ("intensity is", "it is", "/registry/mood/scale_template"),
        ("calm", "calmness", "/registry/mood/items/0/scale_emotion"),
    ] {
        let before = session();
        let after = replaced(&before, words, text).unwrap_or_else(|why| panic!("{words}: {why}"));
        let value = at(&after, pointer).as_str().unwrap_or_default();
        assert!(value.contains(text), "{pointer}: {value}");
        let old = before.hydration(7).text;
        assert_eq!(after.hydration(7).text, old.replacen(words, text, 1));
    }
}

#[test]
fn the_value_of_a_variable_changes_wherever_it_prints() {
    let after = replaced(&session(), "Lantern", "Anchor").expect("edited");
    let text = after.hydration(7).text;
    assert!(
        text.starts_with("Live at The Anchor. Round 1. The Anchor is full."),
        "{text}"
    );
    assert_eq!(
        at(&after, "/state/template_vars/scene::venue"),
        "The Anchor"
    );
    // A default is overridden and not changed.
    let after = replaced(&session(), "1", "2").expect("edited");
    assert_eq!(at(&after, "/state/template_vars/scene::round"), "2");
    assert_eq!(
        at(&after, "/registry/scene/template_var_defaults/round"),
        "1"
    );
}

#[test]
fn what_the_prompt_would_print_otherwise_is_refused() {
    for (words, text, code) in [
        ("8", "9", "prompt_slider"),
        ("- ", "* ", "prompt_bullet"),
        ("\n\n", "\n", "prompt_glue"),
        ("dry.", "dry. {", ""),
        ("Live", "{round} Live", "prompt_variable"),
        ("The Lantern", "", "prompt_empty"),
        ("1", "", "prompt_default_value"),
        ("Go on.", "", "prompt_empty"),
        ("Go on.", "Go on. ", "prompt_whitespace"),
        ("dry.", "dry.\n\n\nAnd", "prompt_whitespace"),
    ] {
        let result = replaced(&session(), words, text);
        let found = result.err().map_or("", |reason| reason.code());
        assert_eq!(found, code, "{words:?} to {text:?}");
    }
}

fn split_at(segment: usize, at: usize) -> PromptEdit<'static> {
    PromptEdit::Split {
        segment,
        at,
        lines: "",
    }
}

#[test]
fn pasted_lines_become_entries() {
    let rules = |lines: &str, words: &str, at_end: bool| -> Result<Value, &'static str> {
        let before = session();
        let (segment, range) = place(&before.hydration(7), words);
        let at = if at_end { range.end } else { range.start };
        let edit = PromptEdit::Split { segment, at, lines };
        let (after, _) = before.edited(7, &edit).map_err(|reason| reason.code())?;
        Ok(at_pointer(&after))
    };
    // In the middle of an entry, at the end of one and at its start.
    assert_eq!(
        rules("ever\n- Do not\n", "explain", false),
        Ok(json!([
            "Be brief.",
            "Never ever",
            "Do not",
            "explain.",
            "End."
        ]))
    );
    assert_eq!(
        rules(
            " Always.\r\n\n  2. Stay calm. \n* Wait.\n",
            "Be brief.",
            true
        ),
        Ok(json!([
            "Be brief. Always.",
            "Stay calm.",
            "Wait.",
            "Never explain.",
            "End."
        ]))
    );
    assert_eq!(
        rules("- One.\n- Two.\n", "Be brief.", false),
        Ok(json!([
            "One.",
            "Two.",
            "Be brief.",
            "Never explain.",
            "End."
        ]))
    );
}

#[test]
fn pasted_lines_that_spell_out_a_variable_are_refused() {
    let deck = json!({
        "assembly_order": ["who.rules"],
        "who": {
            "required": true,
            "template_vars": ["name"],
            "items": [{"id": "dry", "rules": ["One.", "Two."]}],
        },
    });
    let before = Session::new(deck, json!({"template_vars": {"who::name": "Ada"}}));
    let (segment, range) = place(&before.hydration(7), "One.");
    let edit = PromptEdit::Split {
        segment,
        at: range.end,
        lines: "\nCall {name}.",
    };
    let refused = before.edited(7, &edit).expect_err("it would print Ada");
    assert_eq!(refused.code(), "prompt_variable");
}

fn at_pointer(session: &Session) -> Value {
    at(session, "/registry/who/items/0/rules").clone()
}

#[test]
fn an_entry_is_split_and_joined() {
    let before = session();
    let hydration = before.hydration(7);
    let (segment, range) = place(&hydration, "explain");
    let split = split_at(segment, range.start);
    let (after, caret) = before.edited(7, &split).expect("split");
    assert_eq!(
        at(&after, "/registry/who/items/0/rules"),
        &json!(["Be brief.", "Never ", "explain.", "End."])
    );
    let hydration = after.hydration(7);
    assert!(hydration.text[caret..].starts_with("explain.\n- End."));
    let (segment, _) = place(&hydration, "explain");
    let (joined, caret) = after
        .edited(7, &PromptEdit::Join { segment })
        .expect("joined");
    assert_eq!(joined, before);
    assert!(joined.hydration(7).text[caret..].starts_with("explain."));
    let (segment, _) = place(&before.hydration(7), "Be brief.");
    let first = before.edited(7, &PromptEdit::Join { segment });
    assert_eq!(
        first.err().map(|reason| reason.code()),
        Some("prompt_first_entry")
    );
    let rolled = before.hydration(7);
    let source = |segment: &promptdeck_core::hydrate::Segment| {
        let source = segment.source.as_ref()?;
        (source.field == "nudges" && segment.origin != Some(TextOrigin::Bullet)).then_some(())
    };
    let segment = rolled
        .segments
        .iter()
        .position(|own| source(own).is_some())
        .expect("a nudge");
    let split = before.edited(7, &split_at(segment, 1));
    assert_eq!(split.err().map(|reason| reason.code()), Some("prompt_mode"));
}

#[test]
fn a_list_of_one_gets_its_bullets_and_loses_them() {
    let state = json!({"selections": {"who": "loud"}, "template_vars": {"scene::venue": "x"}});
    let before = Session::new(registry(), state);
    let (segment, _) = place(&before.hydration(7), "Shout.");
    let (after, caret) = before.edited(7, &split_at(segment, 6)).expect("split");
    let hydration = after.hydration(7);
    assert!(
        hydration.text[..caret].ends_with("- Shout.\n- "),
        "{}",
        hydration.text
    );
    // The new entry has no text yet; typing goes to its bullet.
    let bullet = hydration.segments.iter().rposition(|own| {
        own.origin == Some(TextOrigin::Bullet)
            && own
                .source
                .as_ref()
                .is_some_and(|source| source.field == "rules")
    });
    let bullet = bullet.expect("a bullet");
    let typed = PromptEdit::Replace {
        segment: bullet,
        range: 2..2,
        text: "Sing.",
    };
    let (typed, caret) = after.edited(7, &typed).expect("typed");
    assert!(typed.hydration(7).text[..caret].ends_with("- Shout.\n- Sing."));
    let (joined, _) = after
        .edited(7, &PromptEdit::Join { segment: bullet })
        .expect("joined");
    assert_eq!(joined, before);
}

#[test]
fn a_variable_without_a_value_is_filled() {
    let registry = json!({
        "assembly_order": ["a"],
        "a": {"template_vars": ["v"], "items": [{"id": "x", "text": "At {v}, in {v}."}]},
    });
    let before = Session::new(registry, json!({"template_vars": {}}));
    let fill = PromptEdit::Fill { gap: 0, text: "it" };
    let (after, caret) = before.edited(7, &fill).expect("filled");
    assert_eq!(
        (after.hydration(7).text.as_str(), caret),
        ("At it, in it.", 5)
    );
}

/// Texts of registries with everything that the assembly changes: white space, braces, newlines.
fn text() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "a", "B.", "é", "😀", " ", "  ", "\n", "\n\n", "\n\n\n", "\t", "{v}", "{w}", "{", "}",
        "{x}", "- ", "x", "Heading:",
    ]);
    prop::collection::vec(pieces, 0..6).prop_map(|pieces| pieces.concat())
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        6 => text().prop_map(Value::from),
        1 => Just(json!(7)),
        1 => Just(json!({"x": ["{v}"]})),
        1 => Just(Value::Null),
    ]
}

fn item() -> impl Strategy<Value = Value> {
    (
        (text(), value()),
        prop::collection::vec(value(), 0..4),
        prop::option::of(text()),
        prop::collection::vec((any::<bool>(), text()), 0..3),
    )
        .prop_map(|((text, extra), items, heading, fragments)| {
            let mut item = json!({"text": text, "extra": extra, "items": items});
            if let Some(heading) = heading {
                item["pre_context"] = heading.into();
            }
            if !fragments.is_empty() {
                let fragments = fragments.into_iter().map(|(condition, text)| {
                    if condition {
                        json!({"if_var": "v", "text": text})
                    } else {
                        json!({"text": text})
                    }
                });
                item["fragments"] = fragments.collect();
            }
            item
        })
}

fn section() -> impl Strategy<Value = Value> {
    let mode = prop::sample::select(vec!["all", "random:2", "indices:1,0,1", "none"]);
    (
        prop::collection::vec(item(), 1..3),
        any::<[bool; 3]>(),
        mode,
        prop::option::of(text()),
        text(),
    )
        .prop_map(
            |(items, [required, slider, rolled], mode, scale, default)| {
                let items: Vec<Value> = items
                    .into_iter()
                    .zip(["x", "y"])
                    .map(|(mut item, id)| {
                        item["id"] = id.into();
                        item
                    })
                    .collect();
                let mut section = json!({
                    "required": required, "items": items, "template_vars": ["v", "w"],
                    "section_random": rolled, "array_modes": {"items": mode},
                    "template_var_defaults": {"w": default},
                });
                if slider {
                    section["slider"] = json!(3);
                    section["scale_template"] = json!(scale);
                }
                if !required {
                    section["selected"] = json!(["x", "y"]);
                }
                section
            },
        )
}

fn generated() -> impl Strategy<Value = Session> {
    let token = prop::sample::select(vec![
        "a",
        "a.text",
        "a.extra",
        "a.items",
        "a.scale",
        "a.id",
        "b",
        "b.items",
        "b[a]",
        "b.scale",
        "runtime_injections",
        "prompt_endings.items",
    ]);
    (
        prop::collection::vec(token, 1..6),
        [section(), section(), section(), section()],
        any::<bool>(),
        prop::collection::vec(text(), 2),
    )
        .prop_map(
            |(order, [a, b, mut injections, endings], injected, values)| {
                injections["required"] = false.into();
                injections["section_random"] = false.into();
                injections["selected"] = if injected { json!(["x"]) } else { json!([]) };
                injections["items"][0]["include_sections"] = json!(["a", "b"]);
                let registry = json!({
                    "assembly_order": order, "a": a, "b": b,
                    "runtime_injections": injections, "prompt_endings": endings,
                });
                let state = json!({"template_vars": {"a::v": values[0], "b::w": values[1]}});
                Session::new(registry, state)
            },
        )
}

/// A range of whole characters of a text.
fn range_in(text: &str, [from, to]: [prop::sample::Index; 2]) -> std::ops::Range<usize> {
    let mut ends: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    ends.push(text.len());
    let (from, to) = (*from.get(&ends), *to.get(&ends));
    from.min(to)..from.max(to)
}

/// Whether a segment prints what an edit of another one changes as well.
fn is_changed(hydration: &Hydration, edited: usize, other: usize) -> bool {
    let (one, other) = (&hydration.segments[edited], &hydration.segments[other]);
    let (Some(a), Some(b)) = (&one.source, &other.source) else {
        return false;
    };
    if one.origin == Some(TextOrigin::Variable) {
        return other.origin == one.origin && a.section == b.section && a.variable == b.variable;
    }
    let without_token = |source: &promptdeck_core::hydrate::Source| {
        let mut source = source.clone();
        source.token = None;
        source
    };
    one.origin == other.origin && without_token(a) == without_token(b)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    /// For any segment and any splice inside it, the new prompt is the old one with that splice at
    /// every place that prints the same text, or the edit is refused; undo restores the bytes.
    #[test]
    fn a_splice_prints_as_it_was_made_or_is_refused(
        session in generated(),
        seed in 0..8_u64,
        segment in any::<prop::sample::Index>(),
        ends in any::<[prop::sample::Index; 2]>(),
        inserted in prop_oneof![text(), Just(String::new()), "[a-z ]{1,3}"],
    ) {
        let hydration = session.hydration(seed);
        prop_assume!(!hydration.segments.is_empty());
        let index = segment.index(hydration.segments.len());
        let own = &hydration.segments[index];
        let range = range_in(&own.text, ends);
        let edit = PromptEdit::Replace { segment: index, range: range.clone(), text: &inserted };
        let Ok((after, caret)) = session.edited(seed, &edit) else {
            return Ok(());
        };
        let mut expected = String::new();
        let mut once = 0;
        for (at, other) in hydration.segments.iter().enumerate() {
            let mut text = other.text.clone();
            if at == index || (is_changed(&hydration, index, at) && text == own.text) {
                text.replace_range(range.clone(), &inserted);
            } else if is_changed(&hydration, index, at) {
                // Printed with other white space cut off: the core alone knows where the splice is.
                return Ok(());
            }
            if at == index {
                once = expected.len() + range.start + inserted.len();
            }
            expected.push_str(&text);
        }
        if own.origin != Some(TextOrigin::Bullet) {
            prop_assert_eq!(&after.hydration(seed).text, &expected);
            prop_assert_eq!(caret, once);
        }
        // The caret is where what was typed ends.
        prop_assert!(after.hydration(seed).text[..caret].ends_with(&inserted));
    }

    /// An entry that is split and joined again is as it was, prompt and document.
    #[test]
    fn a_split_is_taken_back_by_a_join(
        session in generated(),
        seed in 0..8_u64,
        segment in any::<prop::sample::Index>(),
        ends in any::<[prop::sample::Index; 2]>(),
    ) {
        let hydration = session.hydration(seed);
        prop_assume!(!hydration.segments.is_empty());
        let index = segment.index(hydration.segments.len());
        let at = range_in(&hydration.segments[index].text, ends).start;
        let Ok((after, _)) = session.edited(seed, &split_at(index, at)) else {
            return Ok(());
        };
        let source = hydration.segments[index].source.clone().expect("an entry");
        let split = after.hydration(seed);
        let next = split.segments.iter().position(|own| {
            let own = own.source.as_ref();
            own.is_some_and(|own| {
                (&own.section, own.item, &own.field) == (&source.section, source.item, &source.field)
                    && own.entry == source.entry.map(|entry| entry + 1)
            })
        });
        let next = next.expect("the new entry");
        let (joined, _) = after.edited(seed, &PromptEdit::Join { segment: next }).expect("joined");
        prop_assert_eq!(joined, session);
    }
}
