//! Finds loops that search: `{% for %}` over names set by counting and one `{% if %}` whose first
//! condition says whether the search continues. Once that is false, no later iteration does anything.

use std::collections::HashSet;
use std::sync::Arc;

use super::ast::{Expr, For, Statement, Target};
use super::value::{Operator, Value};

/// What has to be true for an iteration to do anything, where no iteration changes it otherwise.
/// `stores` are the names that the body stores.
pub(super) fn guard(for_loop: &For, stores: &HashSet<Arc<str>>) -> Option<Expr> {
    if for_loop.test.is_some() || for_loop.recursive || !matches!(for_loop.target, Target::Name(_))
    {
        return None;
    }
    let (last, sets) = for_loop.body.statements.split_last()?;
    let Statement::If(branches, otherwise) = last else {
        return None;
    };
    let ([(test, _)], true) = (branches.as_slice(), otherwise.is_empty()) else {
        return None;
    };
    let counts = |one: &Statement| matches!(one, Statement::Set(Target::Name(_), value, _) if cannot_fail(value, stores));
    let first = match test {
        Expr::And(operands) => operands.first()?,
        other => other,
    };
    (sets.iter().all(counts) && is_constant(first, stores)).then(|| first.clone())
}

/// Whether an expression is the same in every iteration that does nothing.
fn is_constant(expr: &Expr, stores: &HashSet<Arc<str>>) -> bool {
    match expr {
        Expr::Name(name) => !stores.contains(&name.name),
        Expr::Attribute(attribute) => {
            matches!(&attribute.object, Expr::Name(name) if !stores.contains(&name.name))
        }
        Expr::Not(operand) => is_constant(operand, stores),
        _ => false,
    }
}

/// Whether an expression that had a value in one iteration has one in all: sums of positions, lengths
/// and constants.
fn cannot_fail(expr: &Expr, stores: &HashSet<Arc<str>>) -> bool {
    match expr {
        Expr::Const(Value::Int(_)) => true,
        Expr::Attribute(attribute) => {
            matches!(&attribute.object, Expr::Name(name) if &*name.name == "loop")
                && matches!(&*attribute.name, "index" | "index0")
        }
        Expr::Filter(filter) => {
            filter.arguments.is_empty()
                && matches!(&*filter.name, "length" | "count")
                && matches!(&filter.subject, Some(Expr::Name(name)) if !stores.contains(&name.name))
        }
        Expr::Chain(chain) => {
            let sums = |operator: &Operator| matches!(operator, Operator::Add | Operator::Sub);
            cannot_fail(&chain.first, stores)
                && chain
                    .rest
                    .iter()
                    .all(|(operator, operand, _)| sums(operator) && cannot_fail(operand, stores))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Template;
    use super::super::ast::Statement;

    /// Whether the loop of this body over `m` has a guard.
    fn is_search(body: &str) -> bool {
        let source = format!(
            "{{% set ns = namespace(open=true) %}}{{% for m in x[::-1] %}}{body}{{% endfor %}}"
        );
        let template = Template::compile(&source).expect("a template");
        match template.statements.last() {
            Some(Statement::For(for_loop)) => for_loop.guard.is_some(),
            _ => panic!("{source} has no loop"),
        }
    }

    #[test]
    fn a_loop_is_a_search_when_nothing_else_can_happen_in_it() {
        let found = "{% if ns.open and m.a %}{% set ns.open = false %}{% endif %}";
        assert!(is_search(found));
        assert!(is_search(&format!(
            "{{% set i = (x | length - 1) - loop.index0 %}}{found}"
        )));
        assert!(is_search("{% if not done and m.a %}{{ m.a }}{% endif %}"));
        for body in [
            format!("{found}!").as_str(),
            format!("{{{{ m.a }}}}{found}").as_str(),
            format!("{{% set i = 1 / m.a %}}{found}").as_str(),
            format!("{{% set i = m | length %}}{found}").as_str(),
            format!("{{% set ns.open = m.open %}}{found}").as_str(),
            "{% if m.open and m.a %}{{ m.a }}{% endif %}",
            "{% set open = loop.index0 %}{% if open and m.a %}{{ m.a }}{% endif %}",
            "{% if ns.open and m.a %}{{ m.a }}{% else %}!{% endif %}",
            "{% if ns.open or m.a %}{{ m.a }}{% endif %}",
            "{% if ns.open %}{{ m.a }}{% elif m.a %}!{% endif %}",
            "{% if loop.first and m.a %}{{ m.a }}{% endif %}",
        ] {
            assert!(!is_search(body), "{body}");
        }
    }
}
