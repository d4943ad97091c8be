//! The commands of the documents do what the documents show.
//!
//! The documents are `*.md`, `docs/**/*.md`, and the README of each top-level folder. `trycmd` runs the commands
//! of their `console` blocks and compares the output; commands in `sh` blocks must succeed. They run in a sandbox: a
//! temporary folder with copies of `corpus` and `docs`, one for each document, so that no command writes to the
//! checkout. It also contains the files that the document tells its readers to save: blocks with `file=NAME` in
//! their info string.
//!
//! A block that the tests can't run has the flag `ignore`, and its commands are in [`IGNORED`]. Blocks whose optimizer
//! or compiler is not installed are skipped with a report.
#![cfg(unix)]

mod document;

use crate::common::{lacks_opt, write_my_opt};
use document::{Block, Document, Kind};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(120);

/// The info string of a `console` block that trycmd skips because a program is not installed.
const SKIPPED: &str = "console,ignore,missing-program";

/// Programs besides `backedge` that commands of `console` blocks may start.
const OTHER_PROGRAMS: [&str; 4] = ["clang-22", "clang++-22", "opt-22", "rustc"];

/// How commands begin that may be in ignored blocks, and why the tests do not run them.
const IGNORED: [(&str, &str); 3] = [
    ("cargo +nightly fuzz ", "needs a nightly compiler and cargo-fuzz"),
    ("cargo ", "compiles and runs other test programs"),
    ("backedge fuzz --time ", "runs for a fixed time, so its figures depend on the machine"),
];

/// Fills `dir` with the files that the commands of `document` use.
fn fill_sandbox(document: &Document, dir: &Path) {
    for folder in ["corpus", "docs"] {
        copy(&document::root().join(folder), &dir.join(folder));
    }
    std::fs::create_dir(dir.join("target")).unwrap();
    write_my_opt(dir);
    for (name, contents) in document.files() {
        std::fs::write(dir.join(name), contents).unwrap();
    }
}

/// Copies the folder `from`, which has no links, to `to`.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &to);
        } else {
            std::fs::copy(entry.path(), to).unwrap();
        }
    }
}

/// Whether `command` can't run in `sandbox` because a program is not installed.
fn lacks_program(command: &str, sandbox: &Path) -> bool {
    let program = first_word(command);
    let is_missing = OTHER_PROGRAMS.contains(&program) && path_of(program).is_none();
    if is_missing {
        backedge_testkit::skip(command, &format!("no command `{program}`"));
    }
    is_missing || lacks_opt(command, sandbox)
}

/// The executable of `program`, if `program --version` succeeds.
fn path_of(program: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    let path =
        std::env::split_paths(&folders).map(|folder| folder.join(program)).find(|path| path.is_file())?;
    Command::new(&path).arg("--version").output().is_ok_and(|output| output.status.success()).then_some(path)
}

fn first_word(command: &str) -> &str {
    command.split(' ').next().unwrap_or_default()
}

/// The text of `document` in which the blocks that need a missing program are marked as [`SKIPPED`], and so are the
/// later blocks of their sections, which may need the files that such a block writes.
fn without_missing_programs(document: &Document, sandbox: &Path) -> String {
    let mut text = document.text.clone();
    let mut lacking = None;
    let mut skipped = Vec::new();
    for block in document.blocks().iter().filter(|b| b.is_run(Kind::Console)) {
        let section = Some(document.section(block));
        if lacking == section || block.commands().iter().any(|command| lacks_program(command, sandbox)) {
            lacking = section;
            skipped.push(block.info_range());
        }
    }
    // From the end, so that the positions of earlier blocks stay valid.
    for info in skipped.into_iter().rev() {
        text.replace_range(info, SKIPPED);
    }
    text
}

/// With `TRYCMD=overwrite`, the documents get the output of the commands.
#[test]
fn console_blocks_show_the_output() {
    let mut documents = document::all();
    documents.retain(|document| document.blocks().iter().any(|block| block.is_run(Kind::Console)));
    assert!(!documents.is_empty(), "the documents were not found");

    let dir = tempfile::tempdir().unwrap();
    let cases = trycmd::TestCases::new();
    cases.register_bin("backedge", Path::new(env!("CARGO_BIN_EXE_backedge")));
    for program in OTHER_PROGRAMS {
        if let Some(path) = path_of(program) {
            cases.register_bin(program, path);
        }
    }
    cases.env("BACKEDGE_CACHE", "").timeout(LIMIT);
    for document in &documents {
        let copy = dir.path().join(&document.path);
        // trycmd runs the commands of `NAME.md` in `NAME.in`.
        let sandbox = copy.with_extension("in");
        std::fs::create_dir_all(&sandbox).unwrap();
        fill_sandbox(document, &sandbox);
        std::fs::write(&copy, without_missing_programs(document, &sandbox)).unwrap();
        cases.case(copy);
    }
    cases.run();

    if std::env::var_os("TRYCMD").is_some_and(|mode| mode == "overwrite") {
        for document in &documents {
            let text = std::fs::read_to_string(dir.path().join(&document.path)).unwrap();
            std::fs::write(document::root().join(&document.path), text.replace(SKIPPED, "console")).unwrap();
        }
    }
}

