//! `backedge replay`: reruns a refuted pair on the input in its reproducer.

use super::limits::UndefInputs;
use super::module::load;
use crate::exit::Exit;
use crate::output;
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
    #[command(flatten)]
    undef: UndefInputs,
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
    let side = |func| Side { module, func };
    match case.replay(side(pair.source), side(pair.target), &Options::default()) {
        Ok(Replayed::Refuted(refutation)) if refutation.undef_input && !args.undef.allowed() => {
            output::to_stdout(
                "not refuted by this case\nits input is undef, which is assumed not to happen\n",
            )?;
            Ok(Exit::Inconclusive)
        }
        Ok(Replayed::Refuted(refutation)) => {
            let text = if args.trace { format!("{refutation:#}\n") } else { format!("{refutation}\n") };
            output::to_stdout(&text)?;
            Ok(Exit::Refuted)
        }
        Ok(Replayed::NotRefuted(why)) => {
            output::to_stdout(&format!("not refuted by this case\n{why}\n"))?;
            Ok(Exit::Inconclusive)
        }
        Err(error) => miette::bail!("the case of {name} does not fit its functions: {error}"),
    }
}
