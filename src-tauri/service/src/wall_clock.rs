//! The machine's clock in its own time zone, for chat templates that print the date.

use jiff::{Timestamp, tz::TimeZone};
use promptdeck_jinja::Moment;

/// The machine's time zone, looked up once.
pub struct WallClock(TimeZone);

impl WallClock {
    /// The machine's clock.
    #[must_use]
    pub fn of_the_system() -> Self {
        Self(TimeZone::system())
    }

    /// The current local time.
    #[must_use]
    pub fn now(&self) -> Moment {
        self.wall(Timestamp::now())
    }

    /// The local time at `moment`, which is given in a zone `offset` seconds east of UTC.
    #[must_use]
    pub fn local(&self, moment: Moment, offset: i32) -> Moment {
        let seconds = moment.seconds() - i64::from(offset);
        Timestamp::from_second(seconds).map_or(moment, |timestamp| self.wall(timestamp))
    }

    fn wall(&self, timestamp: Timestamp) -> Moment {
        let civil = self.0.to_datetime(timestamp);
        let part = |value: i8| u8::try_from(value).unwrap_or_default();
        Moment::new(
            (
                i32::from(civil.year()),
                part(civil.month()),
                part(civil.day()),
            ),
            (
                part(civil.hour()),
                part(civil.minute()),
                part(civil.second()),
            ),
            u32::try_from(civil.subsec_nanosecond() / 1000).unwrap_or_default(),
        )
        .unwrap_or_default()
    }
}

impl Default for WallClock {
    fn default() -> Self {
        Self::of_the_system()
    }
}
