//! Contents of a verdict: the smallest inputs, the first difference of the two runs, the place of the source's UB, the
//! bound and the unreached parts of a bounded check, and suspicions; and a refutation can be reproduced from its file.

use backedge_interp::trace::RowKind;
use backedge_ir::module::{Code, Module};
use backedge_testkit::module;
use backedge_validate::batch::{Change, check_caught, judge_change};
use backedge_validate::case::{Case, Replayed};
use backedge_validate::certificate::CertificateFile;
use backedge_validate::check::{Options, Report, Side, check};
use backedge_validate::judge::Judge;
use backedge_validate::record::Finding;
use backedge_validate::reproducer::Reproducer;
use backedge_validate::verdict::{Reason, Verdict};
use backedge_validate::witness::{FoundBy, Refutation};
use std::sync::Arc;

fn side<'a>(module: &'a Module, name: &str) -> Side<'a> {
    Side { module, func: module.env.func_named(name).expect(name) }
}

fn judge(text: &str, options: &Options) -> Report {
    let module = module(text);
    check_caught(side(&module, "src"), side(&module, "tgt"), options)
}

fn refuted(text: &str) -> Box<Refutation> {
    match judge(text, &Options::default()).verdict {
        Verdict::Refuted(refutation) => refutation,
        other => panic!("{other}\n{text}"),
    }
}

/// A pair of functions with these parameters and bodies.
fn pair(params: &str, source: &str, target: &str) -> String {
    format!("define i32 @src({params}) {{\n{source}}}\ndefine i32 @tgt({params}) {{\n{target}}}\n")
}

fn arguments(refutation: &Refutation) -> Vec<&str> {
    refutation.witness.arguments.iter().map(|a| &*a.value).collect()
}

#[test]
fn the_smallest_input_is_told() {
    let same = "ret i32 %x\n";
    // For each of these conditions on %x, under which the target returns something else.
    for (condition, expected) in [
        ("icmp ne i32 %x, 77", "0"),
        ("icmp ugt i32 %x, 2", "-1"),
        ("icmp sgt i32 %x, 2", "3"),
        // Round numbers come before smaller ones.
        ("icmp sgt i32 %x, 100", "127"),
        ("icmp sgt i32 %x, 66000", "131071"),
        ("icmp slt i32 %x, -20", "-31"),
        ("icmp eq i32 %x, 123456", "123456"),
        ("icmp uge i32 %x, 2147483648", "-1"),
    ] {
        let other =
            format!("%c = {condition}\n%d = xor i32 %x, 1\n%r = select i1 %c, i32 %d, i32 %x\nret i32 %r\n");
        let refutation = refuted(&pair("i32 noundef %x", same, &other));
        assert_eq!(arguments(&refutation), [expected], "{condition}");
    }
    // Only bisection finds the end of this range, since it contains no round number.
    let range =
        "%y = sub i32 %x, 150\n%c = icmp ult i32 %y, 40\n%r = select i1 %c, i32 0, i32 %x\nret i32 %r\n";
    let refutation = refuted(&pair("i32 noundef %x", same, range));
    assert_eq!(arguments(&refutation), ["150"]);
}

#[test]
fn ordinary_values_are_preferred_to_poison() {
    let refutation = refuted(&pair("i32 %x, i32 %y", "ret i32 %x\n", "%r = add i32 %x, 1\nret i32 %r\n"));
    assert_eq!(arguments(&refutation), ["0", "0"]);
    // Only poison shows this failure.
    let frozen = "%f = freeze i32 %x\n%r = xor i32 %f, %x\nret i32 %r\n";
    let refutation = refuted(&pair("i32 %x", "ret i32 0\n", frozen));
    assert_eq!(arguments(&refutation), ["poison"]);
}

#[test]
fn memory_is_as_short_as_it_may_be() {
    let read = "%v = load i8, ptr %p\n%r = zext i8 %v to i32\nret i32 %r\n";
    let more = "%v = load i8, ptr %p\n%w = zext i8 %v to i32\n%r = add i32 %w, 1\nret i32 %r\n";
    assert_eq!(arguments(&refuted(&pair("ptr %p", read, more))), ["zeros:1"]);
    let third = "%q = getelementptr i8, ptr %p, i64 2\n%v = load i8, ptr %q\n%c = icmp eq i8 %v, 0\n";
    let source = format!("{third}ret i32 0\n");
    let target = format!("{third}%n = xor i1 %c, true\n%r = zext i1 %n to i32\nret i32 %r\n");
    let refutation = refuted(&pair("ptr %p", &source, &target));
    let given = arguments(&refutation);
    let bytes = given[0].strip_prefix("bytes:").expect("a buffer");
    assert!(bytes.len() == 6 && bytes.starts_with("0000") && !bytes.ends_with("00"), "{bytes}");
}

