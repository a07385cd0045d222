//! Chat templates: Jinja exactly as transformers runs it.
//!
//! The stages are the files: `lexer` cuts the source into tokens, `parser` builds the tree, `scope`
//! gives every name its slot, `machine` and `evaluate` run it over `value`s, and `filters`, `tests`
//! and `methods` are what a template can call. Behaviour is that of Jinja 3.1 in its immutable
//! sandbox with `trim_blocks`, `lstrip_blocks`, loop controls, the `generation` tag and the
//! functions transformers adds; COMPATIBILITY.md lists what differs. Every rendering is bounded by
//! [`Limits`], so a template may come from anywhere.

// Filters, tests and methods share one signature, whether they keep their arguments or not.
#![allow(clippy::needless_pass_by_value)]
// Positions are counted in i64 as Python counts them; limits keep every length far below that.
#![allow(clippy::cast_possible_wrap, clippy::cast_sign_loss)]
// start, stop and step; callee and caller: the words of the language.
#![allow(clippy::similar_names)]

mod assign;
mod ast;
mod attribute;
mod call;
mod error;
mod evaluate;
mod filters;
mod format;
mod frames;
mod function;
mod iterate;
mod lexer;
mod limits;
mod loops;
mod machine;
mod markup;
mod merge;
mod methods;
mod object;
mod parser;
mod print;
mod resume;
mod scope;
mod tests;
mod time;
mod tojson;
mod trace;
mod undefined;
mod value;
mod variables;
mod visit;
mod wrap;

use std::sync::Arc;

pub use error::{Error, ErrorKind, Place, Result};
pub use limits::{LimitPool, Limits};
pub use time::Moment;
pub use trace::Span;
pub use value::{Growing, Shared, Value};
pub use variables::Variables;

use ast::{Entry, Statement};
use limits::Budget;
use machine::Machine;
use resume::{Growth, Mark};
use scope::Function;
use trace::Trace;
use value::{Look, Seq};

/// The largest template that is compiled, in bytes. Real ones stay below 40 kB.
pub const MAX_SOURCE: usize = 512 << 10;

/// The most room that is made for the text beforehand, in bytes.
const MOST_RESERVED: usize = 1 << 20;

/// A compiled template. Cheap to share between threads; rendering changes nothing in it.
pub struct Template {
    source: String,
    statements: Vec<Statement>,
    functions: Vec<Function>,
    entry: Entry,
    has_blocks: bool,
    generation: Option<u32>,
}

/// What a rendering gave, with where it came from when asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    /// The exact text.
    pub text: String,
    /// The parts of the text in order, without gaps; empty unless traced.
    pub spans: Vec<Span>,
    /// Byte ranges inside `{% generation %}`; empty unless traced.
    pub generations: Vec<(usize, usize)>,
    /// Whether the template asked for the time.
    pub asked_time: bool,
}

/// A rendering that can be gone on from when there are more messages.
pub struct Grown {
    /// The exact text.
    pub text: String,
    /// Whether the template asked for the time.
    pub asked_time: bool,
    /// How many messages were not rendered again.
    pub kept: usize,
    marks: Vec<Mark>,
}

impl Template {
    /// Compiles a template.
    ///
    /// # Errors
    /// With the place, when the source is not a template Jinja accepts or larger than
    /// [`MAX_SOURCE`].
    pub fn compile(source: &str) -> Result<Self> {
        if source.len() > MAX_SOURCE {
            return error::fail!(
                Limit,
                "the template has {} bytes, more than the {MAX_SOURCE} that are read",
                source.len()
            );
        }
        let source = lexer::normalized(source);
        let parsed = lexer::tokens(&source)
            .and_then(|tokens| parser::parse(&source, tokens))
            .and_then(|mut statements| {
                let (functions, entry) = scope::resolve(&mut statements)?;
                Ok((statements, functions, entry))
            });
        let (statements, functions, entry) = parsed.map_err(|error| error.placed(&source))?;
        let has_blocks = any(&statements, &|one| matches!(one, Statement::Block(_)));
        let generation = generation(&statements);
        Ok(Self {
            source,
            statements,
            functions,
            entry,
            has_blocks,
            generation,
        })
    }

    /// The source with its line ends made uniform: what places and spans refer to.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Whether the template marks what the model wrote with `{% generation %}`.
    #[must_use]
    pub fn has_generation(&self) -> bool {
        self.generation.is_some()
    }

    /// The line of the source with the first `{% generation %}`.
    #[must_use]
    pub fn generation_line(&self) -> Option<&str> {
        let at = self.generation? as usize;
        let start = self.source[..at].rfind('\n').map_or(0, |end| end + 1);
        self.source[start..].lines().next()
    }

    /// The names the template takes from outside, builtins included, in the order of appearance.
    #[must_use]
    pub fn reads(&self) -> Vec<String> {
        let mut names = Vec::new();
        collect_reads(&self.statements, &self.entry, &mut names);
        names
    }

    /// Renders the template.
    ///
    /// # Errors
    /// Where Jinja raises one, and when a limit is reached; with the place.
    pub fn render(
        &self,
        variables: &Variables,
        now: Option<Moment>,
        limits: Limits,
    ) -> Result<String> {
        self.render_within(variables, now, limits, None)
    }

