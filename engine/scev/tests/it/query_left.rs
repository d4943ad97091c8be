//! Exit values of non-addrec values: closed forms, and constants found by execution. All claims are checked against
//! executions by an interpreter that is independent of the analysis.

use crate::common::bodies;
use crate::common::bodies::{Text, block, value};
use backedge_claim::claim::{ClaimKind, Claims};
use backedge_interp::claims::{Checker, Options, Report, Subject, check};
use backedge_interp::{Config, Program};
use backedge_scev::expr::ExprPrinter;
use backedge_testkit::{Dice, number};
use rand::RngExt;
use rand::seq::IndexedRandom;
use std::fmt::Write as _;

/// A loop that exits when `%i`, from 0, equals `last`; its body consists of the phis `phis` and then `body`.
fn counted(args: &str, phis: &str, body: &str, last: &str) -> String {
    format!(
        "define i32 @f({args}) {{
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
{phis}
{body}
  %i.next = add i32 %i, 1
  %done = icmp eq i32 %i, {last}
  br i1 %done, label %out, label %loop
out:
  ret i32 %x
}}"
    )
}

/// The exit value of `%name` for the loop at `%loop`, as text.
fn left_of(text: &str, name: &str) -> String {
    Text::new(text).with(|se| {
        let (value, header) = (value(se, name), block(se, "loop"));
        let l = se.loops().with_header(header).expect("a loop");
        let left = se.exit_value(value, l);
        if se.is_could_not_compute(left) { "?".to_owned() } else { ExprPrinter::new(se).text(se, left) }
    })
}

/// Checks the claims by executions. Returns the number of exit values tested.
fn tested(source: &str) -> usize {
    let text = Text::new(source);
    let claims: Claims = text.with(|se| se.claims(text.func));
    let program = Program::new(&text.module, &Config::default());
    let options = Options { runs: 60, exhaustive: 1 << 8, fuel: 20_000, ..Options::default() };
    let report: Report = check(&program, &claims, &options).expect("a function that is modelled");
    assert_eq!(report.violations, [], "{source}");
    let is_known = |subject: &Subject| {
        let Subject::Claim(claim) = subject else { return false };
        let ClaimKind::ExitValue { expr, .. } = claims.claims[*claim].kind else { return false };
        !claims.exprs.is_could_not_compute(expr)
    };
    let checker = Checker::new(&program, &claims).expect("a function that is modelled");
    let known = checker.subjects().iter().zip(&report.tested).filter(|(s, n)| is_known(s) && **n > 0);
    known.count()
}

/// Checks the exit value, after `last` steps, of a recurrence that starts from a constant or from `%a`; `?` if unknown.
#[track_caller]
fn leaves(start: &str, next: &str, last: &str, expected: &str) {
    let args = "i32 %a, i32 %k, i32 %n";
    let phi = format!("  %x = phi i32 [ {start}, %entry ], [ %y, %loop ]");
    let source = counted(args, &phi, &format!("  %y = {next}"), last);
    assert_eq!(left_of(&source, "x"), expected, "{source}");
    tested(&source);
}

#[test]
fn constants_are_run() {
    leaves("1", "mul i32 %x, 3", "11", "177147");
    leaves("2", "xor i32 %x, %i", "9", "10");
    leaves("-55555", "ashr i32 %x, 2", "6", "-14");
    leaves("1", "urem i32 100003, %x", "3", "?");
    leaves("3", "urem i32 1000, %x", "1", "1");
    // Not beyond the limit; closed forms are still known.
    leaves("2", "xor i32 %x, %i", "100", "2");
    leaves("2", "xor i32 %x, %i", "101", "?");
    leaves("1", "mul i32 %x, 3", "1000000", "-431905535");
}

#[test]
fn squares_are_run() {
    let body = "  %m = mul i32 %x, %x\n  %y = add i32 %m, 1\n  %z = xor i32 %y, %i";
    let source = counted("", "  %x = phi i32 [ 2, %entry ], [ %y, %loop ]", body, "4");
    assert_eq!(["x", "y", "z"].map(|v| left_of(&source, v)), ["458330", "-387008603", "-387008607"]);
    assert_eq!(tested(&source), 7, "{source}");
}

#[test]
fn alternating_recurrences() {
    leaves("%a", "sub i32 %k, %x", "9", "((-1 * %a) + %k)");
    leaves("%a", "sub i32 %k, %x", "1000", "%a");
    leaves("%a", "xor i32 %x, -1", "3", "(-1 + (-1 * %a))");
    leaves("%a", "xor i32 %x, -2147483648", "3", "(-2147483648 + %a)");
    leaves("0", "xor i32 %x, %k", "5", "%k");
    leaves("%a", "xor i32 %x, %k", "5", "?");
    let odd = "((zext i1 (trunc i32 %n to i1) to i32)";
    leaves("%a", "sub i32 %k, %x", "%n", &format!("({odd} * ((-2 * %a) + %k))<nuw><nsw> + %a)"));
}

