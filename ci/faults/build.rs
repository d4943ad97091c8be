//! Passes the directory of the Z3 library to the linker as the run path of this package's binary.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if let Ok(directory) = std::env::var("DEP_BACKEDGE_Z3_PATH_RUN_PATH") {
        println!("cargo::rustc-link-arg=-Wl,-rpath,{directory}");
    }
}
