//! `backedge scev check` and `backedge print scev`: the claims on the examples in corpus/scev, ours and LLVM's, and
//! the results of checking them. LLVM's output is stored in tests/data, and recomputed if its `opt` is installed.

use crate::common::{Answer, Files, backedge, run};
use backedge_testkit::claims::{TWO_COUNTS, at_width};
use backedge_testkit::{corpus_dir, opt_of};
use serde_json::Value;
use std::path::{Path, PathBuf};

const SUM: &str = "(%a + %b)";

fn corpus(name: &str) -> String {
    corpus_dir().join("scev").join(name).display().to_string()
}

fn stored(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// The number of the line of `text` with the expression of `value` in function `func`.
fn line_of(text: &str, func: &str, value: &str) -> usize {
    let heading = format!("Classifying expressions for: @{func}");
    let lines = text.lines().enumerate().skip_while(|(_, l)| *l != heading);
    let (number, _) = lines.into_iter().find(|(_, l)| l.starts_with(&format!("  {value} = "))).expect(value);
    number + 2
}

/// Checks with few runs, without the solver.
fn check(args: &[&str]) -> Answer {
    let limits = ["--runs", "100", "--fuel", "5000", "--no-solver"];
    let args: Vec<&str> = ["scev", "check"].iter().chain(args).chain(&limits).copied().collect();
    run(&args, b"", Path::new(env!("CARGO_MANIFEST_DIR")))
}

/// Asserts that no claim is refuted; runs alone leave claims open.
#[track_caller]
fn accepted(answer: &Answer) {
    assert!(matches!(answer.code, Some(0 | 3)), "{}\n{}", answer.stdout, answer.stderr);
    assert!(answer.stdout.contains(" 0 refuted, "), "{}", answer.stdout);
    assert_eq!(answer.stdout.lines().count(), 1, "{}", answer.stdout);
}

/// The line with the refutation of `flag` of the sum, claimed for `func` at `line` of LLVM's text.
fn sum_refuted(func: &str, line: usize, flag: &str) -> String {
    format!("@{func}, line {line}: refuted: {SUM}<nuw><nsw> is <{flag}> wherever it is defined")
}

#[test]
fn the_loop_knows_of_the_sum_what_the_block_outside_does_not() {
    let file = corpus("wrap-scope.ll");
    for func in ["behind", "before", "guarded"] {
        let answer = backedge(&format!("print scev {file} --function {func} --scopes")).exits(0);
        let text = answer.stdout.as_str();
        let c = text.lines().nth(line_of(text, func, "%c") - 1).expect("an expression");
        assert_eq!(c, format!("  -->  {SUM} U: full-set S: full-set"), "@{func}");
        for flag in ["nuw", "nsw"] {
            answer_prints_line(text, &format!("  flag {flag} of i32 {SUM} from block %loop"));
        }
        // LLVM's text cannot express it.
        let plain = backedge(&format!("print scev {file} --function {func}")).exits(0).stdout;
        assert!(!plain.contains("Scoped facts") && !plain.contains(&format!("{SUM}<n")), "{plain}");
        assert!(plain.contains(&format!("{{{SUM},+,%b}}<nuw><nsw><%loop>")), "{plain}");
    }
}

#[track_caller]
fn answer_prints_line(text: &str, line: &str) {
    assert!(text.lines().any(|l| l == line), "no line {line:?} in\n{text}");
}

#[test]
fn flags_of_one_header_phi_do_not_reach_the_other() {
    let file = corpus("header-phi-leak.ll");
    let leak = backedge(&format!("print scev {file} --function leak")).exits(0).stdout;
    assert!(!leak.contains("{%a,+,%b}<nuw>") && !leak.contains("{%a,+,%b}<nsw>"), "{leak}");
    let trapped = backedge(&format!("print scev {file} --function trapped")).exits(0).stdout;
    assert_eq!(trapped.matches("  -->  {%a,+,%b}<nuw><nsw><%loop>").count(), 2, "{trapped}");
}

#[test]
fn nothing_that_we_claim_is_refuted() {
    for name in ["wrap-scope.ll", "header-phi-leak.ll"] {
        let file = corpus(name);
        accepted(&check(&[&file]));
        for order in ["forwards", "backwards", "counts-first"] {
            accepted(&check(&[&file, "--order", order]));
        }
    }
}

#[test]
fn what_we_print_is_read_back_and_holds() {
    let file = corpus("wrap-scope.ll");
    let text = backedge(&format!("print scev {file} --scopes")).exits(0).stdout;
    let files = Files::new(&[("claims.txt", text.as_bytes())]);
    accepted(&check(&[&file, "--claims", files.path("claims.txt").to_str().unwrap()]));
    // The same flags without their scope are wrong.
    let wide = text.replace("from block %loop", "everywhere");
    let files = Files::new(&[("claims.txt", wide.as_bytes())]);
    let answer = check(&[&file, "--claims", files.path("claims.txt").to_str().unwrap()]).exits(1);
    for func in ["behind", "before", "guarded"] {
        answer_prints(&answer, &format!("@{func}, line "), &format!(": refuted: {SUM} is <nuw>"));
    }
}

/// Asserts that a line of the output begins with `start` and contains `part`.
#[track_caller]
fn answer_prints(answer: &Answer, start: &str, part: &str) {
    let found = answer.stdout.lines().any(|l| l.starts_with(start) && l.contains(part));
    assert!(found, "no line {start}…{part} in\n{}", answer.stdout);
}

/// LLVM 13 gives the sum in the block outside the loop the flags of the sum in the loop.
fn refutes_llvm_13(answer: Answer, text: &str) {
    let answer = answer.exits(1);
    for func in ["behind", "guarded"] {
        let line = line_of(text, func, "%c");
        assert!(text.lines().nth(line - 1).unwrap().contains(&format!("{SUM}<nuw><nsw>")), "{text}");
        for flag in ["nuw", "nsw"] {
            answer_prints(&answer, &sum_refuted(func, line, flag), "");
        }
    }
    // If %c is queried before the loop, LLVM claims nothing.
    let line = line_of(text, "before", "%c");
    assert!(!answer.stdout.contains(&format!("@before, line {line}:")), "{}", answer.stdout);
}

/// LLVM 14 to 22 give both header phis the flags of one increment.
fn refutes_the_leak(answer: Answer, text: &str) {
    let answer = answer.exits(1);
    let line = line_of(text, "leak", "%p");
    for flag in ["nuw", "nsw"] {
        let start = format!("@leak, line {line}: refuted: {{%a,+,%b}}<nuw><nsw><%loop> is <{flag}>");
        answer_prints(&answer, &start, "");
    }
    assert!(!answer.stdout.contains("@trapped"), "{}", answer.stdout);
    assert!(!answer.stdout.contains("no value that it speaks of"), "{}", answer.stdout);
}

/// An unreadable claim is not silently skipped.
#[test]
fn what_is_not_read_is_counted_and_shown() {
    let module = "\
define void @f(i8 %n) {
entry:
  br label %loop
loop:
  %i = phi i8 [ 0, %entry ], [ %i.next, %loop ]
  %i.next = add i8 %i, 1
  %more = icmp ult i8 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
";
    let claims = "\
Printing analysis 'Scalar Evolution Analysis' for function 'f':
Classifying expressions for: @f
  %i = phi i8 [ 0, %entry ], [ %i.next, %loop ]
  -->  {0,+,1}<%loop> U: full-set S: full-set\t\tExits: 300\t\tLoopDispositions: { %loop: Computable }
";
    let files = Files::new(&[("in.ll", module.as_bytes()), ("claims.txt", claims.as_bytes())]);
    let check = "scev check in.ll --claims claims.txt --no-solver";
    let short = files.backedge(check).exits(3).says("nothing was checked").stdout;
    assert!(short.contains("; 1 other statement(s) could not be parsed"), "{short}");
    let all = files.backedge(&format!("{check} --all")).exits(3).stdout;
    assert!(all.contains("@f, line 4: not read: `300` is too large"), "{all}");
    let json = files.backedge(&format!("{check} --json -")).exits(3).stdout;
    let last: Value = serde_json::from_str(json.lines().last().expect("a record")).expect("JSON");
    assert_eq!((&last["reason"], &last["line"]), (&Value::from("not read"), &Value::from(4)));
}

fn check_stored(ll: &str, text: &str) -> Answer {
    check(&[&corpus(ll), "--claims", stored(text).to_str().unwrap()])
}

#[test]
fn what_llvm_13_said_of_the_sum_outside_is_refuted() {
    let text = std::fs::read_to_string(stored("wrap-scope.llvm-13.txt")).unwrap();
    refutes_llvm_13(check_stored("wrap-scope.ll", "wrap-scope.llvm-13.txt"), &text);
}

#[test]
fn what_llvm_says_since_is_accepted_but_for_the_leak() {
    for version in [14, 22] {
        accepted(&check_stored("wrap-scope.ll", &format!("wrap-scope.llvm-{version}.txt")));
        let name = format!("header-phi-leak.llvm-{version}.txt");
        let text = std::fs::read_to_string(stored(&name)).unwrap();
        refutes_the_leak(check_stored("header-phi-leak.ll", &name), &text);
        let (file, name) = (corpus("header-phi-leak.ll"), stored(&name));
        accepted(&check(&[&file, "--claims", name.to_str().unwrap(), "--function", "trapped"]));
    }
}

#[test]
fn llvm_is_asked_where_it_is_installed() {
    let (sums, phis) = (corpus("wrap-scope.ll"), corpus("header-phi-leak.ll"));
    for version in [13, 14, 22] {
        let what = format!("scev check --opt with LLVM {version}");
        let Some(opt) = opt_of(version, &what) else { continue };
        let opt = opt.to_str().unwrap();
        let stored = |name: &str| {
            let path = stored(&format!("{name}.llvm-{version}.txt"));
            std::fs::read_to_string(path).unwrap()
        };
        if version == 13 {
            refutes_llvm_13(check(&[&sums, "--opt", opt]), &stored("wrap-scope"));
        } else {
            accepted(&check(&[&sums, "--opt", opt]));
            refutes_the_leak(check(&[&phis, "--opt", opt]), &stored("header-phi-leak"));
            accepted(&check(&[&phis, "--opt", opt, "--function", "trapped"]));
        }
    }
}

/// Four bits: all inputs are run.
const SMALL: &str = "\
define i4 @f(i4 %a, i4 %n) {
entry:
  br label %loop
loop:
  %i = phi i4 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi i4 [ %a, %entry ], [ %s.next, %loop ]
  %s.next = add i4 %s, 3
  %i.next = add nuw i4 %i, 1
  %more = icmp ult i4 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret i4 %s
}
";

