//! The state of one call, borrowed from its JSON text: for batches of calls.
//!
//! It means exactly what [`super::State`] means, and costs little more than reading the text.

use std::{borrow::Cow, fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer,
    de::{self, MapAccess, SeqAccess, Visitor, value::SeqAccessDeserializer},
};

use promptdeck_json::abridged;

use super::{Entries, HashedKey, Settings, StateEntry};

/// A state that borrows from the text it was read from. Keys that no state has are refused, and
/// duplicate keys are: whoever reads many lines looks closer at such a line, and reads a [`State`].
///
/// [`State`]: super::State
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StateRef<'a> {
    #[serde(borrow)]
    selections: Pairs<'a, Ids<'a>>,
    #[serde(borrow)]
    array_modes: Pairs<'a, Pairs<'a, Text<'a>>>,
    #[serde(borrow)]
    section_random: Pairs<'a, bool>,
    #[serde(borrow)]
    sliders: Pairs<'a, f64>,
    #[serde(borrow)]
    slider_random: Pairs<'a, bool>,
    #[serde(borrow)]
    template_vars: Pairs<'a, Text<'a>>,
}

impl Settings for StateRef<'_> {
    fn selection(&self, section: &HashedKey) -> Option<impl Iterator<Item = &str>> {
        let ids = self.selections.get(section.text())?;
        Some(ids.texts().iter().map(|id| &*id.0))
    }

    fn mode(&self, section: &HashedKey, field: &HashedKey) -> Option<&str> {
        self.array_modes
            .get(section.text())?
            .get(field.text())
            .map(|mode| &*mode.0)
    }

    fn section_random(&self, section: &HashedKey) -> Option<bool> {
        self.section_random.get(section.text()).copied()
    }

    fn slider(&self, section: &HashedKey) -> Option<f64> {
        self.sliders.get(section.text()).copied()
    }

    fn slider_random(&self, section: &HashedKey) -> Option<bool> {
        self.slider_random.get(section.text()).copied()
    }

    fn variable(&self, key: &HashedKey) -> Option<&str> {
        self.template_vars.get(key.text()).map(|text| &*text.0)
    }
}

impl Entries for StateRef<'_> {
    fn entries(&self) -> impl Iterator<Item = StateEntry<'_>> {
        let section = |part| move |section| StateEntry::Section { part, section };
        let sections = self.selections.names().map(section("selections"));
        let sections = sections
            .chain(self.array_modes.names().map(section("array_modes")))
            .chain(self.section_random.names().map(section("section_random")))
            .chain(self.sliders.names().map(section("sliders")))
            .chain(self.slider_random.names().map(section("slider_random")));
        let items = self.selections.0.iter().flat_map(|(section, ids)| {
            let section = &*section.0;
            let item = move |id| StateEntry::Item { section, id };
            let ids = ids.texts();
            let count = StateEntry::count(section, ids.len());
            let items = ids.iter().map(|id| &*id.0).map(item);
            items.chain(count)
        });
        let fields = self.array_modes.0.iter().flat_map(|(section, modes)| {
            let section = &*section.0;
            modes.0.iter().flat_map(move |(field, mode)| {
                let (field, mode) = (&*field.0, &*mode.0);
                let mode = StateEntry::Mode {
                    section,
                    field,
                    mode,
                };
                [StateEntry::Field { section, field }, mode]
            })
        });
        let slider = |part| move |section| StateEntry::Slider { part, section };
        let sliders = self.sliders.names().map(slider("sliders"));
        let sliders = sliders.chain(self.slider_random.names().map(slider("slider_random")));
        let positions = self
            .sliders
            .0
            .iter()
            .filter_map(|(section, value)| StateEntry::position(&section.0, *value));
        let variables = self.template_vars.names();
        sections
            .chain(items)
            .chain(fields)
            .chain(sliders)
            .chain(positions)
            .chain(variables.map(|key| StateEntry::Variable { key }))
    }
}

/// The initial capacity of an object; most objects of a state have fewer members.
const INITIAL_CAPACITY: usize = 8;
/// Up to this many members a linear search beats a binary one.
const LINEAR_MAX: usize = 16;

