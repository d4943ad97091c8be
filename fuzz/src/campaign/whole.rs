//! Files that are complete whenever they exist: they are written under a temporary name and then moved into place.
//! Only regular files are read.

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::Path;

/// The contents of a file; an error for a pipe or device, which might never end.
pub(super) fn read(path: &Path) -> io::Result<Vec<u8>> {
    is_ordinary(path)?;
    fs::read(path)
}

/// Fails if `path` exists and is not a regular file.
pub(super) fn is_ordinary(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(there) if there.is_dir() => Err(io::Error::other("it is a directory")),
        Ok(there) if !there.is_file() => Err(io::Error::other("it is a pipe or a device, not a file")),
        Ok(_) => Ok(()),
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(()),
        Err(e) => Err(e),
    }
}

/// Writes `bytes` to `temp`, which no other process writes to, and calls `then`, which moves it into place.
pub(super) fn by_temp<T>(
    temp: &Path,
    bytes: &[u8],
    then: impl FnOnce(&Path) -> io::Result<T>,
) -> io::Result<T> {
    // An existing file was left by a killed process. It may be a link, whose target must not be overwritten.
    match fs::remove_file(temp) {
        Err(e) if e.kind() != ErrorKind::NotFound => return Err(e),
        Ok(()) | Err(_) => {}
    }
    let written = OpenOptions::new().write(true).create_new(true).open(temp).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_data()
    });
    let done = written.and_then(|()| then(temp));
    // Nobody needs the temporary file if it still exists.
    let _ = fs::remove_file(temp);
    done
}
