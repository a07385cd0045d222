//! Calls as lines of JSON. Programs that write a hundred thousand lines repeat settings, while
//! variables and seeds differ: each text of a part of a state is read and checked once, and found
//! again by its text.

use std::{collections::HashMap, rc::Rc};

use foldhash::fast::FixedState;
use memchr::memchr_iter;
use serde::Deserialize;
use smallvec::SmallVec;

use super::{
    Call, Engine, Entries, HashedKey, HydrateError, Seed, Settings, State, StateEntry, StateRef,
    UnsetVariable, entry_fault,
    plain_json::{self, NotPlain, Read, Reader},
};
use crate::registry::Registry;

/// The parts of a state but for its variables.
const PARTS: [&str; 5] = [
    "selections",
    "array_modes",
    "section_random",
    "sliders",
    "slider_random",
];

/// A line with more variables is left to another reader.
const MAX_VARIABLES: usize = 16;

/// Maximum bytes of all texts cached for a part.
const MAX_BYTES: usize = 1 << 18;

/// A text that is not found takes as long to read and check as so many take to be found.
const MISS_COST: u32 = 16;

/// While so many more texts were missed than found, lines are left to another reader.
const MAX_CREDIT: u32 = 4096 * MISS_COST;

/// A line of the common kind: plain JSON with a seed and without a registry.
#[derive(Debug)]
pub struct CallLine<'l> {
    /// The settings of the call.
    pub state: Option<LineState<'l>>,
    /// The route.
    pub route: Option<&'l str>,
    /// The seed of every pick.
    pub seed: Seed,
}

/// The state of a line.
#[derive(Debug)]
pub enum LineState<'l> {
    /// Read before, but for its variables; the registry has all of its names.
    Known(KnownState<'l>),
    /// Read from the line; its names are not checked.
    Read(StateRef<'l>),
}

/// A state whose settings were read before.
#[derive(Debug, Default)]
pub struct KnownState<'l> {
    /// In the order of [`PARTS`]. Each sets nothing else.
    parts: [Option<Rc<State>>; PARTS.len()],
    variables: SmallVec<[(&'l str, &'l str); 6]>,
}

/// Reads the lines of calls for one registry, and remembers their settings.
#[derive(Debug, Default)]
pub struct LineReader {
    /// In the order of [`PARTS`].
    parts: [PartCache; PARTS.len()],
    /// The keys of variables of lines before, by their position in the line; the registry has them.
    variables: Vec<Box<str>>,
}

/// A line that is read as a whole.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlainLine<'l> {
    #[serde(borrow, default)]
    state: Option<StateRef<'l>>,
    #[serde(borrow, default)]
    route: Option<&'l str>,
    seed: u64,
}

/// The texts of a part.
#[derive(Debug)]
struct PartCache {
    /// Those whose names the registry has.
    known: HashMap<Rc<str>, Rc<State>, FixedState>,
    bytes: usize,
    credit: u32,
    /// The last one, which the next line often repeats.
    last: Option<(Rc<str>, Rc<State>)>,
    /// How many closing braces the last text had that was read to its end: most have as many.
    braces: usize,
}

impl Default for PartCache {
    fn default() -> Self {
        Self {
            known: HashMap::default(),
            bytes: 0,
            credit: MAX_CREDIT,
            last: None,
            braces: 1,
        }
    }
}

