//! Underlying objects of pointers: the objects, whether they are known to be distinct from others, their sizes, and the
//! instructions that capture their addresses.

use crate::cache::{Analysis, At, Depends};
use crate::effects::called_function;
use crate::must_execute::called_intrinsic;
use backedge_ir::attr::{Attr, FlagAttr, IntAttr, TypeAttr};
use backedge_ir::constant::{ConstData, ConstOp, GlobalRef};
use backedge_ir::entity::{Arg, EntityId, GlobalId, Inst};
use backedge_ir::inst::{CallView, InstKind, Value};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::module::Linkage;
use backedge_ir::opcode::CastOp;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// An object that a pointer may be based on.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Object {
    /// An alloca: one object per execution.
    Alloca(Inst),
    /// The result of a `noalias` call: memory that nothing else points to.
    Fresh(Inst),
    /// A global variable or function.
    Global(GlobalRef),
    /// An argument that is `noalias`, or a copy that belongs to the function (`byval`).
    NoAlias(Arg),
    /// Another argument.
    Argument(Arg),
    /// Null, in an address space where null is no object.
    Null,
    /// A pointer from memory, a call or an integer: it can point only to objects that have escaped.
    Escaped(Value),
    /// A pointer about which nothing is known.
    Unknown(Value),
}

impl Object {
    /// Whether the object is identified: no pointer based on another identified object reaches its memory.
    pub fn is_identified(self) -> bool {
        matches!(self, Self::Alloca(_) | Self::Fresh(_) | Self::Global(_) | Self::NoAlias(_))
    }
    /// Whether the function creates the object, or `noalias` separates its memory from all other memory.
    pub fn is_local(self) -> bool {
        matches!(self, Self::Alloca(_) | Self::Fresh(_) | Self::NoAlias(_))
    }
}

/// Limit on the number of values visited on the way to the underlying objects: bounds the time of a query. Beyond it
/// the objects are unknown.
const STEPS: usize = 64;
/// Limit on the number of underlying objects of a pointer, through phis and selects: queries compare the objects of two
/// pointers pair by pair. With more objects they are unknown.
pub const MOST_OBJECTS: usize = 8;

/// The pointer operand of `value`, if `value` only offsets or casts it.
pub(crate) fn stripped(at: At<'_>, value: Value) -> Option<Value> {
    match value {
        Value::Inst(inst) => {
            let data = at.body.inst(inst);
            match &data.kind {
                InstKind::Gep { .. } if at.body.ty(data.operands[0]).is_ptr() => Some(data.operands[0]),
                InstKind::Cast(CastOp::BitCast | CastOp::AddrSpaceCast, _) => Some(data.operands[0]),
                InstKind::Call(_) => {
                    let call = data.call()?;
                    let passes = matches!(
                        called_intrinsic(at.env, at.body, call)?,
                        Intrinsic::LaunderInvariantGroup
                            | Intrinsic::StripInvariantGroup
                            | Intrinsic::PtrMask
                            | Intrinsic::PtrAnnotation
                            | Intrinsic::SsaCopy
                    );
                    call.args().first().copied().filter(|_| passes)
                }
                _ => None,
            }
        }
        Value::Const(c) => match &at.body.constant(c).data {
            ConstData::Expr(e) => match e.op {
                ConstOp::Gep { .. } | ConstOp::Cast(CastOp::BitCast | CastOp::AddrSpaceCast) => {
                    e.operands.first().map(|c| Value::Const(*c))
                }
                ConstOp::Cast(_) | ConstOp::Binary(..) => None,
            },
            _ => None,
        },
        Value::Arg(_) => None,
    }
}