/// Claims about it: the flag of %s is wrong.
const SMALL_CLAIMS: &str = "\
Printing analysis 'Scalar Evolution Analysis' for function 'f':
Classifying expressions for: @f
  %i = phi i4 [ 0, %entry ], [ %i.next, %loop ]
  -->  {0,+,1}<nuw><%loop> U: full-set S: full-set		Exits: (-1 + (1 umax %n))		LoopDispositions: { %loop: Computable }
  %s = phi i4 [ %a, %entry ], [ %s.next, %loop ]
  -->  {%a,+,3}<nuw><%loop> U: full-set S: full-set		Exits: <<Unknown>>		LoopDispositions: { %loop: Computable }
Determining loop execution counts for: @f
Loop %loop: backedge-taken count is (-1 + (1 umax %n))
";

fn small() -> Files {
    Files::new(&[("in.ll", SMALL.as_bytes()), ("claims.txt", SMALL_CLAIMS.as_bytes())])
}

#[test]
fn small_types_are_decided() {
    let files = small();
    let answer = files.backedge("scev check in.ll").exits(0);
    assert!(answer.stdout.ends_with(", 0 refuted, 0 open\n"), "{}", answer.stdout);
    let all = files.backedge("scev check in.ll --all").exits(0).stdout;
    assert!(all.contains("@f: proved"), "{all}");
    let shown = all.lines().count() - 1;
    assert!(
        all.ends_with(&answer.stdout) && answer.stdout.starts_with(&format!("{shown} claims: ")),
        "{all}"
    );
    let answer = files.backedge("scev check in.ll --claims claims.txt").exits(1);
    answer_prints(&answer, "@f, line 6: refuted: {%a,+,3}<nuw><%loop> is <nuw>", "");
    assert_eq!(answer.stdout.matches(": refuted: ").count(), 1, "{}", answer.stdout);
}

