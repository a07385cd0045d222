//! Generates registries, states and routes, deterministic by seed, for the comparison with
//! promptlibretto. By construction they avoid every intended difference: no built-in or random
//! settings, no values with braces, no wrong types, no nested brackets, and so on.

use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde_json::{Map, Value, json};

const SECTIONS: [&str; 13] = [
    "base_context",
    "personas",
    "sentiment",
    "static_injections",
    "runtime_injections",
    "output_prompt_directions",
    "examples",
    "prompt_endings",
    "mood",
    "lore",
    "style-2",
    "x y",
    "Tone",
];
/// Names that the package's bracket pattern accepts; others occur bare and dotted only.
const PLAIN_SECTIONS: [&str; 8] = [
    "base_context",
    "personas",
    "sentiment",
    "examples",
    "prompt_endings",
    "mood",
    "lore",
    "Tone",
];
const ALIASES: [&str; 5] = ["persona", "sentiments", "injections", "ending", "endings"];
/// Ids that also occur as texts, so that brackets find items.
const LABELS: [&str; 7] = ["calm", "wild", "shy", "noir", "calm wild", "7", "1.5"];
/// Ids of items that also have a name; they never occur as a text.
const SECOND_IDS: [&str; 3] = ["k-one", "k-two", "k-three"];
const FIELDS: [&str; 8] = [
    "text",
    "context",
    "items",
    "examples",
    "nudges",
    "base_directives",
    "pool",
    "label",
];
const VARIABLES: [&str; 5] = ["place", "who", "n", "été", "long_name"];
const PIECES: [&str; 34] = [
    "calm",
    "wild",
    "shy",
    "noir",
    "A line.",
    "Two\nlines",
    "Two\n\nparts",
    "gap\n\n\n\nwide",
    "\n\n\n",
    " ",
    "  padded  ",
    "\t",
    "\u{1c}",
    "\u{1f}edge\u{1e}",
    "\u{85}",
    "\u{a0}wide\u{3000}",
    "\u{2003}",
    "\u{200b}",
    "\u{feff}",
    "\r\n\r\n\r\n",
    "é",
    "日本",
    "😀",
    "{place}",
    "{who}",
    "{n}",
    "{été}",
    "{long_name}",
    "{undeclared}",
    "{",
    "}",
    "{{who}}",
    "{ who }",
    "{\"who\": 1}",
];
const VALUES: [&str; 11] = [
    "",
    "",
    " ",
    "\n",
    "\u{1d}",
    "the kitchen",
    " around ",
    "a\nb",
    "\n\n\nmany\n\n\n",
    "calm",
    "日",
];
const HEADINGS: [&str; 9] = [
    "Examples:",
    "Examples:",
    "Other:",
    "",
    " ",
    " Examples:",
    "{who}:",
    "{n}",
    "Examples:\n",
];
const NUMBERS: [&str; 18] = [
    "0",
    "1",
    "-7",
    "7",
    "1.5",
    "1.0",
    "-0.0",
    "0.1",
    "1e20",
    "1e16",
    "1e15",
    "1e22",
    "1e-5",
    "1e-4",
    "123456789.123456789",
    "12345678901234567890123",
    "5e-324",
    "1e400",
];
const MODES: [&str; 22] = [
    "all",
    "all",
    "none",
    "index:0",
    "index:1",
    "index:2",
    "index:9",
    "index:-1",
    "index:x",
    "index:",
    "index: 1",
    "index:+1",
    "index:01",
    "index:1.5",
    "index:1_0",
    "NONE",
    "",
    "bogus",
    "index",
    "random",
    " none",
    "index:1:2",
];

/// A call of the engine.
#[derive(Debug)]
pub struct Case {
    /// The registry object.
    pub registry: Value,
    /// The state.
    pub state: Value,
    /// A route of the registry, or none.
    pub route: Option<String>,
}

impl Case {
    /// The case as a question for the oracle.
    #[must_use]
    pub fn question(&self) -> Value {
        json!({"registry": self.registry, "state": self.state, "route": self.route})
    }
}

/// Generates cases.
#[derive(Debug)]
pub struct Cases {
    random: ChaCha12Rng,
}

