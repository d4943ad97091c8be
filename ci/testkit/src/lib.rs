//! Shared test support: locations of test data, the expectations of the corpus, and LLVM's tools as peers.
//!
//! A test that can't run here reports this with [`skip`]: on standard error, and in the file that `BACKEDGE_SKIP_LOG`
//! names, from which `ci/test` prints all skips at the end. With `BACKEDGE_REQUIRE_PEERS=1` (`ci/test --peers`) a
//! missing peer is a failure instead.

mod cases;
pub mod claims;
mod command;
pub mod corpus;
mod data;
mod dice;
pub mod generate;
mod graph;
mod import_graph;
mod imports;
mod laws;
mod module;
mod peer;
mod suite;

pub use cases::{every, number, seeds};
pub use command::{Answer, run};
pub use data::{LlvmTests, Row, corpus_dir, corpus_files, files_with_extension, llvm_tests};
pub use dice::Dice;
pub use graph::{Graph, graphs};
pub use import_graph::ImportGraph;
pub use imports::{crate_paths, file_of, without_comments};
pub use laws::kept;
pub use module::module;
pub use peer::{Peer, can_start, opt_of, peer};
pub use suite::{SuiteCase, SuiteFile, ub_suite};

use std::io::Write;

/// Reports that a test is skipped, and why.
pub fn skip(what: &str, why: &str) {
    let line = format!("skipped: {what}: {why}\n");
    eprint!("{line}");
    if let Some(path) = std::env::var_os("BACKEDGE_SKIP_LOG") {
        let log = std::fs::OpenOptions::new().create(true).append(true).open(path);
        if let Ok(mut log) = log {
            // One write, so that lines of parallel tests do not mix.
            let _ = log.write_all(line.as_bytes());
        }
    }
}
