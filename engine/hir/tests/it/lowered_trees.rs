//! Lowering of arbitrary trees, which no nest produces: loops with any bounds and strides, labels in all lists, and
//! gotos in both directions. Each tree is executed by the semantics in the node module's documentation, and lowered
//! and run. `BACKEDGE_CASES` sets the number of trees, `BACKEDGE_SEED` the first seed.

use crate::common::apply::{module, named};
use crate::common::meaning::{At, after, steps};
use backedge_analysis::Analyses;
use backedge_hir::blob::{NAry, ScalarType, TempData};
use backedge_hir::build::build;
use backedge_hir::canon::NoWrap;
use backedge_hir::node::{
    Compare, Hints, HlGoto, HlIf, HlInst, HlLabel, HlLoop, HlSwitch, Kind, List, LoopKind, Predicate,
    Problem, Target,
};
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
use backedge_testkit::{Dice, seeds};
use rand::RngExt;
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

/// A generator of trees.
struct Maker<'h> {
    hir: &'h mut Hir,
    region: Node,
    rng: Dice,
    /// Three variables that are live out, and a counter that ends loops.
    vars: [Temp; 3],
    left: Temp,
    names: u32,
}

fn constant(width: u32, value: u128) -> RegDdRef {
    RegDdRef::terminal(CanonExpr::of_constant(Int::new(width, value)))
}