impl LineReader {
    /// Reads a line of the common kind; `None` for others, which need not be wrong.
    pub fn read<'l>(&mut self, line: &'l str, registry: &Registry) -> Option<CallLine<'l>> {
        if let Ok(line) = self.known(line, registry) {
            return Some(line);
        }
        let line: PlainLine<'_> = plain_json::read(line)?;
        Some(CallLine {
            state: line.state.map(LineState::Read),
            route: line.route,
            seed: Seed::new(line.seed).ok()?,
        })
    }

    /// Reads a line with a state that has nothing to warn about.
    fn known<'l>(&mut self, line: &'l str, registry: &Registry) -> Read<CallLine<'l>> {
        let mut reader = Reader::new(line);
        let (mut state, mut route, mut seed) = (None, None, None);
        reader.object(|reader, name| match name {
            "state" if state.is_none() => {
                state = Some(self.state(reader, registry)?);
                Ok(())
            }
            "route" if route.is_none() => {
                route = Some(reader.text()?);
                Ok(())
            }
            "seed" if seed.is_none() => {
                seed = Some(Seed::new(reader.number()?).map_err(|_| NotPlain)?);
                Ok(())
            }
            _ => Err(NotPlain),
        })?;
        if !reader.is_at_end() {
            return Err(NotPlain);
        }
        Ok(CallLine {
            state: Some(LineState::Known(state.ok_or(NotPlain)?)),
            route,
            seed: seed.ok_or(NotPlain)?,
        })
    }

    fn state<'l>(&mut self, reader: &mut Reader<'l>, registry: &Registry) -> Read<KnownState<'l>> {
        let mut state = KnownState::default();
        let mut has_variables = false;
        reader.object(|reader, name| {
            if name == "template_vars" && !has_variables {
                has_variables = true;
                return reader.object(|reader, key| {
                    let variables = &mut state.variables;
                    let is_new = variables.iter().all(|(known, _)| *known != key);
                    if !is_new || variables.len() == MAX_VARIABLES {
                        return Err(NotPlain);
                    }
                    self.check_variable(variables.len(), key, registry)?;
                    variables.push((key, reader.text()?));
                    Ok(())
                });
            }
            let part = PARTS.iter().position(|part| *part == name);
            let part = part.filter(|part| state.parts[*part].is_none());
            let part = part.ok_or(NotPlain)?;
            state.parts[part] = Some(self.parts[part].read(PARTS[part], reader, registry)?);
            Ok(())
        })?;
        Ok(state)
    }

    /// Leaves lines with variables that are unknown to the registry.
    fn check_variable(&mut self, position: usize, key: &str, registry: &Registry) -> Read<()> {
        let known = self.variables.get_mut(position);
        if known.as_ref().is_some_and(|known| ***known == *key) {
            return Ok(());
        }
        if entry_fault(registry, StateEntry::Variable { key }).is_some() {
            return Err(NotPlain);
        }
        match known {
            Some(known) => *known = key.into(),
            None => self.variables.push(key.into()),
        }
        Ok(())
    }
}

impl PartCache {
    fn read(
        &mut self,
        part: &str,
        reader: &mut Reader<'_>,
        registry: &Registry,
    ) -> Read<Rc<State>> {
        if let Some((text, state)) = &self.last
            && reader.skip(text)
        {
            return Ok(Rc::clone(state));
        }
        if let Some(text) = reader.up_to_brace(self.braces)
            && let Some(state) = self.find(text)
        {
            reader.skip(text);
            return Ok(state);
        }
        let text = reader.object_text()?;
        self.braces = memchr_iter(b'}', text.as_bytes()).count();
        if let Some(state) = self.find(text) {
            return Ok(state);
        }
        self.credit = self.credit.checked_sub(MISS_COST).ok_or(NotPlain)?;
        let state = Rc::new(read_part(part, text, registry).ok_or(NotPlain)?);
        self.bytes += text.len();
        if self.bytes > MAX_BYTES {
            self.known.clear();
            self.bytes = text.len();
        }
        let text: Rc<str> = text.into();
        self.known.insert(Rc::clone(&text), Rc::clone(&state));
        self.last = Some((text, Rc::clone(&state)));
        Ok(state)
    }

    fn find(&mut self, text: &str) -> Option<Rc<State>> {
        let (text, state) = self.known.get_key_value(text)?;
        self.credit = (self.credit + 1).min(MAX_CREDIT);
        self.last = Some((Rc::clone(text), Rc::clone(state)));
        Some(Rc::clone(state))
    }
}

/// Reads a part of a state in which nothing is to be warned about.
fn read_part(part: &str, text: &str, registry: &Registry) -> Option<State> {
    let state = format!("{{\"{part}\":{text}}}");
    // It refuses keys that stand twice.
    serde_json::from_str::<StateRef<'_>>(&state).ok()?;
    let state: State = serde_json::from_str(&state).ok()?;
    let faulty = state
        .entries()
        .any(|entry| entry_fault(registry, entry).is_some());
    (!faulty).then_some(state)
}

impl KnownState<'_> {
    fn part(&self, part: usize) -> Option<&State> {
        self.parts[part].as_deref()
    }
}

impl Settings for KnownState<'_> {
    fn selection(&self, section: &HashedKey) -> Option<impl Iterator<Item = &str>> {
        self.part(0)?.selection(section)
    }

    fn mode(&self, section: &HashedKey, field: &HashedKey) -> Option<&str> {
        self.part(1)?.mode(section, field)
    }

    fn section_random(&self, section: &HashedKey) -> Option<bool> {
        self.part(2)?.section_random(section)
    }

    fn slider(&self, section: &HashedKey) -> Option<f64> {
        self.part(3)?.slider(section)
    }

    fn slider_random(&self, section: &HashedKey) -> Option<bool> {
        self.part(4)?.slider_random(section)
    }

    fn variable(&self, key: &HashedKey) -> Option<&str> {
        let mut variables = self.variables.iter();
        let found = variables.find(|(name, _)| *name == key.text());
        found.map(|(_, text)| *text)
    }
}

