//! Sources of claims: this project's analysis, a file with LLVM's text, or an `opt` that is run now.

use crate::input::Source;
use crate::optimizer::{Unusable, WITHOUT_SHELL, shell_operator};
use crate::problem::Problem;
use crate::shown::{visible, visible_lines};
use backedge_analysis::Analyses;
use backedge_claim::claim::Claims;
use backedge_claim::text::{ReadError, parse_claims};
use backedge_ir::entity::FuncId;
use backedge_ir::module::{Code, Module};
use backedge_process::{self as process, Limits};
use backedge_scev::ScalarEvolution;
use backedge_scev::claims::Order;
use std::fs::File;
use std::io::{self, Seek, Write};
use std::ops::Range;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Maximum length in bytes of a command's output: bounds the disk and memory that it takes.
const LONGEST: u64 = 1 << 30;

/// The order in which this project's analysis is queried.
#[derive(Copy, Clone, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(crate) enum Asked {
    /// Values in program order, then counts
    Forwards,
    /// Counts of outer loops first, then values from the last to the first
    Backwards,
    /// Counts of inner loops first, then values
    CountsFirst,
}

impl From<Asked> for Order {
    fn from(asked: Asked) -> Self {
        match asked {
            Asked::Forwards => Self::Forwards,
            Asked::Backwards => Self::Backwards,
            Asked::CountsFirst => Self::CountsFirst,
        }
    }
}

/// The claims of this project's analysis about `funcs`: the final ones, or the answers to queries in the given order.
pub(crate) fn ours(module: &Module, funcs: &[FuncId], asked: Option<Asked>) -> Vec<Claims> {
    let one = |func: &FuncId| {
        let Code::Body(body) = &module.code[*func] else { return None };
        let analyses = Analyses::of(*func);
        let mut scev = ScalarEvolution::new(analyses.at(&module.env, body));
        Some(match asked {
            None => scev.claims(*func),
            Some(asked) => scev.claims_unsettled(*func, asked.into()),
        })
    };
    funcs.iter().filter_map(one).collect()
}

/// Parses the claims in `text`; on failure returns a problem.
pub(crate) fn read(module: &Module, text: &Source) -> Result<Vec<Claims>, Box<Problem>> {
    parse_claims(module, &text.text).map_err(|error| match error {
        ReadError::Text(error) => Box::new(
            Problem::error(visible(&format!("expected {}, found `{}`", error.expected, error.snippet)))
                .help(Some(
                    "the text is what opt -passes='print<scalar-evolution>' prints of the same module",
                ))
                .at(&text.name, &text.text, place(&text.text, error.line, error.column), "here"),
        ),
        ReadError::Io(error) => Box::new(Problem::error(format!("{} can't be read: {error}", text.name))),
    })
}

/// The byte range at a line and column, both counted from 1.
fn place(text: &[u8], line: u64, column: u32) -> Range<usize> {
    let before = line.saturating_sub(1) as usize;
    let start: usize = text.split_inclusive(|b| *b == b'\n').take(before).map(<[u8]>::len).sum();
    let at = (start + column.saturating_sub(1) as usize).min(text.len());
    at..(at + 1).min(text.len())
}

/// A temporary file with this text, positioned at its start.
fn file_with(text: &[u8]) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    file.write_all(text)?;
    file.rewind()?;
    Ok(file)
}

/// The error of LLVM 14 for opaque pointers, and the flag that enables them.
const WANTS_OPAQUE: &str = "only supported in -opaque-pointers mode";
const OPAQUE: &str = "-opaque-pointers";

/// The output of LLVM's print pass when `command` runs on `module`, within the time `limit`. If the command requires
/// opaque pointer mode, as LLVM 14 does, it runs again in that mode.
pub(crate) fn ask(command: &str, module: &Source, limit: Duration) -> miette::Result<Source> {
    let words = shlex::split(command).filter(|w| !w.is_empty());
    let Some(words) = words else {
        miette::bail!(
            help = "for example --opt 'opt-22 -aa-pipeline=basic-aa'",
            "--opt {command:?} is no command"
        );
    };
    if let Some(operator) = shell_operator(&words) {
        miette::bail!(help = WITHOUT_SHELL, "{}", Unusable::Shell(operator.to_owned()));
    }
    let start = Instant::now();
    let mut ended = run(command, &words, module, limit)?;
    let told = |ended: &Ended| String::from_utf8_lossy(&ended.text).contains(WANTS_OPAQUE);
    if ended.status.is_some_and(|s| !s.success()) && told(&ended) && !words.iter().any(|w| w == OPAQUE) {
        let words: Vec<String> = words.into_iter().chain([OPAQUE.to_owned()]).collect();
        ended = run(command, &words, module, limit.saturating_sub(start.elapsed()))?;
    }
    let Ended { status, text } = ended;
    match status {
        Some(status) if status.success() => Ok(Source { name: format!("<{command}>"), text }),
        Some(status) => {
            let said = String::from_utf8_lossy(&text);
            let first: Vec<&str> = said.lines().take(5).collect();
            miette::bail!(
                help = "its version may not know the module's spellings: opt 13 wants typed pointers",
                "{command} ended with {status}{}{}",
                if first.is_empty() { "" } else { ":\n" },
                visible_lines(&first.join("\n"))
            )
        }
        None => miette::bail!(help = "--timeout sets it", "{command} took more than {} s", limit.as_secs()),
    }
}

/// How a command ended; no status if it exceeded its time or output limit.
struct Ended {
    status: Option<ExitStatus>,
    text: Vec<u8>,
}

/// Runs the print pass with `words`, the words of `command`, on `module` for at most `limit`.
fn run(command: &str, words: &[String], module: &Source, limit: Duration) -> miette::Result<Ended> {
    // Files instead of pipes, so that nothing waits for processes that outlive the command.
    let files = file_with(&module.text).and_then(|input| Ok((input, tempfile::tempfile()?)));
    let (input, mut output) = files.map_err(|e| miette::miette!("no temporary file can be made: {e}"))?;
    let ended = output.try_clone().and_then(|errors| {
        let mut command = Command::new(Path::new(&words[0]));
        command.args(&words[1..]).args(["-passes=print<scalar-evolution>", "-disable-output", "-"]);
        command.stdin(input).stdout(Stdio::null()).stderr(errors);
        let limits = Limits { output: Some(LONGEST), ..Limits::of_time(limit) };
        process::run(&mut command, limits, &[&output])
    });
    let ended = ended.map_err(|e| {
        miette::miette!(help = "give the path of LLVM's opt", "{} can't be run: {e}", words[0])
    })?;
    let text = process::written_bytes(&mut output, LONGEST + 1)
        .map_err(|e| miette::miette!("what {} prints can't be read: {e}", words[0]))?;
    if text.len() as u64 > LONGEST {
        miette::bail!(help = "give a smaller module", "{command} prints more than {LONGEST} bytes");
    }
    Ok(Ended { status: ended.status(), text })
}
