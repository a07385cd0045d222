//! Generates registries of schema version 2 with states, deterministic by seed, to compare their
//! imports with promptlibretto 0.7 and 0.8. A section is set either by the registry's
//! `default_state` or by the call; values are never blank and have no braces.

use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde_json::{Map, Value, json};

const SECTIONS: [&str; 8] = [
    "base_context",
    "personas",
    "sentiment",
    "runtime_injections",
    "output_prompt_directions",
    "prompt_endings",
    "mood",
    "tone",
];
const IDS: [&str; 6] = ["calm", "wild", "shy", "noir", "positive", "k-1"];
const VARIABLES: [&str; 3] = ["who", "place", "été"];
const VALUES: [&str; 4] = ["Ada", "the kitchen", "a\nb", "日"];
const PIECES: [&str; 14] = [
    "A line.",
    "Two\nlines",
    "gap\n\n\n\nwide",
    "é",
    "{who}",
    "{place}",
    "to {who}, at {place}",
    "{été}",
    "{\"json\": 1}",
    "{ spaced }",
    "{{who}}",
    "{free}",
    "  padded",
    "plain words",
];
const HEADINGS: [&str; 3] = ["Examples:", "For {who}:", "Rules:"];
const GROUPS: [&str; 3] = ["g1", "g2", "g3"];
const MODES: [&str; 7] = [
    "all",
    "none",
    "index:0",
    "index:1",
    "index:9",
    "indices:1,0",
    "odd",
];
const TEMPLATES: [&str; 4] = [
    "{label}: {value}/{max_value} — {scale_descriptor}.",
    "{value} of {max_value}",
    "{scale_descriptor} at {value}",
    "{label} {label} {value}",
];

/// A registry, a state in its dialect, and the same state in canonical form.
#[derive(Clone, Debug)]
pub struct Case {
    /// The registry.
    pub registry: Value,
    /// The state, by section.
    pub state: Value,
    /// The state in canonical form.
    pub canonical_state: Value,
    /// The route.
    pub route: Option<&'static str>,
}

/// Generates cases, deterministic by seed.
pub struct Cases {
    random: ChaCha12Rng,
    /// Whether the current registry is one of release 0.7.
    seven: bool,
}

