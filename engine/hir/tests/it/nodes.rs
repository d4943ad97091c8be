//! Trees of nodes, mostly random: lists against plain vectors, order against text, dominance against its definition,
//! copies against their originals.

use crate::common::meaning::{At, steps};
use backedge_hir::blob::{ScalarType, TempData};
use backedge_hir::node::{
    Compare, Event, Hints, HlGoto, HlIf, HlInst, HlLabel, HlLoop, HlRegion, HlSwitch, Kind, List, LoopKind,
    Predicate, Problem, Step, Target, Visitor,
};
use backedge_hir::{CanonExpr, Hir, Node, RegDdRef, Symbase, Temp};
use backedge_ir::inst::IntPredicate;
use backedge_ir::int::Int;
use backedge_testkit::Dice;
use rand::RngExt;
use std::collections::{HashMap, HashSet};

fn constant(value: u128) -> RegDdRef {
    RegDdRef::terminal(CanonExpr::of_constant(Int::new(8, value)))
}

fn of_temp(hir: &mut Hir, temp: Temp) -> RegDdRef {
    RegDdRef::terminal(CanonExpr::of_temp(&mut hir.blobs, temp, 0))
}

fn add_temp(hir: &mut Hir, name: &str) -> Temp {
    let symbase = Symbase(Symbase::FIRST.0 + hir.blobs.temps().len() as u32);
    hir.blobs.add_temp(TempData { name: name.into(), ty: ScalarType::int(8), symbase, value: None })
}

/// `%t = %t;`
fn inst(hir: &mut Hir, temp: Temp) -> Node {
    let of = of_temp(hir, temp);
    hir.create(Kind::Inst(HlInst::copy(of.clone(), of)))
}

fn condition(hir: &mut Hir, temp: Temp) -> Vec<Predicate> {
    let refs = [of_temp(hir, temp), constant(3)];
    vec![Predicate::new(Compare::Int(IntPredicate::Ult), refs)]
}

fn counted(hir: &mut Hir, guarded: bool, temp: Temp) -> Node {
    let kind = LoopKind::Do { lower: constant(0), upper: constant(3), stride: constant(1) };
    let ztt = if guarded { condition(hir, temp) } else { Vec::new() };
    hir.create(Kind::Loop(HlLoop {
        kind,
        ztt,
        iv: ScalarType::int(8),
        name: "l".into(),
        most: None,
        most_by_flags: None,
        options: None,
        location: None,
        counters: Vec::new(),
        hints: Hints::default(),
    }))
}

fn label(hir: &mut Hir, name: &str) -> Node {
    hir.create(Kind::Label(HlLabel { name: name.into() }))
}

fn unknown(hir: &mut Hir, name: &str) -> Node {
    let first = label(hir, name);
    let kind = LoopKind::Unknown(first);
    let l = hir.create(Kind::Loop(HlLoop {
        kind,
        ztt: Vec::new(),
        iv: ScalarType::int(8),
        name: name.into(),
        most: None,
        most_by_flags: None,
        options: None,
        location: None,
        counters: Vec::new(),
        hints: Hints::default(),
    }));
    hir.insert_first(l, List::Body, first);
    l
}

struct Random {
    hir: Hir,
    region: Node,
    temps: Vec<Temp>,
    rng: Dice,
    labels: u32,
}

