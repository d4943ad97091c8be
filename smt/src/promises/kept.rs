//! Promises that a function keeps because its source already implies them, or because its body contains nothing that
//! could violate them. This is a simpler form of LLVM's function-attrs inference. Promises that cannot be shown to be
//! kept count as not kept.
//!
//! For recursive calls, the function's own promises are assumed: an instruction, not a call, is the first to violate a
//! promise. That argument does not hold for promises about termination.

use super::called::{Called, Calls, is_ordered};
use super::captures::Captures;
use super::pointers::{Leads, POINTER, What, touches};
use crate::refinement::FunctionRef;
use backedge_ir::attr::{Attr, AttrList, FlagAttr, MemoryEffects, ModRef};
use backedge_ir::body::Body;
use backedge_ir::cfg::Cfg;
use backedge_ir::constant::ConstData;
use backedge_ir::entity::{Arg, Block, EntitySet, FuncId, Inst};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::meaning::Meaning;
use backedge_ir::meaning::attribute::{AttrKind, AttrPosition, Carrier, Slot};
use backedge_ir::opcode::{AtomicOrdering, BinaryOp};

/// A target with or without its source.
pub(super) struct Kept<'m> {
    source: Option<FunctionRef<'m>>,
    target: FunctionRef<'m>,
    body: Option<(&'m Body, Calls<'m>)>,
}

