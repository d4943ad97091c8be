//! Whatever a worker does, each pair gets a verdict that says what happened; and the next pair is judged.

#![cfg(unix)]

use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_validate::check::{Options, Side};
use backedge_validate::judge::Judge;
use backedge_validate::verdict::{Reason, Verdict};
use backedge_validate::worker::{Launch, Pool, memory_mb, wall};
use std::time::{Duration, Instant};

/// A pair that runs alone do not decide.
const PAIR: &str = "\
define i64 @src(i64 %x, i64 %y) {
  %r = add i64 %x, %y
  ret i64 %r
}

define i64 @tgt(i64 %x, i64 %y) {
  %r = add i64 %y, %x
  ret i64 %r
}
";

fn module() -> Module {
    parse_module(PAIR.as_bytes()).expect("a module").module
}

fn judge(judge: &Judge, module: &Module) -> Verdict {
    let side = |name: &str| Side { module, func: module.env.func_named(name).expect("a function") };
    judge.judge(side("src"), side("tgt")).report.verdict
}

/// The verdict with a worker that is this shell command.
fn with_shell(command: &str, options: &Options) -> Verdict {
    let launch =
        Launch { program: "/bin/sh".into(), arguments: vec!["-c".into(), command.into()], temporary: None };
    judge(&Judge::new(options.clone()).with_workers(Pool::new(launch, 1)), &module())
}

fn options() -> Options {
    Options {
        timeout: Duration::from_millis(100),
        memory_mb: 16,
        runs: 10,
        induction: false,
        ..Options::default()
    }
}

#[test]
fn one_that_hangs_is_ended_by_the_clock() {
    let start = Instant::now();
    let verdict = with_shell("exec sleep 600", &options());
    let limit_ms = u64::try_from(wall(&options()).as_millis()).expect("few");
    assert_eq!(verdict, Verdict::Inconclusive { reason: Reason::Time { limit_ms } });
    assert!(start.elapsed() >= wall(&options()) && start.elapsed() < Duration::from_secs(60));
}

#[cfg(target_os = "linux")]
#[test]
fn one_that_takes_all_memory_is_ended() {
    let options = Options { timeout: Duration::from_secs(60), ..options() };
    // It waits for the end of a line that never ends.
    let verdict = with_shell("exec tail -n 1 /dev/zero", &options);
    let limit_mb = u32::try_from(memory_mb(&options)).expect("few");
    assert_eq!(verdict, Verdict::Inconclusive { reason: Reason::Memory { limit_mb } });
}

#[test]
fn one_that_dies_is_named_with_its_end() {
    let crash = |command: &str| match with_shell(command, &options()) {
        Verdict::InternalError(error) => *error,
        other => panic!("{command}: {other}"),
    };
    for (command, how) in [
        ("kill -SEGV $$", "SIGSEGV"),
        ("echo last words >&2; kill -ABRT $$", "SIGABRT"),
        ("exit 7", "exit status: 7"),
        ("echo nonsense; exec sleep 600", "an invalid answer"),
        ("read line; echo '{\"number\":7}'; exec sleep 600", "an invalid answer"),
    ] {
        let error = crash(command);
        assert!(error.what.contains(how), "{command}: {}", error.what);
        assert!(error.source.contains("@src") && error.functions == ["src", "tgt"], "{error}");
    }
    assert_eq!(crash("echo last words >&2; kill -ABRT $$").claimed.as_deref(), Some("last words"));
}

#[test]
fn what_others_do_to_one_is_no_fault_of_its_own() {
    let reason = |command: &str| match with_shell(command, &options()) {
        Verdict::Inconclusive { reason: Reason::Worker { what } } => what,
        other => panic!("{command}: {other}"),
    };
    assert!(reason("kill -KILL $$").contains("SIGKILL"));
    let starved = reason("echo memory allocation of 9 bytes failed >&2; kill -ABRT $$");
    assert!(starved.contains("no more memory"), "{starved}");
    let nowhere = Launch { program: "/nowhere/backedge".into(), arguments: Vec::new(), temporary: None };
    let verdict = judge(&Judge::new(options()).with_workers(Pool::new(nowhere, 1)), &module());
    let Verdict::Inconclusive { reason: Reason::Worker { what } } = verdict else { panic!("{verdict}") };
    assert!(what.contains("can't be started"), "{what}");
}

#[test]
fn runs_that_decide_need_no_worker() {
    let options = Options { induction: false, ..Options::default() };
    let text = PAIR.replace("i64", "i4").replace("add", "mul");
    let module = parse_module(text.as_bytes()).expect("a module").module;
    let nowhere = Launch { program: "/nowhere/backedge".into(), arguments: Vec::new(), temporary: None };
    let verdict = judge(&Judge::new(options.clone()).with_workers(Pool::new(nowhere, 1)), &module);
    // Undef arguments prevent runs from being exhaustive.
    assert!(matches!(verdict, Verdict::Inconclusive { reason: Reason::Worker { .. } }), "{verdict}");
    let noundef = text.replace("(i4 %x, i4 %y)", "(i4 noundef %x, i4 noundef %y)");
    let module = parse_module(noundef.as_bytes()).expect("a module").module;
    let nowhere = Launch { program: "/nowhere/backedge".into(), arguments: Vec::new(), temporary: None };
    let verdict = judge(&Judge::new(options.clone()).with_workers(Pool::new(nowhere, 1)), &module);
    assert!(matches!(verdict, Verdict::RefinesAll { .. }), "{verdict}");
}
