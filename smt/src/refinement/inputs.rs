//! Builds the shared world of a pair: checks whether two functions are comparable, and creates their arguments.
//!
//! A pointer argument is null, or points to a global or to a block of the caller that others may share. A pointer that
//! is `noalias` or `byval` in the source points to a block of its own.

use super::outcome::Mismatch;
use crate::encode::answers::called_by;
use crate::encode::byte::Byte;
use crate::encode::constant::alias_targets;
use crate::encode::function::Unsupported;
use crate::encode::value::{Scalar, Sym};
use crate::encode::world::dead::Dead;
use crate::encode::world::{
    BLOCK_BITS, ByteLayout, KnownBlock, OFFSET_BITS, POINTER_BITS, Side, Uninit, World,
};
use crate::encode::{block_of, offset_of};
use crate::limits::Limits;
use crate::promises::calls::distinguished_by_promises;
use crate::refinement::freeing::may_free;
use crate::refinement::{FunctionRef, Reason};
use crate::term::Term;
use backedge_ir::attr::{Attr, FlagAttr, IntAttr, TypeAttr};
use backedge_ir::body::Body;
use backedge_ir::constant::{ConstData, GlobalRef};
use backedge_ir::entity::{Arg, EntityId};
use backedge_ir::inst::InstKind;
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::module::{Env, Module};
use backedge_ir::opcode::CastOp;
use backedge_ir::types::{Compound, Type, TypeKind};

/// Which values inputs and uninitialized memory may hold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Given {
    pub(crate) uninit: Uninit,
    /// Whether arguments and initial memory may contain undef bits.
    pub(crate) undef: bool,
    /// Whether the memory layout has undef bits; `undef` implies it.
    pub(crate) undef_memory: bool,
    /// Whether arguments and initial memory may contain poison.
    pub(crate) poison: bool,
}

/// The world of a pair and the arguments of both functions.
pub(crate) fn prepare(
    source: FunctionRef<'_>,
    target: FunctionRef<'_>,
    given: Given,
    limits: Limits,
) -> Result<(World, Vec<Sym>), Reason> {
    let (sm, tm) = (source.module, target.module);
    compare(source, target).map_err(Reason::Mismatch)?;
    let pointer = sm.env.layout.pointer(0);
    let unsupported = |feature: &str| {
        Err(Reason::Unsupported(Unsupported { side: Side::Source, inst: None, feature: feature.to_owned() }))
    };
    if pointer.bits > OFFSET_BITS || pointer.bits < 8 || pointer.index_bits != pointer.bits {
        return unsupported("pointers whose index width is not their width, or beyond 64 bits");
    }
    let (Some(sb), Some(tb)) = (sm.body(source.func), tm.body(target.func)) else {
        return unsupported("a function without a modelled body");
    };
    for (env, body) in [(&sm.env, sb), (&tm.env, tb)] {
        if uses_other_spaces(env, body) {
            return unsupported("pointers of an address space with another width");
        }
    }
    let pointers = moves_pointers(&sm.env, sb) || moves_pointers(&tm.env, tb);
    let layout = ByteLayout {
        pointers,
        undef: given.undef || given.undef_memory,
        address_bits: pointer.bits,
        big_endian: sm.env.layout.big_endian,
    };
    if sm.env.vars.len() + tm.env.vars.len() + sm.env.funcs.len() + tm.env.funcs.len() > 8000 {
        return unsupported("modules of more than 8,000 globals");
    }
    let mut world = World::new([sm, tm], layout, given.uninit, given.undef, limits);
    (world.poison_arguments, world.poison_memory) = (given.poison, given.poison);
    for (module, body) in [(sm, sb), (tm, tb)] {
        note_globals(&mut world, module, body);
        let lands = |i| matches!(body.inst(i).kind, InstKind::LandingPad { .. } | InstKind::Resume);
        world.unwinding |= body.all_insts().any(lands);
    }
    // A function compared with itself needs no distinction between its calls.
    if !std::ptr::eq(sm, tm) || source.func != target.func {
        world.told_apart = distinguished_by_promises(source);
    }
    world.answered = called_by(tm, target.func, tb).collect();
    let args = arguments(&mut world, source, sb)?;
    if ![source, target].into_iter().any(may_free) {
        note_never_freed(&mut world, source, &args);
    }
    note_writable(&mut world, source, &args);
    note_stored_back(&mut world, source, &args);
    world.nothing_is_freed = frees_nothing(source, sb);
    Ok((world, args))
}

