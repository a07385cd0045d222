//! Expressions without a value whose place in the output stays empty: undefined names are silent, so
//! nothing else says that one is misspelled or not set. Which expressions are meant is read from the
//! syntax tree: those that a template prints or loops over without asking whether they are there. Which
//! of them had no value is recorded by the machine, where each is evaluated; and so is which loops go over
//! a text.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use minijinja::machinery::{
    Span,
    ast::{BinOpKind, Call, CallArg, Expr, ForLoop, Macro, Stmt},
};
use promptdeck_json::nearest::nearest;
use serde_json::{Map, Value};

/// What an expression without a value leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GapKind {
    /// It prints nothing.
    Printed,
    /// Its loop has no round.
    Looped,
}

/// An expression that had no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpressionGap {
    /// Where it is written, in bytes of the template.
    pub range: Range<usize>,
    /// What it leaves out.
    pub kind: GapKind,
    /// The name it begins with, if the template does not set that name itself.
    pub argument: Option<String>,
    /// The name in the context that is probably meant by the first step that leads to nothing, and the
    /// expression with that name.
    pub suggestion: Option<Suggestion>,
    /// How many pieces of the output precede it, each time that it had no value; without those times that
    /// it was in a text which is printed later, as that of a macro.
    pub places: Vec<usize>,
}

/// An expression that a loop goes over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoopedExpression {
    /// Where it is written, in bytes of the template.
    pub range: Range<usize>,
    /// The name it begins with, if the template does not set that name itself.
    pub argument: Option<String>,
}

/// What is probably meant by an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    /// The name instead of the one that leads to nothing.
    pub name: String,
    /// The expression with that name.
    pub expression: String,
}

/// The name that is probably meant by the first step of an expression of names that a context lacks.
pub fn suggestion(expression: &str, context: &Map<String, Value>) -> Option<Suggestion> {
    let (mut members, mut start) = (context, 0);
    for spaced in expression.split('.') {
        let step = spaced.trim();
        let Some(value) = members.get(step) else {
            let name = nearest(step, members.keys().map(String::as_str))?;
            let at = start + spaced.len() - spaced.trim_start().len();
            let (before, after) = (&expression[..at], &expression[at + step.len()..]);
            return Some(Suggestion {
                name: name.to_owned(),
                expression: format!("{before}{name}{after}"),
            });
        };
        members = value.as_object()?;
        start += spaced.len() + 1;
    }
    None
}

/// Where a value is looked up: the span that the compiler gives the instruction and, for the name of a
/// variable, whose instruction has the span of what surrounds it, the name.
type Lookup<'source> = (u32, u32, Option<&'source str>);

/// The expressions of a template that leave a gap where they have no value.
#[derive(Default)]
pub struct Gaps<'source> {
    found: Vec<ExpressionGap>,
    /// Their indices.
    lookups: BTreeMap<Lookup<'source>, usize>,
    looped: Vec<LoopedExpression>,
    /// Their indices.
    loop_lookups: BTreeMap<Lookup<'source>, usize>,
    /// Variables that are read where no text is made of them, such as a condition.
    asked: BTreeSet<Lookup<'source>>,
    /// Names that the template sets.
    assigned: BTreeSet<&'source str>,
    /// Names that are set to nothing if a condition does not hold.
    optional: BTreeSet<&'source str>,
}

/// What becomes of the value of an expression.
#[derive(Clone, Copy)]
enum Use {
    Printed,
    /// Its entries are printed.
    Entries,
    Looped,
    /// A missing value removes nothing from the output.
    Asked,
}

impl<'source> Gaps<'source> {
    /// Finds them.
    pub fn of(tree: &Stmt<'source>) -> Self {
        let mut gaps = Self::default();
        gaps.statement(tree);
        let (tested_names, optional, assigned) = (&gaps.asked, &gaps.optional, &gaps.assigned);
        gaps.lookups.retain(|lookup, _| {
            !tested_names.contains(lookup) && !lookup.2.is_some_and(|name| optional.contains(name))
        });
        let found = gaps.found.iter_mut().map(|gap| &mut gap.argument);
        let looped = gaps.looped.iter_mut().map(|looped| &mut looped.argument);
        for argument in found.chain(looped) {
            argument.take_if(|name| assigned.contains(name.as_str()));
        }
        gaps
    }

