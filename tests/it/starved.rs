//! A system that grants no more threads or processes: an error or a result, never a panic.
#![cfg(target_os = "linux")]

use crate::common::{Files, LOOP, PAIRS};
use backedge_testkit::skip;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output};

/// Runs `backedge` with the words of `line`, as a user who may have no more than `tasks` processes and threads. `None` if
/// the limit can't be set: it does not apply to root, and another user may have other processes.
fn run(files: &Files, tasks: usize, line: &str) -> Option<Output> {
    let limit = format!("--nproc={tasks}");
    let mut command = Command::new("setpriv");
    command.args(["--reuid", "54321", "--clear-groups", "prlimit", &limit, "./backedge"]);
    command.args(shlex::split(line).expect("a command line")).current_dir(files.dir());
    command.env_remove("BACKEDGE_CACHE").env("TMPDIR", files.path("tmp")).output().ok()
}

#[test]
fn without_threads_there_is_an_error() {
    let files = Files::new(&[("in.ll", LOOP.as_bytes()), ("pairs.ll", PAIRS.as_bytes())]);
    std::fs::create_dir(files.path("tmp")).unwrap();
    // The other user may not reach the folder of the executable.
    let (built, here) = (env!("CARGO_BIN_EXE_backedge"), files.path("backedge"));
    std::fs::hard_link(built, &here).or_else(|_| std::fs::copy(built, &here).map(drop)).unwrap();
    for folder in [files.dir().to_owned(), files.path("tmp")] {
        std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o777)).unwrap();
    }
    let enough = run(&files, 10_000, "--version");
    if !enough.is_some_and(|answer| answer.status.success()) {
        return skip(
            "limits on threads",
            "only root can run the program as another user, with setpriv and prlimit of util-linux",
        );
    }
    for line in [
        "run in.ll --args 3,true --timeout 60",
        "scev check in.ll --no-solver",
        "tv pairs.ll",
        "gate in.ll --bound 1",
        "gate in.ll --opt cat",
        "bisect in.ll --passes licm",
        "fuzz --seeds 0..32 --passes licm --findings f --no-reduce -j2 --restart",
    ] {
        let mut codes = Vec::new();
        // Each limit stops the program at another thread; the last one is enough for all.
        for tasks in [1, 2, 3, 4, 5, 6, 8, 10, 200] {
            let answer = run(&files, tasks, line).expect("setpriv");
            let stderr = String::from_utf8_lossy(&answer.stderr);
            assert!(!stderr.contains("panicked"), "{line}, {tasks} tasks: {stderr}");
            let code = answer.status.code();
            assert!(code.is_some_and(|code| code != 101), "{line}, {tasks} tasks: {code:?}");
            assert!(!stderr.is_empty() || !answer.stdout.is_empty(), "{line}, {tasks} tasks");
            codes.push(code);
        }
        assert_eq!(codes[0], Some(2), "{line}: {codes:?}");
        assert!(matches!(codes.last(), Some(Some(0 | 1 | 3))), "{line}: {codes:?}");
    }
}