fn compare(source: FunctionRef<'_>, target: FunctionRef<'_>) -> Result<(), Mismatch> {
    let signature = |f: &FunctionRef<'_>| {
        let env = &f.module.env;
        let (ret, params, vararg) = env.types.signature(env.funcs[f.func].ty)?;
        let spelled = |ty: &Type| backedge_ir::print::type_to_string(&env.types, *ty);
        Some((spelled(&ret), params.iter().map(spelled).collect::<Vec<_>>(), vararg))
    };
    if signature(&source) != signature(&target) {
        return Err(Mismatch::Signature);
    }
    let text = |f: &FunctionRef<'_>| f.module.env.layout.text.clone();
    if text(&source).unwrap_or_default() != text(&target).unwrap_or_default() {
        return Err(Mismatch::DataLayout);
    }
    Ok(())
}

/// Whether pointers occur whose address space has another width than address space 0.
fn uses_other_spaces(env: &Env, body: &Body) -> bool {
    let usual = env.layout.pointer(0);
    let odd = |ty: Type| {
        env.types.scalar(ty).ptr_space().is_some_and(|s| {
            let spec = env.layout.pointer(s);
            (spec.bits, spec.index_bits) != (usual.bits, usual.index_bits)
        })
    };
    body.args().any(|a| odd(body.ty(a.into()))) || body.all_insts().any(|i| odd(body.inst(i).ty))
}

/// The globals that a body names, directly or through aliases.
fn globals_of<'a>(env: &'a Env, body: &'a Body) -> impl Iterator<Item = GlobalRef> + 'a {
    body.consts().iter().flat_map(|(_, c)| match c.data {
        ConstData::Global(GlobalRef::Alias(id)) => alias_targets(env, id).unwrap_or_default(),
        ConstData::Global(global) => vec![global],
        _ => Vec::new(),
    })
}

/// Whether pointers are loaded or stored, or a used constant global contains pointers.
fn moves_pointers(env: &Env, body: &Body) -> bool {
    let moved = body.all_insts().any(|i| {
        let data = body.inst(i);
        match data.kind {
            InstKind::Load(_) => env.types.holds_pointer(data.ty),
            InstKind::Store(_) => env.types.holds_pointer(body.ty(data.operands[0])),
            InstKind::Cast(..) => {
                let from = body.ty(data.operands[0]);
                from.compound_id().is_some()
                    && (env.types.holds_pointer(from) || env.types.holds_pointer(data.ty))
            }
            // Masked accesses: the loaded or stored value.
            InstKind::Call(_) => data
                .call()
                .and_then(|call| body.called_function(call.callee()))
                .is_some_and(|func| match env.funcs[func].intrinsic {
                    Some(Intrinsic::MaskedLoad | Intrinsic::MaskedGather) => env.types.holds_pointer(data.ty),
                    Some(Intrinsic::MaskedStore | Intrinsic::MaskedScatter) => {
                        env.types.holds_pointer(body.ty(data.operands[0]))
                    }
                    _ => false,
                }),
            _ => false,
        }
    });
    moved
        || globals_of(env, body).any(|g| match g {
            GlobalRef::Var(id) => env.vars[id].is_constant && env.types.holds_pointer(env.vars[id].ty),
            GlobalRef::Func(_) | GlobalRef::Alias(_) => false,
        })
}

fn note_globals(world: &mut World, module: &Module, body: &Body) {
    for global in globals_of(&module.env, body) {
        if let GlobalRef::Var(id) = global {
            let var = &module.env.vars[id];
            world.used_globals.insert(var.name.clone());
            if var.is_constant && var.definitive_init().is_none() {
                world.approximate("a constant of another module holds anything");
            }
        }
    }
}

