//! Claims about loops hold in all executions of random guarded loops over four-bit arguments: predicates on entry, in a
//! block and on the backedge. Guards applied to an expression preserve its value.

use crate::common::bodies::{Text, block, expr, value};
use crate::common::eval::{Point, evaluate};
use crate::common::guarded;
use crate::common::guarded::{Guarded, Moment};
use backedge_ir::inst::Value;
use backedge_ir::int::Int;
use backedge_ir::opcode::IntPredicate as P;
use backedge_scev::{Expr, NAry, ScalarEvolution};
use backedge_testkit::{Dice, seeds};
use rand::RngExt;
use rand::seq::IndexedRandom;

const PREDS: [P; 10] = [P::Eq, P::Ne, P::Ugt, P::Uge, P::Ult, P::Ule, P::Sgt, P::Sge, P::Slt, P::Sle];

/// The bits of an expression at a moment; there is one loop, so one iteration number is enough.
fn at(se: &ScalarEvolution<'_>, e: Expr, moment: &Moment, names: &[(Value, String)]) -> Option<u128> {
    let of = |v: Value| {
        let name = names.iter().find(|(value, _)| *value == v)?;
        moment.values.get(&name.1).copied()
    };
    evaluate(se, e, &Point { value: &of, iteration: &|_| moment.iteration })
}

/// A random expression over values with these names.
fn random(se: &mut ScalarEvolution<'_>, dice: &mut Dice, names: &[String]) -> Expr {
    let leaf = |se: &mut ScalarEvolution<'_>, dice: &mut Dice| {
        if dice.random_bool(0.25) {
            return se.int(guarded::WIDTH, dice.random_range(0..16));
        }
        let name = names.choose(dice).expect("names");
        expr(se, name)
    };
    let (a, b) = (leaf(se, dice), leaf(se, dice));
    match dice.random_range(0..10) {
        0 => se.add(&[a, b]),
        1 => se.sub(a, b),
        2 => se.min_max(NAry::UMax, &[a, b]),
        3 => se.min_max(NAry::SMin, &[a, b]),
        4 => {
            let (minus, c) = (se.int(guarded::WIDTH, -1), leaf(se, dice));
            se.add(&[a, b, c, minus])
        }
        5 => {
            let two = se.int(guarded::WIDTH, 2);
            se.udiv(a, two)
        }
        _ => a,
    }
}

#[derive(Default, Debug)]
struct Tally {
    functions: u32,
    entry: u32,
    backedge: u32,
    block: u32,
    anywhere: u32,
    narrowed: u32,
}

fn check(seed: u64, tally: &mut Tally) {
    let guarded = Guarded::new(seed);
    let seen = guarded.runs();
    if seen.entries.is_empty() {
        return;
    }
    tally.functions += 1;
    let text = Text::new(&guarded.text);
    let mut dice = Dice::new(seed);
    text.with(|se| {
        let all: Vec<String> =
            seen.bodies.first().map(|m| m.values.keys().cloned().collect()).unwrap_or_default();
        let known = seen.entries[0].values.keys().chain(&all);
        let names: Vec<(Value, String)> =
            known.filter_map(|n| Some((se.body().value_named(n)?, n.clone()))).collect();
        let l = se.loops().ids().next().expect("a loop");
        let body = block(se, "body");
        let mut inside = guarded.before.clone();
        inside.push("i".into());
        let _ = value(se, "i");
        let claims =
            |se: &ScalarEvolution<'_>, moments: &[Moment], what: &str, (pred, x, y): (P, Expr, Expr)| {
                for moment in moments {
                    let (Some(a), Some(b)) = (at(se, x, moment, &names), at(se, y, moment, &names)) else {
                        continue;
                    };
                    let width = se.width(x);
                    assert!(
                        pred.holds(Int::new(width, a), Int::new(width, b)),
                        "seed {seed}, {what}: {a} {} {b} does not hold at {moment:?}\n{:?} {:?}\n{}",
                        pred.name(),
                        se.node(x),
                        se.node(y),
                        guarded.text
                    );
                }
            };
        for _ in 0..12 {
            let e = random(se, &mut dice, &guarded.before);
            let applied = se.apply_guards(e, l);
            let (before, after) = (se.unsigned_range(e), se.unsigned_range(applied));
            tally.narrowed += u32::from(after.is_smaller_than(before));
            claims(se, &seen.entries, "guards applied", (P::Eq, e, applied));

            let (x, y) = (random(se, &mut dice, &guarded.before), random(se, &mut dice, &guarded.before));
            let (v, w) = (random(se, &mut dice, &inside), random(se, &mut dice, &inside));
            for pred in PREDS {
                if se.is_entry_guarded(l, pred, x, y) {
                    tally.entry += 1;
                    claims(se, &seen.entries, "entry", (pred, x, y));
                }
                if se.is_known_at(pred, v, w, body) {
                    tally.block += 1;
                    claims(se, &seen.bodies, "block", (pred, v, w));
                }
                if se.is_backedge_guarded(l, pred, v, w) {
                    tally.backedge += 1;
                    claims(se, &seen.backedges, "backedge", (pred, v, w));
                }
                if se.is_known(pred, v, w) {
                    tally.anywhere += 1;
                    claims(se, &seen.bodies, "anywhere", (pred, v, w));
                    claims(se, &seen.backedges, "anywhere", (pred, v, w));
                }
            }
        }
    });
}

#[test]
fn claims_around_loops_hold_in_all_runs() {
    let mut tally = Tally::default();
    for seed in seeds(150) {
        check(seed, &mut tally);
    }
    eprintln!("{tally:?}");
    let Tally { functions, entry, backedge, block, narrowed, .. } = tally;
    assert!(entry > 10 * functions && block > 10 * functions && backedge > 10 * functions, "{tally:?}");
    assert!(narrowed > functions, "{tally:?}");
}
