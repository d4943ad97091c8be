//! Holds what we find and do against what LLVM finds and does.
//!
//! | command | what is compared |
//! |---|---|
//! | `ci/compare-scev DIR` | what is known of loops: counts, flags, recurrences |
//! | `ci/compare-passes DIR` | on which functions passes act; how long pipelines take |
//! | `ci/compare-dependences DIR` | which memory accesses are shown to be independent |
//! | `ci/compare-nests DIR` | which loop nests may be transformed |
//! | `ci/compare-locality` | how many cache lines a product of matrices brings in behind passes |
//! | `ci/compare-kernels DIR` | how much kernels execute behind passes |
//! | `ci/compare-proofs` | how much of what passes do is proved for all iterations |
//! | `ci/reasons PATH…` | verdicts on LLVM's passes, and why some are inconclusive |
//! | `ci/compare-reduce DIR` | how small reduced files get, and how long that takes |
//! | `ci/compare-roundtrip` | which loops become trees, and that LLVM takes what these become |
//! | `ci/compare-vectors PATH…` | which loops are vectorized |
//! | `ci/compare-speed DIR` | how long pairs take, beside Alive2 |

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
