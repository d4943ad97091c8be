//! `backedge scev`: tests the claims of scalar evolution.

mod check;
mod report;
mod source;

pub(crate) use source::Asked;

use crate::exit::Exit;

/// Arguments of `scev`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Check every claim about the functions of a module: on runs, and with the solver
    Check(check::Args),
}

/// Runs the command.
pub(crate) fn run(args: Args) -> miette::Result<Exit> {
    match args.command {
        Command::Check(args) => check::run(&args),
    }
}
