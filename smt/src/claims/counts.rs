//! Goals for claims about counts, for their assumed predicates, and for recurrences that are not addrecs.

use crate::claims::evaluate::{Evaluated, Modelled, NotModelled, PlaceId};
use crate::claims::goals::{Goal, Goals, Violation};
use crate::claims::points::{Point, Site};
use crate::encode::world::World;
use crate::term::{Bits, Term};
use backedge_claim::claim::{CountKind, Predicate, RecurrenceKind};
use backedge_claim::expr::{ExprId, Node};
use backedge_ir::entity::Block;
use backedge_ir::inst::{IntPredicate, Value};

/// A count with its assumed predicates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Count<'c> {
    pub(super) header: Block,
    pub(super) kind: CountKind,
    pub(super) count: ExprId,
    pub(super) max_or_zero: bool,
    pub(super) predicates: &'c [Predicate],
}

impl Goals<'_, '_> {
    /// Checks that `count` is loop-invariant: it is evaluated in each iteration instead of at the loop entry.
    fn is_of_entry(&self, header: Block, count: ExprId) -> Modelled<()> {
        let Some(natural) = self.graph.loops.of_header(header) else {
            return Err(NotModelled("a block that is not a loop header".to_owned()));
        };
        let exprs = self.e.exprs;
        let inside = |id: &ExprId| match exprs.node(*id) {
            Node::Unknown(Value::Inst(inst)) => {
                self.graph.body.block_of(*inst).is_none_or(|b| natural.blocks.contains(b))
            }
            Node::AddRec { header, .. } => natural.blocks.contains(*header),
            Node::Unknown(Value::Arg(_) | Value::Const(_))
            | Node::Int(_)
            | Node::Foreign(_)
            | Node::Cast(..)
            | Node::Nary(..)
            | Node::UDiv(..)
            | Node::VScale
            | Node::CouldNotCompute => false,
        };
        if exprs.subexpressions(count).iter().any(inside) {
            return Err(NotModelled("a count that varies in its loop".to_owned()));
        }
        Ok(())
    }
    /// The count at `place` inside its loop, and whether its assumptions hold.
    pub(super) fn count(
        &mut self,
        w: &mut World,
        place: PlaceId,
        count: &Count<'_>,
    ) -> Modelled<(Evaluated, Term)> {
        self.is_of_entry(count.header, count.count)?;
        let value = self.e.value(w, place, count.count)?;
        let mut assumed = w.terms.bool(true);
        for predicate in count.predicates {
            let one = self.assumed(w, place, predicate, count.header, value)?;
            assumed = w.terms.and(assumed, one);
        }
        Ok((value, assumed))
    }
    fn assumed(
        &mut self,
        w: &mut World,
        place: PlaceId,
        predicate: &Predicate,
        header: Block,
        count: Evaluated,
    ) -> Modelled<Term> {
        match predicate {
            Predicate::Compare { predicate, lhs, rhs } => {
                self.is_of_entry(header, *lhs)?;
                self.is_of_entry(header, *rhs)?;
                let (a, b) = (self.e.value(w, place, *lhs)?, self.e.value(w, place, *rhs)?);
                let (has_a, has_b) = (self.has_value(w, a), self.has_value(w, b));
                let holds = compare(w, *predicate, a.bits, b.bits);
                Ok(w.terms.and_all([has_a, has_b, holds]))
            }
            Predicate::Wrap { addrec, nusw, nssw } => {
                let exprs = self.e.exprs;
                let Node::AddRec { operands, header: at, .. } = exprs.node(*addrec) else {
                    return Err(NotModelled(
                        "an assumption about an expression that is not a recurrence".to_owned(),
                    ));
                };
                let &[start, step] = &operands[..] else {
                    return Err(NotModelled("an assumption on a recurrence of degree 2 or more".to_owned()));
                };
                if *at != header {
                    return Err(NotModelled("an assumption on another loop's recurrence".to_owned()));
                }
                self.is_of_entry(header, start)?;
                self.is_of_entry(header, step)?;
                let (a, b) = (self.e.value(w, place, start)?, self.e.value(w, place, step)?);
                let mut all = vec![self.has_value(w, a), self.has_value(w, b), self.has_value(w, count)];
                if *nusw {
                    all.push(increments_stay(w, false, a.bits, b.bits, count.bits));
                }
                if *nssw {
                    all.push(increments_stay(w, true, a.bits, b.bits, count.bits));
                }
                Ok(w.terms.and_all(all))
            }
        }
    }

