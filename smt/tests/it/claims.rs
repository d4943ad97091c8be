//! Claims of each kind, true and false, at two widths. False claims are refuted by inputs that violate them when the
//! function is computed by hand; true claims are proved or hold within the bound.

use backedge_smt::claims::{
    ClaimOptions, ClaimReport, ClaimVerdict, Form, Method, Verdict, check_claims, subjects,
};
use backedge_smt::refinement::ConcreteValue;
use backedge_testkit::claims::{TWO_COUNTS, at_width, claims};
use backedge_testkit::module;
use std::time::Duration;

/// The units decide, not the clock.
fn options(induction: bool) -> ClaimOptions {
    ClaimOptions { induction, time: Duration::from_secs(3600), ..ClaimOptions::default() }
}

fn check(source: &str, text: &str, options: &ClaimOptions) -> ClaimReport {
    let module = module(source);
    let claims = claims(&module, text);
    check_claims(&module, &claims, &subjects(&claims), options)
}

/// The verdict on the first claim of `text`, about function `@f`.
fn first(source: &str, text: &str, options: &ClaimOptions) -> ClaimVerdict {
    check(source, text, options).verdicts.remove(0)
}

fn integers(verdict: &Verdict) -> Vec<i128> {
    let Verdict::Refuted { witness, .. } = verdict else { panic!("not refuted: {verdict:?}") };
    let integer = |value: &ConcreteValue| match value {
        ConcreteValue::Bits { width, bits, .. } => ((bits << (128 - width)) as i128) >> (128 - width),
        // Poison arguments are excused wherever they are used, so any number will do.
        ConcreteValue::Poison => 0,
        other => panic!("{other:?}"),
    };
    witness.args.iter().map(integer).collect()
}

/// The integers of a given width.
#[derive(Clone, Copy)]
struct Width(u32);

impl Width {
    fn text(self, text: &str) -> String {
        at_width(text, self.0)
    }
    fn unsigned(self, x: i128) -> i128 {
        x & ((1 << self.0) - 1)
    }
    fn fits_unsigned(self, x: i128) -> bool {
        (0..1 << self.0).contains(&x)
    }
    fn fits_signed(self, x: i128) -> bool {
        (-(1 << (self.0 - 1))..1 << (self.0 - 1)).contains(&x)
    }
}

const WIDTHS: [Width; 2] = [Width(8), Width(32)];

/// A false claim, refuted by arguments that violate it according to `broken`.
fn refuted(source: &str, text: &str, broken: impl Fn(Width, &[i128]) -> bool) {
    for width in WIDTHS {
        let found = first(&width.text(source), &width.text(text), &options(false)).verdict;
        let args = integers(&found);
        assert!(broken(width, &args), "{text}: {args:?} at i{}: {found:?}", width.0);
    }
}

/// A true claim, proved by checking all runs within the bound.
fn proved(source: &str, text: &str, method: Method) {
    for width in WIDTHS {
        let found = first(&width.text(source), &width.text(text), &options(false)).verdict;
        assert!(matches!(found, Verdict::Proved(m) if m == method), "{text} at i{}: {found:?}", width.0);
    }
}

/// A claim that no run within the bound violates.
fn bounded(source: &str, text: &str) {
    for width in WIDTHS {
        let found = first(&width.text(source), &width.text(text), &options(false)).verdict;
        assert!(matches!(found, Verdict::Bounded { bound: 4, .. }), "{text} at i{}: {found:?}", width.0);
    }
}

const STRAIGHT: &str = "
define iW @f(iW %a, iW %b, iW %c) {
entry:
  %s = add iW %a, %b
  %over = icmp ult iW %s, %a
  %zero = icmp eq iW %c, 0
  br i1 %over, label %wraps, label %fits
wraps:
  ret iW 0
fits:
  br i1 %zero, label %none, label %some
none:
  ret iW 1
some:
  %d = sub iW %a, %b
  ret iW %d
}
";

