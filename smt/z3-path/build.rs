//! Finds the directory with the Z3 library. The first of these that applies is taken:
//!
//! 1. `Z3_LIBRARY_PATH_OVERRIDE`. Cargo's configuration sets it to `.z3/lib` in the checkout unless the environment
//!    sets it.
//! 2. `.z3/lib` in the checkout, if `ci/setup` has run there: Cargo did not read that configuration, because it was
//!    started elsewhere.
//! 3. The library of the system, as pkg-config names it (unless `Z3_NO_PKG_CONFIG` is set) or as the C compiler finds
//!    it: another workspace depends on `backedge-smt`. The crate `z3-sys` links this library by itself.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

const OVERRIDE: &str = "Z3_LIBRARY_PATH_OVERRIDE";
const NO_PKG_CONFIG: &str = "Z3_NO_PKG_CONFIG";

fn main() {
    for variable in [OVERRIDE, NO_PKG_CONFIG, "PKG_CONFIG_PATH", "PKG_CONFIG_LIBDIR"] {
        println!("cargo::rerun-if-env-changed={variable}");
    }
    let name = if env::var("CARGO_CFG_TARGET_VENDOR").as_deref() == Ok("apple") {
        "libz3.dylib"
    } else {
        "libz3.so"
    };
    match find(name) {
        Ok(Found { directory, of_the_system }) => {
            if !of_the_system {
                println!("cargo::rustc-link-search=native={directory}");
            }
            println!("cargo::rustc-env=BACKEDGE_Z3_DIRECTORY={directory}");
            println!("cargo::metadata=RUN_PATH={directory}");
        }
        Err(missing) => println!("cargo::error=Z3 is missing: {missing}"),
    }
}

struct Found {
    directory: String,
    of_the_system: bool,
}

fn find(name: &str) -> Result<Found, String> {
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    if let Some(wanted) = env::var_os(OVERRIDE).filter(|directory| !directory.is_empty()) {
        let wanted = checkout.join(wanted);
        // A missing file has Cargo run this script again, which is right until `ci/setup` has run.
        println!("cargo::rerun-if-changed={}", wanted.join(name).display());
        let directory = containing(&wanted, name).ok_or_else(|| {
            format!("run ci/setup once in the checkout (no {name} in {})", wanted.display())
        })?;
        return Ok(Found { directory, of_the_system: false });
    }
    let found = if let Some(directory) = containing(&checkout.join(".z3/lib"), name) {
        Found { directory, of_the_system: false }
    } else {
        let directory = from_pkg_config(name).or_else(|| from_compiler(name)).ok_or_else(|| {
            format!(
                "neither pkg-config nor cc finds {name}: run ci/setup in the checkout of Backedge, set {OVERRIDE} to \
                 the directory of a Z3 from version 5.0 on, or install one (Debian: libz3-dev, if it is as new)"
            )
        })?;
        Found { directory, of_the_system: true }
    };
    println!("cargo::rerun-if-changed={}", Path::new(&found.directory).join(name).display());
    Ok(found)
}

/// The canonical name of `directory`, if it contains the library.
fn containing(directory: &Path, name: &str) -> Option<String> {
    let directory = directory.canonicalize().ok()?;
    if directory.join(name).exists() { directory.into_os_string().into_string().ok() } else { None }
}

fn from_pkg_config(name: &str) -> Option<String> {
    if env::var_os(NO_PKG_CONFIG).is_some() {
        return None;
    }
    containing(&printed("pkg-config", &["--variable=libdir", "z3"])?, name)
}

/// `cc -print-file-name` prints a path if the compiler's directories contain the file, and its bare name if not.
fn from_compiler(name: &str) -> Option<String> {
    containing(printed("cc", &[&format!("-print-file-name={name}")])?.parent()?, name)
}

/// What a program prints, as a path; `None` if the program is missing or fails.
fn printed(program: &str, arguments: &[&str]) -> Option<PathBuf> {
    let output =
        Command::new(program).args(arguments).output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?;
    Some(PathBuf::from(text.trim())).filter(|path| path.is_absolute())
}
