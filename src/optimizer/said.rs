//! Classifies the failure of a command by its exit status and messages.

use super::Failure;
use nix::sys::signal::Signal;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

/// Maximum number of characters shown of a command's messages.
const SHOWN: usize = 300;
/// Number of stack frames that identify a crash: deeper ones differ between inputs.
const FRAMES: usize = 3;
/// Functions in every stack dump: those that handle the signal, and the start and end of the process.
const ALWAYS: [&str; 8] =
    ["main", "_start", "call_init", "raise", "gsignal", "abort", "runPassPipeline", "optMain"];
/// Substrings of the names of other such functions.
const ALWAYS_PARTS: [&str; 9] = [
    "PrintStackTrace",
    "RunSignalHandlers",
    "SignalHandler",
    "restore_rt",
    "pthread_kill",
    "__assert_fail",
    "report_fatal_error",
    "llvm_unreachable_internal",
    "__libc_start",
];

/// The failure of a command, if it failed.
pub(crate) fn failure(status: ExitStatus, said: &str) -> Option<Failure> {
    if status.success() {
        return None;
    }
    let words = last_words(said);
    let words = if words.is_empty() { String::new() } else { format!(": {words}") };
    // A shell in between exits with 128 plus the signal number.
    let signal = status.signal().or_else(|| status.code().map(|c| c - 128).filter(|s| (1..=64).contains(s)));
    let owns_up = ["PLEASE submit a bug report", "Stack dump:", "Assertion `", "panicked at"];
    let owns_up = owns_up.iter().any(|text| said.contains(text));
    Some(match (signal, status.code()) {
        // A tool that reports the place of an error in its input has not crashed, whatever its exit code.
        (_, Some(code)) if !owns_up && said.lines().any(is_diagnostic) => {
            Failure::Refused(format!("exit code {code}{words}"))
        }
        (Some(signal), _) => {
            let name = Signal::try_from(signal).map_or(String::new(), |s| format!(" ({s})"));
            Failure::Crashed(format!("signal {signal}{name} ended it{words}"))
        }
        (None, code) => {
            let code = code.map_or("no exit code".to_owned(), |c| format!("exit code {c}"));
            if owns_up {
                Failure::Crashed(format!("{code}{words}"))
            } else {
                Failure::Refused(format!("{code}{words}"))
            }
        }
    })
}

/// The most informative message: an assertion or deliberate abort; the crashing functions; an error; or the first
/// line.
fn last_words(said: &str) -> String {
    let lines = || said.lines().map(str::trim).filter(|line| !line.is_empty() && !is_boilerplate(line));
    let with = |words: &[&str]| words.iter().find_map(|word| lines().find(|line| line.contains(word)));
    let told = with(&["Assertion", "LLVM ERROR", "UNREACHABLE executed", "panicked"]).map(str::to_owned);
    let told = told.or_else(|| crashed_in(said));
    let told = told.or_else(|| with(&["error"]).or_else(|| lines().next()).map(str::to_owned));
    // A dump without names at least shows that it is one.
    let told = told.or_else(|| said.lines().find(|line| line.starts_with("PLEASE ")).map(str::to_owned));
    told.unwrap_or_default().chars().take(SHOWN).collect()
}

/// Whether a line is a compiler's error about a place in its input: `FILE:LINE:COLUMN: error: …`.
fn is_diagnostic(line: &str) -> bool {
    let Some((place, _)) = line.split_once(": error: ") else { return false };
    let mut numbers = place.rsplit(':').map(|number| number.parse::<u32>().is_ok());
    numbers.next() == Some(true) && numbers.next() == Some(true)
}

/// Whether a line appears in every crash: LLVM's request for a bug report, stack dump lines, and pass names.
fn is_boilerplate(line: &str) -> bool {
    let starts = ["PLEASE ", "Stack dump", "BISECT: "];
    starts.iter().any(|start| line.starts_with(start)) || frame(line).is_some() || entry(line).is_some()
}

/// Frames of LLVM's stack dump, innermost first, without the functions that handle the signal or end the process;
/// `None` without a dump or without names.
fn crashed_in(said: &str) -> Option<String> {
    let mut names: Vec<&str> = Vec::new();
    let handles = |name: &str| {
        let last = name.rsplit("::").next().unwrap_or(name).trim_start_matches("__GI_");
        ALWAYS.contains(&last) || ALWAYS_PARTS.iter().any(|part| last.contains(part))
    };
    for name in said.lines().filter_map(frame).map(name_of).filter(|name| !name.is_empty() && !handles(name))
    {
        if names.len() < FRAMES && !names.contains(&name) {
            names.push(name);
        }
    }
    let by_names = (!names.is_empty()).then(|| format!("in {}", names.join(", called by ")));
    // Without names, the pass is at least known.
    by_names.or_else(|| {
        said.lines().filter_map(entry).find(|text| text.starts_with("Running pass")).map(str::to_owned)
    })
}

/// The text of a stack dump line after the frame's number and address: ` #4 0x00007f5a8a070053 …`.
fn frame(line: &str) -> Option<&str> {
    let (number, rest) = line.trim_start().strip_prefix('#')?.split_once(' ')?;
    let (address, rest) = rest.trim_start().split_once(' ')?;
    (number.parse::<u32>().is_ok() && address.starts_with("0x")).then_some(rest)
}

