//! Translates claims to goals: for each claim, the conditions under which a run violates it at each place where it is
//! checked.
//!
//! Poison leaves excuse a claim, and so do leaves with undef bits and expressions that divide by zero. Exact counts are
//! an exception: an exact exit count that is poison or divides by zero states that the branch of the exit is not
//! reached, and an exact loop count of this kind states that the loop is not exited.

use crate::claims::evaluate::{Evaluated, Evaluator, Modelled, NotModelled, Number, PlaceId};
use crate::claims::exact::{self, FlagViolation};
use crate::claims::points::{Graph, Point, Site};
use crate::encode::world::World;
use crate::term::{Bits, Term};
use backedge_claim::claim::{ClaimKind, Claims, Range};
use backedge_claim::expr::{ExprId, Flag, Node};
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{InstKind, Value};
use rustc_hash::FxHashMap;

/// One way to violate a claim.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instance {
    /// The run reaches the place and violates the claim there.
    pub(super) condition: Term,
    /// Whether the weak form of a flag is violated; `None` if the flag has only one form.
    pub(super) weak: Option<Term>,
    /// Index of the visit that contains the place.
    pub(super) position: usize,
    /// The header of the loop that the claim is about, and the number of the arrival.
    pub(super) at: Option<(Block, Term)>,
}

/// The violations of a claim.
#[derive(Clone, Debug, Default)]
pub(super) struct Goal {
    /// Violations on the edges to the header of an open loop, which proofs by induction exclude; empty for other
    /// claims.
    pub(super) edges: Vec<Instance>,
    /// The same violations in the visits of that header; their absence may be assumed once it is proved on the edges.
    pub(super) visits: Vec<Instance>,
    /// Violations at other places.
    pub(super) elsewhere: Vec<Instance>,
    /// Blocks in which the claim is checked, visited or not.
    pub(super) blocks: Vec<Block>,
    /// For a flag or range of a recurrence that defines values: the violations where such a value is not poison.
    pub(super) shown: Option<Vec<Instance>>,
    /// Whether the goal is stronger than the claim: a violation of the goal then does not violate the claim.
    pub(super) stronger: bool,
}

/// A violation at a place, independent of the path to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Violation {
    pub(super) wrong: Term,
    pub(super) weak: Option<Term>,
}

impl From<Term> for Violation {
    fn from(wrong: Term) -> Self {
        Self { wrong, weak: None }
    }
}

/// Builds goals.
pub(super) struct Goals<'g, 'a> {
    pub(super) e: Evaluator<'a>,
    pub(super) graph: &'g Graph<'a>,
    arrivals: FxHashMap<Block, Vec<Site>>,
    /// For each recurrence, the instructions whose expressions contain it.
    stated: FxHashMap<ExprId, Vec<Inst>>,
}

/// Maximum number of values considered for one recurrence: each adds a condition for every visit of its block.
const MANY_VALUES: usize = 8;

impl<'g, 'a> Goals<'g, 'a> {
    pub(super) fn new(e: Evaluator<'a>, graph: &'g Graph<'a>, claims: &Claims) -> Self {
        let mut stated: FxHashMap<ExprId, Vec<Inst>> = FxHashMap::default();
        for claim in claims.claims.iter().filter(|_| !e.open) {
            let ClaimKind::Value { value: Value::Inst(inst), expr } = claim.kind else { continue };
            for id in e.exprs.subexpressions(expr) {
                let is_addrec = matches!(e.exprs.node(id), Node::AddRec { .. });
                let known = stated.get(&id).map_or(0, Vec::len);
                if (is_addrec || id == expr) && known < MANY_VALUES {
                    stated.entry(id).or_default().push(inst);
                }
            }
        }
        Self { e, graph, arrivals: FxHashMap::default(), stated }
    }
    /// The edges to the header of an open loop.
    pub(super) fn arrivals(&mut self, w: &mut World, header: Block) -> Modelled<Vec<Site>> {
        if let Some(known) = self.arrivals.get(&header) {
            return Ok(known.clone());
        }
        let found = self.graph.arrivals(&mut self.e, w, header)?;
        self.arrivals.insert(header, found.clone());
        Ok(found)
    }
    /// The header of the innermost loop that contains a block.
    pub(super) fn around(&self, block: Block) -> Option<Block> {
        self.graph.loops.innermost(block).map(|l| self.graph.loops.loops[l].header)
    }