#[test]
fn flags_of_sums_and_products() {
    let say = |line: &str| format!("Scoped facts for: @f\n  flag {line}\n");
    refuted(STRAIGHT, &say("nuw of iW (%a + %b) everywhere"), |w, x| {
        !w.fits_unsigned(w.unsigned(x[0]) + w.unsigned(x[1]))
    });
    proved(STRAIGHT, &say("nuw of iW (%a + %b) from block %fits"), Method::Unrolled);
    refuted(STRAIGHT, &say("nuw of iW (%a + %b) from block %wraps"), |_, _| true);
    refuted(STRAIGHT, &say("nsw of iW (%a + %b) from block %fits"), |w, x| !w.fits_signed(x[0] + x[1]));
    refuted(STRAIGHT, &say("nsw of iW (%a * %b) everywhere"), |w, x| !w.fits_signed(x[0] * x[1]));
    refuted(STRAIGHT, &say("nuw of iW (%a * %b) everywhere"), |w, x| {
        !w.fits_unsigned(w.unsigned(x[0]) * w.unsigned(x[1]))
    });
    refuted(STRAIGHT, &say("nsw of iW (%a + %b + %c) everywhere"), |w, x| {
        let (above, below): (Vec<i128>, Vec<i128>) = x.iter().partition(|x| **x > 0);
        !w.fits_signed(above.iter().sum()) || !w.fits_signed(below.iter().sum())
    });
}

#[test]
fn a_product_that_is_zero_as_a_whole_fails_in_its_parts() {
    for flag in ["nuw", "nsw"] {
        let text = format!("Scoped facts for: @f\n  flag {flag} of iW (%a * %b * %c) from block %none\n");
        for width in WIDTHS {
            let found = first(&width.text(STRAIGHT), &width.text(&text), &options(false)).verdict;
            let args = integers(&found);
            assert!(matches!(found, Verdict::Refuted { form: Some(Form::Strong), .. }), "{found:?}");
            assert_eq!(args[2], 0);
            let fits = if flag == "nuw" {
                width.fits_unsigned(width.unsigned(args[0]) * width.unsigned(args[1]))
            } else {
                width.fits_signed(args[0] * args[1])
            };
            assert!(!fits, "{args:?}");
        }
    }
}

#[test]
fn values_and_ranges_of_straight_code() {
    let value = |expr: &str| format!("Scoped facts for: @f\n  value %d = iW {expr}\n");
    proved(STRAIGHT, &value("(%a + (-1 * %b))"), Method::Unrolled);
    refuted(STRAIGHT, &value("(%b + (-1 * %a))"), |w, x| w.unsigned(x[0] - x[1]) != w.unsigned(x[1] - x[0]));
    refuted(STRAIGHT, &value("(%a umax %b)"), |w, x| {
        w.unsigned(x[0] - x[1]) != w.unsigned(x[0]).max(w.unsigned(x[1]))
    });
    let range = |range: &str| format!("Scoped facts for: @f\n  range of iW %c from block %some {range}\n");
    proved(STRAIGHT, &range("U: [1,0)"), Method::Unrolled);
    refuted(STRAIGHT, &range("S: [0,5)"), |_, x| !(0..5).contains(&x[2]));
}

/// Counts from %s by %d up to %n; %x follows other recurrences.
const LOOP: &str = "
declare void @may_stop()
define iW @f(iW %s, iW %d, iW %n) {
entry:
  br label %loop
loop:
  %iv = phi iW [ %s, %entry ], [ %iv.next, %latch ]
  %x = phi iW [ %d, %entry ], [ %x.next, %latch ]
  %k = phi iW [ 0, %entry ], [ %k.next, %latch ]
  %iv.next = add iW %iv, %d
  %x.next = xor iW %x, %s
  %k.next = add iW %k, 1
  call void @may_stop()
  %c = icmp eq iW %k, %n
  br i1 %c, label %exit, label %latch
latch:
  br label %loop
exit:
  %out = add iW %iv, 1
  ret iW %out
}
";