/// Sums up to `%n`; the target stops one iteration early.
const LOOP: &str = "
define i32 @src(i32 noundef %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %loop ]
  %s.next = add i32 %s, %i
  %i.next = add i32 %i, 1
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret i32 %s.next
}
define i32 @tgt(i32 noundef %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %loop ]
  %s.next = add i32 %s, %i
  %i.next = add i32 %i, 1
  %c = icmp ult i32 %i.next, LIMIT
  br i1 %c, label %loop, label %exit
exit:
  ret i32 %s.next
}
";

#[test]
fn the_first_difference_is_data_with_its_iteration() {
    let refutation = refuted(&LOOP.replace("LIMIT", "2"));
    assert_eq!(arguments(&refutation), ["0"]);
    let rows = &refutation.rows;
    let at = rows.first_difference.expect("a value differs");
    let row = &rows.rows[at];
    let (left, right) = (row.left_at.as_ref().expect("a step"), row.right_at.as_ref().expect("a step"));
    assert_eq!(left.instruction.as_deref(), Some("%c = icmp ult i32 %i.next, %n"));
    assert_eq!((left.value.as_deref(), right.value.as_deref()), (Some("i1 false"), Some("i1 true")));
    assert_eq!((&*left.function, &*left.block, left.iterations.len()), ("@src", "%loop", 1));
    assert_eq!((&*left.iterations[0].header, left.iterations[0].count), ("%loop", 1));
    assert!(rows.rows.iter().any(|r| r.kind == RowKind::Parts));
    let json = serde_json::to_value(&*refutation).expect("it is data");
    assert_eq!(json["rows"]["rows"][at]["left_at"]["iterations"][0]["count"], 1);
}

#[test]
fn long_runs_are_told_by_their_ends() {
    let refutation = refuted(&LOOP.replace("LIMIT", "700"));
    let rows = &refutation.rows.rows;
    assert!(rows.len() < 300, "{} rows", rows.len());
    let left_out: usize = rows.iter().map(|r| if let RowKind::Omitted(n) = r.kind { n } else { 0 }).sum();
    assert!(left_out > 1_000, "{left_out}");
    assert!(rows[0].left.as_ref().is_some_and(|t| t.contains("@src")), "{:?}", rows[0]);
    let text = refutation.to_string();
    assert!(text.lines().count() < 60 && text.contains("rows left out"), "{text}");
}

#[test]
fn origins_of_poison_are_data() {
    let wrong =
        pair("i32 noundef %x", "%r = add i32 %x, 1\nret i32 %r\n", "%r = add nsw i32 %x, 1\nret i32 %r\n");
    let refutation = refuted(&wrong);
    assert_eq!(arguments(&refutation), ["2147483647"]);
    let origin = &refutation.target.why["origins"][0];
    assert_eq!((&origin["bad"], &origin["cause"]), (&"poison".into(), &"nsw".into()), "{origin}");
    assert_eq!(origin["links"][0]["text"], "%r = add nsw i32 %x, 1");
    let divides = pair("i32 noundef %x", "ret i32 1\n", "%r = udiv i32 %x, %x\nret i32 %r\n");
    let refutation = refuted(&divides);
    let ub = &refutation.target.why["ub"];
    assert_eq!(
        (&ub["id"], &ub["at"]["instruction"]),
        (&"division-by-zero".into(), &"%r = udiv i32 %x, %x".into())
    );
    assert_eq!(ub["at"]["block"], "%0");
}

#[test]
fn a_source_that_is_undefined_there_is_said_first() {
    let text = "declare void @see(i32)\ndeclare void @trap(i32)\n\
        define void @src(i32 noundef %x) {\n  call void @see(i32 %x)\n  %r = udiv i32 1, 0\n  ret void\n}\n\
        define void @tgt(i32 noundef %x) {\n  call void @see(i32 7)\n  unreachable\n}\n";
    let refutation = refuted(text);
    let undefined = refutation.source.undefined.as_ref().expect("it is");
    assert_eq!((&*undefined.id, &*undefined.instruction), ("division-by-zero", "%r = udiv i32 1, 0"));
    assert_eq!(undefined.at.as_ref().map(|at| &*at.block), Some("%0"));
    let told = refutation.to_string();
    let second = told.lines().nth(1).expect("a second line");
    assert!(
        second.starts_with("the source is not defined on this input: undefined behaviour [division-by-zero]"),
        "{told}"
    );
}

