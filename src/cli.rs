//! The command line interface: maps arguments to a command, and its result to an exit code.

use crate::commands::{
    bisect, completions, fuzz, gate, judging, man, opt, print, recheck, reduce, replay, run, scev, schema, tv,
};
use crate::exit::Exit;
use crate::settings::{self, Settings};
use crate::{advice, config, flags, optimizer, output, problem};
use clap::error::ErrorKind;
use clap::{Arg, ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};
use std::ffi::OsString;
use std::io::IsTerminal;

/// A loop optimizer for LLVM IR that proves what it does.
#[derive(Debug, Parser)]
#[command(name = "backedge", version, max_term_width = 110, after_help = FLAGS_AND_EXIT_CODES)]
struct Cli {
    #[command(flatten)]
    settings: Settings,
    #[command(subcommand)]
    command: Command,
}

const FLAGS_AND_EXIT_CODES: &str = "\
Long flags may have one dash, as in LLVM's tools: -passes=licm. A value is attached to a short flag \
only for -O and -j (-O3, -j4); otherwise it is a word of its own (-o FILE).

Modules are LLVM IR as text, bitcode (read with llvm-dis), or C and C++ (compiled by clang -O1); the environment
variables LLVM_DIS and CLANG name other commands. Defaults of flags are read from backedge.toml in the current folder or
a parent: tables [all], [gate], … with long flags as keys.

Exit codes: 0 accepted (proved, or proved within the stated bound); 1 refuted, or the optimizer crashed (`gate`,
`bisect` and `fuzz` count refutations that need an undef input with --strict-undef only); 2 usage or bad input;
3 inconclusive beyond the allowed share, or nothing was judged; of `gate --opt`: 4 the command refused something, 5 it passed a limit, 125 it can't be run;
of `gate` and `fuzz`: 6 what a baseline accepts does not fail any more; 75 interrupted.";

#[derive(Debug, Subcommand)]
enum Command {
    /// Run passes over a module and write the result
    Opt(opt::Args),
    /// Run a function in the interpreter
    Run(run::Args),
    /// Check that target functions refine source functions
    Tv(tv::Args),
    /// Check a certificate written by `tv`
    Recheck(recheck::Args),
    /// Rerun a refuted pair on the input of its reproducer
    Replay(replay::Args),
    /// Print loops, control flow or IR of a module
    Print(print::Args),
    /// Run passes over files and check every change they make
    Gate(gate::Args),
    /// Fuzz this project's passes or any optimizer with generated programs or mutants
    Fuzz(fuzz::Args),
    /// Reduce a file while it shows the same failure
    Reduce(reduce::Args),
    /// Find the pass that breaks a file
    Bisect(bisect::Args),
    /// Check scalar evolution's claims about a module, this project's or LLVM's
    Scev(scev::Args),
    /// Print the JSON schema of the records that commands write with --json
    Schema(schema::Args),
    /// Print what a shell needs to complete arguments of this program
    Completions(completions::Args),
    /// Print the manual page of a command
    Man(man::Args),
    /// Check pairs for another process of this program
    #[command(hide = true)]
    Worker,
    /// End the commands of another process of this program after that process has ended
    #[command(hide = true)]
    Guard,
}

/// Runs the command that the process's arguments select.
pub(crate) fn run() -> Exit {
    problem::install_renderer();
    let mut command = with_negative_numbers(with_whole_paragraphs(Cli::command()));
    let cli = match flags::with_double_dashes(&command, std::env::args_os()) {
        Ok(args) => match parsed(command.color(settings::color_of(&args)), &args) {
            Ok(cli) => cli,
            Err(exit) => return exit,
        },
        Err(unknown) => return usage(unknown.into_error(&mut command)),
    };
    settings::set(cli.settings);
    let result = match cli.command {
        Command::Opt(args) => opt::run(&args),
        Command::Run(args) => run::run(&args),
        Command::Tv(args) => tv::run(args),
        Command::Recheck(args) => recheck::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Print(args) => print::run(&args),
        Command::Gate(args) => gate::run(args),
        Command::Fuzz(args) => fuzz::run(args),
        Command::Reduce(args) => reduce::run(args),
        Command::Bisect(args) => bisect::run(args),
        Command::Scev(args) => scev::run(args),
        Command::Schema(args) => schema::run(&args),
        Command::Completions(args) => completions::run(&args, &Cli::command()),
        Command::Man(args) => man::run(&args, with_whole_paragraphs(Cli::command())),
        Command::Worker => judging::work(),
        Command::Guard => {
            optimizer::guard::serve();
            Ok(Exit::Accepted)
        }
    };
    result.unwrap_or_else(|report| {
        output::to_stderr(&format!("{report:?}"));
        Exit::BadInput
    })
}