impl<'m> Kept<'m> {
    pub(super) fn new(source: Option<FunctionRef<'m>>, target: FunctionRef<'m>) -> Self {
        let body = target.module.body(target.func);
        let body = body.map(|b| (b, Calls::new(target.module, target.func, b)));
        Self { source, target, body }
    }
    /// The result of `find` on the target's body; `false` if it has no body.
    pub(super) fn body(&self, find: impl FnOnce(&Body, &Calls<'_>) -> bool) -> bool {
        self.body.as_ref().is_some_and(|(body, calls)| find(body, calls))
    }
    pub(super) fn code(&self) -> Option<(&'m Body, &Calls<'m>)> {
        self.body.as_ref().map(|(body, calls)| (*body, calls))
    }
    /// The function with the body.
    pub(super) fn func(&self) -> FuncId {
        self.target.func
    }
    /// The callee at `inst`, if the call is observable: it may write or may not return.
    pub(super) fn event(&self, inst: Inst) -> Option<&str> {
        let (_, calls) = self.code()?;
        let called = calls.of(inst).filter(|called| called.intrinsic.is_none())?;
        let returns = calls.has(called, FlagAttr::WillReturn) && calls.has(called, FlagAttr::NoUnwind);
        let name = called.func.map_or(POINTER, |func| &*calls.env.funcs[func].name);
        (called.memory.any().writes || !returns).then_some(name)
    }
    /// Whether the function is local to its module.
    pub(super) fn is_local(&self) -> bool {
        self.target.module.env.funcs[self.target.func].linkage.is_local()
    }
    pub(super) fn source_has(&self, flag: FlagAttr) -> bool {
        self.source.is_some_and(|source| {
            let env = &source.module.env;
            env.has_attr(&env.funcs[source.func].attrs, flag)
        })
    }
    fn source_effects(&self) -> MemoryEffects {
        let stated = self.source.and_then(|source| {
            let env = &source.module.env;
            env.memory_effects(&env.funcs[source.func].attrs)
        });
        stated.unwrap_or(MemoryEffects::all(ModRef::READ_WRITE))
    }

    /// Whether the target keeps a function attribute.
    pub(super) fn function(&self, attr: &Attr) -> bool {
        self.breaches_of_function(attr).is_some_and(|breaches| breaches.is_empty())
            || self.implied_on_function(attr)
            || match attr {
                Attr::Flag(FlagAttr::WillReturn) => self.body(|body, calls| self.ends(body, calls)),
                Attr::Flag(FlagAttr::Speculatable) => self.is_speculatable(),
                _ => false,
            }
    }
    /// Whether other attributes of the source imply a function attribute.
    pub(super) fn implied_on_function(&self, attr: &Attr) -> bool {
        match attr {
            Attr::Memory(allowed) => self.source_effects().intersect(*allowed) == self.source_effects(),
            Attr::Flag(FlagAttr::WillReturn) => self.source_must_end(),
            Attr::Flag(FlagAttr::MustProgress) => self.source_has(FlagAttr::WillReturn),
            _ => false,
        }
    }
    /// Whether all calls return and none is recursive.
    pub(super) fn calls_return(&self) -> bool {
        self.body(|_, calls| {
            calls.list.iter().all(|c| c.plain || !c.is_self && calls.has(c, FlagAttr::WillReturn))
        })
    }
    /// Whether execution continues after every instruction that may execute.
    pub(super) fn never_stops(&self) -> bool {
        self.body(|body, calls| !calls.live_insts(body).any(|inst| may_stop(body, calls, inst)))
    }
    /// Whether the source must terminate because it must make progress but has no observable effects.
    fn source_must_end(&self) -> bool {
        self.source_has(FlagAttr::MustProgress) && !self.source_effects().any().writes
    }
    /// Whether the target's body terminates: all calls return, execution continues after each instruction, and there is
    /// no cycle, or the function must make progress but has no observable effects.
    fn ends(&self, body: &Body, calls: &Calls<'_>) -> bool {
        let is_silent = || {
            let mut insts = calls.live_insts(body);
            insts.all(|i| effects_of(body, calls, i).is_some_and(|e| !e.any().writes))
        };
        self.calls_return()
            && self.never_stops()
            && (!has_cycle(body, calls) || self.source_has(FlagAttr::MustProgress) && is_silent())
    }
    /// Whether the body has no effects and no UB for any arguments, and violates no attribute.
    fn is_speculatable(&self) -> bool {
        let env = &self.target.module.env;
        let header = &env.funcs[self.target.func];
        let strict = |list: &AttrList, slot| env.attrs(list).any(|attr| may_undefine(attr, slot));
        let is_open = |attr: &Attr| {
            may_undefine(attr, Slot::Function)
                && *attr != Attr::Flag(FlagAttr::Speculatable)
                && self.breaches_of_function(attr).is_none_or(|breaches| !breaches.is_empty())
        };
        if strict(&header.ret_attrs, Slot::Result)
            || header.param_attrs.iter().any(|list| strict(list, Slot::Parameter))
            || env.attrs(&header.attrs).any(is_open)
        {
            return false;
        }
        self.body(|body, _| {
            body.block_count() == 1 && body.all_insts().all(|i| is_harmless(&body.inst(i).kind))
        })
    }
    /// Whether the target keeps a parameter attribute.
    pub(super) fn parameter(&self, attr: &Attr, arg: Arg) -> bool {
        let keeps = |attr: &Attr| self.breaches_of_parameter(attr, arg).is_some_and(|b| b.is_empty());
        match attr {
            Attr::Flag(FlagAttr::NoAlias) => keeps(&Attr::Flag(FlagAttr::ReadNone)),
            attr => keeps(attr),
        }
    }
    /// Whether other attributes of the source imply a parameter attribute.
    pub(super) fn implied_on_parameter(&self, attr: &Attr, own: &[&Attr]) -> bool {
        use FlagAttr as F;
        let has = |flag| own.contains(&&Attr::Flag(flag));
        let effects = self.source_effects();
        match attr {
            Attr::Flag(F::ReadOnly) => has(F::ReadNone) || !effects.argmem.writes && !effects.other.writes,
            Attr::Flag(F::WriteOnly) => has(F::ReadNone) || !effects.argmem.reads && !effects.other.reads,
            Attr::Flag(F::NoFree) => self.source_has(F::NoFree) || has(F::ReadNone) || has(F::ReadOnly),
            Attr::Flag(F::DeadOnUnwind) => self.source_has(F::NoUnwind),
            attr => {
                let stated = own.iter().filter_map(|a| Captures::of(a)).reduce(Captures::and);
                let allowed = Captures::of(attr);
                stated.zip(allowed).is_some_and(|(stated, allowed)| stated.within(allowed))
            }
        }
    }
    /// Whether the function returns null, or new memory from a call whose address nothing else captures.
    pub(super) fn returns_new_memory(&self) -> bool {
        self.body(|body, calls| {
            let is_new = |value: Value| match value {
                Value::Const(c) => matches!(body.constant(c).data, ConstData::Zero),
                Value::Inst(inst) => {
                    let is_made = calls.of(inst).is_some_and(|c| calls.result_has(c, FlagAttr::NoAlias));
                    is_made
                        && touches(body, value, calls).iter().all(|touch| match touch.what {
                            What::Read | What::Write | What::Compare { .. } | What::Return => true,
                            What::Pass(index) => calls
                                .of(touch.inst)
                                .is_some_and(|called| calls.captures(called, index).within(Captures::NONE)),
                            What::Special(_) | What::Stored | What::Lost => false,
                        })
                }
                Value::Arg(_) => false,
            };
            let returns = body.all_insts().filter(|i| matches!(body.inst(*i).kind, InstKind::Ret));
            returns.into_iter().all(|ret| body.inst(ret).operands.iter().all(|v| is_new(*v)))
        })
    }
}

/// Whether blocks that may execute to their end are on a cycle.
pub(super) fn has_cycle(body: &Body, calls: &Calls<'_>) -> bool {
    let cfg = Cfg::new(body);
    let mut done: EntitySet<Block> = EntitySet::new();
    cfg.rpo().iter().any(|&block| {
        done.insert(block);
        let runs_through = body.terminator(block).is_some_and(|end| calls.live.contains(end));
        runs_through && cfg.succs(block).iter().any(|to| done.contains(*to))
    })
}

/// Whether an instruction may synchronize with other threads.
pub(super) fn synchronizes(kind: &InstKind) -> bool {
    match kind {
        InstKind::Load(access) | InstKind::Store(access) => {
            access.volatile
                || access
                    .ordering
                    .is_some_and(|o| !matches!(o, AtomicOrdering::Unordered | AtomicOrdering::Monotonic))
        }
        InstKind::Fence(..) | InstKind::AtomicRmw(..) | InstKind::CmpXchg(_) | InstKind::VaArg => true,
        _ => false,
    }
}

/// Whether execution may stop at an instruction: a volatile store (LangRef, "Volatile Memory Accesses").
pub(super) fn may_stop(body: &Body, calls: &Calls<'_>, inst: Inst) -> bool {
    use Intrinsic as I;
    let writes = |called: &&Called| {
        matches!(
            called.intrinsic,
            Some(I::Memcpy | I::MemcpyInline | I::Memmove | I::Memset | I::MemsetInline)
        )
    };
    match &body.inst(inst).kind {
        InstKind::Store(access) | InstKind::AtomicRmw(_, access) => access.volatile,
        InstKind::CmpXchg(info) => info.access.volatile,
        InstKind::Call(_) | InstKind::Invoke(_) => {
            calls.of(inst).filter(writes).is_some_and(|called| calls.is_volatile(called))
        }
        _ => false,
    }
}

/// Whether an attribute can make a call UB, or passes memory that must exist.
fn may_undefine(attr: &Attr, slot: Slot) -> bool {
    let place = AttrPosition { carrier: Carrier::Definition, slot };
    match AttrKind::of(attr).meaning(place) {
        Meaning::Nothing => false,
        Meaning::PoisonIfViolated => matches!(attr, Attr::Int(..)),
        // The attribute only describes how a register is passed.
        Meaning::Agreed => {
            let is_of_register = matches!(
                attr,
                Attr::Flag(FlagAttr::InReg | FlagAttr::SExt | FlagAttr::ZExt | FlagAttr::NoExt)
            );
            slot != Slot::Function && !is_of_register
        }
        Meaning::UbIfViolated
        | Meaning::Permission
        | Meaning::Promise
        | Meaning::Misplaced
        | Meaning::Unknown => true,
    }
}

/// Whether an instruction has no effects and no UB.
fn is_harmless(kind: &InstKind) -> bool {
    match kind {
        InstKind::Binary(op, _) => {
            !matches!(op, BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem)
        }
        InstKind::Ret => true,
        kind => kind.is_pure(),
    }
}

/// The effects of an instruction on memory outside the function; `None` if they are unknown.
pub(super) fn effects_of(body: &Body, calls: &Calls<'_>, inst: Inst) -> Option<MemoryEffects> {
    let mut sum = MemoryEffects::all(ModRef::NONE);
    let data = body.inst(inst);
    match &data.kind {
        InstKind::Load(access) | InstKind::Store(access) if is_ordered(access) => return None,
        InstKind::Load(_) => through(&mut sum, body, calls, data.operands[0], ModRef::READ),
        InstKind::Store(_) => through(&mut sum, body, calls, data.operands[1], ModRef::WRITE),
        InstKind::AtomicRmw(..)
        | InstKind::CmpXchg(_)
        | InstKind::Fence(..)
        | InstKind::VaArg
        | InstKind::Resume
        | InstKind::LandingPad { .. } => return None,
        InstKind::Call(_) | InstKind::Invoke(_) | InstKind::CallBr(_) => {
            let (called, view) = (calls.of(inst)?, data.call()?);
            add(&mut sum.inaccessiblemem, called.memory.inaccessiblemem);
            add(&mut sum.errnomem, called.memory.errnomem);
            add(&mut sum.target_mem[0], called.memory.target_mem[0]);
            add(&mut sum.target_mem[1], called.memory.target_mem[1]);
            // The call may reach the memory of its arguments by other means.
            add(&mut sum.other, called.memory.other);
            add(&mut sum.argmem, called.memory.other);
            for (i, arg) in view.args().iter().enumerate() {
                if calls.env.types.scalar(body.ty(*arg)).is_ptr() {
                    through(&mut sum, body, calls, *arg, calls.argument_effect(called, i));
                } else if called.memory.argmem != ModRef::NONE && body.ty(*arg).compound_id().is_some() {
                    return None;
                }
            }
        }
        _ => {}
    }
    Some(sum)
}

/// Adds an access through `pointer`.
fn through(sum: &mut MemoryEffects, body: &Body, calls: &Calls<'_>, pointer: Value, effect: ModRef) {
    let leads = Leads::of(body, calls, pointer);
    if leads.argument {
        add(&mut sum.argmem, effect);
    }
    if leads.other || leads.constant && effect.writes {
        add(&mut sum.other, effect);
    }
}

pub(super) fn add(sum: &mut ModRef, effect: ModRef) {
    *sum = ModRef { reads: sum.reads || effect.reads, writes: sum.writes || effect.writes };
}