#[test]
fn a_refutation_is_had_again_from_its_file() {
    let before = LOOP.replace("LIMIT", "5");
    let (whole, mut items) = (module(&before), Vec::new());
    let body = |name: &str| match &whole.code[whole.env.func_named(name).expect(name)] {
        Code::Body(body) => Arc::new(body.as_ref().clone()),
        _ => panic!("@{name} has no body"),
    };
    items.push(Change {
        file: "in.ll".into(),
        module: Arc::new(whole.clone()),
        func: whole.env.func_named("src").expect("@src"),
        pass: "wrong".to_owned(),
        step: 0,
        before: body("src"),
        after: body("tgt"),
        remarks: Vec::new(),
    });
    let options = Options { runs: 100, ..Options::default() };
    let record = judge_change(&items[0], &Judge::new(options.clone()));
    let Some(Ok(made)) = &record.reproducer else { panic!("{:?}", record.reproducer) };
    assert_eq!(
        made.file_name(),
        judge_change(&items[0], &Judge::new(options.clone())).reproducer.unwrap().unwrap().file_name()
    );
    let text = made.text("x.ll");
    assert!(
        text.contains("backedge tv x.ll --runs 100\n") && text.contains("backedge replay x.ll\n"),
        "{text}"
    );
    let Finding::Validation { verdict: Verdict::Refuted(refutation), .. } = &record.finding else {
        panic!("{record:?}")
    };
    let again = judge(&text, &options);
    let Verdict::Refuted(found) = &again.verdict else { panic!("{}", again.verdict) };
    assert_eq!(found.failure, refutation.failure);
    let case = Case::in_text(&text).expect("it is read").expect("it is there");
    let module = module(&text);
    let run = |case: &Case| case.replay(side(&module, "src"), side(&module, "tgt"), &Options::default());
    assert!(matches!(run(&case), Ok(Replayed::Refuted(_))));
    // Another input is inconclusive, and one that does not fit is an error.
    let other = Case { input: "5".to_owned(), ..case.clone() };
    let Ok(Replayed::NotRefuted(why)) = run(&other) else { panic!("{:?}", run(&other)) };
    assert!(why.contains("source: returns i32 10") && why.contains("allows"), "{why}");
    assert!(run(&Case { input: "5, 6".to_owned(), ..case }).is_err());
}

/// Copies up to `%n` bytes; the target omits the one at ODD.
const COPY: &str = "
define void @src(ptr noalias %p, ptr noalias %q, i64 noundef %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %next ]
  %a = getelementptr i8, ptr %p, i64 %i
  %b = getelementptr i8, ptr %q, i64 %i
  %v = load i8, ptr %a
  br label %store
store:
  store i8 %v, ptr %b
  br label %next
next:
  %i.next = add nuw i64 %i, 1
  %c = icmp ult i64 %i.next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
define void @tgt(ptr noalias %p, ptr noalias %q, i64 noundef %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %next ]
  %a = getelementptr i8, ptr %p, i64 %i
  %b = getelementptr i8, ptr %q, i64 %i
  %v = load i8, ptr %a
  %odd = icmp eq i64 %i, ODD
  br i1 %odd, label %next, label %store
store:
  store i8 %v, ptr %b
  br label %next
next:
  %i.next = add nuw i64 %i, 1
  %c = icmp ult i64 %i.next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
";

/// Only the solver's bounded check.
fn bounded() -> Options {
    Options { runs: 0, induction: false, identity: false, bound: 2, ..Options::default() }
}

