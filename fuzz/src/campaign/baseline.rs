//! Baseline of accepted findings: a file that lists buckets, each with a reason, an expiry date, and an example that
//! shows whether the finding still fails.
//!
//! ```toml
//! [[accepted]]
//! bucket = "licm-value-mismatch-3f2a9c01de"
//! reason = "https://github.com/llvm/llvm-project/issues/…"
//! expires = 2027-03-31
//! example = "findings/licm-value-mismatch-3f2a9c01de/5d1c0a….ll"
//! ```
//!
//! After the day `expires` the bucket counts as a finding again. `example` is a path relative to the directory of the
//! file; the default is the bucket's own file among the findings. An example that no longer fails raises an alarm:
//! the accepted failure is fixed or masked by another one, and the entry should be removed.

use super::bucket::is_bucket;
use super::whole;
use serde::Deserialize;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
use toml::Spanned;

/// A calendar day.
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
    /// Today, in UTC.
    pub fn today() -> Self {
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
        Self::of_days(seconds / (24 * 60 * 60))
    }
    /// Converts days since 1970-01-01 to a date, with Howard Hinnant's `civil_from_days`
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

/// An accepted bucket.
#[derive(Clone, PartialEq, Debug)]
pub struct Accepted {
    /// The line of the file that names the bucket.
    pub line: usize,
    /// The bucket.
    pub bucket: String,
    /// Why the bucket is accepted.
    pub reason: String,
    /// The last day on which the bucket is accepted.
    pub expires: Day,
    /// The failing program, if it is not the one among the findings.
    pub example: Option<PathBuf>,
}

/// Status of a bucket in a baseline.
#[derive(Clone, PartialEq, Debug)]
pub enum Standing<'a> {
    /// The baseline has no entry for the bucket.
    Unknown,
    /// The bucket is accepted.
    Accepted(&'a Accepted),
    /// The bucket was accepted, but the entry has expired.
    Expired(&'a Accepted),
}

/// All accepted buckets.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Baseline {
    /// The entries, in file order.
    pub accepted: Vec<Accepted>,
}

/// Why a baseline can't be loaded.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    /// The file can't be read.
    #[error("{0} can't be read: {1}")]
    Io(PathBuf, io::Error),
    /// The file can't be parsed.
    #[error("{0} can't be parsed: {1}")]
    Text(PathBuf, String),
}

/// The format of the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    accepted: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    bucket: Spanned<String>,
    reason: Spanned<String>,
    expires: Spanned<toml::value::Datetime>,
    example: Option<Spanned<PathBuf>>,
}

impl Entry {
    /// Validates the entry and adds its line number in `text`; the example path is relative to `folder`.
    fn accepted(self, text: &str, folder: &Path) -> Result<Accepted, String> {
        let Self { bucket, reason, expires, example } = self;
        let line = |byte: usize| 1 + text[..byte].matches('\n').count();
        let at = |byte: usize, what: &str| {
            Err(format!("line {}: the entry of {:?}: {what}", line(byte), bucket.as_ref()))
        };
        if !is_bucket(bucket.as_ref()) {
            let what =
                "not a bucket name: expected pass, kind and ten hash digits, as a campaign prints them";
            return at(bucket.span().start, what);
        }
        if reason.as_ref().trim().is_empty() {
            return at(reason.span().start, "the reason is empty");
        }
        let Some(date) = expires.as_ref().date else {
            return at(expires.span().start, "expires is no date");
        };
        if let Some(example) = &example
            && example.as_ref().as_os_str().is_empty()
        {
            return at(example.span().start, "the example is no path");
        }
        Ok(Accepted {
            line: line(bucket.span().start),
            bucket: bucket.into_inner(),
            reason: reason.into_inner(),
            expires: Day { year: date.year, month: date.month, day: date.day },
            example: example.map(|example| folder.join(example.into_inner())),
        })
    }
}

