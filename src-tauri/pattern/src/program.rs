//! A pattern's tree as a program for the [`matcher`](super::matcher): as long as the pattern,
//! whatever its repetition counts are.

use std::collections::{HashMap, HashSet};

use super::class::Class;
use super::emit;
use super::syntax::{Assertion, Greed, Node, Set, Width};

/// One instruction; where it names no other, the next one follows.
#[derive(Debug)]
pub(super) enum Instruction {
    /// One character of the class of that index.
    Class(usize),
    /// A place.
    Assert(Assertion),
    /// Keeps the place in a slot.
    Save(usize),
    /// What follows, then, when that fails, the instruction there.
    Split(usize),
    Jump(usize),
    Fail,
    /// The text of a group again.
    Backreference {
        group: usize,
        ignore_case: bool,
    },
    /// What follows when the group took part, otherwise the instruction there.
    Conditional {
        group: usize,
        no: usize,
    },
    /// The body follows and ends with `Accept`; matching continues at `next`.
    Look {
        /// Characters to go back first.
        back: u64,
        negative: bool,
        next: usize,
    },
    /// The same for an atomic group.
    Atomic {
        next: usize,
    },
    /// A repetition of one character.
    Run {
        class: usize,
        min: u32,
        max: Option<u32>,
        greed: Greed,
    },
    /// Begins a repetition.
    Begin(usize),
    /// Decides whether to repeat: the body follows and ends with a jump here.
    Repeat {
        register: usize,
        min: u32,
        max: Option<u32>,
        lazy: bool,
        exit: usize,
    },
    /// The end of the pattern or of a body.
    Accept,
}

/// A compiled pattern.
#[derive(Debug)]
pub(super) struct Program {
    pub instructions: Vec<Instruction>,
    pub classes: Vec<Class>,
    pub slots: usize,
    pub registers: usize,
    /// The bytes a match may begin with; none where it may be empty or anything.
    pub first_bytes: Option<Box<[bool; 256]>>,
    /// The place every match begins with, where it begins with one.
    pub leading: Option<Assertion>,
    pub word: Class,
    pub ascii_word: Class,
}

impl Program {
    /// Compiles a tree.
    pub fn new(root: &Node) -> Self {
        let mut referenced = HashSet::new();
        references(root, &mut referenced);
        let mut compiler = Compiler {
            program: Self {
                instructions: Vec::new(),
                classes: Vec::new(),
                slots: 0,
                registers: 0,
                first_bytes: None,
                leading: leading(root),
                word: Class::of(&format!("[{}]", emit::WORD)),
                ascii_word: Class::of(&format!("[{}]", emit::ASCII_WORD)),
            },
            known: HashMap::new(),
            referenced,
            widths: Vec::new(),
        };
        compiler.node(root);
        compiler.add(Instruction::Accept);
        let mut bytes = Box::new([false; 256]);
        if !compiler.first_bytes(root, &mut bytes) {
            compiler.program.first_bytes = Some(bytes);
        }
        compiler.program
    }
}

/// The place that every match of `node` begins with.
fn leading(node: &Node) -> Option<Assertion> {
    match node {
        Node::Assert(assertion @ (Assertion::TextStart | Assertion::LineStart)) => Some(*assertion),
        Node::Concat(nodes) => nodes.first().and_then(leading),
        Node::Group(_, inner) | Node::Atomic(inner) => leading(inner),
        _ => None,
    }
}

/// The groups whose text or part is asked for.
fn references(node: &Node, found: &mut HashSet<usize>) {
    node.visit(&mut |node| match node {
        Node::Backreference { group, .. } | Node::Conditional { group, .. } => {
            found.insert(*group);
        }
        _ => {}
    });
}

struct Compiler {
    program: Program,
    known: HashMap<String, usize>,
    referenced: HashSet<usize>,
    /// Widths by group number.
    widths: Vec<Option<Width>>,
}

impl Compiler {
    fn add(&mut self, instruction: Instruction) -> usize {
        self.program.instructions.push(instruction);
        self.program.instructions.len() - 1
    }

    fn next_index(&self) -> usize {
        self.program.instructions.len()
    }

    fn class(&mut self, set: &Set) -> usize {
        let text = emit::set_text(set);
        if let Some(known) = self.known.get(&text) {
            return *known;
        }
        self.program.classes.push(Class::of(&text));
        let index = self.program.classes.len() - 1;
        self.known.insert(text, index);
        index
    }

