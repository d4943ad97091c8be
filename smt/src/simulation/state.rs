//! A state of both functions at a pair of positions: a term for each live value and for the memories, and facts.
//!
//! A state describes all pairs of runs that some values of its symbols give. The facts are about the source's run: what
//! it has accessed, divided and branched on. If they are wrong, the source's run was undefined.

use super::term::{Nature, Op, Term, Terms, Ty};
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::InstKind;
use backedge_ir::int::Int;
use backedge_ir::opcode::IntPredicate;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// The index of the source.
pub(super) const SOURCE: usize = 0;
/// The index of the target.
pub(super) const TARGET: usize = 1;

/// A position: before instruction `at` of a block, after its phis.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Place {
    pub(super) block: Block,
    pub(super) at: usize,
    /// The number of cases of a `switch` that are known not to apply.
    pub(super) case: usize,
}

/// What is known where the source's run is defined.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Fact {
    /// The bytes may be accessed with this alignment.
    Access { pointer: Term, size: u64, align: u64, writes: bool },
    /// The value is neither undef nor poison.
    Defined(Term),
    /// The division, call, fill or copy on these operands is defined.
    Ran(Term),
    /// The condition has this value.
    Truth(Term, bool),
    /// A load of this type reads this value.
    Holds { memory: Term, pointer: Term, ty: Ty, value: Term },
}

impl Fact {
    /// The terms of the fact.
    pub(super) fn terms(&self) -> Vec<Term> {
        match self {
            Self::Access { pointer: term, .. }
            | Self::Defined(term)
            | Self::Ran(term)
            | Self::Truth(term, _) => {
                vec![*term]
            }
            Self::Holds { memory, pointer, value, .. } => vec![*memory, *pointer, *value],
        }
    }
    /// The fact with other terms.
    pub(super) fn with(&self, terms: &[Term]) -> Self {
        match (self, terms) {
            (Self::Access { size, align, writes, .. }, &[pointer]) => {
                Self::Access { pointer, size: *size, align: *align, writes: *writes }
            }
            (Self::Defined(_), &[term]) => Self::Defined(term),
            (Self::Ran(_), &[term]) => Self::Ran(term),
            (Self::Truth(_, value), &[term]) => Self::Truth(term, *value),
            (Self::Holds { ty, .. }, &[memory, pointer, value]) => {
                Self::Holds { memory, pointer, ty: *ty, value }
            }
            _ => unreachable!("a fact has as many terms as `terms` lists"),
        }
    }
}

/// An alloca that only loads, stores, fills and copies use.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Object {
    pub(super) memory: Term,
    pub(super) alive: bool,
}

/// The state of one function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct SideState {
    pub(super) place: Place,
    pub(super) values: BTreeMap<Inst, Term>,
    pub(super) memory: Term,
    pub(super) objects: BTreeMap<u32, Object>,
}

impl SideState {
    /// All terms, in an order that depends on the position only.
    pub(super) fn roots(&self) -> impl Iterator<Item = Term> + '_ {
        let values = self.values.values().copied();
        values.chain([self.memory]).chain(self.objects.values().map(|object| object.memory))
    }
    /// Replaces all terms, in the order of [`Self::roots`].
    pub(super) fn replace(&mut self, mut new: impl Iterator<Item = Term>) {
        let mut next = |term: &mut Term| *term = new.next().expect("a term for each root");
        self.values.values_mut().for_each(&mut next);
        next(&mut self.memory);
        self.objects.values_mut().for_each(|object| next(&mut object.memory));
    }
    /// Whether both have the same values and objects, with whatever terms.
    pub(super) fn looks_like(&self, other: &Self) -> bool {
        self.place == other.place
            && self.values.keys().eq(other.values.keys())
            && self.objects.keys().eq(other.objects.keys())
            && self.objects.values().map(|o| o.alive).eq(other.objects.values().map(|o| o.alive))
    }
}

/// The state of both functions: the source's first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct State {
    pub(super) sides: [SideState; 2],
    pub(super) facts: BTreeSet<Fact>,
    /// Operations that choose, and that the target has executed: another execution may choose another result.
    pub(super) chosen: BTreeSet<Term>,
}

