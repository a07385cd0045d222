//! The state of one call, borrowed from the JSON text it stands in: for many calls in a row.
//!
//! It means exactly what [`super::State`] means, and costs little more than reading the text.

use std::{borrow::Cow, fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, SeqAccess, Visitor, value::SeqAccessDeserializer},
};

use super::{Name, Settings};

/// A state that borrows from the text it was read from.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
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
    fn selection(&self, section: &Name) -> Option<impl Iterator<Item = &str>> {
        let ids = match self.selections.get(section.text())? {
            Ids::One(id) => std::slice::from_ref(id),
            Ids::Many(ids) => ids,
        };
        Some(ids.iter().map(|id| &*id.0))
    }

    fn mode(&self, section: &Name, field: &Name) -> Option<&str> {
        self.array_modes
            .get(section.text())?
            .get(field.text())
            .map(|mode| &*mode.0)
    }

    fn section_random(&self, section: &Name) -> Option<bool> {
        self.section_random.get(section.text()).copied()
    }

    fn slider(&self, section: &Name) -> Option<f64> {
        self.sliders.get(section.text()).copied()
    }

    fn slider_random(&self, section: &Name) -> Option<bool> {
        self.slider_random.get(section.text()).copied()
    }

    fn variable(&self, key: &Name) -> Option<&str> {
        self.template_vars.get(key.text()).map(|text| &*text.0)
    }
}

/// Room for so many members is made at once; most objects of a state have fewer.
const USUAL: usize = 8;
/// Up to this many members a walk through them beats any search.
const FEW: usize = 16;

/// The members of an object: in the order of the text while they are few, else sorted by name.
#[derive(Clone, Debug)]
struct Pairs<'a, V>(Vec<(Text<'a>, V)>);

impl<V> Default for Pairs<'_, V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<V> Pairs<'_, V> {
    fn get(&self, name: &str) -> Option<&V> {
        let found = if self.0.len() > FEW {
            self.0
                .binary_search_by(|(other, _)| (*other.0).cmp(name))
                .ok()
        } else {
            // From the end: of two equal names the later one counts, as in every JSON reader.
            self.0.iter().rposition(|(other, _)| other.0 == name)
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
                let mut pairs = Vec::with_capacity(USUAL);
                while let Some((name, value)) = map.next_entry::<Text<'a>, Option<V>>()? {
                    if let Some(value) = value {
                        pairs.push((name, value));
                    }
                }
                if pairs.len() > FEW {
                    pairs.reverse();
                    pairs.sort_by(|(one, _), (other, _)| one.0.cmp(&other.0));
                    pairs.dedup_by(|(later, _), (first, _)| later.0 == first.0);
                }
                Ok(Pairs(pairs))
            }
        }

        deserializer.deserialize_option(Members(PhantomData))
    }
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
