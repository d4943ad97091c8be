//! Findings that are accepted for a time: a file that says which buckets, why, until when, and on which example one sees
//! whether they still fail.
//!
//! ```toml
//! [[accepted]]
//! bucket = "licm-value-mismatch-3f2a9c01de"
//! reason = "https://github.com/llvm/llvm-project/issues/…"
//! expires = 2027-03-31
//! example = "findings/licm-value-mismatch-3f2a9c01de/5d1c0a….ll"
//! ```
//!
//! From the day after `expires` on a bucket counts as a finding again. `example` is a path below the directory of the file;
//! without it the bucket's own file among the findings is meant. An example that does not fail any more is an alarm: what was
//! accepted is mended, or hides behind something else, and the entry should go.

use super::whole;
use serde::Deserialize;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// A day.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Day {
    /// The year.
    pub year: u16,
    /// The month, from 1.
    pub month: u8,
    /// The day, from 1.
    pub day: u8,
}

impl Day {
    /// Today, in Greenwich.
    pub fn today() -> Self {
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
        Self::of_days(seconds / (24 * 60 * 60))
    }
    /// The day so many days after the first of January 1970: Howard Hinnant's `civil_from_days`
    /// (<https://howardhinnant.github.io/date_algorithms.html>).
    fn of_days(days: u64) -> Self {
        let days = days + 719_468;
        let (era, of_era) = (days / 146_097, days % 146_097);
        let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year + year / 4 - year / 100);
        let from_march = (5 * of_year + 2) / 153;
        let day = of_year - (153 * from_march + 2) / 5 + 1;
        let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
        let year = year + era * 400 + u64::from(month <= 2);
        Self { year: year as u16, month: month as u8, day: day as u8 }
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

/// A bucket that is accepted.
#[derive(Clone, PartialEq, Debug)]
pub struct Accepted {
    /// The bucket.
    pub bucket: String,
    /// Why.
    pub reason: String,
    /// The last day.
    pub expires: Day,
    /// The program that fails, if it is not the one among the findings.
    pub example: Option<PathBuf>,
}

/// What a baseline says of a bucket.
#[derive(Clone, PartialEq, Debug)]
pub enum Standing<'a> {
    /// Nothing.
    Unknown,
    /// It is accepted.
    Accepted(&'a Accepted),
    /// It was.
    Expired(&'a Accepted),
}

/// Buckets that are accepted.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Baseline {
    /// In order of the file.
    pub accepted: Vec<Accepted>,
}

/// Why there is no baseline.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    /// It can't be read.
    #[error("{0} can't be read: {1}")]
    Io(PathBuf, io::Error),
    /// It is not understood.
    #[error("{0} is not understood: {1}")]
    Text(PathBuf, String),
}

/// The file's form.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    accepted: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    bucket: String,
    reason: String,
    expires: toml::value::Datetime,
    example: Option<PathBuf>,
}

impl Baseline {
    /// The baseline that the file `path` holds.
    ///
    /// # Errors
    ///
    /// If it can't be read, or is not understood: an entry without a reason or a date is not.
    pub fn read(path: &Path) -> Result<Self, BaselineError> {
        let io = |e| BaselineError::Io(path.to_owned(), e);
        let text = String::from_utf8(whole::read(path).map_err(io)?).map_err(|e| io(io::Error::other(e)))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        Self::of_text(&text, folder).map_err(|what| BaselineError::Text(path.to_owned(), what))
    }
    /// The baseline that a text holds; examples are below `folder`.
    fn of_text(text: &str, folder: &Path) -> Result<Self, String> {
        let file: File = toml::from_str(text).map_err(|e| e.to_string())?;
        let entry = |entry: Entry| {
            let of = |what: &str| format!("the entry of {}: {what}", entry.bucket);
            let date = entry.expires.date.ok_or_else(|| of("expires is no date"))?;
            if entry.reason.trim().is_empty() {
                return Err(of("the reason is empty"));
            }
            Ok(Accepted {
                expires: Day { year: date.year, month: date.month, day: date.day },
                example: entry.example.map(|example| folder.join(example)),
                bucket: entry.bucket,
                reason: entry.reason,
            })
        };
        let accepted: Vec<Accepted> = file.accepted.into_iter().map(entry).collect::<Result<_, _>>()?;
        let twice =
            accepted.iter().enumerate().find(|(i, a)| accepted[..*i].iter().any(|b| b.bucket == a.bucket));
        match twice {
            Some((_, entry)) => Err(format!("{} is there twice", entry.bucket)),
            None => Ok(Self { accepted }),
        }
    }
    /// What is said of `bucket` on that day.
    pub fn standing(&self, bucket: &str, today: Day) -> Standing<'_> {
        match self.accepted.iter().find(|a| a.bucket == bucket) {
            None => Standing::Unknown,
            Some(entry) if entry.expires < today => Standing::Expired(entry),
            Some(entry) => Standing::Accepted(entry),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Baseline, Day, Standing};
    use std::path::{Path, PathBuf};

    fn day(year: u16, month: u8, day: u8) -> Day {
        Day { year, month, day }
    }

    #[test]
    fn days_are_counted() {
        for (days, expected) in [
            (0, day(1970, 1, 1)),
            (58, day(1970, 2, 28)),
            (59, day(1970, 3, 1)),
            (789, day(1972, 2, 29)),
            (11_016, day(2000, 2, 29)),
            (20_453, day(2025, 12, 31)),
            (20_454, day(2026, 1, 1)),
            (47_540, day(2100, 2, 28)),
            (47_541, day(2100, 3, 1)),
        ] {
            assert_eq!(Day::of_days(days), expected, "{days}");
        }
        assert!(Day::today() > day(2026, 1, 1));
    }

    #[test]
    fn a_bucket_is_accepted_up_to_its_day() {
        let text =
            "[[accepted]]\nbucket = \"a\"\nreason = \"known\"\nexpires = 2027-03-31\nexample = \"x/y.ll\"\n";
        let baseline = Baseline::of_text(text, Path::new("base")).expect("a baseline");
        assert_eq!(baseline.accepted[0].example, Some(PathBuf::from("base/x/y.ll")));
        assert!(matches!(baseline.standing("a", day(2027, 3, 31)), Standing::Accepted(_)));
        assert!(matches!(baseline.standing("a", day(2027, 4, 1)), Standing::Expired(_)));
        assert_eq!(baseline.standing("b", day(2027, 4, 1)), Standing::Unknown);
    }

    #[test]
    fn reasons_and_dates_are_demanded() {
        let entry =
            |rest: &str| Baseline::of_text(&format!("[[accepted]]\nbucket = \"a\"\n{rest}"), Path::new(""));
        assert!(entry("reason = \"r\"\nexpires = 2027-01-01\n").is_ok());
        for wrong in [
            "reason = \"r\"\n",
            "expires = 2027-01-01\n",
            "reason = \" \"\nexpires = 2027-01-01\n",
            "reason = \"r\"\nexpires = \"soon\"\n",
            "reason = \"r\"\nexpires = 07:32:00\n",
            "reason = \"r\"\nexpires = 2027-01-01\nexpiry = 1\n",
            "reason = \"r\"\nexpires = 2027-01-01\n[[accepted]]\nbucket = \"a\"\nreason = \"r\"\nexpires = 2027-01-01\n",
        ] {
            assert!(entry(wrong).is_err(), "{wrong}");
        }
    }
}
