//! Compares the solver's verdicts on claims with all runs: small loops with random claims, true and false, at a width
//! at which the interpreter can run all inputs. Proved claims hold in all runs; refuted claims are violated by one of
//! them.

use backedge_interp::claims::{Options, check as run};
use backedge_interp::{Config, Program};
use backedge_smt::claims::{ClaimOptions, Verdict, check_claims, subjects};
use backedge_testkit::claims::claims;
use backedge_testkit::{Dice, module, number};
use std::time::Duration;

const NUMBERS: [&str; 8] = ["%a", "%b", "%a", "0", "1", "2", "3", "-1"];
const PREDICATES: [&str; 10] = ["eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge"];
const FLAGS: [&str; 5] = ["", "", "nuw", "nsw", "nuw nsw"];

/// A loop, and claims about it.
fn made_up(dice: &mut Dice) -> (String, String) {
    let (start, step) = (dice.pick(&NUMBERS), dice.pick(&NUMBERS));
    let (start2, step2) = (dice.pick(&NUMBERS), dice.pick(&["%a", "%b", "%x", "1", "3"]));
    let op = dice.pick(&["add", "xor", "sub", "mul", "and", "or", "lshr", "shl"]);
    let (bound, bound2) = (dice.pick(&NUMBERS), dice.pick(&NUMBERS));
    let tested = dice.pick(&["%x", "%x.next", "%k", "%k.next", "%y"]);
    let (predicate, guard) = (dice.pick(&PREDICATES), dice.pick(&PREDICATES));
    let trap =
        dice.pick(&["", "", "%t = udiv i4 %a, %x.next", "%t = udiv i4 1, %k.next", "call void @may_stop()"]);
    let (flags, flags2) = (dice.pick(&FLAGS), dice.pick(&FLAGS));
    let second = if dice.one_in(3) {
        format!("%d = icmp {} i4 %k, {bound2}\n  br i1 %d, label %exit, label %loop", dice.pick(&PREDICATES))
    } else {
        "br label %loop".to_owned()
    };
    let source = format!(
        "declare void @may_stop()
define i4 @f(i4 %a, i4 %b) {{
entry:
  %g = icmp {guard} i4 %a, {bound2}
  br i1 %g, label %loop, label %aside
loop:
  %k = phi i4 [ 0, %entry ], [ %k.next, %latch ]
  %x = phi i4 [ {start}, %entry ], [ %x.next, %latch ]
  %y = phi i4 [ {start2}, %entry ], [ %y.next, %latch ]
  %x.next = add {flags} i4 %x, {step}
  %y.next = {op} i4 %y, {step2}
  %k.next = add {flags2} i4 %k, 1
  {trap}
  %c = icmp {predicate} i4 {tested}, {bound}
  br i1 %c, label %exit, label %latch
latch:
  {second}
exit:
  %out = add i4 %x, 1
  ret i4 %out
aside:
  %s = add i4 %a, %b
  ret i4 %s
}}
"
    );
    let recurrences = Recurrences { start, step, start2, step2, op, bounds: [bound, bound2] };
    let text = recurrences.claims(dice);
    (source, text)
}

/// The recurrences `%x` and `%y` of the loop, and the bounds of its exits.
struct Recurrences {
    start: &'static str,
    step: &'static str,
    start2: &'static str,
    step2: &'static str,
    op: &'static str,
    bounds: [&'static str; 2],
}

impl Recurrences {
    /// A random count.
    fn count(&self, dice: &mut Dice) -> String {
        let (start, [bound, bound2]) = (self.start, self.bounds);
        match dice.below(8) {
            0 => bound.to_owned(),
            1 => format!("((-1 * {start}) + {bound})"),
            2 => format!("(-1 + (1 umax {bound}))"),
            3 => format!("({bound} umin {bound2})"),
            4 => format!("((-1 + {bound}) /u 2)"),
            5 => format!("({bound} umin_seq ({bound2} /u %b))"),
            _ => dice.pick(&["0", "1", "2", "3", "5", "-1", "-2", "%a", "%b"]).to_owned(),
        }
    }

