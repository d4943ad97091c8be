//! Linker settings of the fuzz targets: the C++ standard library, which libFuzzer needs and `.cargo/config.toml`
//! keeps out of all other binaries, and the directory of the Z3 library as run path.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is_apple = std::env::var("CARGO_CFG_TARGET_VENDOR").is_ok_and(|vendor| vendor == "apple");
    println!("cargo::rustc-link-arg-bins=-l{}", if is_apple { "c++" } else { "stdc++" });
    if let Ok(directory) = std::env::var("DEP_BACKEDGE_Z3_PATH_RUN_PATH") {
        println!("cargo::rustc-link-arg-bins=-Wl,-rpath,{directory}");
    }
}
