//! The progress of a campaign, in a state file: the completed seeds, counters of findings, and the findings that
//! still have to be worked up. An interrupted campaign resumes where it stopped and reaches the same result as
//! without the interruption.
//!
//! Campaigns with other settings use other files in the same directory.

use super::bucket::is_name;
use super::task::{Counts, Raw};
use super::whole::{self, by_temp};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// The stored state.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// The system under test and the settings: for people, and to distinguish campaigns.
    pub settings: Vec<String>,
    /// Completed ranges of seeds, sorted, disjoint and not adjacent: first and one past the last.
    pub done: Vec<(u64, u64)>,
    /// Counters of the work done.
    pub counts: Counts,
    /// Number of findings before work-up, by [`Raw::group`].
    pub groups: BTreeMap<String, Met>,
    /// Number of worked-up findings, by bucket.
    pub buckets: BTreeMap<String, u64>,
    /// Findings still to be worked up, in order.
    pub pending: Vec<Raw>,
}

/// Counters for a group of findings.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Met {
    /// Programs that showed the finding.
    pub met: u64,
    /// Programs whose finding was worked up.
    pub worked_up: u64,
    /// Worked-up findings that could not be reproduced.
    #[serde(default)]
    pub lost: u64,
}

impl State {
    /// Records the seeds `first..end` as completed.
    pub fn finish(&mut self, first: u64, end: u64) {
        self.done.push((first, end));
        self.done.sort_unstable();
        let mut joined: Vec<(u64, u64)> = Vec::new();
        for (first, end) in std::mem::take(&mut self.done) {
            match joined.last_mut() {
                Some(last) if last.1 >= first => last.1 = last.1.max(end),
                _ => joined.push((first, end)),
            }
        }
        self.done = joined;
    }
    /// Number of worked-up findings that could not be reproduced.
    pub fn lost(&self) -> u64 {
        self.groups.values().map(|met| met.lost).sum()
    }
    /// The first seed at or after `from` that is not completed.
    pub fn next(&self, from: u64) -> u64 {
        self.done.iter().find(|(first, end)| (*first..*end).contains(&from)).map_or(from, |(_, end)| *end)
    }
    /// The end of the gap that starts at `from`, a seed that is not completed: the start of the next completed range.
    pub fn gap_end(&self, from: u64) -> u64 {
        self.done.iter().map(|(first, _)| *first).find(|first| *first > from).unwrap_or(u64::MAX)
    }
}

/// The state file.
#[derive(Debug)]
pub struct StateFile {
    path: PathBuf,
    /// Held while the campaign runs.
    _lock: File,
}

/// Why the state can't be loaded.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// Another process holds the lock.
    #[error("another campaign with the same settings is at work in {0}")]
    Locked(PathBuf),
    /// The file can't be read or written.
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    /// The file was not written by a campaign with these settings.
    #[error(
        "{0} is damaged ({1}): --restart puts a new one in its place, and does all seeds again; findings stay"
    )]
    Damaged(PathBuf, String),
}