#[test]
fn what_one_input_of_many_refutes_is_found_and_what_was_not_run_is_told() {
    let claim = |count: &str| {
        format!(
            "Determining loop execution counts for: @f\n\
             Loop %loop: <multiple exits> Unpredictable backedge-taken count.\n\
             Loop %loop: constant max backedge-taken count is i8 {count}\n"
        )
    };
    let (wrong, right) = (claim("-2"), claim("-1"));
    // At most 255 backedges, for one of 66,049 inputs.
    let late = at_width(TWO_COUNTS, 8);
    let files = [("in.ll", late.as_str()), ("wrong.txt", wrong.as_str()), ("right.txt", right.as_str())];
    let files = Files::new(&files.map(|(name, text)| (name, text.as_bytes())));
    let answer = files.backedge("scev check in.ll --claims wrong.txt").exits(1);
    answer_prints_start(&answer.stdout, "  input: %n = i8 -1, %m = i8 -1");
    answer_prints_start(&answer.stdout, "  claimed 254, but 255 backedges are taken");
    // The steps do not suffice for all inputs: the verdict says so.
    let part = "scev check in.ll --claims right.txt --all --all-fuel 100000";
    let told = "of 66049 inputs were run: steps of all runs used up (--all-fuel)";
    for solver in ["", " --no-solver"] {
        let text = files.backedge(&format!("{part}{solver}")).stdout;
        assert!(!text.contains("all inputs") && text.contains(told), "{text}");
    }
    let line = files.backedge(&format!("{part} --json -")).stdout;
    let record: Value = serde_json::from_str(line.lines().next().expect("a record")).expect("JSON");
    assert!(record["cut"].as_str().is_some_and(|c| c.contains(told)), "{record}");
    assert!(record["detail"].as_str().is_some_and(|d| d.contains(told)), "{record}");
    assert!(record["runs"].as_u64().is_some_and(|n| 36 < n && n < 66_049), "{record}");
    // With more steps they do.
    let all =
        files.backedge("scev check in.ll --claims right.txt --all --all-fuel 1000000000").exits(0).stdout;
    answer_prints_start(&all, "@f, line 3: proved (all inputs were run");
}

