//! Conditions of a template as our export writes them: texts between `{{#if name}}` and `{{/if}}`, in
//! Jinja between `{% if name %}` and `{% endif %}`, become fragments of the deck. Only if the deck prints
//! the same with and without each of the variables; otherwise a template has no conditions for us.

use std::collections::{BTreeMap, BTreeSet};

use promptdeck_json::abridged;
use serde_json::{Map, Value, json};

use super::{
    TemplateEngine,
    expressions::{Piece, is_path, variables, with_variables},
};
use crate::{
    hydrate::{Call, Engine, Seed, State},
    import::{
        deck::{Deck, Variables},
        fidelity, plain_prompt,
    },
    registry::parse,
};

/// Most variables of conditions: each doubles the prompts to be compared.
const MOST: usize = 6;
/// The first of the characters that mark the beginning of a conditional text.
const FIRST_MARK: u32 = 0xf0000;
/// Most conditional texts.
const MOST_MARKS: usize = 1000;
/// Marks the end of a conditional text.
const END: char = '\u{ffffd}';

/// The deck of a template with conditions.
pub(super) struct Conditional {
    pub deck: Deck,
    /// The variables of the conditions: name in the template, name in the registry.
    pub conditions: Vec<(String, String)>,
    /// All variables: name in the template, name in the registry.
    pub names: BTreeMap<String, String>,
}

impl Conditional {
    /// What a report says of them.
    pub fn notes(&self, values: &BTreeMap<String, String>) -> Vec<String> {
        let renamed = self.names.iter().filter(|(path, name)| path != name);
        let renamed =
            renamed.map(|(path, name)| format!("{{{{{path}}}}} is the template variable {name:?}"));
        let conditions = self.conditions.iter().map(|(path, name)| {
            let value = values.get(path).map_or_else(String::new, |value| {
                let value = abridged(value);
                format!(
                    "; the value of the file, {value:?}, is in state of the call document, as a \
                     default would print them in any call"
                )
            });
            format!("texts with the condition {path} are fragments, which print if {name:?} has a value{value}")
        });
        renamed.chain(conditions).collect()
    }
}

/// A text and the variables that must have a value for it to print.
struct Run<'t> {
    needs: Vec<&'t str>,
    pieces: Vec<Piece<'t>>,
}

/// A run with its names as variables of the registry.
struct Text {
    needs: Vec<String>,
    text: String,
}

/// The deck of a template that has conditions, and nothing else that a registry cannot say.
pub(super) fn deck_of(
    template: &str,
    pieces: &[Piece<'_>],
    engine: TemplateEngine,
    values: &BTreeMap<String, String>,
) -> Option<Conditional> {
    let runs = runs(template, pieces, engine)?;
    let read: BTreeSet<&str> = runs.iter().flat_map(|run| run.needs.clone()).collect();
    if read.is_empty() || read.len() > MOST || template.contains(END) {
        return None;
    }
    let read_pieces = read.iter().map(|name| Piece::Name(name)).collect();
    let all: Vec<Vec<Piece<'_>>> = runs.iter().map(|run| run.pieces.clone()).collect();
    let names = variables(&[&all[..], &[read_pieces]].concat());
    let variable_name = |name: &str| names.get(name).cloned();
    let texts = runs.iter().map(|run| {
        Some(Text {
            needs: run
                .needs
                .iter()
                .map(|name| variable_name(name))
                .collect::<Option<_>>()?,
            text: with_variables(&run.pieces, &names),
        })
    });
    let texts: Vec<Text> = texts.collect::<Option<_>>()?;
    let conditions: Vec<(String, String)> = read
        .iter()
        .filter_map(|name| Some(((*name).to_owned(), variable_name(name)?)))
        .collect();
    let known: Variables = names
        .iter()
        .map(|(path, name)| {
            // A default would print whatever waits for the variable.
            let value = values.get(*path).filter(|_| !read.contains(path));
            (name.clone(), value.cloned())
        })
        .collect();
    let (marked, needs) = marked(&texts)?;
    let mut deck = plain_prompt::deck_of(&marked, &known).ok()?;
    let changed = deck.change_sections(|section| with_fragments(section, &needs))?;
    let text = deck.text();
    if changed != needs.len() || text.contains(is_mark) {
        return None;
    }
    let prompts = Prompts::of(&text, &texts, &conditions, &known)?;
    if !prompts.are_alike() {
        return None;
    }
    // A default would print what waits for the variable in any call.
    let mut state = Map::new();
    for (path, name) in &conditions {
        if let Some(value) = values.get(path) {
            let keys = prompts
                .declared
                .iter()
                .filter(|(_, variable)| variable == name);
            state.extend(keys.map(|(key, _)| (key.clone(), json!(value))));
        }
    }
    if !state.is_empty() {
        deck.set_call("state", json!({"template_vars": state}));
    }
    Some(Conditional {
        deck,
        conditions,
        names: names
            .into_iter()
            .map(|(path, name)| (path.to_owned(), name))
            .collect(),
    })
}

/// The runs of a template; `None` if it has other expressions than names and conditions.
fn runs<'t>(template: &str, pieces: &[Piece<'t>], engine: TemplateEngine) -> Option<Vec<Run<'t>>> {
    let mut open = Vec::new();
    let mut runs: Vec<Run<'t>> = Vec::new();
    for &piece in pieces {
        let piece = match piece {
            Piece::Other(tag, at) => match Tag::of(tag, engine)? {
                Tag::Text(text) => Piece::Text(text),
                // Handlebars takes a line away that holds a tag alone.
                _ if engine == TemplateEngine::Handlebars && is_line(template, tag, at) => {
                    return None;
                }
                Tag::If(name) => {
                    open.push(name);
                    continue;
                }
                Tag::End => {
                    open.pop()?;
                    continue;
                }
            },
            piece => piece,
        };
        match runs.last_mut().filter(|run| run.needs == open) {
            Some(run) => run.pieces.push(piece),
            None => runs.push(Run {
                needs: open.clone(),
                pieces: vec![piece],
            }),
        }
    }
    open.is_empty().then_some(runs)
}

