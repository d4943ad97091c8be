//! How a command failed, by how it ended and by what it said.

use super::Failure;
use nix::sys::signal::Signal;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

/// Characters of what a command says that are shown.
const SHOWN: usize = 300;

/// How a command failed, if it did.
pub(super) fn failure(status: ExitStatus, said: &str) -> Option<Failure> {
    if status.success() {
        return None;
    }
    let words = last_words(said);
    let words = if words.is_empty() { String::new() } else { format!(": {words}") };
    // A shell in between answers 128 and the signal's number.
    let signal = status.signal().or_else(|| status.code().map(|c| c - 128).filter(|s| (1..=64).contains(s)));
    let owns_up = ["PLEASE submit a bug report", "Stack dump:", "Assertion `", "panicked at"];
    Some(match (signal, status.code()) {
        (Some(signal), _) => {
            let name = Signal::try_from(signal).map_or(String::new(), |s| format!(" ({s})"));
            Failure::Crashed(format!("signal {signal}{name} ended it{words}"))
        }
        (None, code) => {
            let code = code.map_or("no exit code".to_owned(), |c| format!("exit code {c}"));
            if owns_up.iter().any(|text| said.contains(text)) {
                Failure::Crashed(format!("{code}{words}"))
            } else {
                Failure::Refused(format!("{code}{words}"))
            }
        }
    })
}

/// The line that says most.
fn last_words(said: &str) -> String {
    let telling = ["Assertion", "LLVM ERROR", "error", "panicked"];
    let lines = || said.lines().map(str::trim).filter(|l| !l.is_empty());
    let line = telling.iter().find_map(|word| lines().find(|l| l.contains(word))).or_else(|| lines().next());
    line.unwrap_or_default().chars().take(SHOWN).collect()
}
