//! `backedge run`: runs a function in the interpreter.

use super::limits::MOST;
use super::module::{load, select};
use crate::exit::Exit;
use crate::output;
use backedge_interp::chooser::{Chooser, RandomChooser, ZeroChooser};
use backedge_interp::input::{ArgSpec, Input};
use backedge_interp::outcome::Outcome;
use backedge_interp::trace::Trace;
use backedge_interp::{Config, Machine, Program};
use backedge_validate::check::Side;
use backedge_validate::narrate::{event_text, outcome_text};
use std::path::PathBuf;

/// Arguments of `run`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Arguments are separated by commas: integers, floats, true, false, poison, undef, null; zeros:16, uninit:16 and
bytes:00ff??pp for a pointer to a fresh buffer (?? uninitialised, pp poison); arg0+8 for the pointer that argument 0
is and 8 bytes on; @name for a global; {1, 2} for aggregates.

The exit code is 0 if the run ended, whether by a return or by undefined behaviour, and 3 if it was stopped.

Example:
  backedge run corpus/forms/top-tested.ll --function f --args 5 --trace")]
pub(crate) struct Args {
    /// The module: a .ll file, or - for standard input
    input: PathBuf,
    /// The function; may be left out if there is one only
    #[arg(long, value_name = "NAME")]
    function: Option<String>,
    /// The arguments
    #[arg(long, value_name = "LIST", default_value = "", allow_hyphen_values = true)]
    args: String,
    /// Print every step with its value
    #[arg(long)]
    trace: bool,
    /// Steps that may be taken
    #[arg(long, value_name = "STEPS", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(..=MOST))]
    fuel: u64,
    /// Decide at random, from this seed, what the program leaves open; without it everything is zero
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,
    /// Uninitialised memory is poison rather than undef
    #[arg(long)]
    uninit_poison: bool,
}

/// Steps of a trace that are printed.
const TRACE: usize = 100_000;

/// Runs the command.
pub(crate) fn run(args: &Args) -> miette::Result<Exit> {
    let input = parse_args(&args.args)?;
    let Ok((_, parsed)) = load(&args.input) else { return Ok(Exit::BadInput) };
    let module = &parsed.module;
    let functions = select(module, args.function.as_deref())?;
    let &[func] = &*functions else {
        miette::bail!(help = "name one with --function", "there are {} functions", functions.len());
    };
    let config = Config { fuel: args.fuel, uninit_poison: args.uninit_poison, ..Config::default() };
    let program = Program::new(module, &config);
    let mut machine = Machine::new(&program, config);
    let mut chooser: Box<dyn Chooser> = match args.seed {
        Some(seed) => Box::new(RandomChooser::new(seed)),
        None => Box::new(ZeroChooser),
    };
    let mut trace = Trace::new(if args.trace { TRACE } else { 0 });
    let run = machine
        .run(func, &input, &mut *chooser, &mut trace)
        .map_err(|e| miette::miette!("the arguments don't fit @{}: {e}", module.env.funcs[func].name))?;
    let mut text = if args.trace { trace.render(module) } else { String::new() };
    for event in &run.events {
        text.push_str(&format!("event: {}\n", event_text(event)));
    }
    let side = Side { module, func };
    text.push_str(&format!("{} ({} steps)\n", outcome_text(side, &run.outcome), run.steps));
    output::to_stdout(&text)?;
    Ok(match run.outcome {
        Outcome::OutOfFuel | Outcome::Unsupported { .. } | Outcome::LimitExceeded(_) => Exit::Inconclusive,
        Outcome::Returned(_)
        | Outcome::Ub { .. }
        | Outcome::DidNotReturn { .. }
        | Outcome::Diverges { .. } => Exit::Accepted,
    })
}

/// The most characters of an argument that a message repeats.
const CLIP: usize = 200;

fn clipped(text: &str) -> String {
    match text.char_indices().nth(CLIP) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Splits at the commas that are in no braces.
fn parse_args(text: &str) -> miette::Result<Input> {
    if text.trim().is_empty() {
        return Ok(Input::new(Vec::new()));
    }
    // Members of one aggregate are what the list is; the interpreter's own syntax splits it.
    match format!("{{{text}}}").parse::<ArgSpec>() {
        Ok(ArgSpec::Members(args)) => Ok(Input::new(args)),
        Ok(_) => miette::bail!("--args {text:?} is no list"),
        Err(_) => {
            let bad = text.split(',').find_map(|a| a.parse::<ArgSpec>().err());
            Err(bad.map_or_else(
                || miette::miette!("--args {text:?} is no list"),
                |e| miette::miette!("--args: {}", clipped(&e.to_string())),
            ))
        }
    }
}