#[test]
fn settling_recurrences() {
    leaves("%a", "and i32 %x, 255", "0", "%a");
    leaves("%a", "and i32 %x, 255", "9", "(zext i8 (trunc i32 %a to i8) to i32)");
    leaves("%a", "or i32 %x, -256", "9", "(-256 + (zext i8 (trunc i32 %a to i8) to i32))<nuw><nsw>");
    leaves("%a", "call i32 @llvm.umin.i32(i32 %x, i32 %k)", "2", "(%a umin %k)");
    // The first iteration has another value.
    leaves("%a", "and i32 %x, 255", "%n", "?");
    leaves("%a", "and i32 %x, %k", "9", "?");
    let known = counted(
        "i32 %a, i32 %n",
        "  %x = phi i32 [ %a, %entry ], [ %y, %loop ]",
        "  %y = or i32 %x, -256",
        "%n",
    );
    assert_eq!(left_of(&known, "y"), "(-256 + (zext i8 (trunc i32 %a to i8) to i32))<nuw><nsw>");
}

#[test]
fn powers_and_shifts() {
    leaves("%a", "mul i32 %x, 3", "9", "(19683 * %a)");
    leaves("%a", "lshr i32 %x, 3", "4", "(%a /u 4096)");
    leaves("%a", "shl i32 %x, 8", "4", "0");
    leaves("%a", "udiv i32 %x, 10", "3", "(%a /u 1000)");
    leaves("%a", "mul i32 %x, 3", "%n", "?");
}

/// A loop inside another loop, started from the outer counter.
#[test]
fn seen_from_further_outside() {
    let source = "define i32 @f(i32 %k) {
entry:
  br label %outer
outer:
  %j = phi i32 [ 0, %entry ], [ %j.next, %latch ]
  br label %loop
loop:
  %x = phi i32 [ %j, %outer ], [ %y, %loop ]
  %i = phi i32 [ 0, %outer ], [ %i.next, %loop ]
  %y = sub i32 %k, %x
  %i.next = add i32 %i, 1
  %c = icmp eq i32 %i, 7
  br i1 %c, label %latch, label %loop
latch:
  %j.next = add i32 %j, 1
  %d = icmp eq i32 %j, 20
  br i1 %d, label %out, label %outer
out:
  ret i32 %x
}";
    assert_eq!(left_of(source, "x"), "{%k,+,-1}<%outer>");
    let outside = Text::new(source).with(|se| {
        let expr = bodies::expr(se, "x");
        let left = se.at_scope(expr, None);
        ExprPrinter::new(se).text(se, left)
    });
    assert_eq!(outside, "(-20 + %k)");
    tested(source);
}

/// A loop of header phis that step by random operations on one another, constants and arguments.
fn random(seed: u64) -> String {
    let mut rng = Dice::new(seed);
    let phis = rng.random_range(1..=4);
    let ops = [
        "xor", "and", "or", "mul", "add", "sub", "shl", "lshr", "ashr", "udiv", "urem", "mul nsw", "shl nuw",
    ];
    let names: Vec<String> =
        (0..phis).map(|i| if i == 0 { "%x".to_owned() } else { format!("%x{i}") }).collect();
    let (mut head, mut body) = (String::new(), String::new());
    for (i, name) in names.iter().enumerate() {
        let start = match rng.random_range(0..4) {
            0 => "%a".to_owned(),
            _ => rng.random_range(-9..200).to_string(),
        };
        _ = writeln!(head, "  {name} = phi i32 [ {start}, %entry ], [ %y{i}, %loop ]");
        let op = ops.choose(&mut rng).expect("an operation");
        let other = match rng.random_range(0..6) {
            0 => "%k".to_owned(),
            1 => names.choose(&mut rng).expect("a phi").clone(),
            2 => "%i".to_owned(),
            _ => rng.random_range(1..12).to_string(),
        };
        let (l, r) = if rng.random_bool(0.7) { (name, &other) } else { (&other, name) };
        _ = writeln!(body, "  %y{i} = {op} i32 {l}, {r}");
        _ = writeln!(body, "  %z{i} = xor i32 %y{i}, {name}");
    }
    let last = if rng.random_bool(0.2) { "%n".to_owned() } else { rng.random_range(0..40).to_string() };
    counted("i32 %a, i32 %k, i32 %n", &head, &body, &last)
}

#[test]
fn random_recurrences() {
    let (first, count) = (number("BACKEDGE_SEED", 0), number("BACKEDGE_CASES", 300));
    let known: usize = (first..first + count).map(|seed| tested(&random(seed))).sum();
    assert!(known as u64 > 5 * count, "{known} exit values of {count} functions");
}

#[test]
fn a_zero_step_does_not_exit_a_recurrence_of_another_loop() {
    // `%q` is 0 on exit, so `%x` does not change in its loop: it equals `%p` on exit from the first loop, which
    // iterates forever or exits immediately. The count of `%loop` is irrelevant.
    let source = "define i3 @f(i1 %a) {
entry:
  br label %first
first:
  %p = phi i3 [ 0, %entry ], [ %p.next, %again ]
  br i1 %a, label %second.ph, label %again
again:
  %p.next = add i3 %p, 1
  br label %first
second.ph:
  br label %second
second:
  %q = phi i3 [ 1, %second ], [ 0, %second.ph ]
  br i1 false, label %second, label %loop.ph
loop.ph:
  br label %loop
loop:
  %i = phi i3 [ %i.next, %loop ], [ 0, %loop.ph ]
  %x = phi i3 [ %x.next, %loop ], [ %p, %loop.ph ]
  %i.next = add i3 %i, 1
  %x.next = sub i3 %x, %q
  %more = icmp ult i3 %i, -1
  br i1 %more, label %loop, label %out
out:
  ret i3 %x
}";
    assert_ne!(left_of(source, "x"), "-1");
    assert!(tested(source) > 0);
}