impl Cases {
    /// A generator whose cases depend on `seed` only.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self {
            random: ChaCha12Rng::seed_from_u64(seed),
            seven: false,
        }
    }

    /// The next case.
    pub fn next_case(&mut self) -> Case {
        self.seven = self.one_in(3);
        let mut registry = Map::new();
        if !self.one_in(8) {
            registry.insert("version".to_owned(), json!(2));
        }
        let mut names: Vec<&str> = SECTIONS.into_iter().filter(|_| self.one_in(2)).collect();
        if names.is_empty() {
            names.push("personas");
        }
        let mut defaults = Map::new();
        let mut state = Map::new();
        let mut canonical = json!({
            "selections": {}, "array_modes": {}, "sliders": {}, "template_vars": {},
        });
        for name in &names {
            let section = self.section(name);
            let set = self.settings(&section);
            if self.one_in(3) {
                defaults.insert((*name).to_owned(), set);
            } else {
                canonical_settings(name, &set, &mut canonical);
                state.insert((*name).to_owned(), set);
            }
            registry.insert((*name).to_owned(), section);
        }
        if self.one_in(2) {
            let shelf: Vec<Value> = GROUPS.iter().map(|id| self.group(id)).collect();
            registry.insert(
                "groups".to_owned(),
                json!({"required": false, "items": shelf}),
            );
        }
        if !defaults.is_empty() || self.one_in(2) {
            registry.insert("default_state".to_owned(), Value::Object(defaults));
        }
        registry.insert("assembly_order".to_owned(), self.order(&names));
        let mut route = None;
        if self.one_in(4) {
            let order = self.order(&names);
            let routes = json!({"short": {"label": "Short", "assembly_order": order}, "same": {}});
            registry.insert("routes".to_owned(), routes);
            route = Some(if self.one_in(3) { "same" } else { "short" });
        }
        if !self.seven && self.one_in(6) {
            let name = self.pick(&names);
            let key = self.pick(&["", ".text", ".scale"]);
            let prefixes = json!({format!("{name}{key}"): " Above: "});
            registry.insert("assembly_prefixes".to_owned(), prefixes);
        }
        if !self.seven && self.one_in(8) {
            registry.insert("memory_config".to_owned(), json!({"store": "notes"}));
        }
        Case {
            registry: Value::Object(registry),
            state: Value::Object(state),
            canonical_state: canonical,
            route,
        }
    }

    fn section(&mut self, name: &str) -> Value {
        let required = name != "runtime_injections" && !self.one_in(4);
        let scaled = self.one_in(4).then(|| self.scale());
        let grouped = self.one_in(3);
        let pooled = self.one_in(4);
        let headed = self.one_in(3).then(|| self.pick(&HEADINGS));
        let count = 1 + self.below(3);
        let items: Vec<Value> = (0..count)
            .map(|index| {
                let mut item =
                    self.item(name, IDS[(index * 2 + usize::from(scaled.is_some())) % 6]);
                if let Some(scale) = &scaled {
                    item["scale"] = scale.clone();
                    item["scale"]["scale_descriptor"] = json!(self.pick(&["warmth", "", "joy"]));
                }
                if grouped && !self.one_in(4) {
                    item["groups"] = self.groups();
                }
                if pooled {
                    if !self.one_in(12) {
                        item.as_object_mut()
                            .expect("an object")
                            .shift_remove(self.primary(name));
                    }
                    item["items"] = self.list();
                    if let Some(heading) = headed {
                        item["pre_context"] = json!(heading);
                    }
                }
                item
            })
            .collect();
        let mut section = json!({"required": required, "items": items});
        if self.one_in(2) {
            section["template_vars"] = json!(["who", "{place}"]);
        }
        if self.one_in(4) {
            section["label"] = json!("A label");
        }
        section
    }

    fn primary(&self, section: &str) -> &'static str {
        let context = self.seven && matches!(section, "personas" | "sentiment");
        if context { "context" } else { "text" }
    }

    fn item(&mut self, section: &str, id: &str) -> Value {
        let mut item = json!({"id": id});
        if self.one_in(16) {
            item = json!({"name": id});
        } else if self.one_in(12) {
            item["name"] = json!(format!("Mr {id}"));
        }
        let text = self.text();
        item[self.primary(section)] = json!(text);
        if self.one_in(4) {
            item["nudges"] = self.list();
        }
        if self.one_in(12) {
            item["examples"] = self.list();
        }
        if self.one_in(6) {
            item["template_vars"] = json!(["who"]);
        }
        if self.one_in(10) {
            item["template_defaults"] = json!({"place": "home"});
        }
        if section != "runtime_injections" && self.one_in(6) {
            let condition = self.pick(&["who", "{who}", "mark", ""]);
            let text = self.pick(&["Mind {who}.", "Always.", "{mark}"]);
            item["fragments"] = json!([{"id": "f", "condition": condition, "text": text}]);
        }
        if section == "runtime_injections" && self.one_in(2) {
            item["include_sections"] = json!(["mood"]);
        }
        if self.one_in(10) {
            item["display"] = json!({"icon": "x", "order": 2});
            item["metadata"] = json!({"by": "me"});
        }
        item
    }

    fn scale(&mut self) -> Value {
        let mut scale = json!({"template": self.pick(&TEMPLATES)});
        if self.one_in(2) {
            scale["label"] = json!("Heat");
        }
        if self.one_in(3) {
            scale["max_value"] = json!(7.0);
            scale["default_value"] = json!(3.5);
        }
        scale
    }

    fn group(&mut self, id: &str) -> Value {
        let mut group = json!({"id": id, "items": self.list()});
        if self.one_in(3) {
            group["pre_context"] = json!(self.pick(&HEADINGS));
        }
        group
    }

    fn groups(&mut self) -> Value {
        let count = 1 + self.below(2);
        let groups: Vec<Value> = GROUPS[..count]
            .iter()
            .map(|id| {
                if self.one_in(2) {
                    json!(id)
                } else {
                    self.group(id)
                }
            })
            .collect();
        json!(groups)
    }

    fn list(&mut self) -> Value {
        let count = 1 + self.below(3);
        let entries: Vec<String> = (0..count).map(|_| self.text()).collect();
        json!(entries)
    }

    fn text(&mut self) -> String {
        let count = 1 + self.below(2);
        let pieces: Vec<&str> = (0..count).map(|_| self.pick(&PIECES)).collect();
        pieces.join(" ")
    }

    /// The settings of a section in a state; never empty, since they replace the defaults.
    fn settings(&mut self, section: &Value) -> Value {
        let items = section["items"].as_array().expect("items");
        let ids: Vec<&str> = items
            .iter()
            .filter_map(|item| item["id"].as_str().or_else(|| item["name"].as_str()))
            .collect();
        let mut set = json!({});
        if section["required"] == true {
            if !self.one_in(3) {
                set["selected"] = json!(self.pick(&ids));
            }
        } else {
            let chosen: Vec<&&str> = ids.iter().filter(|_| !self.one_in(3)).collect();
            set["selected"] = json!(chosen);
        }
        if self.one_in(3) {
            set["slider"] = json!(self.below(11));
        }
        if self.one_in(4) {
            let field = self.pick(&["items", "nudges"]);
            set["array_modes"] = json!({field: self.pick(&MODES)});
        }
        for name in VARIABLES {
            if self.one_in(2) {
                set["template_vars"][name] = json!(self.pick(&VALUES));
            }
        }
        set
    }

    fn order(&mut self, names: &[&str]) -> Value {
        let count = 1 + self.below(6);
        let tokens: Vec<String> = (0..count).map(|_| self.token(names)).collect();
        json!(tokens)
    }

    fn token(&mut self, names: &[&str]) -> String {
        let name = self.pick(names);
        match self.below(20) {
            0..=5 => name.to_owned(),
            6..=8 => format!("{name}.{}", self.primary(name)),
            9 => format!("{name}.items"),
            10 => format!("{name}.nudges"),
            11 => format!("{name}.groups"),
            12 => format!("{name}.groups[{}]", self.pick(&GROUPS)),
            13 => format!("{name}.scale"),
            14 => format!("{name}[{}]", self.pick(&IDS)),
            15 => format!("{name}.{}", self.pick(&IDS)),
            16 => format!("groups[{}]", self.pick(&GROUPS)),
            17 => format!("{name}.examples"),
            18 => "injections".to_owned(),
            _ => self.pick(&["nowhere", "persona", "groups", ""]).to_owned(),
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

/// Adds the settings of a section in canonical form.
fn canonical_settings(section: &str, set: &Value, state: &mut Value) {
    for (theirs, ours) in [
        ("selected", "selections"),
        ("slider", "sliders"),
        ("array_modes", "array_modes"),
    ] {
        if let Some(value) = set.get(theirs) {
            state[ours][section] = value.clone();
        }
    }
    for (name, text) in set["template_vars"].as_object().into_iter().flatten() {
        state["template_vars"][format!("{section}::{name}")] = text.clone();
    }
}
