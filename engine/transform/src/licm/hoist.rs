//! Hoisting: loop-invariant instructions move to the preheader.
//!
//! Check: the operands are defined outside or are hoisted themselves; memory that is read is not written in the loop;
//! and the instruction is executed whenever the loop is entered, or can be speculated. A speculated instruction loses
//! the flags and metadata that were valid only at its old place. Decide: everything that may move does. Apply: the
//! instructions move in their old order, before the preheader's terminator.
//!
//! A store moves if its operands are invariant, it is executed whenever the loop is entered, and nothing else in the
//! loop accesses the location.
//!
//! Guarded hoisting (*Loop Terminology*, "Rotated Loops"): the guard of a rotated loop precedes the preheader, so the
//! body is executed whenever the preheader is, and a load in it can be hoisted. A loop that is left at the header
//! does not allow this, and the remark says so.

use super::movable::{
    Fixed, Movable, drop_poison_flags_and_metadata, is_speculatable_call, is_unordered, leave_loop, movable,
};
use super::region::{Region, Writes};
use super::remarks::LicmMissed;
use super::speculate::{is_readable, is_safe_division};
use super::{Findings, Licm};
use backedge_analysis::alias::MemoryLocation;
use backedge_analysis::alias::location::access_bytes;
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::{Block, EntitySet, Inst};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::metadata::MdKind;

/// The instructions to hoist.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    /// In their order in the preheader.
    moves: Vec<Move>,
    /// Whether alias scopes are declared in the loop.
    scopes: bool,
}

#[derive(Copy, Clone, Debug)]
struct Move {
    inst: Inst,
    /// Whether the move makes it execute speculatively.
    speculated: bool,
}

/// Why an instruction with invariant operands is not hoisted.
enum Not {
    /// Not worth a remark.
    Silent,
    Because(LicmMissed),
}

/// The instructions that can be hoisted out of the loop.
pub(super) fn check(region: &Region<'_>, options: Licm, findings: &mut Findings) -> Plan {
    let body = region.at.body;
    let mut hoisted = EntitySet::new();
    let mut plan = Plan::default();
    let blocks: Vec<Block> = match options.nest {
        true => region.loops.blocks(region.l).to_vec(),
        false => region.own_blocks().collect(),
    };
    for block in blocks {
        for &inst in body.insts(block) {
            let free =
                |v: &Value| region.is_invariant(*v) || v.as_inst().is_some_and(|i| hoisted.contains(i));
            if !body.inst(inst).operands.iter().all(free) {
                continue;
            }
            match check_inst(region, options, inst) {
                Ok(sure) => {
                    hoisted.insert(inst);
                    plan.moves.push(Move { inst, speculated: !sure });
                }
                Err(Not::Because(missed)) => findings.add(missed, inst),
                Err(Not::Silent) => {}
            }
        }
    }
    plan.scopes = !plan.is_empty() && region.declares_scopes();
    plan
}

/// Whether `inst`, whose operands are invariant, can be hoisted, and if so, whether it is executed whenever the loop
/// is entered.
fn check_inst(region: &Region<'_>, options: Licm, inst: Inst) -> Result<bool, Not> {
    let movable = match movable(region.at, inst) {
        Ok(movable) => movable,
        Err(Fixed::ByNature) => return check_store(region, inst),
        Err(Fixed::Ordered) => return Err(Not::Because(LicmMissed::OrderedLoad)),
        Err(Fixed::Convergent) => return Err(Not::Because(LicmMissed::ConvergentCall)),
        Err(Fixed::MayNotReturn) => return Err(Not::Because(LicmMissed::CallMayNotReturn)),
        Err(Fixed::InCoroutine) => return Err(Not::Because(LicmMissed::CallInCoroutine)),
    };
    match movable {
        Movable::Pure if options.allow_speculation => return Ok(region.is_executed_first(inst)),
        Movable::Pure if region.is_executed_first(inst) => return Ok(true),
        Movable::Pure => return Err(Not::Silent),
        Movable::Division | Movable::Call => {}
        Movable::Load => check_load(region, inst)?,
        Movable::ReadingCall(effects) => {
            unwritten(region.writes_to_read_memory(inst, effects), LicmMissed::ReadByCallWritten)?
        }
    }
    if region.is_sure(inst) {
        Ok(true)
    } else if options.allow_speculation && is_speculatable(region, inst, movable) {
        Ok(false)
    } else {
        Err(Not::Because(match movable {
            Movable::Load => LicmMissed::ConditionalLoad { rotated: region.is_rotated() },
            Movable::Division => LicmMissed::ConditionalDivision,
            _ => LicmMissed::ConditionalCall,
        }))
    }
}