impl Random {
    fn new(seed: u64, size: u32) -> Self {
        let mut hir = Hir::default();
        let temps = ["%a", "%b", "%c"].map(|name| add_temp(&mut hir, name)).to_vec();
        let region =
            hir.add_region(HlRegion { name: "r".into(), exits: vec!["out".into()], live_out: Vec::new() });
        let mut random = Self { hir, region, temps, rng: Dice::new(seed), labels: 0 };
        for _ in 0..size {
            let node = random.node();
            random.put(node);
        }
        for _ in 0..size / 6 {
            random.goto();
        }
        random.hir.refresh_all(region);
        random
    }
    fn temp(&mut self) -> Temp {
        self.temps[self.rng.random_range(0..self.temps.len())]
    }
    fn node(&mut self) -> Node {
        let temp = self.temp();
        match self.rng.random_range(0..10) {
            0 | 1 => {
                let guarded = self.rng.random();
                counted(&mut self.hir, guarded, temp)
            }
            2 => {
                self.labels += 1;
                unknown(&mut self.hir, &format!("u{}", self.labels))
            }
            3 | 4 => {
                let conditions = condition(&mut self.hir, temp);
                self.hir.create(Kind::If(HlIf { conditions, location: None }))
            }
            5 => {
                let cases = vec![Int::new(8, 1), Int::new(8, 7)];
                let condition = of_temp(&mut self.hir, temp);
                self.hir.create(Kind::Switch(HlSwitch {
                    condition,
                    cases,
                    hints: Hints::default(),
                    location: None,
                }))
            }
            6 => {
                self.labels += 1;
                label(&mut self.hir, &format!("l{}", self.labels))
            }
            _ => inst(&mut self.hir, temp),
        }
    }
    /// A random list of a random node in the region.
    fn list(&mut self) -> (Node, List) {
        let all = self.hir.nodes_in(self.region);
        let lists: Vec<(Node, List)> =
            all.iter().flat_map(|n| self.hir.lists(*n).map(|l| (*n, l)).collect::<Vec<_>>()).collect();
        lists[self.rng.random_range(0..lists.len())]
    }
    fn put(&mut self, node: Node) {
        let (parent, list) = self.list();
        let unknown =
            matches!(self.hir.kind(parent), Kind::Loop(l) if matches!(l.kind, LoopKind::Unknown(_)));
        if self.rng.random() && !(unknown && list == List::Body) {
            self.hir.insert_first(parent, list, node);
        } else {
            self.hir.insert_last(parent, list, node);
        }
    }
    /// Inserts a goto from a random place to a label that it may jump to.
    fn goto(&mut self) {
        let all = self.hir.nodes_in(self.region);
        let at = all[self.rng.random_range(0..all.len())];
        let may = |target: &Node| {
            let hir = &self.hir;
            let around: Vec<Node> = hir.loops_around(at).collect();
            matches!(hir.kind(*target), Kind::Label(_))
                && hir.loops_around(*target).all(|l| around.contains(&l))
        };
        let labels = all.iter().copied().filter(may).map(Target::Label);
        let targets: Vec<Target> = labels.chain([Target::Exit(0)]).collect();
        if at == self.region {
            return;
        }
        let target = targets[self.rng.random_range(0..targets.len())];
        let goto = self.hir.create(Kind::Goto(HlGoto { target }));
        self.hir.insert_after(at, goto);
    }
}

#[test]
fn random_trees_are_right_and_their_numbers_are_their_lines() {
    for seed in 0..200 {
        let random = Random::new(seed, 40);
        let hir = &random.hir;
        let problems = hir.check(random.region);
        assert!(problems.is_empty(), "{problems:?}\n{}", hir.text());
        let text = hir.text();
        // The end of a loop repeats the loop's number.
        let lines = text.lines().filter(|line| !line.ends_with("+ END LOOP"));
        let numbers: Vec<u32> =
            lines.filter_map(|line| line.strip_prefix('<')?.split_once('>')?.0.parse().ok()).collect();
        assert!(numbers.iter().copied().eq(0..numbers.len() as u32), "{text}");
        let nodes = hir.nodes_in(random.region);
        assert_eq!(numbers.len(), nodes.len(), "each node has a line\n{text}");
        let lines: Vec<&str> = text.lines().collect();
        for node in &nodes {
            let number = format!("<{}>", hir.number(*node).expect("it is in the region"));
            let line = lines.iter().find(|l| l.starts_with(&number)).expect("its line");
            assert!(line.ends_with(&hir.line(*node)), "{line} is not {}", hir.line(*node));
        }
        for pair in nodes.windows(2) {
            let by_number = hir.number(pair[0]) < hir.number(pair[1]);
            assert_eq!(hir.comes_before(pair[0], pair[1]), by_number);
        }
    }
}