/// The underlying objects of `ptr`, through phis and selects; `None` if there are too many.
pub fn underlying_objects(at: At<'_>, ptr: Value) -> Option<SmallVec<[Object; 4]>> {
    let mut objects: SmallVec<[Object; 4]> = SmallVec::new();
    let mut seen = FxHashSet::from_iter([ptr]);
    let mut work: SmallVec<[Value; 8]> = SmallVec::from_slice(&[ptr]);
    let mut steps = 0;
    while let Some(value) = work.pop() {
        steps += 1;
        if steps > STEPS || objects.len() > MOST_OBJECTS {
            return None;
        }
        let inst = value.as_inst().map(|i| at.body.inst(i));
        let next: &[Value] = match inst.map(|d| (&d.kind, d.operands.as_slice())) {
            Some((InstKind::Phi(_), operands)) => operands,
            Some((InstKind::Select(_), operands)) => &operands[1..],
            // A freeze returns its operand or, if that is poison, an arbitrary pointer, through which no access is
            // allowed.
            Some((InstKind::Freeze, _)) => &[],
            _ => &[],
        };
        if !next.is_empty() {
            work.extend(next.iter().copied().filter(|v| seen.insert(*v)));
        } else if let Some(base) = stripped(at, value) {
            if seen.insert(base) {
                work.push(base);
            }
        } else {
            let object = object_of(at, value);
            if let Some(object) = object.filter(|o| !objects.contains(o)) {
                objects.push(object);
            }
        }
    }
    Some(objects)
}

/// The object of a pointer that is no GEP, cast, phi or select; `None` for poison and undef, which access nothing.
fn object_of(at: At<'_>, value: Value) -> Option<Object> {
    Some(match value {
        Value::Const(c) => match &at.body.constant(c).data {
            ConstData::Global(g @ (GlobalRef::Var(_) | GlobalRef::Func(_))) => Object::Global(*g),
            ConstData::Zero if at.body.ty(value).ptr_space() == Some(0) && !null_is_valid(at) => Object::Null,
            ConstData::Poison | ConstData::Undef => return None,
            _ => Object::Unknown(value),
        },
        Value::Arg(arg) => {
            if is_noalias_argument(at, arg) {
                Object::NoAlias(arg)
            } else {
                Object::Argument(arg)
            }
        }
        Value::Inst(inst) => {
            let data = at.body.inst(inst);
            match &data.kind {
                InstKind::Alloca(_) => Object::Alloca(inst),
                InstKind::Call(_) | InstKind::Invoke(_) | InstKind::CallBr(_) => match data.call() {
                    Some(call) if returns_fresh(at, call) => Object::Fresh(inst),
                    Some(call) if called_intrinsic(at.env, at.body, call).is_some() => Object::Unknown(value),
                    _ => Object::Escaped(value),
                },
                InstKind::Load(_) | InstKind::Cast(CastOp::IntToPtr, _) | InstKind::AtomicRmw(..) => {
                    Object::Escaped(value)
                }
                _ => Object::Unknown(value),
            }
        }
    })
}

fn null_is_valid(at: At<'_>) -> bool {
    at.func.is_none_or(|f| at.env.has_attr(&at.env.funcs[f].attrs, FlagAttr::NullPointerIsValid))
}

fn is_noalias_argument(at: At<'_>, arg: Arg) -> bool {
    let list = at.func.and_then(|f| at.env.funcs[f].param_attrs.get(arg.index()));
    list.is_some_and(|l| {
        at.env.attrs(l).any(|a| matches!(a, Attr::Flag(FlagAttr::NoAlias) | Attr::Type(TypeAttr::ByVal, _)))
    })
}

fn returns_fresh(at: At<'_>, call: CallView<'_>) -> bool {
    at.env.has_attr(&call.info.ret_attrs, FlagAttr::NoAlias)
        || called_function(at.body, call)
            .is_some_and(|f| at.env.has_attr(&at.env.funcs[f].ret_attrs, FlagAttr::NoAlias))
}

/// The size of an object in bytes, if the exact size is known.
pub fn object_size(at: At<'_>, object: Object) -> Option<u64> {
    let env = at.env;
    match object {
        Object::Alloca(inst) => {
            let data = at.body.inst(inst);
            let InstKind::Alloca(info) = &data.kind else { return None };
            let count = match data.operands.first() {
                Some(n) => at.body.as_int(*n)?.to_u64()?,
                None => 1,
            };
            env.layout.alloc_bytes(&env.types, info.ty)?.checked_mul(count)
        }
        Object::Global(GlobalRef::Var(var)) => {
            let data = &env.vars[var];
            env.layout.alloc_bytes(&env.types, data.ty).filter(|_| data.is_definitive())
        }
        _ => None,
    }
}