impl Engine {
    /// As [`Self::hydrate_text_with_gaps`] with the state of a line.
    ///
    /// # Errors
    ///
    /// [`HydrateError`] if the registry has no such route, or the prompt is too large.
    pub fn hydrate_line(
        &self,
        state: &LineState<'_>,
        route: Option<&str>,
        seed: Seed,
        out: &mut String,
    ) -> Result<Vec<UnsetVariable<'_>>, HydrateError> {
        match state {
            LineState::Known(state) => {
                self.hydrate_text_with_gaps(&Call { state, route, seed }, out)
            }
            LineState::Read(state) => {
                self.hydrate_text_with_gaps(&Call { state, route, seed }, out)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde::Deserialize;
    use serde_json::{Value, json};

    use super::*;

    #[derive(Deserialize)]
    struct Line {
        state: State,
        route: Option<String>,
        seed: u64,
    }

    fn registry() -> Registry {
        let section = || {
            json!({
                "template_vars": ["v", "w"],
                "scale_template": "{value}",
                "items": [{"id": "a", "list": ["1", "2"]}, {"id": "b", "list": ["1"]}],
            })
        };
        let registry = json!({"assembly_order": ["s", "t"], "s": section(), "t": section()});
        Registry::from_map(registry.as_object().expect("an object")).expect("a registry")
    }

    /// Checks that the line is read as by `serde_json` or not at all, and returns whether it was
    /// read.
    fn agrees(reader: &mut LineReader, line: &str) -> bool {
        let Ok(read) = reader.known(line, &registry()) else {
            return false;
        };
        let Some(LineState::Known(state)) = &read.state else {
            panic!("{line}");
        };
        let expected: Line = serde_json::from_str(line).expect(line);
        assert_eq!(read.route, expected.route.as_deref());
        assert_eq!(read.seed.get(), expected.seed);
        let names = ["s", "t", "u", "list"].map(HashedKey::new);
        for section in &names {
            let ids = |state: Option<Vec<&str>>| state.map(|ids| ids.join(","));
            assert_eq!(
                ids(state.selection(section).map(Iterator::collect)),
                ids(expected.state.selection(section).map(Iterator::collect)),
                "{line}"
            );
            for field in &names {
                let mode = expected.state.mode(section, field);
                assert_eq!(state.mode(section, field), mode, "{line}");
            }
            let random = expected.state.section_random(section);
            assert_eq!(state.section_random(section), random, "{line}");
            let slider = expected.state.slider(section);
            assert_eq!(state.slider(section), slider, "{line}");
            let random = expected.state.slider_random(section);
            assert_eq!(state.slider_random(section), random, "{line}");
            for variable in ["v", "w", "x"] {
                let key = HashedKey::new(&format!("{}::{variable}", section.text()));
                let text = expected.state.variable(&key);
                assert_eq!(state.variable(&key), text, "{line}");
            }
        }
        true
    }

    #[test]
    fn lines_of_another_kind_are_left() {
        let mut reader = LineReader::default();
        assert!(agrees(&mut reader, r#" {"seed":1, "state": {}} "#));
        for (number, line) in [
            r#"{"state":{}}"#,
            r#"{"seed":1}"#,
            r#"{"state":null,"seed":1}"#,
            r#"{"state":{},"seed":9007199254740992}"#,
            r#"{"state":{},"seed":1,"seed":1}"#,
            r#"{"state":{},"state":{},"seed":1}"#,
            r#"{"state":{},"seed":1,"registry":{}}"#,
            r#"{"state":{},"seed":1}}"#,
            r#"{"state":{"sliders":{},"sliders":{}},"seed":1}"#,
            r#"{"state":{"template_vars":{},"template_vars":{}},"seed":1}"#,
            r#"{"state":{"template_vars":{"s::v":"","s::v":""}},"seed":1}"#,
            r#"{"state":{"template_vars":{"s::v":"a\n"}},"seed":1}"#,
            r#"{"state":{"template_vars":{"s::v":null}},"seed":1}"#,
            r#"{"state":{"selections":{"s":"a","s":"a"}},"seed":1}"#,
            r#"{"state":{"selections":["s"]},"seed":1}"#,
            r#"{"state":{"selections":{"s":"a"]},"seed":1}"#,
            r#"{"state":{"selections":{"s":"a"},"seed":1}"#,
            r#"{"state":{"selections":{"s":"a\u0061"}},"seed":1}"#,
            r#"{"state":{"unknown":{}},"seed":1}"#,
        ]
        .into_iter()
        .enumerate()
        {
            assert!(reader.known(line, &registry()).is_err(), "{number}: {line}");
        }
        let many: Value = (0..=MAX_VARIABLES)
            .map(|number| (format!("s::{number}"), json!("")))
            .collect();
        let line = json!({"state": {"template_vars": many}, "seed": 1}).to_string();
        assert!(reader.known(&line, &registry()).is_err());
    }

    #[test]
    fn settings_to_warn_about_are_left() {
        let mut reader = LineReader::default();
        for state in [
            json!({"selections": {"u": "a"}}),
            json!({"selections": {"s": "c"}}),
            json!({"array_modes": {"s": {"text": "all"}}}),
            json!({"array_modes": {"s": {"list": "some"}}}),
            json!({"section_random": {"u": true}}),
            json!({"sliders": {"s": 11}}),
            json!({"sliders": {"s": 2.5}}),
            json!({"slider_random": {"u": true}}),
        ] {
            for _ in 0..2 {
                let line = json!({"state": state, "seed": 1}).to_string();
                assert!(reader.known(&line, &registry()).is_err(), "{line}");
            }
        }
    }

    #[test]
    fn settings_that_never_repeat_are_left_in_the_end() {
        let mut reader = LineReader::default();
        let line = |number: u32| {
            // One setting, written in as many ways as needed.
            let space = |bit: u32| if number >> bit & 1 == 0 { ' ' } else { '\t' };
            let space: String = (0..14).map(space).collect();
            format!(r#"{{"state":{{"sliders":{{"s":{space}3}}}},"seed":1}}"#)
        };
        let most = MAX_CREDIT / MISS_COST;
        let read = (0..2 * most).take_while(|number| agrees(&mut reader, &line(*number)));
        assert_eq!(read.count(), most as usize);
        assert!(reader.parts[3].bytes <= MAX_BYTES);
        // Known ones are found as before, and make room for others.
        for _ in 0..MISS_COST {
            assert!(agrees(&mut reader, &line(most - 1)));
            assert!(agrees(&mut reader, &line(most - 2)));
        }
        assert!(agrees(&mut reader, &line(most)));
    }

    fn state() -> impl Strategy<Value = Value> {
        let section = || prop::sample::select(vec!["s", "t"]);
        let table = |value: BoxedStrategy<Value>| {
            prop::option::of(prop::collection::btree_map(section(), value, 0..3))
        };
        let id = || prop::sample::select(vec!["a", "b"]);
        let mode = prop::sample::select(vec!["all", "none", "index:0", "random:1"]);
        (
            table(
                prop_oneof![
                    id().prop_map(Value::from),
                    prop::collection::vec(id(), 0..3).prop_map(Value::from),
                ]
                .boxed(),
            ),
            table(mode.prop_map(|mode| json!({"list": mode})).boxed()),
            table(any::<bool>().prop_map(Value::from).boxed()),
            table(prop_oneof![Just(json!(3)), Just(json!(2.5))].boxed()),
            prop::collection::btree_map("[st]::[vwx]", "[a-zé😀{} ]{0,9}", 0..4),
        )
            .prop_map(|(selections, modes, random, sliders, variables)| {
                let mut state = serde_json::Map::new();
                let parts = [selections, modes, random.clone(), sliders, random];
                for (part, value) in PARTS.iter().zip(parts) {
                    state.extend(value.map(|value| ((*part).to_owned(), json!(value))));
                }
                state.insert("template_vars".to_owned(), json!(variables));
                Value::Object(state)
            })
    }

    proptest! {
        #[test]
        fn lines_are_read_as_serde_json_reads_them(states in prop::collection::vec(state(), 1..9)) {
            let mut reader = LineReader::default();
            for (seed, state) in states.into_iter().enumerate() {
                let line = json!({"state": state, "route": "r", "seed": seed});
                let read = agrees(&mut reader, &line.to_string());
                prop_assert_eq!(agrees(&mut reader, &format!("{line:#}")), read);
                prop_assert_eq!(agrees(&mut reader, &line.to_string()), read);
            }
        }

        #[test]
        fn damaged_lines_are_read_as_serde_json_reads_them_or_left(
            state in state(),
            at in any::<prop::sample::Index>(),
            put in "[\\[\\]{}:,\"0-9a-z\\\\.\\- \u{0}]{0,2}",
        ) {
            let mut reader = LineReader::default();
            let mut line = json!({"state": state, "seed": 7}).to_string();
            agrees(&mut reader, &line);
            let places: Vec<usize> = line.char_indices().map(|(at, _)| at).collect();
            let start = *at.get(&places);
            let end = start + line[start..].chars().next().map_or(0, char::len_utf8);
            line.replace_range(start..end, &put);
            agrees(&mut reader, &line);
        }
    }
}