#[test]
fn lists_are_what_was_done_to_them() {
    for seed in 0..100 {
        let mut random = Random::new(seed, 0);
        let mut model: Vec<Node> = Vec::new();
        for _ in 0..60 {
            let at = if model.is_empty() { 0 } else { random.rng.random_range(0..model.len()) };
            let temp = random.temp();
            let (hir, region) = (&mut random.hir, random.region);
            match random.rng.random_range(0..7) {
                0 => {
                    let node = inst(hir, temp);
                    hir.insert_first(region, List::Body, node);
                    model.insert(0, node);
                }
                1 => {
                    let node = inst(hir, temp);
                    hir.insert_last(region, List::Body, node);
                    model.push(node);
                }
                2 if !model.is_empty() => {
                    let node = inst(hir, temp);
                    hir.insert_before(model[at], node);
                    model.insert(at, node);
                }
                3 if !model.is_empty() => {
                    let node = inst(hir, temp);
                    hir.insert_after(model[at], node);
                    model.insert(at + 1, node);
                }
                4 if !model.is_empty() => hir.remove(model.remove(at)),
                5 if model.len() > 1 => {
                    let node = model.remove(at);
                    let to = random.rng.random_range(0..model.len());
                    if random.rng.random() {
                        hir.move_before(model[to], node);
                        model.insert(to, node);
                    } else {
                        hir.move_after(model[to], node);
                        model.insert(to + 1, node);
                    }
                }
                _ => {}
            }
            assert!(hir.children(region, List::Body).eq(model.iter().copied()));
            let last = hir.last(region, List::Body);
            assert!(std::iter::successors(last, |n| hir.prev(*n)).eq(model.iter().rev().copied()));
            assert!(model.iter().all(|n| hir.have_same_list(*n, model[0]) && hir.parent(*n) == Some(region)));
        }
    }
}

fn reached(hir: &Hir, from: At, without: Option<Node>) -> HashSet<At> {
    let mut seen = HashSet::new();
    let mut work = vec![from];
    while let Some(at) = work.pop() {
        if Some(at) != without.map(At::Line) && seen.insert(at) {
            work.extend(steps(hir, at));
        }
    }
    seen
}

#[test]
fn dominance_is_what_its_definition_says() {
    let (mut held, mut compared) = (0, 0);
    for seed in 0..60 {
        let random = Random::new(1000 + seed, 24);
        let (hir, region) = (&random.hir, random.region);
        let nodes = hir.nodes_in(region);
        let begin = At::Line(region);
        let all = reached(hir, begin, None);
        let ends: HashMap<Node, bool> =
            nodes.iter().map(|n| (*n, reached(hir, At::Line(*n), None).contains(&At::Done))).collect();
        for a in &nodes {
            let avoiding = reached(hir, begin, Some(*a));
            for b in &nodes {
                let dominated = all.contains(&At::Line(*b)) && !avoiding.contains(&At::Line(*b));
                assert_eq!(hir.dominates(*a, *b), dominated, "seed {seed}: {a:?} {b:?}\n{}", hir.text());
                let to_end = a != b && reached(hir, At::Line(*b), Some(*a)).contains(&At::Done);
                let post = ends[b] && !to_end;
                assert_eq!(hir.post_dominates(*a, *b), post, "seed {seed}: {a:?} {b:?}\n{}", hir.text());
                held += u32::from(dominated && a != b) + u32::from(post && a != b);
                compared += 1;
            }
        }
    }
    assert!(held > 5000 && compared > 30_000, "{held} of {compared}");
}

#[test]
fn copies_go_where_their_originals_do() {
    for seed in 0..100 {
        let mut random = Random::new(2000 + seed, 30);
        let nodes = random.hir.nodes_in(random.region);
        let root = nodes[random.rng.random_range(1..nodes.len())];
        let hir = &mut random.hir;
        let copy = hir.copy(root);
        assert_eq!(hir.parent(copy), None);
        hir.insert_after(root, copy);
        assert_eq!(hir.next(root), Some(copy));
        let (of_root, of_copy) = (hir.nodes_in(root), hir.nodes_in(copy));
        assert_eq!(of_root.len(), of_copy.len());
        assert!(of_copy.iter().all(|n| !nodes.contains(n)), "a copy has nodes of its own");
        let pairs: HashMap<Node, Node> = of_root.iter().copied().zip(of_copy.iter().copied()).collect();
        for (a, b) in &pairs {
            assert_eq!(hir.line(*a).split(" = ").next(), hir.line(*b).split(" = ").next());
            assert_eq!(hir.list_of(*a), hir.list_of(*b));
            if let (Kind::Goto(of), Kind::Goto(to)) = (hir.kind(*a), hir.kind(*b)) {
                let label = of.label().map(|of| pairs.get(&of).copied().unwrap_or(of));
                assert_eq!(label, to.label());
            }
        }
        hir.move_all((copy, List::Then), (copy, List::Else));
    }
}

