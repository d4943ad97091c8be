//! Mod/ref queries: whether an instruction may read or write a location.

use super::object::{Captures, Object, is_constant_memory, underlying_objects};
use super::{AliasResult, Aliasing, Iterations, MemoryLocation};
use crate::effects::{called_function, effects_of_call};
use crate::must_execute::{called_intrinsic, volatile_intrinsic};
use backedge_ir::attr::{Attr, FlagAttr, ModRef};
use backedge_ir::constant::GlobalRef;
use backedge_ir::entity::Inst;
use backedge_ir::inst::{CallView, InstKind, Value};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::opcode::AtomicOrdering;

fn either(a: ModRef, b: ModRef) -> ModRef {
    ModRef { reads: a.reads || b.reads, writes: a.writes || b.writes }
}

fn both(a: ModRef, b: ModRef) -> ModRef {
    ModRef { reads: a.reads && b.reads, writes: a.writes && b.writes }
}

/// Whether an access affects more than its own bytes: it orders other accesses, or is volatile.
fn orders(volatile: bool, ordering: Option<AtomicOrdering>) -> bool {
    volatile || !matches!(ordering, None | Some(AtomicOrdering::Unordered))
}

impl Aliasing<'_> {
    /// The possible effect of `inst` on the bytes of `location`.
    pub fn mod_ref(&self, inst: Inst, location: MemoryLocation, iterations: Iterations) -> ModRef {
        let data = self.at.body.inst(inst);
        let touches = |effect: ModRef| {
            let own = MemoryLocation::of_access(self.at, inst);
            let apart =
                own.is_some_and(|l| self.alias(l, location, iterations, Some(inst)) == AliasResult::NoAlias);
            if apart { ModRef::NONE } else { effect }
        };
        let effect = match &data.kind {
            InstKind::Load(access) if orders(access.volatile, access.ordering) => ModRef::READ_WRITE,
            InstKind::Store(access) if orders(access.volatile, access.ordering) => ModRef::READ_WRITE,
            InstKind::Load(_) => touches(ModRef::READ),
            InstKind::Store(_) => touches(ModRef::WRITE),
            InstKind::AtomicRmw(..) | InstKind::CmpXchg(_) | InstKind::Fence(..) | InstKind::VaArg => {
                ModRef::READ_WRITE
            }
            InstKind::Call(_) | InstKind::Invoke(_) | InstKind::CallBr(_) => {
                data.call().map_or(ModRef::READ_WRITE, |c| self.call_effect(inst, c, location, iterations))
            }
            _ => ModRef::NONE,
        };
        if effect.writes && self.is_constant(location.ptr) {
            ModRef { writes: false, ..effect }
        } else {
            effect
        }
    }
    /// Whether all memory that `ptr` may point into is constant.
    pub fn is_constant(&self, ptr: Value) -> bool {
        let objects = underlying_objects(self.at, ptr);
        objects.is_some_and(|list| {
            !list.is_empty()
                && list.iter().all(
                    |o| matches!(o, Object::Global(GlobalRef::Var(v)) if is_constant_memory(self.at, *v)),
                )
        })
    }
    fn call_effect(
        &self,
        inst: Inst,
        call: CallView<'_>,
        location: MemoryLocation,
        iterations: Iterations,
    ) -> ModRef {
        let (env, body) = (self.at.env, self.at.body);
        let apart =
            |own: MemoryLocation| self.alias(own, location, iterations, Some(inst)) == AliasResult::NoAlias;
        if let Some((source, target)) = MemoryLocation::of_transfer(self.at, inst)
            && !volatile_intrinsic(env, body, call)
            && call.info.bundles.is_empty()
        {
            return ModRef { reads: source.is_some_and(|s| !apart(s)), writes: !apart(target) };
        }
        match called_intrinsic(env, body, call) {
            // These affect control or known facts, not memory that a location can denote.
            Some(
                Intrinsic::Assume
                | Intrinsic::SideEffect
                | Intrinsic::NoAliasScopeDecl
                | Intrinsic::PseudoProbe,
            ) => {
                return ModRef::NONE;
            }
            Some(Intrinsic::LifetimeStart | Intrinsic::LifetimeEnd) => {
                let marked = call.args().last().copied();
                let away = marked.is_some_and(|p| apart(MemoryLocation::anywhere(p)));
                return if away { ModRef::NONE } else { ModRef::WRITE };
            }
            // The deoptimized continuation may read everything.
            Some(Intrinsic::ExperimentalGuard) => return ModRef::READ,
            _ => {}
        }
        let effects = effects_of_call(env, body, call);
        let through_arguments = self.through_arguments(inst, call, location, iterations);
        let mut elsewhere = either(effects.other, effects.errnomem);
        elsewhere = either(elsewhere, either(effects.target_mem[0], effects.target_mem[1]));
        if call.info.bundles.iter().any(|b| &*b.tag != "deopt") {
            elsewhere = ModRef::READ_WRITE;
        } else if !call.info.bundles.is_empty() {
            elsewhere.reads = true;
        }
        if self.is_unreachable_from_callee(inst, location.ptr) {
            elsewhere = ModRef::NONE;
        }
        // Memory that an argument points to may also be reached in other ways, as other memory.
        either(both(effects.argmem, through_arguments), elsewhere)
    }
    /// The possible effect of the call on `location` through its pointer arguments, limited by their attributes.
    fn through_arguments(
        &self,
        inst: Inst,
        call: CallView<'_>,
        location: MemoryLocation,
        iterations: Iterations,
    ) -> ModRef {
        let (env, body) = (self.at.env, self.at.body);
        let callee = called_function(body, call);
        let mut effect = ModRef::NONE;
        for (i, &arg) in call.args().iter().enumerate() {
            let ty = body.ty(arg);
            if !ty.is_ptr() {
                // An aggregate or vector may hold pointers.
                if ty.compound_id().is_some() {
                    effect = ModRef::READ_WRITE;
                }
                continue;
            }
            let own = MemoryLocation::anywhere(arg);
            if self.alias(own, location, iterations, Some(inst)) == AliasResult::NoAlias {
                continue;
            }
            let lists = [call.info.arg_attrs.get(i), callee.and_then(|f| env.funcs[f].param_attrs.get(i))];
            let has = |flag| lists.iter().flatten().any(|l| env.has_attr(l, flag));
            let copied = lists.iter().flatten().any(|l| {
                env.attrs(l).any(|a| matches!(a, Attr::Type(backedge_ir::attr::TypeAttr::ByVal, _)))
            });
            effect = either(
                effect,
                match () {
                    () if has(FlagAttr::ReadNone) => ModRef::NONE,
                    () if has(FlagAttr::ReadOnly) || copied => ModRef::READ,
                    () if has(FlagAttr::WriteOnly) => ModRef::WRITE,
                    () => ModRef::READ_WRITE,
                },
            );
        }
        effect
    }
    /// Whether a function called at `inst` can reach the memory of `ptr` only through its arguments.
    fn is_unreachable_from_callee(&self, inst: Inst, ptr: Value) -> bool {
        let captures = self.at.get::<Captures>();
        let Some(objects) = underlying_objects(self.at, ptr) else { return false };
        !objects.is_empty()
            && objects.iter().all(|o| {
                let own = matches!(o, Object::Alloca(_) | Object::Fresh(_));
                own && !captures.may_be_captured_before(self.at, *o, inst)
            })
    }
}
