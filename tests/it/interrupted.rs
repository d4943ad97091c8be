//! Signals: finished records are kept, and no temporary file is left, not even after a kill.
#![cfg(target_os = "linux")]

use crate::common::{Files, TWO};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const LIMIT: Duration = Duration::from_secs(60);

/// An optimizer that marks its start and then takes very long, except for files without `@bad`.
const SLEEPS: &str = "if grep -q @bad \"$1\"; then touch started; exec sleep 600; fi; cat \"$1\"";

fn until(what: &str, holds: impl Fn() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < LIMIT, "waited in vain until {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Names in the folder for temporary files.
fn temporary(files: &Files) -> Vec<String> {
    let entries = std::fs::read_dir(files.path("tmp")).expect("the folder");
    entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
}

/// Files of the test, the optimizer `./opt` with that script, and the folder for temporary files.
fn prepared(script: &str) -> Files {
    let files = Files::with_script(TWO, script);
    std::fs::create_dir(files.path("tmp")).expect("a folder");
    files
}

fn started(files: &Files, line: &str) -> Child {
    let child = Command::new(env!("CARGO_BIN_EXE_backedge"))
        .args(shlex::split(line).expect("a command line"))
        .current_dir(files.dir())
        .env_remove("BACKEDGE_CACHE")
        .env("TMPDIR", files.path("tmp"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    until("the command runs", || files.path("started").exists());
    child
}

fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args([name, &child.id().to_string()]).status();
    assert!(status.is_ok_and(|status| status.success()), "{name}");
}

fn exit_code(mut child: Child) -> Option<i32> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("the child") {
            return status.code();
        }
        if start.elapsed() > LIMIT {
            let _ = child.kill();
            panic!("it goes on after the signal");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn is_hidden_temporary(name: impl AsRef<str>) -> bool {
    name.as_ref().starts_with(".backedge-")
}

#[test]
fn no_signal_leaves_temporary_files() {
    for (line, name) in [
        ("gate in.ll --opt ./opt --json out.json", "-INT"),
        ("bisect in.ll --opt ./opt", "-TERM"),
        ("reduce in.ll --opt ./opt -o small.ll", "-HUP"),
        ("reduce in.ll --test ./opt -o small.ll", "-INT"),
    ] {
        let files = prepared(SLEEPS);
        let child = started(&files, line);
        assert!(!temporary(&files).is_empty(), "{line} uses no temporary file");
        signal(&child, name);
        assert_eq!(exit_code(child), Some(75), "{line}");
        assert_eq!(temporary(&files), [""; 0], "{line}");
        assert!(!files.names().iter().any(is_hidden_temporary), "{line}: {:?}", files.names());
    }
}

/// SIGQUIT ends the process at once, by the signal.
#[test]
fn sigquit_leaves_no_temporary_files() {
    let files = prepared(SLEEPS);
    let child = started(&files, "gate in.ll --opt ./opt --json out.json");
    assert!(!temporary(&files).is_empty());
    signal(&child, "-QUIT");
    // A job in the background of a script ignores the signal, and so do its children.
    assert!(matches!(exit_code(child), None | Some(131)));
    assert_eq!(temporary(&files), [""; 0]);
    assert_eq!(files.names(), ["in.ll", "opt", "started", "tmp"]);
}

#[test]
fn a_campaign_leaves_no_temporary_files() {
    let files = prepared("touch started; if test -e ready; then exec sleep 600; fi; cat \"$1\"");
    std::fs::write(files.path("started"), "").expect("a file");
    let child = started(&files, "fuzz --seeds 0..1000 --batch 1 --opt ./opt --findings f --jobs 1");
    until("the campaign has a folder", || !temporary(&files).is_empty());
    std::fs::write(files.path("ready"), "").expect("a file");
    std::thread::sleep(Duration::from_millis(200));
    signal(&child, "-TERM");
    assert_eq!(exit_code(child), Some(75));
    assert_eq!(temporary(&files), [""; 0]);
}

#[test]
fn leftovers_of_a_killed_process_are_removed_by_the_next_one() {
    let files = prepared(SLEEPS);
    let mut child = started(&files, "gate in.ll --opt ./opt --json out.json");
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    assert!(!temporary(&files).is_empty());
    assert!(files.names().iter().any(is_hidden_temporary), "{:?}", files.names());
    // Files of a living process, and of others, are kept.
    let other = files.path("tmp").join("backedge-notes");
    std::fs::write(&other, "").expect("a file");
    let status = Command::new(env!("CARGO_BIN_EXE_backedge"))
        .args(["gate", "in.ll", "--opt", "cat", "--json", "out.json", "--allow-unchanged"])
        .current_dir(files.dir())
        .env("TMPDIR", files.path("tmp"))
        .stdout(Stdio::null())
        .status();
    assert!(status.expect("the program starts").success());
    assert_eq!(temporary(&files), ["backedge-notes"]);
    assert!(!files.names().iter().any(is_hidden_temporary), "{:?}", files.names());
}

/// `timeout -s INT` signals the process and then its group, which is the process again.
#[test]
fn a_repeated_interrupt_keeps_finished_records() {
    let refuses = format!("if grep -q @good1 \"$1\"; then exit 1; fi; {SLEEPS}");
    let files = prepared(&refuses);
    let first = "define i32 @good1(i32 %x) {\n  ret i32 %x\n}\n";
    std::fs::write(files.path("first.ll"), first).expect("a file");
    let line = "gate first.ll in.ll --opt ./opt --json out.json --jobs 1";
    let child = started(&files, line);
    signal(&child, "-INT");
    signal(&child, "-INT");
    assert_eq!(exit_code(child), Some(75));
    let text = files.read("out.json");
    let records: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let kinds: Vec<_> = records.iter().map(|record| record["kind"].as_str().unwrap_or_default()).collect();
    assert_eq!(kinds, ["refused", "summary"], "{text}");
    assert_eq!(records[0]["function"], "good1");
    assert_eq!(records[1]["interrupted"], true, "{text}");
}

/// A loop whose claims are decided on few inputs, and one whose runs take very long.
const QUICK_AND_SLOW: &str = "\
define void @quick(i4 %n) {
entry:
  br label %loop
loop:
  %i = phi i4 [ 0, %entry ], [ %next, %loop ]
  %next = add i4 %i, 1
  %more = icmp ult i4 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

define void @slow(i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
";

#[test]
fn an_interrupted_check_of_claims_keeps_what_it_has_shown() {
    let files = Files::new(&[("in.ll", QUICK_AND_SLOW.as_bytes())]);
    let line = "scev check in.ll --all --json out.json --no-solver --runs 100000000 --fuel 100000000 \
                --all-fuel 100000000000000";
    let mut child = Command::new(env!("CARGO_BIN_EXE_backedge"))
        .args(shlex::split(line).expect("a command line"))
        .current_dir(files.dir())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut text = String::new();
    output.read_line(&mut text).expect("the first function's claims");
    assert!(text.starts_with("@quick"), "{text}");
    signal(&child, "-INT");
    output.read_to_string(&mut text).expect("the rest");
    assert_eq!(exit_code(child), Some(75));
    let shown = text.lines().filter(|line| line.starts_with("@quick")).count();
    assert!(!text.contains("@slow") && text.contains(&format!("\n{shown} claims: ")), "{text}");
    assert_eq!(files.read("out.json").lines().count(), shown, "{text}");
    assert_eq!(files.names(), ["in.ll", "out.json"]);
}

#[test]
fn a_closed_output_is_an_error() {
    let files = prepared("cat \"$1\"");
    let run = |line: &str| {
        let line = format!("exec '{}' {line}", env!("CARGO_BIN_EXE_backedge"));
        Command::new("sh").args(["-c", &line]).current_dir(files.dir()).output().expect("a shell")
    };
    let answer = run("opt in.ll >&-");
    assert_eq!(answer.status.code(), Some(2));
    let stderr = String::from_utf8_lossy(&answer.stderr);
    assert!(stderr.contains("standard output is closed") && stderr.contains("-o FILE"), "{stderr}");
    for line in ["opt in.ll > /dev/null", "opt in.ll -o /dev/null >&-", "opt in.ll -disable-output >&-"] {
        assert!(run(line).status.success(), "{line}");
    }
}

/// An input copy that can't be written is an error, and no verdict.
#[test]
fn without_a_temporary_folder_nothing_is_said_of_the_files() {
    let files = prepared("cat \"$1\"");
    for line in ["gate in.ll --opt ./opt", "bisect in.ll --opt ./opt", "reduce in.ll --opt ./opt"] {
        let answer = Command::new(env!("CARGO_BIN_EXE_backedge"))
            .args(shlex::split(line).expect("a command line"))
            .current_dir(files.dir())
            .env("TMPDIR", Path::new("/nosuchfolder"))
            .output()
            .expect("the program starts");
        let [stdout, stderr] = [&answer.stdout, &answer.stderr].map(|text| String::from_utf8_lossy(text));
        assert_eq!(answer.status.code(), Some(125), "{line}: {stderr}");
        assert!(stderr.contains("the command's input can't be written"), "{line}: {stderr}");
        assert_eq!(stdout, "", "{line}");
    }
}
