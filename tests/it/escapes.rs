//! Escape sequences that a command prints reach neither the terminal nor a report; JSON keeps them, escaped.
#![cfg(unix)]

use crate::common::{Answer, Files, TWO};

/// Turns the text of a terminal red and changes its title.
const SEQUENCES: &str = "printf '\\033[31mred\\033]0;title\\007\\n'";

#[track_caller]
fn is_plain(answer: &Answer) {
    for text in [&answer.stdout, &answer.stderr] {
        assert!(!text.contains(['\x1b', '\x07']), "{text:?}");
    }
}

#[test]
fn the_messages_of_a_command_are_filtered() {
    let refuses = format!("if grep -q @bad \"$1\"; then {SEQUENCES} >&2; exit 1; fi; cat \"$1\"");
    let files = Files::with_script(TWO, &refuses);
    let answer = files.backedge("gate in.ll --opt ./opt --json out.json").exits(4);
    is_plain(&answer);
    answer.prints("[31mred");
    let json = files.read("out.json");
    assert!(json.contains("\\u001b[31mred") && !json.contains('\x1b'), "{json}");
    let answer = files.backedge("bisect in.ll --opt ./opt").exits(1);
    is_plain(&answer);
    let answer = files.backedge("reduce in.ll --opt ./opt -o small.ll --issue issue.md").exits(0);
    is_plain(&answer);
    let issue = files.read("issue.md");
    assert!(issue.contains("[31mred") && !issue.contains('\x1b'), "{issue}");
}

#[test]
fn what_a_command_writes_in_place_of_a_module_is_filtered() {
    let files = Files::with_script(TWO, SEQUENCES);
    for (line, code) in [
        ("gate in.ll --opt ./opt", 4),
        ("reduce in.ll --opt ./opt", 4),
        ("bisect in.ll --opt ./opt", 4),
        ("fuzz --seeds 0..1 --opt ./opt", 4),
        ("scev check in.ll --opt ./opt", 3),
    ] {
        let answer = files.backedge(line);
        is_plain(&answer);
        answer.exits(code);
    }
    files.write_script(&format!("{SEQUENCES} >&2; exit 3"));
    let answer = files.backedge("scev check in.ll --opt ./opt").exits(2).says("[31mred");
    is_plain(&answer);
}
