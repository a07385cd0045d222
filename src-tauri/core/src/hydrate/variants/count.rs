//! Counts evaluations without enumerating all of them.
//!
//! Sections that no other choice depends on are counted separately and multiplied. The others are
//! entangled and enumerated together: those that bracket tokens name, and all sections if items
//! require or exclude others or if runtime injections are rolled.

use std::collections::{BTreeSet, HashMap};

use num_bigint::BigUint;
use serde::{Serialize, Serializer};

use super::{OpenChoices, arrangements, close, open_items, rolled_arrays, single, subsets};
use crate::hydrate::{
    ALIASES, ArrayEvaluation, Call, Engine, HydrateError, Mode, Token, assembler::PinnedEntries,
    choose::Choice,
};

/// How many combinations of entangled sections are enumerated; beyond, the count is a bound.
const MAX_COMBINATIONS: u64 = 20_000;

/// How many distinct evaluations there are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Count {
    /// With the order of shuffled entries distinguished.
    #[serde(serialize_with = "decimal")]
    pub ordered: BigUint,
    /// With the order of shuffled entries ignored.
    #[serde(serialize_with = "decimal")]
    pub unordered: BigUint,
    /// Whether the numbers are exact; otherwise they are upper bounds.
    pub exact: bool,
}

fn decimal<S: Serializer>(number: &BigUint, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(number)
}

impl Count {
    fn of(number: u32) -> Self {
        Self {
            ordered: BigUint::from(number),
            unordered: BigUint::from(number),
            exact: true,
        }
    }

    /// The ways to roll the entries of arrays.
    fn of_arrays<'a>(arrays: impl Iterator<Item = &'a ArrayEvaluation>) -> Self {
        arrays.fold(Self::of(1), |product, array| {
            product.times(&Self {
                ordered: arrangements(array.total, array.selected.len()),
                unordered: subsets(array.total, array.selected.len()),
                exact: true,
            })
        })
    }

    fn times(self, other: &Self) -> Self {
        Self {
            ordered: self.ordered * &other.ordered,
            unordered: self.unordered * &other.unordered,
            exact: self.exact && other.exact,
        }
    }

    fn plus(self, other: &Self) -> Self {
        Self {
            ordered: self.ordered + &other.ordered,
            unordered: self.unordered + &other.unordered,
            exact: self.exact && other.exact,
        }
    }

    fn max(self, other: &Self) -> Self {
        Self {
            ordered: self.ordered.max(other.ordered.clone()),
            unordered: self.unordered.max(other.unordered.clone()),
            exact: false,
        }
    }
}

/// What is rolled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rolled {
    /// The items of sections, with the entries of lists that come with them.
    Items,
    /// A slider.
    Slider,
    /// The entries of a list of one item.
    Entries {
        /// The item's position.
        item: usize,
        /// The field that holds the list.
        field: String,
    },
}

/// One factor of a count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Factor {
    /// The section it comes from; several when the choice in one decides over another.
    pub sections: Vec<String>,
    /// What is rolled there.
    pub rolled: Rolled,
    /// In how many ways.
    pub count: Count,
}

/// Counts the evaluations of `call`'s state and route; its seed does not matter.
///
/// Assumes that entries rolled inside brackets don't change which item the brackets find. The count
/// is an upper bound, not exact, if entangled sections have more than 20,000 combinations.
///
/// # Errors
///
/// [`HydrateError`] if the registry has no such route.
pub fn count(engine: &Engine, call: &Call<'_>) -> Result<Count, HydrateError> {
    Ok(product(&factors(engine, call)?))
}

/// The product of some factors.
#[must_use]
pub fn product(factors: &[Factor]) -> Count {
    factors
        .iter()
        .fold(Count::of(1), |product, factor| product.times(&factor.count))
}

/// The factors of [`count`], in canonical order of their sections; empty if nothing is rolled.
///
/// # Errors
///
/// [`HydrateError`] if the registry has no such route.
pub fn factors(engine: &Engine, call: &Call<'_>) -> Result<Vec<Factor>, HydrateError> {
    factors_unless(engine, call, &|| false)
}

