//! The expander's code as text: the instructions for an expression, their positions and flags; and obstacles.

mod flags;
mod poison;
mod positions;

use crate::common::bodies::{Text, block, value};
use crate::common::expanded::{Expansion, expanded, hold_against};
use backedge_ir::entity::Inst;
use backedge_ir::print::function_to_string;
use backedge_scev::expand::{Obstacle, Options, plan};
use backedge_scev::{Expr, ScalarEvolution};

/// The terminator of the block called `name`.
fn end(se: &ScalarEvolution<'_>, name: &str) -> Inst {
    se.body().terminator(block(se, name)).expect("a terminator")
}

/// The instruction called `name`.
fn inst(se: &ScalarEvolution<'_>, name: &str) -> Inst {
    value(se, name).as_inst().expect("an instruction")
}

/// Expands the expression that `ask` returns, checks the result by executions, and compares the new lines, each with
/// the label of its block.
fn check(
    source: &str,
    options: Options,
    ask: impl FnOnce(&mut ScalarEvolution<'_>) -> (Expr, Inst),
    expected: &[&str],
) {
    let text = Text::new(source);
    text.with(|se| {
        se.settle();
        let (expr, at) = ask(se);
        let plan = plan(se, expr, at, options).unwrap_or_else(|o| panic!("{o:?}"));
        let (module, _) = expanded(&text, &plan, at);
        let old = function_to_string(&text.module, text.func);
        let new = function_to_string(&module, text.func);
        let mut label = "";
        let mut lines = Vec::new();
        for line in new.lines() {
            if !line.starts_with(' ') {
                label = line.split(':').next().expect("a first part");
            } else if !old.lines().any(|l| l == line) {
                lines.push(format!("{label}: {}", line.trim()));
            }
        }
        assert_eq!(lines, expected, "{new}");
        let seen =
            hold_against(&text, se, Expansion { expr, at, plan: &plan, frozen: options.freeze }, 200, 30);
        assert!(seen.equal > 20, "{seen:?}\n{new}");
    });
}

/// The obstacle to expanding the expression that `ask` returns.
fn obstacle(
    source: &str,
    options: Options,
    ask: impl FnOnce(&mut ScalarEvolution<'_>) -> (Expr, Inst),
) -> Obstacle {
    Text::new(source).with(|se| {
        se.settle();
        let (expr, at) = ask(se);
        plan(se, expr, at, options).map(|plan| plan.len()).expect_err("an obstacle")
    })
}

/// A loop with a preheader; `%x` is loop-invariant, `%y` varies.
const NEST: &str = "declare i8 @get()
define i8 @f(i8 noundef %a, i8 noundef %b, i8 %p, i8 noundef %n) {
entry:
  br label %pre

pre:
  br label %loop

loop:
  %i = phi i8 [ 0, %pre ], [ %i.next, %loop ]
  %y = call noundef i8 @get()
  %i.next = add nuw i8 %i, 1
  %more = icmp ult i8 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i8 0
}";

fn leaf(se: &mut ScalarEvolution<'_>, name: &str) -> Expr {
    let value = value(se, name);
    se.unknown(value)
}

/// The flags of `%flagged` exceed the known facts; those of `%plain` do not.
const VALUES: &str = "define ptr @f(i8 %a, i8 %b, ptr %q, i64 %o) {
entry:
  %flagged = add nsw i8 %a, 3
  %plain = add i8 %b, 3
  %at = getelementptr inbounds i8, ptr %q, i64 %o
  br label %behind

behind:
  ret ptr %q
}";

#[test]
fn every_obstacle() {
    let plain = Options::default();
    let early = |se: &mut ScalarEvolution<'_>| (leaf(se, "y"), end(se, "entry"));
    assert!(matches!(obstacle(NEST, plain, early), Obstacle::NotAvailable(_)));
    let late = |se: &mut ScalarEvolution<'_>| (leaf(se, "y"), end(se, "exit"));
    assert!(matches!(obstacle(NEST, plain, late), Obstacle::NotClosed(_)));
    let phi = |se: &mut ScalarEvolution<'_>| (leaf(se, "a"), inst(se, "i"));
    assert!(matches!(obstacle(NEST, plain, phi), Obstacle::Place(_)));
    let unknown = |se: &mut ScalarEvolution<'_>| (se.could_not_compute(), end(se, "loop"));
    assert!(matches!(obstacle(NEST, plain, unknown), Obstacle::NotComputed));
    let small = Options { most_parts: 2, ..plain };
    let sum = |se: &mut ScalarEvolution<'_>| {
        let (a, b) = (leaf(se, "a"), leaf(se, "b"));
        (se.add(&[a, b]), end(se, "loop"))
    };
    assert!(matches!(obstacle(NEST, small, sum), Obstacle::TooLarge));
    let no_preheader = NEST.replace("br label %pre\n", "switch i8 %n, label %pre [ i8 1, label %loop ]\n");
    let no_preheader = no_preheader.replace("[ 0, %pre ]", "[ 0, %pre ], [ 0, %entry ]");
    let rec = |se: &mut ScalarEvolution<'_>| {
        let l = se.loops().with_header(block(se, "loop")).expect("a loop");
        let (a, b) = (leaf(se, "a"), leaf(se, "b"));
        (se.add_rec(l, &[a, b]), end(se, "loop"))
    };
    assert!(matches!(obstacle(&no_preheader, plain, rec), Obstacle::LoopForm(_)));
    let wide = format!("target datalayout = \"p:64:64:64:32\"\n{VALUES}");
    let address = |se: &mut ScalarEvolution<'_>| {
        let q = leaf(se, "q");
        (se.ptr_to_int(q), end(se, "behind"))
    };
    assert!(matches!(obstacle(&wide, plain, address), Obstacle::Pointer(_)));
}