impl State {
    /// All terms of both functions.
    pub(super) fn roots(&self) -> impl Iterator<Item = Term> + '_ {
        self.sides.iter().flat_map(SideState::roots)
    }
    /// Drops facts about values that the state does not have.
    pub(super) fn prune(&mut self, terms: &Terms) {
        let reachable = terms.reachable(self.roots());
        let mut known: FxHashMap<Term, bool> = FxHashMap::default();
        self.facts
            .retain(|fact| fact.terms().iter().all(|term| has_values(terms, *term, &reachable, &mut known)));
        let mut all = reachable;
        all.extend(terms.reachable(self.facts.iter().flat_map(Fact::terms)));
        self.chosen.retain(|term| all.contains(term));
    }
    /// Makes the loads of the graph use the facts of this state.
    pub(super) fn enter(&self, terms: &mut Terms) {
        terms.holds = self
            .facts
            .iter()
            .filter_map(|fact| match fact {
                Fact::Holds { memory, pointer, ty, value } => Some(((*memory, *pointer, *ty), *value)),
                _ => None,
            })
            .collect();
    }
}

/// Whether all symbols in the term are among the reachable ones.
fn has_values(
    terms: &Terms,
    term: Term,
    reachable: &FxHashSet<Term>,
    known: &mut FxHashMap<Term, bool>,
) -> bool {
    let mut work = vec![term];
    while let Some(&at) = work.last() {
        if known.contains_key(&at) {
            work.pop();
            continue;
        }
        let open: Vec<Term> =
            terms.get(at).operands.iter().copied().filter(|part| !known.contains_key(part)).collect();
        if open.is_empty() || reachable.contains(&at) {
            let is_symbol = matches!(terms.op(at), Op::Symbol(_));
            let all = reachable.contains(&at)
                || !is_symbol && terms.get(at).operands.iter().all(|part| known[part]);
            known.insert(at, all);
        } else {
            work.extend(open);
        }
    }
    known[&term]
}

/// Whether the value is neither undef nor poison.
pub(super) fn is_defined(terms: &Terms, facts: &BTreeSet<Fact>, term: Term) -> bool {
    let nature = terms.nature(term);
    if nature == Nature::DEFINED || facts.contains(&Fact::Defined(term)) {
        return true;
    }
    let node = terms.get(term);
    let may_fail = match &node.op {
        Op::Inst(kind) => super::flags::may_be_poison(kind),
        _ => true,
    };
    !may_fail && !node.operands.is_empty() && node.operands.iter().all(|o| is_defined(terms, facts, *o))
}

/// The nature of a value where the facts hold.
pub(super) fn nature_in(terms: &Terms, facts: &BTreeSet<Fact>, term: Term) -> Nature {
    if is_defined(terms, facts, term) { Nature::DEFINED } else { terms.nature(term) }
}

/// The value of a condition (a result of [`Terms::decision`]), if the facts decide it.
pub(super) fn decide(terms: &mut Terms, facts: &BTreeSet<Fact>, condition: Term) -> Option<bool> {
    if let Some(value) = terms.as_int(condition) {
        return Some(value.bits() == 1);
    }
    for value in [true, false] {
        if facts.contains(&Fact::Truth(condition, value)) {
            return Some(value);
        }
    }
    let node = terms.get(condition).clone();
    let Op::Inst(InstKind::ICmp { pred, .. }) = node.op else { return None };
    let (a, b) = (node.operands[0], node.operands[1]);
    // Another comparison of the same value may have chosen other values for undef bits.
    if nature_in(terms, facts, a).undef || nature_in(terms, facts, b).undef {
        return None;
    }
    if a == b && !nature_in(terms, facts, a).poison {
        return Some(pred == IntPredicate::Eq);
    }
    let c = terms.as_int(b)?;
    if pred == IntPredicate::Eq && terms.never_equals(a, c) {
        return Some(false);
    }
    decided_by_ranges(terms, facts, (pred, a, c))
}

/// Unsigned and signed bounds of a value, and values that it does not have, from comparisons with constants.
struct Bounds {
    unsigned: (Int, Int),
    signed: (Int, Int),
    not: Vec<Int>,
}

fn decided_by_ranges(
    terms: &Terms,
    facts: &BTreeSet<Fact>,
    (pred, a, c): (IntPredicate, Term, Int),
) -> Option<bool> {
    let width = c.width();
    let mut bounds = Bounds {
        unsigned: (Int::zero(width), Int::unsigned_max(width)),
        signed: (Int::signed_min(width), Int::signed_max(width)),
        not: Vec::new(),
    };
    for fact in facts {
        let Fact::Truth(term, value) = fact else { continue };
        let node = terms.get(*term);
        let Op::Inst(InstKind::ICmp { pred, samesign: false }) = node.op else { continue };
        if node.operands[0] != a {
            continue;
        }
        let Some(bound) = terms.as_int(node.operands[1]) else { continue };
        bounds.narrow(if *value { pred } else { pred.inverse() }, bound);
    }
    bounds.decide(pred, c)
}

