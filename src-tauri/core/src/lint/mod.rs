//! Lint: what is probably not meant in a registry that can be read.
//!
//! Every remark has a stable code, a severity, one line of text and the JSON pointer (counted from
//! the registry object) of the value it is about; [`Diagnostic::located`] adds the place.
//! What is odd about one call's state is the hydration's to say, not lint's.

mod brackets;
mod gaps;
mod keys;
mod prefix;
mod printed;
mod relations;
mod sections;
mod settings;
mod tokens;
mod variables;

pub use brackets::look_ups;
pub use gaps::gaps;
pub use keys::unknown_keys;
pub use printed::{PrintedName, undeclared_in};

use std::collections::{BTreeMap, HashMap, hash_map::Entry};
use std::fmt::Write as _;

use promptdeck_json::push_step;

use crate::hydrate::{Call, Engine, resolve_section};
use crate::registry::{Diagnostic, Document, Registry, Section, Severity};

/// How many findings of one code are listed where each place has its own: a window that shows more
/// is of no use, and each costs a look-up of its place.
const MAX_BY_PLACE: usize = 10_000;

/// How many findings of one code are listed in a summary.
const MAX_BY_SECTION: usize = 100;

/// Everything lint has to say about the registry of `engine`, in the order of the checks: an
/// undeclared name once for each text that has it.
///
/// `call` is what the coverage of runtime variables, the reach of items and the stability of the
/// prompt's start are judged by; an empty state judges the registry by itself.
#[must_use]
pub fn lint(engine: &Engine, call: &Call<'_>) -> Vec<Diagnostic> {
    run(engine, call, Grouping::ByPlace)
}

/// The same for a reader of lists: an undeclared name once for each section, with a count.
#[must_use]
pub fn summary(engine: &Engine, call: &Call<'_>) -> Vec<Diagnostic> {
    run(engine, call, Grouping::BySection)
}

/// What every reader of a registry passes over: keys that nothing reads and that are near one that
/// is read, tokens that print nothing, whatever a call sets, and an engine that is not known.
#[must_use]
pub fn ignored(document: &Document, registry: &Registry) -> Vec<Diagnostic> {
    let mut found = unknown_keys(document);
    found.retain(|found| found.severity != Severity::Note);
    let orders = orders(registry, None);
    let mut findings = Findings::new(Grouping::BySection);
    tokens::check_orders(registry, &orders, None, &mut findings);
    findings.merge_orders(&orders);
    settings::template_engine(registry, &mut findings);
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
    for section in registry.sections().values() {
        sections::check(section, call.state, registry, &mut findings);
        variables::check(section, call.state, &mut findings);
        if section.dependent() {
            relations::check(section, registry, &mut findings);
        }
    }
    settings::check(registry, &mut findings);
    if let Some(order) = orders.first() {
        prefix::check(engine, call, order, &mut findings);
    }
    findings.finish()
}

/// What findings of the same fault are counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Grouping {
    /// Those in the same text.
    ByPlace,
    /// Those in the same section.
    BySection,
}

/// The remarks so far.
struct Findings {
    grouping: Grouping,
    list: Vec<Diagnostic>,
    /// How often each remark of the list was made; once when it is not here.
    counts: BTreeMap<usize, usize>,
    /// For each code and severity, how many remarks are listed, and how many more were made.
    totals: BTreeMap<(&'static str, Severity), (usize, usize)>,
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

    /// The list, with the counts in its messages, and what it leaves out.
    fn finish(mut self) -> Vec<Diagnostic> {
        for (index, count) in self.counts {
            self.list[index]
                .message
                .push_str(&format!(" ({count} times)"));
        }
        for ((code, severity), (listed, more)) in self.totals {
            if more > 0 {
                let message =
                    format!("{more} more findings like the first {listed} are not listed");
                self.list.push(Diagnostic::new(code, severity, message, ""));
            }
        }
        self.list
    }

    /// Counts a listed remark once more.
    fn repeat(&mut self, index: usize) {
        *self.counts.entry(index).or_insert(1) += 1;
    }

    /// Where the next remark of that code will be listed, if it will be.
    fn next_index(&mut self, code: &'static str, severity: Severity) -> Option<usize> {
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

    fn error(&mut self, code: &'static str, pointer: &Pointer, message: String) {
        self.add(code, Severity::Error, pointer, message);
    }

    fn warning(&mut self, code: &'static str, pointer: &Pointer, message: String) {
        self.add(code, Severity::Warning, pointer, message);
    }

    fn note(&mut self, code: &'static str, pointer: &Pointer, message: String) {
        self.add(code, Severity::Note, pointer, message);
    }

    fn add(&mut self, code: &'static str, severity: Severity, pointer: &Pointer, message: String) {
        if self.next_index(code, severity).is_some() {
            let pointer = pointer.0.clone();
            self.list
                .push(Diagnostic::new(code, severity, message, pointer));
        }
    }

    /// Makes one finding of those that say the same of the same token in several orders; it names
    /// the orders.
    fn merge_orders(&mut self, orders: &[Order<'_>]) {
        let mut merged: Vec<Diagnostic> = Vec::new();
        let mut known: HashMap<(&'static str, String), usize> = HashMap::new();
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
            let names: Vec<String> = orders
                .iter()
                .filter(|order| {
                    let mut pointers = found.also.iter().chain([&found.pointer]);
                    pointers.any(|pointer| order.holds(pointer))
                })
                .map(|order| match order.route {
                    Some(route) => format!("route {route:?}"),
                    None => "assembly_order".to_owned(),
                })
                .collect();
            if names.len() > 1 {
                let _ = write!(found.message, " (in {})", names.join(", "));
            }
        }
        self.list = merged;
    }
}

/// A JSON pointer that grows step by step.
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

/// One assembly order: of the registry, or of a route.
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

/// All orders, the one that `route` uses first.
fn orders<'r>(registry: &'r Registry, route: Option<&str>) -> Vec<Order<'r>> {
    let mut orders = vec![Order {
        route: None,
        pointer: Pointer::to("assembly_order"),
        tokens: registry.assembly_order(),
    }];
    for (name, route) in registry.routes() {
        if let Some(tokens) = &route.assembly_order {
            orders.push(Order {
                route: Some(name),
                pointer: Pointer::to("routes").key(name).key("assembly_order"),
                tokens,
            });
        }
    }
    if let Some(used) = orders.iter().position(|order| order.route == route) {
        orders[..=used].rotate_right(1);
    }
    orders
}

/// The section a token's name means: of that name, else of the name it is an alias of.
fn named<'r>(name: &str, registry: &'r Registry) -> Option<&'r Section> {
    let name = resolve_section(name, |name| registry.section(name).is_some())?;
    registry.section(name).map(AsRef::as_ref)
}

/// How messages call an item.
fn title(section: &Section, index: usize) -> String {
    let identity = section.items().get(index).and_then(|item| item.identity());
    match identity {
        Some(identity) => format!("{}.{identity}", section.name()),
        None => format!("item {index} of {}", section.name()),
    }
}