#[test]
fn values_in_loops() {
    let value = |line: &str| format!("Scoped facts for: @f\n  value {line}\n");
    bounded(LOOP, &value("%iv = iW {%s,+,%d}<%loop>"));
    bounded(LOOP, &value("%iv.next = iW {(%s + %d),+,%d}<%loop>"));
    bounded(LOOP, &value("%out = iW {(1 + %s),+,%d}<%loop>"));
    refuted(LOOP, &value("%iv = iW {%s,+,1}<%loop>"), |w, x| w.unsigned(x[1]) != 1 && w.unsigned(x[2]) != 0);
    refuted(LOOP, &value("%out = iW {(2 + %s),+,%d}<%loop>"), |_, _| true);
}

#[test]
fn flags_of_recurrences_at_the_arrivals_that_happen() {
    let flag =
        |flag: &str, expr: &str| format!("Scoped facts for: @f\n  flag {flag} of iW {expr} everywhere\n");
    // The arrivals that occur within the bound.
    let values = |w: Width, x: &[i128]| (0..=w.unsigned(x[2]).min(4)).collect::<Vec<i128>>();
    refuted(LOOP, &flag("nuw", "{%s,+,%d}<%loop>"), |w, x| {
        values(w, x).iter().any(|i| !w.fits_unsigned(w.unsigned(x[0]) + i * w.unsigned(x[1])))
    });
    refuted(LOOP, &flag("nsw", "{%s,+,%d}<%loop>"), |w, x| {
        values(w, x).iter().any(|i| !w.fits_signed(x[0] + i * x[1]))
    });
    refuted(LOOP, &flag("nw", "{%s,+,%d}<%loop>"), |w, x| {
        values(w, x).iter().any(|i| !w.fits_unsigned((i * x[1]).abs()))
    });
    bounded(LOOP, &flag("nuw", "{0,+,1}<%loop>"));
    bounded(LOOP, &flag("nsw", "{0,+,1}<%loop>"));
}

#[test]
fn the_increment_after_the_last_arrival_may_wrap() {
    // `{-1,+,1}` in a loop of ten iterations: the values after the increment do not wrap, although the increment itself
    // does.
    let source = "
define iW @f() {
entry:
  br label %loop
loop:
  %iv = phi iW [ -1, %entry ], [ %iv.next, %loop ]
  %iv.next = add iW %iv, 1
  %c = icmp eq iW %iv.next, 3
  br i1 %c, label %exit, label %loop
exit:
  ret iW %iv
}
";
    let flag =
        |flag: &str, expr: &str| format!("Scoped facts for: @f\n  flag {flag} of iW {expr} everywhere\n");
    proved(source, &flag("nuw", "{0,+,1}<%loop>"), Method::Unrolled);
    proved(source, &flag("nsw", "{-1,+,1}<%loop>"), Method::Unrolled);
    refuted(source, &flag("nuw", "{-1,+,1}<%loop>"), |_, _| true);
}

#[test]
fn counts() {
    let loops = |line: &str| format!("Determining loop execution counts for: @f\nLoop %loop: {line}\n");
    bounded(LOOP, &loops("backedge-taken count is iW %n"));
    refuted(LOOP, &loops("backedge-taken count is iW (1 + %n)"), |_, _| true);
    bounded(LOOP, &loops("constant max backedge-taken count is iW 5"));
    refuted(LOOP, &loops("constant max backedge-taken count is iW 2"), |w, x| w.unsigned(x[2]) > 2);
    bounded(LOOP, &loops("symbolic max backedge-taken count is iW (1 umax %n)"));
    refuted(LOOP, &loops("symbolic max backedge-taken count is iW (2 umin %n)"), |w, x| w.unsigned(x[2]) > 2);
    refuted(LOOP, &loops("Trip multiple is 2"), |w, x| w.unsigned(x[2]) % 2 == 0);
    refuted(
        LOOP,
        &loops("constant max backedge-taken count is iW 4, actual taken count either this or zero."),
        |w, x| !matches!(w.unsigned(x[2]), 0 | 4),
    );
}

