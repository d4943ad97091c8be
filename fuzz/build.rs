//! How the fuzz targets are linked: with C++'s library, in which libFuzzer is written and which `.cargo/config.toml` keeps out
//! of everything else, and with the directory of the Z3 library as their run path.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is_apple = std::env::var("CARGO_CFG_TARGET_VENDOR").is_ok_and(|vendor| vendor == "apple");
    println!("cargo::rustc-link-arg-bins=-l{}", if is_apple { "c++" } else { "stdc++" });
    if let Ok(directory) = std::env::var("DEP_BACKEDGE_Z3_PATH_RUN_PATH") {
        println!("cargo::rustc-link-arg-bins=-Wl,-rpath,{directory}");
    }
}
