//! The names that each printed expression of a template takes its text from: those it reads itself, and,
//! for a variable of a loop or of `set`, those it was made from.

use std::{collections::BTreeMap, ops::Range};

use minijinja::machinery::ast::{CallArg, Expr, Macro, Stmt};

/// An expression that a template prints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrintedExpression {
    /// Where it is written, in bytes of the template.
    pub range: Range<usize>,
    /// What it reads, each once, in the order of the expression: a name, or `args` with the name behind it.
    pub reads: Vec<String>,
}

/// Names that an expression may come from, at most; there are rarely more than two.
const MOST: usize = 16;

/// What an expression reads.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Read<'source> {
    Name(&'source str),
    /// A member of `args`.
    Argument(&'source str),
}

type Names<'source> = Vec<Read<'source>>;

/// The printed expressions of a template, in its order.
pub fn expressions(tree: &Stmt<'_>) -> Vec<PrintedExpression> {
    let mut reads = Reads::default();
    reads.statement(tree);
    let printed = reads.printed.iter();
    printed
        .map(|(range, names)| PrintedExpression {
            range: range.clone(),
            reads: reads.behind(names),
        })
        .collect()
}

#[derive(Default)]
struct Reads<'source> {
    /// The names that the template sets, and the names in what they are set to.
    set: BTreeMap<&'source str, Names<'source>>,
    printed: Vec<(Range<usize>, Names<'source>)>,
}

impl<'source> Reads<'source> {
    /// The names that the template does not set, among those that are read and those behind the others.
    fn behind(&self, names: &[Read<'source>]) -> Vec<String> {
        let (mut found, mut at) = (names.to_vec(), 0);
        let mut free = Vec::new();
        while let Some(&read) = found.get(at) {
            at += 1;
            match read {
                Read::Argument(name) => free.push(format!("args.{name}")),
                Read::Name(name) => match self.set.get(name) {
                    Some(behind) => behind.iter().for_each(|read| add(&mut found, *read)),
                    None => free.push(name.to_owned()),
                },
            }
        }
        free
    }

    fn statements(&mut self, body: &[Stmt<'source>]) {
        for stmt in body {
            self.statement(stmt);
        }
    }

    fn statement(&mut self, stmt: &Stmt<'source>) {
        match stmt {
            Stmt::Template(node) => self.statements(&node.children),
            Stmt::EmitExpr(node) => {
                let span = node.expr.span();
                let range = span.start_offset as usize..span.end_offset as usize;
                self.printed.push((range, names_in(&node.expr)));
            }
            Stmt::ForLoop(node) => {
                self.assign(&node.target, &names_in(&node.iter));
                // The engine sets it.
                self.set.entry("loop").or_default();
                self.statements(&node.body);
                self.statements(&node.else_body);
            }
            Stmt::IfCond(node) => {
                self.statements(&node.true_body);
                self.statements(&node.false_body);
            }
            Stmt::WithBlock(node) => {
                for (target, value) in &node.assignments {
                    self.assign(target, &names_in(value));
                }
                self.statements(&node.body);
            }
            Stmt::Set(node) => self.assign(&node.target, &names_in(&node.expr)),
            Stmt::SetBlock(node) => {
                let before = self.printed.len();
                self.statements(&node.body);
                let mut within = Vec::new();
                let printed = self.printed[before..].iter().take(MOST);
                for read in printed.flat_map(|(_, names)| names) {
                    add(&mut within, *read);
                }
                self.assign(&node.target, &within);
            }
            Stmt::AutoEscape(node) => self.statements(&node.body),
            Stmt::FilterBlock(node) => self.statements(&node.body),
            Stmt::Block(node) => self.statements(&node.body),
            Stmt::Macro(node) => self.declare(node),
            Stmt::CallBlock(node) => self.declare(&node.macro_decl),
            _ => {}
        }
    }

    fn declare(&mut self, node: &Macro<'source>) {
        self.set.entry(node.name).or_default();
        for arg in &node.args {
            self.assign(arg, &[]);
        }
        self.statements(&node.body);
    }

    fn assign(&mut self, target: &Expr<'source>, names: &[Read<'source>]) {
        match target {
            Expr::Var(node) => {
                let set = self.set.entry(node.id).or_default();
                for read in names {
                    add(set, *read);
                }
            }
            Expr::List(node) => node.items.iter().for_each(|item| self.assign(item, names)),
            Expr::Tuple(node) => node.items.iter().for_each(|item| self.assign(item, names)),
            _ => {}
        }
    }
}

/// Adds a name that is not there, while there are few.
fn add<'source>(names: &mut Names<'source>, read: Read<'source>) {
    if names.len() < MOST && !names.contains(&read) {
        names.push(read);
    }
}

/// The names that an expression reads.
fn names_in<'source>(expr: &Expr<'source>) -> Names<'source> {
    let mut names = Vec::new();
    collect(expr, &mut names);
    names
}