/// The command line `args` (program name first) with the defaults of the configuration file. Errors have been shown.
fn parsed(command: clap::Command, args: &[OsString]) -> Result<Cli, Exit> {
    let parse = |args: &[OsString]| -> Result<Cli, clap::Error> {
        command.clone().try_get_matches_from(args).and_then(|m: ArgMatches| Cli::from_arg_matches(&m))
    };
    let defaults = config::defaults(&command, args).map_err(|problem| {
        problem.show();
        Exit::BadInput
    })?;
    let Some(defaults) = defaults else { return parse(args).map_err(usage) };
    let cli = parse(&config::with_defaults(&command, args, &defaults)).map_err(|e| {
        let exit = usage(e);
        if exit == Exit::BadInput && parse(args).is_ok() {
            output::to_stderr(&format!(
                "{} gives these flags, which --no-config ignores: {}",
                defaults.file,
                defaults.words.join(" ")
            ));
        }
        exit
    })?;
    if cli.settings.verbose {
        output::to_stderr(&format!("{} is read: {}", defaults.file, defaults.words.join(" ")));
    }
    Ok(cli)
}

/// `command` with each paragraph below its options on one line, which clap wraps: the lines of the source would be wrapped
/// twice. Indented lines stay as they are.
fn with_whole_paragraphs(command: clap::Command) -> clap::Command {
    let text = command.get_after_help().map(|text| whole_paragraphs(&text.to_string()));
    let command = command.mut_subcommands(with_whole_paragraphs);
    match text {
        Some(text) => command.after_help(text),
        None => command,
    }
}

fn whole_paragraphs(text: &str) -> String {
    let mut out = String::new();
    // Whether the previous line may be continued.
    let mut is_open = false;
    for line in text.lines() {
        let is_prose = !line.is_empty() && !line.starts_with(' ');
        let separator = if is_open && is_prose { ' ' } else { '\n' };
        if !out.is_empty() || is_open {
            out.push(separator);
        }
        out.push_str(line);
        is_open = is_prose;
    }
    out
}

/// `command`, whose flags take negative numbers as values: the message of the flag's parser says more than clap's about an
/// unexpected argument.
fn with_negative_numbers(command: clap::Command) -> clap::Command {
    let is_flag = |arg: &Arg| !arg.is_positional() && arg.get_action().takes_values();
    let with = |arg: Arg| if is_flag(&arg) { arg.allow_negative_numbers(true) } else { arg };
    command.mut_args(with).mut_subcommands(with_negative_numbers)
}

/// Prints clap's message: help and version to standard output, errors to standard error.
fn usage(mut error: clap::Error) -> Exit {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        // Only a closed pipe can cause an error here.
        let _ = error.print();
        return Exit::Accepted;
    }
    let args: Vec<String> = std::env::args_os().map(|arg| arg.to_string_lossy().into_owned()).collect();
    advice::without_suggestions(&mut error, &Cli::command(), &args);
    let rendered = error.render();
    let text =
        if std::io::stderr().is_terminal() { rendered.ansi().to_string() } else { rendered.to_string() };
    let mut text = advice::in_plain_words(&text);
    if let Some(advice) = advice::advice(&error, &Cli::command(), &args) {
        // Above the reference to the help, which is the last line.
        let at = text.find("\nFor more information").unwrap_or(text.len());
        text.insert_str(at, &format!("\n  tip: {advice}\n"));
    }
    output::to_stderr(text.trim_end());
    Exit::BadInput
}

#[cfg(test)]
mod tests {
    use super::whole_paragraphs;

    #[test]
    fn paragraphs_are_lines() {
        assert_eq!(whole_paragraphs("a\nb\n\nc:\n  d\n  e\nf"), "a b\n\nc:\n  d\n  e\nf");
    }
}
