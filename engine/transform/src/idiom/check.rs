//! Finds the stores of a loop that one call can replace: conditions on the loop, and on each store.

use super::LoopIdiom;
use super::copy::find_copy;
use super::fill::find_fills;
use super::job::{Context, Job, Pointer, Strided, is_plain};
use super::remarks::IdiomMissed;
use crate::pass::Unit;
use crate::shape::Shape;
use backedge_analysis::LoopId;
use backedge_analysis::alias::{Aliasing, Iterations, MemoryLocation};
use backedge_analysis::cache::At;
use backedge_analysis::effects::effects_of_call;
use backedge_analysis::must_execute::{
    called_intrinsic, guaranteed_to_transfer, irreducible_cycles_end, must_leave,
};
use backedge_ir::attr::Attr;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{InstKind, MemAccess, Value};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::metadata::MdKind;
use backedge_ir::types::{Compound, Type};
use backedge_scev::expand::{self, Options, Plan};
use backedge_scev::{Expr, Kept};

/// Loops with more stores are not examined: each is compared with all other accesses.
const MAX_STORES: usize = 256;

pub(super) fn check(
    unit: &Unit<'_>,
    shape: &Shape,
    l: LoopId,
    options: LoopIdiom,
) -> (Vec<Job>, Vec<IdiomMissed>) {
    let at = unit.at();
    let stores = stores_of(at, shape, l);
    if stores.is_empty() || stores.len() > MAX_STORES {
        return (Vec::new(), Vec::new());
    }
    match find(at, shape, l, options, &stores) {
        Ok(found) => found,
        Err(missed) => (Vec::new(), vec![missed]),
    }
}

/// The plain stores and `memset` calls of the loop itself, not of nested loops. Non-temporal stores are skipped.
fn stores_of(at: At<'_>, shape: &Shape, l: LoopId) -> Vec<Inst> {
    let own = shape.loops.own_blocks(l);
    let writes = |i: &Inst| match &at.body.inst(*i).kind {
        InstKind::Store(access) => {
            is_plain(access) && at.body.inst(*i).metadata_of(&MdKind::NonTemporal).is_none()
        }
        _ => filled_bytes(at, *i).is_some(),
    };
    own.flat_map(|b| at.body.insts(b)).copied().filter(writes).collect()
}

/// The number of bytes that `inst` writes, if it is a call of `memset` with a known length: a nested loop that was
/// replaced.
fn filled_bytes(at: At<'_>, inst: Inst) -> Option<u64> {
    let data = at.body.inst(inst);
    let call = data.call().filter(|c| called_intrinsic(at.env, at.body, *c) == Some(Intrinsic::Memset));
    call?;
    let [_, _, length, volatile, ..] = data.operands[..] else { return None };
    let bytes = u64::try_from(at.body.as_int(length)?.bits()).ok()?;
    (at.body.as_int(volatile)?.is_zero() && bytes > 0).then_some(bytes)
}

fn find(
    at: At<'_>,
    shape: &Shape,
    l: LoopId,
    options: LoopIdiom,
    stores: &[Inst],
) -> Result<(Vec<Job>, Vec<IdiomMissed>), IdiomMissed> {
    let Shape { cfg, loops, .. } = shape;
    let preheader = loops.preheader(cfg, l).ok_or(IdiomMissed::NotSimplified)?;
    loops.single_latch(cfg, l).ok_or(IdiomMissed::NotSimplified)?;
    let place = at.body.terminator(preheader).ok_or(IdiomMissed::NotSimplified)?;
    if !cfg.is_reachable(preheader) {
        return Err(IdiomMissed::NotSimplified);
    }
    check_library(at)?;
    check_unobservable(at, shape, l)?;
    let mut scev = Kept::new(at);
    let counts = scev.counts(l);
    // A loop without a taken backedge gains nothing.
    if scev.is_could_not_compute(counts.exact) || scev.as_constant(counts.exact).is_some_and(|c| c.is_zero())
    {
        return Err(IdiomMissed::CountUnknown);
    }
    if !irreducible_cycles_end(at, loops, l) {
        return Err(IdiomMissed::Observable { what: "an irreducible cycle within" });
    }
    for inner in loops.nest(l).filter(|inner| *inner != l) {
        let counts = scev.counts(inner);
        if scev.is_could_not_compute(counts.constant_max) && !must_leave(at, loops, inner) {
            return Err(IdiomMissed::Observable { what: "a loop within" });
        }
    }
    let mut context = Context { at, shape, l, scev, count: counts.exact, place };
    let mut missed = Vec::new();
    let mut strided = Vec::new();
    for &store in stores {
        match context.strided(store) {
            Ok(found) => strided.push(found),
            Err(reason) => missed.push(reason),
        }
    }
    let mut jobs = Vec::new();
    let mut taken: Vec<Inst> = Vec::new();
    if options.memset {
        for found in find_fills(&mut context, &strided) {
            match found {
                Ok(job) => {
                    taken.extend(&job.stores);
                    jobs.push(job);
                }
                Err(reason) => missed.push(reason),
            }
        }
    }
    if options.memcpy {
        let is_store = |s: &&Strided| matches!(at.body.inst(s.inst).kind, InstKind::Store(_));
        for store in strided.iter().filter(|s| !taken.contains(&s.inst)).filter(is_store) {
            match find_copy(&mut context, store) {
                Ok(Some(job)) => jobs.push(job),
                Ok(None) => {}
                Err(reason) => missed.push(reason),
            }
        }
    }
    Ok((jobs, missed))
}

