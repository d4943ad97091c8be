//! Finds the directory with the Z3 library: `Z3_LIBRARY_PATH_OVERRIDE`, which Cargo's configuration sets to `.z3/lib`
//! in the checkout unless the environment sets it, or `.z3/lib` if Cargo did not read that configuration.

use std::env;
use std::path::{Path, PathBuf};

const VARIABLE: &str = "Z3_LIBRARY_PATH_OVERRIDE";

fn main() {
    println!("cargo::rerun-if-env-changed={VARIABLE}");
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let wanted = env::var_os(VARIABLE).filter(|dir| !dir.is_empty()).map_or(".z3/lib".into(), PathBuf::from);
    let wanted = checkout.join(wanted);

    let name = if env::var("CARGO_CFG_TARGET_VENDOR").as_deref() == Ok("apple") {
        "libz3.dylib"
    } else {
        "libz3.so"
    };
    println!("cargo::rerun-if-changed={}", wanted.join(name).display());
    let found = wanted.canonicalize().ok().filter(|dir| dir.join(name).exists());
    match found.as_deref().and_then(Path::to_str) {
        Some(dir) => {
            println!("cargo::rustc-link-search=native={dir}");
            println!("cargo::rustc-env=BACKEDGE_Z3_DIRECTORY={dir}");
            println!("cargo::metadata=RUN_PATH={dir}");
        }
        None => println!(
            "cargo::error=Z3 is missing: run ci/setup once in the checkout (no {name} in {})",
            wanted.display()
        ),
    }
}