/// Records which parameters point to memory that is not freed while the function runs.
fn note_never_freed(world: &mut World, source: FunctionRef<'_>, args: &[Sym]) {
    let env = &source.module.env;
    let stays = |attr: &Attr| match attr {
        Attr::Int(IntAttr::Dereferenceable | IntAttr::DereferenceableOrNull, bytes) => *bytes > 0,
        Attr::Type(ty, _) => *ty != TypeAttr::ElementType,
        _ => false,
    };
    for (list, arg) in env.funcs[source.func].param_attrs.iter().zip(args) {
        if let Sym::Scalar(scalar) = arg
            && env.attrs(list).any(stays)
        {
            let block = block_of(&mut world.terms, scalar.bits);
            world.never_freed.push(block);
        }
    }
}
/// States that the dereferenceable memory of the source's `writable` parameters is writable.
fn note_writable(world: &mut World, source: FunctionRef<'_>, args: &[Sym]) {
    let env = &source.module.env;
    for (list, arg) in env.funcs[source.func].param_attrs.iter().zip(args) {
        let is_there = |attr: &Attr| match attr {
            Attr::Int(IntAttr::Dereferenceable, bytes) => *bytes > 0,
            Attr::Type(ty, _) => *ty != TypeAttr::ElementType,
            _ => false,
        };
        let or_null =
            |attr: &Attr| matches!(attr, Attr::Int(IntAttr::DereferenceableOrNull, bytes) if *bytes > 0);
        if let Sym::Scalar(scalar) = arg
            && env.has_attr(list, FlagAttr::Writable)
        {
            let is_there = env.attrs(list).any(is_there);
            if is_there || env.attrs(list).any(or_null) {
                let block = block_of(&mut world.terms, scalar.bits);
                let read_only = world.is_read_only(block);
                let writable = world.terms.not(read_only);
                let null = if is_there { world.terms.bool(false) } else { world.is_null(scalar.bits) };
                let fact = world.terms.or_all([scalar.poison, writable, null]);
                world.axioms.push(fact);
            }
        }
    }
}
/// Records runs in which bytes are poison that the source stores back on entry: how much then becomes poison depends on
/// the type of the store, which LangRef leaves open.
fn note_stored_back(world: &mut World, source: FunctionRef<'_>, args: &[Sym]) {
    /// Limit on the bytes of a `writable` parameter that are looked at: each is a condition.
    const MANY_BYTES: u64 = 64;
    let env = &source.module.env;
    for (list, arg) in env.funcs[source.func].param_attrs.iter().zip(args) {
        let bytes = env.stored_back(list).min(MANY_BYTES);
        let Sym::Scalar(pointer) = arg else { continue };
        if bytes == 0 {
            continue;
        }
        let (layout, memory, terms) = (world.layout, world.memory, &mut world.terms);
        let (block, start) = (block_of(terms, pointer.bits), offset_of(terms, pointer.bits));
        let (mut some, mut all) = (terms.bool(false), terms.bool(true));
        for at in 0..bytes {
            let by = terms.number(OFFSET_BITS, at.into());
            let offset = terms.add(start, by);
            let place = terms.concat(block, offset);
            let byte = terms.select(memory, place);
            let poison = Byte::of(terms, layout, byte).poison;
            let (is_any, whole) = (terms.is_nonzero(poison), terms.number(8, 0xff));
            let is_whole = terms.eq(poison, whole);
            (some, all) = (terms.or(some, is_any), terms.and(all, is_whole));
        }
        let not_all = terms.not(all);
        let partly = terms.and(some, not_all);
        world.avoided.push(partly);
    }
}
/// Whether the attributes of the source imply that its calls free nothing. One call may still free memory that another
/// call allocated, and without `nosync` another thread may free memory whose address it learns (LangRef, `nofree`).
fn frees_nothing(source: FunctionRef<'_>, body: &Body) -> bool {
    let env = &source.module.env;
    let attrs = &env.funcs[source.func].attrs;
    let changes = env.memory_effects(attrs).is_none_or(|m| m.argmem.writes || m.other.writes);
    let gets_memory = |inst| {
        let data = body.inst(inst);
        matches!(
            data.kind,
            InstKind::Call(_)
                | InstKind::Invoke(_)
                | InstKind::CallBr(_)
                | InstKind::LandingPad { .. }
                | InstKind::Load(_)
                | InstKind::Cast(CastOp::IntToPtr, _)
        ) && env.types.holds_pointer(data.ty)
    };
    let is_kept = || env.has_attr(attrs, FlagAttr::NoFree) && env.has_attr(attrs, FlagAttr::NoSync);
    !changes || is_kept() && !body.all_insts().any(gets_memory)
}