    /// A violation at a site, for a claim about the loop with header `header`.
    pub(super) fn instance(
        &mut self,
        w: &mut World,
        site: Site,
        violation: Violation,
        header: Option<Block>,
    ) -> Instance {
        let at = header.and_then(|h| Some((h, self.e.number(w, site.place, h)?)));
        let at = at.map(|(h, n)| {
            let one = w.terms.number(w.terms.width(n.base), n.next.into());
            (h, w.terms.add(n.base, one))
        });
        let condition = w.terms.and(site.path, violation.wrong);
        Instance { condition, weak: violation.weak, position: site.position, at }
    }
    /// The goal that `violation` holds at no place of `point`.
    pub(super) fn at(
        &mut self,
        w: &mut World,
        point: Point,
        violation: &mut dyn FnMut(&mut Self, &mut World, PlaceId) -> Modelled<Violation>,
    ) -> Modelled<Goal> {
        let header = self.around(point.block);
        let mut goal = Goal { blocks: vec![point.block], ..Goal::default() };
        let at_header = self.e.open && point.at <= 1 && self.graph.loops.of_header(point.block).is_some();
        if at_header {
            for site in self.arrivals(w, point.block)? {
                let wrong = violation(self, w, site.place)?;
                goal.edges.push(self.instance(w, site, wrong, header));
            }
        }
        for site in self.graph.sites(&self.e, point) {
            let wrong = violation(self, w, site.place)?;
            let instance = self.instance(w, site, wrong, header);
            if at_header { goal.visits.push(instance) } else { goal.elsewhere.push(instance) }
        }
        Ok(goal)
    }