#[test]
fn commands_of_sh_blocks_succeed() {
    let program = Path::new(env!("CARGO_BIN_EXE_backedge"));
    let old = std::env::var_os("PATH").unwrap_or_default();
    let folders = [program.parent().unwrap().to_path_buf()].into_iter().chain(std::env::split_paths(&old));
    let path = std::env::join_paths(folders).unwrap();
    let mut count = 0;
    for document in document::all() {
        let commands: Vec<String> =
            document.blocks().iter().filter(|b| b.is_run(Kind::Shell)).flat_map(Block::commands).collect();
        if commands.is_empty() {
            continue;
        }
        let sandbox = tempfile::tempdir().unwrap();
        fill_sandbox(&document, sandbox.path());
        for command in commands.iter().filter(|command| !lacks_opt(command, sandbox.path())) {
            let mut shell = Command::new("sh");
            shell.args(["-c", command]).current_dir(sandbox.path()).env("PATH", &path);
            let answer = backedge_testkit::run(shell.env_remove("BACKEDGE_CACHE"), b"", LIMIT);
            let name = document.path.display();
            assert_eq!(answer.code, Some(0), "{name}: {command}\n{}\n{}", answer.stdout, answer.stderr);
            count += 1;
        }
    }
    assert!(count >= 5, "the commands of the documents were not found");
}

/// trycmd skips blocks that it does not see, and commands of programs that it does not know, without a failure.
#[test]
fn no_command_is_skipped_without_a_reason() {
    let mut used = [false; IGNORED.len()];
    for document in document::all() {
        for block in document.blocks() {
            let place = format!("{}:{}", document.path.display(), block.line);
            if block.is_ignored() {
                for command in block.commands() {
                    let row = IGNORED.iter().position(|(prefix, _)| command.starts_with(prefix));
                    used[row.unwrap_or_else(|| panic!("{place}: `{command}` is not in IGNORED"))] = true;
                }
                continue;
            }
            match block.kind() {
                Kind::Console => check_console(&block, &place),
                Kind::Shell => {}
                Kind::Other => {
                    let mut lines = block.text.lines();
                    let command = lines.find(|l| l.starts_with("$ ") || l.starts_with("backedge "));
                    assert_eq!(command, None, "{place}: commands belong in blocks of `console` or `sh`");
                }
            }
        }
    }
    for ((prefix, _), used) in IGNORED.iter().zip(used) {
        assert!(used, "no ignored command begins with `{prefix}`");
    }
}

/// The README must be short enough to be read as a whole, in bytes.
const README: u64 = 8_000;

#[test]
fn the_readme_is_short() {
    let size = std::fs::metadata(document::root().join("README.md")).unwrap().len();
    assert!(size <= README, "README.md has {size} bytes: move something to docs");
}

#[test]
fn links_lead_to_files() {
    let mut count = 0;
    for document in document::all() {
        for file in document.linked_files() {
            let exists = document::root().join(&file).exists();
            assert!(exists, "{} links to {}, which does not exist", document.path.display(), file.display());
            count += 1;
        }
    }
    assert!(count > 100, "the links were not found");
}

#[test]
fn the_contents_list_every_page() {
    let documents = document::all();
    let contents =
        documents.iter().find(|document| document.path.ends_with("SUMMARY.md")).expect("the contents");
    let listed = contents.linked_files();
    for page in documents.iter().map(|document| &document.path).filter(|path| path.starts_with("docs")) {
        let known = page == &contents.path || listed.contains(page);
        assert!(known, "docs/SUMMARY.md does not list {}", page.display());
    }
}

/// Asserts that trycmd runs each command of `block`, which is at `place`.
fn check_console(block: &Block, place: &str) {
    assert!(block.starts_a_line(), "{place}: trycmd does not see an indented block");
    assert!(!block.text.contains("\n? skipped"), "{place}: use the flag `ignore`");
    for command in block.commands() {
        let program = first_word(&command);
        let known = program == "backedge" || OTHER_PROGRAMS.contains(&program);
        assert!(known, "{place}: trycmd would skip `{command}`: use the flag `ignore`");
    }
}