impl Baseline {
    /// Reads the baseline from the file `path`.
    ///
    /// # Errors
    ///
    /// If the file can't be read or parsed. An entry without a reason or an expiry date is an error.
    pub fn read(path: &Path) -> Result<Self, BaselineError> {
        let io = |e| BaselineError::Io(path.to_owned(), e);
        let text = String::from_utf8(whole::read(path).map_err(io)?).map_err(|e| io(io::Error::other(e)))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        Self::of_text(&text, folder).map_err(|what| BaselineError::Text(path.to_owned(), what))
    }
    /// Parses a baseline; example paths are relative to `folder`.
    fn of_text(text: &str, folder: &Path) -> Result<Self, String> {
        let file: File = toml::from_str(text).map_err(|e| e.to_string())?;
        let accepted: Vec<Accepted> =
            file.accepted.into_iter().map(|entry| entry.accepted(text, folder)).collect::<Result<_, _>>()?;
        let twice =
            accepted.iter().enumerate().find(|(i, a)| accepted[..*i].iter().any(|b| b.bucket == a.bucket));
        match twice {
            Some((_, entry)) => Err(format!("line {}: {} is there twice", entry.line, entry.bucket)),
            None => Ok(Self { accepted }),
        }
    }
    /// The status of `bucket` on the day `today`.
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
        let text = "[[accepted]]\nbucket = \"gvn-crash-0123456789\"\nreason = \"known\"\nexpires = 2027-03-31\n\
                    example = \"x/y.ll\"\n";
        let baseline = Baseline::of_text(text, Path::new("base")).expect("a baseline");
        assert_eq!(baseline.accepted[0].example, Some(PathBuf::from("base/x/y.ll")));
        let standing = |bucket, month, day_of| baseline.standing(bucket, day(2027, month, day_of));
        assert!(matches!(standing("gvn-crash-0123456789", 3, 31), Standing::Accepted(_)));
        assert!(matches!(standing("gvn-crash-0123456789", 4, 1), Standing::Expired(_)));
        assert_eq!(standing("gvn-crash-0123456788", 4, 1), Standing::Unknown);
    }

    #[test]
    fn errors_name_their_line() {
        let error = |text: &str| Baseline::of_text(text, Path::new("")).expect_err(text);
        let entry = |rest: &str| format!("[[accepted]]\nbucket = \"gvn-crash-0123456789\"\n{rest}");
        let right = entry("reason = \"r\"\nexpires = 2027-01-01\n");
        assert!(Baseline::of_text(&right, Path::new("")).is_ok());
        for (wrong, told) in [
            (entry("reason = \"r\"\n"), "missing field `expires`"),
            (entry("expires = 2027-01-01\n"), "missing field `reason`"),
            (
                entry("reason = \" \"\nexpires = 2027-01-01\n"),
                "line 3: the entry of \"gvn-crash-0123456789\": the reason",
            ),
            (entry("reason = \"r\"\nexpires = \"soon\"\n"), "line 4"),
            (entry("reason = \"r\"\nexpires = 07:32:00\n"), "line 4"),
            (entry("reason = \"r\"\nexpires = 2027-01-01\nexample = \"\"\n"), "line 5"),
            (entry("reason = \"r\"\nexpires = 2027-01-01\nexpiry = 1\n"), "line 5"),
            (right.repeat(2), "line 6: gvn-crash-0123456789 is there twice"),
        ] {
            assert!(error(&wrong).contains(told), "{}\n{wrong}", error(&wrong));
        }
        for bucket in
            ["", "../gvn-crash-0123456789", "gvn-crash", "gvn crash-0123456789", "GVN-crash-0123456789"]
        {
            let text = format!("\n{}", right.replace("gvn-crash-0123456789", bucket));
            assert!(
                error(&text).contains("line 3: ") && error(&text).contains("not a bucket name"),
                "{}",
                error(&text)
            );
        }
    }
}