/// Checks that the function may call `memset` and similar functions.
fn check_library(at: At<'_>) -> Result<(), IdiomMissed> {
    let Some(func) = at.func else { return Err(IdiomMissed::Library) };
    let function = &at.env.funcs[func];
    let is_one = matches!(&*function.name, "memset" | "memcpy" | "memmove" | "bcopy" | "bzero");
    let forbidden = at.env.attrs(&function.attrs).any(
        |a| matches!(a, Attr::String(key, _) if key.starts_with("no-builtin-mem") || &**key == "no-builtins"),
    );
    if is_one || forbidden { Err(IdiomMissed::Library) } else { Ok(()) }
}

/// Checks that control always passes each instruction of the loop, and that no instruction has an observable effect.
fn check_unobservable(at: At<'_>, shape: &Shape, l: LoopId) -> Result<(), IdiomMissed> {
    for &inst in shape.loops.blocks(l).iter().flat_map(|b| at.body.insts(*b)) {
        let data = at.body.inst(inst);
        let seen = match &data.kind {
            InstKind::Load(access) | InstKind::Store(access) => !is_plain(access),
            InstKind::AtomicRmw(..) | InstKind::CmpXchg(_) | InstKind::Fence(..) | InstKind::VaArg => true,
            InstKind::Call(_) => data.call().is_none_or(|call| {
                let harmless = matches!(
                    called_intrinsic(at.env, at.body, call),
                    Some(
                        Intrinsic::Memcpy
                            | Intrinsic::Memmove
                            | Intrinsic::Memset
                            | Intrinsic::Assume
                            | Intrinsic::NoAliasScopeDecl
                            | Intrinsic::LifetimeStart
                            | Intrinsic::LifetimeEnd
                    )
                );
                !harmless && effects_of_call(at.env, at.body, call).any().writes
            }),
            InstKind::Invoke(_)
            | InstKind::CallBr(_)
            | InstKind::Unreachable
            | InstKind::Ret
            | InstKind::Resume => true,
            _ => false,
        };
        if seen || !guaranteed_to_transfer(at.env, at.body, inst) {
            return Err(IdiomMissed::Observable { what: data.kind.mnemonic() });
        }
    }
    Ok(())
}

