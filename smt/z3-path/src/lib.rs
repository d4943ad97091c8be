//! Path of the Z3 library, known at build time.
//!
//! The build script of this package finds the directory, or fails with one line that names the command to run. It
//! publishes the directory as `links` metadata. A package whose executables or tests reach Z3 depends on this package,
//! and its own build script passes `DEP_BACKEDGE_Z3_PATH_RUN_PATH` to the linker as the run path. (A `rustflags` entry
//! in Cargo's configuration is not enough: it is lost whenever `RUSTFLAGS` is set.)

/// The directory in which the build found the library.
pub const LIBRARY_DIRECTORY: &str = env!("BACKEDGE_Z3_DIRECTORY");
