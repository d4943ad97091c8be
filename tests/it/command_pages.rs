//! The pages of commands in `docs/commands` show the options that `--help` prints.
//!
//! Each visible command has a page `NAME.md`. Between two comments it contains the usage, the arguments and the
//! options of the command, as text; the rest is written by hand. Text that a command adds to its help after the
//! options (examples, exit codes) is left out. With `BACKEDGE_BLESS` set, pages that differ are rewritten in place.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The comments around the generated part of a page.
const BEGIN: &str = "<!-- help -->\n";
const END: &str = "<!-- end of help -->\n";

fn pages() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/commands")
}

/// The help text of the command that `words` select, at a fixed width.
fn help(words: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_backedge"));
    command.args(words).arg("--help").env("COLUMNS", "100");
    let answer = backedge_testkit::run(&mut command, b"", Duration::from_secs(60));
    assert_eq!(answer.code, Some(0), "{words:?}: {}", answer.stderr);
    answer.stdout
}

/// The visible commands, in the order of the program's help.
fn commands() -> Vec<String> {
    let help = help(&[]);
    let rows =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    // A longer indentation continues a description.
    let names = rows.filter(|row| !row.starts_with("   ")).filter_map(|row| row.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

/// The words that select a command with options.
fn words(command: &str) -> Vec<&str> {
    if command == "scev" { vec!["scev", "check"] } else { vec![command] }
}

/// The part of a help text from the usage to the last option.
fn usage_and_options(help: &str) -> String {
    let usage = help.lines().skip_while(|line| !line.starts_with("Usage:"));
    let is_heading = |line: &str| line.ends_with(':') && !line.starts_with("Example");
    let is_part = |line: &str| line.is_empty() || line.starts_with(' ') || is_heading(line);
    let mut lines: Vec<&str> = usage
        .enumerate()
        .take_while(|(nth, line)| *nth == 0 || is_part(line))
        .map(|(_, line)| line.trim_end())
        .collect();
    while lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    lines.join("\n")
}

/// The page with its generated part replaced by `options`; `None` without the two comments.
fn with_options(page: &str, options: &str) -> Option<String> {
    let (before, rest) = page.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{BEGIN}\n```text\n{options}\n```\n\n{END}{after}"))
}

#[test]
fn pages_show_the_options() {
    let commands = commands();
    assert!(commands.len() > 10, "the commands were not found: {commands:?}");
    let bless = std::env::var_os("BACKEDGE_BLESS").is_some();
    let mut stale = Vec::new();
    for command in &commands {
        let path = pages().join(format!("{command}.md"));
        let page = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let help = help(&words(command));
        let options = usage_and_options(&help);
        assert!(options.contains("--help"), "no options in the help of {command}:\n{help}");
        let current = with_options(&page, &options);
        let current = current.unwrap_or_else(|| panic!("{} lacks {BEGIN} or {END}", path.display()));
        if current != page && bless {
            std::fs::write(&path, current).unwrap();
        } else if current != page {
            stale.push(command.as_str());
        }
    }
    assert!(
        stale.is_empty(),
        "the pages of {} are out of date: BACKEDGE_BLESS=1 cargo test -p backedge --test it command_pages",
        stale.join(", ")
    );
}

#[test]
fn every_page_is_about_a_command() {
    let commands = commands();
    for path in backedge_testkit::files_with_extension(&pages(), "md") {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let known = name == "index" || commands.iter().any(|command| command == name);
        assert!(known, "{}: there is no command `{name}`", path.display());
    }
}

#[test]
fn text_after_the_options_is_left_out() {
    let help = "What it does\n\nUsage: x [FILE]\n\nOptions:\n  -h, --help  Print help\n\nOutput:\n      --all\n\nMore.\n\nExamples:\n  x\n";
    assert_eq!(
        usage_and_options(help),
        "Usage: x [FILE]\n\nOptions:\n  -h, --help  Print help\n\nOutput:\n      --all"
    );
}
