//! The symbolic state of both programs at a node: values as variables or as terms that the facts define, values of
//! instructions that are evaluated early, and places where the memories may differ.

use crate::encode::function::{Encoded, Halt, Unsupported};
use crate::encode::observed::Values as ByInst;
use crate::encode::pointer::block_of;
use crate::encode::value::{Scalar, Sym};
use crate::encode::world::{BLOCK_BITS, OFFSET_BITS, POINTER_BITS, Side, World};
use crate::proof::lang::fact::{Atom, Fact, Linear, Owner, Part, Reading, ValueRef, Values};
use crate::proof::lang::number::inverse;
use crate::proof::lang::step::{Known, Place};
use crate::proof::vc::pair::Pair;
use crate::proof::vc::program::{AtCut, Stretch};
use crate::term::Term;
use backedge_ir::entity::{EntityId, Inst};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// The values of one side at its place.
#[derive(Clone, Default)]
pub(in crate::proof) struct SideState {
    pub(in crate::proof) values: Rc<ByInst>,
    /// The values of instructions that are evaluated early.
    pub(in crate::proof) ahead: Rc<ByInst>,
    pub(in crate::proof) returned: Option<Sym>,
}

/// The values of both sides.
#[derive(Clone)]
pub(in crate::proof) struct PairState {
    pub(in crate::proof) args: Rc<Vec<Sym>>,
    pub(in crate::proof) source: SideState,
    pub(in crate::proof) target: SideState,
}

impl PairState {
    /// Maps each scalar of the state, always in the same order.
    pub(in crate::proof) fn map(&self, f: &mut impl FnMut(Scalar) -> Scalar) -> Self {
        let args = Rc::new(self.args.iter().map(|v| v.map(f)).collect());
        let mut side = |side: &SideState| SideState {
            values: Rc::new(side.values.iter().map(|(i, v)| (*i, v.map(f))).collect()),
            ahead: Rc::new(side.ahead.iter().map(|(i, v)| (*i, v.map(f))).collect()),
            returned: side.returned.as_ref().map(|v| v.map(f)),
        };
        Self { args, source: side(&self.source), target: side(&self.target) }
    }
    pub(in crate::proof) fn sym(&self, owner: Owner, value: ValueRef) -> Option<&Sym> {
        let side = match (owner, value) {
            (Owner::Argument, ValueRef::Number(position)) => return self.args.get(position as usize),
            (Owner::Argument, ValueRef::Early(_) | ValueRef::Returned) => return None,
            (Owner::Source, _) => &self.source,
            (Owner::Target, _) => &self.target,
        };
        match value {
            ValueRef::Number(_) => side.values.get(&value.inst()?),
            ValueRef::Early(_) => side.ahead.get(&value.inst()?),
            ValueRef::Returned => side.returned.as_ref(),
        }
    }
}

impl Values for PairState {
    fn scalar(&self, atom: Atom) -> Option<Scalar> {
        match self.sym(atom.owner, atom.value)? {
            Sym::Scalar(scalar) => (atom.lane == 0).then_some(*scalar),
            list @ Sym::List(_) => list.scalars().get(atom.lane as usize).copied(),
        }
    }
}

/// The instructions that a step evaluates early.
pub(in crate::proof) struct Looked {
    /// Per side, the instructions that facts refer to.
    pub(in crate::proof) ahead: [FxHashSet<Inst>; 2],
    /// Source accesses at whose addresses the memories may differ before the step; `differing_after`: after the step.
    pub(in crate::proof) apart: Vec<Inst>,
    pub(in crate::proof) differing_after: Vec<Inst>,
}

impl Looked {
    pub(in crate::proof) fn at(known: Known<'_>, after: Known<'_>) -> Self {
        let mut found = [FxHashSet::default(), FxHashSet::default()];
        for atom in known.facts.iter().chain(after.facts).flat_map(Fact::atoms) {
            let side = if atom.owner == Owner::Target { Side::Target } else { Side::Source };
            if let ValueRef::Early(_) = atom.value {
                found[side.index()].extend(atom.value.inst());
            }
        }
        let insts = |list: &[u32]| list.iter().map(|i| Inst::from_index(*i as usize)).collect();
        Self { ahead: found, apart: insts(known.apart), differing_after: insts(after.apart) }
    }
}

/// Facts that define parts of a state. They are applied as definitions, so that equal values become the same term.
#[derive(Default)]
pub(in crate::proof) struct Definitions<'f> {
    solved: FxHashMap<Part, (&'f Linear, u128)>,
    defined: Vec<Atom>,
    settled: Vec<Atom>,
    together: FxHashMap<Atom, Atom>,
}

impl<'f> Definitions<'f> {
    pub(in crate::proof) fn of(facts: &'f [Fact]) -> Self {
        let mut found = Self::default();
        for fact in facts {
            match fact {
                Fact::Defined(atom) => found.defined.push(*atom),
                Fact::Settled(atom) => found.settled.push(*atom),
                Fact::PoisonTogether(a, b) => {
                    found.together.entry(*a.max(b)).or_insert(*a.min(b));
                }
                Fact::Linear(linear) => {
                    if let Some((part, factor)) = linear.solved() {
                        found.solved.entry(part).or_insert((linear, factor));
                    }
                }
                Fact::PoisonOnlyWith(..)
                | Fact::EqualUnlessPoison(..)
                | Fact::Compare { .. }
                | Fact::Gathers { .. } => {}
            }
        }
        found
    }
}

/// Fails if the source has made choices since it had made `before` many. The choices of a step may depend on the
/// target's run in that step. A choice inside the value of a state would be made once where facts about the state are
/// proved, and again where they are used.
pub(in crate::proof) fn chooses_nothing(world: &World, before: usize) -> Encoded<()> {
    if world.choices[Side::Source.index()].len() == before {
        return Ok(());
    }
    let feature = "a choice of the source in the definition of a state".to_owned();
    Err(Halt::Unsupported(Unsupported { side: Side::Source, inst: None, feature }))
}