impl Cases {
    /// A generator whose cases depend on `seed` only.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self {
            random: ChaCha12Rng::seed_from_u64(seed),
        }
    }

    /// The next case.
    pub fn next_case(&mut self) -> Case {
        let mut registry = Map::new();
        let mut state = State::default();
        let mut names: Vec<&str> = SECTIONS.into_iter().filter(|_| self.one_in(2)).collect();
        if names.is_empty() {
            names.push("mood");
        }
        for name in &names {
            let section = self.section(name, &mut state);
            registry.insert((*name).to_owned(), section);
        }
        // A token for the injections prints them twice in the package and once here, so it occurs
        // only while no injection is active.
        let resting = state.injections == 0;
        let usable: Vec<&str> = names
            .iter()
            .copied()
            .filter(|name| resting || *name != "runtime_injections")
            .collect();
        let order = self.order(&usable);
        registry.insert("assembly_order".to_owned(), json!(order));
        let mut route = None;
        if self.one_in(4) {
            let order = self.order(&usable);
            let routes = json!({"short": {"assembly_order": order}, "same": {}});
            registry.insert("routes".to_owned(), routes);
            route = Some(self.pick(&["short", "short", "same"]).to_owned());
        }
        Case {
            registry: Value::Object(registry),
            state: state.into_json(),
            route,
        }
    }

    fn section(&mut self, name: &str, state: &mut State) -> Value {
        let injections = name == "runtime_injections";
        let required = if injections {
            self.one_in(6)
        } else {
            !self.one_in(3)
        };
        let variables: Vec<&str> = VARIABLES.into_iter().filter(|_| self.one_in(2)).collect();
        let count = if self.one_in(12) {
            0
        } else {
            1 + self.below(4)
        };
        let items: Vec<Value> = (0..count).map(|_| self.item(name)).collect();
        let mut ids: Vec<String> = items.iter().filter_map(identity).collect();
        ids.push("nobody".to_owned());
        if required && !self.one_in(4) {
            state
                .selections
                .insert(name.to_owned(), json!(ids[self.below(ids.len())]));
        }
        if !required && !self.one_in(4) {
            let chosen: Vec<&String> = ids.iter().filter(|_| self.one_in(2)).collect();
            state.selections.insert(name.to_owned(), json!(chosen));
            state.injections += usize::from(injections);
        }
        for field in FIELDS {
            if self.one_in(6) {
                let mode = self.pick(&MODES);
                let modes = state.array_modes.entry(name).or_insert_with(|| json!({}));
                modes[field] = json!(mode);
            }
        }
        if self.one_in(3) {
            let positions = [json!(0), json!(7), json!(7.9), json!(-3.5), json!(10)];
            state
                .sliders
                .insert(name.to_owned(), positions[self.below(5)].clone());
        }
        for variable in VARIABLES {
            if self.one_in(2) {
                let key = format!("{name}::{variable}");
                state.template_vars.insert(key, json!(self.pick(&VALUES)));
            }
        }
        let mut section = json!({"required": required, "items": items});
        if !variables.is_empty() || self.one_in(2) {
            section["template_vars"] = json!(variables);
        }
        if name == "sentiment" && self.one_in(2) {
            let templates = [
                "{value}/{emotion}",
                " {value} ",
                "",
                "{who} {value}{value}",
                "{{value}}",
            ];
            section["scale_template"] = json!(self.pick(&templates));
        }
        section
    }

    fn item(&mut self, section: &str) -> Value {
        let mut item = Map::new();
        match self.below(8) {
            0 => {
                item.insert("id".to_owned(), json!(self.pick(&SECOND_IDS)));
                item.insert("name".to_owned(), json!(self.pick(&LABELS)));
            }
            1 | 2 => {
                item.insert("name".to_owned(), json!(self.pick(&LABELS)));
            }
            3 => {
                item.insert("id".to_owned(), json!(self.pick(&["positive", "negative"])));
            }
            _ => {
                item.insert("id".to_owned(), json!(self.pick(&LABELS)));
            }
        }
        let primary = if matches!(section, "personas" | "sentiment") {
            "context"
        } else {
            "text"
        };
        if !self.one_in(6) {
            item.insert(primary.to_owned(), self.known_text());
        }
        for field in ["text", "context"] {
            if self.one_in(5) {
                item.insert(field.to_owned(), self.known_text());
            }
        }
        if self.one_in(3) {
            let pool = if self.one_in(8) {
                Value::Null
            } else {
                self.list()
            };
            item.insert("items".to_owned(), pool);
        }
        for field in ["examples", "nudges", "base_directives", "pool", "label"] {
            if self.one_in(3) {
                item.insert(field.to_owned(), self.invented());
            }
        }
        if self.one_in(3) {
            let key = self.pick(&["pre_context", "pre_context", "pre_context:"]);
            item.insert(key.to_owned(), json!(self.pick(&HEADINGS)));
        }
        if self.one_in(5) {
            // Without the key `text` the package omits the fragments in a dotted token.
            item.entry("text").or_insert(json!(""));
            let count = self.below(4);
            let fragments: Vec<Value> = (0..count).map(|_| self.fragment()).collect();
            item.insert("fragments".to_owned(), json!(fragments));
        }
        if self.one_in(6) {
            item.insert(
                "scale_emotion".to_owned(),
                json!(self.pick(&["joy", "", " ", "{who}"])),
            );
        }
        if section == "runtime_injections" {
            let included: Vec<&str> = SECTIONS.into_iter().filter(|_| self.one_in(3)).collect();
            item.insert("include_sections".to_owned(), json!(included));
            if self.one_in(8) {
                item.insert("include_sections".to_owned(), json!(["persona", "nowhere"]));
            }
        }
        Value::Object(item)
    }

    fn fragment(&mut self) -> Value {
        let text = self.text();
        let condition = self.pick(&["place", "who", "n", "not_declared"]);
        match self.below(5) {
            0 => json!({ "text": text }),
            1 => json!({"var": condition, "text": text}),
            2 => json!({"if_var": self.pick(&["", "who"]), "text": text}),
            _ => json!({"if_var": condition, "text": text}),
        }
    }

    fn known_text(&mut self) -> Value {
        if self.one_in(12) {
            Value::Null
        } else {
            json!(self.text())
        }
    }

    /// A text that sometimes is a bare label, so that brackets and dots find items.
    fn text(&mut self) -> String {
        if self.one_in(4) {
            return self.pick(&LABELS).to_owned();
        }
        let count = self.below(4);
        (0..count).map(|_| self.pick(&PIECES)).collect()
    }

    fn invented(&mut self) -> Value {
        match self.below(8) {
            0 => Value::Null,
            1 => self.number(),
            2 | 3 => json!(self.text()),
            _ => self.list(),
        }
    }

    fn list(&mut self) -> Value {
        let count = self.below(4);
        let entries: Vec<Value> = (0..count)
            .map(|_| match self.below(8) {
                0 => Value::Null,
                1 => self.number(),
                _ => json!(self.text()),
            })
            .collect();
        json!(entries)
    }

    fn number(&mut self) -> Value {
        serde_json::from_str(self.pick(&NUMBERS)).expect("a number")
    }

    fn order(&mut self, names: &[&str]) -> Vec<String> {
        let count = 1 + self.below(8);
        (0..count).map(|_| self.token(names)).collect()
    }

    fn token(&mut self, names: &[&str]) -> String {
        let plain: Vec<&str> = names
            .iter()
            .copied()
            .filter(|name| PLAIN_SECTIONS.contains(name))
            .collect();
        let name = if names.is_empty() || self.one_in(16) {
            self.pick(&ALIASES)
        } else {
            self.pick(names)
        };
        match self.below(16) {
            0..=4 => name.to_owned(),
            5..=10 => format!("{name}.{}", self.pick(&FIELDS)),
            11 => format!("{name}.{}", self.pick(&LABELS)),
            12 if names.contains(&"sentiment") => "sentiment.scale".to_owned(),
            13 | 14 if !plain.is_empty() => {
                let outer = self.pick(&plain);
                let inner = self.pick(&plain);
                match self.below(3) {
                    0 => format!("{outer}[{inner}]"),
                    1 => format!("{outer}[{inner}.label]"),
                    _ => format!("{outer}[{inner}.{}]", self.pick(&FIELDS)),
                }
            }
            _ => self
                .pick(&["nowhere", "nowhere.text", "mood.", ".text", "", " mood"])
                .to_owned(),
        }
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.random.next_u64() % bound as u64) as usize
    }

    fn one_in(&mut self, odds: usize) -> bool {
        self.below(odds) == 0
    }

    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }
}

fn identity(item: &Value) -> Option<String> {
    let filled = |key: &str| item[key].as_str().filter(|text| !text.is_empty());
    filled("id").or_else(|| filled("name")).map(str::to_owned)
}

#[derive(Default)]
struct State {
    selections: Map<String, Value>,
    array_modes: Map<String, Value>,
    sliders: Map<String, Value>,
    template_vars: Map<String, Value>,
    /// Number of injection sections that may be active.
    injections: usize,
}

impl State {
    fn into_json(self) -> Value {
        json!({
            "selections": self.selections,
            "array_modes": self.array_modes,
            "sliders": self.sliders,
            "template_vars": self.template_vars,
        })
    }
}
