//! What a document of checks names, renamed with the registry: sections, items and routes.

use promptdeck_core::hydrate::resolve_section;
use promptdeck_core::registry::Registry;
use serde_json::Value;

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

/// A name that edits of a registry changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Rename {
    Section {
        from: String,
        to: String,
    },
    Item {
        section: String,
        from: String,
        to: String,
    },
    Route {
        from: String,
        to: String,
    },
}

/// The names that these edits change in a session; `before` is its registry without them.
pub(crate) fn renames(before: &Registry, edits: &[Edit]) -> Vec<Rename> {
    edits
        .iter()
        .filter_map(|edit| rename(before, edit))
        .collect()
}

fn rename(before: &Registry, edit: &Edit) -> Option<Rename> {
    match edit {
        Edit::RenameKey { path, from, to } => {
            let (from, to) = (from.clone(), to.clone());
            match path.iter().map(key).collect::<Option<Vec<_>>>()?[..] {
                ["registry"] if before.section(&from).is_some() => {
                    Some(Rename::Section { from, to })
                }
                ["registry", "routes"] => Some(Rename::Route { from, to }),
                _ => None,
            }
        }
        Edit::Set {
            path,
            value: Value::String(to),
        } => {
            let [root, section, items, Step::Index(index), field] = path.as_slice() else {
                return None;
            };
            if (key(root), key(items)) != (Some("registry"), Some("items")) {
                return None;
            }
            let section = key(section)?;
            let item = before.section(section)?.items().get(*index as usize)?;
            let from = item.identity()?;
            let identity = if item.id().is_some() { "id" } else { "name" };
            (key(field) == Some(identity) && from != to).then(|| Rename::Item {
                section: section.to_owned(),
                from: from.to_owned(),
                to: to.clone(),
            })
        }
        _ => None,
    }
}

fn key(step: &Step) -> Option<&str> {
    match step {
        Step::Key(key) => Some(key),
        Step::Index(_) => None,
    }
}

/// The edits with which a document of checks follows a change of names.
pub(crate) fn follow(checks: &Value, before: &Registry, rename: &Rename) -> Vec<Edit> {
    let mut found = Following {
        before,
        rename,
        edits: Vec::new(),
    };
    let list = checks.get("checks").and_then(Value::as_array);
    for (check, index) in list.into_iter().flatten().zip(0..) {
        let place: Path = vec!["checks".into(), Step::Index(index)];
        if let Some(given) = check.get("given") {
            found.given(given, &within(&place, ["given"]));
        }
        let expect = check.get("expect").and_then(Value::as_array);
        for (expectation, index) in expect.into_iter().flatten().zip(0..) {
            let mut place = within(&place, ["expect"]);
            place.push(Step::Index(index));
            for target in TARGETS {
                if let Some(name) = expectation.get(target).and_then(Value::as_str) {
                    found.set(within(&place, [target]), name, found.target(name));
                }
            }
        }
    }
    found.edits
}

fn within<const N: usize>(place: &Path, keys: [&str; N]) -> Path {
    let mut place = place.clone();
    place.extend(keys.map(Step::from));
    place
}

struct Following<'a> {
    before: &'a Registry,
    rename: &'a Rename,
    edits: Vec<Edit>,
}

impl Following<'_> {
    fn set(&mut self, path: Path, old: &str, new: String) {
        if old != new {
            let value = new.into();
            self.edits.push(Edit::Set { path, value });
        }
    }

    fn given(&mut self, given: &Value, place: &Path) {
        let rename = self.rename;
        match rename {
            Rename::Route { from, to } => {
                if given.get("route").and_then(Value::as_str) == Some(from) {
                    self.set(within(place, ["route"]), from, to.clone());
                }
            }
            Rename::Section { from, to } => {
                let is_section = |key: &str| (key == from).then(|| to.clone());
                for part in BY_SECTION {
                    self.keys(given, place, &["state", part], is_section);
                }
                let variable = |key: &str| {
                    let rest = key.strip_prefix(from.as_str())?;
                    rest.starts_with("::").then(|| format!("{to}{rest}"))
                };
                self.keys(given, place, &["state", "template_vars"], variable);
                self.keys(given, place, &["variables"], variable);
            }
            Rename::Item { section, from, to } => {
                let place = within(place, ["state", "selections", section]);
                let selected = given
                    .get("state")
                    .and_then(|state| state.get("selections")?.get(section));
                match selected {
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

    /// Renames the keys of an object; a name that is taken stays.
    fn keys(
        &mut self,
        given: &Value,
        place: &Path,
        path: &[&str],
        renamed: impl Fn(&str) -> Option<String>,
    ) {
        let object = path.iter().try_fold(given, |value, key| value.get(key));
        let Some(Value::Object(members)) = object else {
            return;
        };
        let mut place = place.clone();
        place.extend(path.iter().copied().map(Step::from));
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
                section: of,
                from,
                to,
            } if section == Some(of) && rest.strip_prefix('.') == Some(from) => {
                format!("{head}.{to}")
            }
            _ => name.to_owned(),
        }
    }
}
