//! Closed forms against SCEV: the form of an expression has the value that the expression is defined to have, in all
//! iterations of the loops around the place and for all values of its leaves.

#[path = "../../../scev/tests/it/common/bodies.rs"]
#[allow(dead_code, reason = "it is for the tests of another crate, too")]
mod bodies;
#[path = "../../../scev/tests/it/common/definition.rs"]
#[allow(dead_code, reason = "it is for the tests of another crate, too")]
mod definition;
#[path = "../../../scev/tests/it/common/trees.rs"]
#[allow(dead_code, reason = "it is for the tests of another crate, too")]
mod trees;

use backedge_analysis::LoopId;
use backedge_hir::blob::{ScalarType, TempData};
use backedge_hir::canon::FormPlace;
use backedge_hir::{Blobs, CanonExpr, Level, Symbase, Temp};
use backedge_ir::inst::Value;
use backedge_ir::int::Int;
use backedge_scev::{Expr, NAry, ScalarEvolution};
use backedge_testkit::Dice;
use bodies::Text;
use definition::Evaluator;
use num_bigint::BigInt;
use std::collections::HashMap;
use trees::{Palette, function};

/// A place in the inner loop of [`function`]. Every value has a variable, and so does every expression that asks for
/// one.
#[derive(Default)]
struct InNest {
    levels: HashMap<LoopId, Level>,
    values: HashMap<Value, Temp>,
    exprs: HashMap<Expr, Temp>,
}

fn new_temp(blobs: &mut Blobs, name: String, width: u32, value: Option<Value>) -> Temp {
    blobs.add_temp(TempData { name: name.into(), ty: ScalarType::int(width), symbase: Symbase::FIRST, value })
}

impl InNest {
    fn new(scev: &ScalarEvolution<'_>) -> Self {
        let loops = scev.loops();
        let inner = scev.body().block_named("inner").expect("the inner loop");
        let inner = loops.with_header(inner).expect("the inner loop");
        Self { levels: loops.ancestors(inner).map(|l| (l, loops.depth(l))).collect(), ..Self::default() }
    }
    /// The values of the variables, given the values of the leaves in `at`.
    fn temps(&self, scev: &ScalarEvolution<'_>, at: &mut Evaluator<'_, '_>) -> HashMap<Temp, Int> {
        let bits = |value: &BigInt| u128::try_from(value.clone()).expect("unsigned, of at most 128 bits");
        let mut values = HashMap::new();
        for (value, temp) in &self.values {
            let ty = scev.body().ty(*value).int_bits().expect("an integer");
            if let Some(Some(number)) = at.world.leaves.get(value) {
                values.insert(*temp, Int::new(ty, bits(number)));
            }
        }
        for (expr, temp) in &self.exprs {
            if let Some(number) = at.value(*expr) {
                values.insert(*temp, Int::new(scev.width(*expr), bits(&number)));
            }
        }
        values
    }
}

impl FormPlace for InNest {
    fn level(&self, l: LoopId) -> Option<Level> {
        self.levels.get(&l).copied()
    }
    fn temp(&mut self, blobs: &mut Blobs, value: Value) -> Option<Temp> {
        // Leaves of trees are arguments and call results, all integers; the table has their widths from the start.
        let known = self.values.get(&value).copied();
        debug_assert!(known.is_some(), "{value:?} of {:?}", blobs.len());
        known
    }
    fn counters(&mut self, _: &ScalarEvolution<'_>, _: LoopId) -> Vec<Value> {
        Vec::new()
    }
    fn temp_in_front(&mut self, _: &mut Blobs, _: &ScalarEvolution<'_>, _: Expr) -> Option<Temp> {
        None
    }
    fn temp_of_expr(&mut self, blobs: &mut Blobs, scev: &ScalarEvolution<'_>, expr: Expr) -> Option<Temp> {
        let name = format!("%e{}", self.exprs.len());
        let width = scev.width(expr);
        Some(*self.exprs.entry(expr).or_insert_with(|| new_temp(blobs, name, width, None)))
    }
}

