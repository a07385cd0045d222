//! A session whose prompt is edited, and what is asked of it.

use promptdeck_core::hydrate::{Call, Engine, Hydration, Seed, State};
use promptdeck_core::prompt_edit::{Change, Position, PromptEdit, Refusal, Step, plan};
use promptdeck_core::registry::Registry;
use serde_json::{Value, json};

/// A registry and a state, as one tree that changes apply to.
#[derive(Clone, Debug, PartialEq)]
pub struct Session(pub Value);

impl Session {
    pub fn new(registry: Value, state: Value) -> Self {
        Self(json!({"registry": registry, "state": state}))
    }

    pub fn with<T>(&self, seed: u64, work: impl FnOnce(&Engine, &Call<'_>) -> T) -> T {
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

    pub fn hydration(&self, seed: u64) -> Hydration {
        self.with(seed, |engine, call| engine.hydrate(call).expect("a prompt"))
    }

    /// The session after an edit, and its caret, or why the edit is refused.
    pub fn edited(&self, seed: u64, edit: &PromptEdit<'_>) -> Result<(Self, usize), Refusal> {
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
        Ok((after, plan.caret(&printed)))
    }

    fn apply(&mut self, change: &Change) {
        match change {
            Change::Splice { path, range, text } => {
                let value = self.at(path);
                let mut edited_text = value.as_str().expect("a text").to_owned();
                edited_text.replace_range(range.clone(), text);
                *value = edited_text.into();
            }
            Change::Set { path, value } => *self.at(path) = value.clone(),
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

pub fn registry() -> Value {
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

pub fn session() -> Session {
    let state = json!({"template_vars": {"scene::venue": "The Lantern"}});
    Session::new(registry(), state)
}

/// The edit at these words of the prompt: the segment that has them, and where they are in it.
pub fn place(hydration: &Hydration, words: &str) -> (usize, std::ops::Range<usize>) {
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
pub fn replaced(session: &Session, words: &str, text: &str) -> Result<Session, Refusal> {
    let (segment, range) = place(&session.hydration(7), words);
    let edit = PromptEdit::Replace {
        segment,
        range,
        text,
    };
    session.edited(7, &edit).map(|(after, _)| after)
}

/// The position before or after a byte of the prompt.
pub fn beside(hydration: &Hydration, byte: usize, after: bool) -> Position {
    let mut start = 0;
    for (segment, hydrated) in hydration.segments.iter().enumerate() {
        if byte < start + hydrated.text.len() {
            let offset = byte - start + usize::from(after);
            return Position { segment, offset };
        }
        start += hydrated.text.len();
    }
    panic!("the prompt ends before byte {byte}");
}

/// Replaces words of the prompt that several segments print.
pub fn passage_replaced(session: &Session, words: &str, text: &str) -> Result<Session, Refusal> {
    let hydration = session.hydration(7);
    let start = hydration.text.find(words);
    let start = start.unwrap_or_else(|| panic!("{words:?} is not printed"));
    let edit = PromptEdit::ReplacePassage {
        from: beside(&hydration, start, false),
        to: beside(&hydration, start + words.len() - 1, true),
        text,
    };
    session.edited(7, &edit).map(|(after, _)| after)
}

pub fn at<'s>(session: &'s Session, pointer: &str) -> &'s Value {
    session.0.pointer(pointer).unwrap_or(&Value::Null)
}

pub fn split_at(segment: usize, at: usize) -> PromptEdit<'static> {
    PromptEdit::Split {
        segment,
        at,
        lines: "",
    }
}