    /// An exit count: for the edges of `block` out of its loop, or for the edge to `target`. A symbolic maximum bounds the
    /// backedges that are taken.
    pub(super) fn exit_count(
        &mut self,
        w: &mut World,
        block: Block,
        target: Option<Block>,
        count: &Count<'_>,
    ) -> Modelled<Goal> {
        if count.kind != CountKind::Exact {
            return self.at_most(w, count);
        }
        let mut goal = Goal { blocks: vec![block], ..Goal::default() };
        let Some(natural) = self.graph.loops.of_header(count.header) else {
            return Err(NotModelled("a block that is not a loop header".to_owned()));
        };
        // An exit in an inner cycle may be passed several times in an iteration, and must be taken only the last time.
        // The goal that it is taken each time is stronger than the claim.
        let around = self.graph.loops.index_of(count.header);
        goal.stronger = around.is_some_and(|l| self.graph.loops.repeats_within(&self.graph.cfg, l, block));
        let visits = self.e.observed.visits.iter().enumerate().filter(|(_, v)| v.block == block);
        let edges: Vec<(Site, bool)> = visits
            .flat_map(|(position, visit)| {
                visit.edges.iter().map(move |&(to, path)| (Site { place: position, path, position }, to))
            })
            .map(|(site, to)| (site, !natural.blocks.contains(to) && target.is_none_or(|t| t == to)))
            .collect();
        for (site, fires) in edges {
            let Some(number) = self.e.number(w, site.place, count.header) else { continue };
            let (value, assumed) = self.count(w, site.place, count)?;
            let compared = self.compare(w, number, value.bits);
            let t = &mut w.terms;
            let wrong = if fires {
                let late = t.or(compared.greater, compared.equal);
                t.not(late)
            } else {
                compared.equal
            };
            let wrong = t.or(value.poison, wrong);
            let known = t.not(value.nothing);
            let wrong = t.and_all([wrong, known, assumed]);
            goal.elsewhere.push(self.instance(w, site, wrong.into(), Some(count.header)));
        }
        Ok(goal)
    }
    /// No arrival comes after the arrival with number `count`.
    pub(super) fn at_most(&mut self, w: &mut World, count: &Count<'_>) -> Modelled<Goal> {
        self.at(w, Point { block: count.header, at: 1 }, &mut |g, w, place| {
            let Some(number) = g.e.number(w, place, count.header) else {
                return Ok(Violation::from(w.terms.bool(false)));
            };
            let (value, assumed) = g.count(w, place, count)?;
            let compared = g.compare(w, number, value.bits);
            let has = g.has_value(w, value);
            Ok(w.terms.and_all([compared.greater, has, assumed]).into())
        })
    }
    /// A backedge-taken count.
    pub(super) fn taken_count(&mut self, w: &mut World, count: &Count<'_>) -> Modelled<Goal> {
        let mut goal = self.at_most(w, count)?;
        if count.kind != CountKind::Exact && !count.max_or_zero {
            return Ok(goal);
        }
        for site in self.exit_sites(count.header, &mut goal)? {
            let Some(number) = self.e.number(w, site.place, count.header) else { continue };
            let (value, assumed) = self.count(w, site.place, count)?;
            let compared = self.compare(w, number, value.bits);
            // The loop has exited, so a count that is poison or divides by zero is wrong.
            let wrong = if count.kind == CountKind::Exact {
                let other = w.terms.not(compared.equal);
                let known = w.terms.not(value.nothing);
                let wrong = w.terms.or(value.poison, other);
                w.terms.and(wrong, known)
            } else {
                let zero = w.terms.number(1, 0);
                let none = self.compare(w, number, zero).equal;
                let fine = w.terms.or(compared.equal, none);
                let (other, has) = (w.terms.not(fine), self.has_value(w, value));
                w.terms.and(other, has)
            };
            let wrong = w.terms.and(wrong, assumed);
            goal.elsewhere.push(self.instance(w, site, wrong.into(), Some(count.header)));
        }
        Ok(goal)
    }
    /// The trip count (backedges taken plus one) is a multiple of `multiple`.
    pub(super) fn multiple(&mut self, w: &mut World, header: Block, multiple: u64) -> Modelled<Goal> {
        let mut goal = Goal::default();
        for site in self.exit_sites(header, &mut goal)? {
            let Some(number) = self.e.number(w, site.place, header) else { continue };
            let wide = w.terms.width(number.base).max(64) + 2;
            let i = w.terms.zext(number.base, wide);
            let more = w.terms.number(wide, 1 + u128::from(number.next));
            let trips = w.terms.add(i, more);
            let divisor = w.terms.number(wide, multiple.into());
            let rest = w.terms.urem(trips, divisor);
            let rest = w.terms.is_nonzero(rest);
            // The low bits of a number determine divisibility only by a power of two.
            let divides = multiple.is_power_of_two() && multiple.ilog2() <= w.terms.width(number.base);
            let unknown = w.terms.bool(!divides);
            let unknown = w.terms.and(unknown, number.beyond);
            let wrong = w.terms.or(rest, unknown);
            goal.elsewhere.push(self.instance(w, site, wrong.into(), Some(header)));
        }
        Ok(goal)
    }

