//! `backedge fuzz` against optimizers that are shell scripts with known bugs.

#![cfg(unix)]

use crate::common::{Answer, COUNTING, Files, endless_passes};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Replaces subtractions by additions.
const WRONG: &str = "sed 's/= sub /= add /' \"$1\"";
/// Makes a correct change.
const RIGHT: &str =
    "sed 's/= or i\\([0-9]*\\) \\([^,]*\\), \\2$/= and i\\1 \\2, \\2/; s/= add nsw /= add /' \"$1\"";
/// Flags with which the bug is found on the first programs.
const FLAGS: &str = "--opt ./opt --max-tries 300";

fn with_script(script: &str) -> Files {
    let files = Files::new(&[]);
    files.write_script(script);
    files
}

fn fuzz(files: &Files, flags: &str) -> Answer {
    files.backedge(&format!("fuzz {FLAGS} {flags}"))
}

/// The findings: file contents by bucket and name, without the campaign state.
fn findings(dir: &Path) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for bucket in std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).filter(|p| p.is_dir()) {
        for file in std::fs::read_dir(&bucket).unwrap().map(|e| e.unwrap().path()) {
            let name = file.strip_prefix(dir).unwrap().display().to_string();
            all.insert(name, std::fs::read_to_string(&file).unwrap());
        }
    }
    all
}

fn buckets(files: &Files, dir: &str) -> Vec<String> {
    let mut all: Vec<String> =
        findings(&files.path(dir)).keys().map(|name| name.split('/').next().unwrap().to_owned()).collect();
    all.dedup();
    all
}

#[test]
fn a_wrong_optimizer_is_found_and_known_the_second_time() {
    let files = with_script(WRONG);
    let answer = fuzz(&files, "--seeds 0..64 --jobs 2").exits(1);
    let found = findings(&files.path("findings"));
    assert!(!found.is_empty() && found.len().is_multiple_of(2), "{found:?}\n{}", answer.stdout);
    for (name, text) in &found {
        if name.ends_with(".ll") {
            assert!(text.contains("sub") && text.lines().count() < 25, "{name}: {text}");
            // The reduced program still fails.
            files.backedge(&format!("gate findings/{name} --opt ./opt --no-solver")).exits(1);
        } else {
            let data: serde_json::Value = serde_json::from_str(text).unwrap();
            assert_eq!(data["system"]["command"], "./opt", "{text}");
            assert!(data["reduced_instructions"].as_u64() < data["instructions"].as_u64(), "{text}");
            assert!(data["original"].as_str().unwrap().contains("define"), "{text}");
        }
    }
    assert!(answer.stdout.contains("new  "), "{}", answer.stdout);
    // Each finding is reported in two lines when it is found: its file, and the failure.
    assert!(answer.stderr.contains(".ll\n  ") && !answer.stderr.contains('\u{fffd}'), "{}", answer.stderr);
    // The same again: nothing is left to do, and the findings still fail. With a restart: they are known.
    fuzz(&files, "--seeds 0..64").exits(1).says("all of these seeds were done earlier");
    let again = fuzz(&files, "--seeds 0..64 --restart").exits(1);
    assert!(again.stdout.contains("0 new bucket(s)") && again.stdout.contains("known"), "{}", again.stdout);
    assert_eq!(findings(&files.path("findings")), found);
    // A correct optimizer is not blamed, and one that does nothing is not checked.
    files.write_script(RIGHT);
    fuzz(&files, "--seeds 0..64 --findings none").exits(0).prints("0 findings");
    for nothing in ["--opt cat", "--passes ''"] {
        let line = format!("fuzz {nothing} --seeds 0..16 --findings none");
        files.backedge(&line).exits(3).says("nothing was checked: no program was changed");
    }
}

#[test]
fn one_program_does_not_hide_others() {
    // Its output for some programs can't be parsed, hence neither for a file that contains one of them.
    let files =
        with_script("if grep -q lshr \"$1\"; then sed 's/^define .*/define/' \"$1\"; else cat \"$1\"; fi");
    fuzz(&files, "--seeds 0..32 --no-reduce --batch 1 --findings single").exits(1);
    fuzz(&files, "--seeds 0..32 --no-reduce --batch 16 --findings many").exits(1);
    let found = findings(&files.path("single"));
    assert!(!found.is_empty());
    assert_eq!(found, findings(&files.path("many")));
}

