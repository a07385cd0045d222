//! Gives every name its slot, by Jinja's rules of scope: which frame a name belongs to, and where
//! its first value comes from when the frame is entered. Evaluates nothing.
//!
//! The rules are those of Jinja's own symbol tracking, quirks included: what is set inside a loop
//! stays inside its turn, what is set in an `if` does not, and a name first stored and only then
//! read in a frame hides a variable of the rendering.

mod analyze;
mod assign;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use indexmap::IndexMap;

use super::ast::{Entry, Load, Slot, Statement};
use super::error::{Error, ErrorKind, Result};

/// The most variables a function may have.
const MAX_VARIABLES: u16 = 2_000;

/// The most names that may be copied for the branches of all `if`s together.
const MAX_BRANCH_WORK: usize = 500_000;

/// A slot of a function, named absolutely.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Variable {
    function: usize,
    index: u16,
}

/// Where the first value of a variable comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
enum First {
    /// It is a parameter or loop target, which the caller or loop assigns.
    Parameter,
    Resolve,
    Alias(Variable),
    Undefined,
}

/// What is known of the names of a frame.
#[derive(Debug, Clone, Default)]
struct Symbols {
    refs: HashMap<Arc<str>, Variable>,
    loads: IndexMap<Arc<str>, First>,
    stores: HashSet<Arc<str>>,
}

struct Frame {
    parent: Option<usize>,
    function: usize,
    symbols: Symbols,
    /// One slot per name of the frame, however often branches define it.
    slots: HashMap<Arc<str>, u16>,
    /// Whether an unknown filter or test is an error only when reached.
    soft: bool,
}

/// A function of the program: the whole template, a macro, a caller, a recursive loop, a block.
#[derive(Debug, Clone, Default)]
pub(super) struct Function {
    /// The function it is written in.
    pub parent: Option<usize>,
    /// How many slots an activation of it needs.
    pub slots: u16,
    /// Whether something may close over its variables and outlive the call.
    pub captured: bool,
}

struct Scopes {
    frames: Vec<Frame>,
    functions: Vec<Function>,
    branch_work: usize,
}

/// Resolves all names. Gives the functions (the first is the template itself) and how its own
/// frame is entered.
pub(super) fn resolve(statements: &mut [Statement]) -> Result<(Vec<Function>, Entry)> {
    let mut scopes = Scopes {
        frames: Vec::new(),
        functions: vec![Function::default()],
        branch_work: 0,
    };
    let root = scopes.frame(None, 0);
    scopes.analyze(root, |symbols, scopes| {
        scopes.statements(symbols, root, statements)
    })?;
    scopes.assign_statements(root, statements)?;
    let entry = scopes.entry(root, |_| true);
    Ok((scopes.functions, entry))
}

impl Scopes {
    fn frame(&mut self, parent: Option<usize>, function: usize) -> usize {
        self.frames.push(Frame {
            parent,
            function,
            symbols: Symbols::default(),
            slots: HashMap::new(),
            soft: false,
        });
        self.frames.len() - 1
    }

    fn inner(&mut self, parent: usize) -> usize {
        self.frame(Some(parent), self.frames[parent].function)
    }

    fn function(&mut self, parent: usize) -> usize {
        self.functions[parent].captured = true;
        self.functions.push(Function {
            parent: Some(parent),
            ..Function::default()
        });
        self.functions.len() - 1
    }

    /// The slot of a name in a frame, made when it is first needed.
    fn variable(&mut self, frame: usize, name: &Arc<str>) -> Result<Variable> {
        let function = self.frames[frame].function;
        if let Some(index) = self.frames[frame].slots.get(name) {
            return Ok(Variable {
                function,
                index: *index,
            });
        }
        let index = self.functions[function].slots;
        if index >= MAX_VARIABLES {
            return Err(Error::new(
                ErrorKind::Limit,
                format!("the template has more than {MAX_VARIABLES} variables"),
            ));
        }
        self.functions[function].slots += 1;
        self.frames[frame].slots.insert(Arc::clone(name), index);
        Ok(Variable { function, index })
    }

    fn outer_ref(&self, frame: usize, name: &str) -> Option<Variable> {
        let mut frame = self.frames[frame].parent;
        while let Some(index) = frame {
            if let Some(found) = self.frames[index].symbols.refs.get(name) {
                return Some(*found);
            }
            frame = self.frames[index].parent;
        }
        None
    }

