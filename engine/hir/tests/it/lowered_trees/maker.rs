//! Makes random trees of loops, conditions, gotos and updates of variables.

use backedge_hir::blob::{NAry, ScalarType};
use backedge_hir::canon::NoWrap;
use backedge_hir::node::{
    Compare, Hints, HlGoto, HlIf, HlInst, HlLabel, HlLoop, HlSwitch, Kind, List, LoopKind, Predicate, Target,
};
use backedge_hir::{CanonExpr, Hir, Node, RegDdRef, Temp};
use backedge_ir::inst::IntPredicate;
use backedge_ir::int::Int;
use rand::RngExt;
use rand::rngs::StdRng;

/// A generator of trees.
pub(super) struct Maker<'h> {
    pub(super) hir: &'h mut Hir,
    pub(super) region: Node,
    pub(super) rng: StdRng,
    /// Three variables that are live out, and a counter that ends loops.
    pub(super) vars: [Temp; 3],
    pub(super) left: Temp,
    pub(super) names: u32,
}

pub(super) fn constant(width: u32, value: u128) -> RegDdRef {
    RegDdRef::terminal(CanonExpr::of_constant(Int::new(width, value)))
}

impl Maker<'_> {
    fn of_temp(&mut self, temp: Temp) -> RegDdRef {
        RegDdRef::terminal(CanonExpr::of_temp(&mut self.hir.blobs, temp, 0))
    }
    fn var(&mut self) -> Temp {
        self.vars[self.rng.random_range(0..3)]
    }
    pub(super) fn assign(&mut self, to: Temp, form: CanonExpr) -> Node {
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
    pub(super) fn sum(&mut self, a: &CanonExpr, b: &CanonExpr) -> CanonExpr {
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
    pub(super) fn loop_node(&mut self, kind: LoopKind) -> Node {
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
    pub(super) fn label(&mut self) -> Node {
        let name = self.name();
        self.hir.create(Kind::Label(HlLabel { name }))
    }
    /// Fills a list at that level, with as many nodes as `size` allows.
    pub(super) fn fill(&mut self, parent: Node, into: List, level: u32, size: u32) {
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
    pub(super) fn gotos(&mut self) {
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