#[test]
fn a_refutation_names_its_input() {
    let files = small();
    let text = files.backedge("scev check in.ll --claims claims.txt").exits(1).stdout;
    let input = text.lines().find_map(|l| l.strip_prefix("  input: ")).expect("an input");
    let (a, n) = input.split_once(", ").expect("two arguments");
    let number = |text: &str, name: &str| -> i8 {
        text.strip_prefix(name).and_then(|t| t.strip_prefix(" = i4 ")).expect(input).parse().expect(input)
    };
    let (a, n) = (number(a, "%a"), number(n, "%n"));
    // Exact sum of the unsigned four-bit values.
    assert!((-8..8).contains(&a) && (a & 15) + 3 * ((n & 15).max(1) - 1) > 15, "{text}");
    answer_prints_start(&text, "  in loop %loop, after ");
    answer_prints_start(&text, "  wraps at arrival ");
}

#[track_caller]
fn answer_prints_start(text: &str, start: &str) {
    assert!(text.lines().any(|l| l.starts_with(start)), "no line {start}… in\n{text}");
}

#[test]
fn json_has_a_line_for_each_claim() {
    let files = small();
    let answer = files.backedge("scev check in.ll --claims claims.txt --json -").exits(1);
    let records: Vec<Value> =
        answer.stdout.lines().map(|l| serde_json::from_str(l).expect("a JSON line")).collect();
    let to_file = files.backedge("scev check in.ll --claims claims.txt --json out.json").exits(1).stdout;
    assert_eq!(files.read("out.json"), answer.stdout);
    answer_prints_start(&to_file, &format!("{} claims: ", records.len()));
    let refuted: Vec<&Value> = records.iter().filter(|r| r["status"] == "refuted").collect();
    let [refuted] = refuted.as_slice() else { panic!("{records:?}") };
    assert_eq!(
        (&refuted["function"], &refuted["line"], &refuted["loop"]),
        (&"f".into(), &6.into(), &"loop".into())
    );
    let input = refuted["input"].as_array().expect("arguments");
    assert_eq!(
        (&input[0]["name"], &input[1]["name"], &input[0]["type"]),
        (&"%a".into(), &"%n".into(), &"i4".into())
    );
    assert!(refuted["backedges"].as_u64().is_some_and(|n| n > 0), "{refuted}");
    // The printed input can be run.
    let run_args = refuted["args"].as_str().expect("arguments for a run");
    run(&["run", "in.ll", "--args", run_args], b"", files.dir()).exits(0);
    let proved = records.iter().find(|r| r["status"] == "proved").expect("a claim that holds");
    assert!(
        proved.get("input").is_none() && proved["claim"].is_string() && proved["index"].is_u64(),
        "{proved}"
    );
}