#[test]
fn walks_go_both_ways() {
    struct Seen(Vec<Node>, Vec<Node>);
    impl Visitor for Seen {
        fn enter(&mut self, hir: &Hir, node: Node) -> Step {
            self.0.push(node);
            if matches!(hir.kind(node), Kind::Switch(_)) { Step::Past } else { Step::Into }
        }
        fn leave(&mut self, _: &Hir, node: Node) {
            self.1.push(node);
        }
    }
    for seed in 0..50 {
        let random = Random::new(3000 + seed, 30);
        let (hir, region) = (&random.hir, random.region);
        let (mut forward, mut backward) = (Seen(vec![], vec![]), Seen(vec![], vec![]));
        assert!(hir.walk_forward(region, &mut forward) && hir.walk_backward(region, &mut backward));
        let in_switch = |n: &Node| hir.ancestors(*n).skip(1).any(|a| matches!(hir.kind(a), Kind::Switch(_)));
        let expected: Vec<Node> = hir.nodes_in(region).into_iter().filter(|n| !in_switch(n)).collect();
        assert_eq!(forward.0, expected);
        backward.1.reverse();
        assert_eq!(backward.1, expected, "backward is left in the order in which forward is entered");
        let entered = hir.events(region).into_iter().filter(|e| matches!(e, Event::Enter(_))).count();
        assert_eq!(entered, hir.nodes_in(region).len());
    }
}

/// A variable that is defined in a loop, and used in it, in a nested loop, and after it.
#[test]
fn levels_are_those_of_the_place() {
    let mut hir = Hir::default();
    let t = add_temp(&mut hir, "%t");
    let u = add_temp(&mut hir, "%u");
    let region =
        hir.add_region(HlRegion { name: "r".into(), exits: vec!["out".into()], live_out: Vec::new() });
    let outer = counted(&mut hir, false, t);
    let inner = counted(&mut hir, false, t);
    hir.insert_last(region, List::Body, outer);
    let defines = inst(&mut hir, t);
    hir.insert_last(outer, List::Body, defines);
    hir.insert_last(outer, List::Body, inner);
    let mut uses = Vec::new();
    for (parent, list) in [(inner, List::Body), (inner, List::Postexit), (region, List::Body)] {
        let blobs = &mut hir.blobs;
        let sum = CanonExpr::of_temp(blobs, t, 0).add_constant(
            Int::one(8),
            backedge_hir::canon::NoWrap::Unknown,
            blobs,
        );
        let sum = RegDdRef::terminal(sum.expect("a sum"));
        let lval = of_temp(&mut hir, u);
        let node = hir.create(Kind::Inst(HlInst::copy(lval, sum)));
        hir.insert_last(parent, list, node);
        uses.push(node);
    }
    assert!(hir.check(region).iter().any(|p| matches!(p, Problem::Attached(_))), "nothing is attached yet");
    hir.refresh_all(region);
    assert_eq!(hir.check(region), []);
    let levels: Vec<_> = uses
        .iter()
        .map(|n| (hir.level(*n), hir.kind(*n).refs()[1].blob_refs()[0].defined_at_level))
        .collect();
    assert_eq!(levels, [(2, 1), (1, 1), (0, 0)]);
    assert_eq!((hir.loop_level(outer), hir.loop_level(inner)), (1, 2));
    assert_eq!((hir.common_loop(uses[0], uses[1]), hir.common_loop(uses[0], uses[2])), (Some(outer), None));
    assert_eq!(hir.common_ancestor(uses[0], uses[1]), Some(inner));
    // Moved out of the loop, the variable is defined at level 0.
    hir.move_before(outer, defines);
    hir.refresh_all(region);
    assert_eq!(hir.kind(uses[0]).refs()[1].blob_refs()[0].defined_at_level, 0);
    // An induction variable outside of its loop, and a goto to a node that is not a label of the region.
    hir.edit(uses[2], |kind, _| {
        let Kind::Inst(inst) = kind else { unreachable!("an instruction") };
        inst.rvals[0] = RegDdRef::terminal(CanonExpr::of_iv(8, 1));
    });
    hir.refresh(uses[2]);
    assert_eq!(hir.check(region), [Problem::InductionVariable(uses[2])]);
    hir.remove(uses[2]);
    let lost = label(&mut hir, "lost");
    let goto = hir.create(Kind::Goto(HlGoto { target: Target::Label(lost) }));
    hir.insert_last(region, List::Body, goto);
    assert_eq!(hir.check(region), [Problem::Target(goto)]);
}
