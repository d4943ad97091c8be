//! Lowering of arbitrary trees, which no nest produces: loops with any bounds and strides, labels in all lists, and
//! gotos in both directions. Each tree is executed by the semantics in the node module's documentation, and lowered
//! and run. `BACKEDGE_CASES` sets the number of trees, `BACKEDGE_SEED` the first seed.

mod execution;
mod maker;

use crate::common::apply::{module, named};
use backedge_analysis::Analyses;
use backedge_hir::blob::{ScalarType, TempData};
use backedge_hir::build::build;
use backedge_hir::canon::NoWrap;
use backedge_hir::node::{Compare, HlGoto, HlInst, Kind, List, LoopKind, Predicate, Problem, Target};
use backedge_hir::{CanonExpr, Hir, Node, RegDdRef, Temp, lower};
use backedge_interp::chooser::RandomChooser;
use backedge_interp::input::{ArgSpec, Input};
use backedge_interp::outcome::Outcome;
use backedge_interp::trace::NoObserver;
use backedge_interp::value::Val;
use backedge_interp::{Config, Machine, Program};
use backedge_ir::editor::Editor;
use backedge_ir::entity::{Arg, EntityId};
use backedge_ir::inst::{IntPredicate, Value};
use backedge_ir::int::Int;
use backedge_ir::module::Module;
use backedge_ir::print::module_to_string;
use backedge_ir::types::Type;
use backedge_scev::ScalarEvolution;
use backedge_testkit::seeds;
use execution::{Execution, Tally};
use maker::{Maker, constant};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::collections::HashMap;

/// A function whose nest is replaced by trees: three variables are live in, and there are two exits.
const FRAME: &str = "
define i32 @f(i8 %a, i8 %b, i8 %c) {
entry:
  br label %l
l:
  %x = phi i8 [ %a, %entry ], [ %x.next, %more ]
  %y = phi i8 [ %b, %entry ], [ %y.next, %more ]
  %z = phi i8 [ %c, %entry ], [ %z.next, %more ]
  %x.next = add i8 %x, %y
  %y.next = xor i8 %y, %z
  %z.next = mul i8 %z, 3
  %first = icmp ult i8 %x.next, %a
  br i1 %first, label %out, label %more
more:
  %second = icmp ugt i8 %y.next, %b
  br i1 %second, label %other, label %l
out:
  %ox = phi i8 [ %x.next, %l ]
  %oy = phi i8 [ %y.next, %l ]
  %oz = phi i8 [ %z.next, %l ]
  br label %end
other:
  %px = phi i8 [ %x.next, %more ]
  %py = phi i8 [ %y.next, %more ]
  %pz = phi i8 [ %z.next, %more ]
  br label %end
end:
  %by = phi i32 [ 0, %out ], [ 16777216, %other ]
  %rx = phi i8 [ %ox, %out ], [ %px, %other ]
  %ry = phi i8 [ %oy, %out ], [ %py, %other ]
  %rz = phi i8 [ %oz, %out ], [ %pz, %other ]
  %wx = zext i8 %rx to i32
  %wy = zext i8 %ry to i32
  %wz = zext i8 %rz to i32
  %sy = shl i32 %wy, 8
  %sz = shl i32 %wz, 16
  %xy = or i32 %wx, %sy
  %xyz = or i32 %xy, %sz
  %r = or i32 %xyz, %by
  ret i32 %r
}
";

fn variable(hir: &mut Hir, name: String, value: Option<Value>) -> Temp {
    let (symbase, ty) = (hir.new_symbase(), ScalarType::int(8));
    hir.blobs.add_temp(TempData { name: name.into(), ty, symbase, value })
}

fn copied(hir: &mut Hir, to: Temp, from: Temp) -> Node {
    let [to, from] = [to, from].map(|temp| RegDdRef::terminal(CanonExpr::of_temp(&mut hir.blobs, temp, 0)));
    hir.create(Kind::Inst(HlInst::copy(to, from)))
}

/// A tree and the code that it was lowered to.
struct LoweredTree {
    module: Module,
    hir: Hir,
    region: Node,
    vars: [Temp; 3],
}

