//! `backedge completions`: prints what a shell needs to complete this program's arguments.

use crate::exit::Exit;
use crate::output;
use clap_complete::Shell;

/// Arguments of `completions`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
`ci/install` puts the completions where bash, zsh and fish look for them.

Examples:
  backedge completions bash > ~/.local/share/bash-completion/completions/backedge
  backedge completions fish > ~/.config/fish/completions/backedge.fish")]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
}

/// Prints the completions of `program`.
pub(crate) fn run(args: &Args, program: &clap::Command) -> miette::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut visible(program), "backedge", &mut script);
    output::to_stdout(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Accepted)
}

/// `program` without its hidden commands, which the scripts of some shells would name.
fn visible(program: &clap::Command) -> clap::Command {
    clap::Command::new("backedge")
        .version(env!("CARGO_PKG_VERSION"))
        .args(program.get_arguments().cloned())
        .subcommands(program.get_subcommands().filter(|command| !command.is_hide_set()).cloned())
}