#[test]
fn the_bound_is_raised_while_the_budget_lasts() {
    let right = COPY.replace("ODD", "-1");
    let bound = |options: &Options| match judge(&right, options).verdict {
        Verdict::RefinesUpTo { bound, .. } => bound,
        other => panic!("{other}"),
    };
    assert_eq!(bound(&bounded()), 2);
    let raised = Options { max_bound: 8, ..bounded() };
    assert_eq!(bound(&raised), 8);
    let little = Options { rlimit: bounded().rlimit / 40, max_bound: 1024, ..bounded() };
    let reached = bound(&little);
    assert!((2..64).contains(&reached), "{reached}");
    assert_eq!(bound(&little), reached);
    // The error in the sixth iteration is found while the bound is raised.
    let wrong = COPY.replace("ODD", "5");
    assert!(matches!(judge(&wrong, &bounded()).verdict, Verdict::RefinesUpTo { bound: 2, .. }));
    let Verdict::Refuted(refutation) = judge(&wrong, &raised).verdict else { panic!("it is not found") };
    assert_eq!(refutation.found_by, FoundBy::Solver);
    // A loop of ten iterations has no run within two.
    let ten = LOOP.replace("noundef %n", "noundef %m").replace("%n", "10").replace("LIMIT", "10");
    let past = |options: &Options| judge(&ten, options).verdict;
    assert!(matches!(past(&bounded()), Verdict::Inconclusive { reason: Reason::PastBound { bound: 2, .. } }));
    assert!(matches!(past(&Options { max_bound: 16, ..bounded() }), Verdict::RefinesAll { .. }));
}

#[test]
fn what_no_run_within_the_bound_reaches_is_named_on_both_sides() {
    let Verdict::RefinesUpTo { bound: 2, unreached, .. } =
        judge(&COPY.replace("ODD", "5"), &bounded()).verdict
    else {
        panic!("it is bounded")
    };
    assert_eq!(unreached.source, [] as [&str; 0]);
    assert_eq!(unreached.target, ["%loop -> %next"]);
    let leaves = "
define i32 @src(i32 noundef %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %next ]
  %far = icmp eq i32 %i, 9
  br i1 %far, label %exit, label %next
next:
  %i.next = add i32 %i, 1
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %loop, label %exit
exit:
  %r = phi i32 [ 1, %loop ], [ 2, %next ]
  ret i32 %r
}
";
    let verdict = judge(&(leaves.to_owned() + &leaves.replace("@src", "@tgt")), &bounded()).verdict;
    let Verdict::RefinesUpTo { unreached, .. } = &verdict else { panic!("{verdict}") };
    assert_eq!(unreached.source, ["%loop -> %exit (exit, phi edge)"]);
    assert_eq!(unreached.target, unreached.source);
    assert!(
        verdict.to_string().contains(
            "refines up to 2 iterations (bounded check; not shown to be reached in source: %loop -> %exit (exit, phi edge);"
        ),
        "{verdict}"
    );
}

/// The sum of 0 to n - 1, in closed form by a product that wraps around: wrong from 2^32 + 1 on.
const LATE: &str = "
define i64 @src(i64 noundef %n) {
entry:
  br label %header
header:
  %i = phi i64 [ 0, %entry ], [ %i.next, %body ]
  %s = phi i64 [ 0, %entry ], [ %s.next, %body ]
  %c = icmp ult i64 %i, %n
  br i1 %c, label %body, label %exit
body:
  %s.next = add i64 %s, %i
  %i.next = add nuw i64 %i, 1
  br label %header
exit:
  ret i64 %s
}
define i64 @tgt(i64 noundef %n) {
  %m = sub i64 %n, 1
  %p = mul i64 %n, %m
  %h = lshr i64 %p, 1
  ret i64 %h
}
";

#[test]
fn a_suspicion_comes_true_in_longer_runs_than_others_are_given() {
    // 100 is added 21474836 times before the sum exceeds 2^31 - 1.
    let source = LATE[..LATE.find("define i64 @tgt").expect("there")].replace("i64", "i32");
    let source = source.replace("add i32 %s, %i", "add i32 %s, 100");
    let target = source.replace("@src", "@tgt").replace("add i32 %s, 100", "add nsw i32 %s, 100");
    let options = Options { solver: false, runs: 50, fuel: 600, ..Options::default() };
    let Verdict::Refuted(refutation) = judge(&(source.clone() + &target), &options).verdict else {
        panic!("it is not refuted")
    };
    assert_eq!((refutation.found_by, arguments(&refutation)[0]), (FoundBy::LongRuns, "21474838"));
    // Without narrow copies there is no suspicion, and there are no longer runs.
    let verdict = judge(&(source + &target), &Options { runs: 0, ..options }).verdict;
    assert!(matches!(verdict, Verdict::Inconclusive { reason: Reason::RunsAlone { .. } }), "{verdict}");
}