#[test]
fn counts_of_exits() {
    let source = "
define iW @f(iW noundef %n, iW noundef %m) {
entry:
  br label %loop
loop:
  %iv = phi iW [ 0, %entry ], [ %iv.next, %latch ]
  %iv.next = add iW %iv, 1
  %c = icmp eq iW %iv, %n
  br i1 %c, label %out, label %latch
latch:
  %d = icmp eq iW %iv, %m
  br i1 %d, label %out, label %loop
out:
  ret iW %iv
}
";
    let exits = |loop_: &str, latch: &str| {
        format!(
            "Determining loop execution counts for: @f\nLoop %loop: <multiple exits> Unpredictable backedge-taken count.\n  exit count for loop: {loop_}\n  exit count for latch: {latch}\n"
        )
    };
    for width in WIDTHS {
        let found = check(&width.text(source), &width.text(&exits("iW %n", "iW %m")), &options(false));
        let holds =
            found.verdicts.iter().all(|v| matches!(v.verdict, Verdict::Bounded { .. } | Verdict::Proved(_)));
        assert!(holds, "{found:?}");
        let found =
            check(&width.text(source), &width.text(&exits("iW %m", "iW (%n umin %m)")), &options(false));
        let refuted: Vec<Vec<i128>> = found
            .verdicts
            .iter()
            .filter(|v| matches!(v.verdict, Verdict::Refuted { .. }))
            .map(|v| integers(&v.verdict))
            .collect();
        // The second claim is equivalent to `%m`: that exit is reached at n only if n is larger.
        assert_eq!(refuted.len(), 1, "{found:?}");
        assert!(refuted[0][0] != refuted[0][1], "{found:?}");
    }
}

#[test]
fn a_count_that_is_poison_says_that_its_branch_is_not_reached() {
    let exit = |count: &str| {
        format!(
            "Determining loop execution counts for: @f\nLoop %loop: backedge-taken count is ***COULDNOTCOMPUTE***\n  exit count for loop: {count}\n"
        )
    };
    let found =
        check(&Width(8).text(LOOP), &Width(8).text(&exit("iW (%n + (0 * (1 /u %s)))")), &options(false));
    let refuted = found.verdicts.iter().find(|v| matches!(v.verdict, Verdict::Refuted { .. }));
    assert_eq!(integers(&refuted.unwrap_or_else(|| panic!("{found:?}")).verdict)[0], 0);
}

#[test]
fn counts_of_loops_that_are_left_are_no_poison() {
    let exact = |count: &str| {
        backedge_testkit::claims::counts(&format!("Loop %loop: backedge-taken count is iW {count}"))
    };
    let most = |count: &str| exact(count).replace("backedge", "symbolic max backedge");
    bounded(TWO_COUNTS, &exact("(%n umin_seq %m)"));
    bounded(TWO_COUNTS, &most("(%n umin_seq %m)"));
    // Poison in %m does not reach a branch if %n is 0.
    for wrong in ["(%n umin %m)", "(%m umin_seq %n)", "((%n umin_seq %m) + (0 * (%n /u %n)))"] {
        refuted(TWO_COUNTS, &exact(wrong), |_, x| x[0] == 0);
        bounded(TWO_COUNTS, &most(wrong));
    }
    bounded(TWO_COUNTS, &exact("(%n umin_seq (%m + (0 * (%n /u %n))))"));
}

#[test]
fn exit_values_and_dispositions() {
    let line = |exits: &str, disposition: &str| {
        format!(
            "Classifying expressions for: @f\n  %iv = phi iW [ %s, %entry ], [ %iv.next, %latch ]\n  -->  {{%s,+,%d}}<%loop> U: full-set S: full-set\t\tExits: {exits}\t\tLoopDispositions: {{ %loop: {disposition} }}\n"
        )
    };
    for width in WIDTHS {
        let verdicts = |exits: &str, disposition: &str| {
            check(&width.text(LOOP), &width.text(&line(exits, disposition)), &options(false)).verdicts
        };
        let fine = verdicts("(%s + (%n * %d))", "Computable");
        assert!(
            fine.iter().all(|v| !matches!(v.verdict, Verdict::Refuted { .. } | Verdict::Inconclusive(_))),
            "{fine:?}"
        );
        let wrong = verdicts("(%s + %n)", "Invariant");
        let refuted: Vec<Vec<i128>> = wrong
            .iter()
            .filter(|v| matches!(v.verdict, Verdict::Refuted { .. }))
            .map(|v| integers(&v.verdict))
            .collect();
        assert_eq!(refuted.len(), 2, "{wrong:?}");
        assert!(refuted.iter().all(|x| x[1] != 0 && x[2] != 0), "{refuted:?}");
    }
}

