//! The clock a template may ask for: a date and time given by the caller, and `strftime` over it.
//! Without time zones: Python's `datetime.now()` has none either.

use jiff::SignedDuration;
use jiff::civil::{Date, DateTime, Time};
use jiff::fmt::strtime::{BrokenDownTime, Config, PosixCustom};

/// A date and time of the proleptic Gregorian calendar.
///
/// ```
/// use promptdeck_jinja::Moment;
///
/// let moment = Moment::new((2024, 7, 26), (9, 5, 3), 0).expect("a date and a time");
/// assert_eq!(moment.format("%d %b %Y, %H:%M"), "26 Jul 2024, 09:05");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment(DateTime);

/// The beginning of 1970.
const EPOCH: DateTime = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);

impl Default for Moment {
    /// The beginning of 1970.
    fn default() -> Self {
        Self(EPOCH)
    }
}

impl Moment {
    /// A moment from its parts; `None` when there is no such day or time. Years from 1 to 9999.
    #[must_use]
    pub fn new(date: (i32, u8, u8), time: (u8, u8, u8), microsecond: u32) -> Option<Self> {
        let (year, month, day) = date;
        let (hour, minute, second) = time;
        if !(1..=9999).contains(&year) || microsecond >= 1_000_000 {
            return None;
        }
        let part = |value: u8| i8::try_from(value).ok();
        let date = Date::new(i16::try_from(year).ok()?, part(month)?, part(day)?).ok()?;
        let nanosecond = i32::try_from(microsecond * 1000).ok()?;
        let time = Time::new(part(hour)?, part(minute)?, part(second)?, nanosecond).ok()?;
        Some(Self(DateTime::from_parts(date, time)))
    }

    /// The moment that many seconds after 1970-01-01 00:00:00 of the same clock.
    #[must_use]
    pub fn from_seconds(seconds: i64, microsecond: u32) -> Option<Self> {
        let nanosecond = i32::try_from(microsecond.checked_mul(1000)?).ok()?;
        let whole = EPOCH.checked_add(SignedDuration::from_secs(seconds)).ok()?;
        let moment = whole.with().subsec_nanosecond(nanosecond).build().ok()?;
        (1..=9999).contains(&moment.year()).then_some(Self(moment))
    }

    /// Seconds after 1970-01-01 00:00:00 of the same clock.
    #[must_use]
    pub fn seconds(&self) -> i64 {
        let since = self.0.duration_since(EPOCH);
        since.as_secs() - i64::from(since.subsec_nanos() < 0)
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

    /// `strftime` in the C locale, as Python on Linux has it, with one flag `-`, `_`, `0`, `^` or `#`.
    /// Directives that the C library does not know stay as they are.
    #[must_use]
    pub fn format(&self, format: &str) -> String {
        let mut known = String::with_capacity(format.len());
        let mut rest = format;
        while let Some((before, after)) = rest.split_once('%') {
            known.push_str(before);
            let flag = after.chars().next().filter(|one| "-_0^#".contains(*one));
            let kind = after[flag.map_or(0, char::len_utf8)..].chars().next();
            let directive = kind.and_then(|kind| self.directive(flag, kind));
            let (Some(directive), Some(kind)) = (directive, kind) else {
                known.push_str("%%");
                rest = after;
                continue;
            };
            known.push_str(&directive);
            rest = &after[flag.map_or(0, char::len_utf8) + kind.len_utf8()..];
        }
        known.push_str(rest);
        let config = Config::new().custom(PosixCustom::new()).lenient(true);
        BrokenDownTime::from(self.0)
            .to_string_with_config(&config, &known)
            .unwrap_or_default()
    }

    /// What jiff formats as the C library formats the directive; `None` for one it does not know.
    fn directive(&self, flag: Option<char>, kind: char) -> Option<String> {
        Some(match (kind, flag) {
            // Python fills these in before the C library reads the format.
            ('f', None) => "%6f".into(),
            ('z' | 'Z', _) => String::new(),
            ('s', _) => self.seconds().to_string(),
            // Years are never padded.
            ('Y' | 'G', _) => format!("%-{kind}"),
            ('F', _) => "%-Y-%m-%d".into(),
            ('c', Some('^')) => "%^a %^b %e %H:%M:%S %-Y".into(),
            ('c', _) => "%a %b %e %H:%M:%S %-Y".into(),
            ('C' | 'P', _) => format!("%{kind}"),
            ('a' | 'A' | 'b' | 'B' | 'h', Some('#')) => format!("%^{kind}"),
            _ if "%aAbBdDeghHIjklmMnprRStTuUVwWxXy".contains(kind) => {
                let flag = flag.map(String::from).unwrap_or_default();
                format!("%{flag}{kind}")
            }
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Moment;

    /// As CPython 3.11 prints 0999-01-01 on Linux.
    #[test]
    fn early_years_are_not_padded() {
        let early = Moment::new((999, 1, 1), (0, 0, 0), 5).expect("a moment");
        for (format, printed) in [
            ("%Y %_Y %G %C %y %g", "999 999 999 9 99 99"),
            ("%F %D", "999-01-01 01/01/99"),
            ("%c", "Tue Jan  1 00:00:00 999"),
            ("%f", "000005"),
        ] {
            assert_eq!(early.format(format), printed, "{format}");
        }
    }

    #[test]
    fn seconds_count_from_1970_in_both_directions() {
        for seconds in [-62_135_596_800, -1, 0, 1_721_984_703, 253_402_300_799] {
            let moment = Moment::from_seconds(seconds, 999_999).expect("a moment");
            assert_eq!(moment.seconds(), seconds);
        }
        assert_eq!(Moment::from_seconds(-62_135_596_801, 0), None);
        assert_eq!(Moment::from_seconds(253_402_300_800, 0), None);
        assert_eq!(Moment::from_seconds(i64::MAX, 0), None);
    }
}
