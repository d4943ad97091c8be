//! The gate with an external optimizer command: what is judged, and each way in which a command can fail.

#![cfg(unix)]

use crate::common::{Answer, Files, LOOP, TWO, backedge, run};
use backedge_testkit::peer;
use serde_json::Value;
use std::process::Command;
use std::time::{Duration, Instant};

fn gate(files: &Files, command: &str, flags: &str) -> Answer {
    let mut args = vec!["gate", "in.ll", "--opt", command, "--allow-unchanged", "--json", "out.json"];
    args.extend(flags.split_whitespace());
    run(&args, b"", files.dir())
}

/// The records without the summary, which is last.
fn records(files: &Files) -> Vec<Value> {
    let mut all: Vec<Value> =
        files.read("out.json").lines().map(|l| serde_json::from_str(l).expect(l)).collect();
    assert_eq!(all.pop().expect("a summary")["kind"], "summary");
    all
}

fn kinds(files: &Files) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    records(files).iter().map(|r| (text(&r["function"]), text(&r["kind"]))).collect()
}

#[test]
fn what_is_changed_is_judged_and_the_rest_is_not() {
    let files = Files::with_script(TWO, "sed 's/add i32 %x, 20/sub i32 %x, -20/' \"$1\"");
    let answer = gate(&files, "./opt", "--all").exits(0);
    assert!(answer.stdout.contains("@bad") && !answer.stdout.contains("@good"), "{}", answer.stdout);
    let [record] = &*records(&files) else { panic!("{}", files.read("out.json")) };
    assert_eq!((&record["function"], &record["pass"]), (&"bad".into(), &"./opt".into()));
    assert_eq!(record["verdict"]["kind"], "refines-all");
    let summary: Value = serde_json::from_str(files.read("out.json").lines().last().unwrap()).unwrap();
    let opt = &summary["options"]["opt"];
    assert_eq!(opt["command"], "./opt");
    assert_eq!(opt["blake3"].as_str().map(str::len), Some(64), "{summary}");
}

#[test]
fn names_of_locals_are_no_change() {
    let files = Files::with_script(TWO, "sed 's/%r/%result/' \"$1\"");
    gate(&files, "./opt", "").exits(0).prints("no pass changed any of the 2 functions");
    assert_eq!(records(&files), [] as [Value; 0]);
}

#[test]
fn a_wrong_change_is_refuted() {
    let files = Files::with_script(TWO, "sed 's/ 20/ 21/' \"$1\"");
    gate(&files, "./opt", "").exits(1).prints("value mismatch");
}

#[test]
fn the_input_is_where_the_command_says_and_the_output_too() {
    let files =
        Files::with_script(TWO, "cp \"${1#in=}\" \"$3\" && test \"$2\" = -o && sed -i 's/ 20/ 21/' \"$3\"");
    gate(&files, "./opt 'in={}' -o wherever.ll", "").exits(1).prints("value mismatch");
    assert_eq!(files.names(), ["in.ll", "opt", "out.json"]);
    let files = Files::with_script(
        TWO,
        "test \"$1\" = 'two words' && test \"$2\" = -o && test \"$3\" = - && cat \"$4\"",
    );
    gate(&files, "./opt \"two words\" -o -", "").exits(0);
}

#[test]
fn a_refusal_is_a_finding_of_the_function() {
    let script =
        "if grep -q @bad \"$1\"; then echo 'error: no @bad here' >&2; exit 7; fi; sed 's/ 10/ 11/' \"$1\"";
    let files = Files::with_script(TWO, script);
    // The other function is judged, and its refutation takes precedence.
    gate(&files, "./opt", "").exits(1).prints("refused it: exit code 7: error: no @bad here");
    assert_eq!(kinds(&files), [("good".into(), "validation".into()), ("bad".into(), "refused".into())]);
    let files = Files::with_script(TWO, &script.replace("sed 's/ 10/ 11/'", "cat"));
    gate(&files, "./opt", "").exits(4).prints("1 refused");
    assert_eq!(kinds(&files), [("bad".into(), "refused".into())]);
}

