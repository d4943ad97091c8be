//! Determines the uses of a pointer in a body, and the memory that a pointer may point to, by conservatively following
//! copies.

use super::called::{Called, Calls};
use backedge_ir::attr::{FlagAttr, ModRef};
use backedge_ir::body::Body;
use backedge_ir::constant::{ConstData, GlobalRef};
use backedge_ir::entity::{EntityId as _, EntitySet, Inst};
use backedge_ir::inst::{InstKind, MemAccess, Value};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::module::Env;
use backedge_ir::opcode::{CastOp, IntPredicate};
use backedge_ir::print::type_to_string;
use backedge_ir::types::Type;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The name of the callee of an indirect call.
pub(crate) const POINTER: &str = "a pointer";

/// One use of a parameter, or of a pointer computed from it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Touch {
    /// The user.
    pub(super) inst: Inst,
    /// Whether the pointer is the parameter plus an offset on every path.
    pub(super) exact: bool,
    /// The offset in bytes, if it is a single constant.
    pub(super) offset: Option<i64>,
    pub(super) what: What,
}

/// The kind of a use.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum What {
    /// A load, or the source of a copy.
    Read,
    /// A store, or the destination of a copy or fill.
    Write,
    /// A volatile or atomic access.
    Special(ModRef),
    /// A comparison; `null` if it only reveals whether the pointer is null.
    Compare { null: bool },
    /// The pointer is returned.
    Return,
    /// The pointer is stored.
    Stored,
    /// The pointer is the call argument with this index.
    Pass(usize),
    /// A use that is not followed.
    Lost,
}

/// All uses of a pointer, and of pointers computed from it, in code that may execute.
pub(super) fn touches(body: &Body, first: Value, calls: &Calls<'_>) -> Vec<Touch> {
    let mut found = Vec::new();
    let mut states: FxHashMap<Value, (bool, Option<i64>)> = FxHashMap::default();
    states.insert(first, (true, Some(0)));
    let mut work = vec![first];
    while let Some(pointer) = work.pop() {
        let (exact, offset) = states[&pointer];
        for use_ in body.uses(pointer) {
            if !calls.live.contains(use_.user) {
                continue;
            }
            let (inst, index) = (use_.user, use_.index as usize);
            match step(body, calls, (inst, index), (exact, offset)) {
                Step::Use(what) => found.push(Touch { inst, exact, offset, what }),
                Step::Silent => {}
                Step::Copy(state, what) => {
                    found.extend(what.map(|what| Touch { inst, exact, offset, what }));
                    let old = states.get(&inst.into()).copied();
                    let merged = match old {
                        None => state,
                        Some((e, o)) => (e && state.0, if o == state.1 { o } else { None }),
                    };
                    if old != Some(merged) {
                        states.insert(inst.into(), merged);
                        work.push(inst.into());
                    }
                }
            }
        }
    }
    // A pointer whose state was widened was visited more than once; the last state holds.
    for touch in &mut found {
        let operands = body.inst(touch.inst).operands.iter();
        for (exact, offset) in operands.filter_map(|v| states.get(v)) {
            touch.exact &= exact;
            touch.offset = touch.offset.filter(|o| Some(*o) == *offset);
        }
    }
    found.dedup();
    found
}

enum Step {
    Use(What),
    /// The result is a pointer computed from this one; the use may count by itself.
    Copy((bool, Option<i64>), Option<What>),
    Silent,
}

fn access(access: &MemAccess, plain: What, effect: ModRef) -> Step {
    let is_plain = !access.volatile && access.ordering.is_none();
    Step::Use(if is_plain { plain } else { What::Special(effect) })
}

fn step(
    body: &Body,
    calls: &Calls<'_>,
    (inst, index): (Inst, usize),
    (exact, offset): (bool, Option<i64>),
) -> Step {
    let data = body.inst(inst);
    match &data.kind {
        InstKind::Load(of) => access(of, What::Read, ModRef::READ),
        InstKind::Store(of) if index == 1 => access(of, What::Write, ModRef::WRITE),
        InstKind::Store(_) => Step::Use(What::Stored),
        InstKind::Gep { source, .. } if index == 0 => {
            let by = constant_offset(calls.env, body, *source, &data.operands);
            let is_scalar = data.ty.compound_id().is_none();
            Step::Copy((exact && is_scalar, offset.zip(by).and_then(|(a, b)| a.checked_add(b))), None)
        }
        InstKind::Freeze => Step::Copy((exact, offset), None),
        InstKind::Cast(CastOp::AddrSpaceCast, _) => Step::Copy((false, None), None),
        InstKind::Phi(_) => Step::Copy((false, None), None),
        InstKind::Select(_) if index > 0 => Step::Copy((false, None), None),
        InstKind::ICmp { pred, .. } => {
            let is_null =
                |v: &Value| v.as_const().is_some_and(|c| matches!(body.constant(c).data, ConstData::Zero));
            let is_equality = matches!(pred, IntPredicate::Eq | IntPredicate::Ne);
            Step::Use(What::Compare { null: is_equality && data.operands.iter().any(is_null) })
        }
        InstKind::Ret => Step::Use(What::Return),
        InstKind::DebugRecord(_) => Step::Silent,
        InstKind::Call(_) | InstKind::Invoke(_) | InstKind::CallBr(_) => pass(calls, inst, index),
        _ => Step::Use(What::Lost),
    }
}

