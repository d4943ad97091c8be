//! `backedge reduce` on optimizers that are shell scripts with known bugs.

#![cfg(unix)]

mod guilty_pass;
mod kept;
mod lit;
mod outputs;
mod spelling;
mod test_command;

use crate::common::{Answer, Files, run};

/// A loop with two exits and much irrelevant code. The script that replaces 3 by 5 breaks it.
const LONG: &str = "\
target triple = \"x86_64-unknown-linux-gnu\"

@g = global i32 0

declare void @seen(i32)

define i64 @f(i32 noundef %n, i64 %m, ptr %p) #0 {
entry:
  %guard = icmp sgt i32 %n, 0
  br i1 %guard, label %ph, label %exit

ph:
  %n.wide = zext i32 %n to i64
  %scaled = mul i64 %n.wide, 3
  br label %loop

loop:
  %i = phi i32 [ 0, %ph ], [ %i.next, %latch ]
  %acc = phi i64 [ %scaled, %ph ], [ %acc.next, %latch ]
  %odd = and i32 %i, 1
  %is.odd = icmp eq i32 %odd, 1
  br i1 %is.odd, label %store, label %latch

store:
  %at = getelementptr i32, ptr @g, i64 0
  store i32 %i, ptr %at
  %big = icmp ugt i64 %acc, 1000
  br i1 %big, label %exit, label %latch

latch:
  %i.wide = sext i32 %i to i64
  %acc.next = add i64 %acc, %i.wide
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  %r = phi i64 [ %m, %entry ], [ %acc, %store ], [ %acc.next, %latch ]
  ret i64 %r
}

attributes #0 = { nounwind }
";

/// Replaces a factor 3 by 5. Comments are dropped, as by all optimizers: a lit test has its checks between the instructions.
const WRONG: &str = "sed '/^;/d; s/= mul \\(.*\\), 3$/= mul \\1, 5/' \"$1\"";

fn reduce(files: &Files, flags: &[&str]) -> Answer {
    let mut args = vec!["reduce", "in.ll"];
    args.extend(flags);
    run(&args, b"", files.dir())
}

fn instructions(text: &str) -> usize {
    let inside = text.lines().filter(|l| l.starts_with("  ")).count();
    assert!(text.contains("define "), "{text}");
    inside
}

/// Runs the RUN line of a lit test as lit does, with LLVM's `not` and `FileCheck`; `None` if they are not installed.
fn run_lit(files: &Files, test: &str) -> Option<bool> {
    let tools = "/usr/lib/llvm-14/bin";
    if !std::path::Path::new(tools).join("FileCheck").is_file() {
        backedge_testkit::skip("running a lit test", "there is no FileCheck of LLVM 14");
        return None;
    }
    let text = files.read(test);
    let line = text.lines().find_map(|line| line.strip_prefix("; RUN: ")).expect("a line");
    // Percent signs of the command are doubled.
    let line = line.replace("%%", "\0").replace("%s", test).replace("%t", "lit.tmp").replace('\0', "%");
    let exe = std::path::Path::new(env!("CARGO_BIN_EXE_backedge")).parent().expect("a directory");
    let path = format!("{tools}:{}:{}", exe.display(), std::env::var("PATH").expect("a path"));
    let mut shell = std::process::Command::new("bash");
    shell.args(["-c", &format!("set -o pipefail; {line}")]).env("PATH", path).current_dir(files.dir());
    Some(shell.status().expect("a shell").success())
}