impl Maker<'_> {
    fn of_temp(&mut self, temp: Temp) -> RegDdRef {
        RegDdRef::terminal(CanonExpr::of_temp(&mut self.hir.blobs, temp, 0))
    }
    fn var(&mut self) -> Temp {
        self.vars[self.rng.random_range(0..3)]
    }
    fn assign(&mut self, to: Temp, form: CanonExpr) -> Node {
        let to = self.of_temp(to);
        self.hir.create(Kind::Inst(HlInst::copy(to, RegDdRef::terminal(form))))
    }
    /// The minimum of a variable and a number.
    fn at_most(&mut self, most: u128) -> CanonExpr {
        let var = self.var();
        let blobs = &mut self.hir.blobs;
        let operands = [blobs.of_temp(var), blobs.constant(Int::new(8, most))];
        let blob = blobs.nary(NAry::UMin, 8, &operands);
        CanonExpr::of_blob(blobs, blob)
    }
    fn sum(&mut self, a: &CanonExpr, b: &CanonExpr) -> CanonExpr {
        a.add(b, NoWrap::Unknown, &mut self.hir.blobs).expect("both are of one type")
    }
    /// `a * v + b * w + c * i + d`
    fn form(&mut self, level: u32) -> CanonExpr {
        let (v, w) = (self.var(), self.var());
        let mut sum = CanonExpr::of_constant(Int::new(8, self.rng.random_range(0..256)));
        let blobs = &mut self.hir.blobs;
        let mut terms = vec![CanonExpr::of_temp(blobs, v, 0), CanonExpr::of_temp(blobs, w, 0)];
        if level > 0 {
            terms.push(CanonExpr::of_iv(8, self.rng.random_range(1..=level)));
        }
        for term in terms {
            let by = Int::new(8, self.rng.random_range(0..6));
            let term = term.mul_constant(by, NoWrap::Unknown, &mut self.hir.blobs).expect("a product");
            sum = self.sum(&sum, &term);
        }
        sum
    }
    fn condition(&mut self, level: u32) -> Vec<Predicate> {
        let count = self.rng.random_range(1..3);
        let preds = [IntPredicate::Ult, IntPredicate::Eq, IntPredicate::Ne, IntPredicate::Sgt];
        (0..count)
            .map(|_| {
                let var = self.var();
                let left = self.of_temp(var);
                let right = RegDdRef::terminal(if self.rng.random() {
                    self.form(level)
                } else {
                    CanonExpr::of_constant(Int::new(8, self.rng.random_range(0..256)))
                });
                Predicate::new(Compare::Int(preds[self.rng.random_range(0..4)]), [left, right])
            })
            .collect()
    }
    fn name(&mut self) -> Box<str> {
        self.names += 1;
        format!("n{}", self.names).into()
    }
    /// Random loop bounds: from 0 by 1; between any constants, including the greatest ones; or variables.
    fn bounds(&mut self) -> LoopKind {
        let width = [4, 8, 8, 16][self.rng.random_range(0..4)];
        let all = (1u128 << width) - 1;
        let [lower, upper, stride] = match self.rng.random_range(0..4) {
            0 => [0, self.rng.random_range(0..6), 1].map(|of| constant(width, of)),
            1 | 2 => {
                let most = if self.rng.random() { 5 } else { all / 2 };
                let stride = self.rng.random_range(1..=most);
                let span = (self.rng.random_range(0..5) * stride + self.rng.random_range(0..stride)).min(all);
                let lower =
                    if self.rng.random() { all - span } else { self.rng.random_range(0..=all - span) };
                [lower, lower + span, stride].map(|of| constant(width, of))
            }
            _ => {
                let lower = self.at_most(100);
                let more = self.at_most(7);
                let upper = self.sum(&lower, &more);
                let less = self.at_most(2);
                let stride = self.sum(&less, &CanonExpr::of_constant(Int::one(8)));
                [lower, upper, stride].map(RegDdRef::terminal)
            }
        };
        LoopKind::Do { lower, upper, stride }
    }
    fn loop_node(&mut self, kind: LoopKind) -> Node {
        let ztt = if self.rng.random_range(0..3) == 0 { self.condition(0) } else { Vec::new() };
        let name = self.name();
        self.hir.create(Kind::Loop(HlLoop {
            kind,
            ztt,
            iv: ScalarType::int(8),
            name,
            most: None,
            most_by_flags: None,
            options: None,
            location: None,
            counters: Vec::new(),
            hints: Hints::default(),
        }))
    }
    fn label(&mut self) -> Node {
        let name = self.name();
        self.hir.create(Kind::Label(HlLabel { name }))
    }
    /// Fills a list at that level, with as many nodes as `size` allows.
    fn fill(&mut self, parent: Node, into: List, level: u32, size: u32) {
        let count = self.rng.random_range(u32::from(size > 3)..4.min(size + 2));
        for _ in 0..count {
            let node = match self.rng.random_range(0..if size > 1 { 9 } else { 4 }) {
                0..3 => {
                    let (to, form) = (self.var(), self.form(level));
                    self.assign(to, form)
                }
                3 => self.label(),
                4 | 5 => {
                    let conditions = self.condition(level);
                    self.hir.create(Kind::If(HlIf { conditions, location: None }))
                }
                6 => {
                    let var = self.var();
                    let (condition, cases) = (self.of_temp(var), vec![Int::new(8, 1), Int::new(8, 7)]);
                    let (hints, location) = (Hints::default(), None);
                    self.hir.create(Kind::Switch(HlSwitch { condition, cases, hints, location }))
                }
                7 => {
                    let first = self.label();
                    let l = self.loop_node(LoopKind::Unknown(first));
                    self.hir.insert_first(l, List::Body, first);
                    l
                }
                _ => {
                    let kind = self.bounds();
                    self.loop_node(kind)
                }
            };
            self.hir.insert_last(parent, into, node);
            let is_loop = matches!(self.hir.kind(node), Kind::Loop(_));
            for list in self.hir.lists(node).collect::<Vec<_>>() {
                let level = level + u32::from(is_loop && list == List::Body);
                self.fill(node, list, level, size / 2);
            }
            if let Kind::Loop(HlLoop { kind: LoopKind::Unknown(first), .. }) = *self.hir.kind(node) {
                let last = self.hir.last(node, List::Body).expect("its label");
                self.go(last, Target::Label(first));
            }
        }
    }
    /// Inserts a goto after a node; it is usually conditional and executes a limited number of times.
    fn go(&mut self, following: Node, target: Target) {
        let goto = self.hir.create(Kind::Goto(HlGoto { target }));
        let mut nodes = Vec::new();
        if self.rng.random_range(0..12) == 0 {
            nodes.push(goto);
        } else {
            let left = self.of_temp(self.left);
            let one = CanonExpr::of_constant(Int::all_ones(8));
            let less = self.sum(left.as_terminal().expect("a form"), &one);
            nodes.push(self.assign(self.left, less));
            let mut conditions = if self.rng.random() { self.condition(0) } else { Vec::new() };
            conditions.push(Predicate::new(Compare::Int(IntPredicate::Ne), [left, constant(8, 0)]));
            let branch = self.hir.create(Kind::If(HlIf { conditions, location: None }));
            let list = if self.rng.random_range(0..4) == 0 { List::Else } else { List::Then };
            self.hir.insert_first(branch, list, goto);
            nodes.push(branch);
        }
        for node in nodes.into_iter().rev() {
            self.hir.insert_after(following, node);
        }
    }
    /// Inserts gotos from anywhere to any label that they may jump to, or to an exit.
    fn gotos(&mut self) {
        let all: Vec<Node> = self.hir.nodes_in(self.region).into_iter().skip(1).collect();
        for _ in 0..self.rng.random_range(0..7) {
            let Some(at) = all.get(self.rng.random_range(0..all.len().max(1))).copied() else { return };
            let around: Vec<Node> = self.hir.loops_around(at).collect();
            let hir = &*self.hir;
            let may = |label: &Node| {
                matches!(hir.kind(*label), Kind::Label(_))
                    && hir.loops_around(*label).all(|l| around.contains(&l))
            };
            let labels = all.iter().copied().filter(may).map(Target::Label);
            let targets: Vec<Target> = labels.chain([Target::Exit(0), Target::Exit(1)]).collect();
            let target = targets[self.rng.random_range(0..targets.len())];
            self.go(at, target);
        }
    }
}

