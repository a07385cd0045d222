//! Where a document of checks and a call document name sections, items, fields, variables and routes
//! of a registry.

use promptdeck_core::hydrate::resolve_section;
use promptdeck_core::registry::Registry;
use serde_json::Value;

use super::Rename;
use crate::wire::{Edit, Path, Step};

/// The expectations whose value names a section, an item or an entry of the assembly order.
const TARGETS: [&str; 3] = ["renders", "never_renders", "share"];
/// The parts of a state whose keys are sections.
const BY_SECTION: [&str; 5] = [
    "selections",
    "array_modes",
    "section_random",
    "sliders",
    "slider_random",
];

/// The edits with which a document of checks follows a change of names.
pub(super) fn in_checks(checks: &Value, before: &Registry, rename: &Rename) -> Vec<Edit> {
    let mut found = Following::new(before, rename);
    let list = checks.get("checks").and_then(Value::as_array);
    for (check, index) in list.into_iter().flatten().zip(0..) {
        let place: Path = vec!["checks".into(), Step::Index(index)];
        if let Some(given) = check.get("given") {
            found.call(given, &within(&place, &["given"]));
        }
        let expect = check.get("expect").and_then(Value::as_array);
        for (expectation, index) in expect.into_iter().flatten().zip(0..) {
            let mut place = within(&place, &["expect"]);
            place.push(Step::Index(index));
            for target in TARGETS {
                if let Some(name) = expectation.get(target).and_then(Value::as_str) {
                    found.set(within(&place, &[target]), name, found.target(name));
                }
            }
        }
    }
    found.edits
}

/// The edits with which a call document follows a change of names. Its arguments and defaults are
/// read by Jinja alone and name nothing of the registry.
pub(super) fn in_call(call: &Value, before: &Registry, rename: &Rename) -> Vec<Edit> {
    let mut found = Following::new(before, rename);
    found.call(call, &Path::new());
    found.edits
}

fn within(place: &Path, keys: &[&str]) -> Path {
    let mut place = place.clone();
    place.extend(keys.iter().copied().map(Step::from));
    place
}

struct Following<'a> {
    before: &'a Registry,
    rename: &'a Rename,
    edits: Vec<Edit>,
}

impl<'a> Following<'a> {
    fn new(before: &'a Registry, rename: &'a Rename) -> Self {
        Self {
            before,
            rename,
            edits: Vec::new(),
        }
    }

    fn set(&mut self, path: Path, old: &str, new: String) {
        if old != new {
            let value = new.into();
            self.edits.push(Edit::Set { path, value });
        }
    }

    /// What a call of the engine names: its state, its route and its variables.
    fn call(&mut self, call: &Value, place: &Path) {
        let rename = self.rename;
        match rename {
            Rename::Route { from, to } => {
                if call.get("route").and_then(Value::as_str) == Some(from) {
                    self.set(within(place, &["route"]), from, to.clone());
                }
            }
            Rename::Section { from, to } => {
                let is_section = |key: &str| (key == from).then(|| to.clone());
                for part in BY_SECTION {
                    self.keys(call, place, &["state", part], is_section);
                }
                self.variables(call, place, |key| {
                    let rest = key.strip_prefix(from.as_str())?;
                    rest.starts_with("::").then(|| format!("{to}{rest}"))
                });
            }
            Rename::Field { section, from, to } => {
                let path = ["state", "array_modes", section];
                self.keys(call, place, &path, |key| (key == from).then(|| to.clone()));
            }
            Rename::Variable { section, from, to } => {
                let old = format!("{section}::{from}");
                self.variables(call, place, |key| {
                    (key == old).then(|| format!("{section}::{to}"))
                });
            }
            Rename::Item { section, from, to } => {
                let path = ["state", "selections", section];
                let place = within(place, &path);
                match path.iter().try_fold(call, |value, key| value.get(key)) {
                    Some(Value::String(id)) if id == from => self.set(place, from, to.clone()),
                    Some(Value::Array(ids)) => {
                        for (id, index) in ids.iter().zip(0..) {
                            if id == from {
                                let mut place = place.clone();
                                place.push(Step::Index(index));
                                self.set(place, from, to.clone());
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    /// Renames variables, which are named as `SECTION::NAME`.
    fn variables(&mut self, call: &Value, place: &Path, renamed: impl Fn(&str) -> Option<String>) {
        for path in [&["state", "template_vars"][..], &["variables"]] {
            self.keys(call, place, path, &renamed);
        }
    }

    /// Renames the keys of an object; a name that is taken stays.
    fn keys(
        &mut self,
        call: &Value,
        place: &Path,
        path: &[&str],
        renamed: impl Fn(&str) -> Option<String>,
    ) {
        let object = path.iter().try_fold(call, |value, key| value.get(key));
        let Some(Value::Object(members)) = object else {
            return;
        };
        let place = within(place, path);
        for from in members.keys() {
            if let Some(to) = renamed(from).filter(|to| !members.contains_key(to)) {
                self.edits.push(Edit::RenameKey {
                    path: place.clone(),
                    from: from.clone(),
                    to,
                });
            }
        }
    }

    /// A target, or an entry of the assembly order within another one, with the new name.
    fn target(&self, target: &str) -> String {
        if let (Some(open), Some(close)) = (target.find('['), target.rfind(']'))
            && open < close
        {
            let inner = self.target(&target[open + 1..close]);
            let before = self.name(&target[..open]);
            return format!("{before}[{inner}{}", &target[close..]);
        }
        self.name(target)
    }

    fn name(&self, name: &str) -> String {
        let (head, rest) = name.split_at(name.find('.').unwrap_or(name.len()));
        let sections = self.before.sections();
        let section = resolve_section(head, |name| sections.contains_key(name));
        match self.rename {
            Rename::Section { from, to } if section == Some(from) => format!("{to}{rest}"),
            Rename::Item {
                section: section_name,
                from,
                to,
            } if section == Some(section_name) && rest.strip_prefix('.') == Some(from) => {
                format!("{head}.{to}")
            }
            Rename::Field {
                section: section_name,
                from,
                to,
            } if section == Some(section_name)
                && rest.strip_prefix('.') == Some(from)
                && !self.is_item(section_name, from) =>
            {
                format!("{head}.{to}")
            }
            _ => name.to_owned(),
        }
    }

    /// Whether a section has an item of this name, which a target means rather than a field.
    fn is_item(&self, section: &str, name: &str) -> bool {
        let section = self.before.section(section);
        section.is_some_and(|section| {
            section
                .items()
                .iter()
                .any(|item| item.identity() == Some(name))
        })
    }
}
