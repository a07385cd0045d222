//! The parsed template: statements and expressions with the byte offset each came from.
//! Names are resolved to slots in place by `scope`.

use std::sync::Arc;

use super::call::Applicable;
use super::value::{Operator, Order, Value};

/// Where a variable lives: how many functions outwards, and its slot there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Slot {
    pub hops: u16,
    pub index: u16,
}

/// A use of a name.
#[derive(Clone)]
pub(super) struct Name {
    pub name: Arc<str>,
    pub slot: Slot,
    pub at: u32,
}

/// An expression.
#[derive(Clone)]
pub(super) enum Expr {
    Const(Value),
    Name(Name),
    List(Vec<Expr>),
    Tuple(Vec<Expr>),
    Dict(Vec<(Expr, Expr)>, u32),
    Not(Box<Expr>),
    Negate(Box<Expr>, u32),
    Positive(Box<Expr>, u32),
    Chain(Box<Chain>),
    And(Vec<Expr>),
    Or(Vec<Expr>),
    Compare(Box<Comparison>),
    Concat(Vec<Expr>),
    Condition(Box<Condition>),
    Attribute(Box<Attribute>),
    Item(Box<Item>),
    Slice(Box<Slice>),
    Call(Box<Call>),
    Filter(Box<Applied>),
    Test(Box<Applied>),
}

/// Operators of one precedence, from left to right: kept flat so that a long chain is no deep tree.
#[derive(Clone)]
pub(super) struct Chain {
    pub first: Expr,
    pub rest: Vec<(Operator, Expr, u32)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    Equal,
    NotEqual,
    Order(Order),
    In,
    NotIn,
}

#[derive(Clone)]
pub(super) struct Comparison {
    pub first: Expr,
    pub rest: Vec<(Relation, Expr)>,
    pub at: u32,
}

#[derive(Clone)]
pub(super) struct Condition {
    pub test: Expr,
    pub then: Expr,
    /// Without it the value is undefined, and its error names `line`.
    pub otherwise: Option<Expr>,
    pub line: u32,
}

#[derive(Clone)]
pub(super) struct Attribute {
    pub object: Expr,
    pub name: Arc<str>,
    /// No mapping has anything but an entry of that name.
    pub plain: bool,
    pub at: u32,
}

#[derive(Clone)]
pub(super) struct Item {
    pub object: Expr,
    pub key: Expr,
    pub at: u32,
}

#[derive(Clone)]
pub(super) struct Slice {
    pub object: Expr,
    pub start: Option<Expr>,
    pub stop: Option<Expr>,
    pub step: Option<Expr>,
    pub at: u32,
}

impl Slice {
    /// Whether it is `[::-1]`.
    pub fn is_reversal(&self) -> bool {
        let backwards = |step: &Expr| match step {
            Expr::Const(Value::Int(-1)) => true,
            Expr::Negate(one, _) => matches!(**one, Expr::Const(Value::Int(1))),
            _ => false,
        };
        self.start.is_none() && self.stop.is_none() && self.step.as_ref().is_some_and(backwards)
    }
}

/// The arguments of a call, a filter or a test.
#[derive(Clone, Default)]
pub(super) struct Arguments {
    pub positional: Vec<Expr>,
    pub named: Vec<(Arc<str>, Expr)>,
    pub star: Option<Box<Expr>>,
    pub star_star: Option<Box<Expr>>,
}

impl Arguments {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.positional.is_empty()
            && self.named.is_empty()
            && self.star.is_none()
            && self.star_star.is_none()
    }
}

#[derive(Clone)]
pub(super) struct Call {
    pub callee: Expr,
    pub arguments: Arguments,
    pub at: u32,
}

/// A filter or test put on a value. `None` as subject: the body of a filter block.
#[derive(Clone)]
pub(super) struct Applied {
    pub subject: Option<Expr>,
    pub name: Arc<str>,
    /// `None` when there is no filter or test of that name.
    pub function: Option<Applicable>,
    /// The predicate of a test without arguments.
    pub holds: Option<fn(&Value) -> bool>,
    pub arguments: Arguments,
    pub at: u32,
}

