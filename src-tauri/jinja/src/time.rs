//! The clock a template may ask for: a date and time given from outside, and `strftime` over it.
//! Knows no time zones: Python's `datetime.now()` has none either.

use std::fmt::Write;

/// A date and time of the proleptic Gregorian calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    year: i32,
    month: u8,
    day: u8,
    hour: u8,
    minute: u8,
    second: u8,
    microsecond: u32,
}

const DAYS: [&str; 7] = [
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
];
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

fn is_leap(year: i32) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_in(year: i32, month: u8) -> u8 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days since 1970-01-01.
fn day_number(year: i32, month: u8, day: u8) -> i64 {
    let year = i64::from(year) - i64::from(month <= 2);
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let shifted = (i64::from(month) + 9) % 12;
    let of_year = (153 * shifted + 2) / 5 + i64::from(day) - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

impl Default for Moment {
    /// The beginning of 1970.
    fn default() -> Self {
        Self {
            year: 1970,
            month: 1,
            day: 1,
            hour: 0,
            minute: 0,
            second: 0,
            microsecond: 0,
        }
    }
}

impl Moment {
    /// A moment from its parts; `None` when there is no such day or time. Years from 1 to 9999.
    #[must_use]
    pub fn new(date: (i32, u8, u8), time: (u8, u8, u8), microsecond: u32) -> Option<Self> {
        let (year, month, day) = date;
        let (hour, minute, second) = time;
        let valid = (1..=9999).contains(&year)
            && (1..=12).contains(&month)
            && (1..=days_in(year, month)).contains(&day)
            && hour < 24
            && minute < 60
            && second < 60
            && microsecond < 1_000_000;
        valid.then_some(Self {
            year,
            month,
            day,
            hour,
            minute,
            second,
            microsecond,
        })
    }

    /// The moment that many seconds after 1970-01-01 00:00:00 of the same clock.
    #[must_use]
    pub fn from_seconds(seconds: i64, microsecond: u32) -> Option<Self> {
        let days = seconds.div_euclid(86_400) + 719_468;
        let of_day = seconds.rem_euclid(86_400);
        let era = days.div_euclid(146_097);
        let of_era = days.rem_euclid(146_097);
        let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted = (5 * of_year + 2) / 153;
        let day = of_year - (153 * shifted + 2) / 5 + 1;
        let month = if shifted < 10 {
            shifted + 3
        } else {
            shifted - 9
        };
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        Self::new(
            (i32::try_from(year).ok()?, month as u8, day as u8),
            (
                (of_day / 3600) as u8,
                (of_day / 60 % 60) as u8,
                (of_day % 60) as u8,
            ),
            microsecond,
        )
    }

    /// Seconds after 1970-01-01 00:00:00 of the same clock.
    #[must_use]
    pub fn seconds(&self) -> i64 {
        let days = day_number(self.year, self.month, self.day);
        let (hour, minute, second) = (
            i64::from(self.hour),
            i64::from(self.minute),
            i64::from(self.second),
        );
        days * 86_400 + hour * 3600 + minute * 60 + second
    }

    /// Reads ISO 8601: a date, or a date and a time, with an offset in seconds when one is given.
    #[must_use]
    pub fn parse(text: &str) -> Option<(Self, Option<i32>)> {
        let text = text.trim();
        let date = (
            text.get(0..4)?.parse().ok()?,
            text.get(5..7)?.parse().ok()?,
            text.get(8..10)?.parse().ok()?,
        );
        if text.as_bytes()[4] != b'-' || text.as_bytes()[7] != b'-' {
            return None;
        }
        let Some(rest) = text.get(10..).filter(|rest| !rest.is_empty()) else {
            return Some((Self::new(date, (0, 0, 0), 0)?, None));
        };
        let rest = rest.strip_prefix(['T', 't', ' '])?;
        let zone = rest.find(['Z', 'z', '+', '-']).unwrap_or(rest.len());
        let (clock, zone) = rest.split_at(zone);
        let (clock, fraction) = clock.split_once(['.', ',']).unwrap_or((clock, ""));
        let mut fields = clock.split(':');
        let mut field = || -> Option<u8> {
            match fields.next() {
                Some(text) if text.len() == 2 => text.parse().ok(),
                Some(_) => None,
                None => Some(0),
            }
        };
        let time = (field()?, field()?, field()?);
        if !fraction.bytes().all(|byte| byte.is_ascii_digit()) || fraction.len() > 9 {
            return None;
        }
        let microsecond = format!("{fraction:0<6}").get(..6)?.parse().ok()?;
        let offset = match zone {
            "" => None,
            "Z" | "z" => Some(0),
            _ => {
                let (sign, zone) = zone.split_at(1);
                let digits: String = zone.chars().filter(|one| *one != ':').collect();
                let hours: i32 = digits.get(0..2)?.parse().ok()?;
                let minutes: i32 = digits.get(2..4).unwrap_or("00").parse().ok()?;
                let seconds = hours * 3600 + minutes * 60;
                Some(if sign == "-" { -seconds } else { seconds })
            }
        };
        Some((Self::new(date, time, microsecond)?, offset))
    }

    /// 0 for Monday.
    fn weekday(&self) -> usize {
        (day_number(self.year, self.month, self.day) + 3).rem_euclid(7) as usize
    }

    fn day_of_year(&self) -> i64 {
        day_number(self.year, self.month, self.day) - day_number(self.year, 1, 1) + 1
    }

    /// Year and week of ISO 8601.
    fn iso_week(&self) -> (i32, i64) {
        let day = day_number(self.year, self.month, self.day);
        let thursday = day - self.weekday() as i64 + 3;
        let mut year = self.year;
        if thursday < day_number(year, 1, 1) {
            year -= 1;
        } else if thursday >= day_number(year + 1, 1, 1) {
            year += 1;
        }
        (year, (thursday - day_number(year, 1, 1)) / 7 + 1)
    }

    /// `strftime` in the C locale, as Python on Linux has it, the `-`, `_`, `0`, `^` and `#` flags
    /// of the C library included. What has no meaning stays as it is.
    #[must_use]
    pub fn format(&self, format: &str) -> String {
        let mut out = String::new();
        let mut rest = format.chars();
        while let Some(character) = rest.next() {
            if character != '%' {
                out.push(character);
                continue;
            }
            let before = rest.clone();
            let mut next = rest.next();
            let mut flag = None;
            if let Some(found @ ('-' | '_' | '0' | '^' | '#')) = next {
                flag = Some(found);
                next = rest.next();
            }
            let field = next.and_then(|kind| self.field(kind, flag));
            match (field, flag) {
                (Some(text), Some('^')) => out.push_str(&text.to_uppercase()),
                (Some(text), Some('#')) if next == Some('p') => out.push_str(&text.to_lowercase()),
                (Some(text), Some('#')) => out.push_str(&text.to_uppercase()),
                (Some(text), _) => out.push_str(&text),
                (None, _) => {
                    out.push('%');
                    rest = before;
                }
            }
        }
        out
    }

    fn field(&self, kind: char, flag: Option<char>) -> Option<String> {
        let number = |value: i64, width: usize, pad: char| {
            let pad = match flag {
                Some('-') => return value.to_string(),
                Some('_') => ' ',
                Some('0') => '0',
                _ => pad,
            };
            let mut text = String::new();
            let _ = write!(text, "{value}");
            while text.len() < width {
                text.insert(0, pad);
            }
            text
        };
        let two = |value: i64| number(value, 2, '0');
        let hour12 = i64::from((self.hour + 11) % 12 + 1);
        let (weekday, yearday) = (self.weekday(), self.day_of_year());
        let (hour, minute, second) = (
            i64::from(self.hour),
            i64::from(self.minute),
            i64::from(self.second),
        );
        let (month, day, year) = (
            i64::from(self.month),
            i64::from(self.day),
            i64::from(self.year),
        );
        let name = MONTHS[usize::from(self.month) - 1];
        Some(match kind {
            '%' => "%".into(),
            'a' => DAYS[weekday][..3].into(),
            'A' => DAYS[weekday].into(),
            'b' | 'h' => name[..3].into(),
            'B' => name.into(),
            'c' => self.format("%a %b %e %H:%M:%S %Y"),
            'C' => two(year / 100),
            'd' => two(day),
            'D' | 'x' => self.format("%m/%d/%y"),
            'e' => number(day, 2, ' '),
            'f' => format!("{:06}", self.microsecond),
            'F' => self.format("%Y-%m-%d"),
            'g' => two(i64::from(self.iso_week().0).rem_euclid(100)),
            'G' => self.iso_week().0.to_string(),
            'H' => two(hour),
            'I' => two(hour12),
            'j' => number(yearday, 3, '0'),
            'k' => number(hour, 2, ' '),
            'l' => number(hour12, 2, ' '),
            'm' => two(month),
            'M' => two(minute),
            'n' => "\n".into(),
            'p' => if self.hour < 12 { "AM" } else { "PM" }.into(),
            'P' => if self.hour < 12 { "am" } else { "pm" }.into(),
            'r' => self.format("%I:%M:%S %p"),
            'R' => self.format("%H:%M"),
            's' => self.seconds().to_string(),
            'S' => two(second),
            't' => "\t".into(),
            'T' | 'X' => self.format("%H:%M:%S"),
            'u' => (weekday + 1).to_string(),
            'U' => two((yearday + 6 - (weekday as i64 + 1) % 7) / 7),
            'V' => two(self.iso_week().1),
            'w' => ((weekday + 1) % 7).to_string(),
            'W' => two((yearday + 6 - weekday as i64) / 7),
            'y' => two(year.rem_euclid(100)),
            'Y' => number(year, 1, '0'),
            'z' | 'Z' => String::new(),
            _ => return None,
        })
    }
}
