//! Instructions at which a function may violate one of its attributes.
//!
//! A list of breaches is complete: a run that executes none of them keeps the attribute. The attribute is therefore
//! proved if the list is empty, or if the solver shows that no defined run executes a breach. A breach with an
//! [`Effect`] certainly violates the attribute for some behavior of the called functions, so a defined run that
//! executes it refutes the attribute. Calls behave as their attributes describe. Calls of C library functions and of
//! functions defined in the module never violate an attribute with certainty.

use super::breach::{Breach, Effect};
use super::called::{Called, Calls};
use super::captures::{Captures, Components};
use super::initializes;
use super::kept::{Kept, add, effects_of, has_cycle, may_stop, synchronizes};
use super::landing::Landing;
use super::pointers::{Leads, Touch, What, may_be_empty, touches};
use backedge_ir::attr::{Attr, FlagAttr, MemoryEffects, ModRef};
use backedge_ir::body::Body;
use backedge_ir::entity::{Arg, Inst};
use backedge_ir::inst::{InstData, InstKind, Value};
use backedge_ir::meaning::library::Library;
use backedge_ir::metadata::MdKind;
use backedge_ir::opcode::AtomicOrdering;

impl Kept<'_> {
    /// The breaches of a function attribute; `None` if single instructions do not violate it.
    pub(super) fn breaches_of_function(&self, attr: &Attr) -> Option<Vec<Breach>> {
        use FlagAttr as F;
        let (body, calls) = self.code()?;
        let insts = || calls.live_insts(body);
        match attr {
            Attr::Memory(allowed) => Some(of_memory(body, calls, *allowed)),
            Attr::Flag(F::NoUnwind) => {
                let resumes = insts().filter(|i| matches!(body.inst(*i).kind, InstKind::Resume));
                let throws = |c: &Called| !c.is_self && !calls.has(c, F::NoUnwind);
                let passes =
                    |c: &Called| throws(c) && Landing::of(calls.env, body, c.inst) == Landing::Passes;
                let cleans_up =
                    |c: &Called| throws(c) && Landing::of(calls.env, body, c.inst) == Landing::Cleanup;
                let resumes = resumes.map(|inst| Breach::undefined_if(inst, true));
                // LangRef does not say whether the unwinder's search for a handler ends at a cleanup.
                let cleanups = of_calls(calls, cleans_up).map(|b| Breach::possible(b.inst));
                Some(resumes.chain(of_calls(calls, passes)).chain(cleanups).collect())
            }
            Attr::Flag(F::WillReturn) if !has_cycle(body, calls) => {
                let stays = |c: &Called| c.is_self || !calls.has(c, F::WillReturn);
                // A function that must make progress and calls a function without observable effects returns from that
                // call.
                let progresses = self.source_has(F::MustProgress);
                let is_silent = |b: &Breach| calls.of(b.inst).is_some_and(|c| !c.memory.any().writes);
                let breaches = of_calls(calls, stays)
                    .map(|b| if progresses && is_silent(&b) { Breach::possible(b.inst) } else { b });
                let stops = insts().filter(|inst| may_stop(body, calls, *inst)).map(Breach::possible);
                Some(breaches.chain(stops).collect())
            }
            Attr::Flag(F::MustProgress) if !has_cycle(body, calls) => {
                let stays =
                    |c: &Called| c.is_self || !calls.has(c, F::WillReturn) && !calls.has(c, F::MustProgress);
                Some(of_calls(calls, stays).map(|b| Breach::possible(b.inst)).collect())
            }
            Attr::Flag(F::NoReturn) => {
                let returns = insts().filter(|i| matches!(body.inst(*i).kind, InstKind::Ret));
                Some(returns.map(|inst| Breach::undefined_if(inst, true)).collect())
            }
            Attr::Flag(F::NoFree) => Some(of_freeing(body, calls).collect()),
            Attr::Flag(F::NoSync) => {
                let synchronizing = insts()
                    .filter(|i| synchronizes(&body.inst(*i).kind))
                    .map(|inst| Breach::undefined_if(inst, is_atomic(&body.inst(inst).kind)));
                // A function without effects can synchronize only by convergence, and a function that writes nothing
                // hardly can.
                let may = |c: &Called| c.memory.any() != ModRef::NONE || calls.has(c, F::Convergent);
                let open = of_calls(calls, move |c| !c.is_self && !calls.has(c, F::NoSync) && may(c));
                let writes = |b: &Breach| calls.of(b.inst).is_some_and(|c| c.memory.any().writes);
                let open = open.map(|b| if writes(&b) { b } else { Breach::possible(b.inst) });
                Some(synchronizing.chain(open).collect())
            }
            Attr::Flag(F::NoRecurse) => {
                let recurses = |c: &Called| {
                    !(calls.has(c, F::NoRecurse) || calls.is_declared(c) && calls.has(c, F::NoCallback))
                };
                let breaches = of_calls(calls, recurses);
                // A call of the function itself is a cycle. A local function is not called from outside its module.
                let is_local = self.is_local();
                Some(
                    breaches
                        .map(|b| match calls.of(b.inst).is_some_and(|c| c.is_self) {
                            true => Breach::undefined_if(b.inst, true),
                            false if is_local => Breach::possible(b.inst),
                            false => b,
                        })
                        .collect(),
                )
            }
            // The attribute has no effect on functions defined in the module.
            Attr::Flag(F::NoCallback) => Some(Vec::new()),
            _ => None,
        }
    }

    /// Whether only loads violate `writeonly` on a parameter. The engines model the values of such loads.
    pub(super) fn is_read_by_loads_alone(&self, arg: Arg) -> bool {
        self.are_loads(self.breaches_of_parameter(&Attr::Flag(FlagAttr::WriteOnly), arg))
    }

    /// Whether only loads violate a `memory(…)` that allows writes and no reads. The engines model the values of such
    /// loads.
    pub(super) fn only_reads_back(&self, attr: &Attr) -> bool {
        let Attr::Memory(allowed) = attr else { return false };
        allowed.accessible() == ModRef::WRITE && self.are_loads(self.breaches_of_function(attr))
    }

    /// Whether all breaches are known and are loads.
    fn are_loads(&self, breaches: Option<Vec<Breach>>) -> bool {
        let (Some((body, _)), Some(breaches)) = (self.code(), breaches) else { return false };
        breaches.iter().all(|breach| matches!(body.inst(breach.inst).kind, InstKind::Load(_)))
    }

    /// The breaches of a parameter attribute; `None` if single instructions do not violate it.
    pub(super) fn breaches_of_parameter(&self, attr: &Attr, arg: Arg) -> Option<Vec<Breach>> {
        use FlagAttr as F;
        let (body, calls) = self.code()?;
        let touches = || touches(body, arg.into(), calls);
        let writes_nothing = || {
            let mut insts = calls.live_insts(body);
            !insts.any(|i| effects_of(body, calls, i).is_none_or(|e| e.any().writes))
        };
        let of_accesses = |forbidden: ModRef, read: Option<Effect>| {
            let breach = |t: &Touch| of_access((body, calls), t, forbidden, read);
            touches().iter().filter_map(breach).collect()
        };
        match attr {
            Attr::Flag(F::ReadOnly) => Some(of_accesses(ModRef::WRITE, None)),
            Attr::Flag(F::WriteOnly) => {
                Some(of_accesses(ModRef::READ, writes_nothing().then_some(Effect::Poison)))
            }
            Attr::Flag(F::ReadNone) => Some(of_accesses(ModRef::READ_WRITE, Some(Effect::Undefined))),
            Attr::Flag(F::NoFree) => {
                if of_freeing(body, calls).next().is_none() {
                    return Some(Vec::new());
                }
                Some(touches().iter().filter_map(|t| of_freed(body, calls, t)).collect())
            }
            Attr::Text(text) if text.starts_with("initializes(") => {
                initializes::breaches(body, calls, arg, text, &touches())
            }
            attr => {
                let allowed = Captures::of(attr)?;
                Some(touches().iter().filter_map(|t| of_capture(body, calls, t, allowed)).collect())
            }
        }
    }
}

