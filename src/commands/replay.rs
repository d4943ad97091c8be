//! `backedge replay`: reruns a refuted pair on the input in its reproducer.

use super::limits::{PoisonInputs, UndefInputs};
use super::module::load;
use crate::exit::Exit;
use crate::output;
use crate::report::events::{Event, write_only};
use crate::report::json::is_on_stdout;
use backedge_validate::case::{Case, Replayed};
use backedge_validate::check::{Options, Side};
use backedge_validate::pairs::in_one_module;
use std::path::PathBuf;

/// Arguments of `replay`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The file is one that `tv --reproducer` or `gate --reproducers` wrote, or any other with @src, @tgt and the line that
holds the case. Both functions are run, with the input and the choices of the case and no search. The exit code is 1 if
the target fails to refine the source there, and 3 if the runs do not show it.

Example:
  backedge tv corpus/pairs/wrong/off-by-one.ll --reproducer wrong.ll; backedge replay wrong.ll")]
pub(crate) struct Args {
    /// The file, or - for standard input
    file: PathBuf,
    /// Show the complete recorded traces, not only their last rows
    #[arg(long)]
    trace: bool,
    /// Write the result as a JSON line to this file (- for standard output, instead of the text)
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    #[command(flatten)]
    undef: UndefInputs,
    #[command(flatten)]
    poison: PoisonInputs,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> miette::Result<Exit> {
    let Ok((source, parsed)) = load(&args.file) else { return Ok(Exit::BadInput) };
    let (name, module) = (&source.name, &parsed.module);
    let case = match Case::in_text(&String::from_utf8_lossy(&source.text)) {
        Ok(Some(case)) => case,
        Ok(None) => miette::bail!(
            help = "`backedge tv --reproducer FILE` writes such files",
            "{name} holds no case: there is no line `; backedge-case: …`"
        ),
        Err(why) => miette::bail!(
            help = "`backedge tv --reproducer FILE` writes such files",
            "the case of {name} is not understood: {why}"
        ),
    };
    let pairs = in_one_module(module).pairs;
    let [pair] = pairs[..] else {
        miette::bail!("{name} holds {} pairs @src and @tgt, not one", pairs.len())
    };
    if let Some(json) = &args.json {
        output::refuse_to_overwrite(json, std::slice::from_ref(&args.file))?;
        output::check(json)?;
    }
    let side = |func| Side { module, func };
    let (text, exit, event) = match case.replay(side(pair.source), side(pair.target), &Options::default()) {
        Ok(Replayed::Refuted(refutation)) if refutation.undef_input && !args.undef.allowed() => {
            not_refuted("its input is undef, which is assumed not to happen")
        }
        Ok(Replayed::Refuted(_)) if case.has_poison_input() && !args.poison.allowed() => {
            not_refuted("its input is poison, which is assumed not to happen")
        }
        Ok(Replayed::Refuted(refutation)) => {
            let text = if args.trace { format!("{refutation:#}\n") } else { format!("{refutation}\n") };
            (text, Exit::Refuted, Event::Replayed { refutation: Some(refutation), why: None })
        }
        Ok(Replayed::NotRefuted(why)) => not_refuted(&why),
        Err(error) => miette::bail!("the case of {name} does not fit its functions: {error}"),
    };
    write_only(args.json.as_deref(), name, event)?;
    if !is_on_stdout(args.json.as_deref()) {
        output::to_stdout(&text)?;
    }
    Ok(exit)
}

/// The text, exit code and record for runs that show no refutation.
fn not_refuted(why: &str) -> (String, Exit, Event) {
    let event = Event::Replayed { refutation: None, why: Some(why.to_owned()) };
    (format!("not refuted by this case\n{why}\n"), Exit::Inconclusive, event)
}
