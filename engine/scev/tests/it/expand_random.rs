//! The expander's code against the expression: random expressions over the values of random functions, expanded at
//! random places with all options. `BACKEDGE_SCEV_RUNS` multiplies the number of functions.

use crate::common::bodies::Text;
use crate::common::expanded::{Expansion, Seen, hold_against, refines, replaced};
use backedge_ir::entity::Inst;
use backedge_ir::inst::{InstKind, Value};
use backedge_scev::expand::{Divisions, MinMax, Obstacle, Options, plan};
use backedge_scev::{Expr, NAry, ScalarEvolution};
use backedge_testkit::Dice;
use backedge_testkit::generate::{random_loop, wild_module};

fn scale() -> u64 {
    std::env::var("BACKEDGE_SCEV_RUNS").ok().and_then(|n| n.parse().ok()).unwrap_or(1)
}

/// The possible insertion points.
fn places(se: &ScalarEvolution<'_>) -> Vec<Inst> {
    let body = se.body();
    let is_place =
        |i: &Inst| !body.inst(*i).kind.is_phi() && !matches!(body.inst(*i).kind, InstKind::LandingPad { .. });
    se.cfg().rpo().iter().flat_map(|b| body.insts(*b)).copied().filter(is_place).collect()
}

/// The expressions available before `at`: those of arguments and of dominating instructions.
fn leaves(se: &mut ScalarEvolution<'_>, at: Inst) -> Vec<Expr> {
    let body = se.body();
    let block = body.block_of(at).expect("a place");
    let above = |i: &Inst| {
        let of = body.block_of(*i).expect("it is in a block");
        let dominates =
            if of == block { body.comes_before(*i, at) } else { se.dominators().dominates(of, block) };
        let closed = se.loops().innermost(of).is_none_or(|l| se.loops().contains(l, block));
        dominates && closed && !matches!(body.inst(*i).kind, InstKind::Invoke(_))
    };
    let mut values: Vec<Value> = body.args().map(Value::Arg).collect();
    values.extend(body.all_insts().filter(above).map(Value::Inst));
    values.into_iter().filter_map(|v| se.expr(v)).collect()
}

/// Generates expressions of one width.
struct Maker<'d, 's, 'a> {
    dice: &'d mut Dice,
    se: &'s mut ScalarEvolution<'a>,
    at: Inst,
    leaves: Vec<Expr>,
    width: u32,
}

impl Maker<'_, '_, '_> {
    fn leaf(&mut self) -> Expr {
        if self.leaves.is_empty() || self.dice.chance(15) {
            let value = self.dice.below(9) as i128 - 3;
            return self.se.int(self.width, value);
        }
        let leaf = self.leaves[self.dice.below(self.leaves.len())];
        let leaf = if self.se.ty(leaf).is_pointer() { self.se.ptr_to_int(leaf) } else { leaf };
        if self.dice.chance(50) {
            self.se.trunc_or_zext(leaf, self.width)
        } else {
            self.se.trunc_or_sext(leaf, self.width)
        }
    }
    fn make(&mut self, depth: u32) -> Expr {
        if depth == 0 || self.dice.chance(15) {
            return self.leaf();
        }
        let count = 2 + self.dice.below(2);
        let which = self.dice.below(17);
        if which == 16 {
            return self.recurrence(depth);
        }
        let operands: Vec<Expr> = (0..count).map(|_| self.make(depth - 1)).collect();
        let (a, b) = (operands[0], operands[1]);
        match which {
            0..4 => self.se.add(&operands),
            4 => self.se.sub(a, b),
            5 | 6 => self.se.mul(&operands),
            7 | 8 => self.se.udiv(a, b),
            9 => self.se.urem(a, b),
            10..13 => self.se.min_max(NAry::UMinSeq, &operands),
            13 => self.se.min_max(NAry::UMax, &operands),
            14 => self.se.min_max(NAry::SMin, &operands),
            _ => self.se.min_max([NAry::UMin, NAry::SMax][count - 2], &operands),
        }
    }
    /// A recurrence of a loop around the place; its start and steps are available before the loop.
    fn recurrence(&mut self, depth: u32) -> Expr {
        let block = self.se.body().block_of(self.at).expect("a place");
        let loops = self.se.loops();
        let around: Vec<_> = loops.innermost(block).into_iter().flat_map(|l| loops.ancestors(l)).collect();
        if around.is_empty() {
            return self.leaf();
        }
        let l = around[self.dice.below(around.len())];
        let saved = self.leaves.clone();
        let se = &mut *self.se;
        self.leaves.retain(|e| se.is_available_at_entry(*e, l));
        let count = 2 + usize::from(self.dice.chance(30));
        let operands: Vec<Expr> = (0..count).map(|_| self.make(depth - 1)).collect();
        self.leaves = saved;
        let available = operands.iter().all(|e| self.se.is_available_at_entry(*e, l));
        if available { self.se.add_rec(l, &operands) } else { operands[0] }
    }
}