impl Pair<'_> {
    /// The values of instructions that facts evaluate early at a cut of one side.
    pub(in crate::proof) fn ahead(
        &self,
        world: &mut World,
        side: Side,
        at: AtCut<'_>,
        looked: &Looked,
    ) -> Encoded<Rc<ByInst>> {
        let wanted = &looked.ahead[side.index()];
        if wanted.is_empty() {
            return Ok(Rc::default());
        }
        let before = world.choices[Side::Source.index()].len();
        let found = self.program(side).ahead(world, at, &|inst| wanted.contains(&inst))?;
        chooses_nothing(world, before)?;
        Ok(Rc::new(found))
    }
    /// `memory` with unconstrained bytes at the addresses of the source accesses `apart`.
    pub(in crate::proof) fn with_differing_bytes(
        &self,
        world: &mut World,
        at: AtCut<'_>,
        memory: Term,
        apart: &[Inst],
    ) -> Encoded<Term> {
        let stretches = self.stretches(world, at, apart)?;
        let other = world.fresh_memory();
        let mut with_differing_bytes = memory;
        for (pointer, size) in stretches {
            for i in 0..size {
                let by = world.terms.number(OFFSET_BITS, i.into());
                let offset = crate::encode::offset_of(&mut world.terms, pointer);
                let offset = world.terms.add(offset, by);
                let block = block_of(&mut world.terms, pointer);
                let place = world.terms.concat(block, offset);
                let byte = world.read(other, place);
                with_differing_bytes = world.terms.store(with_differing_bytes, place, byte);
            }
        }
        Ok(with_differing_bytes)
    }
    /// The bytes that source accesses touch at a cut.
    pub(in crate::proof) fn stretches(
        &self,
        world: &mut World,
        at: AtCut<'_>,
        accesses: &[Inst],
    ) -> Encoded<Vec<Stretch>> {
        let before = world.choices[Side::Source.index()].len();
        let found = self.source.stretches(world, at, &|inst| accesses.contains(&inst))?;
        chooses_nothing(world, before)?;
        if found.len() < accesses.len() {
            let feature = "a certificate that names accesses that do not exist".to_owned();
            return Err(Halt::Unsupported(Unsupported { side: Side::Source, inst: None, feature }));
        }
        Ok(found.into_iter().map(|(_, stretch)| stretch).collect())
    }
    /// The leaves of one side at a place: the terms that the facts define, from earlier leaves and from the `known`
    /// state, and fresh variables for the rest.
    pub(in crate::proof) fn leaves(
        &self,
        world: &mut World,
        side: Side,
        place: Place,
        known: &PairState,
        definitions: &Definitions<'_>,
    ) -> Encoded<ByInst> {
        let mut state = known.clone();
        let program = self.program(side);
        let owner = if side == Side::Source { Owner::Source } else { Owner::Target };
        let (Place::Cut(cut) | Place::Returned(cut)) = place;
        let mut leaves = program.cuts[cut].leaves.clone();
        leaves.sort_unstable();
        let mut found = ByInst::default();
        for inst in leaves {
            let free = program.free_leaf(world, inst)?;
            let value = define(world, &state, definitions, owner, ValueRef::of(inst), &free);
            found.insert(inst, value.clone());
            let own = if side == Side::Source { &mut state.source } else { &mut state.target };
            Rc::make_mut(&mut own.values).insert(inst, value);
        }
        Ok(found)
    }
}

/// `free` with the scalars replaced that the definitions determine.
pub(in crate::proof) fn define(
    world: &mut World,
    state: &PairState,
    definitions: &Definitions<'_>,
    owner: Owner,
    value: ValueRef,
    free: &Sym,
) -> Sym {
    let mut lane = 0;
    free.map(&mut |scalar| {
        let atom = Atom { owner, value, lane };
        lane += 1;
        let mut scalar = scalar;
        let width = world.terms.width(scalar.bits);
        if let Some(bits) = solve(world, state, definitions, Part::whole(atom), width) {
            scalar.bits = bits;
        } else if width == POINTER_BITS {
            let block = Part { atom, reading: Reading::Block };
            let offset = Part { atom, reading: Reading::Offset };
            let block = solve(world, state, definitions, block, BLOCK_BITS)
                .unwrap_or_else(|| block_of(&mut world.terms, scalar.bits));
            let offset = solve(world, state, definitions, offset, OFFSET_BITS)
                .unwrap_or_else(|| crate::encode::offset_of(&mut world.terms, scalar.bits));
            scalar.bits = world.terms.concat(block, offset);
        }
        if definitions.defined.contains(&atom) {
            scalar.poison = world.terms.bool(false);
        } else if let Some(other) = definitions.together.get(&atom).and_then(|a| state.scalar(*a)) {
            scalar.poison = other.poison;
        }
        if definitions.settled.contains(&atom) {
            scalar.undef = world.terms.number(width, 0);
        }
        scalar
    })
}
/// The term that the definitions give for `part`, if all its inputs are present in `state`.
fn solve(
    world: &mut World,
    state: &PairState,
    definitions: &Definitions<'_>,
    part: Part,
    width: u32,
) -> Option<Term> {
    let (linear, factor) = *definitions.solved.get(&part)?;
    if linear.width != width {
        return None;
    }
    let rest = linear.sum(&mut world.terms, state, Some(part))?;
    let rest = world.terms.bv_neg(rest);
    let factor = world.terms.number(width, inverse(factor, width));
    Some(world.terms.mul(factor, rest))
}