#[test]
fn any_number_of_jobs_finds_the_same() {
    let files = with_script(WRONG);
    fuzz(&files, "--seeds 0..64 --jobs 1 --findings one").exits(1);
    fuzz(&files, "--seeds 0..64 --jobs 4 --findings four").exits(1);
    assert_eq!(findings(&files.path("one")), findings(&files.path("four")));
}

#[test]
fn a_campaign_that_was_killed_goes_on() {
    let files = with_script(WRONG);
    fuzz(&files, "--seeds 0..64 --jobs 1 --findings whole").exits(1);
    let mut child = Command::new(env!("CARGO_BIN_EXE_backedge"))
        .args(["fuzz", "--opt", "./opt", "--max-tries", "300", "--seeds", "0..64", "-j", "1"])
        .args(["--findings", "parts"])
        .current_dir(files.dir())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // Until it has written its first state, or has finished already.
    let start = Instant::now();
    let state = || {
        let entries = std::fs::read_dir(files.path("parts")).into_iter().flatten().flatten();
        entries.filter(|e| e.path().extension().is_some_and(|e| e == "json")).count() > 0
    };
    while !state() && child.try_wait().unwrap().is_none() && start.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let code = fuzz(&files, "--seeds 0..64 --jobs 2 --findings parts").code;
    assert_eq!(code, Some(1));
    assert_eq!(findings(&files.path("whole")), findings(&files.path("parts")));
}

#[test]
fn an_interrupt_ends_it_soon() {
    let files = with_script(&format!("if grep -q 'lshr' \"$1\"; then sleep 60; fi; {WRONG}"));
    let mut child = Command::new(env!("CARGO_BIN_EXE_backedge"))
        .args(["fuzz", "--opt", "./opt", "--seeds", "0..64", "-j", "2"])
        .current_dir(files.dir())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_secs(3));
    let start = Instant::now();
    let signal = nix::sys::signal::Signal::SIGINT;
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(child.id() as i32), signal).unwrap();
    let status = child.wait().unwrap();
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    assert_eq!(status.code(), Some(75));
}

/// The campaign first tests the command on trivial input, which may take long.
#[test]
fn an_interrupt_ends_the_first_questions_too() {
    let mark = format!("sleep 95{}", std::process::id());
    let files = with_script(&mark);
    let mut child = Command::new(env!("CARGO_BIN_EXE_backedge"))
        .args(["fuzz", "--opt", "./opt", "--seeds", "0..4"])
        .current_dir(files.dir())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let runs = || !Command::new("pgrep").args(["-f", &mark]).output().expect("pgrep").stdout.is_empty();
    let start = Instant::now();
    while !runs() && start.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(10));
    }
    let signal = nix::sys::signal::Signal::SIGINT;
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(child.id() as i32), signal).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(75));
    assert!(start.elapsed() < Duration::from_secs(50) && !runs());
}

#[test]
fn an_end_after_the_first_bucket_leaves_the_rest_for_later() {
    let files = with_script(WRONG);
    fuzz(&files, "--seeds 0..64 --jobs 2 --findings whole").exits(1);
    fuzz(&files, "--seeds 0..64 --jobs 2 --findings parts --max-new 1").exits(1);
    assert_eq!(buckets(&files, "parts").len(), 1);
    fuzz(&files, "--seeds 0..64 --jobs 2 --findings parts");
    assert_eq!(findings(&files.path("whole")), findings(&files.path("parts")));
}

#[test]
fn what_is_accepted_is_no_finding_until_its_day() {
    let files = with_script(WRONG);
    fuzz(&files, "--seeds 0..64").exits(1);
    let baseline = |expires: &str| {
        let entry = |bucket: &String| {
            format!("[[accepted]]\nbucket = \"{bucket}\"\nreason = \"as planted\"\nexpires = {expires}\n")
        };
        let text: String = buckets(&files, "findings").iter().map(entry).collect();
        std::fs::write(files.path("baseline.toml"), text).unwrap();
    };
    baseline("2999-12-31");
    let flags = "--seeds 0..64 --restart --baseline baseline.toml";
    fuzz(&files, flags).exits(0).prints("accepted up to 2999-12-31: as planted");
    baseline("2020-01-01");
    fuzz(&files, flags).exits(1).prints("no longer accepted since 2020-01-01 has passed");
    // Findings of an earlier part are listed when they count, even if no seed is left.
    let again = flags.replace("--restart ", "");
    fuzz(&files, &again)
        .exits(1)
        .prints("  before ")
        .prints("no longer accepted since 2020-01-01 has passed");
    // The bug is fixed, but the baseline still lists it.
    baseline("2999-12-31");
    files.write_script("cat \"$1\"");
    fuzz(&files, flags).exits(6).says("ALARM: ").says("does not fail any more");
    std::fs::write(files.path("baseline.toml"), "[[accepted]]\nbucket = \"x\"\n").unwrap();
    fuzz(&files, flags).exits(2).says("missing field");
}