/// The number of compared values, and of forms with an induction variable and without a variable for a whole
/// expression.
#[derive(Default, Debug)]
struct Seen {
    compared: u64,
    linear: u64,
}

fn check(
    scev: &ScalarEvolution<'_>,
    palette: &Palette,
    expr: Expr,
    rng: &mut Dice,
    seen: &mut Seen,
    seed: u64,
) {
    let mut place = InNest::new(scev);
    let mut blobs = Blobs::default();
    for (value, width, _) in &palette.leaves {
        let name = format!("%{}", scev.body().value_name(*value).unwrap_or("?"));
        place.values.insert(*value, new_temp(&mut blobs, name, *width, Some(*value)));
    }
    let form = match CanonExpr::from_scev(scev, expr, &mut blobs, &mut place) {
        Ok(form) => form,
        Err(why) => panic!("seed {seed}: {} has no form: {why:?}", scev.text(expr)),
    };
    seen.linear += u64::from(form.has_any_iv() && place.exprs.is_empty());
    let levels: HashMap<Level, LoopId> = place.levels.iter().map(|(l, level)| (*level, *l)).collect();
    for round in 0..12 {
        let world = palette.world(scev, rng, round % 3 == 2);
        for moment in world.moments() {
            let mut at = Evaluator::new(scev, &world, &moment);
            let Some(expected) = at.value(expr).filter(|_| !world.loops.is_empty()) else { continue };
            let temps = place.temps(scev, &mut at);
            let iv = |level: Level| moment.get(&levels[&level]).copied().unwrap_or(0).into();
            let found = form.value(&blobs, &iv, &|t| temps.get(&t).copied());
            assert_eq!(
                found.map(|v| BigInt::from(v.bits())),
                Some(expected),
                "seed {seed}: {} is not {}\nin {world:?} at {moment:?}",
                form.text(&blobs),
                scev.text(expr)
            );
            seen.compared += 1;
        }
    }
}

#[test]
fn forms_of_random_expressions_have_their_values() {
    for (narrow, wide) in [(1, 4), (4, 8), (3, 7), (8, 32), (32, 64), (64, 128)] {
        let text = Text::new(&function(narrow, wide));
        let mut seen = Seen::default();
        for seed in 0..backedge_testkit::number("BACKEDGE_HIR_TREES", 150) {
            let mut rng = Dice::new(seed << 16 | u64::from(narrow << 8 | wide));
            text.with(|scev| {
                let mut palette = Palette::new(scev, narrow, wide);
                // Incorrect flags would make folding wrong.
                palette.flagged = 0;
                let width = if seed % 2 == 0 { wide } else { narrow };
                let tree = palette.tree(scev, &mut rng, width, 1 + (seed % 4) as u32, None);
                let expr = tree.build(scev, &mut Vec::new());
                check(scev, &palette, expr, &mut rng, &mut seen, seed);
            });
        }
        println!("i{narrow} i{wide}: {seen:?}");
        assert!(seen.compared > 5000 && seen.linear > 5, "i{narrow} i{wide}: {seen:?}");
    }
}