/// Breaches at the calls for which `breaks` holds.
fn of_calls<'c>(
    calls: &'c Calls<'_>,
    breaks: impl Fn(&Called) -> bool + 'c,
) -> impl Iterator<Item = Breach> + 'c {
    let breaching = calls.list.iter().filter(move |c| !c.plain && breaks(c));
    breaching.map(|c| Breach::undefined_if(c.inst, calls.is_foreign(c)))
}

/// Calls that may free memory that existed before the function started.
fn of_freeing<'c>(body: &'c Body, calls: &'c Calls<'_>) -> impl Iterator<Item = Breach> + 'c {
    let frees = |c: &Called| !c.is_self && !calls.has(c, FlagAttr::NoFree) && c.memory.any().writes;
    // The pointers that a call receives may point to no object.
    let has_more = |b: &Breach| {
        calls.of(b.inst).is_some_and(|c| c.memory.other.writes || c.memory.inaccessiblemem.writes)
    };
    of_calls(calls, frees).map(move |breach| match freed(body, calls, breach.inst) {
        Some(pointer) => {
            let leads = Leads::of(body, calls, pointer);
            let sure = leads.argument && !leads.other && !leads.constant;
            Breach { sure: sure.then_some(Effect::UndefinedUnlessNull(pointer)), ..breach }
        }
        None if !has_more(&breach) => Breach::possible(breach.inst),
        None => breach,
    })
}