/// The members of an object: in the order of the text while they are few, else sorted by name.
#[derive(Clone, Debug)]
struct Pairs<'a, V>(Vec<(Text<'a>, V)>);

impl<V> Default for Pairs<'_, V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<V> Pairs<'_, V> {
    fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| &*name.0)
    }

    fn get(&self, name: &str) -> Option<&V> {
        let found = if self.0.len() > LINEAR_MAX {
            self.0
                .binary_search_by(|(other, _)| (*other.0).cmp(name))
                .ok()
        } else {
            self.0.iter().position(|(other, _)| other.0 == name)
        };
        found.map(|at| &self.0[at].1)
    }
}

impl<'de: 'a, 'a, V: Deserialize<'de>> Deserialize<'de> for Pairs<'a, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members<'a, V>(PhantomData<(&'a (), V)>);

        impl<'de: 'a, 'a, V: Deserialize<'de>> Visitor<'de> for Members<'a, V> {
            type Value = Pairs<'a, V>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_unit<E>(self) -> Result<Self::Value, E> {
                Ok(Pairs(Vec::new()))
            }

            fn visit_none<E>(self) -> Result<Self::Value, E> {
                Ok(Pairs(Vec::new()))
            }

            fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<Self::Value, D::Error> {
                inner.deserialize_map(self)
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut pairs: Vec<(Text<'a>, V)> = Vec::with_capacity(INITIAL_CAPACITY);
                let mut nulls: Vec<Text<'a>> = Vec::new();
                while let Some((name, value)) = map.next_entry::<Text<'a>, Option<V>>()? {
                    if pairs.len() < LINEAR_MAX && pairs.iter().any(|(other, _)| other.0 == name.0)
                    {
                        return Err(duplicate(&name));
                    }
                    match value {
                        Some(value) => pairs.push((name, value)),
                        None => nulls.push(name),
                    }
                }
                if pairs.len() > LINEAR_MAX {
                    pairs.sort_by(|(one, _), (other, _)| one.0.cmp(&other.0));
                    if let Some(twice) = pairs.windows(2).find(|two| two[0].0.0 == two[1].0.0) {
                        return Err(duplicate(&twice[0].0));
                    }
                }
                let pairs = Pairs(pairs);
                if !nulls.is_empty() {
                    nulls.sort_by(|one, other| one.0.cmp(&other.0));
                    let twice = nulls.windows(2).find(|two| two[0].0 == two[1].0);
                    let set = nulls.iter().find(|name| pairs.get(&name.0).is_some());
                    if let Some(name) = twice.map(|two| &two[0]).or(set) {
                        return Err(duplicate(name));
                    }
                }
                Ok(pairs)
            }
        }

        deserializer.deserialize_option(Members(PhantomData))
    }
}

fn duplicate<E: de::Error>(name: &Text<'_>) -> E {
    E::custom(format_args!(
        "duplicate key {:?}; keep one",
        abridged(&name.0)
    ))
}

/// A text, borrowed unless it holds escapes.
#[derive(Clone, Debug)]
struct Text<'a>(Cow<'a, str>);

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Text<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Text(Cow::Owned(text.to_owned())))
    }

    fn visit_string<E>(self, text: String) -> Result<Self::Value, E> {
        Ok(Text(Cow::Owned(text)))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(TextVisitor)
    }
}

/// What is selected in a section.
#[derive(Clone, Debug)]
enum Ids<'a> {
    One(Text<'a>),
    Many(Vec<Text<'a>>),
}

impl<'a> Ids<'a> {
    fn texts(&self) -> &[Text<'a>] {
        match self {
            Self::One(id) => std::slice::from_ref(id),
            Self::Many(ids) => ids,
        }
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Ids<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct IdsVisitor;

        impl<'de> Visitor<'de> for IdsVisitor {
            type Value = Ids<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an id or a list of ids")
            }

            fn visit_borrowed_str<E>(self, id: &'de str) -> Result<Self::Value, E> {
                Ok(Ids::One(Text(Cow::Borrowed(id))))
            }

            fn visit_str<E>(self, id: &str) -> Result<Self::Value, E> {
                Ok(Ids::One(Text(Cow::Owned(id.to_owned()))))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(seq)).map(Ids::Many)
            }
        }

        deserializer.deserialize_any(IdsVisitor)
    }
}
