//! Determines where claims are checked: the points at which all leaves of an expression are defined, and the places of
//! the encoded function that represent a point.
//!
//! An expression is defined from the latest definition among its leaves on. That point is the start of a block (after
//! the phis; arguments are defined at the start of the entry block, recurrences at the start of their loop's header) or
//! an instruction. Flags and ranges are checked whenever execution passes that point: between two passes, none of the
//! leaves defined there changes. A narrower scope begins at a block or a loop header, and includes definitions inside
//! it.

use crate::claims::evaluate::{EvaluationPoint, Evaluator, Modelled, NotModelled, PlaceId};
use crate::encode::world::World;
use crate::term::Term;
use backedge_claim::claim::Scope;
use backedge_claim::expr::{ExprId, Node};
use backedge_claim::loops::NaturalLoops;
use backedge_ir::body::Body;
use backedge_ir::cfg::Cfg;
use backedge_ir::dominators::Dominators;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::Value;
use rustc_hash::FxHashMap;

/// A point in a block: 0 is before the phis, 1 is after them, and n + 2 is after instruction n.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Point {
    pub(super) block: Block,
    pub(super) at: usize,
}

/// A place with the path to it. `position` is the index of the visit that contains the place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    pub(super) place: PlaceId,
    pub(super) path: Term,
    pub(super) position: usize,
}

/// Facts about the function's CFG.
pub(super) struct Graph<'a> {
    pub(super) body: &'a Body,
    pub(super) cfg: Cfg,
    pub(super) dominators: Dominators,
    pub(super) loops: NaturalLoops,
    positions: FxHashMap<Inst, usize>,
}