/// A tag as our export writes it.
enum Tag<'t> {
    If(&'t str),
    End,
    /// A brace that Jinja would read.
    Text(&'t str),
}

impl<'t> Tag<'t> {
    fn of(tag: &'t str, engine: TemplateEngine) -> Option<Self> {
        let (open, close, end) = match engine {
            TemplateEngine::Handlebars => ("{{#if ", "}}", "{{/if}}"),
            TemplateEngine::Jinja => ("{% if ", " %}", "{% endif %}"),
        };
        if tag == end {
            return Some(Self::End);
        }
        if let Some(text) = tag.strip_prefix("{{ '") {
            let text = text.strip_suffix("' }}")?;
            let is_brace =
                engine == TemplateEngine::Jinja && ["{", "{{", "{%", "{#"].contains(&text);
            return is_brace.then_some(Self::Text(text));
        }
        let name = tag.strip_prefix(open)?.strip_suffix(close)?;
        (is_path(name, engine) && !name.contains('.')).then_some(Self::If(name))
    }
}

/// Whether a line of a template holds a tag alone.
fn is_line(template: &str, tag: &str, at: usize) -> bool {
    let before = template[..at].rsplit('\n').next().unwrap_or_default();
    let after = template[at + tag.len()..].split('\n').next();
    before.trim().is_empty() && after.unwrap_or_default().trim().is_empty()
}

/// The text with marks around what is conditional, and what each of these texts needs. Whitespace and
/// blank lines part texts and go with none of them.
fn marked(texts: &[Text]) -> Option<(String, Vec<String>)> {
    let mut marked = String::new();
    let mut all = Vec::new();
    for Text { needs, text } in texts {
        let bare = text.trim();
        let need = match needs.as_slice() {
            [] => None,
            _ if bare.is_empty() => None,
            [need] => Some(need),
            _ => return None,
        };
        let Some(need) = need else {
            marked.push_str(text);
            continue;
        };
        let start = text.len() - text.trim_start().len();
        marked.push_str(&text[..start]);
        for (index, part) in bare.split("\n\n").enumerate() {
            if index > 0 {
                marked.push_str("\n\n");
            }
            marked.push(mark(all.len())?);
            marked.push_str(part);
            marked.push(END);
            all.push(need.clone());
        }
        marked.push_str(&text[start + bare.len()..]);
    }
    Some((marked, all))
}

fn mark(index: usize) -> Option<char> {
    let index = u32::try_from(index).ok()?;
    char::from_u32(FIRST_MARK + index).filter(|_| (index as usize) < MOST_MARKS)
}

fn is_mark(character: char) -> bool {
    character == END || (FIRST_MARK..FIRST_MARK + MOST_MARKS as u32).contains(&(character as u32))
}

/// Gives the items of a section the fragments that their texts mark, and declares their variables. How
/// many they are, or `None` if the marks do not stand where fragments are printed.
fn with_fragments(section: &mut Map<String, Value>, needs: &[String]) -> Option<usize> {
    let mut names = Vec::new();
    for item in section.get_mut("items")?.as_array_mut()? {
        names.extend(mark_fragments(item.as_object_mut()?, needs)?);
    }
    let declared = section.get_mut("template_vars")?.as_array_mut()?;
    for name in &names {
        if !declared.contains(&json!(name)) {
            declared.push(json!(name));
        }
    }
    Some(names.len())
}

/// The variables of the fragments that an item gets.
fn mark_fragments(item: &mut Map<String, Value>, needs: &[String]) -> Option<Vec<String>> {
    let text = item.get("text").and_then(Value::as_str).unwrap_or_default();
    if !text.contains(is_mark) {
        return Some(Vec::new());
    }
    let text = text.to_owned();
    let marks: Vec<char> = text.chars().filter(|next| is_mark(*next)).collect();
    let mut parts = text.split(is_mark);
    let base = parts.next()?;
    let (mut names, mut fragments) = (Vec::new(), Vec::new());
    let parts: Vec<&str> = parts.collect();
    for (index, (mark, part)) in marks.iter().zip(&parts).enumerate() {
        if *mark != END {
            let name = needs.get((*mark as u32 - FIRST_MARK) as usize)?;
            fragments.push(json!({"if_var": name, "text": part}));
            names.push(name.clone());
        } else if !part.is_empty() {
            // The space between two fragments is the assembly's.
            let text = part.strip_prefix(' ')?;
            let is_last = index + 1 == parts.len();
            let text = if is_last {
                text
            } else {
                text.strip_suffix(' ').unwrap_or(text)
            };
            if !text.is_empty() {
                fragments.push(json!({"text": text}));
            }
        }
    }
    let base = match base {
        "" => "",
        base => base.strip_suffix(' ')?,
    };
    item.insert("text".to_owned(), json!(base));
    item.insert("fragments".to_owned(), Value::Array(fragments));
    Some(names)
}

/// The prompts of a deck and of the template it was made of.
struct Prompts<'a> {
    engine: Engine,
    texts: &'a [Text],
    conditions: &'a [(String, String)],
    /// The variables and their defaults.
    known: &'a Variables,
    /// The variables that sections declare: key of a state, name.
    declared: Vec<(String, String)>,
}

