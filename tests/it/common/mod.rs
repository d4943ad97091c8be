//! Runs the built executable with a time limit, and provides small modules to run it on.
#![allow(dead_code, unreachable_pub, reason = "each test uses its part")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The result of a run.
#[derive(Debug)]
pub struct Answer {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
    pub time: Duration,
}

impl Answer {
    /// Asserts the exit code.
    #[track_caller]
    pub fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "\n--- stdout\n{}\n--- stderr\n{}", self.stdout, self.stderr);
        self
    }
    /// Asserts that standard error contains `text`, and that nothing panicked.
    #[track_caller]
    pub fn says(self, text: &str) -> Self {
        assert!(self.stderr.contains(text), "no {text:?} in\n{}", self.stderr);
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
        self
    }
    /// Asserts that standard output contains `text`.
    #[track_caller]
    pub fn prints(self, text: &str) -> Self {
        assert!(self.stdout.contains(text), "no {text:?} in\n{}", self.stdout);
        self
    }
}

/// Runs `backedge` with the words of `line` in the root of the checkout.
#[track_caller]
pub fn backedge(line: &str) -> Answer {
    let args = words(line);
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    run(&args, b"", Path::new(env!("CARGO_MANIFEST_DIR")))
}

/// The words of a command line, split as by a shell.
fn words(line: &str) -> Vec<String> {
    shlex::split(line).expect("a command line")
}

/// Whether a documented command that would run in `dir` needs an optimizer that is not installed.
pub fn lacks_opt(line: &str, dir: &Path) -> bool {
    let words = words(line);
    let command = words.iter().skip_while(|w| *w != "--opt").nth(1);
    let program = command.and_then(|c| shlex::split(c)?.into_iter().next());
    program.is_some_and(|program| !backedge_testkit::can_start(&program, dir, line.trim()))
}

/// Writes the optimizer `my-opt` of documented commands, which removes `nsw`.
#[cfg(unix)]
pub fn write_my_opt(dir: &Path) {
    write_executable(&dir.join("my-opt"), "sed 's/ nsw / /' \"${2#-in=}\" >\"$4\"");
}

/// Writes the shell script `script` as an executable.
#[cfg(unix)]
fn write_executable(path: &Path, script: &str) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::write(path, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// Runs `backedge` with `args` and `stdin` in `dir`, for at most two minutes.
#[track_caller]
pub fn run(args: &[&str], stdin: &[u8], dir: &Path) -> Answer {
    run_for(args, stdin, dir, Duration::from_secs(120))
}

/// Runs `backedge` with `args` and `stdin` in `dir`, for at most `limit`.
#[track_caller]
pub fn run_for(args: &[&str], stdin: &[u8], dir: &Path, limit: Duration) -> Answer {
    let mut command = Command::new(env!("CARGO_BIN_EXE_backedge"));
    command.args(args).env_remove("BACKEDGE_CACHE").current_dir(dir);
    let answer = backedge_testkit::run(&mut command, stdin, limit);
    assert!(!answer.timed_out, "backedge {} ran out of time", args.join(" "));
    Answer { code: answer.code, stdout: answer.stdout, stderr: answer.stderr, time: answer.time }
}

/// A directory with files.
pub struct Files {
    dir: tempfile::TempDir,
}

impl Files {
    /// Writes `files`: names and contents.
    pub fn new(files: &[(&str, &[u8])]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        for (name, contents) in files {
            std::fs::write(dir.path().join(name), contents).unwrap();
        }
        Self { dir }
    }
    /// Writes the shell script `script` as the executable `opt`, which replaces an optimizer.
    #[cfg(unix)]
    pub fn write_script(&self, script: &str) {
        write_executable(&self.path("opt"), script);
    }
    /// `input` as `in.ll`, and `opt` as in [`Files::write_script`].
    #[cfg(unix)]
    pub fn with_script(input: &str, script: &str) -> Self {
        let files = Self::new(&[("in.ll", input.as_bytes())]);
        files.write_script(script);
        files
    }
    /// The directory.
    pub fn dir(&self) -> &Path {
        self.dir.path()
    }
    /// The path of a file in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }
    /// The contents of a file in it.
    #[track_caller]
    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }
    /// Names of all files in it, sorted.
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.dir()).unwrap();
        let mut names: Vec<_> =
            entries.map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
    /// Runs `backedge` in the directory with the words of `line`.
    #[track_caller]
    pub fn backedge(&self, line: &str) -> Answer {
        let args = words(line);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        run(&args, b"", self.dir())
    }
}

/// A loop that every pass of the default pipeline changes.
pub const LOOP: &str = "\
define i32 @f(i32 %n, i1 %c) {
entry:
  br i1 %c, label %header, label %exit

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %i.next = add nsw i32 %i, 1
  br label %header

exit:
  %r = phi i32 [ -1, %entry ], [ %i, %header ]
  ret i32 %r
}
";

/// A counted loop that peeling does not simplify.
pub const COUNTING: &str = "\
define i32 @f(i32 %x, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi i32 [ %x, %entry ], [ %t, %loop ]
  %u = mul i32 %s, %x
  %t = xor i32 %u, %i
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret i32 %t
}
";

/// A pipeline of our passes that takes minutes for [`COUNTING`]: each pass copies eight more iterations, and examines
/// all earlier copies.
pub fn endless_passes() -> String {
    vec!["loop(loop-peel<count=8;threshold=1000000000>)"; 1_000].join(",")
}

/// Two functions that differ only in their constants.
pub const TWO: &str = "\
define i32 @good(i32 %x) {
  %r = add i32 %x, 10
  ret i32 %r
}

define i32 @bad(i32 %x) {
  %r = add i32 %x, 20
  ret i32 %r
}
";

/// A pair that refines and one that does not.
pub const PAIRS: &str = "\
define i8 @src_right(i8 %x) {
  %r = add nsw i8 %x, %x
  ret i8 %r
}

define i8 @tgt_right(i8 %x) {
  %r = shl i8 %x, 1
  ret i8 %r
}

define i8 @src_wrong(i8 %x) {
  %r = shl i8 %x, 1
  ret i8 %r
}

define i8 @tgt_wrong(i8 %x) {
  %r = add nsw i8 %x, %x
  ret i8 %r
}
";
