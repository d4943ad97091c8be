//! `backedge bisect` on optimizers that are shell scripts, and on LLVM's.

#![cfg(unix)]

use crate::common::{COUNTING, Files, TWO, backedge, endless_passes, run};
use backedge_testkit::opt_of;

/// Like LLVM: `-opt-bisect-limit=N` skips all passes after the first N. The third pass is wrong.
const BISECTS: &str = "\
limit=-1
for word; do
  case $word in -opt-bisect-limit=*) limit=${word#*=};; *) file=$word;; esac
done
script='s/none/none/'
step() {
  if [ $limit -lt 0 ] || [ $1 -le $limit ]; then
    echo \"BISECT: running pass ($1) $2\" >&2
    script=\"$script;$3\"
  else
    echo \"BISECT: NOT running pass ($1) $2\" >&2
  fi
}
step 1 'simplifycfg on good' 's/%r/%s/'
step 2 'simplifycfg on bad' 's/none/none/'
step 3 'loop-rotate on loop %x in function bad' 's/ 20/ 21/'
step 4 'licm on bad' 's/none/none/'
sed \"$script\" \"$file\"
";

#[test]
fn the_application_that_broke_it_is_named() {
    let files = Files::with_script(TWO, BISECTS);
    let answer = files.backedge("bisect in.ll --opt ./opt --before before.ll --after after.ll").exits(1);
    answer
        .prints("guilty: loop-rotate on loop %x in function bad, application 3 of 4\n")
        .prints("@bad: value mismatch\n")
        .prints("good: ./opt -opt-bisect-limit=2\nbad:  ./opt -opt-bisect-limit=3\n");
    assert!(files.read("before.ll").contains("add i32 %x, 20"));
    assert!(files.read("after.ll").contains("add i32 %x, 21"));
}

/// Runs the passes named by `-passes=`: `bad` is wrong, `crash` crashes if `bad` ran before it.
const BY_NAME: &str = "\
passes=$(echo \"$1\" | sed 's/^-passes=//; s/module(//; s/)//; s/,/ /g')
cp \"$2\" work.ll
for pass in $passes; do
  case $pass in
    bad) sed -i 's/ 20/ 21/' work.ll;;
    crash) grep -q ' 21' work.ll && kill -SEGV $$;;
    refuse) grep -q @bad work.ll && { echo 'error: no' >&2; exit 1; };;
    typo) echo 'error: unknown pass' >&2; exit 1;;
  esac
done
cat work.ll; rm work.ll
";

#[test]
fn a_command_that_counts_nothing_has_its_passes_cut() {
    let files = Files::with_script(TWO, BY_NAME);
    files
        .backedge("bisect in.ll --opt './opt -passes=module(a,b,bad,c)'")
        .exits(1)
        .prints("guilty: bad on @bad, pass 3 of 4\n")
        .prints("good: ./opt '-passes=module(a,b)'\nbad:  ./opt '-passes=module(a,b,bad)'\n");
    files
        .backedge("bisect in.ll --opt './opt -passes=a,bad,b,crash,c'")
        .exits(1)
        .prints("guilty: crash on the module, pass 4 of 5")
        .prints("signal 11 (SIGSEGV)");
    files.backedge("bisect in.ll --opt './opt -passes=a,refuse'").exits(1).prints("guilty: refuse");
    files
        .backedge("bisect in.ll --opt './opt -passes=a,typo'")
        .exits(4)
        .says("the command does not take a function that does nothing: exit code 1: error: unknown pass");
    files.backedge("bisect in.ll --opt './opt -passes=a,b'").exits(0).prints("no failure is found");
    files.backedge("bisect in.ll --opt ./no-such").exits(125);
    files.backedge("bisect in.ll").exits(2);
    run(&["bisect", "-", "--passes", "licm"], b"define", files.dir()).exits(2).says("<stdin>:1:");
}