/// The number of dereferenceable bytes from the start of an object, if its pointer is not poison: from the object's
/// size, or from attributes.
pub fn dereferenceable_bytes(at: At<'_>, object: Object) -> u64 {
    let env = at.env;
    let promised = |list| {
        let bytes = env.attrs(list).map(|a| match a {
            Attr::Int(IntAttr::Dereferenceable, n) => *n,
            Attr::Type(TypeAttr::ByVal, Some(ty)) => env.layout.alloc_bytes(&env.types, *ty).unwrap_or(0),
            _ => 0,
        });
        bytes.max().unwrap_or(0)
    };
    match object {
        Object::Global(GlobalRef::Var(var)) if env.vars[var].linkage != Linkage::ExternWeak => {
            env.layout.alloc_bytes(&env.types, env.vars[var].ty).unwrap_or(0)
        }
        Object::Alloca(_) => object_size(at, object).unwrap_or(0),
        Object::NoAlias(arg) | Object::Argument(arg) => {
            at.func.and_then(|f| env.funcs[f].param_attrs.get(arg.index())).map_or(0, promised)
        }
        Object::Fresh(inst) | Object::Escaped(Value::Inst(inst)) => {
            at.body.inst(inst).call().map_or(0, |c| promised(&c.info.ret_attrs))
        }
        _ => 0,
    }
}

/// Whether the contents of `var` never change.
pub fn is_constant_memory(at: At<'_>, var: GlobalId) -> bool {
    at.env.vars[var].is_constant
}

/// The instructions that capture the address of an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Captured {
    /// Exactly these instructions may capture it; if the list is empty, nothing does.
    By(Vec<Inst>),
    /// Too many uses to tell.
    Unknown,
}

/// The captures of all allocas, fresh memory and noalias arguments.
#[derive(Debug, Default)]
pub struct Captures {
    of: FxHashMap<Value, Captured>,
}

/// Limit on the number of uses visited per object: bounds the time of a query. An object with more uses may be captured
/// in any way.
const USES: usize = 256;

impl Captures {
    /// The captures of `object`; unknown for objects that are not local.
    pub fn of(&self, object: Object) -> &Captured {
        let value = match object {
            Object::Alloca(inst) | Object::Fresh(inst) => Value::Inst(inst),
            Object::NoAlias(arg) => Value::Arg(arg),
            _ => return &Captured::Unknown,
        };
        self.of.get(&value).unwrap_or(&Captured::Unknown)
    }
    /// Whether the address is never captured while the function runs.
    pub fn is_never_captured(&self, object: Object) -> bool {
        matches!(self.of(object), Captured::By(list) if list.is_empty())
    }
    /// Whether the address may be captured before or by `inst`; false is a proof.
    pub fn may_be_captured_before(&self, at: At<'_>, object: Object, inst: Inst) -> bool {
        match self.of(object) {
            Captured::Unknown => true,
            Captured::By(list) => list.iter().any(|by| *by == inst || may_reach(at, *by, inst)),
        }
    }
}

/// Limit on the number of blocks visited in search of a path: bounds the time of a query. Beyond it a path is assumed
/// to exist.
const BLOCKS: usize = 64;

/// Whether control may flow from `from` to `to`, possibly around a cycle; false is a proof.
fn may_reach(at: At<'_>, from: Inst, to: Inst) -> bool {
    let (Some(start), Some(end)) = (at.body.block_of(from), at.body.block_of(to)) else { return true };
    if start == end && at.get::<crate::order::Order>().comes_before(at.body, from, to) {
        return true;
    }
    let cfg = at.cfg();
    let mut seen = FxHashSet::default();
    let mut work = cfg.succs(start).to_vec();
    while let Some(block) = work.pop() {
        if block == end || seen.len() > BLOCKS {
            return true;
        }
        if seen.insert(block) {
            work.extend(cfg.succs(block));
        }
    }
    false
}

