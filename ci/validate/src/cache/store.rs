//! Keys to records, in an SQLite file.
//!
//! SQLite sees to it that processes that write at a time don't disturb each other and that a death leaves a file that can
//! be read. A checksum over key and record tells what has been damaged nevertheless. An error never reaches the caller: it
//! becomes a warning, once, and a store that knows nothing. A file that is no database any more is put aside, and the next
//! one to open the store makes a new one.

use super::Warn;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, params};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Whether verdicts are kept.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Found again, and kept.
    ReadWrite,
    /// Only found again.
    ReadOnly,
}

/// The name of the file.
const FILE: &str = "verdicts.sqlite";
/// Marks the file as ours (`PRAGMA application_id`).
const APPLICATION: i32 = 0x6261_636b;
/// The version of its form (`PRAGMA user_version`).
const VERSION: i32 = 1;
/// How long one process waits for another one that writes.
const PATIENCE: Duration = Duration::from_secs(10);

/// A store, or the memory of one that could not be used.
pub(super) struct Store {
    mode: Mode,
    path: PathBuf,
    warn: Warn,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// `None` once it is of no use any more.
    connection: Option<Connection>,
    /// Whether records can still be written.
    writes: bool,
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store").field("mode", &self.mode).field("path", &self.path).finish_non_exhaustive()
    }
}

/// Why a store can't be used.
#[derive(Debug, thiserror::Error)]
enum Refused {
    #[error("{0}")]
    Io(#[from] std::io::Error),
    #[error("{0}")]
    Sql(#[from] rusqlite::Error),
    #[error("there is none yet, and it is only to be read")]
    Missing,
    #[error("it is a database of another program")]
    Foreign,
    #[error("it is of version {0}, this program knows version {VERSION}")]
    Version(i32),
}

impl Store {
    /// The store in `dir`.
    pub(super) fn open(dir: &Path, mode: Mode, warn: Warn) -> Self {
        let path = dir.join(FILE);
        let opened = match connect(dir, &path, mode) {
            Err(Refused::Sql(e)) if is_damage(&e) && mode == Mode::ReadWrite => {
                put_aside(&path, &warn);
                connect(dir, &path, mode)
            }
            opened => opened,
        };
        let connection = match opened {
            Ok(connection) => Some(connection),
            Err(e) => {
                warn(&format!("the cache {} is not used: {e}", path.display()));
                None
            }
        };
        let writes = mode == Mode::ReadWrite;
        Self { mode, path, warn, state: Mutex::new(State { connection, writes }) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The record of `key`, if there is one that is whole.
    pub(super) fn get(&self, key: &[u8; 32]) -> Option<Vec<u8>> {
        let mut state = self.state();
        let connection = state.connection.as_ref()?;
        let found = connection
            .prepare_cached("SELECT record, checksum FROM verdicts WHERE key = ?1")
            .and_then(|mut statement| {
                let row = statement.query_row(params![key], |row| Ok((row.get(0)?, row.get(1)?)));
                row.optional()
            });
        let (record, sum): (Vec<u8>, Vec<u8>) = match found {
            Ok(row) => row?,
            // A cell of another kind than was written: one record is damaged, not the store.
            Err(rusqlite::Error::InvalidColumnType(..)) => (Vec::new(), Vec::new()),
            Err(e) => {
                self.fail(&mut state, "read", &e);
                return None;
            }
        };
        if sum == checksum(key, &record) {
            return Some(record);
        }
        drop(state);
        (self.warn)(&format!("a damaged entry of the cache {} is dropped", self.path.display()));
        self.drop_entry(key);
        None
    }

    /// Keeps `record`, in place of what was kept for `key`.
    pub(super) fn put(&self, key: &[u8; 32], record: &[u8]) {
        let mut state = self.state();
        let Some(connection) = state.connection.as_ref().filter(|_| state.writes) else { return };
        let sum = checksum(key, record);
        let written = connection
            .prepare_cached("INSERT OR REPLACE INTO verdicts (key, record, checksum) VALUES (?1, ?2, ?3)")
            .and_then(|mut statement| statement.execute(params![key, record, sum]));
        if let Err(e) = written {
            self.fail(&mut state, "written", &e);
        }
    }

    /// Forgets what was kept for `key`.
    pub(super) fn drop_entry(&self, key: &[u8; 32]) {
        let mut state = self.state();
        let Some(connection) = state.connection.as_ref().filter(|_| state.writes) else { return };
        if let Err(e) = connection.execute("DELETE FROM verdicts WHERE key = ?1", params![key]) {
            self.fail(&mut state, "written", &e);
        }
    }

    /// Does without the store from now on, or without writing to it.
    fn fail(&self, state: &mut State, what: &str, error: &rusqlite::Error) {
        let path = self.path.display();
        let full = matches!(error.sqlite_error_code(), Some(ErrorCode::DiskFull | ErrorCode::ReadOnly));
        if full || (what == "written" && !is_damage(error)) {
            state.writes = false;
            (self.warn)(&format!(
                "verdicts are no longer kept in the cache {path}, it can't be written: {error}"
            ));
            return;
        }
        state.connection = None;
        (self.warn)(&format!("the cache {path} is no longer used, it can't be {what}: {error}"));
        if is_damage(error) && self.mode == Mode::ReadWrite {
            put_aside(&self.path, &self.warn);
        }
    }
}

fn connect(dir: &Path, path: &Path, mode: Mode) -> Result<Connection, Refused> {
    let connection = match mode {
        Mode::ReadWrite => {
            std::fs::create_dir_all(dir)?;
            Connection::open(path)?
        }
        Mode::ReadOnly if !path.exists() => return Err(Refused::Missing),
        Mode::ReadOnly => Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?,
    };
    connection.busy_timeout(PATIENCE)?;
    let number = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    let (application, version) = (number("application_id")?, number("user_version")?);
    let empty = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0));
    let tables: u32 = empty?;
    if mode == Mode::ReadWrite && (application, version, tables) == (0, 0, 0) {
        // Two processes may get here at a time: the second one finds the work done.
        connection.pragma_update(None, "journal_mode", "wal")?;
        connection.execute_batch(&format!(
            "BEGIN IMMEDIATE;
             CREATE TABLE IF NOT EXISTS verdicts
                 (key BLOB PRIMARY KEY, record BLOB NOT NULL, checksum BLOB NOT NULL) WITHOUT ROWID;
             PRAGMA application_id = {APPLICATION};
             PRAGMA user_version = {VERSION};
             COMMIT;"
        ))?;
    } else if application != APPLICATION {
        return Err(Refused::Foreign);
    } else if version != VERSION {
        return Err(Refused::Version(version));
    }
    if mode == Mode::ReadWrite {
        // A verdict lost with the power is found again.
        connection.pragma_update(None, "synchronous", "normal")?;
    }
    Ok(connection)
}

fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase))
}

/// Gives a damaged file another name, with the files beside it.
fn put_aside(path: &Path, warn: &Warn) {
    let beside = |path: &Path, suffix: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        PathBuf::from(name)
    };
    let aside = beside(path, ".damaged");
    for suffix in ["-wal", "-shm", ""] {
        match std::fs::rename(beside(path, suffix), beside(&aside, suffix)) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
                warn(&format!("the damaged cache {} can't be put aside: {e}", path.display()));
            }
            Ok(()) | Err(_) => {}
        }
    }
    warn(&format!("the damaged cache {} is now called {}", path.display(), aside.display()));
}

fn checksum(key: &[u8; 32], record: &[u8]) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new_keyed(key);
    hasher.update(record);
    hasher.finalize().into()
}