/// As [`factors`], but stops, with meaningless numbers, once `is_cancelled` returns true; it is called
/// before each combination.
///
/// # Errors
///
/// [`HydrateError`] if the registry has no such route.
pub fn factors_unless(
    engine: &Engine,
    call: &Call<'_>,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<Vec<Factor>, HydrateError> {
    let open = OpenChoices::new(engine, call.state);
    let counter = Counter {
        engine,
        call,
        open: &open,
        is_cancelled,
    };
    let (entangled, free) = counter.split();
    let mut choices = open.choices.clone();
    for section in &free {
        choices[*section as usize] = Some(single(0));
    }
    let independent: BTreeSet<&str> = free.iter().map(|section| counter.name(*section)).collect();
    let combinations = entangled.iter().fold(1_u64, |product, section| {
        product.saturating_mul(engine.sections()[*section as usize].len() as u64)
    });
    let mut factors = Vec::new();
    if entangled.is_empty() {
        let arrays = counter.arrays(&choices)?;
        let counted = arrays
            .iter()
            .filter(|array| !independent.contains(array.section.as_str()));
        factors.extend(counted.map(|array| Factor {
            sections: vec![array.section.clone()],
            rolled: Rolled::Entries {
                item: array.item,
                field: array.field.clone(),
            },
            count: Count::of_arrays(std::iter::once(array)),
        }));
    } else {
        let names = entangled.iter().map(|section| counter.name(*section));
        factors.push(Factor {
            sections: names.map(str::to_owned).collect(),
            rolled: Rolled::Items,
            count: if combinations <= MAX_COMBINATIONS {
                counter.sum_combinations(&entangled, &mut choices, &independent)?
            } else {
                counter.bound(&entangled, &choices, &independent)
            },
        });
    }
    let first = |section: &u32| engine.sections()[*section as usize].len() > 0;
    for section in entangled.iter().filter(|section| first(section)) {
        choices[*section as usize] = Some(single(0));
    }
    for section in &free {
        factors.push(Factor {
            sections: vec![counter.name(*section).to_owned()],
            rolled: Rolled::Items,
            count: counter.sum_items(*section, &mut choices)?,
        });
    }
    factors.extend(open.sliders.iter().map(|section| Factor {
        sections: vec![section.clone()],
        rolled: Rolled::Slider,
        count: Count::of(10),
    }));
    let sections = engine.registry().canonical_sections();
    let order: HashMap<&str, usize> = sections.map(|section| section.name()).zip(0..).collect();
    let rank = |rolled: &Rolled| match rolled {
        Rolled::Items => 0,
        Rolled::Slider => 1,
        Rolled::Entries { .. } => 2,
    };
    factors.sort_by_key(|factor| {
        let position = factor.sections.first().map(|name| order.get(&**name));
        (position, rank(&factor.rolled))
    });
    Ok(factors)
}

struct Counter<'a> {
    engine: &'a Engine,
    call: &'a Call<'a>,
    open: &'a OpenChoices,
    is_cancelled: &'a dyn Fn() -> bool,
}

