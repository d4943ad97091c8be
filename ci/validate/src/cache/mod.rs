//! Verdicts of earlier runs.
//!
//! A verdict is found again by what it depends on ([`key::Key`]): both functions with what they refer to, in a text in
//! which names of locals make no difference, the options but for the budget, the sources of the checker and the version
//! of Z3. What was given up for want of time, memory or units is used again only where no more is to be had
//! ([`entry::Entry`]). Verdicts on a worker's death and internal errors are never kept.
//!
//! The store is an SQLite file in write-ahead mode ([`store::Store`]), which several processes may use at a time and which
//! survives the death of any of them. Damage is seen: each entry bears a checksum over itself and its key and is dropped where
//! that or its form is wrong; a refutation is run again before it counts. Who may write the directory can put a verdict
//! there all the same, as he could replace this program: a cache is to be shared with those who are trusted. Where the store can't be read or
//! written (damage, a full disk, a directory of somebody else, a later version), a warning says so, and the work goes on
//! without it.

mod entry;
mod key;
mod names;
mod store;

use crate::case::Replayed;
use crate::check::{Options, Report, Side, qualified};
use crate::extracted::Extracted;
use crate::replay;
use crate::verdict::Verdict;
use crate::witness::Refutation;
use entry::{Budget, Entry};
use key::Key;
use std::path::Path;
use store::Store;

pub use store::Mode;

/// Verdicts of earlier runs, for all threads of this one.
#[derive(Debug)]
pub struct Cache {
    store: Store,
}

/// Says to the user what is wrong with the cache.
pub type Warn = Box<dyn Fn(&str) + Send + Sync>;

impl Cache {
    /// The cache in the directory `dir`, which is made if `mode` allows to write. Beyond `limit` bytes its oldest verdicts
    /// are dropped. Whatever is wrong with it, `warn` is told
    /// of it, now or when it shows, and the cache knows nothing from then on.
    pub fn open(dir: &Path, mode: Mode, limit: u64, warn: Warn) -> Self {
        Self { store: Store::open(dir, mode, limit, warn) }
    }

    /// What is known of `pair`.
    pub(crate) fn find(&self, pair: &Extracted, options: &Options, key: &Key) -> Option<Report> {
        let record = self.store.get(key.bytes())?;
        let Some(entry) = Entry::from_record(&record) else {
            self.store.drop_entry(key.bytes());
            return None;
        };
        if !entry.serves(options) {
            return None;
        }
        if let Some(refutation) = entry.report.verdict.refutation() {
            let again = run_again(pair.sides(), options, refutation, &entry);
            if again.is_none() {
                self.store.drop_entry(key.bytes());
            }
            return again;
        }
        entry.for_names(pair)
    }

    /// Keeps what was found out about `pair`.
    pub(crate) fn keep(&self, pair: &Extracted, options: &Options, key: &Key, report: &Report) {
        if let Some(entry) = Entry::new(pair, report, Budget::of(options)) {
            self.store.put(key.bytes(), &entry.to_record());
        }
    }

    /// The key of `pair`.
    pub(crate) fn key(&self, pair: &Extracted, options: &Options) -> Key {
        Key::new(pair, options)
    }
}

/// The refutation, if the interpreter sees it again.
fn run_again(
    (source, target): (Side<'_>, Side<'_>),
    options: &Options,
    refutation: &Refutation,
    entry: &Entry,
) -> Option<Report> {
    let refuted = match &entry.counterexample {
        None => match refutation.case.replay(source, target, options) {
            Ok(Replayed::Refuted(again)) => Refutation { found_by: refutation.found_by, ..*again },
            Ok(Replayed::NotRefuted(_)) | Err(_) => return None,
        },
        Some(counterexample) => {
            let replayed =
                replay::replay((source, target), options, &counterexample.witness, counterexample.exact);
            match replayed {
                replay::Replay::Confirmed(refutation) => *refutation,
                replay::Replay::Denied(_) | replay::Replay::Undecided(_) => return None,
            }
        }
    };
    let refuted = Box::new(refuted);
    let verdict = match &entry.report.verdict {
        Verdict::RefutedByUndef { otherwise, .. } if refuted.undef_input => {
            Verdict::RefutedByUndef { refutation: refuted, otherwise: otherwise.clone() }
        }
        _ => Verdict::Refuted(refuted),
    };
    let verdict = qualified(verdict, source, target);
    verdict.refutation().is_some().then(|| Report { verdict, ..entry.report.clone() })
}
