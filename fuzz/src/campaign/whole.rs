//! Files of a campaign that are whole whenever they are there: written under another name, and then put in their place.

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::Path;

/// Writes `bytes` to `temp`, which nobody else writes to, and does `then` with it: what puts it in its place.
pub(super) fn by_temp<T>(
    temp: &Path,
    bytes: &[u8],
    then: impl FnOnce(&Path) -> io::Result<T>,
) -> io::Result<T> {
    // What is there is left of a process that was killed; if it is a link, what it leads to is nobody's to write to.
    match fs::remove_file(temp) {
        Err(e) if e.kind() != ErrorKind::NotFound => return Err(e),
        Ok(()) | Err(_) => {}
    }
    let written = OpenOptions::new().write(true).create_new(true).open(temp).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_data()
    });
    let done = written.and_then(|()| then(temp));
    // It is of no use to anybody, if it is there still.
    let _ = fs::remove_file(temp);
    done
}