impl Context<'_, '_> {
    /// The store or load as an access whose address advances regularly and that each iteration executes.
    pub(super) fn strided(&mut self, inst: Inst) -> Result<Strided, IdiomMissed> {
        let (at, body) = (self.at, self.at.body);
        let data = body.inst(inst);
        let of_access = |access: &MemAccess, ty: Type| {
            let natural = at.env.layout.abi_align(&at.env.types, ty).unwrap_or(1);
            Some((bytes_without_padding(at, ty)?, access.align.unwrap_or(natural).max(1)))
        };
        let (pointer, written) = match &data.kind {
            InstKind::Store(access) => (data.operands[1], of_access(access, body.ty(data.operands[0]))),
            InstKind::Load(access) => (data.operands[0], of_access(access, data.ty)),
            _ => (data.operands[0], filled_bytes(at, inst).map(|bytes| (bytes, 1))),
        };
        let (bytes, align) = written.ok_or(IdiomMissed::NoPattern)?;
        let expr = self.scev.expr(pointer).ok_or(IdiomMissed::Gaps)?;
        let (start, step) = match self.scev.arena().as_add_rec(expr) {
            Some((l, operands)) if l == self.l && operands.len() == 2 => (operands[0], operands[1]),
            _ => return Err(IdiomMissed::Gaps),
        };
        let step = self.scev.as_constant(step).and_then(|s| s.to_i64()).ok_or(IdiomMissed::Gaps)?;
        let block = body.block_of(inst).ok_or(IdiomMissed::Conditional)?;
        if !self.is_executed(block) {
            return Err(IdiomMissed::Conditional);
        }
        Ok(Strided { inst, pointer, start, step, bytes, align })
    }
    /// Whether each iteration, including the last one, executes `block`; other instructions always transfer control.
    fn is_executed(&self, block: Block) -> bool {
        let Shape { cfg, dominators, loops } = self.shape;
        let exits = loops.exiting_blocks(cfg, self.l);
        let latches = loops.latches(cfg, self.l);
        exits.iter().chain(&latches).all(|b| dominators.dominates(block, *b))
    }
    /// Whether an instruction of the loop not in `except` may write (or, if `by_reads`, read) the memory that the
    /// pointer traverses.
    pub(super) fn is_touched(&self, pointer: Value, except: &[Inst], by_reads: bool) -> bool {
        let aliasing = Aliasing::new(self.at);
        let location = MemoryLocation::anywhere(pointer);
        let insts = self.shape.loops.blocks(self.l).iter().flat_map(|b| self.at.body.insts(*b));
        insts.filter(|i| !except.contains(i)).any(|i| {
            let effect = aliasing.mod_ref(*i, location, Iterations::All);
            effect.writes || by_reads && effect.reads
        })
    }
    /// The number of bytes for `stride` bytes per iteration.
    pub(super) fn length(&mut self, stride: u64, bits: u32) -> Result<Expr, IdiomMissed> {
        if self.scev.width(self.count) > bits {
            return Err(IdiomMissed::CountUnknown);
        }
        let trips = self.scev.trip_count(self.count, bits, Some(self.l));
        let stride = self.scev.int(bits, i128::from(stride));
        Ok(self.scev.mul(&[trips, stride]))
    }
    /// The lowest address of the accesses that start at `start` and advance by `step`.
    pub(super) fn lowest(&mut self, start: Expr, step: i64) -> Result<Expr, IdiomMissed> {
        if step > 0 {
            return Ok(start);
        }
        let bits = self.scev.width(start);
        if self.scev.width(self.count) > bits {
            return Err(IdiomMissed::CountUnknown);
        }
        let count = self.scev.trunc_or_zext(self.count, bits);
        let step = self.scev.int(bits, i128::from(step));
        let distance = self.scev.mul(&[count, step]);
        Ok(self.scev.add(&[start, distance]))
    }
    pub(super) fn plan(&mut self, expr: Expr) -> Result<Plan, IdiomMissed> {
        expand::plan(&mut self.scev, expr, self.place, Options::default()).map_err(IdiomMissed::NotComputable)
    }
    pub(super) fn pointer(&mut self, of: &Strided, start: Expr) -> Result<Pointer, IdiomMissed> {
        let lowest = self.lowest(start, of.step)?;
        let ty = self.at.body.ty(of.pointer);
        Ok(Pointer { plan: self.plan(lowest)?, ty, align: of.align })
    }
    /// The index width of the address space of `pointer`.
    pub(super) fn index_bits(&self, pointer: Value) -> u32 {
        self.at.env.layout.index_bits(self.at.body.ty(pointer).ptr_space().unwrap_or(0))
    }
}

/// The size of a type in bytes, if the type has no padding.
fn bytes_without_padding(at: At<'_>, ty: Type) -> Option<u64> {
    let env = at.env;
    let whole = match env.types.compound(ty) {
        None => ty.is_int() || ty.is_float() || ty.is_ptr(),
        Some(Compound::Vector { scalable: false, .. } | Compound::Array { .. }) => true,
        Some(_) => false,
    };
    let bits = env.layout.size_bits(&env.types, ty).filter(|b| whole && *b > 0 && b % 8 == 0)?;
    let element = match env.types.compound(ty) {
        Some(Compound::Array { elem, .. } | Compound::Vector { elem, .. }) => Some(*elem),
        _ => None,
    };
    if let Some(element) = element {
        let own = env.layout.size_bits(&env.types, element)?;
        let simple = env.types.compound(element).is_none();
        let padded = env.layout.alloc_bytes(&env.types, element)? * 8;
        if !simple
            || own % 8 != 0
            || (padded != own && matches!(env.types.compound(ty), Some(Compound::Array { .. })))
        {
            return None;
        }
    }
    Some(bits / 8)
}
