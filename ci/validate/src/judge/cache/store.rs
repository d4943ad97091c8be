//! Key-record store in an SQLite file.
//!
//! SQLite isolates concurrent writers and keeps the file readable if a process dies. A checksum over key and record
//! detects remaining damage. Errors never reach the caller: the first one causes a warning, and the store acts as empty
//! from then on. A file that is no longer a valid database is renamed, and the next process that opens the store
//! creates a new one. A file that exceeds its size limit loses its oldest records and the pages that they occupied.

use super::Warn;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, TransactionBehavior, params};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Access mode of the cache.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Verdicts are reused and stored.
    ReadWrite,
    /// Verdicts are only reused.
    ReadOnly,
}

/// The name of the file.
const FILE: &str = "verdicts.sqlite";
/// Identifies the file as this program's (`PRAGMA application_id`).
const APPLICATION: i32 = 0x6261_636b;
/// Version of the schema (`PRAGMA user_version`). Records of earlier versions are ignored.
const VERSION: i32 = 3;
/// Records written between two checks of the file's size.
const ROUND: u32 = 32;
/// After records were dropped, one part in this many of the limit is left free.
const SLACK: u64 = 8;
/// How long a process waits for another writer.
const PATIENCE: Duration = Duration::from_secs(10);
/// Time between two attempts if SQLite itself does not wait.
const PAUSE: Duration = Duration::from_millis(5);

/// A store; acts as empty if it could not be used.
pub(super) struct Store {
    mode: Mode,
    path: PathBuf,
    /// Size limit of the file in bytes.
    limit: u64,
    warn: Warn,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// `None` once the store is unusable.
    connection: Option<Connection>,
    /// Whether the store is still writable.
    writes: bool,
    /// Records left to write before the next check of the size.
    round: u32,
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store").field("mode", &self.mode).field("path", &self.path).finish_non_exhaustive()
    }
}

