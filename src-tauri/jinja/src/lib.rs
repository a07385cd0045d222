#![doc = include_str!("../README.md")]
//!
//! # How a template is rendered
//!
//! `lexer` cuts the source into tokens, `parser` builds the tree of `ast`, and `scope` assigns every
//! name a slot. `interpreter` runs statements, `evaluate` expressions, over the values of `value`;
//! `filters`, `tests`, `methods` and `builtins` are what a template can call. `limits` counts the work
//! of all of them, `trace` records the origin of the output, `checkpoint` resumes renderings.

#![warn(clippy::missing_errors_doc)]
// Filters, tests and methods share one signature, whether they consume their arguments or not.
#![allow(clippy::needless_pass_by_value)]
// Positions are i64 as in Python; limits keep every length far below that.
#![allow(clippy::cast_possible_wrap, clippy::cast_sign_loss)]
// start, stop and step; callee and caller: the words of the language.
#![allow(clippy::similar_names)]

mod assign;
mod ast;
mod attribute;
mod builtins;
mod call;
mod checkpoint;
mod data;
mod emit;
mod error;
mod evaluate;
mod fallible_sort;
mod filters;
mod format;
mod frames;
mod idle;
mod interpreter;
mod iterate;
mod lexer;
mod limits;
mod loops;
mod markup;
mod methods;
mod namespace;
mod object;
mod observations;
mod parser;
mod prologue;
mod resume;
mod scope;
mod tests;
mod textwrap;
mod time;
mod tojson;
mod trace;
mod undefined;
mod value;
mod variables;
mod visit;

use std::collections::HashSet;
use std::sync::Arc;

#[doc(hidden)]
pub use data::UniqueEntries;
pub use data::Value;
pub use error::{Error, ErrorKind, Place, Result};
pub use limits::{LimitPool, Limits};
pub use time::Moment;
pub use trace::Span;
#[doc(hidden)]
pub use value::SharedMessages;
#[cfg(feature = "serde_json")]
#[doc(hidden)]
pub use value::TextPool;
pub use variables::Variables;

use ast::{Entry, Statement};
use checkpoint::{CheckpointRecorder, LoopRecord, Past};
use interpreter::Interpreter;
use limits::{Budget, Spent};
use scope::Function;
use trace::Trace;
use value::{AccessWatermark, Seq};

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

/// A rendered text, with the origin of each of its parts if it was traced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    /// The exact text.
    pub text: String,
    /// The parts of the text in order, without gaps; empty unless [`Template::trace`] made it.
    pub spans: Vec<Span>,
    /// Byte ranges inside `{% generation %}`; empty unless [`Template::trace`] made it.
    pub generations: Vec<(usize, usize)>,
    /// Whether the template called `strftime_now`.
    pub asked_time: bool,
}