impl<'a> Graph<'a> {
    pub(super) fn new(body: &'a Body) -> Self {
        let cfg = Cfg::new(body);
        let dominators = Dominators::new(body, &cfg);
        let loops = NaturalLoops::with(&cfg, &dominators);
        let mut positions = FxHashMap::default();
        for block in body.blocks() {
            positions.extend(body.insts(block).iter().enumerate().map(|(n, inst)| (*inst, n + 2)));
        }
        Self { body, cfg, dominators, loops, positions }
    }
    /// The blocks that a run can only reach before it enters any cycle.
    pub(super) fn before_cycles(&self) -> impl Fn(Block) -> bool + '_ {
        let mut following = backedge_ir::entity::EntitySet::new();
        let mut work: Vec<Block> = Vec::new();
        // A block in a cycle reaches itself.
        for &block in self.cfg.rpo() {
            let mut seen = backedge_ir::entity::EntitySet::new();
            let mut stack = self.cfg.succs(block).to_vec();
            while let Some(next) = stack.pop() {
                if seen.insert(next) {
                    stack.extend(self.cfg.succs(next));
                }
            }
            if seen.contains(block) {
                work.push(block);
            }
        }
        while let Some(block) = work.pop() {
            if following.insert(block) {
                work.extend(self.cfg.succs(block));
            }
        }
        move |block| !following.contains(block)
    }

    /// Whether the loop of `header` can be exited and re-entered within one iteration of its parent loop, through a
    /// cycle that is not a natural loop.
    pub(super) fn is_entered_again(&self, header: Block) -> bool {
        let Some(natural) = self.loops.of_header(header) else { return false };
        let outer = natural.parent.map(|parent| self.loops.loops[parent].header);
        let mut seen = backedge_ir::entity::EntitySet::new();
        let mut stack = vec![header];
        while let Some(block) = stack.pop() {
            for &next in self.cfg.succs(block).iter().filter(|s| Some(**s) != outer) {
                if seen.insert(next) {
                    stack.push(next);
                }
            }
        }
        self.cfg.preds(header).iter().any(|p| !natural.blocks.contains(*p) && seen.contains(*p))
    }

    /// The point after which the result of `inst` is defined; phis are defined together. `None` if `inst` is in no
    /// block.
    pub(super) fn point_of(&self, inst: Inst) -> Option<Point> {
        let block = self.body.block_of(inst)?;
        let phi = self.body.inst(inst).kind.is_phi();
        Some(Point { block, at: if phi { 1 } else { self.positions[&inst] } })
    }
    /// The first point at which all leaves of `expr` are defined. There is none if no leaf's definition is dominated by
    /// all others.
    pub(super) fn defined(&self, e: &Evaluator<'_>, expr: ExprId) -> Modelled<Point> {
        let nowhere =
            || NotModelled("an expression without a point at which all leaves are defined".to_owned());
        let mut points = vec![Point { block: self.body.entry().ok_or_else(nowhere)?, at: 0 }];
        for id in e.exprs.subexpressions(expr) {
            match e.exprs.node(id) {
                Node::Unknown(Value::Inst(inst)) => points.push(self.point_of(*inst).ok_or_else(nowhere)?),
                Node::AddRec { header, .. } => points.push(Point { block: *header, at: 1 }),
                Node::Int(_)
                | Node::Unknown(Value::Arg(_) | Value::Const(_))
                | Node::Foreign(_)
                | Node::Cast(..)
                | Node::Nary(..)
                | Node::UDiv(..)
                | Node::VScale
                | Node::CouldNotCompute => {}
            }
        }
        let latest = points.iter().copied().find(|p| points.iter().all(|q| self.is_dominated_by(*p, *q)));
        latest.ok_or_else(nowhere)
    }
    /// Whether `b` dominates `a`, or they are the same point.
    fn is_dominated_by(&self, a: Point, b: Point) -> bool {
        if a.block == b.block { a.at >= b.at } else { self.dominators.dominates(b.block, a.block) }
    }
    /// The point at which a fact defined from `point` on is checked in `scope`; `None` if it never is.
    pub(super) fn within(&self, point: Point, scope: Scope) -> Option<Point> {
        let start = match scope {
            Scope::Defining => return Some(point),
            Scope::Block(block) => block,
            Scope::Loop(header) => header,
        };
        let start = Point { block: start, at: 1 };
        if self.is_dominated_by(start, point) {
            return Some(start);
        }
        let inside = match scope {
            Scope::Loop(header) => {
                self.loops.of_header(header).is_some_and(|l| l.blocks.contains(point.block))
            }
            Scope::Defining | Scope::Block(_) => self.is_dominated_by(point, start),
        };
        inside.then_some(point)
    }
    /// The instruction just before the point.
    fn inst_before(&self, point: Point) -> Option<Inst> {
        point.at.checked_sub(2).map(|n| self.body.insts(point.block)[n])
    }

    /// The places of a point.
    pub(super) fn sites(&self, e: &Evaluator<'_>, point: Point) -> Vec<Site> {
        let inst = self.inst_before(point);
        let mut sites = Vec::new();
        for (position, visit) in e.observed.visits.iter().enumerate().filter(|(_, v)| v.block == point.block)
        {
            let path = inst.map_or(Some(visit.begin), |inst| visit.after.get(&inst).copied());
            if let Some(path) = path {
                sites.push(Site { place: position, path, position });
            }
        }
        sites
    }
    /// The arrivals at the header of an open loop, as places on the edges to it.
    pub(super) fn arrivals(
        &self,
        e: &mut Evaluator<'_>,
        w: &mut World,
        header: Block,
    ) -> Modelled<Vec<Site>> {
        let Some(natural) = self.loops.of_header(header) else {
            return Err(NotModelled("a block that is not a loop header".to_owned()));
        };
        let mut sites = Vec::new();
        for (position, visit) in e.observed.visits.iter().enumerate() {
            let Some(&(_, path)) = visit.edges.iter().find(|edge| edge.0 == header) else { continue };
            let mut phis = FxHashMap::default();
            for phi in self.body.phis(header) {
                let value = self.body.incoming_from(phi, visit.block).and_then(|v| e.sym(position, v));
                let Some(value) = value else {
                    return Err(NotModelled("a value that enters a loop".to_owned()));
                };
                phis.insert(phi, value);
            }
            // The open form of a phi has no undef bits, so a phi that keeps them cannot be represented.
            for value in phis.values() {
                for scalar in value.scalars() {
                    let undef = scalar.has_undef(&mut w.terms);
                    if w.terms.as_bool(undef) != Some(false) {
                        return Err(NotModelled(
                            "an undef value that enters a loop, in a proof by induction".to_owned(),
                        ));
                    }
                }
            }
            let arrives = Some((header, natural.blocks.contains(visit.block)));
            sites.push((EvaluationPoint { visit: position, phis, arrives }, path, position));
        }
        Ok(sites
            .into_iter()
            .map(|(place, path, position)| {
                e.places.push(place);
                Site { place: e.places.len() - 1, path, position }
            })
            .collect())
    }
}