#[test]
fn pointers_and_truth_values_are_named_too() {
    let text = "\
define i4 @g(ptr %p, i1 %c, float %x) {
entry:
  %s = select i1 %c, i4 5, i4 6
  ret i4 %s
}
";
    let claims = "\
Printing analysis 'Scalar Evolution Analysis' for function 'g':
Classifying expressions for: @g
  %s = select i1 %c, i4 5, i4 6
  -->  6 U: [6,7) S: [6,7)
Determining loop execution counts for: @g
";
    let files = Files::new(&[("in.ll", text.as_bytes()), ("claims.txt", claims.as_bytes())]);
    let text = files.backedge("scev check in.ll --claims claims.txt").exits(1).stdout;
    let input = text.lines().find_map(|l| l.strip_prefix("  input: ")).expect("an input");
    assert!(input.starts_with("%p = ptr ") && input.contains(", %c = i1 true, %x = float bits:0x"), "{text}");
    answer_prints_start(&text, "  claimed i4 6, found 5");
}

#[test]
fn text_that_is_none_is_refused_at_its_place() {
    let files = small();
    let broken = SMALL_CLAIMS.replace("{%a,+,3}", "{%a,+,%none}");
    std::fs::write(files.path("broken.txt"), broken).unwrap();
    let answer = files.backedge("scev check in.ll --claims broken.txt").exits(2);
    answer.says("broken.txt:6:").says("{%a,+,%none}").says("of the same module");
    files.backedge("scev check in.ll --claims absent.txt").exits(2).says("absent.txt");
    files.backedge("scev check in.ll --claims - --opt opt").exits(2).says("cannot be used with");
    files
        .backedge("scev check in.ll --claims claims.txt --order forwards")
        .exits(2)
        .says("cannot be used with");
    files.backedge("scev check - --claims -").exits(2).says("standard input (-) is named twice");
    files.backedge("scev check in.ll --json in.ll").exits(2).says("in.ll");
    files.backedge("scev check in.ll --function nobody").exits(2).says("nobody");
}

#[test]
fn commands_that_fail_are_named() {
    let files = small();
    // The second command leaves a process that keeps its output open.
    for command in ["sh -c 'while :; do :; done'", "sh -c 'sleep 40; true'"] {
        let hang = run(&["scev", "check", "in.ll", "--opt", command, "--timeout", "1"], b"", files.dir());
        assert!(hang.time.as_secs() < 30, "{command}: {:?}", hang.time);
        hang.exits(2).says("took more than 1 s").says("--timeout");
    }
    files.backedge("scev check in.ll --opt ./no-such-opt").exits(2).says("./no-such-opt can't be run");
    let fails = ["scev", "check", "in.ll", "--opt", "sh -c 'echo what is this >&2; exit 3'"];
    run(&fails, b"", files.dir()).exits(2).says("what is this").says("exit status: 3");
    run(&["scev", "check", "in.ll", "--opt", " "], b"", files.dir()).exits(2).says("is no command");
    run(&["scev", "check", "in.ll", "--opt", "'"], b"", files.dir()).exits(2).says("is no command");
}

