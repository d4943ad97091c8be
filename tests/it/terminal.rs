//! Terminal output: the progress bar of `gate`, and that no part of it is left.
#![cfg(unix)]

use crate::common::{Files, LOOP};
use backedge_testkit::skip;
use std::process::{Command, Stdio};

/// Runs `gate` in a pseudo-terminal, with standard output in the file `out.txt`; returns the text sent to the
/// terminal. `None` if there is no `script` (util-linux).
fn in_terminal(files: &Files, environment: &[(&str, &str)], arguments: &str) -> Option<String> {
    let there = Command::new("script").arg("--version").output();
    if !there.is_ok_and(|o| String::from_utf8_lossy(&o.stdout).contains("util-linux")) {
        skip("the progress bar on a terminal", "there is no `script` of util-linux");
        return None;
    }
    let command = format!("exec '{}' gate {arguments} > out.txt", env!("CARGO_BIN_EXE_backedge"));
    let status = Command::new("script")
        .args(["--quiet", "--return", "--command", &command, "typescript"])
        .current_dir(files.dir())
        .env("TERM", "xterm")
        .envs(environment.iter().copied())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .expect("script runs");
    assert_eq!(status.code(), Some(0), "{}", files.read("typescript"));
    let sent = files.read("typescript");
    // Its first and last lines are those of `script`.
    let begin = sent.find('\n').map_or(0, |at| at + 1);
    let end = sent.rfind("\nScript done").unwrap_or(sent.len());
    Some(sent[begin..end.max(begin)].to_owned())
}

/// The contents of the terminal's lines after `sent`: interprets carriage returns, line ends, and the control
/// sequences for erasing lines and moving up.
fn screen(sent: &str) -> String {
    let mut lines = vec![String::new()];
    let (mut row, mut column) = (0, 0);
    let mut chars = sent.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\r' => column = 0,
            '\n' => {
                row += 1;
                lines.resize(lines.len().max(row + 1), String::new());
            }
            '\x1b' if chars.next_if_eq(&'[').is_some() => {
                let mut number = String::new();
                let last = loop {
                    match chars.next() {
                        Some(digit) if digit.is_ascii_digit() || "?;".contains(digit) => number.push(digit),
                        last => break last,
                    }
                };
                match last {
                    Some('K') => lines[row].clear(),
                    Some('A') => row -= number.parse().unwrap_or(1).min(row),
                    _ => {}
                }
            }
            c => {
                let mut line: Vec<char> = lines[row].chars().collect();
                line.resize(line.len().max(column + 1), ' ');
                line[column] = c;
                column += 1;
                lines[row] = line.into_iter().collect();
            }
        }
    }
    lines.join("\n").trim().to_owned()
}

fn work() -> Files {
    let files: Vec<_> = (0..8).map(|i| (format!("{i}.ll"), LOOP.replace("@f", &format!("@f{i}")))).collect();
    let files: Vec<_> = files.iter().map(|(n, t)| (n.as_str(), t.as_bytes())).collect();
    Files::new(&files)
}

#[test]
fn a_bar_shows_from_the_beginning_and_leaves_nothing() {
    let files = work();
    let Some(sent) = in_terminal(&files, &[], ". --bound 2 --jobs 1") else { return };
    let read = sent.find("0/8 files read").unwrap_or_else(|| panic!("no bar while reading:\n{sent:?}"));
    let checked = sent.find(" checked").unwrap_or_else(|| panic!("no bar while checking:\n{sent:?}"));
    assert!(read < checked);
    assert!(sent.contains("to go"), "{sent:?}");
    assert_eq!(screen(&sent), "", "left on the terminal");
    let output = files.read("out.txt");
    assert!(output.contains("judged:") && !output.contains('\x1b') && !output.contains("to go"), "{output}");
}

#[test]
fn no_bar_where_it_can_not_be_drawn() {
    let files = work();
    let Some(sent) = in_terminal(&files, &[("TERM", "dumb")], ". --bound 2") else { return };
    assert_eq!(sent.trim(), "");
    // The same on a pipe.
    let piped = files.backedge("gate . --bound 2").exits(0);
    assert_eq!(piped.stderr, "");
}

#[test]
fn no_colour_where_none_is_wanted() {
    let files = work();
    let Some(sent) = in_terminal(&files, &[("NO_COLOR", "1")], ". --bound 2") else { return };
    assert!(sent.contains("files read"));
    assert!(
        !sent
            .split("\x1b[")
            .skip(1)
            .any(|s| s.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';').starts_with('m')),
        "{sent:?}"
    );
}

#[test]
fn the_screen_of_this_test_is_one() {
    assert_eq!(screen("abc\rx\n\x1b[1A\r\x1b[2K"), "");
    assert_eq!(screen("abc\rx"), "xbc");
    assert_eq!(screen("one\r\ntwo\r\x1b[2K"), "one");
}