/// The state of an executing loop: its variable; for a loop with bounds also the last value and the stride.
struct Counting {
    now: u128,
    ends: Option<(u128, u128)>,
}

/// A tree that is being executed.
struct Execution<'h> {
    hir: &'h Hir,
    temps: HashMap<Temp, Int>,
    loops: HashMap<Node, Counting>,
    tally: Tally,
}

impl Execution<'_> {
    fn value(&self, node: Node, of: &RegDdRef) -> Int {
        let around: Vec<Node> = self.hir.loops_around(node).collect();
        let iv = |level: u32| self.loops[&around[around.len() - level as usize]].now;
        let form = of.as_terminal().expect("a scalar");
        form.value(&self.hir.blobs, &iv, &|t| self.temps.get(&t).copied()).expect("it is defined")
    }
    fn holds(&self, node: Node, all: &[Predicate]) -> bool {
        all.iter().all(|one| {
            let [left, right] = one.refs.each_ref().map(|of| self.value(node, of));
            let Compare::Int(pred) = one.compare else { unreachable!("integers") };
            pred.holds(left, right)
        })
    }
    /// The exit through which control leaves the region; `None` if that takes more than `most` steps.
    fn run(&mut self, region: Node, most: u32) -> Option<u32> {
        let mut at = At::Line(region);
        for _ in 0..most {
            match at {
                At::Done => return Some(0),
                At::Line(node)
                    if let Kind::Goto(HlGoto { target: Target::Exit(exit) }) = self.hir.kind(node) =>
                {
                    return Some(*exit);
                }
                _ => at = self.next(at),
            }
        }
        None
    }
    fn next(&mut self, at: At) -> At {
        let hir = self.hir;
        let ways = steps(hir, at);
        let l = |node| if let Kind::Loop(l) = hir.kind(node) { l } else { unreachable!("a loop") };
        match at {
            At::Entry(node) if self.holds(node, &l(node).ztt) => ways[ways.len() - 1],
            At::Entry(node) => after(hir, node),
            At::EndOf(node, List::Preheader) => {
                let counting = match &l(node).kind {
                    LoopKind::Do { lower, upper, stride } => {
                        let [first, last, by] = [lower, upper, stride].map(|of| self.value(node, of).bits());
                        assert!(first <= last && by > 0, "the maker's bounds are right");
                        self.tally.counted_otherwise += u64::from(first > 0 || by > 1);
                        Counting { now: first, ends: Some((last, by)) }
                    }
                    LoopKind::Unknown(_) => Counting { now: 0, ends: None },
                };
                self.loops.insert(node, counting);
                ways[0]
            }
            At::EndOf(node, List::Body) if matches!(hir.kind(node), Kind::Loop(_)) => {
                let counting = self.loops.get_mut(&node).expect("it has begun");
                match counting.ends {
                    Some((last, by)) if counting.now + by <= last => {
                        counting.now += by;
                        ways[0]
                    }
                    _ => ways[ways.len() - 1],
                }
            }
            At::Line(node) => match hir.kind(node) {
                Kind::If(branch) => ways[usize::from(!self.holds(node, &branch.conditions))],
                Kind::Switch(of) => {
                    let value = self.value(node, &of.condition);
                    ways[of.cases.iter().position(|case| *case == value).map_or(0, |at| at + 1)]
                }
                Kind::Inst(inst) => {
                    let to = inst.lval.as_ref().and_then(|of| of.as_temp(&hir.blobs)).expect("a variable");
                    let value = self.value(node, &inst.rvals[0]);
                    self.temps.insert(to, value);
                    ways[0]
                }
                Kind::Goto(goto) => {
                    let label = goto.label().expect("it stays in the region");
                    let begins = |l: &Node| match hir.kind(*l) {
                        Kind::Loop(of) => of.kind == LoopKind::Unknown(label),
                        _ => false,
                    };
                    match hir.loops_around(label).find(begins) {
                        Some(l) => self.loops.get_mut(&l).expect("it has begun").now += 1,
                        None => self.tally.back += u64::from(!hir.comes_before(node, label)),
                    }
                    ways[0]
                }
                Kind::Region(_) | Kind::Loop(_) | Kind::Label(_) => ways[0],
            },
            At::EndOf(..) | At::Done => ways[0],
        }
    }
}