fn arguments(world: &mut World, source: FunctionRef<'_>, body: &Body) -> Result<Vec<Sym>, Reason> {
    let env = &source.module.env;
    let header = &env.funcs[source.func];
    let mut args = Vec::new();
    for arg in body.args() {
        let ty = body.ty(arg.into());
        let name = argument_name(body, arg);
        let list = header.param_attrs.get(args.len());
        let copied = list.and_then(|list| env.attrs(list).find_map(copied_type));
        let own = copied.is_some() || list.is_some_and(|list| env.has_attr(list, FlagAttr::NoAlias));
        args.push(match own {
            true if ty.is_ptr() => {
                let size = copied.flatten().and_then(|ty| env.layout.alloc_bytes(&env.types, ty));
                // A `noalias` parameter may point to constant memory.
                let read_only = copied.is_some().then_some(false);
                let pointer = own_block(world, &name, (size, read_only));
                if copied.is_some() {
                    let from = block_start(world, pointer.bits);
                    let block = block_of(&mut world.terms, pointer.bits);
                    world.copies.push(block);
                    world.dead.push(Dead { from, bytes: None });
                    world.approximate("the copy for a `byval` parameter lies anywhere, and calls see it");
                }
                pointer.into()
            }
            _ => shared(world, env, ty, &name, 0).ok_or_else(|| {
                Reason::Unsupported(Unsupported {
                    side: Side::Source,
                    inst: None,
                    feature: "a parameter of a type that is not modelled".to_owned(),
                })
            })?,
        });
        let dead = list.and_then(|list| env.attrs(list).find_map(Attr::dead_on_return));
        if let (Some(bytes), Some(Sym::Scalar(pointer))) = (dead, args.last()) {
            // Without a size, all writes through the pointer are dead, including those before it.
            let pointer = pointer.bits;
            let from = if bytes.is_none() { block_start(world, pointer) } else { pointer };
            world.dead.push(Dead { from, bytes });
        }
    }
    Ok(args)
}

/// The name of an argument, or its number if it has none.
pub(crate) fn argument_name(body: &Body, arg: Arg) -> String {
    body.value_name(arg.into()).map_or_else(|| arg.index().to_string(), str::to_owned)
}

/// The first byte of the block that a pointer points to.
fn block_start(world: &mut World, pointer: Term) -> Term {
    let (block, zero) = (block_of(&mut world.terms, pointer), world.terms.number(OFFSET_BITS, 0));
    world.terms.concat(block, zero)
}

/// The type that a call copies for a parameter with this attribute; `None` if it copies nothing.
fn copied_type(attr: &Attr) -> Option<Option<Type>> {
    if let Attr::Type(TypeAttr::ByVal, ty) = attr { Some(*ty) } else { None }
}

/// An argument whose pointees may be shared with others.
fn shared(world: &mut World, env: &Env, ty: Type, name: &str, depth: u32) -> Option<Sym> {
    let width = match ty.kind() {
        TypeKind::Int(bits) if bits <= Type::MAX_INT_BITS => bits,
        TypeKind::Float(kind) => kind.bits(),
        TypeKind::Ptr(_) => POINTER_BITS,
        TypeKind::Compound(_) if depth < 16 => {
            let count = match env.types.compound(ty)? {
                Compound::Array { len, .. } | Compound::Vector { len, scalable: false, .. } => *len,
                Compound::Struct { .. } | Compound::Named { .. } => {
                    env.types.struct_fields(ty)?.0.len() as u64
                }
                Compound::Vector { .. } | Compound::Function { .. } | Compound::Target { .. } => return None,
            };
            if count > 4096 {
                return None;
            }
            let list: Option<Vec<Sym>> =
                (0..count).map(|i| shared(world, env, env.types.member(ty, i)?, name, depth + 1)).collect();
            return list.map(Sym::List);
        }
        TypeKind::Int(_)
        | TypeKind::Void
        | TypeKind::Label
        | TypeKind::Metadata
        | TypeKind::Token
        | TypeKind::Compound(_) => return None,
    };
    let value = world.argument_scalar(name, width);
    if ty.is_ptr() {
        let fact = world.points_outside(value.bits);
        world.axioms.push(fact);
    }
    Some(value.into())
}