    /// Renders the template with what its limits allow and a pool has left.
    ///
    /// # Errors
    /// As [`Template::render`].
    pub fn render_within(
        &self,
        variables: &Variables,
        now: Option<Moment>,
        limits: Limits,
        pool: Option<&LimitPool>,
    ) -> Result<String> {
        self.run(variables, now, (limits, pool), None)
            .map(|rendered| rendered.text)
    }

    /// Renders the template and notes which part of it, and which message, made every part of the
    /// text.
    ///
    /// # Errors
    /// As [`Template::render`].
    pub fn trace(
        &self,
        variables: &Variables,
        now: Option<Moment>,
        limits: Limits,
        pool: Option<&LimitPool>,
    ) -> Result<Rendered> {
        let trace = Trace::new(variables.get("messages"));
        self.run(variables, now, (limits, pool), Some(trace))
    }

    /// Renders the template over messages that are expected to grow, going on from an earlier
    /// rendering as far as that is sure to give the same text. `same` of the first `count` messages,
    /// from the first on, are those of that rendering; all other variables are, and the clock,
    /// should it have been asked.
    ///
    /// # Errors
    /// As [`Template::render`].
    pub fn grow(
        &self,
        past: Option<Grown>,
        same: usize,
        (messages, count): (&Growing, usize),
        variables: &mut Variables,
        now: Option<Moment>,
        limits: (Limits, Option<&LimitPool>),
    ) -> Result<Grown> {
        let look = Look::default();
        let list = Arc::new(Seq::watched(messages, count, &look)?);
        variables.set_grown("messages", &list);
        let grown = self.run_growing(past, same, (list, look), variables, now, limits);
        // Who holds it would keep the messages from growing in place.
        variables.remove("messages");
        grown
    }

    fn run_growing(
        &self,
        past: Option<Grown>,
        same: usize,
        (list, look): (Arc<Seq>, Look),
        variables: &Variables,
        now: Option<Moment>,
        (limits, pool): (Limits, Option<&LimitPool>),
    ) -> Result<Grown> {
        let budget = budget(limits, variables, pool)?;
        let mut machine = Machine::new(
            &self.functions,
            self.has_blocks,
            variables.map(),
            budget,
            now,
            None,
        );
        machine.growth = Some(Growth::new(list, look));
        let mut from = None;
        if let Some(mut past) = past {
            past.marks.retain(|mark| mark.reach <= same);
            from = past.marks.pop();
            if let Some(mark) = &from {
                machine.out = past.text;
                machine.out.truncate(mark.written);
            }
        }
        let before = from.as_ref().map(|mark| mark.spent).unwrap_or_default();
        let outcome = machine.run_growing(&self.entry, &self.statements, from);
        if let Some(pool) = pool {
            pool.take(machine.budget.spent().since(before));
        }
        outcome.map_err(|error| error.placed(&self.source))?;
        let growth = machine.growth.take();
        Ok(Grown {
            text: std::mem::take(&mut machine.out),
            asked_time: machine.asked_time,
            kept: growth.as_ref().map_or(0, |own| own.kept),
            marks: growth.map_or_else(Vec::new, |own| own.marks),
        })
    }

    fn run(
        &self,
        variables: &Variables,
        now: Option<Moment>,
        (limits, pool): (Limits, Option<&LimitPool>),
        trace: Option<Trace>,
    ) -> Result<Rendered> {
        let budget = budget(limits, variables, pool)?;
        let mut machine = Machine::new(
            &self.functions,
            self.has_blocks,
            variables.map(),
            budget,
            now,
            trace,
        );
        machine.out.reserve(variables.bytes().min(MOST_RESERVED));
        let outcome = machine.run(&self.entry, &self.statements);
        if let Some(pool) = pool {
            pool.take(machine.budget.spent());
        }
        outcome.map_err(|error| error.placed(&self.source))?;
        let trace = machine.trace.take().unwrap_or_default();
        Ok(Rendered {
            text: std::mem::take(&mut machine.out),
            spans: trace.spans,
            generations: trace.generations,
            asked_time: machine.asked_time,
        })
    }
}

/// The budget of a rendering.
fn budget(limits: Limits, variables: &Variables, pool: Option<&LimitPool>) -> Result<Budget> {
    let own = limits.for_input(variables.values(), variables.bytes());
    Ok(Budget::new(match pool {
        Some(pool) => pool.lend(own)?,
        None => own,
    }))
}

fn any(statements: &[Statement], wanted: &dyn Fn(&Statement) -> bool) -> bool {
    statements
        .iter()
        .any(|one| wanted(one) || one.bodies().into_iter().any(|body| any(body, wanted)))
}

fn generation(statements: &[Statement]) -> Option<u32> {
    statements.iter().find_map(|one| match one {
        Statement::Generation(_, at) => Some(*at),
        other => other.bodies().into_iter().find_map(generation),
    })
}

fn collect_reads(statements: &[Statement], entry: &Entry, names: &mut Vec<String>) {
    let mut add = |entry: &Entry| {
        for (_, load) in entry {
            if let ast::Load::Resolve(name) = load
                && !names.iter().any(|own| **own == **name)
            {
                names.push(name.to_string());
            }
        }
    };
    add(entry);
    for statement in statements {
        for entry in statement.entries() {
            add(entry);
        }
    }
    for body in statements.iter().flat_map(Statement::bodies) {
        collect_reads(body, &Entry::new(), names);
    }
}