    /// Random claims.
    fn claims(&self, dice: &mut Dice) -> String {
        let Self { start, step, start2, step2, op, .. } = *self;
        let x = format!("{{{start},+,{step}}}<%loop>");
        let kind = if op == "sub" { "subfrom" } else { op };
        let mut text = "Classifying expressions for: @f\n".to_owned();
        for value in [dice.pick(&["%x", "%y", "%k"]), dice.pick(&["%x.next", "%y.next", "%c"])] {
            text += &format!("  {value} = x\n  -->  {value}\t\tLoopDispositions: {{ %loop: Invariant }}\n");
        }
        text += "Determining loop execution counts for: @f\n";
        text += &format!("Loop %loop: backedge-taken count is i4 {}\n", self.count(dice));
        text += &format!("  exit count for loop: i4 {}\n", self.count(dice));
        text += &format!("Loop %loop: constant max backedge-taken count is i4 {}\n", dice.between(-8, 7));
        text += &format!("Loop %loop: symbolic max backedge-taken count is i4 {}\n", self.count(dice));
        text += &format!("Loop %loop: Trip multiple is {}\n", dice.range(1, 3));
        text += "Scoped facts for: @f\n";
        text += &format!("  value %x = i4 {x}\n  value %k = i4 {{0,+,1}}<%loop>\n");
        text += &format!("  value %x.next = i4 {{({step} + {start}),+,{step}}}<%loop>\n");
        text += &format!(
            "  value %y = i4 {{{start2},+,{},+,{}}}<%loop>\n",
            dice.pick(&NUMBERS),
            dice.pick(&NUMBERS)
        );
        text += &format!("  value %out = i4 {{(1 + {start}),+,{step}}}<%loop>\n");
        for flag in ["nuw", "nsw", "nw"] {
            text += &format!("  flag {flag} of i4 {x} everywhere\n");
            text += &format!("  flag {flag} of i4 {{0,+,1}}<%loop> everywhere\n");
        }
        for flag in ["nuw", "nsw"] {
            let scope = dice.pick(&["everywhere", "in loop %loop", "from block %latch", "from block %aside"]);
            text += &format!("  flag {flag} of i4 (%a + %b) {scope}\n");
            text += &format!("  flag {flag} of i4 (%a * %b * {step}) {scope}\n");
            text += &format!("  flag {flag} of i4 {{{start2},+,{step},+,1}}<%loop> everywhere\n");
        }
        let (low, size) = (dice.between(-8, 7), dice.between(1, 14));
        let high = (low + size + 8).rem_euclid(16) - 8;
        let name = dice.pick(&["%x", "%y", "%k", "%a", "%x.next"]);
        text += &format!("  range of i4 {name} everywhere S: [{low},{high})\n");
        if !["%x"].contains(&step2) && ["xor", "sub", "mul", "and", "or", "lshr", "shl"].contains(&op) {
            text += &format!("  recurrence %y = {kind} i4 {start2}, i4 {step2} in loop %loop\n");
        }
        text
    }
}

#[test]
fn verdicts_agree_with_all_runs() {
    let cases = number("BACKEDGE_CASES", 60);
    let seed = number("BACKEDGE_SEED", 0);
    let (mut proved, mut refuted, mut open, mut late) = (0, 0, 0, 0);
    for case in 0..cases {
        let mut dice = Dice::new(seed + case);
        let (source, text) = made_up(&mut dice);
        let module = module(&source);
        let claims = &claims(&module, &text);
        let program = Program::new(&module, &Config::default());
        let options = Options { exhaustive: 1 << 12, runs: 600, fuel: 20_000, ..Options::default() };
        let runs = run(&program, claims, &options).expect("a function that can be run");
        let options = ClaimOptions {
            units: 40_000_000,
            bound: 3,
            time: Duration::from_secs(3600),
            ..ClaimOptions::default()
        };
        let report = check_claims(&module, claims, &subjects(claims), &options);
        for verdict in &report.verdicts {
            let violation = runs.violations.iter().find(|v| v.subject == verdict.subject);
            let say = || {
                format!(
                    "{verdict:?}\n{violation:?}\n{source}\n{text}\nclaim {:?}",
                    claims.claims[verdict.subject.claim()]
                )
            };
            match &verdict.verdict {
                Verdict::Proved(_) => {
                    proved += 1;
                    assert!(violation.is_none(), "case {case}: proved, and a run refutes it\n{}", say());
                }
                Verdict::Refuted { hidden, .. } => {
                    refuted += 1;
                    // For calls that may not return, only some behaviors are tried.
                    let agrees = violation.map_or(source.contains("call void"), |v| !v.hidden || *hidden);
                    assert!(agrees, "case {case}: refuted, and no run does it\n{}", say());
                }
                Verdict::Bounded { .. } if violation.is_some() => late += 1,
                Verdict::Bounded { .. } => open += 1,
                Verdict::Inconclusive(reason) => panic!("case {case}: {reason:?}\n{}", say()),
            }
        }
    }
    println!("{proved} proved, {refuted} refuted, {open} open, {late} refuted by long runs alone");
    assert!(proved > 6 * cases && refuted > 2 * cases);
}