    fn slot(&self, function: usize, variable: Variable) -> Slot {
        let mut hops = 0;
        let mut current = function;
        while current != variable.function {
            let Some(parent) = self.functions[current].parent else {
                break;
            };
            current = parent;
            hops += 1;
        }
        Slot {
            hops,
            index: variable.index,
        }
    }

    /// How to enter a frame, for the names that `wanted` picks.
    fn entry(&self, frame: usize, wanted: impl Fn(&str) -> bool) -> Entry {
        let scope_frame = &self.frames[frame];
        let mut entry = Entry::new();
        for (name, first) in &scope_frame.symbols.loads {
            if !wanted(name) {
                continue;
            }
            let Some(variable) = scope_frame.symbols.refs.get(name) else {
                continue;
            };
            let load = match first {
                First::Parameter => continue,
                First::Resolve => Load::Resolve(Arc::clone(name)),
                First::Alias(outer) => Load::Alias(self.slot(scope_frame.function, *outer)),
                First::Undefined => Load::Undefined(Arc::clone(name)),
            };
            entry.push((variable.index, load));
        }
        entry
    }

    /// Runs an analysis over a frame's symbols.
    fn analyze(
        &mut self,
        frame: usize,
        visit: impl FnOnce(&mut Symbols, &mut Self) -> Result<()>,
    ) -> Result<()> {
        let mut symbols = std::mem::take(&mut self.frames[frame].symbols);
        let done = visit(&mut symbols, self);
        self.frames[frame].symbols = symbols;
        done
    }

    fn find(&self, symbols: &Symbols, frame: usize, name: &str) -> Option<Variable> {
        let local_ref = symbols.refs.get(name).copied();
        local_ref.or_else(|| self.outer_ref(frame, name))
    }

    fn define(
        &mut self,
        symbols: &mut Symbols,
        frame: usize,
        name: &Arc<str>,
        first: First,
    ) -> Result<()> {
        let variable = self.variable(frame, name)?;
        symbols.refs.insert(Arc::clone(name), variable);
        symbols.loads.insert(Arc::clone(name), first);
        Ok(())
    }

    fn load(&mut self, symbols: &mut Symbols, frame: usize, name: &Arc<str>) -> Result<()> {
        match self.find(symbols, frame, name) {
            Some(_) => Ok(()),
            None => self.define(symbols, frame, name, First::Resolve),
        }
    }

    fn store(&mut self, symbols: &mut Symbols, frame: usize, name: &Arc<str>) -> Result<()> {
        symbols.stores.insert(Arc::clone(name));
        if symbols.refs.contains_key(name) {
            return Ok(());
        }
        let first = match self.outer_ref(frame, name) {
            Some(outer) => First::Alias(outer),
            None => First::Undefined,
        };
        self.define(symbols, frame, name, first)
    }

    fn parameter(&mut self, symbols: &mut Symbols, frame: usize, name: &Arc<str>) -> Result<()> {
        symbols.stores.insert(Arc::clone(name));
        self.define(symbols, frame, name, First::Parameter)
    }

    /// A copy of the symbols for a branch.
    fn branch(&mut self, symbols: &Symbols) -> Result<Symbols> {
        self.branch_work += symbols.refs.len() + 1;
        if self.branch_work > MAX_BRANCH_WORK {
            return Err(Error::new(
                ErrorKind::Limit,
                "the template has too many branches over too many variables",
            ));
        }
        Ok(symbols.clone())
    }

    /// Joins what the branches of an `if` did: whatever one of them stores may keep the value it
    /// had outside.
    fn join(&mut self, symbols: &mut Symbols, frame: usize, branches: Vec<Symbols>) {
        let mut stored: HashSet<Arc<str>> = HashSet::new();
        for branch in &branches {
            stored.extend(branch.stores.iter().cloned());
        }
        stored.retain(|name| !symbols.stores.contains(name));
        for branch in branches {
            symbols.refs.extend(branch.refs);
            symbols.loads.extend(branch.loads);
            symbols.stores.extend(branch.stores);
        }
        for name in stored {
            let first = match self.outer_ref(frame, &name) {
                Some(outer) => First::Alias(outer),
                None => First::Resolve,
            };
            symbols.loads.insert(name, first);
        }
    }
}
