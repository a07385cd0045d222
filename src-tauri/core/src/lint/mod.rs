//! Lint: likely mistakes in a registry that can be parsed.
//!
//! Each finding has a stable code, a severity, a one-line message and the JSON pointer, relative to
//! the registry object, of its value; [`Diagnostic::located`] adds the position. Problems of one
//! call's state are reported by the hydration.

mod brackets;
mod gaps;
mod hidden_characters;
mod keys;
mod misspelled_fields;
mod prefix;
mod prompt_size;
mod relations;
mod sections;
mod settings;
mod tokens;
mod undeclared_in_prompt;
mod unreached;
mod variables;
mod weights;

pub use brackets::look_ups;
pub use gaps::{gaps, unset, unset_variable};
pub use keys::unknown_keys;
pub use undeclared_in_prompt::{UndeclaredName, undeclared_in};
pub(crate) use variables::braced;

use std::collections::{BTreeMap, HashMap, hash_map::Entry};
use std::fmt::Write as _;

use promptdeck_json::push_step;

use self::misspelled_fields::{Fields, Spelling};
use self::relations::Identities;

use crate::hydrate::{Call, Engine, resolve_section};
use crate::registry::{
    DataKey, Diagnostic, DiagnosticCode, DiagnosticData, Document, Registry, Section, Severity,
    codes,
};
use crate::unprinted::{self, Reach};

/// Maximum number of findings per code if each place is reported. A window cannot show more
/// usefully, and each costs a position look-up.
const MAX_BY_PLACE: usize = 10_000;

/// Maximum number of findings per code in a summary.
const MAX_BY_SECTION: usize = 100;

/// All findings in the registry of `engine`, in the order of the checks. An undeclared name is
/// reported once for each text that contains it.
///
/// The coverage of runtime variables, the reachability of items and the stability of the prompt's
/// start are judged under `call`; an empty state judges the registry alone.
#[must_use]
pub fn lint(engine: &Engine, call: &Call<'_>) -> Vec<Diagnostic> {
    run(engine, call, Grouping::ByPlace)
}

/// Like [`lint`], but an undeclared name is reported once per section, with its count.
#[must_use]
pub fn summary(engine: &Engine, call: &Call<'_>) -> Vec<Diagnostic> {
    run(engine, call, Grouping::BySection)
}

/// Parts of the registry that every reader ignores or prints as they are written, as nobody knows a
/// name in them: unused keys similar to used ones, tokens that never print anything, variables of
/// printed texts and of conditions, sections that injections include, names in defaults and relations,
/// settings, an unknown template engine. Also fragments without a text, and invalid weights. The key of
/// an item is unused if no token prints it.
#[must_use]
pub fn ignored(document: &Document, registry: &Registry) -> Vec<Diagnostic> {
    let mut found = unknown_keys(document);
    found.retain(|found| found.severity != Severity::Note);
    let orders = orders(registry, None);
    let mut findings = Findings::new(Grouping::BySection);
    tokens::check_orders(registry, &orders, None, &mut findings);
    findings.merge_orders(&orders);
    settings::template_engine(registry, &mut findings);
    let reaches = reaches(registry, &orders);
    let mut spelling = Spelling::new(&reaches);
    misspelled_fields::check(registry, Fields::All, &mut spelling, &mut findings);
    let mut identities = Identities::default();
    for section in registry.sections().values() {
        variables::undeclared(section, registry, &reaches, &mut findings);
        if reaches.iter().any(|reach| reach.prints_scale(section)) {
            variables::scale_template(section, registry, &mut findings);
        }
        sections::unknown(section, registry, &mut findings);
        sections::fragments(section, &mut findings);
        if section.dependent() {
            identities.unknown(section, registry, &mut findings);
        }
        weights::invalid(section, &mut findings);
    }
    settings::unknown(registry, &mut findings);
    found.extend(findings.finish());
    found
}

