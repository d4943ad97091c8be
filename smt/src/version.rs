//! Checks that the loaded Z3 library has the version that everything was tested with, or at least one that answers right.
//!
//! The run path names a directory, not the contents of a file, and users can point it elsewhere. An older Z3 could be
//! loaded, answer, and number its operations differently. The program therefore checks the version once, before the
//! first query. Other programs that use this crate may load another version; the solver refuses those below [`LEAST_Z3`].

use std::sync::OnceLock;

use thiserror::Error;

/// The version that `ci/setup` installs, as a prefix of `z3::full_version`.
pub const PINNED_Z3: &str = "5.4.0";

/// Major and minor number of the least version that the solver accepts. Older ones answer some queries wrongly, by
/// measurement: 4.8.12 calls satisfiable queries unsatisfiable, 4.13.3 to 4.16 return false models.
pub const LEAST_Z3: (u32, u32) = (5, 0);

/// The loaded Z3 is older than [`LEAST_Z3`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "the Z3 that was loaded calls itself `{found}`, but versions before {}.{} answer some queries wrongly (built with the library in {})",
    LEAST_Z3.0,
    LEAST_Z3.1,
    backedge_z3_path::LIBRARY_DIRECTORY
)]
pub struct OldZ3 {
    /// The version that the library reports.
    pub found: String,
}

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

/// Checks that the loaded library has at least version [`LEAST_Z3`]. The solver does so before each query.
///
/// # Errors
///
/// [`OldZ3`] names the version found.
pub fn check_least_z3_version() -> Result<(), OldZ3> {
    static CHECKED: OnceLock<Result<(), OldZ3>> = OnceLock::new();
    CHECKED.get_or_init(|| check_least_version_text(z3::full_version())).clone()
}

fn check_least_version_text(found: &str) -> Result<(), OldZ3> {
    let mut numbers = found.split('.').map(str::parse::<u32>);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(major)), Some(Ok(minor))) if (major, minor) >= LEAST_Z3 => Ok(()),
        _ => Err(OldZ3 { found: found.to_owned() }),
    }
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
    fn older_versions_are_refused() {
        for right in ["5.0.0.0", "5.4.0.0", "5.10.1", "6.0.0"] {
            assert_eq!(check_least_version_text(right), Ok(()));
        }
        for old in ["4.8.12.0", "4.16.0.0", "4.99", "5", "Z3 5.4.0", ""] {
            let error = check_least_version_text(old).expect_err("an old or unknown version");
            assert_eq!(error.found, old);
            assert!(error.to_string().contains("5.0"));
        }
        assert_eq!(check_least_z3_version(), Ok(()));
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