/// Counts of the tests.
#[derive(Default, Debug)]
struct Tally {
    trees: u64,
    /// Runs that ended, and runs that exceeded the step limit.
    ended: u64,
    endless: u64,
    /// Backward gotos other than backedges of loop nodes.
    back: u64,
    /// Executions of loops that do not count from 0 by 1.
    counted_otherwise: u64,
}

fn variable(hir: &mut Hir, name: String, value: Option<Value>) -> Temp {
    let (symbase, ty) = (hir.new_symbase(), ScalarType::int(8));
    hir.blobs.add_temp(TempData { name: name.into(), ty, symbase, value })
}

fn copied(hir: &mut Hir, to: Temp, from: Temp) -> Node {
    let [to, from] = [to, from].map(|temp| RegDdRef::terminal(CanonExpr::of_temp(&mut hir.blobs, temp, 0)));
    hir.create(Kind::Inst(HlInst::copy(to, from)))
}

/// The frame with its tree replaced; returns also the tree, its region and its variables.
fn with_tree(make: &mut dyn FnMut(&mut Hir, Node, [Temp; 3])) -> (Module, Hir, Node, [Temp; 3]) {
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
    (result, built.hir, region, vars)
}

/// Runs a tree, and the code that it was lowered to, on arguments.
fn compare(
    (result, hir, region, vars): &(Module, Hir, Node, [Temp; 3]),
    left: Option<Temp>,
    inputs: impl Iterator<Item = [u8; 3]>,
    tally: &mut Tally,
) {
    let config = Config { fuel: 40_000, ..Config::default() };
    let program = Program::new(result, &config);
    let mut machine = Machine::new(&program, config);
    for args in inputs {
        let given = args.map(|arg| Int::new(8, arg.into()));
        let text = || format!("{args:?}\n{}\n{}", hir.text(), module_to_string(result));
        let of_args = hir.blobs.temps().filter_map(|temp| match hir.blobs.temp(temp).value {
            Some(Value::Arg(number)) => Some((temp, given[number.index()])),
            _ => None,
        });
        let temps = of_args.chain(left.map(|left| (left, Int::zero(8)))).collect();
        let mut run = Execution { hir, temps, loops: HashMap::new(), tally: Tally::default() };
        let exit = run.run(*region, 4_000);
        let input = Input::new(args.map(|arg| ArgSpec::Int(arg.into())).to_vec());
        let ended = machine
            .run(named(result), &input, &mut RandomChooser::new(0), &mut NoObserver)
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
        let mut rng = Dice::new(seed);
        let size = rng.random_range(2..16);
        let inputs: Vec<[u8; 3]> = (0..6).map(|_| rng.random()).collect();
        let mut ends = None;
        let made = with_tree(&mut |hir, region, vars| {
            let left = *ends.insert(variable(hir, "%left".into(), None));
            let rng = Dice::new(seed);
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
        let rng = Dice::new(0);
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