impl Counter<'_> {
    fn name(&self, section: u32) -> &str {
        self.engine.sections()[section as usize].name()
    }

    fn arrays(&self, choices: &[Option<Choice>]) -> Result<Vec<ArrayEvaluation>, HydrateError> {
        let choices = close(choices);
        let (_, arrays) =
            self.engine
                .hydrate_with_choices(self.call, &choices, &PinnedEntries::new())?;
        Ok(rolled_arrays(arrays))
    }

    /// The rolled sections that are entangled, and those that are independent.
    fn split(&self) -> (Vec<u32>, Vec<u32>) {
        let registry = self.engine.registry();
        let dependent = registry
            .sections()
            .values()
            .any(|section| section.dependent());
        let sections = self.open.sections.iter();
        let injections = |section: &u32| self.name(*section) == "runtime_injections";
        if dependent || sections.clone().any(injections) {
            return (self.open.sections.clone(), Vec::new());
        }
        let bracketed = bracketed_sections(self.engine, self.call.route);
        sections.partition(|section| bracketed.contains(self.name(**section)))
    }

    /// The sum over all combinations of these sections, arrays of `independent` left out.
    fn sum_combinations(
        &self,
        sections: &[u32],
        choices: &mut Vec<Option<Choice>>,
        independent: &BTreeSet<&str>,
    ) -> Result<Count, HydrateError> {
        let Some((section, rest)) = sections.split_first() else {
            let arrays = self.arrays(choices)?;
            let counted = |array: &&ArrayEvaluation| !independent.contains(array.section.as_str());
            return Ok(Count::of_arrays(arrays.iter().filter(counted)));
        };
        let mut total = Count::of(0);
        let items = open_items(self.engine, choices, *section);
        for item in items.into_iter().take_while(|_| !(self.is_cancelled)()) {
            choices[*section as usize] = Some(single(item));
            total = total.plus(&self.sum_combinations(rest, choices, independent)?);
            choices[*section as usize] = None;
        }
        Ok(total)
    }

    /// An upper bound: every item with every other, and each array at its largest.
    fn bound(
        &self,
        sections: &[u32],
        choices: &[Option<Choice>],
        independent: &BTreeSet<&str>,
    ) -> Count {
        let mut total = Count::of(1);
        total.exact = false;
        let registry = self.engine.registry();
        for program in self.engine.sections() {
            if independent.contains(program.name()) {
                continue;
            }
            let fields = |item: usize| {
                let section = registry.section(program.name());
                let item = section.and_then(|section| section.items().get(item));
                item.into_iter().flat_map(|item| item.fields())
            };
            let of_item = |item: usize| {
                fields(item).fold(Count::of(1), |product, (field, value)| {
                    let length = value.as_array().map_or(0, Vec::len);
                    match self.random(program.name(), field) {
                        Some(count) if length > 0 => {
                            let selected_count =
                                usize::try_from(count).unwrap_or(usize::MAX).min(length);
                            product.times(&Count {
                                ordered: arrangements(length, selected_count),
                                unordered: subsets(length, selected_count),
                                exact: false,
                            })
                        }
                        _ => product,
                    }
                })
            };
            let index = registry.sections().get_index_of(program.name());
            let rolled = index.is_some_and(|index| sections.contains(&(index as u32)));
            let chosen = index.and_then(|index| choices[index].as_ref());
            let sum = if rolled {
                (0..program.len()).fold(Count::of(0), |sum, item| sum.plus(&of_item(item)))
            } else {
                let items = chosen.map_or(&[][..], |choice| choice.chosen.items());
                let product = items.iter().fold(Count::of(1), |product, item| {
                    product.times(&of_item(*item as usize))
                });
                // Brackets may render any item, chosen or not.
                (0..program.len()).fold(product, |most, item| most.max(&of_item(item)))
            };
            total = total.times(&sum);
        }
        total
    }

    /// K of a field in mode `random:K`.
    fn random(&self, section: &str, field: &str) -> Option<u64> {
        let registry = self.engine.registry();
        let set = self.call.state.array_modes.get(section);
        let text = set.and_then(|modes| modes.get(field)).or_else(|| {
            let defaults = registry.section(section)?.defaults();
            defaults.array_modes.get(field)
        })?;
        match Mode::parse(text).0 {
            Mode::Random(count) => Some(count),
            _ => None,
        }
    }

    /// Whether a list of a section has a mode that rolls its entries.
    fn rolls_entries(&self, section: u32) -> bool {
        let program = &self.engine.sections()[section as usize];
        let default_modes = program.section.defaults().array_modes.keys();
        let called = self.call.state.array_modes.get(program.name());
        let mut fields = default_modes.chain(called.into_iter().flat_map(|modes| modes.keys()));
        fields.any(|field| self.random(program.name(), field).is_some())
    }

    /// The sum over the items of a section that nothing else depends on.
    fn sum_items(
        &self,
        section: u32,
        choices: &mut [Option<Choice>],
    ) -> Result<Count, HydrateError> {
        let items = open_items(self.engine, &self.open.choices, section);
        // Each item takes a hydration, which only rolled entries are worth.
        if !self.rolls_entries(section) {
            return Ok(Count::of(items.len() as u32));
        }
        let mut total = Count::of(0);
        for item in items.into_iter().take_while(|_| !(self.is_cancelled)()) {
            choices[section as usize] = Some(single(item));
            let arrays = self.arrays(choices)?;
            let of_section = arrays
                .iter()
                .filter(|array| array.section == self.name(section));
            total = total.plus(&Count::of_arrays(of_section));
        }
        Ok(total)
    }
}

/// The sections that the bracket tokens of a route name: what is printed of them depends on the
/// choices of the others.
#[must_use]
pub fn bracketed_sections(engine: &Engine, route: Option<&str>) -> BTreeSet<String> {
    let order = engine.registry().assembly_order_of(route);
    let mut bracketed = BTreeSet::new();
    for token in order.iter().filter_map(|text| Token::parse(text).ok()) {
        if matches!(token, Token::Bracket { .. }) {
            collect(&token, engine, &mut bracketed);
        }
    }
    bracketed
}

/// Every section a token names, aliases resolved.
fn collect(token: &Token, engine: &Engine, names: &mut BTreeSet<String>) {
    let name = token.section();
    let alias = ALIASES.iter().find(|(alias, _)| *alias == name);
    let section_name = match alias {
        Some((_, section_name)) if engine.registry().section(name).is_none() => section_name,
        _ => name,
    };
    names.insert(section_name.to_owned());
    if let Token::Bracket { inner, .. } = token {
        collect(inner, engine, names);
    }
}