/// A rendering that can be resumed with more messages.
#[doc(hidden)]
pub struct IncrementalRender {
    /// The exact text.
    pub text: String,
    /// Whether the template called `strftime_now`.
    pub asked_time: bool,
    /// How many messages were not rendered again.
    pub reused: usize,
    /// How many bytes of the text, from the first on, are known to be those of the rendering that was
    /// resumed.
    pub reused_bytes: usize,
    records: Vec<LoopRecord>,
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
        collect_reads(
            &self.statements,
            &self.entry,
            &mut names,
            &mut HashSet::new(),
        );
        names
    }

    /// The names among [`Template::reads`] of which every use has a default, as in
    /// `name | default('x')`: they need no value.
    ///
    /// ```
    /// use promptdeck_jinja::Template;
    ///
    /// let template = Template::compile("{{ tone | default('dry') }} {{ name }}")?;
    /// assert_eq!(template.reads(), ["tone", "name"]);
    /// assert_eq!(template.defaulted(), ["tone"]);
    /// # Ok::<(), promptdeck_jinja::Error>(())
    /// ```
    #[must_use]
    pub fn defaulted(&self) -> Vec<String> {
        let mut defaults = visit::Defaults::default();
        defaults.statements(&self.statements);
        let mut names = self.reads();
        names.retain(|name| defaults.has(name));
        names
    }

    /// The first part that a rendering refuses as soon as it gets to it: a statement that reads another
    /// template, as `include`, or a filter that gives another text every time.
    ///
    /// ```
    /// use promptdeck_jinja::Template;
    ///
    /// let template = Template::compile("{% include 'other' %}")?;
    /// assert!(template.unsupported().is_some());
    /// # Ok::<(), promptdeck_jinja::Error>(())
    /// ```
    #[must_use]
    pub fn unsupported(&self) -> Option<Error> {
        let (why, at) = visit::unsupported(&self.statements)?;
        let error = Error::new(ErrorKind::Unsupported, why).at(at);
        Some(error.placed(&self.source))
    }

    /// The attributes and the constant keys that the template reads of values that it is given, in the
    /// order of appearance: not those of `loop`, nor names that it gives to values of its own.
    ///
    /// ```
    /// use promptdeck_jinja::Template;
    ///
    /// let template = Template::compile("{{ message.role }}: {{ message['content'].strip() }}")?;
    /// assert_eq!(template.attributes(), ["role", "content"]);
    /// # Ok::<(), promptdeck_jinja::Error>(())
    /// ```
    #[must_use]
    pub fn attributes(&self) -> Vec<String> {
        let mut attributes = visit::Attributes::default();
        attributes.statements(&self.statements);
        attributes.into_names()
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

    /// Renders the template over the first `count` messages of a list that is expected to grow,
    /// resuming its loops at the last checkpoints of an earlier rendering that cannot depend on what
    /// changed since.
    /// The first `same` messages are equal to those of that rendering, and so are all other variables
    /// and, if [`IncrementalRender::asked_time`] is set, the clock.
    ///
    /// # Errors
    /// As [`Template::render`].
    #[doc(hidden)]
    pub fn render_incremental(
        &self,
        past: Option<IncrementalRender>,
        same: usize,
        (messages, count): (&SharedMessages, usize),
        variables: &mut Variables,
        now: Option<Moment>,
        limits: (Limits, Option<&LimitPool>),
    ) -> Result<IncrementalRender> {
        let watermark = AccessWatermark::default();
        let list = Arc::new(Seq::watched(messages, count, &watermark)?);
        variables.set_shared("messages", &list);
        let grown = self.run_incremental(past, same, (list, watermark), variables, now, limits);
        // A reference to the list would make the next push copy all of it.
        variables.remove("messages");
        grown
    }

    fn run_incremental(
        &self,
        past: Option<IncrementalRender>,
        same: usize,
        (list, watermark): (Arc<Seq>, AccessWatermark),
        variables: &Variables,
        now: Option<Moment>,
        (limits, pool): (Limits, Option<&LimitPool>),
    ) -> Result<IncrementalRender> {
        let scaled = limits.for_input(variables.values(), variables.bytes());
        let budget = budget(limits, variables, pool)?;
        let mut interpreter = Interpreter::new(
            &self.functions,
            self.has_blocks,
            variables.map(),
            budget,
            now,
            None,
        );
        let past = Past {
            same,
            ..past.map(Past::from).unwrap_or_default()
        };
        let limits = (scaled, pool.cloned());
        interpreter.recorder = Some(CheckpointRecorder::new((list, watermark), past, limits));
        let outcome = interpreter.run_incremental(&self.entry, &self.statements);
        let spent = interpreter.budget.spent();
        let recorder = interpreter.recorder.take();
        if let (Some(pool), Some(recorder)) = (pool, &recorder) {
            pool.take(spent.since(recorder.spared));
        }
        outcome.map_err(|error| error.placed(&self.source))?;
        Ok(IncrementalRender {
            text: std::mem::take(&mut interpreter.out),
            asked_time: interpreter.asked_time,
            reused: recorder.as_ref().map_or(0, CheckpointRecorder::reused),
            reused_bytes: recorder
                .as_ref()
                .map_or(0, |recorder| recorder.reused_bytes),
            records: recorder.map_or_else(Vec::new, |recorder| recorder.records),
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
        let mut interpreter = Interpreter::new(
            &self.functions,
            self.has_blocks,
            variables.map(),
            budget,
            now,
            trace,
        );
        interpreter
            .out
            .reserve(variables.bytes().min(MOST_RESERVED));
        let outcome = interpreter.run(&self.entry, &self.statements);
        if let Some(pool) = pool {
            pool.take(interpreter.budget.spent());
        }
        outcome.map_err(|error| error.placed(&self.source))?;
        let trace = interpreter.trace.take().unwrap_or_default();
        Ok(Rendered {
            text: std::mem::take(&mut interpreter.out),
            spans: trace.spans,
            generations: trace.generations,
            asked_time: interpreter.asked_time,
        })
    }
}

/// The budget of a rendering.
fn budget(limits: Limits, variables: &Variables, pool: Option<&LimitPool>) -> Result<Budget> {
    let scaled = limits.for_input(variables.values(), variables.bytes());
    Ok(Budget::new(match pool {
        Some(pool) => pool.lend(scaled, Spent::default())?,
        None => scaled,
    }))
}

impl From<IncrementalRender> for Past {
    fn from(render: IncrementalRender) -> Self {
        Self {
            text: render.text,
            base: 0,
            records: render.records,
            same: 0,
        }
    }
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

/// Appends the names that statements read; `seen` has those that are listed.
fn collect_reads(
    statements: &[Statement],
    entry: &Entry,
    names: &mut Vec<String>,
    seen: &mut HashSet<Arc<str>>,
) {
    let mut add = |entry: &Entry| {
        for (_, load) in entry {
            if let ast::Load::Resolve(name) = load
                && seen.insert(Arc::clone(name))
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
        collect_reads(body, &Entry::new(), names, seen);
    }
}
