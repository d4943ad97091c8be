//! `--test`: a command that decides whether a file is interesting. It follows llvm-reduce's contract: its words are
//! passed unchanged, followed by the file; exit code 0 means interesting, and anything else does not, whatever its
//! output. With cvise's argument order the command gets no argument: it finds the file by its name in its working
//! directory, a temporary one.

use super::super::tell::fenced;
use super::Args;
use crate::optimizer::{COPY, Failure, Limits, Optimizer, Unusable, failure};
use crate::output;
use backedge_fuzz::reduce::{self, Test};
use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;

/// The test of `--test`.
pub(super) struct CommandTest {
    pub(super) command: Optimizer,
    /// Why the first uninteresting file was not interesting: the test's message, or the limit that it exceeded.
    pub(super) first_failure: OnceLock<String>,
}

impl CommandTest {
    /// The text of an issue, which can describe the failure only by the command.
    pub(super) fn issue(&self, text: &str) -> String {
        let command = self.command.for_shell_appended(COPY);
        let seen = fenced("sh", &command);
        format!(
            "# `{command}` exits with 0\n\non this:\n\n{}\nFound again by\n\n{}",
            fenced("llvm", text),
            seen
        )
    }
}

impl Test for CommandTest {
    fn is_interesting(&self, text: &str, stop: &reduce::Stop<'_>) -> Result<bool, String> {
        let ended = self.command.status_on(text.as_bytes(), stop);
        match ended.and_then(|(status, said)| failure(status, &said).map_or(Ok(()), Err)) {
            Ok(()) => Ok(true),
            Err(Failure::Refused(why) | Failure::Crashed(why) | Failure::Limit(_, why)) => {
                let _ = self.first_failure.set(why);
                Ok(false)
            }
            Err(Failure::Interrupted) => Ok(false),
            Err(Failure::System(what)) => Err(what),
        }
    }
}

/// The command of `--test` or of cvise's argument order; `None` if it can't be run, after an error message.
pub(super) fn command(args: &Args) -> miette::Result<Option<Optimizer>> {
    let limits =
        Limits { time: Duration::from_secs(args.test_timeout), megabytes: 8192, output_megabytes: u64::MAX };
    let made = match (args.cvise_test(), &args.test) {
        (Some(script), _) => {
            let name = args.input().file_name().unwrap_or_default().to_string_lossy().into_owned();
            // A file in the working directory is meant, never a program of that name on the PATH.
            let script = std::path::absolute(script).unwrap_or_else(|_| script.to_owned());
            let script = script.display().to_string();
            Optimizer::test_in_folder(&script, name, limits)
        }
        (None, Some(test)) => Optimizer::test(test, words(test, args)?, limits),
        (None, None) => return Ok(None),
    };
    match made {
        Ok(command) => Ok(Some(command)),
        Err(Unusable::Program(program, why)) => {
            output::to_stderr(&format!("error: {program} can't be run: {why}"));
            Ok(None)
        }
        Err(unusable) => miette::bail!("{unusable}"),
    }
}

/// The words of `--test` and `--test-arg`.
fn words(test: &str, args: &Args) -> miette::Result<Vec<String>> {
    // A single word that is a path may be a file name with spaces.
    let split = || shlex::split(test).filter(|words| !words.is_empty());
    let words = if Path::new(test).is_file() { Some(vec![test.to_owned()]) } else { split() };
    let Some(mut words) = words else { miette::bail!("--test {test:?} is no command line") };
    words.extend(args.test_arg.iter().cloned());
    Ok(words)
}