/// An argument that points to a block of its own, or is null.
fn own_block(world: &mut World, name: &str, (size, read_only): (Option<u64>, Option<bool>)) -> Scalar {
    let size = size.map(|s| world.terms.number(OFFSET_BITS, s.into()));
    world.has_own_blocks = true;
    let number = world.add_block(KnownBlock {
        name: format!("%{name}").into(),
        size,
        align: 1,
        read_only,
        // Memory that is only read may be accessed in other ways: two pointers to it may be equal.
        may_coincide: true,
    });
    let value = world.argument_scalar(name, POINTER_BITS);
    let terms = &mut world.terms;
    let block = block_of(terms, value.bits);
    let (own, null) = (terms.number(BLOCK_BITS, number.into()), terms.number(BLOCK_BITS, 0));
    let (is_own, is_null) = (terms.eq(block, own), terms.eq(block, null));
    let fact = terms.or(is_own, is_null);
    // The pointer is rarely null; a constant block number keeps the terms small.
    let offset = offset_of(terms, value.bits);
    let offset = world.wrapped_offset(offset);
    let terms = &mut world.terms;
    let zero = terms.number(OFFSET_BITS, 0);
    let (block, offset) = (terms.ite(is_null, null, own), terms.ite(is_null, zero, offset));
    let bits = terms.concat(block, offset);
    world.axioms.push(fact);
    Scalar { bits, ..value }
}

/// Whether a run may use undef or poison from its inputs.
pub(crate) fn may_be_undef(source: FunctionRef<'_>, target: FunctionRef<'_>) -> bool {
    let env = &source.module.env;
    let header = &env.funcs[source.func];
    let Some(body) = source.module.body(source.func) else { return false };
    let noundef = |i: usize| header.param_attrs.get(i).is_some_and(|l| env.has_attr(l, FlagAttr::NoUndef));
    let argument = body.args().enumerate().any(|(i, a)| !noundef(i) && !body.uses(a.into()).is_empty());
    argument
        || [source, target].iter().any(|f| {
            f.module.body(f.func).is_some_and(|body| {
                body.all_insts().any(|i| {
                    matches!(
                        body.inst(i).kind,
                        InstKind::Load(_) | InstKind::Call(_) | InstKind::Invoke(_) | InstKind::CallBr(_)
                    )
                })
            })
        })
}

/// Constraints that make inputs easy to read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Simple {
    /// Bound on the absolute value of integers and offsets, and on block sizes in bytes.
    pub(crate) limit: u64,
    /// Whether the memory of arguments must be writable.
    pub(crate) writable: bool,
    /// Whether integers are unconstrained and may become pointers; only offsets and blocks are then small.
    pub(crate) any_integers: bool,
}

/// Whether arguments, call results, and the blocks that they and pointers in memory point to satisfy `simple`, and the
/// source passes only defined arguments to unobservable calls.
pub(crate) fn are_simple(world: &mut World, args: &[Sym], simple: Simple) -> Term {
    let mut all = world.terms.bool(true);
    let most = world.terms.number(OFFSET_BITS, simple.limit.into());
    let results: Vec<Scalar> =
        world.events.iter().filter_map(|e| e.result.as_ref()).flat_map(Sym::scalars).collect();
    let results = results.into_iter().filter(|r| world.terms.width(r.bits) == POINTER_BITS);
    for scalar in results.chain(args.iter().flat_map(Sym::scalars)).collect::<Vec<_>>() {
        let width = world.terms.width(scalar.bits);
        let fact = if width == POINTER_BITS {
            let block = block_of(&mut world.terms, scalar.bits);
            let size = world.size_of(block);
            let offset = offset_of(&mut world.terms, scalar.bits);
            let size = world.terms.ule(size, most);
            let offset = world.terms.ule(offset, most);
            let read_only = world.is_read_only(block);
            let writable = if simple.writable { world.terms.not(read_only) } else { world.terms.bool(true) };
            world.terms.and_all([size, offset, writable])
        } else if width > 16 && !simple.any_integers {
            let most = world.terms.number(width, simple.limit.into());
            let least = world.terms.bv_neg(most);
            let (above, below) = (world.terms.sle(least, scalar.bits), world.terms.sle(scalar.bits, most));
            world.terms.and(above, below)
        } else {
            continue;
        };
        all = world.terms.and(all, fact);
    }
    if !simple.any_integers {
        let made = world.terms.or_all(world.made_pointers.clone());
        let none = world.terms.not(made);
        all = world.terms.and(all, none);
    }
    for block in world.unnamed_blocks.clone() {
        let size = world.size_of(block);
        let fact = world.terms.ule(size, most);
        all = world.terms.and(all, fact);
    }
    // The runs should choose how an unobservable call answers poison arguments, not the model.
    let quiet = world.events.iter().filter(|e| e.side == Side::Source && e.after.is_none());
    for argument in quiet.flat_map(|e| e.args.clone()).collect::<Vec<_>>() {
        let open = argument.any_poison_or_undef(&mut world.terms);
        let fact = world.terms.not(open);
        all = world.terms.and(all, fact);
    }
    all
}