#[test]
fn a_command_that_breaks_it_without_any_pass_is_blamed_itself() {
    // Reading the file breaks it, whatever passes run afterwards.
    let files = Files::with_script(TWO, &BISECTS.replace("script='s/none/none/'", "script='s/ 20/ 22/'"));
    let answer = files.backedge("bisect in.ll --opt ./opt --before before.ll --after after.ll").exits(1);
    let answer = answer
        .prints("guilty: no pass: the command alone breaks @bad, application 0 of 4\n@bad: value mismatch\n")
        .prints("bad:  ./opt -opt-bisect-limit=0\n");
    assert!(!answer.stdout.contains("good:"), "{}", answer.stdout);
    assert!(files.read("before.ll").contains("add i32 %x, 20"));
    assert!(files.read("after.ll").contains("add i32 %x, 22"));
    let files = Files::with_script(
        TWO,
        &BY_NAME.replace("work.ll\nfor", "work.ll; sed -i 's/ 20/ 22/' work.ll\nfor"),
    );
    files
        .backedge("bisect in.ll --opt './opt -passes=a,bad'")
        .exits(1)
        .prints("guilty: no pass: the command alone breaks @bad, pass 0 of 2\n")
        .prints("bad:  ./opt -passes=no-op-module\n");
    // The command has no pass syntax that could be cut.
    let files = Files::with_script(TWO, "sed 's/ 20/ 22/' \"$1\"\n");
    files
        .backedge("bisect in.ll --opt ./opt")
        .exits(1)
        .prints("guilty: no pass: the command alone breaks @bad\n@bad: value mismatch\n")
        .prints("bad:  ./opt\n");
    files.backedge("bisect in.ll --opt cat").exits(0).prints("no failure is found");
    let files = Files::with_script(TWO, &format!("grep -q @bad \"$2\" && kill -SEGV $$\n{BY_NAME}"));
    files
        .backedge("bisect in.ll --opt './opt -passes=a,b'")
        .exits(1)
        .prints("guilty: no pass: the command alone breaks the module, pass 0 of 2\n")
        .prints("the optimizer crashes: signal 11 (SIGSEGV)");
    // A command that rejects input without one of its own passes is taken to do nothing without a pass.
    let picky = format!(
        "case $1 in -passes=a*|-passes=bad*) ;; *) echo 'error: which?' >&2; exit 1;; esac\n{BY_NAME}"
    );
    let files = Files::with_script(TWO, &picky);
    files
        .backedge("bisect in.ll --opt './opt -passes=bad,a'")
        .exits(1)
        .prints("guilty: bad on @bad, pass 1 of 2\n")
        .prints("bad:  ./opt -passes=bad\n");
}

/// As in `gate`: an externally visible function must have a counterpart.
#[test]
fn a_function_that_is_gone_is_a_failure() {
    let gone = BY_NAME.replace("bad) sed -i 's/ 20/ 21/' work.ll;;", "bad) sed -i '/@bad/,/^}/d' work.ll;;");
    let files = Files::with_script(TWO, &gone);
    files.backedge("gate in.ll --opt './opt -passes=a,bad,c'").exits(1).prints("lacks the function");
    files.backedge("bisect in.ll --opt './opt -passes=a,bad,c' --after after.ll").exits(1).prints(
        "guilty: bad on @bad, pass 2 of 3\n@bad: the optimizer crashes: its output lacks the function\n",
    );
    assert!(files.read("after.ll").contains("@good"));
    let files = Files::with_script(&TWO.replace("define i32 @bad", "define internal i32 @bad"), &gone);
    files.backedge("bisect in.ll --opt './opt -passes=a,bad,c'").exits(0);
}

/// The legacy pass manager identifies loops by name only.
#[test]
fn a_loop_is_not_taken_for_a_function() {
    let files = Files::with_script(TWO, &BISECTS.replace("on loop %x in function bad", "on for.body"));
    files
        .backedge("bisect in.ll --opt ./opt")
        .exits(1)
        .prints("guilty: loop-rotate on for.body, application 3 of 4\n@bad: value mismatch\n");
    let crash = BISECTS.replace(
        "'s/ 20/ 21/'",
        "'s/ 20/ 21/'; if [ $limit -lt 0 ] || [ $limit -ge 3 ]; then kill -SEGV $$; fi",
    );
    let files = Files::with_script(TWO, &crash.replace("on loop %x in function bad", "on for.body"));
    files
        .backedge("bisect in.ll --opt ./opt")
        .exits(1)
        .prints("guilty: loop-rotate on for.body, application 3 of 3\nthe module: the optimizer crashes");
}