impl Analysis for Captures {
    const NAME: &'static str = "captured addresses";
    const DEPENDS: Depends = Depends::Body;
    fn compute(at: At<'_>) -> Self {
        let mut this = Self::default();
        let args = at.body.args().filter(|a| is_noalias_argument(at, *a)).map(Value::Arg);
        let made = at.body.all_insts().filter(|i| {
            let data = at.body.inst(*i);
            matches!(data.kind, InstKind::Alloca(_)) || data.call().is_some_and(|c| returns_fresh(at, c))
        });
        for value in args.chain(made.map(Value::Inst)) {
            this.of.insert(value, captures_of(at, value));
        }
        this
    }
    fn same_as(&self, other: &Self, _: At<'_>) -> bool {
        self.of == other.of
    }
}

fn captures_of(at: At<'_>, object: Value) -> Captured {
    let mut list = Vec::new();
    let mut seen = FxHashSet::from_iter([object]);
    let mut work = vec![object];
    let mut uses = 0;
    while let Some(value) = work.pop() {
        for use_ in at.body.code_uses(value) {
            uses += 1;
            if uses > USES {
                return Captured::Unknown;
            }
            match effect_of_use(at, use_.user, use_.index) {
                UseEffect::None => {}
                UseEffect::Passes => {
                    if seen.insert(use_.user.into()) {
                        work.push(use_.user.into());
                    }
                }
                UseEffect::Captures => list.push(use_.user),
            }
        }
    }
    Captured::By(list)
}

enum UseEffect {
    None,
    /// The result is based on the operand.
    Passes,
    Captures,
}

fn effect_of_use(at: At<'_>, user: Inst, index: u32) -> UseEffect {
    let data = at.body.inst(user);
    match &data.kind {
        // A returned pointer is captured only after the function has ended.
        InstKind::Ret | InstKind::DebugRecord(_) => UseEffect::None,
        InstKind::Load(access) if !access.volatile => UseEffect::None,
        InstKind::Store(access) if index == 1 && !access.volatile => UseEffect::None,
        InstKind::AtomicRmw(_, access) if index == 0 && !access.volatile => UseEffect::None,
        InstKind::CmpXchg(info) if index == 0 && !info.access.volatile => UseEffect::None,
        InstKind::Gep { .. } | InstKind::Phi(_) | InstKind::Select(_) | InstKind::Freeze => UseEffect::Passes,
        InstKind::Cast(CastOp::BitCast | CastOp::AddrSpaceCast, _) => UseEffect::Passes,
        InstKind::ICmp { .. } => {
            let other = data.operands[1 - index as usize];
            let is_null = other.as_const().is_some_and(|c| at.body.constant(c).data == ConstData::Zero);
            if is_null { UseEffect::None } else { UseEffect::Captures }
        }
        InstKind::Call(_) | InstKind::Invoke(_) | InstKind::CallBr(_) => {
            data.call().map_or(UseEffect::Captures, |c| of_argument(at, user, c, index))
        }
        _ => UseEffect::Captures,
    }
}

fn of_argument(at: At<'_>, user: Inst, call: CallView<'_>, index: u32) -> UseEffect {
    let Some(attrs) = call.info.arg_attrs.get(index as usize) else { return UseEffect::Captures };
    let callee = called_function(at.body, call);
    if stripped(at, user.into()) == call.args().get(index as usize).copied() {
        return UseEffect::Passes;
    }
    let not_captured = matches!(
        callee.and_then(|f| at.env.funcs[f].intrinsic),
        Some(
            Intrinsic::LifetimeStart
                | Intrinsic::LifetimeEnd
                | Intrinsic::Memcpy
                | Intrinsic::MemcpyInline
                | Intrinsic::Memmove
                | Intrinsic::Memset
                | Intrinsic::MemsetInline
                | Intrinsic::Prefetch
                | Intrinsic::ObjectSize
        )
    ) && !crate::must_execute::volatile_intrinsic(at.env, at.body, call);
    let declared = callee.and_then(|f| at.env.funcs[f].param_attrs.get(index as usize));
    let promises =
        |list| at.env.attrs(list).any(|a| matches!(a, Attr::NoCapture | Attr::Type(TypeAttr::ByVal, _)));
    if not_captured || promises(attrs) || declared.is_some_and(promises) {
        // The result of such a call would be based on the returned argument.
        let returned = |list| at.env.has_attr(list, FlagAttr::Returned);
        let passes = returned(attrs) || declared.is_some_and(returned);
        return if passes { UseEffect::Captures } else { UseEffect::None };
    }
    UseEffect::Captures
}