fn check_load(region: &Region<'_>, inst: Inst) -> Result<(), Not> {
    let at = region.at;
    let Some(location) = MemoryLocation::of_access(at, inst) else { return Err(Not::Silent) };
    if at.body.inst(inst).metadata_of(&MdKind::InvariantLoad).is_some() {
        return Ok(());
    }
    unwritten(region.writes(location), LicmMissed::MemoryWritten)
}

fn unwritten(writes: Writes, missed: LicmMissed) -> Result<(), Not> {
    match writes {
        Writes::No => Ok(()),
        Writes::May => Err(Not::Because(missed)),
        Writes::TooMany => Err(Not::Because(LicmMissed::TooManyAccesses)),
    }
}

/// Whether executing `inst` at the end of the preheader is not UB, once its flags and metadata are dropped.
fn is_speculatable(region: &Region<'_>, inst: Inst, movable: Movable) -> bool {
    let at = region.at;
    let data = at.body.inst(inst);
    match movable {
        Movable::Pure => true,
        Movable::Division => is_safe_division(region, inst),
        Movable::Call => data.call().is_some_and(|c| is_speculatable_call(at, c)),
        Movable::ReadingCall(_) => false,
        Movable::Load => {
            let InstKind::Load(access) = &data.kind else { return false };
            let align = access.align.or_else(|| at.env.layout.abi_align(&at.env.types, data.ty));
            let (Some(size), Some(align)) = (access_bytes(at.env, data.ty), align) else { return false };
            is_readable(region, data.operands[0], size, align)
        }
    }
}

/// Checks whether `inst` is a store that can be hoisted.
fn check_store(region: &Region<'_>, inst: Inst) -> Result<bool, Not> {
    let at = region.at;
    let InstKind::Store(access) = &at.body.inst(inst).kind else { return Err(Not::Silent) };
    if !is_unordered(access) || !region.is_sure(inst) {
        return Err(Not::Silent);
    }
    let Some(location) = MemoryLocation::of_access(at, inst) else { return Err(Not::Silent) };
    if region.touches(location, inst) { Err(Not::Silent) } else { Ok(true) }
}

impl Plan {
    /// Whether nothing moves.
    pub(super) fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }
    /// The instructions to move, and whether each becomes speculative.
    pub(super) fn insts(&self) -> impl Iterator<Item = (Inst, bool)> {
        self.moves.iter().map(|m| (m.inst, m.speculated))
    }
}

/// Moves the instructions of the plan to the end of `preheader`.
pub(super) fn apply(editor: &mut Editor<'_>, preheader: Block, plan: &Plan) {
    let insts: Vec<Inst> = plan.moves.iter().map(|m| m.inst).collect();
    editor.move_all(&insts, Position::BeforeTerminator(preheader));
    for &Move { inst, speculated } in &plan.moves {
        if speculated {
            drop_poison_flags_and_metadata(editor, inst);
        }
        leave_loop(editor, inst, plan.scopes);
        // A moved instruction belongs to no source line any more; but a call needs a location.
        if editor.body().inst(inst).call().is_none() {
            editor.retain_metadata(inst, |k| *k != MdKind::Dbg);
        }
    }
}