#[test]
fn invariant_is_one_value_in_the_last_iteration_too() {
    let source = "
declare { iW, i1 } @llvm.uadd.with.overflow.iW(iW, iW)
define void @f(iW %s) {
entry:
  br label %loop
loop:
  %i = phi iW [ %s, %entry ], [ %v, %loop ]
  %p = call { iW, i1 } @llvm.uadd.with.overflow.iW(iW %i, iW 3)
  %v = extractvalue { iW, i1 } %p, 0
  %o = extractvalue { iW, i1 } %p, 1
  %t = and iW %s, 7
  br i1 %o, label %exit, label %loop
exit:
  ret void
}
";
    let line = |value: &str| {
        format!(
            "Classifying expressions for: @f\n  %{value} = x\n  -->  %{value}\t\tLoopDispositions: {{ %loop: Invariant }}\n"
        )
    };
    let found = |width: Width, value: &str, induction: bool| {
        let report = check(&width.text(source), &width.text(&line(value)), &options(induction));
        report.verdicts.last().expect("the disposition's").verdict.clone()
    };
    for width in WIDTHS {
        // At least two iterations of the loop, and an exit within the bound.
        let s = width.unsigned(integers(&found(width, "o", false))[0]);
        assert!(width.fits_unsigned(s + 3) && !width.fits_unsigned(s + 15), "{s}");
        let kept = found(width, "t", false);
        assert!(matches!(kept, Verdict::Bounded { .. }), "{kept:?}");
        // Nothing is proved about values computed in each iteration.
        let kept = found(width, "t", true);
        assert!(matches!(kept, Verdict::Bounded { .. }), "{kept:?}");
    }
}

#[test]
fn recurrences_that_are_no_addrecs() {
    let line = |kind: &str, step: &str| {
        format!("Scoped facts for: @f\n  recurrence %x = {kind} iW %d, iW {step} in loop %loop\n")
    };
    bounded(LOOP, &line("xor", "%s"));
    // %x is %d again at the second arrival; for an `or`, that holds only if no bits are set.
    refuted(LOOP, &line("or", "%s"), |w, x| w.unsigned(x[0]) != 0);
    refuted(LOOP, &line("subfrom", "%s"), |w, x| {
        let (s, d) = (w.unsigned(x[0]), w.unsigned(x[1]));
        d ^ s != w.unsigned(s - d)
    });
}

#[test]
fn only_runs_that_end_without_undefined_behaviour_count() {
    // The division implies that %b is not zero, wherever it is; an earlier call that may not return invalidates this.
    let source = "
declare void @may_stop()
define iW @f(iW %a, iW %b) {
entry:
  CALL
  %q = udiv iW %a, %b
  ret iW %q
}
";
    let text = "Scoped facts for: @f\n  range of iW %b everywhere U: [1,0)\n";
    proved(&source.replace("CALL", ""), text, Method::Unrolled);
    refuted(&source.replace("CALL", "call void @may_stop()"), text, |_, x| x[1] == 0);
}

#[test]
fn claims_in_front_of_loops_are_proved_though_loops_go_on() {
    let text = "Scoped facts for: @f\n  range of iW ((%s /u 2) + 1) everywhere U: [1,-1)\n";
    for width in WIDTHS {
        let found = first(&width.text(LOOP), &width.text(text), &options(false)).verdict;
        assert!(matches!(found, Verdict::Proved(Method::BeforeLoops)), "{found:?}");
    }
}

#[test]
fn what_is_not_modelled_is_named() {
    let source = "
define i32 @f(i32 %n) {
entry:
  fence seq_cst
  %a = add i32 %n, 1
  ret i32 %a
}
";
    let text = "Scoped facts for: @f\n  value %a = i32 (1 + %n)\n";
    let found = first(source, text, &options(true)).verdict;
    let Verdict::Inconclusive(reason) = found else { panic!("{found:?}") };
    assert!(format!("{reason:?}").contains("the instruction `fence`"), "{reason:?}");
}