/// A baseline with one entry for each bucket, with its example if given.
fn accept(files: &Files, buckets: &[(&str, Option<&str>)]) {
    let entry = |(bucket, example): &(&str, Option<&str>)| {
        let example = example.map_or(String::new(), |path| format!("example = \"{path}\"\n"));
        format!("[[accepted]]\nbucket = \"{bucket}\"\nreason = \"r\"\nexpires = 2999-12-31\n{example}")
    };
    std::fs::write(files.path("baseline.toml"), buckets.iter().map(entry).collect::<String>()).unwrap();
}

#[test]
fn an_example_that_fails_in_another_way_is_an_alarm() {
    let files = with_script("sed 's/sub/add/' \"$1\"");
    let code = "define i8 @f(i8 %x, i8 %y) {\n  %r = sub i8 %x, %y\n  ret i8 %r\n}\n";
    std::fs::write(files.path("e.ll"), code).unwrap();
    let flags = "--seeds 0..1 --restart --no-reduce --baseline baseline.toml";
    accept(&files, &[("value-mismatch-0123456789", Some("e.ll"))]);
    let alarms = |files: &Files| fuzz(files, flags).stderr.matches("ALARM: ").count();
    assert_eq!(alarms(&files), 0);
    for script in ["kill -SEGV $$", "echo error: no >&2; exit 1", "sed 's/^  ret.*/  ret i8 poison/' \"$1\""]
    {
        files.write_script(&format!("if grep -q 'sub i8 %x, %y' \"$1\"; then {script}; else cat \"$1\"; fi"));
        fuzz(&files, flags).exits(6).says("fails in another way (");
    }
    // Another pass: the last one of those named.
    let by_name = "case $1 in *b*) sed 's/sub/add/' \"$2\";; *) cat \"$2\";; esac";
    files.write_script(by_name);
    let flags = flags.replace("--restart", "--restart --opt './opt -passes=a,b,c'");
    let run = |bucket: &str| {
        accept(&files, &[(bucket, Some("e.ll"))]);
        files.backedge(&format!("fuzz {flags}"))
    };
    assert!(!run("b-value-mismatch-0123456789").stderr.contains("ALARM"));
    run("a-value-mismatch-0123456789").exits(6).says("fails in another way (b: value-mismatch: ");
}

#[test]
fn what_is_accepted_and_nobody_can_see_is_an_alarm() {
    let files = with_script(WRONG);
    let flags = "--seeds 0..64 --restart --baseline baseline.toml";
    fuzz(&files, "--seeds 0..64").exits(1);
    let known = buckets(&files, "findings");
    std::fs::remove_dir_all(files.path("findings")).unwrap();
    // The campaign finds these itself.
    let mut entries: Vec<(&str, Option<&str>)> = known.iter().map(|bucket| (&**bucket, None)).collect();
    accept(&files, &entries);
    fuzz(&files, flags).exits(0);
    entries.push(("value-mismtch-0123456789", None));
    accept(&files, &entries);
    fuzz(&files, flags).exits(6).says("ALARM: value-mismtch-0123456789 is accepted, and is not seen to fail");
    for wrong in ["", "../value-mismatch-0123456789", "value-mismatch"] {
        accept(&files, &[("value-mismatch-0123456789", None), (wrong, None)]);
        fuzz(&files, flags).exits(2).says("line 6: the entry of ").says("not a bucket name");
    }
}

