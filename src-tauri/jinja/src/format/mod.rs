//! Python's two ways of formatting texts: `'%s' % x` and `'{}'.format(x)`, over one number writer.

mod braces;
mod number;
mod percent;

pub(super) use braces::formatted;
pub(super) use percent::percent;

use super::error::{Result, fail};

/// The widest field and the most digits a format may ask for.
const MAX_WIDTH: usize = 1 << 20;

/// A width or precision from its digits.
fn width_of(digits: &str) -> Result<usize> {
    match digits.parse() {
        Ok(width) if width <= MAX_WIDTH => Ok(width),
        _ => fail!(Value, "Too many decimal digits in format string"),
    }
}
