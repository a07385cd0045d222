//! The environment templates run in: nothing of the machine, no other templates, undefined names
//! that stay silent however far they are followed, and a printer that counts.

use minijinja::{AutoEscape, Environment, Error, Output, State, UndefinedBehavior, Value};

use super::{
    Limits,
    budget::{self, Trail},
    display,
    filters::{self, Marked},
};

/// An environment that keeps to the limits.
pub fn environment<'source>(limits: &Limits) -> Environment<'source> {
    let limits = *limits;
    let mut env = Environment::new();
    env.set_debug(true);
    env.set_undefined_behavior(UndefinedBehavior::Chainable);
    env.set_auto_escape_callback(|_| AutoEscape::None);
    env.set_fuel(Some(limits.fuel));
    env.set_recursion_limit(limits.recursion);
    // It would print the whole state, functions and all.
    env.remove_global("debug");
    filters::register(&mut env, limits);
    env.set_formatter(move |out, state, value| print_value(out, state, value, &limits));
    env
}

fn print_value(
    out: &mut Output,
    state: &mut State,
    value: &Value,
    limits: &Limits,
) -> Result<(), Error> {
    let marked = value.downcast_object_ref::<Marked>();
    let value = marked.map_or(value, |marked| &marked.value);
    let weight = budget::handle(state, value, limits)?;
    budget::produce(state, weight.bytes, limits)?;
    let mut text = display::text(value);
    if *state.auto_escape() == AutoEscape::Html && !value.is_safe() {
        text = display::escape(&text);
    }
    if let Some(marked) = marked {
        budget::print(state, text.len(), limits)?;
        let trail = state.get_or_insert_extension_with(Trail::default);
        trail.note(marked.mark, text.len());
    }
    out.write_str(&text).map_err(Error::from)
}