    /// A recurrence that is not an addrec.
    pub(super) fn recurrence(
        &mut self,
        w: &mut World,
        (value, header): (Value, Block),
        kind: RecurrenceKind,
        [start, step]: [ExprId; 2],
    ) -> Modelled<Goal> {
        self.is_of_entry(header, start)?;
        self.is_of_entry(header, step)?;
        if self.is_phi_of(value, header).is_none() {
            return Err(NotModelled(
                "a recurrence of a value that is not a phi of its loop header".to_owned(),
            ));
        }
        let mut goal = Goal { blocks: vec![header], ..Goal::default() };
        let sites = if self.e.open {
            self.arrivals(w, header)?
        } else {
            self.graph.sites(&self.e, Point { block: header, at: 1 })
        };
        let ty = self.graph.body.ty(value);
        for site in sites {
            let found = self.e.leaf(w, site.place, value, ty)?;
            let (start, step) = (self.e.value(w, site.place, start)?, self.e.value(w, site.place, step)?);
            let wrong = match self.e.places[site.place].arrives {
                // Each arrival with a value must follow an arrival with a value.
                Some((at, true)) if at == header => {
                    let Some(visit) = self.first_visit(header) else { continue };
                    let old = self.e.leaf(w, visit, value, ty)?;
                    let (claimed, none) = next(w, kind, old.bits, step.bits);
                    let had = self.has_value(w, old);
                    let [given, has] = [step, found].map(|v| self.has_value(w, v));
                    let t = &mut w.terms;
                    let differs = t.ne(claimed, found.bits);
                    let fine = t.not(none);
                    let lost = t.not(had);
                    let wrong = t.or(lost, differs);
                    t.and_all([given, has, fine, wrong])
                }
                Some(_) => self.other(w, start, found),
                None => {
                    let number = self.e.number(w, site.place, header);
                    let index = number.and_then(|n| w.terms.as_bits(n.base)?.to_u128());
                    let Some(index) = index else {
                        return Err(NotModelled("an iteration that is not known".to_owned()));
                    };
                    let (mut bits, mut none) = (start.bits, w.terms.bool(false));
                    for _ in 0..index {
                        let (new, poison) = next(w, kind, bits, step.bits);
                        (bits, none) = (new, w.terms.or(none, poison));
                    }
                    let poison = w.terms.or_all([start.poison, step.poison, none]);
                    let nothing = w.terms.or(start.nothing, step.nothing);
                    self.other(w, Evaluated { bits, poison, nothing }, found)
                }
            };
            goal.elsewhere.push(self.instance(w, site, wrong.into(), Some(header)));
        }
        Ok(goal)
    }
    /// Whether both have values and the values differ.
    fn other(&mut self, w: &mut World, a: Evaluated, b: Evaluated) -> Term {
        let (has_a, has_b) = (self.has_value(w, a), self.has_value(w, b));
        let differ = w.terms.ne(a.bits, b.bits);
        w.terms.and_all([has_a, has_b, differ])
    }
}

/// One step of a recurrence: the next value, and whether it is poison.
fn next(w: &mut World, kind: RecurrenceKind, x: Term, c: Term) -> (Term, Term) {
    let t = &mut w.terms;
    let width = t.width(x);
    let never = t.bool(false);
    let size = t.number(width, width.into());
    let too_far = t.ule(size, c);
    match kind {
        RecurrenceKind::Xor => (t.bv_xor(x, c), never),
        RecurrenceKind::SubFrom => (t.sub(c, x), never),
        RecurrenceKind::And => (t.bv_and(x, c), never),
        RecurrenceKind::Or => (t.bv_or(x, c), never),
        RecurrenceKind::Mul => (t.mul(x, c), never),
        RecurrenceKind::Shl => (t.shl(x, c), too_far),
        RecurrenceKind::LShr => (t.lshr(x, c), too_far),
        RecurrenceKind::AShr => (t.ashr(x, c), too_far),
        RecurrenceKind::UDiv => {
            let zero = t.number(width, 0);
            (t.udiv(x, c), t.eq(c, zero))
        }
    }
}

fn compare(w: &mut World, predicate: IntPredicate, a: Term, b: Term) -> Term {
    let t = &mut w.terms;
    match predicate {
        IntPredicate::Eq => t.eq(a, b),
        IntPredicate::Ne => t.ne(a, b),
        IntPredicate::Ugt => t.ult(b, a),
        IntPredicate::Uge => t.ule(b, a),
        IntPredicate::Ult => t.ult(a, b),
        IntPredicate::Ule => t.ule(a, b),
        IntPredicate::Sgt => t.slt(b, a),
        IntPredicate::Sge => t.sle(b, a),
        IntPredicate::Slt => t.slt(a, b),
        IntPredicate::Sle => t.sle(a, b),
    }
}

/// Whether start + i·step, with a signed step and a signed or unsigned start, stays in the range of the start for all i
/// up to `last`.
fn increments_stay(w: &mut World, signed: bool, start: Term, step: Term, last: Term) -> Term {
    let t = &mut w.terms;
    let width = t.width(start);
    let wide = width + t.width(last) + 2;
    let (step, last) = (t.sext_or_truncate(step, wide), t.zext(last, wide));
    let start = if signed { t.sext(start, wide) } else { t.zext(start, wide) };
    let far = t.mul(step, last);
    let end = t.add(start, far);
    let (least, most) = if signed {
        (Bits::signed_min(width).sext(wide), Bits::signed_max(width).zext(wide))
    } else {
        (Bits::zero(wide), Bits::ones(width).zext(wide))
    };
    let (least, most) = (t.constant(least), t.constant(most));
    let (above, below) = (t.sle(least, end), t.sle(end, most));
    t.and(above, below)
}
