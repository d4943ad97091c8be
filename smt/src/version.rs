//! The check that the Z3 that was loaded is the one that everything was tested with.
//!
//! The run path names a directory, not a file's contents, and the user may have pointed it elsewhere: an older Z3 can
//! be loaded, answer, and number its operations differently. So the program asks once, before the first query.

use thiserror::Error;

/// The version that `ci/setup` installs: how `z3::full_version` begins.
pub const PINNED_Z3: &str = "5.4.0";

/// Another Z3 than [`PINNED_Z3`] was loaded.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "the Z3 that was loaded calls itself `{found}`, but version {PINNED_Z3} is needed; run ci/setup and rebuild (built with the library in {})",
    backedge_z3_path::LIBRARY_DIRECTORY
)]
pub struct WrongZ3 {
    /// What the library calls itself.
    pub found: String,
}

/// What the library that was loaded calls itself, with the commit that it was built from.
pub fn z3_version() -> &'static str {
    z3::full_version()
}

/// Checks that the library that was loaded is the pinned version.
///
/// ```
/// backedge_smt::check_z3_version().expect("ci/setup installs the right one");
/// ```
///
/// # Errors
///
/// [`WrongZ3`] names the version that was found.
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