#[test]
fn crashes_and_hangs_of_a_command_are_findings() {
    let files = with_script("if grep -q 'lshr' \"$1\"; then kill -SEGV $$; fi; cat \"$1\"");
    fuzz(&files, "--seeds 0..64").exits(1);
    let found = buckets(&files, "findings");
    assert!(found.len() == 1 && found[0].starts_with("crash-"), "{found:?}");
    let text =
        findings(&files.path("findings")).into_iter().find(|(name, _)| name.ends_with(".ll")).unwrap().1;
    assert!(text.contains("lshr") && text.lines().count() < 14, "{text}");
    let files = with_script("if grep -q 'lshr' \"$1\"; then sleep 100; fi; cat \"$1\"");
    let answer = fuzz(&files, "--seeds 0..16 --opt-timeout 1 --no-reduce").exits(1);
    assert!(buckets(&files, "findings").iter().any(|b| b.starts_with("hang-")), "{}", answer.stdout);
    // Messages about the input distinguish refusals; the location of the input does not.
    let files = with_script(
        "if grep -q 'lshr' \"$1\"; then echo \"$1:7: error: no shifts\" >&2; exit 1; fi; cat \"$1\"",
    );
    fuzz(&files, "--seeds 0..64").exits(1);
    let found = buckets(&files, "findings");
    assert!(found.len() == 1 && found[0].starts_with("refused-"), "{found:?}");
    let files = with_script("echo error: no such flag >&2; exit 1");
    fuzz(&files, "--seeds 0..64")
        .exits(4)
        .says("does not take a function that does nothing")
        .says("no such flag");
    // The command can't be run.
    let files = with_script(WRONG);
    files.backedge("fuzz --seeds 0..4 --opt ./missing").exits(125).says("can't be run");
}

/// A release build of LLVM reports every crash in the same way, except for the functions in its stack dump.
#[test]
fn crashes_in_several_places_are_several_buckets() {
    let script = "bye() { echo 'PLEASE submit a bug report to https://x' >&2; echo 'Stack dump:' >&2\n\
                  echo \" #4 0x00007fdc732700$$ $1(llvm::Value*) (/lib/libLLVM-14.so.1+0x22)\" >&2; kill -SEGV $$; }\n\
                  grep -q ' lshr' \"$1\" && bye llvm::Shift::run\ngrep -q ' sub' \"$1\" && bye llvm::Sub::run\ncat \"$1\"";
    let files = with_script(script);
    fuzz(&files, "--seeds 0..64").exits(1);
    let texts: Vec<String> =
        findings(&files.path("findings")).into_values().filter(|t| t.contains("define")).collect();
    assert!(texts.iter().any(|t| t.contains("in llvm::Shift::run") && t.contains("lshr")), "{texts:?}");
    assert!(texts.iter().any(|t| t.contains("in llvm::Sub::run") && !t.contains("lshr")), "{texts:?}");
}

/// Correct output may be too large.
#[test]
fn a_command_that_leaves_too_much_is_a_finding() {
    let script = "awk '{ print } /^  %[0-9a-z]* = lshr / { for (n = 0; n < 9000; n++) print \"  %grown\" n \".\" NR \" = freeze i8 0\" }' \"$1\"";
    let files = with_script(script);
    fuzz(&files, "--seeds 0..16").exits(1);
    let found = buckets(&files, "findings");
    assert!(!found.is_empty() && found.iter().all(|bucket| bucket.starts_with("too-much-")), "{found:?}");
    let all = findings(&files.path("findings"));
    let (name, text) = all.iter().find(|(name, _)| name.ends_with(".ll")).unwrap();
    assert!(text.contains("instructions of ") && text.contains("lshr"), "{text}");
    files
        .backedge(&format!("reduce findings/{name} --opt ./opt"))
        .exits(0)
        .says("the optimizer leaves too much");
    files
        .backedge(&format!("bisect findings/{name} --opt ./opt"))
        .exits(1)
        .prints("the optimizer leaves too much");
}

