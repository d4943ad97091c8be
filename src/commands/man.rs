//! `backedge man`: this program's manual pages, made of the descriptions of its arguments.

use crate::exit::Exit;
use crate::output;
use crate::shown::{reason, shown};
use miette::IntoDiagnostic;
use std::path::PathBuf;

/// Arguments of `man`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  backedge man tv | man -l -
  backedge man --dir ~/.local/share/man/man1")]
pub(crate) struct Args {
    /// The command whose page is printed; without it, the page of the program
    #[arg(conflicts_with = "dir")]
    command: Option<String>,
    /// Write the pages of the program and of all commands to this folder
    #[arg(long)]
    dir: Option<PathBuf>,
}

/// Prints the page that `args` names, or writes all pages of `program`.
pub(crate) fn run(args: &Args, program: clap::Command) -> miette::Result<Exit> {
    // `backedge help tv` needs no page beside that of `backedge tv`.
    let mut program = program
        .disable_help_subcommand(true)
        .mut_subcommands(|command| command.disable_help_subcommand(true));
    program.build();
    if let Some(dir) = &args.dir {
        output::make_directory(dir)?;
        clap_mangen::generate_to(program, dir)
            .map_err(|e| miette::miette!("the pages can't be written to {}: {}", shown(dir), reason(&e)))?;
        return Ok(Exit::Accepted);
    }
    let page = match &args.command {
        None => program,
        Some(name) => match program.find_subcommand(name).filter(|command| !command.is_hide_set()) {
            Some(command) => command.clone(),
            None => miette::bail!(help = "`backedge --help` lists them", "there is no command {name}"),
        },
    };
    let mut roff = Vec::new();
    clap_mangen::Man::new(page).render(&mut roff).into_diagnostic()?;
    output::to_stdout(&String::from_utf8_lossy(&roff))?;
    Ok(Exit::Accepted)
}