impl StateFile {
    /// Opens and locks the state file in `dir` of the campaign with these settings and this number of systems under
    /// test, and reads the state. With `restart` the state is empty, whatever the file holds.
    ///
    /// # Errors
    ///
    /// If another process holds the lock, or the file can't be read.
    pub fn open(
        dir: &Path,
        settings: &[String],
        systems: usize,
        restart: bool,
    ) -> Result<(Self, State), StateError> {
        let hash = blake3::hash(settings.join("\n").as_bytes()).to_hex();
        let path = dir.join(format!("state-{}.json", &hash[..12]));
        let lock_path = path.with_extension("lock");
        let io = |path: &Path| {
            let path = path.to_owned();
            move |e| StateError::Io(path, e)
        };
        fs::create_dir_all(dir).map_err(io(dir))?;
        whole::is_ordinary(&lock_path).map_err(io(&lock_path))?;
        whole::is_ordinary(&path).map_err(io(&path))?;
        // Nothing is written to the lock file, so the target of a link stays unchanged.
        let lock = OpenOptions::new().write(true).create(true).truncate(false).open(&lock_path);
        let lock = lock.map_err(io(&lock_path))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(StateError::Locked(dir.to_owned())),
            Err(TryLockError::Error(e)) => return Err(StateError::Io(lock_path, e)),
        }
        let none = || State { settings: settings.to_vec(), ..State::default() };
        let state = if restart {
            none()
        } else {
            match fs::read(&path) {
                Ok(text) => Self::understood(&text, settings, systems)
                    .map_err(|e| StateError::Damaged(path.clone(), e))?,
                Err(e) if e.kind() == io::ErrorKind::NotFound => none(),
                Err(e) => return Err(StateError::Io(path, e)),
            }
        };
        Ok((Self { path, _lock: lock }, state))
    }

    /// Parses and validates a state. Missing fields are zero, as in files of earlier versions; an empty object is
    /// rejected because its settings differ.
    fn understood(text: &[u8], settings: &[String], systems: usize) -> Result<State, String> {
        let state: State = serde_json::from_slice(text).map_err(|e| e.to_string())?;
        if state.settings != settings {
            return Err("it is not that of a campaign with these settings".to_owned());
        }
        if let Some(raw) = state.pending.iter().find(|raw| raw.system >= systems) {
            return Err(format!("seed {} is of a system that there is not", raw.seed));
        }
        if let Some(bucket) = state.buckets.keys().find(|bucket| !is_name(bucket)) {
            return Err(format!("{bucket:?} is no bucket"));
        }
        // Ranges must be sorted, nonempty, and separated by gaps.
        let mut upto = None;
        for &(first, end) in &state.done {
            if first >= end || upto.is_some_and(|upto| first <= upto) {
                return Err(format!("the seeds {first}..{end} can't be done"));
            }
            upto = Some(end);
        }
        Ok(state)
    }

    /// Writes `state` atomically: the file always holds the old state or the new one.
    ///
    /// # Errors
    ///
    /// If the file can't be written.
    pub fn save(&self, state: &State) -> Result<(), StateError> {
        let io = |e| StateError::Io(self.path.clone(), e);
        let temp = self.path.with_extension("tmp");
        let text = serde_json::to_vec(state).map_err(|e| io(io::Error::other(e)))?;
        by_temp(&temp, &text, |temp| fs::rename(temp, &self.path)).map_err(io)
    }
    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

#[cfg(test)]
mod tests {
    use super::{State, StateFile};

    #[test]
    fn what_no_campaign_writes_is_damaged() {
        let settings = ["passes licm".to_owned()];
        let mut good = State { settings: settings.to_vec(), ..State::default() };
        good.done = vec![(0, 5), (7, 9)];
        good.buckets.insert("licm-more-poisonous-0123456789".to_owned(), 2);
        let read = |state: &State| {
            StateFile::understood(&serde_json::to_vec(state).expect("it is written"), &settings, 1)
        };
        assert_eq!(read(&good), Ok(good.clone()));
        for done in [vec![(5, 5)], vec![(7, 9), (0, 5)], vec![(0, 5), (5, 9)], vec![(0, 5), (3, 9)]] {
            assert!(read(&State { done, ..good.clone() }).is_err());
        }
        for bucket in ["../../x", "", "a/b", "."] {
            let buckets = [(bucket.to_owned(), 1)].into();
            assert!(read(&State { buckets, ..good.clone() }).is_err(), "{bucket}");
        }
    }

    #[test]
    fn ranges_are_joined() {
        let mut state = State::default();
        assert_eq!((state.next(0), state.gap_end(0)), (0, u64::MAX));
        state.finish(10, 20);
        state.finish(0, 5);
        assert_eq!((state.next(0), state.next(5), state.gap_end(5), state.next(12)), (5, 5, 10, 20));
        state.finish(5, 10);
        assert_eq!(state.done, [(0, 20)]);
        state.finish(30, 40);
        state.finish(15, 35);
        assert_eq!(state.done, [(0, 40)]);
    }
}
