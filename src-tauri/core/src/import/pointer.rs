//! JSON pointers into the original, step by step.

use promptdeck_json::push_step;

/// The pointer of a value, from the keys and indices that lead to it.
pub(super) fn pointer(steps: &[&str]) -> String {
    let mut pointer = String::new();
    for step in steps {
        push_step(&mut pointer, step);
    }
    pointer
}