    /// Whether the value is neither poison nor missing.
    pub(super) fn has_value(&mut self, w: &mut World, value: Evaluated) -> Term {
        let excused = w.terms.or(value.poison, value.nothing);
        w.terms.not(excused)
    }
    /// `value` equals `expr`.
    pub(super) fn equal(&mut self, w: &mut World, value: Value, expr: ExprId) -> Modelled<Goal> {
        let point = match value {
            Value::Inst(inst) => self.graph.point_of(inst),
            Value::Arg(_) | Value::Const(_) => self.graph.body.entry().map(|block| Point { block, at: 0 }),
        };
        let Some(point) = point else { return Ok(Goal::default()) };
        self.at(w, point, &mut |g, w, place| g.differs(w, place, value, expr).map(Violation::from))
    }
    /// Whether `value` and `expr` both have values at `place`, and the values differ.
    pub(super) fn differs(
        &mut self,
        w: &mut World,
        place: PlaceId,
        value: Value,
        expr: ExprId,
    ) -> Modelled<Term> {
        let claimed = self.e.value(w, place, expr)?;
        let found = self.e.leaf(w, place, value, self.graph.body.ty(value))?;
        if w.terms.width(claimed.bits) != w.terms.width(found.bits) {
            return Err(NotModelled("a value of another width than its expression".to_owned()));
        }
        let (a, b) = (self.has_value(w, claimed), self.has_value(w, found));
        let differ = w.terms.ne(claimed.bits, found.bits);
        Ok(w.terms.and_all([a, b, differ]))
    }
    /// The flag of a sum, product or recurrence, checked at `point`.
    pub(super) fn flag(&mut self, w: &mut World, expr: ExprId, flag: Flag, point: Point) -> Modelled<Goal> {
        self.at(w, point, &mut |g, w, place| g.violates_flag(w, place, expr, flag))
    }
    /// The violations for `expr` at places where values with `expr` in their expressions are not poison; `None` if
    /// there are no such values.
    pub(super) fn shown(
        &mut self,
        w: &mut World,
        expr: ExprId,
        violation: &mut dyn FnMut(&mut Self, &mut World, PlaceId) -> Modelled<Violation>,
    ) -> Modelled<Option<Vec<Instance>>> {
        let Some(values) = self.stated.get(&expr).cloned() else { return Ok(None) };
        let mut all = Vec::new();
        for inst in values {
            let Some(point) = self.graph.point_of(inst) else { continue };
            let ty = self.graph.body.ty(inst.into());
            let goal = self.at(w, point, &mut |g, w, place| {
                let Violation { wrong, weak } = violation(g, w, place)?;
                let value = g.e.leaf(w, place, inst.into(), ty)?;
                let has = g.has_value(w, value);
                Ok(Violation { wrong: w.terms.and(wrong, has), weak })
            })?;
            all.extend(goal.elsewhere);
        }
        Ok(Some(all))
    }
    pub(super) fn violates_flag(
        &mut self,
        w: &mut World,
        place: PlaceId,
        expr: ExprId,
        flag: Flag,
    ) -> Modelled<Violation> {
        let exprs = self.e.exprs;
        match exprs.node(expr) {
            Node::Nary(op, operands, _) => {
                let width = self.e.width(expr)?;
                let mut excused = w.terms.bool(false);
                let mut bits = Vec::new();
                for operand in operands {
                    let of = self.e.value(w, place, *operand)?;
                    excused = w.terms.or_all([excused, of.poison, of.nothing]);
                    bits.push(w.terms.zext_or_truncate(of.bits, width));
                }
                let FlagViolation { strong, weak } = exact::nary(w, *op, flag, &bits)?;
                let fine = w.terms.not(excused);
                Ok(Violation { wrong: w.terms.and(strong, fine), weak: Some(weak) })
            }
            Node::AddRec { operands, header, .. } => {
                let (exact, excused) = self.e.exact(w, place, operands, *header)?;
                let wraps = exact::addrec(&mut self.e, w, flag, &exact)?;
                let fine = w.terms.not(excused);
                Ok(w.terms.and(wraps, fine).into())
            }
            Node::Int(_)
            | Node::Unknown(_)
            | Node::Foreign(_)
            | Node::Cast(..)
            | Node::UDiv(..)
            | Node::VScale
            | Node::CouldNotCompute => {
                Err(NotModelled("a no-wrap flag on an expression that cannot have one".to_owned()))
            }
        }
    }
    /// The values of `expr` lie in `range`.
    pub(super) fn range(
        &mut self,
        w: &mut World,
        expr: ExprId,
        range: Range,
        point: Point,
    ) -> Modelled<Goal> {
        self.at(w, point, &mut |g, w, place| g.is_outside(w, place, expr, range))
    }
    pub(super) fn is_outside(
        &mut self,
        w: &mut World,
        place: PlaceId,
        expr: ExprId,
        range: Range,
    ) -> Modelled<Violation> {
        let value = self.e.value(w, place, expr)?;
        let width = w.terms.width(value.bits);
        let outside = match range {
            Range::Full => w.terms.bool(false),
            Range::Empty => w.terms.bool(true),
            Range::HalfOpen { lo, hi } => {
                let lo = w.terms.constant(Bits::new(width, lo));
                let hi = w.terms.constant(Bits::new(width, hi));
                let (from, length) = (w.terms.sub(value.bits, lo), w.terms.sub(hi, lo));
                w.terms.ule(length, from)
            }
        };
        let has = self.has_value(w, value);
        Ok(w.terms.and(outside, has).into())
    }
    /// `expr` has one value in all iterations of an entry of the loop. It is checked at the arrivals or, if its leaves
    /// are only defined after the header, where they are defined.
    pub(super) fn invariant(&mut self, w: &mut World, expr: ExprId, header: Block) -> Modelled<Goal> {
        let defined = self.graph.defined(&self.e, expr)?;
        let Some(natural) = self.graph.loops.of_header(header) else {
            return Err(NotModelled("a block that is not a loop header".to_owned()));
        };
        let arrival = Point { block: header, at: 1 };
        let point = if natural.blocks.contains(defined.block) { defined } else { arrival };
        let mut goal = Goal { blocks: vec![point.block], ..Goal::default() };
        if self.e.open {
            if point != arrival {
                return Err(NotModelled("an invariant value that is computed in each iteration".to_owned()));
            }
            // Each arrival with a value must follow an arrival with the same value.
            for site in self.arrivals(w, header)? {
                let arrives = self.e.places[site.place].arrives;
                let Some(first) = self.first_visit(header) else { continue };
                if arrives != Some((header, true)) {
                    continue;
                }
                let (old, new) = (self.e.value(w, first, expr)?, self.e.value(w, site.place, expr)?);
                let (had, has) = (self.has_value(w, old), self.has_value(w, new));
                let same = w.terms.eq(old.bits, new.bits);
                let kept = w.terms.and(had, same);
                let lost = w.terms.not(kept);
                let wrong = w.terms.and(has, lost);
                goal.elsewhere.push(self.instance(w, site, wrong.into(), Some(header)));
            }
            return Ok(goal);
        }
        if self.graph.is_entered_again(header) {
            return Err(NotModelled("irreducible control flow".to_owned()));
        }
        let sites = self.graph.sites(&self.e, point);
        for (number, site) in sites.iter().enumerate() {
            let same = |before: &&Site| self.is_same_entry(header, before.position, site.position);
            let before: Vec<Site> = sites[..number].iter().filter(same).copied().collect();
            for before in before {
                let (old, new) = (self.e.value(w, before.place, expr)?, self.e.value(w, site.place, expr)?);
                let (had, has) = (self.has_value(w, old), self.has_value(w, new));
                let differ = w.terms.ne(old.bits, new.bits);
                let wrong = w.terms.and_all([before.path, had, has, differ]);
                goal.elsewhere.push(self.instance(w, *site, wrong.into(), Some(header)));
            }
        }
        Ok(goal)
    }
    /// The only visit of the header of an open loop.
    pub(super) fn first_visit(&self, header: Block) -> Option<PlaceId> {
        self.e.observed.visits.iter().position(|v| v.block == header)
    }
    /// Whether two visits of blocks in the loop of `header` belong to the same entry of the loop: the enclosing loops
    /// are in the same iterations.
    fn is_same_entry(&self, header: Block, a: usize, b: usize) -> bool {
        let visits = &self.e.observed.visits;
        let of_header = visits.iter().find(|v| v.block == header);
        let around = of_header.map_or(0, |v| v.counters.len().saturating_sub(1));
        visits[a].counters.get(..around) == visits[b].counters.get(..around)
    }

