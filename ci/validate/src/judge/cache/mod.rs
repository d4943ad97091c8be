//! Persistent cache of verdicts.
//!
//! The key ([`key::Key`]) covers everything a verdict depends on: both functions with everything they refer to, in a
//! text form independent of local names; the options except the budget; the checker's sources; and the version of Z3.
//! Verdicts that gave up for lack of time, memory or units are reused only for budgets that are not larger
//! ([`entry::Entry`]). Verdicts on a worker's death and internal errors are never kept.
//!
//! The store is an SQLite file in write-ahead mode ([`store::Store`]); several processes may use it concurrently, and
//! it survives the death of any of them. Damage is detected: each entry has a checksum over itself and its key, and is
//! dropped if the checksum or the format is wrong; a refutation is replayed before it counts. Anybody with write access
//! to the directory can still insert a verdict, as they could replace this program: share a cache only with trusted
//! users. If the store cannot be read or written (damage, a full disk, another owner's directory, a later version), a
//! warning is issued and work continues without it.

mod entry;
mod key;
mod names;
mod store;

use crate::admit::qualified::qualified;
use crate::pair::Sides;
use crate::pair::extracted::Extracted;
use crate::replay::case::Replayed;
use crate::replay::counterexample;
use crate::verdict::witness::Refutation;
use crate::verdict::{Options, Report, Verdict};
use entry::{Budget, Entry};
use key::Key;
use std::path::Path;
use store::Store;

pub use store::Mode;

/// A verdict cache, shared by all threads of this process.
#[derive(Debug)]
pub struct Cache {
    store: Store,
}

/// Callback for warnings about the cache.
pub type Warn = Box<dyn Fn(&str) + Send + Sync>;

impl Cache {
    /// Opens the cache in the directory `dir`, which is created if `mode` permits writing. Above `limit` bytes the
    /// oldest verdicts are dropped. Errors, now or later, are passed to `warn`; the cache then acts as empty.
    pub fn open(dir: &Path, mode: Mode, limit: u64, warn: Warn) -> Self {
        Self { store: Store::open(dir, mode, limit, warn) }
    }

    /// The cached report on `pair`.
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

    /// Stores the report on `pair`.
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

/// The refutation, if the interpreter confirms it again.
fn run_again(
    Sides { source, target }: Sides<'_>,
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
            let replayed = counterexample::replay(
                Sides { source, target },
                options,
                &counterexample.witness,
                counterexample.exact,
            );
            match replayed {
                counterexample::Replay::Confirmed(refutation) => *refutation,
                counterexample::Replay::Denied(_) | counterexample::Replay::Undecided(_) => return None,
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
