//! Passes the directory of the Z3 library to the linker as the run path of this package's executables and tests.
//!
//! `BACKEDGE_RUN_PATH` replaces it: an installed program finds the library relative to itself (`ci/install`).

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=BACKEDGE_RUN_PATH");
    let run_path =
        std::env::var("BACKEDGE_RUN_PATH").or_else(|_| std::env::var("DEP_BACKEDGE_Z3_PATH_RUN_PATH"));
    if let Ok(directory) = run_path {
        println!("cargo::rustc-link-arg=-Wl,-rpath,{directory}");
    }
}