/// What can be assigned to.
#[derive(Clone)]
pub(super) enum Target {
    Name(Name),
    Tuple(Vec<Target>, u32),
    Attribute {
        namespace: Name,
        attribute: Arc<str>,
    },
}

/// How the slots of a frame get their first values when it is entered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Load {
    /// From the variables of the rendering.
    Resolve(Arc<str>),
    /// From a variable further out.
    Alias(Slot),
    /// Not defined yet.
    Undefined(Arc<str>),
}

/// A frame's loads: slot of the current function and where its first value comes from.
pub(super) type Entry = Vec<(u16, Load)>;

/// A block of statements with the variables it declares.
#[derive(Clone, Default)]
pub(super) struct Body {
    pub entry: Entry,
    pub statements: Vec<Statement>,
}

/// A statement.
#[derive(Clone)]
pub(super) enum Statement {
    Text(Arc<str>, u32),
    Print(Expr, u32),
    If(Vec<(Expr, Vec<Statement>)>, Vec<Statement>),
    For(Arc<For>),
    Set(Target, Expr, u32),
    SetBlock(Box<SetBlock>),
    Macro(Box<Macro>),
    CallBlock(Box<CallBlock>),
    FilterBlock(Box<Applied>, Body),
    With(Box<With>),
    /// With the position of the tag.
    Generation(Body, u32),
    Block(Box<Block>),
    Break,
    Continue,
    /// `autoescape`, which no chat template needs: an error when it is reached.
    Autoescape(u32),
    /// `include` or another statement that reads a template: an error when it is reached, as there is no
    /// loader for others.
    OtherTemplate(u32),
}

/// Why a statement that reads another template is refused.
pub(super) const NO_LOADER: &str = "no loader for this environment specified";

#[derive(Clone)]
pub(super) struct For {
    pub target: Target,
    pub iterable: Expr,
    /// The condition after the items, with its own target.
    pub test: Option<Box<LoopTest>>,
    pub recursive: bool,
    /// The slot of `loop`, when the body looks at it.
    pub loop_slot: Option<u16>,
    /// Once this is false, no later iteration does anything.
    pub guard: Option<Expr>,
    /// Names that keep their value through the loop, resolved once.
    pub once: Entry,
    pub body: Body,
    pub otherwise: Option<Body>,
    /// Of a recursive loop: the function its body is.
    pub function: usize,
    pub at: u32,
}

/// The `if` of a `for`.
#[derive(Clone)]
pub(super) struct LoopTest {
    pub entry: Entry,
    pub target: Target,
    pub test: Expr,
}

#[derive(Clone)]
pub(super) struct SetBlock {
    pub target: Target,
    /// A chain of filters with the captured text at its bottom.
    pub filter: Option<Expr>,
    pub body: Body,
    pub at: u32,
}

/// The parameters and body of a macro or caller.
#[derive(Clone, Default)]
pub(super) struct Signature {
    pub parameters: Vec<Name>,
    /// Of the last parameters.
    pub defaults: Vec<Expr>,
    /// The slots of `caller`, `kwargs` and `varargs`, when the body looks at them.
    pub caller: Option<u16>,
    pub kwargs: Option<u16>,
    pub varargs: Option<u16>,
    pub function: usize,
    pub body: Body,
}

#[derive(Clone)]
pub(super) struct Macro {
    pub name: Name,
    pub signature: Arc<Signature>,
}

#[derive(Clone)]
pub(super) struct CallBlock {
    pub call: Expr,
    pub signature: Arc<Signature>,
    pub at: u32,
}

#[derive(Clone, Default)]
pub(super) struct With {
    pub targets: Vec<Target>,
    pub values: Vec<Expr>,
    pub body: Body,
}

#[derive(Clone)]
pub(super) struct Block {
    pub function: usize,
    pub body: Body,
}