    /// The index of the one that an instruction looks up.
    pub fn find(&self, span: Span, name: Option<&str>) -> Option<usize> {
        let lookup = (span.start_offset, span.end_offset, name);
        self.lookups.get(&lookup).copied()
    }

    /// The index of the looped expression that an instruction looks up.
    pub fn find_looped(&self, span: Span, name: Option<&str>) -> Option<usize> {
        let lookup = (span.start_offset, span.end_offset, name);
        self.loop_lookups.get(&lookup).copied()
    }

    /// The expressions that leave a gap, and those that loops go over.
    pub fn into_expressions(self) -> (Vec<ExpressionGap>, Vec<LoopedExpression>) {
        (self.found, self.looped)
    }

    fn statements(&mut self, body: &[Stmt<'source>]) {
        for stmt in body {
            self.statement(stmt);
        }
    }

    fn statement(&mut self, stmt: &Stmt<'source>) {
        match stmt {
            Stmt::Template(node) => self.statements(&node.children),
            Stmt::EmitExpr(node) => self.expression(&node.expr, node.expr.span(), Use::Printed),
            Stmt::ForLoop(node) => self.for_loop(node),
            Stmt::IfCond(node) => {
                self.expression(&node.expr, node.expr.span(), Use::Asked);
                self.statements(&node.true_body);
                self.statements(&node.false_body);
            }
            Stmt::WithBlock(node) => {
                for (target, value) in &node.assignments {
                    self.assign(target, Some(value));
                }
                self.statements(&node.body);
            }
            Stmt::Set(node) => self.assign(&node.target, Some(&node.expr)),
            Stmt::SetBlock(node) => {
                self.assign(&node.target, None);
                self.statements(&node.body);
            }
            Stmt::AutoEscape(node) => self.statements(&node.body),
            Stmt::FilterBlock(node) => self.statements(&node.body),
            Stmt::Block(node) => self.statements(&node.body),
            Stmt::Macro(node) => self.declare(node),
            Stmt::CallBlock(node) => {
                self.call(&node.call);
                self.declare(&node.macro_decl);
            }
            Stmt::Do(node) => self.call(&node.call),
            Stmt::Import(node) => self.assign(&node.name, None),
            Stmt::FromImport(node) => {
                for (name, alias) in &node.names {
                    self.assign(alias.as_ref().unwrap_or(name), None);
                }
            }
            Stmt::EmitRaw(_) | Stmt::Extends(_) | Stmt::Include(_) => {}
        }
    }

    fn for_loop(&mut self, node: &ForLoop<'source>) {
        let filter = node.filter_expr.as_ref();
        let within = filter.unwrap_or(&node.iter).span();
        let context = match node.else_body.as_slice() {
            [] => Use::Looped,
            _ => Use::Asked,
        };
        self.look_up_looped(&node.iter, within);
        self.expression(&node.iter, within, context);
        if let Some(filter) = filter {
            self.expression(filter, within, Use::Asked);
        }
        self.assign(&node.target, None);
        self.statements(&node.body);
        self.statements(&node.else_body);
    }

    /// `within` is the span that the compiler gives to names in `expr`.
    fn look_up_looped(&mut self, expr: &Expr<'source>, within: Span) {
        let lookup = match expr {
            Expr::Filter(node) => {
                if let ("list" | "sort" | "unique" | "reverse" | "default" | "d", Some(input)) =
                    (node.name, &node.expr)
                {
                    self.look_up_looped(input, node.span());
                }
                return;
            }
            Expr::BinOp(node) => {
                if matches!(node.op, BinOpKind::ScOr) {
                    self.look_up_looped(&node.left, node.span());
                }
                return;
            }
            Expr::Var(node) => (within.start_offset, within.end_offset, Some(node.id)),
            Expr::GetAttr(_) | Expr::GetItem(_) => {
                let span = expr.span();
                (span.start_offset, span.end_offset, None)
            }
            _ => return,
        };
        self.loop_lookups.entry(lookup).or_insert(self.looped.len());
        self.looped.push(LoopedExpression {
            range: start(expr) as usize..expr.span().end_offset as usize,
            argument: root(expr).map(str::to_owned),
        });
    }

    fn declare(&mut self, node: &Macro<'source>) {
        self.assigned.insert(node.name);
        for arg in &node.args {
            self.assign(arg, None);
        }
        self.statements(&node.body);
    }

    fn assign(&mut self, target: &Expr<'source>, value: Option<&Expr<'source>>) {
        if let Some(value) = value {
            self.expression(value, value.span(), Use::Asked);
        }
        match target {
            Expr::Var(node) => {
                self.assigned.insert(node.id);
                if matches!(value, Some(Expr::IfExpr(node)) if node.false_expr.is_none()) {
                    self.optional.insert(node.id);
                }
            }
            Expr::List(node) => node.items.iter().for_each(|item| self.assign(item, None)),
            Expr::Tuple(node) => node.items.iter().for_each(|item| self.assign(item, None)),
            _ => {}
        }
    }

    fn call(&mut self, node: &Call<'source>) {
        self.arguments(&node.args, node.expr.span(), Use::Asked);
    }

    fn arguments(&mut self, args: &[CallArg<'source>], within: Span, context: Use) {
        for arg in args {
            match arg {
                CallArg::Pos(value) => self.expression(value, within, context),
                CallArg::Kwarg(_, value)
                | CallArg::PosSplat(value)
                | CallArg::KwargSplat(value) => self.expression(value, within, Use::Asked),
            }
        }
    }

    /// `within` is the span that the compiler gives to names in `expr`.
    fn expression(&mut self, expr: &Expr<'source>, within: Span, context: Use) {
        match expr {
            Expr::Var(node) => {
                let lookup = (within.start_offset, within.end_offset, Some(node.id));
                self.look_up(lookup, expr, context);
            }
            Expr::GetAttr(node) => {
                let span = node.span();
                self.look_up((span.start_offset, span.end_offset, None), expr, context);
                self.expression(&node.expr, span, Use::Asked);
            }
            Expr::GetItem(node) => {
                let span = node.span();
                self.look_up((span.start_offset, span.end_offset, None), expr, context);
                self.expression(&node.expr, span, Use::Asked);
                self.expression(&node.subscript_expr, span, Use::Asked);
            }
            Expr::BinOp(node) => {
                let (left, right) = match node.op {
                    BinOpKind::Concat => (context, context),
                    BinOpKind::ScAnd | BinOpKind::ScOr => (Use::Asked, context),
                    _ => (Use::Asked, Use::Asked),
                };
                self.expression(&node.left, node.span(), left);
                self.expression(&node.right, node.span(), right);
            }
            Expr::IfExpr(node) => {
                self.expression(&node.test_expr, within, Use::Asked);
                self.expression(&node.true_expr, within, context);
                if let Some(expr) = &node.false_expr {
                    self.expression(expr, within, context);
                }
            }
            Expr::Filter(node) => {
                let (input, args) = of_filter(node.name, context);
                if let Some(expr) = &node.expr {
                    self.expression(expr, node.span(), input);
                }
                self.arguments(&node.args, node.span(), args);
            }
            Expr::Test(node) => {
                self.expression(&node.expr, node.span(), Use::Asked);
                self.arguments(&node.args, node.span(), Use::Asked);
            }
            Expr::UnaryOp(node) => self.expression(&node.expr, within, Use::Asked),
            Expr::Compare(node) => {
                self.expression(&node.expr, node.span(), Use::Asked);
                for op in &node.ops {
                    self.expression(&op.expr, node.span(), Use::Asked);
                }
            }
            Expr::Call(node) => self.arguments(&node.args, node.span(), Use::Asked),
            // What they hold is printed as code.
            Expr::Const(_) | Expr::Slice(_) | Expr::List(_) | Expr::Tuple(_) | Expr::Map(_) => {}
        }
    }

    fn look_up(&mut self, lookup: Lookup<'source>, expr: &Expr<'source>, context: Use) {
        let kind = match context {
            Use::Printed | Use::Entries => GapKind::Printed,
            Use::Looped => GapKind::Looped,
            Use::Asked => {
                self.asked.insert(lookup);
                return;
            }
        };
        let gap = ExpressionGap {
            range: start(expr) as usize..expr.span().end_offset as usize,
            kind,
            argument: root(expr).map(str::to_owned),
            suggestion: None,
            places: Vec::new(),
        };
        self.lookups.entry(lookup).or_insert(self.found.len());
        self.found.push(gap);
    }
}

/// What becomes of the input of a filter and of its arguments. Filters that print something for a value
/// that is not there, `default` above all, ask for it.
fn of_filter(name: &str, context: Use) -> (Use, Use) {
    let entries = match context {
        Use::Printed => Use::Entries,
        context => context,
    };
    match (name, context) {
        (_, Use::Asked) => (Use::Asked, Use::Asked),
        ("join" | "first" | "last", _) => (entries, Use::Asked),
        ("format", _) => (context, context),
        (
            "upper" | "lower" | "title" | "capitalize" | "trim" | "replace" | "string" | "safe"
            | "escape" | "e" | "indent",
            _,
        ) => (context, Use::Asked),
        (
            "list" | "sort" | "unique" | "reverse" | "map" | "select" | "reject" | "selectattr"
            | "rejectattr" | "items",
            Use::Entries | Use::Looped,
        ) => (context, Use::Asked),
        _ => (Use::Asked, Use::Asked),
    }
}

/// Where an expression begins; the span of a look-up begins at its last step but one.
fn start(expr: &Expr<'_>) -> u32 {
    match expr {
        Expr::GetAttr(node) => start(&node.expr),
        Expr::GetItem(node) => start(&node.expr),
        _ => expr.span().start_offset,
    }
}

/// The name that an expression begins with.
fn root<'source>(expr: &Expr<'source>) -> Option<&'source str> {
    match expr {
        Expr::Var(node) => Some(node.id),
        Expr::GetAttr(node) => root(&node.expr),
        Expr::GetItem(node) => root(&node.expr),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::template::render;

    /// The expressions that leave a gap, those of loops with `*`.
    fn check(template: &str, expected: &[&str]) {
        let context: Value = json!({
            "empty": "", "none": null, "user": {"name": "Ada", "tags": []}, "xs": [{"a": 1}, {}],
        });
        let rendering = render(template, context.as_object().expect("an object"));
        assert_eq!(rendering.error, None, "{template}");
        let found: Vec<_> = rendering
            .gaps
            .iter()
            .map(|gap| {
                let mark = match gap.kind {
                    super::GapKind::Printed => "",
                    super::GapKind::Looped => "*",
                };
                format!("{}{mark}", &template[gap.range.clone()])
            })
            .collect();
        assert_eq!(found, expected, "{template}");
    }

    #[test]
    fn what_is_printed_without_a_value_is_a_gap() {
        check("{{ x }}, {{ x }}", &["x", "x"]);
        check(
            "{{ a.b.c }} {{ user.nam }} {{ user.name }}",
            &["a.b.c", "user.nam"],
        );
        check("{{ user.name.first }}", &["user.name.first"]);
        check(
            "{{ a['b'] }} {{ a[0] }} {{ xs[7] }} {{ xs[0].a }}",
            &["a['b']", "a[0]", "xs[7]"],
        );
        check("{{ a\n  .b }}", &["a\n  .b"]);
        check("{{ a\n .b\n .c\n .d }}", &["a\n .b\n .c\n .d"]);
        check("{{ user.nam ~\n a.b ~\n x }}", &["user.nam", "a.b", "x"]);
        check(
            "{% for x in xs %}\n{{ x\n .y\n ['z'] }}{% endfor %}",
            &["x\n .y\n ['z']"],
        );
        check(
            "{% block b %}{{ a\n .b\n .c }}{% endblock %}",
            &["a\n .b\n .c"],
        );
        check("{{ x | upper }} {{ a.b | trim | title }}", &["x", "a.b"]);
        check(
            "{{ ys | join(', ') }} {{ a.b | sort | join }}",
            &["ys", "a.b"],
        );
        check("{{ 'Hi ' ~ user.nam ~ '!' ~ x }}", &["user.nam", "x"]);
        check("{{ 'Hi %s' | format(user.nam) }}", &["user.nam"]);
        check("{{ user.nick or user.nam }}", &["user.nam"]);
        check("{{ user.nam if user.name else 'x' }}", &["user.nam"]);
        check("{% for x in xs %}{{ x.a }}{% endfor %}", &["x.a"]);
        check("{% set n = a.b %}{{ n }}", &["n"]);
        check("{% macro m(n) %}{{ n }}{% endmacro %}{{ m(a.b) }}", &["n"]);
        check("{% set t %}{{ a.b }}{% endset %}{{ t }}", &["a.b"]);
        check("{% filter upper %}{{ a.b }}{% endfilter %}", &["a.b"]);
        check("{% if x is not defined %}{{ y }}{% endif %}", &["y"]);
    }

    #[test]
    fn a_loop_over_nothing_is_a_gap() {
        check("{% for x in ys %}{{ x }}{% endfor %}", &["ys*"]);
        check(
            "{% for x in user.list | sort %}{{ x }}{% endfor %}",
            &["user.list*"],
        );
        check("{% for x in ys if x.a %}{{ x }}{% endfor %}", &["ys*"]);
        check("{% for x in user.tags %}{{ x.y }}{% endfor %}", &[]);
        check("{% for x in ys %}{{ x }}{% else %}none{% endfor %}", &[]);
        check("{% for x in ys or [] %}{{ x }}{% endfor %}", &[]);
        check("{% for x in ys | default([]) %}{{ x }}{% endfor %}", &[]);
        check(
            "{% if ys %}{% for x in ys %}{{ x }}{% endfor %}{% endif %}",
            &[],
        );
    }

    #[test]
    fn what_the_template_asks_for_is_no_gap() {
        for template in [
            "{{ empty }}{{ none }}{{ user.name }}",
            "{{ x | default('-') }}{{ a.b.c | default('') }}{{ x | d }}",
            "{{ x | trim | default('-', true) }}{{ x | upper | d('', true) }}",
            "{% if x %}{{ x }}{% endif %}{% if a.b is defined %}{{ a.b }}{% endif %}",
            "{{ x if x else '-' }}{{ x if x }}{{ x if x is defined else '' }}",
            "{{ x or '-' }}{{ x and x.y }}{{ a.b.c or '' }}",
            "{{ x is defined }}{{ x == 1 }}{{ not x }}{{ x | length }}{{ [x] }}",
            "{% set n = a.b if a is defined %}{{ n }}",
            "{% set n = a.b | default('') %}{{ n }}",
            "{% set n = namespace(x='') %}{{ n.x }}",
            "{% for x in xs %}{{ loop.index }}{{ x.a | default(0) }}{% endfor %}",
        ] {
            check(template, &[]);
        }
    }

    #[test]
    fn an_argument_is_a_name_that_the_template_does_not_set() {
        let template =
            "{% set n = a.b %}{{ n.x }}{{ user.nam }}{% for x in xs %}{{ x.b }}{% endfor %}";
        let context = json!({"user": {}, "xs": [{}]});
        let rendering = render(template, context.as_object().expect("an object"));
        let arguments: Vec<_> = rendering
            .gaps
            .iter()
            .map(|gap| gap.argument.as_deref())
            .collect();
        assert_eq!(arguments, [None, Some("user"), None]);
    }

    #[test]
    fn the_nearest_name_beside_the_one_that_is_missing_is_suggested() {
        let context: Value = json!({"user": {"name": "Ada"}, "name": "Ada"});
        let rendering = render(
            "{{ user.nam }}{{ nme }}{{ usr.name }}{{ mood }}{{ user.nam | upper }}",
            context.as_object().expect("an object"),
        );
        let found = rendering.gaps.iter().map(|gap| {
            let suggestion = gap.suggestion.as_ref()?;
            Some((suggestion.name.as_str(), suggestion.expression.as_str()))
        });
        let expected = [
            Some(("name", "user.name")),
            Some(("name", "name")),
            Some(("user", "user.name")),
            None,
            Some(("name", "user.name")),
        ];
        assert_eq!(found.collect::<Vec<_>>(), expected);
        let spaced = render(
            "{{ user\n . nam\n .first }}",
            context.as_object().expect("an object"),
        );
        let suggestion = spaced.gaps[0].suggestion.as_ref().expect("a suggestion");
        assert_eq!(suggestion.expression, "user\n . name\n .first");
    }
}