/// The frame with its tree replaced.
fn with_tree(make: &mut dyn FnMut(&mut Hir, Node, [Temp; 3])) -> LoweredTree {
    let source = module(FRAME);
    let func = named(&source);
    let mut result = source.clone();
    let analyses = Analyses::of(func);
    let at = analyses.at(&source.env, source.body(func).expect("it has code"));
    let mut built = build(&mut ScalarEvolution::new(at));
    let [taken] = &built.taken[..] else { panic!("one nest is taken") };
    let hir = &mut built.hir;
    let region = taken.region;
    let body = source.body(func).expect("it has code");
    // The variables of the phis of each exit.
    let told: Vec<Vec<Temp>> = (taken.exits.iter())
        .map(|exit| {
            taken.live_out.iter().filter(|(phi, _)| body.block_of(*phi) == Some(*exit)).map(|(_, t)| *t)
        })
        .map(Iterator::collect)
        .collect();
    let vars = ["%x", "%y", "%z"].map(|name| variable(hir, name.into(), None));
    for node in hir.children(region, List::Body).collect::<Vec<_>>() {
        hir.remove(node);
    }
    make(hir, region, vars);
    for (number, var) in (0..).zip(vars) {
        let value = Value::Arg(Arg::from_index(number));
        let arg = variable(hir, format!("%arg{number}"), Some(value));
        let node = copied(hir, var, arg);
        hir.insert_first(region, List::Body, node);
    }
    for node in hir.nodes_in(region) {
        if let Kind::Goto(HlGoto { target: Target::Exit(exit) }) = *hir.kind(node) {
            for (to, var) in told[exit as usize].iter().zip(vars) {
                let copy = copied(hir, *to, var);
                hir.insert_before(node, copy);
            }
        }
    }
    for (to, var) in told[0].iter().zip(vars) {
        let copy = copied(hir, *to, var);
        hir.insert_last(region, List::Body, copy);
    }
    hir.refresh_all(region);
    let text = hir.text();
    let plan = lower::check(at, hir, taken).unwrap_or_else(|obstacle| panic!("{obstacle}\n{text}"));
    let (_, body) = result.body_mut(func).expect("it has code");
    lower::lower(&mut Editor::new(body), hir, &plan);
    let problems = backedge_ir::verify::verify_module(&result);
    assert!(problems.is_empty(), "{problems:?}\n{text}\n{}", module_to_string(&result));
    LoweredTree { module: result, hir: built.hir, region, vars }
}

/// Runs a tree, and the code that it was lowered to, on arguments.
fn compare(
    LoweredTree { module, hir, region, vars }: &LoweredTree,
    left: Option<Temp>,
    inputs: impl Iterator<Item = [u8; 3]>,
    tally: &mut Tally,
) {
    let config = Config { fuel: 40_000, ..Config::default() };
    let program = Program::new(module, &config);
    let mut machine = Machine::new(&program, config);
    for args in inputs {
        let given = args.map(|arg| Int::new(8, arg.into()));
        let text = || format!("{args:?}\n{}\n{}", hir.text(), module_to_string(module));
        let of_args = hir.blobs.temps().filter_map(|temp| match hir.blobs.temp(temp).value {
            Some(Value::Arg(number)) => Some((temp, given[number.index()])),
            _ => None,
        });
        let temps = of_args.chain(left.map(|left| (left, Int::zero(8)))).collect();
        let mut run = Execution { hir, temps, loops: HashMap::new(), tally: Tally::default() };
        let exit = run.run(*region, 4_000);
        let input = Input::new(args.map(|arg| ArgSpec::Int(arg.into())).to_vec());
        let ended = machine
            .run(named(module), &input, &mut RandomChooser::new(0), &mut NoObserver)
            .expect("the input fits");
        match (exit, ended.outcome) {
            (Some(exit), Outcome::Returned(Some(Val::Bits(found)))) => {
                let [x, y, z] = vars.map(|var| run.temps[&var].bits() as u64);
                let expected = x | y << 8 | z << 16 | u64::from(exit) << 24;
                assert_eq!(found, expected, "{}", text());
                tally.ended += 1;
                tally.back += run.tally.back;
                tally.counted_otherwise += run.tally.counted_otherwise;
            }
            (None, Outcome::OutOfFuel | Outcome::Diverges { .. } | Outcome::Returned(_)) => {
                tally.endless += 1
            }
            (exit, outcome) => panic!("{exit:?}, {outcome:?}\n{}", text()),
        }
    }
}