fn run(engine: &Engine, call: &Call<'_>, grouping: Grouping) -> Vec<Diagnostic> {
    let registry = engine.registry();
    let mut findings = Findings::new(grouping);
    let orders = orders(registry, call.route);
    tokens::check(registry, &orders, call.state, &mut findings);
    brackets::check(registry, &orders, &mut findings);
    findings.merge_orders(&orders);
    unreached::check(engine, &orders, call.state, &mut findings);
    for section in registry.sections().values() {
        sections::check(section, call.state, registry, &mut findings);
        variables::check(section, call.state, registry, &mut findings);
        weights::check(section, call.state, &mut findings);
        hidden_characters::check(section, &mut findings);
        if section.dependent() {
            relations::check(section, engine, &mut findings);
        }
    }
    settings::check(registry, &mut findings);
    if let Some(order) = orders.first() {
        match engine.hydrate_text_with_evaluation(call) {
            Ok(used) => prefix::check(engine, call, &used.evaluation, order, &mut findings),
            Err(error) => prompt_size::check(&error, order, &mut findings),
        }
    }
    findings.finish()
}

/// Unit in which equal findings are counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Grouping {
    /// Within one text.
    ByPlace,
    /// Within one section.
    BySection,
}

/// The findings so far.
struct Findings {
    grouping: Grouping,
    list: Vec<Diagnostic>,
    /// Number of occurrences by index of the finding; once if absent.
    counts: BTreeMap<usize, usize>,
    /// For each code and severity, how many remarks are listed, and how many more were made.
    totals: BTreeMap<(DiagnosticCode, Severity), (usize, usize)>,
}

impl Findings {
    fn new(grouping: Grouping) -> Self {
        Self {
            grouping,
            list: Vec::new(),
            counts: BTreeMap::new(),
            totals: BTreeMap::new(),
        }
    }

    /// The list, with counts in the messages and with the number of omitted findings.
    fn finish(mut self) -> Vec<Diagnostic> {
        for (index, count) in self.counts {
            let found = &mut self.list[index];
            let _ = write!(found.message, " ({count} times)");
            found.data.insert(DataKey::Count, count);
        }
        for ((code, severity), (listed, more)) in self.totals {
            if more > 0 {
                let message =
                    format!("{more} more findings like the first {listed} are not listed");
                let data = DiagnosticData::of(DataKey::Count, more).with(DataKey::Listed, listed);
                self.list
                    .push(Diagnostic::new(code, severity, message, "", data));
            }
        }
        self.list
    }

    /// Counts a further occurrence of a listed finding.
    fn repeat(&mut self, index: usize) {
        *self.counts.entry(index).or_insert(1) += 1;
    }

    /// Where the next remark of that code will be listed, if it will be.
    fn next_index(&mut self, code: DiagnosticCode, severity: Severity) -> Option<usize> {
        let limit = match self.grouping {
            Grouping::ByPlace => MAX_BY_PLACE,
            Grouping::BySection => MAX_BY_SECTION,
        };
        let (listed, more) = self.totals.entry((code, severity)).or_default();
        if *listed < limit {
            *listed += 1;
            return Some(self.list.len());
        }
        *more += 1;
        None
    }

    fn error(
        &mut self,
        code: DiagnosticCode,
        pointer: &Pointer,
        message: String,
        data: DiagnosticData,
    ) {
        self.add(code, Severity::Error, pointer, message, data);
    }

    fn warning(
        &mut self,
        code: DiagnosticCode,
        pointer: &Pointer,
        message: String,
        data: DiagnosticData,
    ) {
        self.add(code, Severity::Warning, pointer, message, data);
    }

    fn note(
        &mut self,
        code: DiagnosticCode,
        pointer: &Pointer,
        message: String,
        data: DiagnosticData,
    ) {
        self.add(code, Severity::Note, pointer, message, data);
    }

    fn add(
        &mut self,
        code: DiagnosticCode,
        severity: Severity,
        pointer: &Pointer,
        message: String,
        data: DiagnosticData,
    ) {
        let pointer = pointer.0.clone();
        self.add_found(Diagnostic::new(code, severity, message, pointer, data));
    }

    /// Adds a diagnostic made elsewhere.
    fn add_found(&mut self, found: Diagnostic) {
        if self.next_index(found.code, found.severity).is_some() {
            self.list.push(found);
        }
    }