/// The pointer is an operand of a call.
fn pass(calls: &Calls<'_>, inst: Inst, index: usize) -> Step {
    let Some(called) = calls.of(inst) else { return Step::Use(What::Lost) };
    if index >= called.args {
        // An operand bundle, or the callee.
        return match called.intrinsic {
            Some(Intrinsic::Assume) => Step::Silent,
            _ => Step::Use(What::Lost),
        };
    }
    match called.intrinsic {
        Some(Intrinsic::LifetimeStart | Intrinsic::LifetimeEnd | Intrinsic::Assume | Intrinsic::Prefetch) => {
            Step::Silent
        }
        Some(Intrinsic::Memset | Intrinsic::Memcpy | Intrinsic::Memmove) if calls.is_volatile(called) => {
            Step::Use(What::Special(ModRef::READ_WRITE))
        }
        Some(Intrinsic::Memset | Intrinsic::Memcpy | Intrinsic::Memmove) if index == 0 => {
            Step::Use(What::Write)
        }
        Some(Intrinsic::Memcpy | Intrinsic::Memmove) if index == 1 => Step::Use(What::Read),
        Some(_) => Step::Use(What::Lost),
        None => {
            let captures = calls.captures(called, index);
            let is_returned = calls.argument_has(called, index, FlagAttr::Returned);
            if is_returned || captures.ret.allow_access() {
                Step::Copy((false, None), Some(What::Pass(index)))
            } else {
                Step::Use(What::Pass(index))
            }
        }
    }
}

/// Whether a load, a store, a copy or a fill may access zero bytes.
pub(super) fn may_be_empty(env: &Env, body: &Body, inst: Inst) -> bool {
    let data = body.inst(inst);
    let is_empty = |ty| env.layout.store_bytes(&env.types, ty).is_none_or(|bytes| bytes == 0);
    match data.kind {
        InstKind::Load(_) => is_empty(data.ty),
        InstKind::Store(_) => is_empty(body.ty(data.operands[0])),
        // The length is the operand after the destination and the source or byte.
        _ => data.operands.get(2).and_then(|length| body.as_int(*length)).is_none_or(|n| n.is_zero()),
    }
}

/// The offset of a `getelementptr` in bytes, if it is constant.
fn constant_offset(env: &Env, body: &Body, source: Type, operands: &[Value]) -> Option<i64> {
    steps(env, body, source, operands).filter(|(_, variable)| variable.is_empty()).map(|(offset, _)| offset)
}

/// The offset of a `getelementptr`: a constant number of bytes, and indices with their scales in bytes.
pub(super) fn steps(
    env: &Env,
    body: &Body,
    source: Type,
    operands: &[Value],
) -> Option<(i64, Vec<(Value, i64)>)> {
    let mut ty = source;
    let (mut offset, mut variable) = (0i64, Vec::new());
    for (i, operand) in operands[1..].iter().enumerate() {
        let number = body.as_int(*operand).map(|index| i64::try_from(index.signed()).ok());
        let layout = if i > 0 { env.layout.struct_layout(&env.types, ty) } else { None };
        if let Some(layout) = layout {
            let index = u64::try_from(number??).ok()?;
            ty = env.types.member(ty, index)?;
            let at = i64::try_from(*layout.offsets.get(usize::try_from(index).ok()?)?).ok()?;
            offset = offset.checked_add(at)?;
            continue;
        }
        if i > 0 {
            ty = env.types.member(ty, 0)?;
        }
        let size = i64::try_from(env.layout.alloc_bytes(&env.types, ty)?).ok()?;
        match number {
            Some(index) => offset = offset.checked_add(size.checked_mul(index?)?)?,
            None => variable.push((*operand, size)),
        }
    }
    Some((offset, variable))
}

/// The memory that a pointer may point to.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Leads {
    /// Memory of a parameter.
    pub(super) argument: bool,
    /// Memory that belongs neither to a parameter nor to the function.
    pub(super) other: bool,
    /// Constant memory, whose reads do not count.
    pub(super) constant: bool,
}

impl Leads {
    /// The memory that `pointer` may point to.
    pub(super) fn of(body: &Body, calls: &Calls<'_>, pointer: Value) -> Self {
        let mut leads = Self::default();
        let mut seen: EntitySet<Inst> = EntitySet::new();
        let mut work = vec![pointer];
        while let Some(value) = work.pop() {
            let inst = match value {
                Value::Arg(_) => {
                    leads.argument = true;
                    continue;
                }
                Value::Const(c) => {
                    match body.constant(c).data {
                        ConstData::Global(GlobalRef::Var(id)) if calls.env.vars[id].is_constant => {
                            leads.constant = true
                        }
                        ConstData::Global(GlobalRef::Var(_)) => leads.other = true,
                        _ => (leads.argument, leads.other) = (true, true),
                    }
                    continue;
                }
                Value::Inst(inst) => inst,
            };
            if !seen.insert(inst) {
                continue;
            }
            let data = body.inst(inst);
            match data.kind {
                InstKind::Gep { .. } | InstKind::Freeze | InstKind::Cast(CastOp::AddrSpaceCast, _) => {
                    work.push(data.operands[0]);
                }
                InstKind::Phi(_) => work.extend(data.operands.iter().copied()),
                InstKind::Select(_) => work.extend(data.operands[1..].iter().copied()),
                InstKind::Alloca(_) => {}
                // A loaded pointer may be a parameter that was stored.
                _ => (leads.argument, leads.other) = (true, true),
            }
        }
        leads
    }
}