/// Random trees.
#[test]
fn any_tree_does_what_it_means() {
    let mut tally = Tally::default();
    let cases = 1500;
    for seed in seeds(cases) {
        let mut rng = StdRng::seed_from_u64(seed);
        let size = rng.random_range(2..16);
        let inputs: Vec<[u8; 3]> = (0..6).map(|_| rng.random()).collect();
        let mut ends = None;
        let made = with_tree(&mut |hir, region, vars| {
            let left = *ends.insert(variable(hir, "%left".into(), None));
            let rng = StdRng::seed_from_u64(seed);
            let mut maker = Maker { hir, region, rng, vars, left, names: 0 };
            maker.fill(region, List::Body, 0, size);
            maker.gotos();
            let begin = maker.assign(left, CanonExpr::of_constant(Int::new(8, 12)));
            hir.insert_first(region, List::Body, begin);
        });
        tally.trees += 1;
        compare(&made, ends, inputs.into_iter(), &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.ended > 4 * cases && tally.back > cases && tally.counted_otherwise > cases, "{tally:?}");
}

/// A loop with all three-bit bounds and all strides, given by variables and by constants.
#[test]
fn all_bounds_and_strides() {
    let mut tally = Tally::default();
    let all: Vec<[u8; 3]> = (0..512u32).map(|n| [n, n >> 3, n >> 6].map(|of| (of & 7) as u8)).collect();
    let (right, _): (Vec<[u8; 3]>, Vec<_>) = all.iter().partition(|[l, u, s]| l <= u && *s > 0);
    let body = |hir: &mut Hir, region, [x, y, z]: [Temp; 3], bounds: [CanonExpr; 3]| {
        let [lower, upper, stride] = bounds.map(RegDdRef::terminal);
        let rng = StdRng::seed_from_u64(0);
        let mut maker = Maker { hir, region, rng, vars: [x, y, z], left: x, names: 0 };
        let l = maker.loop_node(LoopKind::Do { lower, upper, stride });
        maker.hir.edit_loop(l, |of| of.ztt.clear());
        // x = 3 * x + i + 1
        let x_form = CanonExpr::of_temp(&mut maker.hir.blobs, x, 0);
        let three = x_form.mul_constant(Int::new(8, 3), NoWrap::Unknown, &mut maker.hir.blobs);
        let sum = maker.sum(&three.expect("a product"), &CanonExpr::of_iv(8, 1));
        let sum = maker.sum(&sum, &CanonExpr::of_constant(Int::one(8)));
        let node = maker.assign(x, sum);
        maker.hir.insert_first(l, List::Body, node);
        maker.hir.insert_first(region, List::Body, l);
    };
    // Three bits, from variables that the loop body also changes.
    let by_variables = with_tree(&mut |hir, region, vars| {
        let bounds = vars.map(|var| {
            let form = CanonExpr::of_temp(&mut hir.blobs, var, 0);
            form.low_bits(3, &mut hir.blobs).expect("three bits")
        });
        body(hir, region, vars, bounds);
    });
    compare(&by_variables, None, right.iter().copied(), &mut tally);
    for bounds in &right {
        let by_constants = with_tree(&mut |hir, region, vars| {
            let bounds = bounds.map(|of| CanonExpr::of_constant(Int::new(3, of.into())));
            body(hir, region, vars, bounds);
        });
        compare(&by_constants, None, [[1, 2, 3]].into_iter(), &mut tally);
    }
    assert_eq!(tally.ended, 2 * right.len() as u64, "{tally:?}");
}

/// Invalid trees are refused.
#[test]
fn invalid_trees_are_refused() {
    let source = module(FRAME);
    let func = named(&source);
    let analyses = Analyses::of(func);
    let at = analyses.at(&source.env, source.body(func).expect("it has code"));
    let built = build(&mut ScalarEvolution::new(at));
    let [taken] = &built.taken[..] else { panic!("one nest is taken") };
    let is_loop = |node: &Node| matches!(built.hir.kind(*node), Kind::Loop(_));
    let l = built.hir.nodes_in(taken.region).into_iter().find(is_loop).expect("a loop");
    let first = built.hir.first(l, List::Body).expect("its label");
    type Case<'c> = (&'c dyn Fn(&mut Hir), &'c dyn Fn(&Problem) -> bool);
    let into_body = |list: List| {
        move |hir: &mut Hir| {
            let goto = hir.create(Kind::Goto(HlGoto { target: Target::Label(first) }));
            hir.insert_first(l, list, goto);
        }
    };
    let (before, following) = (into_body(List::Preheader), into_body(List::Postexit));
    let float = |hir: &mut Hir| {
        let (symbase, ty) = (hir.new_symbase(), ScalarType { ty: Type::ptr(0), width: 64 });
        let temp = hir.blobs.add_temp(TempData { name: "%f".into(), ty, symbase, value: None });
        let upper = RegDdRef::terminal(CanonExpr::of_temp(&mut hir.blobs, temp, 0));
        let kind = LoopKind::Do { lower: constant(8, 0), upper, stride: constant(8, 1) };
        hir.edit_loop(l, |of| of.kind = kind);
    };
    let no_exit = |hir: &mut Hir| {
        hir.edit(taken.region, |kind, _| {
            if let Kind::Region(of) = kind {
                of.exits = Vec::new()
            }
        });
    };
    let wide = |hir: &mut Hir| {
        let refs = [constant(8, 0), constant(16, 0)];
        hir.edit_loop(l, |of| of.ztt = vec![Predicate::new(Compare::Int(IntPredicate::Eq), refs)]);
    };
    let is_into = |p: &Problem| matches!(p, Problem::IntoLoop(_));
    let cases: [Case<'_>; 5] = [
        (&wide, &|p| *p == Problem::Types(l)),
        (&before, &is_into),
        (&following, &is_into),
        (&float, &|p| *p == Problem::Bounds(l)),
        (&no_exit, &|p| *p == Problem::End(taken.region)),
    ];
    for (number, (change, is_it)) in cases.iter().enumerate() {
        let mut hir = built.hir.clone();
        change(&mut hir);
        hir.refresh_all(taken.region);
        let problems = hir.check(taken.region);
        assert!(problems.iter().any(is_it), "{number}: {problems:?}");
        assert!(lower::check(at, &hir, taken).is_err(), "{number}");
    }
}