/// Why a store cannot be used.
#[derive(Debug, thiserror::Error)]
enum Refused {
    #[error("{0}")]
    Io(#[from] std::io::Error),
    #[error("{0}")]
    Sql(#[from] rusqlite::Error),
    #[error("it does not exist, and the mode is read-only")]
    Missing,
    #[error("it is a database of another program")]
    Foreign,
    #[error("it is of version {0}, this program knows version {VERSION}")]
    Version(i32),
}

impl Store {
    /// Opens the store in `dir`, limited to about `limit` bytes.
    pub(super) fn open(dir: &Path, mode: Mode, limit: u64, warn: Warn) -> Self {
        let path = dir.join(FILE);
        let opened = match connect_with_retry(dir, &path, mode) {
            Err(Refused::Sql(e)) if is_damage(&e) && mode == Mode::ReadWrite => {
                rename_damaged(&path, &warn);
                connect_with_retry(dir, &path, mode)
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
        let store =
            Self { mode, path, limit, warn, state: Mutex::new(State { connection, writes, round: ROUND }) };
        store.shrink(&mut store.state());
        store
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The record of `key`, if it exists and is intact.
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
            // A cell of another type than was written: one record is damaged, not the store.
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

    /// Stores `record` under `key`, replacing an earlier record.
    pub(super) fn put(&self, key: &[u8; 32], record: &[u8]) {
        let mut state = self.state();
        let Some(connection) = state.connection.as_ref().filter(|_| state.writes) else { return };
        let sum = checksum(key, record);
        let written = connection
            .prepare_cached("INSERT OR REPLACE INTO verdicts (key, record, checksum) VALUES (?1, ?2, ?3)")
            .and_then(|mut statement| statement.execute(params![key, record, sum]));
        if let Err(e) = written {
            return self.fail(&mut state, "written", &e);
        }
        state.round = state.round.saturating_sub(1);
        if state.round == 0 {
            self.shrink(&mut state);
        }
    }

    /// Drops the oldest records if the file exceeds its limit.
    fn shrink(&self, state: &mut State) {
        state.round = ROUND;
        let Some(connection) = state.connection.as_mut().filter(|_| state.writes) else { return };
        if let Err(e) = drop_oldest(connection, self.limit) {
            self.fail(state, "written", &e);
        }
    }

    /// Drops the record of `key`.
    pub(super) fn drop_entry(&self, key: &[u8; 32]) {
        let mut state = self.state();
        let Some(connection) = state.connection.as_ref().filter(|_| state.writes) else { return };
        if let Err(e) = connection.execute("DELETE FROM verdicts WHERE key = ?1", params![key]) {
            self.fail(&mut state, "written", &e);
        }
    }

    /// Stops using the store, or stops writing to it.
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
            rename_damaged(&self.path, &self.warn);
        }
    }
}

/// Retries while another process creates the file: SQLite does not wait if a schema change is locked.
fn connect_with_retry(dir: &Path, path: &Path, mode: Mode) -> Result<Connection, Refused> {
    let start = Instant::now();
    loop {
        match connect(dir, path, mode) {
            Err(Refused::Sql(e)) if is_busy(&e) && start.elapsed() < PATIENCE => std::thread::sleep(PAUSE),
            done => return done,
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
    let (application, version, tables) = form(&connection)?;
    let is_earlier = application == APPLICATION && (1..VERSION).contains(&version);
    if mode == Mode::ReadWrite && (is_earlier || (application, version, tables) == (0, 0, 0)) {
        // Two processes may get here concurrently; the second one finds the schema in place.
        connection.pragma_update(None, "auto_vacuum", "incremental")?;
        connection.pragma_update(None, "journal_mode", "wal")?;
        let earlier = if is_earlier { "DROP TABLE IF EXISTS verdicts;" } else { "" };
        connection.execute_batch(&format!(
            "BEGIN IMMEDIATE;
             {earlier}
             CREATE TABLE IF NOT EXISTS verdicts
                 (number INTEGER PRIMARY KEY AUTOINCREMENT, key BLOB UNIQUE NOT NULL, record BLOB NOT NULL,
                  checksum BLOB NOT NULL);
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
        // A verdict lost in a power failure can be found again.
        connection.pragma_update(None, "synchronous", "normal")?;
    }
    Ok(connection)
}

/// The file's application id, version and number of tables, read in one transaction because another process may be
/// creating it.
fn form(connection: &Connection) -> Result<(i32, i32, u32), rusqlite::Error> {
    let reads = connection.unchecked_transaction()?;
    let number = |name: &str| reads.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    let (application, version) = (number("application_id")?, number("user_version")?);
    let tables = reads.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    reads.commit()?;
    Ok((application, version, tables))
}

/// Bytes of the pages in use.
fn used(connection: &Connection) -> Result<u64, rusqlite::Error> {
    let number = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let bytes = (number("page_count")? - number("freelist_count")?) * number("page_size")?;
    Ok(u64::try_from(bytes).unwrap_or(0))
}

/// If the records occupy more than `limit` bytes, drops the oldest ones until the rest fits with slack, and frees the
/// pages.
fn drop_oldest(connection: &mut Connection, limit: u64) -> Result<(), rusqlite::Error> {
    let mut dropped = false;
    let goal = limit - limit / SLACK;
    while used(connection)? > if dropped { goal } else { limit } {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let count = transaction.execute(
            "DELETE FROM verdicts WHERE number IN (SELECT number FROM verdicts ORDER BY number
             LIMIT (SELECT (count(*) + 15) / 16 FROM verdicts))",
            [],
        )?;
        transaction.commit()?;
        dropped = true;
        if count == 0 {
            break;
        }
    }
    if dropped {
        // Each step frees one page: fetch all rows.
        connection.pragma_query(None, "incremental_vacuum", |_| Ok(()))?;
        connection.pragma_query(None, "wal_checkpoint", |_| Ok(()))?;
    }
    Ok(())
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase))
}

/// Renames a damaged file together with its WAL files.
fn rename_damaged(path: &Path, warn: &Warn) {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn open(dir: &Path, limit: u64) -> Store {
        Store::open(dir, Mode::ReadWrite, limit, Box::new(|text| panic!("{text}")))
    }

    fn key(number: u32) -> [u8; 32] {
        *blake3::hash(&number.to_le_bytes()).as_bytes()
    }

    #[test]
    fn many_that_make_it_at_a_time_find_it_made() {
        for _ in 0..20 {
            let dir = tempfile::tempdir().expect("a directory");
            let at_once = std::sync::Barrier::new(8);
            std::thread::scope(|scope| {
                for number in 0..8 {
                    let (dir, at_once) = (dir.path(), &at_once);
                    scope.spawn(move || {
                        at_once.wait();
                        open(dir, 1 << 20).put(&key(number), &[7; 40]);
                    });
                }
            });
            assert_eq!(kept(&open(dir.path(), 1 << 20), 0..8), 8);
        }
    }

    fn kept(store: &Store, numbers: std::ops::Range<u32>) -> usize {
        numbers.filter(|n| store.get(&key(*n)).is_some()).count()
    }

    #[test]
    fn the_oldest_records_go_where_there_are_too_many() {
        const LIMIT: u64 = 1 << 20;
        let dir = tempfile::tempdir().expect("a directory");
        let store = open(dir.path(), LIMIT);
        for number in 0..1000 {
            store.put(&key(number), &[7; 4000]);
        }
        let size = std::fs::metadata(dir.path().join(FILE)).expect("the file").len();
        assert!(size <= LIMIT + u64::from(ROUND) * 8192, "{size}");
        assert_eq!(kept(&store, 0..500), 0);
        assert_eq!(kept(&store, 900..1000), 100);
        // A rewritten record counts as new.
        store.put(&key(900), &[7; 4000]);
        let first = (0..1000).find(|n| store.get(&key(*n)).is_some()).expect("there are some");
        let end = 1000 + (900 - first) + 40;
        for number in 1000..end {
            store.put(&key(number), &[7; 4000]);
        }
        assert_eq!((kept(&store, 900..901), kept(&store, 0..800)), (1, 0));
        drop(store);
        let small = open(dir.path(), LIMIT / 4);
        assert_eq!((kept(&small, end - 20..end), kept(&small, 0..1000)), (20, 0));
        let size = std::fs::metadata(dir.path().join(FILE)).expect("the file").len();
        assert!(size <= LIMIT / 4 + 8192, "{size}");
    }

    #[test]
    fn records_of_an_earlier_version_are_forgotten() {
        let dir = tempfile::tempdir().expect("a directory");
        let earlier = Connection::open(dir.path().join(FILE)).expect("a database");
        let text = format!(
            "CREATE TABLE verdicts (key BLOB PRIMARY KEY, record BLOB NOT NULL, checksum BLOB NOT NULL) WITHOUT ROWID;
             PRAGMA application_id = {APPLICATION};
             PRAGMA user_version = 1;"
        );
        earlier.execute_batch(&text).expect("it is made");
        drop(earlier);
        let store = open(dir.path(), 1 << 20);
        assert_eq!(kept(&store, 0..1), 0);
        store.put(&key(0), b"record");
        assert_eq!(store.get(&key(0)), Some(b"record".to_vec()));
    }
}