/// Each round is correct, but a fixed point is never reached.
#[test]
fn a_command_that_undoes_what_it_does_is_found_if_one_asks() {
    let turn = "sed 's/= add \\(i[0-9]*\\) \\(.*\\), \\(.*\\)$/= add \\1 \\3, \\2/' \"$1\"";
    let files = with_script(turn);
    fuzz(&files, "--seeds 0..32").exits(0);
    fuzz(&files, "--seeds 0..32 --oracles runs,settling").exits(1);
    let found = buckets(&files, "findings");
    assert!(!found.is_empty() && found.iter().all(|bucket| bucket.starts_with("undone-")), "{found:?}");
    let (_, text) =
        findings(&files.path("findings")).into_iter().find(|(name, _)| name.ends_with(".ll")).unwrap();
    assert!(text.contains("; after 2 rounds there is again") && text.contains(" = add "), "{text}");
    accept(&files, &found.iter().map(|bucket| (&**bucket, None)).collect::<Vec<_>>());
    fuzz(&files, "--seeds 0..32 --oracles runs,settling --restart --baseline baseline.toml").exits(0);
    fuzz(&files, "--seeds 0..32 --oracles runs,again --findings again").exits(1);
    assert!(buckets(&files, "again").iter().all(|bucket| bucket.starts_with("unfinished-")));
    files.write_script(RIGHT);
    fuzz(&files, "--seeds 0..32 --oracles runs,settling,again --findings none").exits(0);
}

#[test]
fn a_command_that_knows_no_pointers_is_said_at_once() {
    let script = "if grep -q 'ptr' \"$1\"; then echo 'error: ptr type is only supported in -opaque-pointers mode' >&2; \
                  exit 1; fi; cat \"$1\"";
    fuzz(&with_script(script), "--seeds 0..64")
        .exits(4)
        .says("does not take pointers without a type")
        .says("-opaque-pointers");
}

#[test]
fn suspects_that_do_not_show_alone_are_counted() {
    let script = format!("if [ $(grep -c '^define' \"$1\") -gt 1 ]; then {WRONG}; else cat \"$1\"; fi");
    let answer = fuzz(&with_script(&script), "--seeds 0..64").exits(0);
    let line = answer.stdout.lines().find(|l| l.contains("not confirmed")).expect("a line");
    assert!(line.contains("0 findings") && !line.contains("; 0 suspect(s)"), "{line}");
}

#[test]
fn a_damaged_state_is_said_and_mended() {
    let files = with_script(RIGHT);
    fuzz(&files, "--seeds 0..16").exits(0);
    let names = std::fs::read_dir(files.path("findings")).unwrap().flatten().map(|e| e.path());
    let state = names.into_iter().find(|p| p.extension().is_some_and(|e| e == "json")).expect("a state");
    std::fs::write(&state, "{}").unwrap();
    fuzz(&files, "--seeds 0..16").exits(2).says("is damaged").says("--restart");
    fuzz(&files, "--seeds 0..16 --restart").exits(0).prints("16 programs");
    fuzz(&files, "--seeds 0..16").exits(0).says("all of these seeds were done earlier");
}

#[test]
fn examples_that_can_not_be_tried_end_nothing() {
    let files = with_script("if grep -q @slow \"$1\"; then sleep 60; fi; cat \"$1\"");
    std::fs::write(files.path("slow.ll"), "define void @slow() {\n  ret void\n}\n").unwrap();
    let baseline = |examples: &[&str]| {
        let entry = |(nth, example): (usize, &&str)| {
            format!(
                "[[accepted]]\nbucket = \"hang-000000000{nth}\"\nreason = \"r\"\nexpires = 2999-12-31\nexample = \"{example}\"\n"
            )
        };
        let text: String = examples.iter().enumerate().map(entry).collect();
        std::fs::write(files.path("baseline.toml"), text).unwrap();
    };
    baseline(&["missing.ll", "slow.ll"]);
    let flags = "--seeds 0..16 --restart --baseline baseline.toml --opt-timeout 2";
    fuzz(&files, flags)
        .exits(2)
        .prints("16 programs")
        .says("hang-0000000000 can't be tried: ")
        .says("missing.ll");
    // A truncated file is not a fixed example, and a file that is not IR is reported with its error.
    std::fs::write(files.path("short.ll"), "; value mismatch\n; comma").unwrap();
    baseline(&["short.ll"]);
    fuzz(&files, flags).exits(2).says("short.ll: there is no function with code in it");
    std::fs::write(files.path("short.ll"), "define void @f( {").unwrap();
    fuzz(&files, flags).exits(2).says("short.ll is no LLVM IR: ");
    // Each takes two seconds, and there is one second for all of them.
    baseline(&["slow.ll", "slow.ll", "slow.ll"]);
    fuzz(&files, &format!("{flags} --time 1s")).exits(3).says("2 example(s) of the baseline are not tried");
}