/// The result of the call decides: a single value of many refutes the claim, which random runs miss.
const ANSWER: &str = "\
declare i32 @g()
define i32 @f() {
  %x = call i32 @g()
  %y = xor i32 %x, 305419896
  ret i32 %y
}
";
const ANSWER_CLAIMS: &str = "\
Printing analysis 'Scalar Evolution Analysis' for function 'f':
Classifying expressions for: @f
  %y = xor i32 %x, 305419896
  -->  %y U: [1,0) S: [1,0)
Determining loop execution counts for: @f
";

#[test]
fn the_answer_of_a_call_that_refutes_is_found_and_told() {
    let files = Files::new(&[("in.ll", ANSWER.as_bytes()), ("claims.txt", ANSWER_CLAIMS.as_bytes())]);
    files.backedge("scev check in.ll --claims claims.txt --no-solver").exits(3);
    let text = files.backedge("scev check in.ll --claims claims.txt").exits(1).stdout;
    assert!(text.contains("call @g() gives 305419896"), "{text}");
    let lines = files.backedge("scev check in.ll --claims claims.txt --json -").exits(1).stdout;
    let records: Vec<Value> = lines.lines().map(|l| serde_json::from_str(l).expect(l)).collect();
    let refuted = records.iter().find(|r| r["status"] == "refuted").expect("a refutation");
    assert_eq!(refuted["property"], "P4");
    let told = refuted["environment"].as_array().expect("the environment");
    assert!(told.iter().any(|t| t.as_str().is_some_and(|t| t.contains("305419896"))), "{told:?}");
}

/// The overflow bit is false in each iteration but the last, which is late for most starts.
const OVERFLOW: &str = "\
declare { i32, i1 } @llvm.uadd.with.overflow.i32(i32, i32)
define void @f(i32 %s) {
entry:
  br label %loop
loop:
  %i = phi i32 [ %s, %entry ], [ %v, %loop ]
  %p = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %i, i32 3)
  %v = extractvalue { i32, i1 } %p, 0
  %o = extractvalue { i32, i1 } %p, 1
  br i1 %o, label %exit, label %loop
exit:
  ret void
}
";

#[test]
fn runs_and_the_solver_read_invariant_alike() {
    let claims = "\
Classifying expressions for: @f
  %o = extractvalue { i32, i1 } %p, 1
  -->  %o U: full-set S: full-set\t\tExits: <<Unknown>>\t\tLoopDispositions: { %loop: Invariant }
";
    let files = Files::new(&[("in.ll", OVERFLOW.as_bytes()), ("claims.txt", claims.as_bytes())]);
    // Without runs the solver finds one, which the interpreter repeats.
    for runs in ["400", "0"] {
        let check = format!("scev check in.ll --claims claims.txt --runs {runs}");
        let text = files.backedge(&check).exits(1).stdout;
        answer_prints_start(&text, "@f, line 3: refuted: %o is Invariant in loop %loop");
    }
    let variant = claims.replace("Invariant", "Variant");
    std::fs::write(files.path("claims.txt"), variant).unwrap();
    // There is no claim then.
    files.backedge("scev check in.ll --claims claims.txt").exits(3).says("nothing was checked");
}

#[test]
fn what_was_not_checked_is_no_success() {
    let files = Files::new(&[
        ("none.ll", b"define void @f() {\n  ret void\n}\n"),
        ("wide.ll", b"define i32 @f(i32 %a, i32 %b) {\n  %s = add i32 %a, %b\n  %d = sub i32 %s, 1\n  ret i32 %d\n}\n"),
    ]);
    files.backedge("scev check none.ll").exits(3).says("nothing was checked");
    // Runs of some inputs leave all claims open.
    files.backedge("scev check wide.ll").exits(0);
    files.backedge("scev check wide.ll --no-solver").exits(3).prints(", 0 refuted, 2 open");
    files.backedge("scev check wide.ll --no-solver --max-inconclusive 0.99").exits(3);
    files.backedge("scev check wide.ll --no-solver --max-inconclusive 1").exits(0);
    files.backedge("scev check wide.ll --max-inconclusive 1.5").exits(2).says("not between 0 and 1");
}