#[test]
fn a_failure_that_no_function_has_by_itself_is_one_of_the_file() {
    let files = Files::with_script(
        TWO,
        "if grep -q @bad \"$1\" && grep -q @good \"$1\"; then exit 1; fi; cat \"$1\"",
    );
    gate(&files, "./opt", "").exits(4);
    assert_eq!(kinds(&files), [(String::new(), "refused".into())]);
}

/// If our process is killed, without a chance to react, none of the processes it started survives.
#[test]
fn a_command_does_not_outlive_a_process_that_is_killed() {
    let mark = format!("sleep 97{}", std::process::id());
    let files = Files::with_script(TWO, &format!("sh -c '{mark}; true'; cat \"$1\""));
    for line in [&["gate", "in.ll", "--opt", "./opt"][..], &["reduce", "in.ll", "--test", "./opt"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_backedge"))
            .args(line)
            .current_dir(files.dir())
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let runs = || !Command::new("pgrep").args(["-f", &mark]).output().expect("pgrep").stdout.is_empty();
        let within = |what: &dyn Fn() -> bool| {
            let start = Instant::now();
            while !what() && start.elapsed() < Duration::from_secs(60) {
                std::thread::sleep(Duration::from_millis(20));
            }
            what()
        };
        assert!(within(&runs), "it was not started");
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(within(&|| !runs()), "it runs on");
    }
}

/// Signals that this program blocks must not be blocked in the command.
#[cfg(target_os = "linux")]
#[test]
fn a_command_has_no_blocked_signals() {
    let files = Files::with_script(TWO, "grep -q '^SigBlk:.0*$' /proc/self/status || exit 9; cat \"$1\"");
    gate(&files, "./opt", "").exits(0);
}

#[test]
fn crashes_are_told_from_refusals() {
    let bad = |end: &str| format!("if grep -q @bad \"$1\"; then {end}; fi; cat \"$1\"");
    let cases = [
        ("kill -SEGV $$", "signal 11 (SIGSEGV) ended it"),
        // A shell reports a killed child in this way.
        ("sh -c 'kill -ABRT $$'; exit $?", "signal 6 (SIGABRT) ended it"),
        ("echo \"opt: x.cpp:1: Assertion \\`x' failed.\" >&2; kill -ABRT $$", "Assertion `x' failed"),
        ("echo 'PLEASE submit a bug report' >&2; exit 1", "exit code 1: PLEASE"),
    ];
    for (end, words) in cases {
        let files = Files::with_script(TWO, &bad(end));
        gate(&files, "./opt", "").exits(1).prints("crashed: ").prints(words);
        assert_eq!(kinds(&files), [("bad".into(), "crash".into())], "{end}");
    }
}

#[test]
fn output_that_is_no_llvm_ir_is_a_refusal() {
    for (script, words) in [
        ("echo nonsense", "it writes no LLVM IR, but `nonsense`"),
        ("printf '\\t.text\\n\\t.globl good\\n'", "it writes no LLVM IR, but `.text`"),
        (":", "it ends with success, but writes nothing"),
    ] {
        let files = Files::with_script(TWO, script);
        gate(&files, "./opt", "")
            .exits(4)
            .prints(words)
            .prints("on standard output, or in the file after -o");
        assert!(kinds(&files).iter().all(|(_, kind)| kind == "refused"), "{script}");
    }
}

#[test]
fn output_that_is_broken_or_lacks_a_function_is_a_crash() {
    for (script, words) in [
        ("sed '/^define i32 @bad/,/^}/d' \"$1\"", "its output lacks the function"),
        ("sed 's/%r = add i32 %x, 20//' \"$1\"", "its output is not valid IR"),
    ] {
        let files = Files::with_script(TWO, script);
        gate(&files, "./opt", "").exits(1).prints(words);
        assert!(kinds(&files).iter().all(|(_, kind)| kind == "crash"), "{script}");
    }
    let files = Files::with_script(
        &TWO.replace("define i32 @bad", "define internal i32 @bad"),
        "sed '/@bad/,/^}/d' \"$1\"",
    );
    gate(&files, "./opt", "").exits(0);
}

/// Differences outside functions: a changed definition is not judged, a missing one is a failure.
#[test]
fn what_stands_around_the_functions_is_compared() {
    let around = "
@visible = global i32 3
@list = appending global [1 x ptr] [ptr @good], section \"llvm.metadata\"
@own = internal global i32 4
@other = alias i32 (i32), ptr @good
";
    let text = TWO.to_owned() + &around.replace("@list", "@llvm.used");
    let with = |script: &str| Files::with_script(&text, script);
    let differs = "is defined differently, which no pair of functions shows";
    for (script, name) in [
        ("sed 's/global i32 3/global i32 5/' \"$1\"", "@visible"),
        ("sed 's/^@visible = /@visible = hidden /' \"$1\"", "@visible"),
        ("sed 's/^@visible = /@visible = weak /' \"$1\"", "@visible"),
        ("sed 's/^@visible = /@visible = thread_local /' \"$1\"", "@visible"),
        ("sed '/^@visible/s/$/, section \".s\"/' \"$1\"", "@visible"),
        ("sed '/^@other/s/@good/@bad/' \"$1\"", "@other"),
        ("sed '/^@llvm.used/s/@good/@bad/' \"$1\"", "@llvm.used"),
        (
            "cat \"$1\"; echo '@llvm.global_ctors = appending global [0 x ptr] zeroinitializer'",
            "@llvm.global_ctors",
        ),
    ] {
        let files = with(script);
        gate(&files, "./opt", "").exits(3);
        let [record] = &*records(&files) else { panic!("{}", files.read("out.json")) };
        assert_eq!(record["function"], "", "{record}");
        assert!(
            record["verdict"]["reason"]["what"].as_str().is_some_and(|w| w == format!("{name} {differs}")),
            "{record}"
        );
    }
    // A function that others can't reach any more, or only sometimes.
    for linkage in ["available_externally", "linkonce_odr", "hidden"] {
        let files = with(&format!("sed 's/define i32 @good/define {linkage} i32 @good/' \"$1\""));
        gate(&files, "./opt", "").exits(3);
        let whats: Vec<String> =
            records(&files).iter().map(|r| r["verdict"]["reason"]["what"].to_string()).collect();
        assert!(whats.contains(&format!("\"@good {differs}\"")), "{whats:?}");
    }
    let files = with("sed '/^@other/d; /^@own/d' \"$1\"");
    gate(&files, "./opt", "")
        .exits(1)
        .prints("its output lacks part of the module: @other is not defined any more");
    // An internal definition may be removed or changed.
    gate(&with("sed '/^@own/d' \"$1\""), "./opt", "").exits(0);
    gate(&with("sed 's/  *global i32 3/ global i32 3, align 4/' \"$1\""), "./opt", "").exits(0);
}

/// Whether a process with `mark` in its arguments is running.
fn runs(mark: &str) -> bool {
    let found = Command::new("pgrep").args(["-f", mark]).output().expect("pgrep");
    !found.stdout.is_empty()
}

#[test]
fn a_hang_is_ended_with_all_that_it_has_started() {
    // The mark is the length of the sleep, which no other process uses.
    let mark = format!("sleep 98{}", std::process::id());
    let files =
        Files::with_script(TWO, &format!("if grep -q @bad \"$1\"; then {mark} & wait; fi; cat \"$1\""));
    let start = Instant::now();
    gate(&files, "./opt", "--opt-timeout 1").exits(5).prints("hung: it took longer than 1 s");
    assert!(start.elapsed() < Duration::from_secs(30));
    assert_eq!(kinds(&files), [("bad".into(), "hang".into())]);
    assert_eq!(records(&files)[0]["limit"], "time");
    assert!(!runs(&mark), "it still runs");
}

#[cfg(target_os = "linux")]
#[test]
fn what_a_command_leaves_running_ends_with_it() {
    let script = "sh -c 'echo $$ > \"$0\"; exec sleep 300' \"$(dirname \"$0\")/left\" >/dev/null 2>&1 &\n\
                  while ! test -s \"$(dirname \"$0\")/left\"; do sleep 0.01; done; cat \"$1\"";
    let files = Files::with_script(TWO, script);
    gate(&files, "./opt", "").exits(0);
    let left = files.read("left");
    // A zombie still has its entry, but no memory. The system takes some time to kill a process, but not the 300
    // seconds that it would run.
    let status = || std::fs::read_to_string(format!("/proc/{}/status", left.trim())).unwrap_or_default();
    let told = Instant::now();
    while status().contains("VmSize:") && told.elapsed() < Duration::from_secs(100) {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(!status().contains("VmSize:"), "{}", status());
}

/// Waiting for a processor does not count as the command's time: it needs one second of CPU time.
#[cfg(target_os = "linux")]
#[test]
fn waiting_for_a_processor_is_no_hang() {
    let burn = "taskset -c 0 sh -c 'ulimit -t 1; while :; do :; done'; cat \"$1\"";
    let files = Files::with_script(TWO, burn);
    let others: Vec<_> = (0..7)
        .map(|_| {
            Command::new("taskset").args(["-c", "0", "sh", "-c", "while :; do :; done"]).spawn().unwrap()
        })
        .collect();
    let answer = gate(&files, "./opt", "--opt-timeout 4");
    for mut other in others {
        other.kill().unwrap();
        other.wait().unwrap();
    }
    assert!(answer.time > Duration::from_secs(4), "{:?}", answer.time);
    answer.exits(0);
}

#[test]
fn the_users_file_is_not_given_away() {
    let files = Files::with_script(TWO, "sed -i 's/ 20/ 21/' \"$1\"; cat \"$1\"");
    gate(&files, "./opt", "").exits(1).prints("value mismatch");
    assert_eq!(files.read("in.ll"), TWO);
    // Messages of the command about its input file are rewritten to name the user's file.
    let files = Files::with_script(TWO, "echo \"error: $1:7: no\" >&2; exit 1");
    gate(&files, "./opt", "").exits(4).prints("refused it: exit code 1: error: in.ll:7: no");
    let files = Files::with_script(TWO, "echo \"error: no room for $2\" >&2; exit 1");
    gate(&files, "./opt -o x.ll", "").exits(4).prints("error: no room for out.ll");
}

#[test]
fn output_and_memory_have_limits() {
    let files = Files::with_script(TWO, "if grep -q @bad \"$1\"; then yes; fi; cat \"$1\"");
    gate(&files, "./opt", "--opt-output 4").exits(5).prints("it wrote more than 4 MB");
    assert_eq!(records(&files)[0]["limit"], "output");
    // `tail` buffers input without a line end.
    let files = Files::with_script(TWO, "if grep -q @bad \"$1\"; then tail -n 1 /dev/zero; fi; cat \"$1\"");
    gate(&files, "./opt", "--opt-memory 64").exits(5).prints("it took more than 64 MB of memory");
    assert_eq!(records(&files)[0]["limit"], "memory");
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_ends_the_command() {
    let mark = format!("sleep 94{}", std::process::id());
    let files = Files::with_script(LOOP, &mark);
    let mut child = Command::new(env!("CARGO_BIN_EXE_backedge"))
        .args(["gate", "in.ll", "--opt", "./opt"])
        .current_dir(files.dir())
        .spawn()
        .unwrap();
    let start = Instant::now();
    while !runs(&mark) {
        assert!(start.elapsed() < Duration::from_secs(30), "it was not started");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(75));
    assert!(!runs(&mark), "it still runs");
}

#[test]
fn a_command_that_is_none_is_said_at_once() {
    let files = Files::with_script(TWO, "cat \"$1\"");
    gate(&files, "./nowhere --fast", "").exits(125).says("./nowhere can't be run");
    gate(&files, "no-such-program-anywhere", "").exits(125).says("there is no such program");
    gate(&files, "./in.ll", "").exits(125).says("can't be run");
    gate(&files, "'./opt", "").exits(2).says("no command line");
    gate(&files, "", "").exits(2).says("no command line");
    gate(&files, "./opt -o", "").exits(2).says("nothing follows -o");
    gate(&files, "./opt", "--passes licm").exits(2).says("cannot be used with");
}

#[test]
fn order_and_cache_are_as_for_our_own_passes() {
    let files = Files::with_script(TWO, "sed 's/add i32 %x, \\([12]0\\)/sub i32 %x, -\\1/' \"$1\"");
    for i in 0..5 {
        std::fs::write(files.path(&format!("{i}.ll")), TWO.replace("10", &format!("1{i}"))).unwrap();
    }
    let batch = |flags: &str| {
        let mut args = vec!["gate", ".", "--opt", "./opt", "--json", "out.json"];
        args.extend(flags.split_whitespace());
        let answer = run(&args, b"", files.dir()).exits(0);
        let mut all = records(&files);
        all.iter_mut().for_each(|r| drop(r.as_object_mut().unwrap().remove("time_ms")));
        (all, answer.stdout)
    };
    let (one, _) = batch("-j 1");
    assert_eq!(one.len(), 8, "{one:?}");
    assert_eq!(batch("-j 4").0, one);
    batch("-j 1 --cache kept");
    let (again, said) = batch("-j 4 --cache kept");
    assert_eq!(again.len(), one.len());
    assert!(again.iter().all(|r| r["cached"] == true) && said.contains("8 from the cache"), "{said}");
}

#[test]
fn llvm_is_an_optimizer_too() {
    if peer("opt", "the gate with LLVM's opt").is_none() {
        return;
    }
    let opt = match std::env::var("BACKEDGE_LLVM_BIN") {
        Ok(dir) => format!("'{dir}/opt'"),
        Err(_) => "opt-22".to_owned(),
    };
    let invariant = "\
define void @f(i32 %x, i32 %n, ptr noalias %p) mustprogress {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %m = mul i32 %x, 3
  %s = add i32 %m, %i
  store i32 %s, ptr %p
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
";
    let files = Files::with_script(invariant, "");
    for command in ["-passes=licm -S", "-passes=licm -S -o x.ll {}"] {
        gate(&files, &format!("{opt} {command}"), "--bound 2").exits(0);
        let [record] = &*records(&files) else { panic!("{}", files.read("out.json")) };
        assert!(
            ["refines-all", "refines-up-to"].map(Value::from).contains(&record["verdict"]["kind"]),
            "{record}"
        );
    }
    gate(&files, &format!("{opt} -passes=licm"), "").exits(4).prints("it writes bitcode");
    gate(&files, &format!("{opt} -passes=no-such-pass -S"), "").exits(4).prints("no-such-pass");
}

/// The commands of docs/findings.md: they refute passes of LLVM 22.
#[test]
fn findings_are_refuted() {
    if peer("opt", "the findings in LLVM's passes").is_none() {
        return;
    }
    let top = concat!(env!("CARGO_MANIFEST_DIR"), "/");
    let page = std::fs::read_to_string(format!("{top}docs/findings.md")).expect("the page");
    let commands =
        page.lines().filter_map(|line| line.strip_prefix("- Command: `backedge ")?.strip_suffix('`'));
    let mut count = 0;
    for command in commands {
        let command = match std::env::var("BACKEDGE_LLVM_BIN") {
            Ok(dir) => command.replace("opt-22", &format!("{dir}/opt")),
            Err(_) => command.to_owned(),
        };
        let verdict =
            if command.contains("--strict-undef") { "refuted by an undef input: " } else { "refuted: " };
        backedge(&command).exits(1).prints(verdict);
        count += 1;
    }
    let files = std::fs::read_dir(format!("{top}docs/findings")).expect("the folder").count();
    assert_eq!(count, files, "each file has a command");
}