#[test]
fn passes_of_ours_are_right() {
    let files = Files::new(&[]);
    let answer =
        files.backedge("fuzz --seeds 0..64 --passes default<O2> --passes loop-rotate --jobs 2 -v").exits(0);
    assert!(
        answer.stdout.contains("64 programs") && answer.stdout.contains("0 findings"),
        "{}",
        answer.stdout
    );
    // Statistics of passes that changed something, and on which programs.
    let answer =
        answer.prints("\npasses, and how many of their runs").prints("loop-rotate ").prints("\nknobs: ");
    assert!(
        answer.stdout.contains("; many-exits ") || answer.stdout.contains("  many-exits "),
        "{}",
        answer.stdout
    );
    files.backedge("fuzz --seeds 0..8 --passes default<O2> --prove 0.5 --oracles runs").exits(0);
    files.backedge("fuzz --print 7").exits(0).prints("from_seed(7)").prints("define");
}

#[test]
fn a_corpus_is_changed() {
    let files = with_script(RIGHT);
    let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/exits");
    let answer = fuzz(&files, &format!("--seeds 0..32 -v {corpus}")).exits(0).prints("32 programs with ");
    assert!(!answer.stdout.contains("32 programs with 0 loops"), "{}", answer.stdout);
    answer
        .prints("\nmutators: programs that one had a part in, ")
        .prints("\nnothing has fired on programs of these mutators:\n");
    files.backedge(&format!("fuzz --print 3 --corpus {corpus}")).exits(0).prints("; a mutant of ");
    files.backedge("fuzz --seeds 0..4 --corpus opt").exits(2);
    files.backedge(&format!("fuzz --seeds 0..4 --corpus {corpus} {corpus}")).exits(2);
}

#[test]
fn files_that_a_corpus_leaves_out_are_told() {
    let files = with_script(RIGHT);
    std::fs::create_dir(files.path("some")).expect("a directory");
    let whole = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/forms/top-tested.ll");
    std::fs::copy(whole, files.path("some/a.ll")).expect("a copy");
    std::fs::write(files.path("some/b.ll"), "define i8 @f(").expect("a file");
    files
        .backedge("fuzz --seeds 0..4 --corpus some --opt ./opt --findings findings")
        .exits(3)
        .says("1 of the files below some are left out, b.ll first: ");
}

#[test]
fn what_a_campaign_finds_is_no_part_of_its_corpus() {
    let files = with_script(WRONG);
    std::fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/forms/top-tested.ll"), files.path("a.ll"))
        .unwrap();
    let sub = "define i8 @f(i8 %x, i8 %y) {\n  %r = sub i8 %x, %y\n  ret i8 %r\n}\n";
    std::fs::write(files.path("b.ll"), sub).unwrap();
    fuzz(&files, "--seeds 0..32 --corpus . --findings ./findings").exits(1);
    assert!(!findings(&files.path("findings")).is_empty());
    fuzz(&files, "--seeds 0..32 --corpus . --findings ./findings")
        .exits(1)
        .says("all of these seeds were done earlier");
    // If the corpus changes during the campaign, the same seeds would give other programs.
    files.write_script(&format!("cp b.ll c.ll; {WRONG}"));
    fuzz(&files, "--seeds 0..32 --corpus . --findings others")
        .exits(2)
        .says("the files of the corpus have changed");
}

/// The time limit is for one program, not for the batch that a process gets.
#[test]
fn programs_have_the_limit_on_time_each_for_itself() {
    let files = Files::new(&[("in.ll", COUNTING.as_bytes())]);
    let line = "fuzz --seeds 0..32 --passes default<O2> --runs 20000 --fuel 20000 --timeout 5 --jobs 1 --oracles runs";
    let answer = files.backedge(line).exits(0).prints("; 0 suspect(s) not confirmed");
    assert!(answer.time > Duration::from_secs(6), "the programs took {:?}, which shows nothing", answer.time);
    // A program that takes longer is stopped after the limit, and the others are still checked.
    let passes = endless_passes();
    let line = format!(
        "fuzz --corpus in.ll --seeds 0..4 --passes '{passes}' --no-reduce --timeout 1 --jobs 1 --oracles runs --findings hang"
    );
    let answer = files.backedge(&line).exits(1).prints("4 programs");
    assert!(answer.stdout.contains("new   hang-") && answer.time < Duration::from_secs(60), "{answer:?}");
}