impl Calls<'_> {
    /// The effect of a call on the memory of its argument at `index`.
    pub(super) fn argument_effect(&self, called: &Called, index: usize) -> ModRef {
        let has = |flag| self.argument_has(called, index, flag);
        // Memory outside the arguments may still be memory that they point to.
        let (arg, other) = (called.memory.argmem, called.memory.other);
        let effect = ModRef { reads: arg.reads || other.reads, writes: arg.writes || other.writes };
        ModRef {
            reads: effect.reads && !has(FlagAttr::WriteOnly) && !has(FlagAttr::ReadNone),
            writes: effect.writes && !has(FlagAttr::ReadOnly) && !has(FlagAttr::ReadNone),
        }
    }
}

/// The form of an access, comparable between both functions: the instruction, the type, and the constant offset in
/// bytes from its base pointer, if there is one.
pub(super) fn shape(env: &Env, body: &Body, inst: Inst) -> String {
    let data = body.inst(inst);
    let (ty, mut pointer) = match (&data.kind, &data.operands[..]) {
        (InstKind::Store(_), [value, pointer, ..]) => (body.ty(*value), Some(*pointer)),
        (InstKind::Load(_), [pointer, ..]) => (data.ty, Some(*pointer)),
        _ => (data.ty, None),
    };
    let mut offset = Some(0i64);
    // Unreachable code may use its own results.
    let mut seen: EntitySet<Inst> = EntitySet::new();
    while let Some(Value::Inst(from)) = pointer {
        if !seen.insert(from) {
            break;
        }
        let from = body.inst(from);
        let InstKind::Gep { source, .. } = &from.kind else { break };
        let by = constant_offset(env, body, *source, &from.operands);
        offset = offset.zip(by).and_then(|(a, b)| a.checked_add(b));
        pointer = Some(from.operands[0]);
    }
    let at = offset.map_or_else(|| "?".to_owned(), |offset| offset.to_string());
    let name = match data.kind {
        InstKind::Load(_) => "load",
        InstKind::Store(_) => "store",
        _ => "other",
    };
    format!("{name} {} at {at}", type_to_string(&env.types, ty))
}

/// The origin of a pointer.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Root {
    /// The parameter with this index.
    Parameter(usize),
    /// The global with this name.
    Global(Arc<str>),
    /// Another constant.
    Constant,
    /// An alloca of the function.
    Alloca,
    /// A loaded pointer.
    Loaded,
    /// The result of a call.
    Returned,
    /// Something else.
    Other,
}

/// The origins of the pointer operands of `inst`, comparable between both functions.
pub(super) fn roots(env: &Env, body: &Body, inst: Inst) -> Vec<Root> {
    let operands = body.inst(inst).operands.iter().copied();
    roots_of(env, body, operands.filter(|v| env.types.scalar(body.ty(*v)).is_ptr()))
}

/// The origins of pointers.
pub(super) fn roots_of(env: &Env, body: &Body, pointers: impl IntoIterator<Item = Value>) -> Vec<Root> {
    let mut seen: EntitySet<Inst> = EntitySet::new();
    let mut work: Vec<Value> = pointers.into_iter().collect();
    let mut found = Vec::new();
    while let Some(value) = work.pop() {
        let inst = match value {
            Value::Arg(arg) => {
                found.push(Root::Parameter(arg.index()));
                continue;
            }
            Value::Const(c) => {
                found.push(match body.constant(c).data {
                    ConstData::Global(global) => Root::Global(env.name_of(global).into()),
                    _ => Root::Constant,
                });
                continue;
            }
            Value::Inst(inst) => inst,
        };
        if !seen.insert(inst) {
            continue;
        }
        let data = body.inst(inst);
        match data.kind {
            InstKind::Gep { .. } | InstKind::Freeze | InstKind::Cast(CastOp::AddrSpaceCast, _) => {
                work.push(data.operands[0]);
            }
            InstKind::Phi(_) => work.extend(data.operands.iter().copied()),
            InstKind::Select(_) => work.extend(data.operands[1..].iter().copied()),
            InstKind::Alloca(_) => found.push(Root::Alloca),
            InstKind::Load(_) => found.push(Root::Loaded),
            InstKind::Call(_) | InstKind::Invoke(_) | InstKind::CallBr(_) => found.push(Root::Returned),
            _ => found.push(Root::Other),
        }
    }
    found.sort();
    found.dedup();
    found
}