/// The pointer that a library call frees.
fn freed(body: &Body, calls: &Calls<'_>, inst: Inst) -> Option<Value> {
    let is_free = calls.of(inst)?.library == Some(Library::Free);
    is_free.then(|| body.inst(inst).operands[0])
}

/// Whether an instruction orders memory accesses between threads.
fn is_atomic(kind: &InstKind) -> bool {
    let orders =
        |ordering: AtomicOrdering| !matches!(ordering, AtomicOrdering::Unordered | AtomicOrdering::Monotonic);
    match kind {
        InstKind::Load(access) | InstKind::Store(access) => {
            access.ordering.is_some_and(orders) && access.syncscope.is_none()
        }
        InstKind::Fence(ordering, scope) => orders(*ordering) && scope.is_none(),
        _ => false,
    }
}

/// Accesses that `memory(…)` does not allow, except those to memory of the function itself.
fn of_memory(body: &Body, calls: &Calls<'_>, allowed: MemoryEffects) -> Vec<Breach> {
    let within = |effects: MemoryEffects| effects.intersect(allowed) == effects;
    let mut breaches = Vec::new();
    for inst in calls.live_insts(body) {
        let own = effects_of(body, calls, inst);
        if !own.is_some_and(within) {
            breaches.push(Breach::new(inst, sure_of_memory(body, calls, inst, allowed)));
        }
    }
    breaches
}

fn sure_of_memory(body: &Body, calls: &Calls<'_>, inst: Inst, allowed: MemoryEffects) -> Option<Effect> {
    let data = body.inst(inst);
    let allowed_at = |pointer: Value| {
        let leads = Leads::of(body, calls, pointer);
        match (leads.argument, leads.other, leads.constant) {
            (true, false, false) if !calls.has_copied_parameters() => Some(allowed.argmem),
            (false, true, false) => Some(allowed.other),
            _ => None,
        }
    };
    match &data.kind {
        InstKind::Store(access)
            if !access.volatile && access.ordering.is_none() && !may_be_empty(calls.env, body, inst) =>
        {
            (!allowed_at(data.operands[1])?.writes).then_some(Effect::Undefined)
        }
        // If writes are allowed, the function may have written the bytes before.
        InstKind::Load(access) if !access.volatile && access.ordering.is_none() && !may_be_constant(data) => {
            let allowed = allowed_at(data.operands[0])?;
            (!allowed.reads && !allowed.writes).then_some(Effect::Poison)
        }
        InstKind::Call(_) | InstKind::Invoke(_) | InstKind::CallBr(_) => {
            let called = calls.of(inst).filter(|c| calls.is_foreign(c))?;
            let beyond = |own: ModRef, allowed: ModRef| own.writes && !allowed.writes;
            let is_beyond = beyond(called.memory.other, allowed.other)
                || beyond(called.memory.inaccessiblemem, allowed.inaccessiblemem);
            is_beyond.then_some(Effect::Undefined)
        }
        _ => None,
    }
}

/// Whether metadata may mark a load as a load of constant memory, which any function may read.
fn may_be_constant(data: &InstData) -> bool {
    data.metadata.iter().any(|(kind, _)| matches!(kind, MdKind::InvariantLoad | MdKind::Tbaa))
}

