//! How far a campaign has come, in a file of its own: which seeds are done, how often what was found, and what is still to be
//! worked up. A campaign that is interrupted goes on where it stopped, and comes to what it would have come to without.
//!
//! Campaigns with other settings have other files in the same directory.

use super::bucket::is_name;
use super::task::{Counts, Raw};
use super::whole::{self, by_temp};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// What is kept.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// What was put to the test, and how: for people, and to tell one campaign from another.
    pub settings: Vec<String>,
    /// Ranges of seeds that are done, in order, without gaps between them that are empty: first and one past the last.
    pub done: Vec<(u64, u64)>,
    /// What was done.
    pub counts: Counts,
    /// How often what was found, before it was worked up, by [`Raw::group`].
    pub groups: BTreeMap<String, Met>,
    /// By bucket, how many findings came down to it.
    pub buckets: BTreeMap<String, u64>,
    /// What is still to be worked up, in order.
    pub pending: Vec<Raw>,
}

/// How often something was met.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Met {
    /// Programs on which it was found.
    pub met: u64,
    /// Those of them that were worked up.
    pub worked_up: u64,
    /// Those of these that did not show again.
    #[serde(default)]
    pub lost: u64,
}

impl State {
    /// Notes that the seeds from `first` to before `end` are done.
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
    /// How many findings that were worked up did not show again.
    pub fn lost(&self) -> u64 {
        self.groups.values().map(|met| met.lost).sum()
    }
    /// The first seed from `from` on that is not done.
    pub fn next(&self, from: u64) -> u64 {
        self.done.iter().find(|(first, end)| (*first..*end).contains(&from)).map_or(from, |(_, end)| *end)
    }
    /// The first seed behind `from`, which is not done, that is.
    pub fn gap_end(&self, from: u64) -> u64 {
        self.done.iter().map(|(first, _)| *first).find(|first| *first > from).unwrap_or(u64::MAX)
    }
}

/// The file.
#[derive(Debug)]
pub struct StateFile {
    path: PathBuf,
    /// Held as long as the campaign runs.
    _lock: File,
}

/// Why there is no state.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// Another process is at it.
    #[error("another campaign with the same settings is at work in {0}")]
    Locked(PathBuf),
    /// It can't be read or written.
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    /// It is not what a campaign with these settings has written.
    #[error(
        "{0} is damaged ({1}): --restart puts a new one in its place, and does all seeds again; findings stay"
    )]
    Damaged(PathBuf, String),
}

impl StateFile {
    /// The state of the campaign with those settings, of so many systems under test, in `dir`, and its file, which is this
    /// process' from now on. With `restart` it is that of a campaign that has done nothing, whatever the file holds.
    ///
    /// # Errors
    ///
    /// If another process has it, or it can't be read.
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
        // Nothing is written to it: whatever that name leads to stays as it is.
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

    /// The state that a text holds. What is left out was zero where an earlier version wrote it, but never all of it.
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
        // In order, none empty, with something that is not done between them.
        let mut upto = None;
        for &(first, end) in &state.done {
            if first >= end || upto.is_some_and(|upto| first <= upto) {
                return Err(format!("the seeds {first}..{end} can't be done"));
            }
            upto = Some(end);
        }
        Ok(state)
    }

    /// Writes `state`: the file holds the old one or the new one, whatever happens.
    ///
    /// # Errors
    ///
    /// If it can't be written.
    pub fn save(&self, state: &State) -> Result<(), StateError> {
        let io = |e| StateError::Io(self.path.clone(), e);
        let temp = self.path.with_extension("tmp");
        let text = serde_json::to_vec(state).map_err(|e| io(io::Error::other(e)))?;
        by_temp(&temp, &text, |temp| fs::rename(temp, &self.path)).map_err(io)
    }
    /// Where it stands.
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
