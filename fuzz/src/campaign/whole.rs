//! Files of a campaign that are whole whenever they are there: written under another name, and then put in their place. What
//! is read must be a file.

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::Path;

/// What stands in a file; an error if it is a pipe or device, which might never end.
pub(super) fn read(path: &Path) -> io::Result<Vec<u8>> {
    is_ordinary(path)?;
    fs::read(path)
}

/// An error if something is there that is no ordinary file.
pub(super) fn is_ordinary(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(there) if there.is_dir() => Err(io::Error::other("it is a directory")),
        Ok(there) if !there.is_file() => Err(io::Error::other("it is a pipe or a device, not a file")),
        Ok(_) => Ok(()),
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(()),
        Err(e) => Err(e),
    }
}

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