fn options(dice: &mut Dice) -> Options {
    Options {
        freeze: dice.chance(25),
        divisions: if dice.chance(30) { Divisions::Certain } else { Divisions::Guarded },
        min_max: if dice.chance(50) { MinMax::Compare } else { MinMax::Intrinsic },
        reuse: dice.chance(75),
        hoist: dice.chance(80),
        ..Options::default()
    }
}

/// Statistics of expansions.
#[derive(Default, Debug)]
struct Tally {
    planned: u64,
    created: u64,
    divisions: u64,
    other: u64,
    seen: Seen,
}

/// `source` with declarations of the intrinsics that expanded code may use.
fn with_intrinsics(source: &str) -> String {
    let mut text = source.to_owned();
    for width in [2, 3, 4, 5, 8, 16, 32, 64] {
        for op in ["umin", "umax", "smin", "smax"] {
            let name = format!("@llvm.{op}.i{width}(");
            if !source.contains(&name) {
                text += &format!("declare i{width} {name}i{width}, i{width})\n");
            }
        }
    }
    text
}

fn expand_some(source: &str, seed: u64, tally: &mut Tally) {
    let text = Text::new(&with_intrinsics(source));
    text.with(|se| {
        se.settle();
        let mut dice = Dice::new(seed ^ 0x9e37);
        let places = places(se);
        for _ in 0..6 {
            let at = places[dice.below(places.len())];
            let leaves = leaves(se, at);
            let widths = [3, 4, 5, 8, 32, 64];
            let width = match leaves.get(dice.below(leaves.len().max(1))) {
                Some(e) if dice.chance(60) && se.width(*e) <= 64 => se.width(*e),
                _ => widths[dice.below(widths.len())],
            };
            let pointer = leaves.iter().copied().find(|e| se.ty(*e).is_pointer() && dice.chance(30));
            let width = pointer.map_or(width, |p| se.width(p));
            let mut maker = Maker { dice: &mut dice, se, at, leaves, width };
            let depth = 1 + maker.dice.below(3) as u32;
            let mut expr = maker.make(depth);
            if let Some(pointer) = pointer {
                expr = se.add(&[pointer, expr]);
            }
            let options = options(&mut dice);
            match plan(se, expr, at, options) {
                Ok(plan) => {
                    tally.planned += 1;
                    tally.created += plan.len() as u64;
                    let seen = hold_against(
                        &text,
                        se,
                        Expansion { expr, at, plan: &plan, frozen: options.freeze },
                        24,
                        8,
                    );
                    tally.seen.add(seen);
                }
                Err(Obstacle::Division(_)) => tally.divisions += 1,
                Err(_) => tally.other += 1,
            }
        }
    });
}

#[test]
fn over_small_loops() {
    let mut tally = Tally::default();
    for seed in 0..400 * scale() {
        expand_some(&random_loop(seed), seed, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.planned > 1500 && tally.created > 5000 && tally.divisions > 20, "{tally:?}");
    assert!(
        tally.seen.equal > 10_000 && tally.seen.undefined > 500 && tally.seen.refined > 3000,
        "{tally:?}"
    );
}

#[test]
fn over_wild_functions() {
    let mut tally = Tally::default();
    for seed in 0..300 * scale() {
        expand_some(&wild_module(seed), seed, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.planned > 1000 && tally.created > 3000, "{tally:?}");
    assert!(tally.seen.equal > 3000 && tally.seen.undefined > 100 && tally.seen.refined > 1000, "{tally:?}");
}

/// Replaces every value that has an expression by expanded code.
#[test]
fn in_place_of_values() {
    let (mut replacements, mut compared) = (0, 0);
    for seed in 0..150 * scale() {
        let source = if seed % 3 == 0 { random_loop(seed) } else { wild_module(seed) };
        let text = Text::new(&source);
        text.with(|se| {
            se.settle();
            let body = se.body();
            let mut dice = Dice::new(seed);
            for at in places(se) {
                // The values for which this is the first possible insertion point.
                let block = body.block_of(at).expect("a place");
                let before: Vec<Inst> = body.insts(block).iter().copied().take_while(|i| *i != at).collect();
                let values = match before.last() {
                    Some(last) if !body.inst(*last).kind.is_phi() => vec![*last],
                    _ => before,
                };
                for value in values.into_iter().map(Value::Inst) {
                    let Some(expr) = se.expr(value) else { continue };
                    // If an address was poison before the replacement and is not afterwards, a callee can write through
                    // it only afterwards.
                    let is_call =
                        |i: Inst| matches!(body.inst(i).kind, InstKind::Call(_) | InstKind::Invoke(_));
                    if se.ty(expr).is_pointer() && body.all_insts().any(is_call) {
                        continue;
                    }
                    if dice.chance(40) {
                        continue;
                    }
                    let options = Options { reuse: dice.chance(30), freeze: false, ..options(&mut dice) };
                    let Ok(plan) = plan(se, expr, at, options) else { continue };
                    let Some(module) = replaced(&text, &plan, value) else { continue };
                    replacements += 1;
                    compared += refines(&text, se, &module, 10);
                }
            }
        });
    }
    println!("{replacements} replacements, {compared} runs compared");
    assert!(replacements > 300 && compared > 1000, "{replacements} replacements, {compared} runs compared");
}
