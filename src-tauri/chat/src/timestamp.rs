//! The moment a call is made, as its `now` says. Always UTC; no clock is read here.

use jiff::{Timestamp, civil::DateTime, fmt::temporal::DateTimeParser, tz::TimeZone};

use promptdeck_jinja as jinja;

/// A point in time; by default the start of 1970.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(Timestamp);

/// A text that names no point in time.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a date and time; write it like 2026-01-15T10:30:00Z")]
pub struct MomentError {
    text: String,
}

impl MomentError {
    /// The refusal of a text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        Self {
            text: text.chars().take(64).collect(),
        }
    }

    /// The stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        "bad_date"
    }
}

impl Moment {
    /// Parses ISO 8601. Without an offset the time is UTC; a date alone is its midnight.
    ///
    /// # Errors
    /// [`MomentError`] if the text is not a time.
    pub fn parse(text: &str) -> Result<Self, MomentError> {
        const PARSER: DateTimeParser = DateTimeParser::new();
        let refused = || MomentError::of(text);
        let text = text.trim();
        PARSER
            .parse_timestamp(text)
            .or_else(|_| {
                let civil: DateTime = PARSER.parse_datetime(text)?;
                TimeZone::UTC.to_timestamp(civil)
            })
            .or_else(|error| {
                let (civil, offset) = jinja::Moment::parse(text).ok_or(error)?;
                Timestamp::from_second(civil.seconds() - i64::from(offset.unwrap_or(0)))
            })
            .map(Self)
            .map_err(|_| refused())
    }

    /// The moment that many milliseconds after the start of 1970; `None` outside the calendar.
    #[must_use]
    pub fn from_unix_ms(milliseconds: i64) -> Option<Self> {
        Timestamp::from_millisecond(milliseconds).ok().map(Self)
    }

    /// Seconds since the start of 1970.
    #[must_use]
    pub fn unix_seconds(self) -> i64 {
        self.0.as_second()
    }

    /// Milliseconds since the start of 1970.
    #[must_use]
    pub fn unix_ms(self) -> i64 {
        self.0.as_millisecond()
    }

    /// Whole seconds from an earlier moment to this one; `None` when it is not earlier.
    #[must_use]
    pub fn seconds_since(self, earlier: Self) -> Option<i64> {
        let passed = self.0.as_millisecond() - earlier.0.as_millisecond();
        (passed >= 0).then_some(passed / 1000)
    }

    /// RFC 3339 with `Z` and no fraction.
    #[must_use]
    pub fn rfc3339(self) -> String {
        self.format("%Y-%m-%dT%H:%M:%SZ")
    }

    /// The moment as `strftime` writes it.
    ///
    /// # Panics
    /// When `format` holds a directive that jiff does not know.
    #[must_use]
    pub fn format(self, format: &'static str) -> String {
        self.0.strftime(format).to_string()
    }
}

/// Reads what [`Moment::parse`] reads, as a clock on the wall shows it, and its offset from UTC in
/// seconds where the text has one.
#[must_use]
pub fn parse_wall_clock(text: &str) -> Option<(jinja::Moment, Option<i32>)> {
    jinja::Moment::parse(text).or_else(|| {
        let moment = Moment::parse(text).ok()?;
        let offset = DateTimeParser::new().parse_timestamp(text.trim()).is_ok();
        let wall = jinja::Moment::from_seconds(moment.unix_seconds(), 0)?;
        Some((wall, offset.then_some(0)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<&str>) {
        let moment = Moment::parse(text).ok().map(Moment::rfc3339);
        assert_eq!(moment.as_deref(), expected, "{text}");
    }

    #[test]
    fn dates_as_they_are_written() {
        check("2026-01-15T10:30:00Z", Some("2026-01-15T10:30:00Z"));
        check("2026-01-15T10:30:00.999Z", Some("2026-01-15T10:30:00Z"));
        check("2026-01-15T10:30:00+02:00", Some("2026-01-15T08:30:00Z"));
        check("2026-01-15 10:30:00", Some("2026-01-15T10:30:00Z"));
        check("2026-01-15", Some("2026-01-15T00:00:00Z"));
        check("yesterday", None);
        check("", None);
        check("2026-13-15T10:30:00Z", None);
    }

    #[test]
    fn a_wall_clock_reads_what_a_moment_reads() {
        for text in [
            "2026-01-15T10:30:00Z",
            "2026-01-15t10:30:00z",
            "2026-01-15 10:30",
            "2026-01-15",
            "2026-01-15T10:30:00,5",
            "2026-01-15T10:30:00+0200",
            "20260115T103000Z",
            "2026-01-15T10:30:00+02:00[Europe/Berlin]",
            "yesterday",
            "2026-13-15",
            "",
        ] {
            let moment = Moment::parse(text).ok();
            let wall = parse_wall_clock(text);
            let seconds =
                wall.map(|(wall, offset)| wall.seconds() - i64::from(offset.unwrap_or(0)));
            assert_eq!(moment.map(Moment::unix_seconds), seconds, "{text}");
        }
    }

    #[test]
    fn seconds_are_whole_and_never_negative() {
        let earlier = Moment::parse("2026-01-01T00:00:00.900Z").expect("a moment");
        let later = Moment::parse("2026-01-01T00:01:01.800Z").expect("a moment");
        assert_eq!(later.seconds_since(earlier), Some(60));
        assert_eq!(earlier.seconds_since(later), None);
    }
}