    /// Merges findings that are equal except for their assembly order into one that names the
    /// orders.
    fn merge_orders(&mut self, orders: &[Order<'_>]) {
        let mut merged: Vec<Diagnostic> = Vec::new();
        let mut known: HashMap<(DiagnosticCode, String), usize> = HashMap::new();
        for found in self.list.drain(..) {
            match known.entry((found.code, found.message.clone())) {
                Entry::Occupied(first) => merged[*first.get()].also.push(found.pointer),
                Entry::Vacant(entry) => {
                    entry.insert(merged.len());
                    merged.push(found);
                }
            }
        }
        for found in merged.iter_mut().filter(|found| !found.also.is_empty()) {
            let having: Vec<&Order<'_>> = orders
                .iter()
                .filter(|order| {
                    let mut pointers = found.also.iter().chain([&found.pointer]);
                    pointers.any(|pointer| order.holds(pointer))
                })
                .collect();
            if having.len() > 1 {
                let names: Vec<String> = having
                    .iter()
                    .map(|order| match order.route {
                        Some(route) => format!("route {route:?}"),
                        None => "assembly_order".to_owned(),
                    })
                    .collect();
                let _ = write!(found.message, " (in {})", names.join(", "));
                let routes: Vec<&str> = having.iter().filter_map(|order| order.route).collect();
                found.data.insert(DataKey::Routes, &*routes);
            }
        }
        self.list = merged;
    }
}

/// A JSON pointer under construction.
#[derive(Clone)]
struct Pointer(String);

impl Pointer {
    fn to(step: &str) -> Self {
        Self(String::new()).key(step)
    }

    fn key(&self, step: &str) -> Self {
        let mut pointer = self.0.clone();
        push_step(&mut pointer, step);
        Self(pointer)
    }

    fn index(&self, index: usize) -> Self {
        self.key(&index.to_string())
    }

    fn item(section: &Section, index: usize) -> Self {
        Self::to(section.name()).key("items").index(index)
    }
}

/// An assembly order: that of the registry or of a route.
struct Order<'a> {
    route: Option<&'a str>,
    pointer: Pointer,
    tokens: &'a [String],
}

impl Order<'_> {
    /// Whether a pointer leads to a token of this order.
    fn holds(&self, pointer: &str) -> bool {
        pointer
            .strip_prefix(self.pointer.0.as_str())
            .is_some_and(|rest| rest.starts_with('/'))
    }
}

/// All orders, starting with the one that `route` uses.
fn orders<'r>(registry: &'r Registry, route: Option<&str>) -> Vec<Order<'r>> {
    let orders = unprinted::orders(registry).map(|(route, tokens)| {
        let holder = route.map(|name| Pointer::to("routes").key(name));
        Order {
            route,
            pointer: holder.map_or_else(
                || Pointer::to("assembly_order"),
                |holder| holder.key("assembly_order"),
            ),
            tokens,
        }
    });
    let mut orders: Vec<Order<'r>> = orders.collect();
    if let Some(used) = orders.iter().position(|order| order.route == route) {
        orders[..=used].rotate_right(1);
    }
    orders
}

/// What each order can print.
fn reaches<'r>(registry: &'r Registry, orders: &[Order<'r>]) -> Vec<Reach<'r>> {
    let reaches = orders.iter();
    reaches
        .map(|order| Reach::new(registry, order.tokens))
        .collect()
}

/// The section that a token names, directly or by an alias.
fn named<'r>(name: &str, registry: &'r Registry) -> Option<&'r Section> {
    let name = resolve_section(name, |name| registry.section(name).is_some())?;
    registry.section(name).map(AsRef::as_ref)
}

/// The data of a diagnostic about an item.
fn item_data(section: &Section, index: usize) -> DiagnosticData {
    let identity = section.items().get(index).and_then(|item| item.identity());
    DiagnosticData::of(DataKey::Section, section.name())
        .with(DataKey::ItemIndex, index)
        .with_some(DataKey::Item, identity)
}

/// How messages call an item. As all sentences for people they count from 1; pointers and data from 0.
fn title(section: &Section, index: usize) -> String {
    let identity = section.items().get(index).and_then(|item| item.identity());
    match identity {
        Some(identity) => format!("{}.{identity}", section.name()),
        None => format!("item {} of {}", index + 1, section.name()),
    }
}
