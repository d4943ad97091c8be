//! Checks that the loaded Z3 library has the version that everything was tested with, or at least one that answers right.
//!
//! The run path names a directory, not the contents of a file, and users can point it elsewhere. An older Z3 could be
//! loaded, answer, and number its operations differently. The program therefore checks the version once, before the
//! first query. Other programs that use this crate may load another version; the solver refuses those below [`LEAST_Z3`].
//! A build without the feature `z3` has no library: all checks say so.

use std::sync::OnceLock;

use thiserror::Error;

/// The version that `ci/setup` installs, as a prefix of `z3::full_version`.
pub const PINNED_Z3: &str = "5.4.0";

/// Major and minor number of the least version that the solver accepts. Older ones answer some queries wrongly, by
/// measurement: 4.8.12 calls satisfiable queries unsatisfiable, 4.13.3 to 4.16 return false models.
pub const LEAST_Z3: (u32, u32) = (5, 0);

/// The directory of the library that this crate was linked with.
#[cfg(feature = "z3")]
const LIBRARY_DIRECTORY: &str = backedge_z3_path::LIBRARY_DIRECTORY;
#[cfg(not(feature = "z3"))]
const LIBRARY_DIRECTORY: &str = "no directory";

/// Why the solver can't be asked.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum UnusableZ3 {
    /// The build has no Z3.
    #[error(
        "this program was built without Z3, which bounded checks and proofs need; build it with the feature `z3`"
    )]
    Absent,
    /// The loaded library has another version than [`PINNED_Z3`].
    #[error(
        "the Z3 that was loaded calls itself `{found}`, but version {PINNED_Z3} is needed; run ci/setup and rebuild (built with the library in {LIBRARY_DIRECTORY})"
    )]
    NotPinned {
        /// The version that the library reports.
        found: String,
    },
    /// The loaded library is older than [`LEAST_Z3`].
    #[error(
        "the Z3 that was loaded calls itself `{found}`, but versions before {}.{} answer some queries wrongly (built with the library in {LIBRARY_DIRECTORY})",
        LEAST_Z3.0,
        LEAST_Z3.1
    )]
    Old {
        /// The version that the library reports.
        found: String,
    },
}

/// The version that the loaded library reports, with the commit it was built from; `None` in a build without Z3.
pub fn z3_version() -> Option<&'static str> {
    #[cfg(feature = "z3")]
    return Some(z3::full_version());
    #[cfg(not(feature = "z3"))]
    return None;
}

/// Checks that the loaded library has the pinned version.
///
/// ```
/// # #[cfg(feature = "z3")]
/// backedge_smt::check_z3_version().expect("ci/setup installs the right one");
/// ```
///
/// # Errors
///
/// [`UnusableZ3`] names the version found.
pub fn check_z3_version() -> Result<(), UnusableZ3> {
    check_version_text(z3_version().ok_or(UnusableZ3::Absent)?)
}

/// Checks that the loaded library has at least version [`LEAST_Z3`]. The solver does so before each query.
///
/// # Errors
///
/// [`UnusableZ3`] names the version found.
pub fn check_least_z3_version() -> Result<(), UnusableZ3> {
    static CHECKED: OnceLock<Result<(), UnusableZ3>> = OnceLock::new();
    let check = || check_least_version_text(z3_version().ok_or(UnusableZ3::Absent)?);
    CHECKED.get_or_init(check).clone()
}

fn check_least_version_text(found: &str) -> Result<(), UnusableZ3> {
    let mut numbers = found.split('.').map(str::parse::<u32>);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(major)), Some(Ok(minor))) if (major, minor) >= LEAST_Z3 => Ok(()),
        _ => Err(UnusableZ3::Old { found: found.to_owned() }),
    }
}

fn check_version_text(found: &str) -> Result<(), UnusableZ3> {
    let matches =
        found.strip_prefix(PINNED_Z3).is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()));
    if matches { Ok(()) } else { Err(UnusableZ3::NotPinned { found: found.to_owned() }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(feature = "z3")]
    #[test]
    fn the_library_that_is_loaded_is_the_pinned_one() {
        assert_eq!(check_z3_version(), Ok(()));
        assert_eq!(check_least_z3_version(), Ok(()));
    }

    #[test]
    fn older_versions_are_refused() {
        for right in ["5.0.0.0", "5.4.0.0", "5.10.1", "6.0.0"] {
            assert_eq!(check_least_version_text(right), Ok(()));
        }
        for old in ["4.8.12.0", "4.16.0.0", "4.99", "5", "Z3 5.4.0", ""] {
            let error = check_least_version_text(old).expect_err("an old or unknown version");
            assert_eq!(error, UnusableZ3::Old { found: old.to_owned() });
            assert!(error.to_string().contains("5.0"));
        }
    }

    #[test]
    fn other_versions_are_named() {
        for other in ["4.8.12.0", "5.4.01", "5.3.3.0", "Z3 5.4.0", ""] {
            let error = check_version_text(other).expect_err("another version");
            assert_eq!(error, UnusableZ3::NotPinned { found: other.to_owned() });
            assert!(error.to_string().contains("ci/setup"));
        }
    }
}