impl<'a> Prompts<'a> {
    fn of(
        deck: &str,
        texts: &'a [Text],
        conditions: &'a [(String, String)],
        known: &'a Variables,
    ) -> Option<Self> {
        let registry = parse(deck.as_bytes()).ok()?.registry;
        let sections = registry.sections().values();
        let declared = sections.flat_map(|section| {
            let names = section.template_vars().iter();
            names.map(|name| (format!("{}::{name}", section.name()), name.clone()))
        });
        Some(Self {
            declared: declared.collect(),
            engine: Engine::new(registry),
            texts,
            conditions,
            known,
        })
    }

    /// Whether they are the same for each choice of conditions that hold.
    fn are_alike(&self) -> bool {
        (0..1_usize << self.conditions.len()).all(|choice| self.is_alike(choice))
    }

    fn is_alike(&self, choice: usize) -> bool {
        let is_set = |name: &str| {
            let number = self
                .conditions
                .iter()
                .position(|(_, condition)| condition == name);
            number.is_none_or(|number| choice >> number & 1 == 1)
        };
        let known = self.known.iter();
        let values: Variables = known
            .map(|(name, default)| {
                let value = default.clone().unwrap_or_else(|| name.clone());
                (name.clone(), is_set(name).then_some(value))
            })
            .collect();
        let runs = self.texts.iter();
        let runs = runs.filter(|run| run.needs.iter().all(|name| is_set(name)));
        let text: String = runs.map(|run| run.text.as_str()).collect();
        let expected = fidelity::filled(&text, &values);
        let mut state = State::default();
        for (key, name) in &self.declared {
            if let Some(Some(value)) = values.get(name) {
                state.template_vars.insert(key.clone(), value.clone());
            }
        }
        let call = Call {
            state: &state,
            route: None,
            seed: Seed::from_bits(0),
        };
        let printed = self.engine.hydrate_text(&call);
        expected.trim() == expected
            && printed.is_ok_and(|printed| printed == fidelity::printable(&expected))
    }
}
