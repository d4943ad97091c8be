//! Rewriting of expectations in place.

use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Whether printed expectations that are not met are rewritten.
pub(super) fn is_on() -> bool {
    std::env::var_os("BACKEDGE_BLESS").is_some()
}

/// Tests of one process may rewrite different texts of one file at the same time.
static FILES: Mutex<()> = Mutex::new(());

/// Replaces the text of a file by `change` of its present text. Returns whether there is a change.
///
/// # Panics
///
/// If the file cannot be read or written.
pub(super) fn rewrite(path: &Path, change: impl FnOnce(&str) -> Option<String>) -> bool {
    let _guard = FILES.lock().unwrap_or_else(PoisonError::into_inner);
    let fail = |e: std::io::Error| -> ! { panic!("{}: {e}", path.display()) };
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| fail(e));
    let Some(changed) = change(&text) else { return false };
    // No reader sees a part of the file.
    let dir = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(dir).unwrap_or_else(|e| fail(e));
    file.write_all(changed.as_bytes()).unwrap_or_else(|e| fail(e));
    let mode = std::fs::metadata(path).unwrap_or_else(|e| fail(e)).permissions();
    file.as_file().set_permissions(mode).unwrap_or_else(|e| fail(e));
    file.persist(path).unwrap_or_else(|e| fail(e.error));
    true
}