/// All `{c0 + bc * %a,+,c1}` and their quotients and casts at four bits, compared with arithmetic.
#[test]
fn all_affine_forms_of_four_bits() {
    let text = Text::new(&function(4, 8));
    text.with(|scev| {
        let mut place = InNest::new(scev);
        let mut blobs = Blobs::default();
        let a = scev.body().value_named("a").expect("an argument");
        let temp = new_temp(&mut blobs, "%a".into(), 4, Some(a));
        place.values.insert(a, temp);
        let l = *place.levels.iter().find(|(_, level)| **level == 2).expect("the inner loop").0;
        let unknown = scev.unknown(a);
        let (mut linear, mut others) = (0, 0);
        for case in 0..1u128 << 12 {
            let [c0, bc, c1] =
                [case & 15, case >> 4 & 15, case >> 8].map(|bits| scev.constant(Int::new(4, bits)));
            let scaled = scev.mul(&[bc, unknown]);
            let start = scev.add(&[c0, scaled]);
            let sum = scev.add_rec(l, &[start, c1]);
            let three = scev.int(4, 3);
            let exprs = [
                (sum, 0),
                (scev.udiv(sum, three), 1),
                (scev.zext(sum, 8), 2),
                (scev.sext(sum, 8), 3),
                (scev.trunc(sum, 2), 4),
            ];
            for (expr, kind) in exprs {
                let form = CanonExpr::from_scev(scev, expr, &mut blobs, &mut place).expect("a form");
                // An extension that folding distributed over the terms of its sum is not linear.
                if form.collect_temp_blobs(&blobs).iter().any(|t| *t != temp) {
                    others += 1;
                    continue;
                }
                linear += 1;
                for point in 0..16 * 18u128 {
                    let (value, i) = (point & 15, point >> 4);
                    let low = (case & 15) + (case >> 4 & 15) * value + (case >> 8) * i;
                    let low = Int::new(4, low);
                    let expected = match kind {
                        0 => low,
                        1 => low.udiv(Int::new(4, 3)).expect("not by zero"),
                        2 => low.zext(8),
                        3 => low.sext(8),
                        _ => low.trunc(2),
                    };
                    let found = form.value(&blobs, &|_| i, &|_| Some(Int::new(4, value)));
                    assert_eq!(found, Some(expected), "{} is not {}", form.text(&blobs), scev.text(expr));
                }
            }
        }
        assert!(linear > 3 * others, "{linear} linear, {others} not");
    });
}

const NEST: &str = "
declare i1 @more()
declare i32 @load()
define void @f(i64 %i, i64 %n) {
entry:
  br label %one
one:
  br label %two
two:
  %t1 = call i32 @load()
  %t4 = call i32 @load()
  br label %three
three:
  %again = call i1 @more()
  br i1 %again, label %three, label %latch.two
latch.two:
  %again2 = call i1 @more()
  br i1 %again2, label %two, label %latch.one
latch.one:
  %again1 = call i1 @more()
  br i1 %again1, label %one, label %exit
exit:
  ret void
}
";

/// The example of blobs in the document (docs/hir-terms.md).
struct Document {
    place: InNest,
    blobs: Blobs,
    /// The loops, the outermost first.
    loops: [LoopId; 3],
    /// `i`, `t1`, `t4` and `n`.
    leaves: [Expr; 4],
    temps: [Temp; 4],
}

impl Document {
    fn new(scev: &mut ScalarEvolution<'_>) -> Self {
        let mut place = InNest::default();
        let mut blobs = Blobs::default();
        let loops = scev.loops();
        let of =
            |name: &str| loops.with_header(scev.body().block_named(name).expect("a block")).expect("a loop");
        let loops = ["one", "two", "three"].map(of);
        place.levels = loops.into_iter().zip(1..).collect();
        let names = [("i", 64), ("t1", 32), ("t4", 32), ("n", 64)];
        let values = names.map(|(name, _)| scev.body().value_named(name).expect("a value"));
        let leaves = values.map(|value| scev.unknown(value));
        let temps = [0, 1, 2, 3].map(|number| {
            let (name, width) = names[number];
            new_temp(&mut blobs, format!("%{name}"), width, Some(values[number]))
        });
        place.values = values.into_iter().zip(temps).collect();
        Self { place, blobs, loops, leaves, temps }
    }
    /// The form of `expr` and its text. The loads of the example define their temps at level 2.
    fn form(&mut self, scev: &ScalarEvolution<'_>, expr: Expr) -> (CanonExpr, String) {
        let Self { place, blobs, temps, .. } = self;
        let levels = |temp: Temp| if temp == temps[1] || temp == temps[2] { 2 } else { 0 };
        let mut form = CanonExpr::from_scev(scev, expr, blobs, place).expect("a form");
        form.update_defined_at(blobs, &levels);
        let text = form.text(blobs);
        (form, text)
    }
}