    /// `value` equals `expr`, an expression in the parent's scope, when the loop is exited.
    pub(super) fn exit_value(
        &mut self,
        w: &mut World,
        value: Value,
        header: Block,
        expr: ExprId,
    ) -> Modelled<Goal> {
        let Value::Inst(inst) = value else { return Ok(Goal::default()) };
        let Some(home) = self.graph.body.block_of(inst) else { return Ok(Goal::default()) };
        let mut goal = Goal::default();
        for site in self.exit_sites(header, &mut goal)? {
            let from = self.e.observed.visits[site.position].block;
            if self.graph.dominators.dominates(home, from) {
                let wrong = self.differs(w, site.place, value, expr)?;
                goal.elsewhere.push(self.instance(w, site, wrong.into(), Some(header)));
            }
        }
        Ok(goal)
    }
    /// The edges out of the loop.
    pub(super) fn exit_sites(&self, header: Block, goal: &mut Goal) -> Modelled<Vec<Site>> {
        let Some(natural) = self.graph.loops.of_header(header) else {
            return Err(NotModelled("a block that is not a loop header".to_owned()));
        };
        goal.blocks.extend(&natural.exiting);
        let mut sites = Vec::new();
        for (position, visit) in self.e.observed.visits.iter().enumerate() {
            if natural.blocks.contains(visit.block) {
                let out = visit.edges.iter().filter(|(to, _)| !natural.blocks.contains(*to));
                sites.extend(out.map(|&(_, path)| Site { place: position, path, position }));
            }
        }
        Ok(sites)
    }

    /// A header phi that follows a recurrence other than an addrec.
    pub(super) fn is_phi_of(&self, value: Value, header: Block) -> Option<Inst> {
        let Value::Inst(inst) = value else { return None };
        let data = self.graph.body.inst(inst);
        let phi = matches!(data.kind, InstKind::Phi(_)) && self.graph.body.block_of(inst) == Some(header);
        phi.then_some(inst)
    }

    /// Compares the number of an arrival with a count, in the integers.
    pub(super) fn compare(&mut self, w: &mut World, number: Number, count: Term) -> Compared {
        let wide = w.terms.width(number.base).max(w.terms.width(count)) + 1;
        let (i, n) = (w.terms.zext(number.base, wide), w.terms.zext(count, wide));
        let one = w.terms.number(wide, number.next.into());
        let i = w.terms.add(i, one);
        let t = &mut w.terms;
        let (low, same) = (t.ult(n, i), t.eq(i, n));
        let within = t.not(number.beyond);
        Compared { greater: t.or(low, number.beyond), equal: t.and(same, within) }
    }
}

/// The comparison of an arrival number with a count.
#[derive(Clone, Copy, Debug)]
pub(super) struct Compared {
    pub(super) greater: Term,
    pub(super) equal: Term,
}