#[test]
fn a_file_has_a_time_limit_and_what_was_found_stays() {
    let late = at_width(TWO_COUNTS, 8);
    let named = |name: &str| late.replace("@f(", &format!("@{name}("));
    let names: Vec<String> = (0..12).map(|i| format!("g{i}")).collect();
    let module: String = names.iter().map(|name| named(name)).collect();
    let claim = |name: &str, count: &str| {
        format!(
            "Determining loop execution counts for: @{name}\n\
             Loop %loop: <multiple exits> Unpredictable backedge-taken count.\n\
             Loop %loop: constant max backedge-taken count is i8 {count}\n"
        )
    };
    let claims: String =
        names.iter().map(|name| claim(name, if name == "g0" { "-2" } else { "-1" })).collect();
    let files = Files::new(&[("in.ll", module.as_bytes()), ("claims.txt", claims.as_bytes())]);
    let check =
        "scev check in.ll --claims claims.txt --all --all-fuel 100000000000 --file-timeout 1 --no-solver";
    let answer = files.backedge(check);
    assert!(answer.time.as_secs() < 60, "{:?}", answer.time);
    let answer = answer.exits(1);
    answer_prints(&answer, "@g0, line ", ": refuted: ");
    answer_prints(&answer, "@g", "out of time (--file-timeout)");
    assert_eq!(answer.stdout.lines().filter(|l| l.starts_with("@g")).count(), names.len());
}

/// The behavior of LLVM 14 for opaque pointers, with and without the flag.
const LLVM_14: &str = r#"
case "$*" in
*-opaque-pointers*) cat claims.txt >&2;;
*) echo "<stdin>:1:1: warning: ptr type is only supported in -opaque-pointers mode" >&2; exit 1;;
esac
"#;

#[test]
fn llvm_14_gets_the_opaque_pointers_flag() {
    let module = "define void @f(ptr %p) {\n  %q = getelementptr i8, ptr %p, i64 1\n  ret void\n}\n";
    let said = "Classifying expressions for: @f\n  %q = x\n  -->  (1 + %p) U: full-set S: full-set\n";
    let files = [("in.ll", module), ("claims.txt", said), ("opt.sh", LLVM_14)];
    let files = Files::new(&files.map(|(name, text)| (name, text.as_bytes())));
    let check = |command: &str| run(&["scev", "check", "in.ll", "--opt", command], b"", files.dir());
    check("sh opt.sh").exits(0).prints("1 claims: 1 proved");
    check("sh opt.sh -opaque-pointers").exits(0);
    // Another failure is reported as it is.
    std::fs::write(files.path("opt.sh"), "echo it is broken >&2; exit 1").unwrap();
    check("sh opt.sh").exits(2).says("it is broken");
    let Some(opt) = opt_of(14, "opaque pointers with LLVM 14") else { return };
    check(opt.to_str().unwrap()).exits(0).prints("1 proved");
}

#[test]
fn what_is_printed_does_not_depend_on_what_was_asked_first() {
    let files = std::fs::read_dir(corpus_dir().join("scev")).expect("a directory").flatten();
    let files: Vec<PathBuf> =
        files.map(|f| f.path()).filter(|p| p.extension().is_some_and(|e| e == "ll")).collect();
    assert!(files.len() > 1, "{files:?}");
    for file in files {
        let file = file.display();
        let text = backedge(&format!("print scev {file} --scopes")).exits(0).stdout;
        for order in ["forwards", "backwards", "counts-first"] {
            let asked = backedge(&format!("print scev {file} --scopes --order {order}")).exits(0).stdout;
            assert!(asked == text, "{file}, {order}:\n{asked}\n{text}");
        }
    }
}