/// The subscripts of the example and their levels, as the document gives them.
#[test]
fn subscripts_of_the_document() {
    Text::new(NEST).with(|scev| {
        let mut document = Document::new(scev);
        let ([one, two, three], [i, t1, t4, _]) = (document.loops, document.leaves);
        let [c1, c2, c5, c6] = [1, 2, 5, 6].map(|c| scev.int(64, c));
        let plus_one = scev.add(&[i, c1]);
        let first = scev.add_rec(one, &[plus_one, c1]);
        let (first, text) = document.form(scev, first);
        assert_eq!(text, "i1 + %i + 1");
        assert_eq!(first.defined_at_level(), 0);
        assert!(first.has_iv(1) && !first.has_iv(2) && first.is_linear_at_level(3));
        assert!(
            !first.is_invariant_at_level(1)
                && first.is_invariant_at_level(2)
                && first.is_invariant_at_level(3)
        );
        let second = scev.add_rec(two, &[c5, c2]);
        assert_eq!(document.form(scev, second).1, "2 * i2 + 5");
        let three32 = scev.int(32, 3);
        let product = scev.mul(&[three32, t1]);
        let wide = scev.sext(product, 64);
        let step = scev.mul(&[c2, wide]);
        let last = scev.add_rec(three, &[c6, step]);
        let (last, text) = document.form(scev, last);
        assert_eq!(text, "2 * sext((3 * %t1)) * i3 + 6");
        assert_eq!(last.defined_at_level(), 2);
        assert!(last.is_linear_at_level(3) && !last.is_linear_at_level(2) && !last.is_invariant_at_level(3));
        // The pitfall: no induction variable occurs in the form, and yet it varies with that of level 2.
        let product = scev.mul(&[t1, t4]);
        let four = scev.int(32, 4);
        let hidden = scev.add(&[product, four]);
        let (hidden, text) = document.form(scev, hidden);
        assert_eq!(text, "(%t1 * %t4) + 4");
        assert!((1..=3).all(|level| !hidden.has_iv(level)));
        assert!(
            !hidden.is_invariant_at_level(2)
                && !hidden.is_invariant_at_level(1)
                && hidden.is_invariant_at_level(3)
        );
        assert!(!hidden.is_linear_at_level(2) && hidden.is_linear_at_level(3));
        let c0_narrow = scev.int(32, 0);
        let c2_narrow = scev.int(32, 2);
        let even = scev.add_rec(two, &[c0_narrow, c2_narrow]);
        let even = scev.trunc(even, 16);
        let narrow = document.form(scev, even).1;
        assert!(narrow == "trunc(2 * i2)" || narrow == "2 * i2", "{narrow}");
    });
}

/// Forms that are single variables, and an expression without a form.
#[test]
fn variables_for_whole_expressions() {
    Text::new(NEST).with(|scev| {
        let mut document = Document::new(scev);
        let ([one, ..], [.., n]) = (document.loops, document.leaves);
        let [c0, c1, c3] = [0, 1, 3].map(|c| scev.int(64, c));
        // A self blob is a single variable.
        let of_blobs = document.form(scev, n).0;
        let n_plus = scev.add(&[n, c1]);
        let more = document.form(scev, n_plus).0;
        let quotient = scev.add_rec(one, &[n, c1]);
        let quotient = scev.udiv(quotient, c3);
        assert_eq!(document.form(scev, quotient).1, "(i1 + %n)/u3");
        // A nonlinear expression has no form unless a variable holds it.
        let min = scev.add_rec(one, &[c0, c1]);
        let min = scev.min_max(NAry::UMin, &[min, n]);
        let (min, text) = document.form(scev, min);
        assert_eq!(text, "%e0");
        assert!(min.has_any_blob() && !min.has_any_iv());
        assert_eq!(of_blobs.self_blob(&document.blobs), Some(document.temps[3]));
        assert_eq!(more.self_blob(&document.blobs), None);
        assert_eq!(more.collect_temp_blobs(&document.blobs), [document.temps[3]]);
    });
}