#[test]
fn a_command_that_does_not_do_the_same_each_time_is_told() {
    let odd = "echo >> runs; n=$(wc -l < runs); if [ $((n % 2)) = 0 ]; then sed 's/ 20/ 21/' \"$2\"; else cat \"$2\"; fi";
    for begun in ["", "\n"] {
        let files = Files::with_script(TWO, odd);
        std::fs::write(files.path("runs"), begun).unwrap();
        let answer = files.backedge("bisect in.ll --opt './opt -passes=a,b,c' --by-passes");
        // Whether it is wrong at all depends on chance.
        if answer.code == Some(0) {
            continue;
        }
        answer.exits(3).says("the command does not do the same each time");
    }
    let files = Files::with_script(TWO, "[ -e ran ] || { touch ran; kill -SEGV $$; }; cat \"$2\"");
    files
        .backedge("bisect in.ll --opt './opt -passes=a,b,c' --by-passes")
        .exits(3)
        .says("the command does not do the same each time");
    // Wrong only if passes are not counted.
    let shy = BISECTS
        .replace("sed \"$script\"", "case \"$*\" in *limit*) script='s/none/none/';; esac\nsed \"$script\"");
    Files::with_script(TWO, &shy)
        .backedge("bisect in.ll --opt ./opt")
        .exits(3)
        .says("the failure does not occur when the same number of passes is requested explicitly: no pass can be blamed");
}

/// The location of the command's temporary files must not appear.
#[test]
fn what_is_written_names_no_file_of_ours() {
    let script = "echo \"; ModuleID = '$2'\"; sed 's/ 20/ 21/' \"$2\"; echo \"$2: warning\" >&2";
    let files = Files::with_script(TWO, script);
    files.backedge("bisect in.ll --opt './opt -passes=a,b' --after after.ll").exits(1);
    assert!(files.read("after.ll").starts_with("; ModuleID = 'in.ll'\n"), "{}", files.read("after.ll"));
}

#[test]
fn passes_of_ours_that_are_right_are_not_accused() {
    backedge("bisect corpus/forms/top-tested.ll --passes default<O2>").exits(0).prints("no failure is found");
}

/// An unchecked module is not reported as correct.
#[test]
fn what_was_not_checked_is_said() {
    let files = Files::with_script(TWO, BISECTS);
    let unseen = "--fuel 0 --no-solver";
    files
        .backedge(&format!("bisect in.ll --opt ./opt {unseen}"))
        .exits(3)
        .prints("no failure is found")
        .prints("not known: @bad: inconclusive");
    backedge(&format!("bisect corpus/forms/top-tested.ll --passes default<O2> {unseen}"))
        .exits(3)
        .prints("not known: @");
    files
        .backedge("bisect in.ll --opt ./opt --before b.ll --after b.ll")
        .exits(2)
        .says("b.ll is named twice");
}

/// The output of LLVM 14 and 22 for `-opt-bisect-limit` is parsed; a wrapper breaks the result of one pass.
#[test]
fn the_limit_of_llvm_is_understood() {
    for version in [14, 22] {
        let Some(opt) = opt_of(version, "bisecting with LLVM's own limit") else { continue };
        // Unless `instcombine` is skipped, whatever its number, the script changes the constant 20.
        let script = format!(
            "{} \"$@\" > out.tmp 2> err.tmp; code=$?; cat err.tmp >&2\n\
             if ! grep -qi '^BISECT: NOT running pass ([0-9]*) inst.*on bad' err.tmp; then sed -i 's/ 20/ 21/' out.tmp; fi\n\
             cat out.tmp; exit $code",
            opt.display()
        );
        let files = Files::with_script(TWO, &script);
        let command = "bisect in.ll --opt './opt -passes=function(simplifycfg,instcombine,dce) -S'";
        let answer = files.backedge(command).exits(1).prints("on @bad, application 5 of 6\n");
        assert!(answer.stdout.to_lowercase().contains("guilty: instcombine"), "{}", answer.stdout);
    }
}

/// Passes that do not terminate must run in a separate process.
#[test]
fn passes_of_ours_that_come_to_no_end_are_cut() {
    let passes = endless_passes();
    let files = Files::new(&[("in.ll", COUNTING.as_bytes())]);
    files
        .backedge(&format!("bisect in.ll --passes '{passes}' --passes-timeout 1"))
        .exits(1)
        .prints("guilty: loop-peel on the module, pass ")
        .prints("the optimizer takes too long");
}
