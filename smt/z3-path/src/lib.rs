//! Where the Z3 library is, known at build time.
//!
//! The build script of this package finds the directory, or fails with one line that says what to run. It hands the
//! directory on as `links` metadata: a package that has executables or tests that reach Z3 depends on this one, and its
//! own build script passes `DEP_BACKEDGE_Z3_PATH_RUN_PATH` to the linker as the run path. (A `rustflags` entry in
//! Cargo's configuration would not do: it is lost whenever `RUSTFLAGS` is set.)

/// The directory that the library was found in when this was built.
pub const LIBRARY_DIRECTORY: &str = env!("BACKEDGE_Z3_DIRECTORY");