#[test]
fn what_fails_at_a_smaller_width_alone_is_a_suspicion() {
    let options = Options { solver: false, runs: 50, fuel: 200, ..Options::default() };
    let verdict = judge(LATE, &options).verdict;
    let Verdict::Inconclusive { reason: Reason::Suspect { suspicion, bound: None } } = verdict else {
        panic!("{verdict}")
    };
    assert_eq!((suspicion.width, &*suspicion.input), (4, "5"));
    assert!(suspicion.to_string().starts_with("suspect at i4: value mismatch on 5"), "{suspicion}");
    // At 32 bits, 65537 iterations show it; 5 is scaled to that value.
    let narrow = LATE.replace("i64", "i32");
    let options = Options { fuel: 1_000, ..options };
    let Verdict::Refuted(refutation) = judge(&narrow, &options).verdict else { panic!("it is not refuted") };
    assert_eq!((refutation.found_by, arguments(&refutation)[0]), (FoundBy::Narrowed, "65537"));
    // A correct pair whose constants do not fit is not suspect, whatever its copies do. The identity check is disabled.
    let options = Options { identity: false, induction: false, ..options };
    let right = narrow.replace("define i32 @tgt", "define i32 @other");
    let again = narrow[..narrow.find("define i32 @tgt").expect("there")].replace("@src", "@tgt");
    let report = judge(&(right + &again), &options);
    let reason = report.verdict.reason().expect("runs alone do not decide");
    assert!(matches!(reason, Reason::RunsAlone { .. }), "{reason}");
}

/// The source's module of a pair in two modules.
const IN_TWO_MODULES: &str = "\
@g = global i32 3
%pair = type { i32, i32 }
declare i32 @callee(i32) #0
define i32 @f(i32 %x) #1 {
entry:
  %r = call i32 @callee(i32 %x)
  %g = load i32, ptr @g
  %s = add i32 %r, %g
  ret i32 %s, !annotation !0
}
attributes #0 = { nounwind willreturn }
attributes #1 = { nounwind }
!0 = !{!\"kept\"}
";

#[test]
fn two_modules_become_one_that_fails_again() {
    let wrong =
        IN_TWO_MODULES.replace("add i32 %r, %g", "sub i32 %r, %g").replace("#1", "#7").replace("!0", "!9");
    let modules = [IN_TWO_MODULES, &wrong].map(module);
    let [source, target] = modules.each_ref().map(|module| side(module, "f"));
    let options = Options { fuel: 5_000, ..Options::default() };
    let report = check(source, target, &options);
    let Verdict::Refuted(refutation) = report.verdict else { panic!("{}", report.verdict) };
    let reproducer = Reproducer::new(source, target, &refutation, &options).expect("it is made");
    assert_eq!(reproducer, Reproducer::new(source, target, &refutation, &options).expect("again"));
    let text = reproducer.text("a b.ll");
    assert!(text.contains("; search for it: backedge tv 'a b.ll' --fuel 5000\n"), "{text}");
    assert!(text.contains("define i32 @src(") && text.contains("define i32 @tgt("), "{text}");
    assert_eq!(text.matches("declare i32 @callee").count(), 1, "{text}");
    assert_eq!(Case::in_text(&text).expect("it is read").as_ref(), Some(&refutation.case));
    assert!(reproducer.file_name().starts_with("f-") && reproducer.file_name().ends_with(".ll"));
}

#[test]
fn a_proof_for_all_iterations_is_not_searched_for_again() {
    let module = module(include_str!("../../../../corpus/pairs/right/strength-reduction.ll"));
    let (source, target) = (side(&module, "src"), side(&module, "tgt"));
    let report = check_caught(source, target, &Options::default());
    let certificate = report.certificate.as_deref().expect("a proof by induction");
    // With this budget no proof is found.
    let nothing = Options { rlimit: 0, ..Options::default() };
    assert!(CertificateFile::new(source, target, None, &nothing).is_err());
    let file = CertificateFile::new(source, target, Some(certificate), &nothing).expect("it is there");
    file.speaks_of(&module, &module).expect("it is about the pair");
    let again = file.recheck(&Options::default()).expect("it is a proof");
    assert_eq!(again.verdict, report.verdict);
    // A bounded verdict has no certificate.
    let bounded = check_caught(source, target, &Options { induction: false, ..Options::default() });
    assert_eq!((bounded.certificate, bounded.unproved), (None, None));
}