    fn node(&mut self, node: &Node) {
        match node {
            Node::Empty => {}
            Node::Never => {
                self.add(Instruction::Fail);
            }
            Node::Set(set) => {
                let class = self.class(set);
                self.add(Instruction::Class(class));
            }
            Node::Assert(assertion) => {
                self.add(Instruction::Assert(*assertion));
            }
            Node::Group(number, inner) => self.group(*number, inner),
            Node::Concat(nodes) => nodes.iter().for_each(|node| self.node(node)),
            Node::Alternation(nodes) => self.alternation(nodes),
            Node::Repeat {
                node,
                min,
                max,
                greed,
            } => self.repeat(node, *min, *max, *greed),
            Node::Look {
                ahead,
                negative,
                node,
            } => {
                let back = if *ahead {
                    0
                } else {
                    node.width(&self.widths).0
                };
                let at = self.add(Instruction::Fail);
                self.node(node);
                self.add(Instruction::Accept);
                self.program.instructions[at] = Instruction::Look {
                    back,
                    negative: *negative,
                    next: self.next_index(),
                };
            }
            Node::Atomic(inner) => self.atomic(|compiler| compiler.node(inner)),
            Node::Backreference { group, ignore_case } => {
                self.add(Instruction::Backreference {
                    group: *group,
                    ignore_case: *ignore_case,
                });
            }
            Node::Conditional { group, yes, no } => {
                let at = self.add(Instruction::Fail);
                self.node(yes);
                let jump = self.add(Instruction::Fail);
                let no_at = self.next_index();
                self.program.instructions[at] = Instruction::Conditional {
                    group: *group,
                    no: no_at,
                };
                self.node(no);
                self.program.instructions[jump] = Instruction::Jump(self.next_index());
            }
        }
    }

    fn group(&mut self, number: usize, inner: &Node) {
        let saved = self.referenced.contains(&number);
        if saved {
            self.program.slots = self.program.slots.max(2 * number + 2);
            self.add(Instruction::Save(2 * number));
        }
        self.node(inner);
        if saved {
            self.add(Instruction::Save(2 * number + 1));
            if self.widths.len() <= number {
                self.widths.resize(number + 1, None);
            }
            self.widths[number] = Some(inner.width(&self.widths));
        }
    }

    fn alternation(&mut self, nodes: &[Node]) {
        let mut jumps = Vec::new();
        for (index, node) in nodes.iter().enumerate() {
            if index + 1 == nodes.len() {
                self.node(node);
                break;
            }
            let split = self.add(Instruction::Fail);
            self.node(node);
            jumps.push(self.add(Instruction::Fail));
            self.program.instructions[split] = Instruction::Split(self.next_index());
        }
        for jump in jumps {
            self.program.instructions[jump] = Instruction::Jump(self.next_index());
        }
    }

    fn atomic(&mut self, body: impl FnOnce(&mut Self)) {
        let at = self.add(Instruction::Fail);
        body(self);
        self.add(Instruction::Accept);
        self.program.instructions[at] = Instruction::Atomic {
            next: self.next_index(),
        };
    }

    fn repeat(&mut self, node: &Node, min: u32, max: Option<u32>, greed: Greed) {
        if let Some(set) = self.single(node) {
            let class = self.class(set);
            self.add(Instruction::Run {
                class,
                min,
                max,
                greed,
            });
            return;
        }
        match greed {
            // As in Python, each time round is final, not only all of them together.
            Greed::Possessive => self.atomic(|compiler| {
                compiler.counted(min, max, false, |compiler| {
                    compiler.atomic(|compiler| compiler.node(node));
                });
            }),
            _ => self.counted(min, max, greed == Greed::Lazy, |compiler| {
                compiler.node(node);
            }),
        }
    }

    fn counted(&mut self, min: u32, max: Option<u32>, lazy: bool, body: impl FnOnce(&mut Self)) {
        let register = self.program.registers;
        self.program.registers += 1;
        self.add(Instruction::Begin(register));
        let at = self.add(Instruction::Fail);
        body(self);
        self.add(Instruction::Jump(at));
        self.program.instructions[at] = Instruction::Repeat {
            register,
            min,
            max,
            lazy,
            exit: self.next_index(),
        };
    }

    /// The set of a node that is one character and nothing else.
    fn single<'n>(&self, node: &'n Node) -> Option<&'n Set> {
        match node {
            Node::Set(set) => Some(set),
            Node::Group(number, inner) if !self.referenced.contains(number) => self.single(inner),
            Node::Concat(nodes) if nodes.len() == 1 => self.single(&nodes[0]),
            _ => None,
        }
    }

    /// Adds the bytes a match of `node` may begin with; whether it may be empty or begin with
    /// anything.
    fn first_bytes(&mut self, node: &Node, bytes: &mut [bool; 256]) -> bool {
        match node {
            Node::Empty | Node::Assert(_) | Node::Look { .. } => true,
            Node::Backreference { .. } => {
                bytes.fill(true);
                true
            }
            Node::Never => false,
            Node::Set(set) => {
                let class = self.class(set);
                self.program.classes[class].first_bytes(bytes);
                false
            }
            Node::Group(_, inner) | Node::Atomic(inner) => self.first_bytes(inner, bytes),
            Node::Concat(nodes) => nodes.iter().all(|node| self.first_bytes(node, bytes)),
            Node::Alternation(nodes) => nodes
                .iter()
                .fold(false, |any, node| self.first_bytes(node, bytes) | any),
            Node::Repeat { node, min, max, .. } => {
                *max == Some(0) || self.first_bytes(node, bytes) || *min == 0
            }
            Node::Conditional { yes, no, .. } => {
                self.first_bytes(yes, bytes) | self.first_bytes(no, bytes)
            }
        }
    }
}
