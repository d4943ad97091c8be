//! `backedge opt`: runs passes over a module and writes the result, with the flags of LLVM's `opt`.

use super::module::load;
use super::optimize::parse_passes;
use crate::exit::Exit;
use crate::output;
use backedge_ir::print::module_to_string;
use backedge_ir::verify::verify_module;
use backedge_pipeline::run::{Observer, Options, PassRun, PrintAfter};
use backedge_validate::panics::caught;
use std::path::PathBuf;

/// Arguments of `opt`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The result is always text, with or without -S: bitcode is not written.

Example:
  backedge opt -passes=loop-simplify,lcssa,loop-rotate corpus/forms/top-tested.ll -S -o rotated.ll")]
pub(crate) struct Args {
    /// The module: a .ll file, or - for standard input
    input: PathBuf,
    /// The passes, in the text form that LLVM's opt takes
    #[arg(long, short = 'p', value_name = "TEXT")]
    passes: String,
    /// Where the result goes; - for standard output
    #[arg(short = 'o', value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Write text (always so; accepted for opt's users)
    #[arg(short = 'S')]
    text: bool,
    /// Don't write the result
    #[arg(long)]
    disable_output: bool,
    /// Check the IR after every pass
    #[arg(long)]
    verify_each: bool,
    /// Print the IR after every pass to standard error
    #[arg(long)]
    print_after_all: bool,
    /// Print the IR after every pass that changed it to standard error
    #[arg(long)]
    print_changed: bool,
    /// Run no more than this many passes
    #[arg(long, value_name = "N", alias = "opt-bisect-limit")]
    stop_after: Option<u64>,
    /// Say what each pass did, or why it did nothing, on standard error
    #[arg(long, alias = "pass-remarks-all")]
    remarks: bool,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> miette::Result<Exit> {
    let pipeline = parse_passes(&args.passes)?;
    let Ok((_, parsed)) = load(&args.input) else { return Ok(Exit::BadInput) };
    let mut module = parsed.module;
    let options = Options {
        verify_each: args.verify_each,
        print_after: match (args.print_after_all, args.print_changed) {
            (true, _) => PrintAfter::All,
            (false, true) => PrintAfter::Changed,
            (false, false) => PrintAfter::Never,
        },
        stop_after: args.stop_after,
    };
    let mut watcher = Watcher { remarks: args.remarks };
    let result = caught(|| backedge_pipeline::run::run(&mut module, &pipeline, options, &mut watcher));
    match result {
        Ok(Ok(_)) => {}
        Ok(Err(invalid)) => return Ok(crashed(&invalid.to_string())),
        Err(panic) => return Ok(crashed(&panic)),
    }
    // A pass that leaves invalid IR has crashed, whether each was to be looked at or not: nothing is written.
    if let Some(finding) = verify_module(&module).first() {
        return Ok(crashed(&format!("the result is invalid: {}", finding.render(&module))));
    }
    if !args.disable_output {
        output::write(&args.output, &module_to_string(&module))?;
    }
    Ok(Exit::Accepted)
}

fn crashed(message: &str) -> Exit {
    output::to_stderr(&format!("error: the optimizer crashed: {message}"));
    Exit::Refuted
}

/// Shows what passes print and say, on standard error.
struct Watcher {
    remarks: bool,
}

impl Observer for Watcher {
    fn after_pass(&mut self, run: &PassRun<'_>) {
        if self.remarks {
            run.remarks.iter().for_each(|r| output::to_stderr(&format!("remark: {r}")));
        }
    }
    fn output(&mut self, text: &str) {
        output::to_stderr(text.trim_end_matches('\n'));
    }
}