impl Bounds {
    fn narrow(&mut self, pred: IntPredicate, c: Int) {
        use IntPredicate as P;
        let one = Int::one(c.width());
        let ((ul, uh), (sl, sh)) = (self.unsigned, self.signed);
        match pred {
            P::Eq => (self.unsigned, self.signed) = ((c, c), (c, c)),
            P::Ne => self.not.push(c),
            P::Ult if c.bits() != 0 => self.unsigned = (ul, uh.umin(c.sub(one))),
            P::Ule => self.unsigned = (ul, uh.umin(c)),
            P::Ugt if c != Int::unsigned_max(c.width()) => self.unsigned = (ul.umax(c.add(one)), uh),
            P::Uge => self.unsigned = (ul.umax(c), uh),
            P::Slt if c != Int::signed_min(c.width()) => self.signed = (sl, sh.smin(c.sub(one))),
            P::Sle => self.signed = (sl, sh.smin(c)),
            P::Sgt if c != Int::signed_max(c.width()) => self.signed = (sl.smax(c.add(one)), sh),
            P::Sge => self.signed = (sl.smax(c), sh),
            P::Ult | P::Ugt | P::Slt | P::Sgt => {}
        }
    }
    fn decide(&self, pred: IntPredicate, c: Int) -> Option<bool> {
        use IntPredicate as P;
        let ((ul, uh), (sl, sh)) = (self.unsigned, self.signed);
        let outside = c.ult(ul) || c.ugt(uh) || c.slt(sl) || c.sgt(sh) || self.not.contains(&c);
        match pred {
            P::Eq if outside => Some(false),
            P::Eq if ul == c && uh == c => Some(true),
            P::Ult if uh.ult(c) => Some(true),
            P::Ult if ul.uge(c) => Some(false),
            P::Ugt if ul.ugt(c) => Some(true),
            P::Ugt if uh.ule(c) => Some(false),
            P::Slt if sh.slt(c) => Some(true),
            P::Slt if sl.sge(c) => Some(false),
            P::Sgt if sl.sgt(c) => Some(true),
            P::Sgt if sh.sle(c) => Some(false),
            _ => None,
        }
    }
}

/// Whether the fact follows from others.
pub(super) fn follows(terms: &mut Terms, facts: &BTreeSet<Fact>, fact: &Fact) -> bool {
    match fact {
        _ if facts.contains(fact) => true,
        Fact::Access { pointer, size, align, writes } => {
            // An access of no bytes needs only a pointer.
            *size == 0 && is_defined(terms, facts, *pointer)
                || may_access(terms, facts, *pointer, (*size, *align, *writes))
        }
        Fact::Defined(term) => is_defined(terms, facts, *term),
        Fact::Truth(term, value) => decide(terms, facts, *term) == Some(*value),
        Fact::Holds { memory, pointer, ty, value } => {
            terms.size_of(*ty).is_some_and(|size| terms.read(*memory, *pointer, size, *ty) == *value)
        }
        Fact::Ran(_) => false,
    }
}

/// Whether an access is within bytes that another access has shown to be accessible, or within an alloca.
fn may_access(
    terms: &mut Terms,
    facts: &BTreeSet<Fact>,
    pointer: Term,
    (size, align, writes): (u64, u64, bool),
) -> bool {
    let address = terms.address(pointer);
    if let Op::Local(number) = terms.op(address.root) {
        let (bytes, known) = terms.local(*number);
        let at = u64::try_from(address.offset).ok().filter(|_| address.indices.is_empty());
        let inside = at.is_some_and(|at| at.checked_add(size).is_some_and(|end| end <= bytes));
        if inside && known % align == 0 && at.is_some_and(|at| at % align == 0) {
            return true;
        }
    }
    let shown: Vec<(Term, u64, u64)> = facts
        .iter()
        .filter_map(|fact| match fact {
            Fact::Access { pointer, size, align, writes: w } if *w || !writes => {
                Some((*pointer, *size, *align))
            }
            _ => None,
        })
        .collect();
    shown.into_iter().any(|(other, length, aligned)| {
        if other == pointer {
            return size <= length && aligned % align == 0;
        }
        let other = terms.address(other);
        let distance = address.offset.wrapping_sub(other.offset);
        let inside = u64::try_from(distance)
            .is_ok_and(|at| at.checked_add(size).is_some_and(|end| end <= length) && at % align == 0);
        other.root == address.root && other.indices == address.indices && inside && aligned % align == 0
    })
}

/// All terms that the values, memories and facts of a state contain.
pub(super) fn is_in_use(terms: &Terms, state: &State) -> FxHashSet<Term> {
    let mut all = terms.reachable(state.roots());
    all.extend(terms.reachable(state.facts.iter().flat_map(Fact::terms)));
    all
}
