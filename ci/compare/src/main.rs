//! Compares the results of Backedge's analyses and transforms with LLVM's.
//!
//! | command | comparison |
//! |---|---|
//! | `ci/compare-scev DIR` | facts about loops: counts, flags, recurrences |
//! | `ci/compare-passes DIR` | functions that passes change; run time of pipelines |
//! | `ci/compare-dependences DIR` | memory accesses shown to be independent |
//! | `ci/compare-nests DIR` | loop nests that may be transformed |
//! | `ci/compare-locality` | cache lines that a matrix product loads after passes |
//! | `ci/compare-kernels DIR` | instructions that kernels execute after passes |
//! | `ci/compare-proofs` | share of changes by passes that is proved for all iterations |
//! | `ci/reasons PATH…` | verdicts on LLVM's passes, and reasons for inconclusive ones |
//! | `ci/compare-reduce DIR` | size of reduced files, and the time to reduce them |
//! | `ci/compare-roundtrip` | loops converted to trees, and acceptance of the results by LLVM |
//! | `ci/compare-vectors PATH…` | loops that are vectorized |
//! | `ci/compare-speed DIR` | time to judge pairs, compared with Alive2 |

mod dependences;
mod files;
mod form;
mod kernels;
mod locality;
mod nests;
mod passes;
mod process;
mod proofs;
mod reasons;
mod reduce;
mod roundtrip;
mod scev;
mod speed;
mod table;
mod tier;
mod vectors;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

#[derive(Parser, Debug)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Scev(scev::Args),
    Passes(passes::Args),
    Dependences(dependences::Args),
    Nests(nests::Args),
    Kernels(kernels::Args),
    Locality(locality::Args),
    Proofs(proofs::Args),
    Reasons(reasons::Args),
    Reduce(reduce::Args),
    Roundtrip(roundtrip::Args),
    Speed(speed::Args),
    Vectors(vectors::Args),
}

fn main() -> ExitCode {
    let result = match &Cli::parse().command {
        Command::Scev(args) => scev::run(args),
        Command::Passes(args) => passes::run(args),
        Command::Dependences(args) => dependences::run(args),
        Command::Nests(args) => nests::run(args),
        Command::Kernels(args) => kernels::run(args),
        Command::Locality(args) => locality::run(args),
        Command::Proofs(args) => proofs::run(args),
        Command::Reasons(args) => reasons::run(args),
        Command::Reduce(args) => reduce::run_reduce(args),
        Command::Roundtrip(args) => roundtrip::run(args),
        Command::Speed(args) => speed::run(args),
        Command::Vectors(args) => vectors::run(args),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("compare: {error:#}");
            ExitCode::from(2)
        }
    }
}
