//! A template variable with another name: its declaration, its default and its value, and the texts and
//! conditions of its section that name it.

use promptdeck_core::hydrate::{JINJA, rename_variable};
use promptdeck_core::registry::{bare_name, is_substituted, variable_name_from};
use serde_json::{Map, Value};

use super::Session;
use crate::edit::{self, BadEdit};
use crate::wire::{Change, Edit, Path, Step};
use crate::{ServiceError, tree};

impl Session {
    /// Renames the variable at a position of a section's `template_vars`, as one step of the history,
    /// to the name that the typed words make.
    pub fn rename_variable(
        &mut self,
        base: u32,
        section: &str,
        index: u32,
        typed: &str,
    ) -> Result<Change, ServiceError> {
        self.copy.expect_revision(base)?;
        let name = &*variable_name_from(typed);
        let names = self.engine().registry().section(section);
        let names = names.map_or(&[][..], |section| section.template_vars());
        let Some(from) = names.get(index as usize).cloned() else {
            let place = edit::pointer(&declaration(section, index));
            let reason = "there is no such variable";
            return Err(BadEdit { place, why: reason }.into());
        };
        // A name that another program wrote stays until another is typed.
        if from == typed.trim() || from == name {
            return Ok(self.unchanged());
        }
        let refused = |reason| ServiceError::VariableName {
            name: name.to_owned(),
            why: reason,
        };
        if name.is_empty() || name.contains(['{', '}']) {
            return Err(refused("a name is not empty and has no braces"));
        }
        if names.iter().any(|declared| declared == name) {
            return Err(refused("it is declared already"));
        }
        let renaming = Renaming {
            section,
            from: &from,
            to: name,
            jinja: self.engine().registry().template_engine() == Some(JINJA),
        };
        let edits = renaming.edits(self.copy.tree(), index);
        let edits = edits.ok_or_else(|| {
            refused("a text prints these braces as they are and would print the value")
        })?;
        self.step(&format!("Rename variable {from} to {name}"), edits)
    }
}

fn declaration(section: &str, index: u32) -> Path {
    vec![
        "registry".into(),
        section.into(),
        "template_vars".into(),
        index.into(),
    ]
}

struct Renaming<'a> {
    section: &'a str,
    from: &'a str,
    to: &'a str,
    jinja: bool,
}

impl Renaming<'_> {
    /// The edits; `None` if a text has the new name in braces already.
    fn edits(&self, tree: &Value, index: u32) -> Option<Vec<Edit>> {
        let mut edits = Vec::new();
        let section = tree::registry(tree).get(self.section)?;
        let items = section.get("items").and_then(Value::as_array);
        for (item, at) in items.into_iter().flatten().zip(0..) {
            let path = vec![
                "registry".into(),
                self.section.into(),
                "items".into(),
                Step::Index(at),
            ];
            for (field, value) in item.as_object().into_iter().flatten() {
                let path = below(&path, field.as_str());
                if field == "runtime_variables" {
                    self.names(value, &path, &mut edits);
                } else if field == "fragments" {
                    self.fragments(value, &path, &mut edits)?;
                } else if is_substituted(field) {
                    self.texts(value, &path, &mut edits)?;
                }
            }
        }
        let defaults = section.get("template_var_defaults");
        let defaults = defaults.and_then(Value::as_object);
        if let Some(defaults) = defaults {
            let path = vec![
                "registry".into(),
                self.section.into(),
                "template_var_defaults".into(),
            ];
            let old = defaults.keys().find(|name| bare_name(name) == self.from);
            let is_new = |name: &str| bare_name(name) == self.to;
            edits.extend(rename_key(defaults, &path, old, self.to, is_new));
        }
        let values = tree.pointer("/state/template_vars");
        if let Some(values) = values.and_then(Value::as_object) {
            let [old, new] = [self.from, self.to].map(|name| format!("{}::{name}", self.section));
            let old = values.contains_key(&old).then_some(&old);
            let path = vec!["state".into(), "template_vars".into()];
            edits.extend(rename_key(values, &path, old, &new, |name| name == new));
        }
        // Last, so that the undo of the rename begins with the name itself.
        edits.push(Edit::Set {
            path: declaration(self.section, index),
            value: self.to.into(),
        });
        Some(edits)
    }

    fn fragments(&self, value: &Value, path: &Path, edits: &mut Vec<Edit>) -> Option<()> {
        for (fragment, at) in value.as_array().into_iter().flatten().zip(0..) {
            let path = below(path, Step::Index(at));
            for (key, value) in fragment.as_object().into_iter().flatten() {
                let path = below(&path, key.as_str());
                match key.as_str() {
                    "if_var" | "var" => self.name(value, &path, edits),
                    _ => self.texts(value, &path, edits)?,
                }
            }
        }
        Some(())
    }

    fn texts(&self, value: &Value, path: &Path, edits: &mut Vec<Edit>) -> Option<()> {
        match value {
            Value::String(text) => {
                if rename_variable(text, self.to, self.to, self.jinja).is_some() {
                    return None;
                }
                if let Some(renamed) = rename_variable(text, self.from, self.to, self.jinja) {
                    set(path, renamed, edits);
                }
            }
            Value::Array(entries) => {
                for (entry, at) in entries.iter().zip(0..) {
                    self.texts(entry, &below(path, Step::Index(at)), edits)?;
                }
            }
            Value::Object(members) => {
                for (key, value) in members {
                    self.texts(value, &below(path, key.as_str()), edits)?;
                }
            }
            _ => {}
        }
        Some(())
    }

    fn names(&self, value: &Value, path: &Path, edits: &mut Vec<Edit>) {
        for (entry, at) in value.as_array().into_iter().flatten().zip(0..) {
            self.name(entry, &below(path, Step::Index(at)), edits);
        }
    }

    fn name(&self, value: &Value, path: &Path, edits: &mut Vec<Edit>) {
        if value
            .as_str()
            .is_some_and(|name| bare_name(name) == self.from)
        {
            set(path, self.to.to_owned(), edits);
        }
    }
}

fn below(path: &Path, step: impl Into<Step>) -> Path {
    let mut path = path.clone();
    path.push(step.into());
    path
}

fn set(path: &Path, text: String, edits: &mut Vec<Edit>) {
    edits.push(Edit::Set {
        path: path.clone(),
        value: text.into(),
    });
}

/// Renames a key. What is left under the new name from a variable that is gone would become the
/// variable's value and goes.
fn rename_key(
    members: &Map<String, Value>,
    path: &Path,
    old: Option<&String>,
    new: &str,
    is_new: impl Fn(&str) -> bool,
) -> Vec<Edit> {
    let stale = members.keys().filter(|name| is_new(name));
    let stale = stale.map(|name| Edit::Remove {
        path: below(path, name.as_str()),
    });
    let renamed = old.map(|old| Edit::RenameKey {
        path: path.clone(),
        from: old.clone(),
        to: new.to_owned(),
    });
    stale.chain(renamed).collect()
}
