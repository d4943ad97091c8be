//! Checks that the loaded Z3 library has the version that everything was tested with.
//!
//! The run path names a directory, not the contents of a file, and users can point it elsewhere. An older Z3 could be
//! loaded, answer, and number its operations differently. The program therefore checks the version once, before the
//! first query.

use thiserror::Error;

/// The version that `ci/setup` installs, as a prefix of `z3::full_version`.
pub const PINNED_Z3: &str = "5.4.0";

/// The loaded Z3 has another version than [`PINNED_Z3`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "the Z3 that was loaded calls itself `{found}`, but version {PINNED_Z3} is needed; run ci/setup and rebuild (built with the library in {})",
    backedge_z3_path::LIBRARY_DIRECTORY
)]
pub struct WrongZ3 {
    /// The version that the library reports.
    pub found: String,
}

/// The version that the loaded library reports, with the commit it was built from.
pub fn z3_version() -> &'static str {
    z3::full_version()
}

/// Checks that the loaded library has the pinned version.
///
/// ```
/// backedge_smt::check_z3_version().expect("ci/setup installs the right one");
/// ```
///
/// # Errors
///
/// [`WrongZ3`] names the version found.
pub fn check_z3_version() -> Result<(), WrongZ3> {
    check_version_text(z3::full_version())
}

fn check_version_text(found: &str) -> Result<(), WrongZ3> {
    let matches =
        found.strip_prefix(PINNED_Z3).is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()));
    if matches { Ok(()) } else { Err(WrongZ3 { found: found.to_owned() }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_that_is_loaded_is_the_pinned_one() {
        assert_eq!(check_z3_version(), Ok(()));
    }

    #[test]
    fn other_versions_are_named() {
        for other in ["4.8.12.0", "5.4.01", "5.3.3.0", "Z3 5.4.0", ""] {
            let error = check_version_text(other).expect_err("another version");
            assert_eq!(error.found, other);
            assert!(error.to_string().contains("ci/setup"));
        }
    }
}