fn collect<'source>(expr: &Expr<'source>, names: &mut Names<'source>) {
    let arguments = |args: &[CallArg<'source>], names: &mut Names<'source>| {
        for arg in args {
            let (CallArg::Pos(value)
            | CallArg::Kwarg(_, value)
            | CallArg::PosSplat(value)
            | CallArg::KwargSplat(value)) = arg;
            collect(value, names);
        }
    };
    match expr {
        Expr::Var(node) => add(names, Read::Name(node.id)),
        Expr::GetAttr(node) => match &node.expr {
            Expr::Var(root) if root.id == "args" => add(names, Read::Argument(node.name)),
            inner => collect(inner, names),
        },
        Expr::GetItem(node) => {
            collect(&node.expr, names);
            collect(&node.subscript_expr, names);
        }
        Expr::Slice(node) => collect(&node.expr, names),
        Expr::BinOp(node) => {
            collect(&node.left, names);
            collect(&node.right, names);
        }
        Expr::IfExpr(node) => {
            collect(&node.true_expr, names);
            if let Some(expr) = &node.false_expr {
                collect(expr, names);
            }
        }
        Expr::Filter(node) => {
            if let Some(expr) = &node.expr {
                collect(expr, names);
            }
            arguments(&node.args, names);
        }
        Expr::Call(node) => {
            // The name of a function is no argument.
            match &node.expr {
                Expr::Var(_) => {}
                Expr::GetAttr(method) => collect(&method.expr, names),
                other => collect(other, names),
            }
            arguments(&node.args, names);
        }
        Expr::Test(node) => collect(&node.expr, names),
        Expr::UnaryOp(node) => collect(&node.expr, names),
        Expr::Compare(node) => collect(&node.expr, names),
        Expr::List(node) => node.items.iter().for_each(|item| collect(item, names)),
        Expr::Tuple(node) => node.items.iter().for_each(|item| collect(item, names)),
        Expr::Map(node) => node.values.iter().for_each(|value| collect(value, names)),
        Expr::Const(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::template::render;

    #[test]
    fn a_printed_expression_knows_what_its_text_is_made_of() {
        let context = json!({
            "a": "x", "b": {"c": "y"}, "list": ["x", "y"], "args": {"a": "x"}, "pairs": [["x", "y"]],
        });
        let check = |template: &str, expected: &[&str]| {
            let rendering = render(template, context.as_object().expect("an object"));
            assert_eq!(rendering.error, None, "{template}");
            let found = rendering.printed.iter().map(|each| each.reads.join(" "));
            assert_eq!(found.collect::<Vec<_>>(), expected, "{template}");
        };
        check(
            "{{ a }}{{ b.c | upper }}{{ args.a }}",
            &["a", "b", "args.a"],
        );
        check(
            "{{ a ~ b.c ~ a }}{{ a if b.c else list[0] }}",
            &["a b", "a list"],
        );
        check(
            "{{ a.strip() }}{{ range(3) | list }}{{ 'x' }}",
            &["a", "", ""],
        );
        check(
            "{% for x in list %}{{ x }}{{ loop.index }}{% endfor %}",
            &["list", ""],
        );
        check("{% for x, y in pairs %}{{ y }}{% endfor %}", &["pairs"]);
        check("{% set x = a %}{% set y = x ~ b.c %}{{ y }}", &["b a"]);
        check("{% set x = x | default(a) %}{{ x }}", &["a"]);
        check("{% set t %}{{ a }}{% endset %}{{ t }}", &["a", "a"]);
        check(
            "{% macro m(x) %}{{ x }}{% endmacro %}{{ m(a) }}",
            &["", "a"],
        );
        check(
            "{% macro m() %}{{ caller() }}{% endmacro %}{% call m() %}{{ a }}{% endcall %}",
            &["", "a"],
        );
    }
}