/// A finding that did not reproduce is reported by the run that failed to reproduce it, and not by later runs.
#[test]
fn what_did_not_show_again_counts_once() {
    let files = with_script(
        "echo >> runs; [ $(wc -l < runs) -lt 16 ] && grep -q lshr \"$1\" && kill -SEGV $$; sed 's/= add nsw /= add /' \"$1\"",
    );
    let answer = fuzz(&files, "--seeds 0..8 --jobs 1 --batch 1").exits(1);
    assert!(!answer.stdout.contains("; 0 did not show again"), "{}", answer.stdout);
    fuzz(&files, "--seeds 8..16 --jobs 1 --batch 1")
        .exits(0)
        .prints("finding(s) of earlier parts did not show again");
}

/// Findings for an older LLVM are written in a form that it can read.
#[test]
fn findings_are_spelled_as_the_command_reads_them() {
    let script = "if [ \"$1\" = --version ]; then echo 'LLVM version 14.0.6'; exit; fi\n\
                  if grep -q 'memory(' \"$1\"; then echo 'error: memory' >&2; exit 1; fi\n\
                  if grep -q readnone \"$1\"; then kill -SEGV $$; fi; cat \"$1\"";
    let files = with_script(script);
    fuzz(&files, "--seeds 0..64").exits(1);
    fuzz(&files, "--seeds 0..64 --no-reduce --findings whole").exits(1);
    for dir in ["findings", "whole"] {
        for (name, text) in findings(&files.path(dir)) {
            assert!(text.contains("readnone") && !text.contains("memory("), "{name}: {text}");
        }
    }
}

/// The head of a finding has the command as given.
#[test]
fn a_long_command_stands_above_what_it_broke() {
    let files = with_script("for f; do :; done; sed 's/= sub /= add /' \"$f\"");
    let command = format!("./opt 'a  b' {}", "word ".repeat(100) + "end");
    files.backedge(&format!("fuzz --max-tries 300 --seeds 0..64 --opt \"{command}\"")).exits(1);
    let found = findings(&files.path("findings"));
    let (name, text) = found.iter().find(|(name, _)| name.ends_with(".ll")).unwrap();
    assert!(text.contains(&format!("; command: {command}\n")), "{name}: {text}");
}

#[test]
fn arguments_are_checked() {
    let files = with_script(WRONG);
    for (line, words) in [
        ("fuzz", "--seeds"),
        ("fuzz --seeds 5..5", "no seed in that range"),
        ("fuzz --time 3d", "such as 90s, 30m or 2h"),
        ("fuzz --seeds 0..1 --oracles nonsense", "there is no oracle"),
        ("fuzz --seeds 0..1 --opt ./opt --oracles claims", "about passes of ours"),
        ("fuzz --seeds 0..1 --passes nonsense", "-passes"),
    ] {
        files.backedge(line).exits(2).says(words);
    }
}

#[test]
fn a_command_that_gives_something_else_back_is_not_checked() {
    let files = with_script("printf 'define void @f() {\\n  ret void\\n}\\n'");
    fuzz(&files, "--seeds 0..16").exits(3).says("nothing was checked");
    // Nor when the same command finds all seeds done.
    fuzz(&files, "--seeds 0..16").exits(3);
}

/// libFuzzer's names for the time and the folder of findings, and records for programs.
#[test]
fn flags_of_libfuzzer_and_records() {
    let files = with_script(WRONG);
    let answer = fuzz(&files, "-max_total_time=5 --max-new 1 --artifacts found --json -").exits(1);
    let records: Vec<serde_json::Value> =
        answer.stdout.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    let [finding, summary] = &*records else { panic!("{}", answer.stdout) };
    assert_eq!((&finding["kind"], &summary["kind"]), (&"found".into(), &"campaign".into()));
    let file = finding["program"].as_str().expect("a file");
    assert!(file.starts_with("found/") && files.path(file).is_file(), "{file}");
    let bucket = finding["bucket"].as_str().expect("a bucket");
    assert_eq!(summary["buckets"][bucket], true, "{summary}");
    assert!(summary["programs"].as_u64() > Some(0));
    let answer = fuzz(&files, "--seeds 0..1 --no-reduce --findings again").prints("1 programs");
    assert!(!answer.stdout.contains("knobs:"), "{}", answer.stdout);
}