/// A use of a parameter that accesses memory in a `forbidden` way.
fn of_access(
    (body, calls): (&Body, &Calls<'_>),
    touch: &Touch,
    forbidden: ModRef,
    read: Option<Effect>,
) -> Option<Breach> {
    let inst = touch.inst;
    let meets = |effect: ModRef| effect.reads && forbidden.reads || effect.writes && forbidden.writes;
    match touch.what {
        What::Read if forbidden.reads => {
            let read = read.filter(|r| *r != Effect::Poison || calls.is_load(inst));
            let is_sure = touch.exact && !may_be_empty(calls.env, body, inst);
            Some(Breach::new(inst, read.filter(|_| is_sure)))
        }
        What::Write if forbidden.writes => {
            let is_sure = touch.exact && !may_be_empty(calls.env, body, inst);
            Some(Breach::undefined_if(inst, is_sure))
        }
        What::Read | What::Write | What::Compare { .. } | What::Return => None,
        What::Special(effect) => meets(effect)
            .then(|| Breach::undefined_if(inst, touch.exact && effect.writes && forbidden.writes)),
        What::Pass(index) => {
            let called = calls.of(inst)?;
            let done = calls.argument_effect(called, index);
            let is_kept = calls.captures(called, index).other.allow_access();
            let sure = done.writes && forbidden.writes && touch.exact && calls.is_foreign(called);
            let effect = Effect::UndefinedUnlessNull(body.inst(inst).operands[index]);
            (meets(done) || is_kept).then(|| Breach::new(inst, sure.then_some(effect)))
        }
        What::Stored | What::Lost => Some(Breach::possible(inst)),
    }
}

/// A use of a parameter that may free its memory.
fn of_freed(body: &Body, calls: &Calls<'_>, touch: &Touch) -> Option<Breach> {
    let inst = touch.inst;
    match touch.what {
        What::Read | What::Write | What::Special(_) | What::Compare { .. } | What::Return => None,
        What::Pass(index) => {
            let called = calls.of(inst)?;
            let keeps = calls.argument_has(called, index, FlagAttr::NoFree)
                || calls.has(called, FlagAttr::NoFree)
                || !calls.argument_effect(called, index).writes;
            if keeps && !calls.captures(called, index).other.allow_access() {
                return None;
            }
            let frees = freed(body, calls, inst).filter(|_| touch.exact);
            Some(match frees {
                Some(pointer) => Breach::new(inst, Some(Effect::UndefinedUnlessNull(pointer))),
                None => {
                    let effect = Effect::UndefinedUnlessNull(body.inst(inst).operands[index]);
                    let is_sure = touch.exact && !keeps && calls.is_foreign(called);
                    Breach::new(inst, is_sure.then_some(effect))
                }
            })
        }
        What::Stored | What::Lost => Some(Breach::possible(inst)),
    }
}

/// A use of a parameter that captures more of the pointer than is allowed.
fn of_capture(body: &Body, calls: &Calls<'_>, touch: &Touch, allowed: Captures) -> Option<Breach> {
    let inst = touch.inst;
    let breaks = |kept: Components| !kept.within(allowed.other);
    match touch.what {
        What::Read | What::Write => None,
        What::Special(_) | What::Lost => breaks(Components::ALL).then(|| Breach::possible(inst)),
        What::Compare { null } => {
            // Whether a pointer with an offset is null reveals whether the parameter equals a specific address.
            let is_base = touch.exact && touch.offset == Some(0);
            let kept = if null && is_base { Components::IS_NULL } else { Components::ADDRESS };
            breaks(kept).then(|| Breach::possible(inst))
        }
        What::Return => {
            (!Components::ALL.within(allowed.ret)).then(|| Breach::undefined_if(inst, touch.exact))
        }
        What::Stored => breaks(Components::ALL)
            .then(|| Breach::undefined_if(inst, touch.exact && is_only_write(body, calls, inst))),
        What::Pass(index) => {
            let captures = calls.captures(calls.of(inst)?, index);
            // A returned pointer is followed; a returned address reveals part of the pointer.
            let by_result = if captures.ret.allow_access() { Components::NONE } else { captures.ret };
            breaks(captures.other.with(by_result)).then(|| Breach::possible(inst))
        }
    }
}

/// Whether a store writes memory that outlives the function and no other instruction writes, so that the stored value
/// is there at the end.
fn is_only_write(body: &Body, calls: &Calls<'_>, store: Inst) -> bool {
    let leads = Leads::of(body, calls, body.inst(store).operands[1]);
    let mut sum = ModRef::NONE;
    for inst in calls.live_insts(body).filter(|i| *i != store) {
        match effects_of(body, calls, inst) {
            Some(effects) => add(&mut sum, effects.any()),
            None => return false,
        }
    }
    let is_outside = leads.argument != leads.other && !leads.constant;
    is_outside && !sum.writes && !calls.list.iter().any(|c| !c.plain)
}
