//! Numbers and bars for people: grouped digits, percentages, bars of block characters on a terminal
//! and of ASCII elsewhere.

use std::io::{self, IsTerminal};

/// The characters bars are drawn with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    /// Block characters, an eighth of a column exact.
    Blocks,
    /// ASCII.
    Plain,
}

impl Ink {
    /// For standard output: blocks on a terminal.
    pub fn of_stdout() -> Self {
        match io::stdout().is_terminal() {
            true => Self::Blocks,
            false => Self::Plain,
        }
    }

    /// A bar for a share from 0 to 1 of so many columns, padded to them. What is not nothing is
    /// never drawn as nothing.
    pub fn bar(self, share: f64, columns: usize) -> String {
        const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
        let share = share.clamp(0.0, 1.0);
        let least = usize::from(share > 0.0);
        match self {
            Self::Blocks => {
                let eighths = rounded(share * columns as f64 * 8.0).max(least);
                let bar = "█".repeat(eighths / 8) + EIGHTHS[eighths % 8];
                let columns_drawn = eighths.div_ceil(8);
                bar + &" ".repeat(columns.saturating_sub(columns_drawn))
            }
            Self::Plain => {
                let columns_drawn = rounded(share * columns as f64).max(least);
                "#".repeat(columns_drawn) + &" ".repeat(columns.saturating_sub(columns_drawn))
            }
        }
    }
}

fn rounded(number: f64) -> usize {
    usize::try_from(number.round() as i64).unwrap_or_default()
}

/// A number with its digits in groups of three.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A count of rolls with its noun.
pub fn rolls(count: u64) -> String {
    match count {
        1 => "1 roll".to_owned(),
        _ => format!("{} rolls", grouped(count)),
    }
}

/// A share from 0 to 1 in percent with one decimal; what is neither nothing nor all is never shown
/// as such.
pub fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if share > 0.0 && percent < 0.05 {
        return "<0.1 %".to_owned();
    }
    if share < 1.0 && percent > 99.95 {
        return ">99.9 %".to_owned();
    }
    format!("{percent:.1} %")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped() {
        for (number, text) in [
            (0, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (1_234_567, "1,234,567"),
        ] {
            assert_eq!(grouped(number), text);
        }
    }

    #[test]
    fn little_is_not_nothing() {
        for (share, text) in [
            (0.0, "0.0 %"),
            (0.0001, "<0.1 %"),
            (0.0005, "0.1 %"),
            (0.5, "50.0 %"),
            (0.99999, ">99.9 %"),
            (1.0, "100.0 %"),
        ] {
            assert_eq!(percent(share), text);
        }
        assert_eq!(Ink::Plain.bar(0.001, 4), "#   ");
        assert_eq!(Ink::Blocks.bar(0.001, 4), "▏   ");
    }

    #[test]
    fn bars_are_padded() {
        assert_eq!(Ink::Plain.bar(0.0, 4), "    ");
        assert_eq!(Ink::Plain.bar(1.0, 4), "####");
        assert_eq!(Ink::Blocks.bar(0.5, 4), "██  ");
        assert_eq!(Ink::Blocks.bar(0.53, 4), "██▏ ");
        assert_eq!(Ink::Blocks.bar(7.0, 2), "██");
    }
}