/// The text of a stack dump line that describes an activity: `1.\tRunning pass …`.
fn entry(line: &str) -> Option<&str> {
    let (number, rest) = line.split_once(".\t")?;
    number.parse::<u32>().is_ok().then_some(rest)
}

/// The function name of a frame without arguments and location; empty if it has none.
fn name_of(frame: &str) -> &str {
    const NOWHERE: &str = "(anonymous namespace)";
    let (mut depth, mut at) = (0_u32, 0);
    while let Some(c) = frame[at..].chars().next() {
        match c {
            _ if frame[at..].starts_with(NOWHERE) => at += NOWHERE.len() - 1,
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            '(' | ' ' if depth == 0 => return &frame[..at],
            _ => {}
        }
        at += frame[at..].chars().next().map_or(1, char::len_utf8);
    }
    frame
}

#[cfg(test)]
mod tests {
    use super::{Failure, failure, last_words};
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;

    #[test]
    fn an_error_about_the_input_is_a_refusal() {
        let ended = |code: i32, said: &str| failure(ExitStatus::from_raw(code << 8), said);
        let said = "opt: in.ll:3:14: error: expected type\n  %x = frob i32 1\n";
        for code in [1, 134] {
            assert!(matches!(ended(code, said), Some(Failure::Refused(_))), "{code}");
            assert!(
                matches!(ended(code, &format!("{said}Stack dump:\n")), Some(Failure::Crashed(_))),
                "{code}"
            );
        }
        assert!(matches!(ended(134, "error: no\n"), Some(Failure::Crashed(_))));
        assert!(matches!(failure(ExitStatus::from_raw(6), said), Some(Failure::Crashed(_))));
    }

    /// A stack dump in the format of LLVM 14 and later.
    fn dump(frames: &[&str]) -> String {
        let head = "PLEASE submit a bug report to https://github.com/llvm/llvm-project/issues/ and include the crash backtrace.\n\
                    Stack dump:\n0.\tProgram arguments: opt-14 -passes=x in.ll\n";
        let handlers = [
            "llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) (/lib/libLLVM-14.so.1+0xea5291)",
            "llvm::sys::RunSignalHandlers() (/lib/libLLVM-14.so.1+0xea2fbe)",
            "(/lib/libLLVM-14.so.1+0xea57c6)",
            "__restore_rt (/lib/libc.so.6+0x3c050)",
        ];
        let line = |(nth, frame): (usize, &&str)| format!(" #{nth} 0x00007f5a88ca52{nth:02} {frame}\n");
        head.to_owned() + &handlers.iter().chain(frames).enumerate().map(line).collect::<String>()
    }

    #[test]
    fn crashes_are_identified_by_frames() {
        let one = dump(&[
            "llvm::Deps::isDependent(llvm::PointerIntPair<llvm::Value*, 1u, bool> const&, unsigned int) (/lib/libLLVM-14.so.1+0x2270053)",
            "llvm::Deps::isDependent(llvm::PointerIntPair<llvm::Value*, 1u, bool> const&, unsigned int) (/lib/libLLVM-14.so.1+0x2270053)",
            "(/lib/libLLVM-14.so.1+0x39b7f1f)",
            "(anonymous namespace)::Pass<llvm::Loop (int)>::run(llvm::Loop&) /src/Pass.cpp:7:3",
            "main (/usr/bin/opt+0x1)",
            "_start (/usr/bin/opt+0x1)",
        ]);
        let expected =
            "in llvm::Deps::isDependent, called by (anonymous namespace)::Pass<llvm::Loop (int)>::run";
        assert_eq!(last_words(&one), expected);
        // Addresses do not count.
        assert_eq!(last_words(&one.replace("52", "77")), expected);
        assert_ne!(
            last_words(&dump(&["llvm::Other::run(llvm::Loop&) (/lib/libLLVM-14.so.1+0x2)"])),
            expected
        );
    }

    #[test]
    fn an_assertion_says_more_and_boilerplate_nothing() {
        let dump = |frames: &[&str]| dump(frames);
        let asserted = format!("opt: X.cpp:17: run: Assertion `L' failed.\n{}", dump(&["llvm::X::run()"]));
        assert_eq!(last_words(&asserted), "opt: X.cpp:17: run: Assertion `L' failed.");
        assert_eq!(last_words(&format!("LLVM ERROR: no\n{}", dump(&["x"]))), "LLVM ERROR: no");
        let passes = dump(&[]).replace("in.ll\n", "in.ll\n1.\tRunning pass 'licm' on function '@f'\n");
        let nameless = passes.replace("__restore_rt ", "");
        let nameless: String =
            nameless.lines().filter(|l| !l.contains("llvm::")).map(|l| format!("{l}\n")).collect();
        assert_eq!(last_words(&nameless), "Running pass 'licm' on function '@f'");
        assert!(last_words(&nameless.replace("Running pass", "x")).starts_with("PLEASE submit"));
        assert_eq!(last_words("\nin.ll:3:1: note: x\nin.ll:3:1: error: y\n"), "in.ll:3:1: error: y");
        assert_eq!(last_words("one\ntwo\n"), "one");
    }
}
