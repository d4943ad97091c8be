//! Features of a function that the engines model wrongly: null that may be accessed, symbols that may be null, and
//! execution that continues outside of the module.

use crate::pair::call_graph::reached;
use crate::pair::{Side, jumps};
use backedge_interp::VSCALES;
use backedge_ir::attr::{Attr, FlagAttr};
use backedge_ir::body::Body;
use backedge_ir::cfg::Cfg;
use backedge_ir::constant::{ConstData, ConstOp, Constant, GlobalRef};
use backedge_ir::entity::{Block, EntityId as _, EntitySet, FuncId, Inst};
use backedge_ir::inst::{GepFlags, InstKind, Value};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::meaning::Meaning;
use backedge_ir::meaning::metadata::{self, Carrier};
use backedge_ir::module::{Env, Linkage, Module};
use backedge_ir::opcode::CastOp;
use backedge_ir::types::{Compound, Type};
use std::collections::BTreeMap;

/// Deoptimizing intrinsics: on failure execution continues in another version of the function, which may also be
/// entered without a failure.
const DEOPTIMIZING: [&str; 2] = ["llvm.experimental.guard", "llvm.experimental.widenable.condition"];

/// A feature of the function that the engines model wrongly, if any.
pub(crate) fn unmodelled(side: Side<'_>) -> Option<&'static str> {
    let body = side.module.body(side.func)?;
    let env = &side.module.env;
    if env.has_attr(&env.funcs[side.func].attrs, FlagAttr::NullPointerIsValid) {
        return Some("`null_pointer_is_valid`");
    }
    let weak = |linkage| linkage == Linkage::ExternWeak;
    let may_be_null = body.consts().iter().any(|(_, c)| match c.data {
        ConstData::Global(GlobalRef::Var(id)) => weak(env.vars[id].linkage),
        ConstData::Global(GlobalRef::Func(id)) => weak(env.funcs[id].linkage),
        _ => false,
    });
    if may_be_null {
        return Some("`extern_weak`: a symbol that may be null");
    }
    let has_data = |c: &Constant| match c.data {
        ConstData::Global(GlobalRef::Func(id)) => env.funcs[id].suffix_part("prefix").is_some(),
        _ => false,
    };
    if body.consts().iter().any(|(_, c)| has_data(c)) {
        return Some("a function with `prefix` data, which can be read through its address");
    }
    let of_constant = |c: &Constant| match &c.data {
        ConstData::Expr(e) => match e.op {
            ConstOp::Gep { source, inrange, .. } => Some((source, inrange.is_some())),
            ConstOp::Cast(_) | ConstOp::Binary(..) => None,
        },
        _ => None,
    };
    let of_inst = |inst| match body.inst(inst).kind {
        InstKind::Gep { source, .. } => Some((source, false)),
        _ => None,
    };
    let steps = body.all_insts().filter_map(of_inst);
    for (source, is_ranged) in steps.chain(body.consts().iter().filter_map(|(_, c)| of_constant(c))) {
        if has_packed_vector(env, source) {
            return Some("an address in a vector whose elements lie closer together than in an array");
        }
        if is_ranged {
            return Some("`inrange`: an address that only some bytes may be accessed from");
        }
    }
    if body.consts().iter().any(|(_, c)| match c.data {
        ConstData::Global(GlobalRef::Func(id)) => DEOPTIMIZING.contains(&&*env.funcs[id].name),
        _ => false,
    }) {
        return Some(
            "guards and widenable conditions, which may leave the function wherever it likes to go on elsewhere",
        );
    }
    let jumps = |inst: &Inst| matches!(body.inst(*inst).kind, InstKind::IndirectBr);
    if body.all_insts().filter(jumps).any(|inst| !jumps::is_made_here(env, body, body.inst(inst).operands[0]))
    {
        return Some("an `indirectbr` to an address that may come from elsewhere");
    }
    if let Some(feature) = unmodelled_call(env, body) {
        return Some(feature);
    }
    if asks_for_vscale(env, body) && env.attrs(&env.funcs[side.func].attrs).any(excludes_a_vscale) {
        return Some("`llvm.vscale` in a function whose `vscale_range` excludes numbers that are tried");
    }
    (shows_odd_null(env, body) && reaches_odd_space(env, body))
        .then_some("null and memory in another address space than 0, where memory may lie at null")
}

/// Calls with effects beyond their number and arguments.
fn unmodelled_call(env: &Env, body: &Body) -> Option<&'static str> {
    const FLAGS: [(FlagAttr, &str); 2] = [
        (FlagAttr::Convergent, "a `convergent` call, which depends on the other threads that make it"),
        (FlagAttr::ReturnsTwice, "a call of a function that returns twice"),
    ];
    body.all_insts().find_map(|inst| {
        FLAGS.into_iter().find(|(flag, _)| call_has(env, body, inst, *flag)).map(|(_, feature)| feature)
    })
}

/// Whether an instruction is a call that has the attribute, or whose callee has it.
fn call_has(env: &Env, body: &Body, inst: Inst, flag: FlagAttr) -> bool {
    let Some(view) = body.inst(inst).call() else { return false };
    let callee = body.called_function(view.callee()).map(|func| &env.funcs[func].attrs);
    callee.into_iter().chain([&view.info.fn_attrs]).any(|list| env.has_attr(list, flag))
}

/// Evidence that the target may have duplicated a call of a `noduplicate` function (LangRef, "Function Attributes"): it
/// has more such calls than the source, or several at other places. If both have equally many calls in blocks with the
/// same CFG, each call corresponds to one of the source's.
pub(crate) fn duplicated(source: Side<'_>, target: Side<'_>) -> Option<String> {
    let (own, theirs) = (once_only(source), once_only(target));
    let count = |places: &Vec<usize>| places.iter().sum::<usize>();
    for (name, places) in &theirs {
        let in_source = own.get(name);
        if in_source.map_or(0, count) < count(places) {
            return Some(format!("more calls of {name}, which is `noduplicate`, than in the source"));
        }
        if count(places) > 1 && (in_source != Some(places) || edges(source) != edges(target)) {
            return Some(format!(
                "calls of {name}, which is `noduplicate`, at other places than in the source"
            ));
        }
    }
    None
}

/// For each `noduplicate` function, the number of calls in each reachable block, in reverse post-order.
fn once_only(side: Side<'_>) -> BTreeMap<String, Vec<usize>> {
    let env = &side.module.env;
    let mut found: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let Some(body) = side.module.body(side.func) else { return found };
    let cfg = Cfg::new(body);
    for (at, block) in cfg.rpo().iter().enumerate() {
        for inst in body.insts(*block).iter().filter(|i| call_has(env, body, **i, FlagAttr::NoDuplicate)) {
            let callee = body.inst(*inst).call().and_then(|view| body.called_function(view.callee()));
            let name = callee.map_or_else(|| "a pointer".to_owned(), |f| format!("@{}", env.funcs[f].name));
            found.entry(name).or_insert_with(|| vec![0; cfg.rpo().len()])[at] += 1;
        }
    }
    found
}

/// The successors of each reachable block, in reverse post-order, by their positions in it.
fn edges(side: Side<'_>) -> Vec<Vec<u32>> {
    let Some(body) = side.module.body(side.func) else { return Vec::new() };
    let cfg = Cfg::new(body);
    let to = |block: &Block| cfg.succs(*block).iter().map(|next| cfg.position(*next)).collect::<Vec<u32>>();
    cfg.rpo().iter().map(to).collect()
}

/// Whether the target takes an address by `ptrtoaddr`, not just for a comparison, where the source may have exposed the
/// pointer's provenance by `ptrtoint`: the engines treat both alike (LangRef, "ptrtoaddr .. to"). The source has not
/// exposed it if it exposes only other objects and takes as many addresses of this one; the difference is also
/// irrelevant if the target has exposed the object before.
pub(crate) fn exposes_less(source: Side<'_>, target: Side<'_>) -> bool {
    let exposed = casts(source, CastOp::PtrToInt);
    if exposed.is_empty() {
        return false;
    }
    let taken = casts(target, CastOp::PtrToAddr);
    if taken.is_empty() {
        return false;
    }
    let (before, still) = (casts(source, CastOp::PtrToAddr), casts(target, CastOp::PtrToInt));
    let Some(body) = target.module.body(target.func) else { return false };
    let is_compared = |inst: Inst| {
        body.uses(inst.into()).iter().all(|u| matches!(body.inst(u.user).kind, InstKind::ICmp { .. }))
    };
    let is_known = |origin: &String| {
        let count = |list: &[Taken]| list.iter().filter(|t| t.origin.as_ref() == Some(origin)).count();
        let is_another = |t: &Taken| t.origin.as_ref().is_some_and(|other| other != origin);
        exposed.iter().all(is_another) && count(&taken) <= count(&before)
    };
    let is_exposed_before = |address: &Taken| {
        let is_before = |(block, at): (Block, usize)| {
            let here = address.place;
            here.is_some_and(|(b, i)| if b == block { at < i } else { Some(block) == body.entry() })
        };
        still.iter().any(|t| t.origin == address.origin && t.place.is_some_and(is_before))
    };
    taken.iter().any(|address| {
        let is_harmless = address.inst.is_some_and(is_compared)
            || address.origin.as_ref().is_some_and(|o| is_known(o) || is_exposed_before(address));
        !is_harmless
    })
}

/// A cast of a pointer to an integer.
struct Taken {
    /// The instruction; `None` for a constant expression.
    inst: Option<Inst>,
    /// The instruction's block and its position in it.
    place: Option<(Block, usize)>,
    /// The parameter or global that the pointer is based on, by a name valid in both functions.
    origin: Option<String>,
}

/// The casts of one kind in a function, and in constants that it names.
fn casts(side: Side<'_>, wanted: CastOp) -> Vec<Taken> {
    let Some(body) = side.module.body(side.func) else { return Vec::new() };
    let env = &side.module.env;
    let mut found = Vec::new();
    for block in body.blocks() {
        for (at, inst) in body.insts(block).iter().enumerate() {
            let data = body.inst(*inst);
            if matches!(data.kind, InstKind::Cast(op, _) if op == wanted) {
                let origin = origin(env, body, data.operands[0]);
                found.push(Taken { inst: Some(*inst), place: Some((block, at)), origin });
            }
        }
    }
    for (_, constant) in body.consts().iter() {
        if let ConstData::Expr(e) = &constant.data
            && matches!(e.op, ConstOp::Cast(op) if op == wanted)
        {
            let origin = origin(env, body, e.operands[0].into());
            found.push(Taken { inst: None, place: None, origin });
        }
    }
    found
}

/// The parameter or global that a pointer is based on. Unreachable code may contain an instruction that uses itself.
fn origin(env: &Env, body: &Body, mut pointer: Value) -> Option<String> {
    let mut seen: EntitySet<Inst> = EntitySet::new();
    loop {
        pointer = match pointer {
            Value::Arg(arg) => return Some(format!("parameter {}", arg.index())),
            Value::Inst(inst) => {
                let data = body.inst(inst);
                match data.kind {
                    InstKind::Gep { .. } | InstKind::Freeze if seen.insert(inst) => data.operands[0],
                    _ => return None,
                }
            }
            Value::Const(c) => match &body.constant(c).data {
                ConstData::Global(global @ (GlobalRef::Var(_) | GlobalRef::Func(_))) => {
                    return Some(format!("@{}", env.name_of(*global)));
                }
                ConstData::Expr(e) if matches!(e.op, ConstOp::Gep { .. }) => e.operands[0].into(),
                _ => return None,
            },
        }
    }
}

fn asks_for_vscale(env: &Env, body: &Body) -> bool {
    body.all_insts().any(|inst| {
        let callee = body.inst(inst).call().and_then(|view| body.called_function(view.callee()));
        callee.is_some_and(|func| env.funcs[func].intrinsic == Some(Intrinsic::VScale))
    })
}

/// Whether an attribute is a `vscale_range(…)` that is narrower than the values that runs try.
fn excludes_a_vscale(attr: &Attr) -> bool {
    let Attr::Text(text) = attr else { return false };
    let Some(range) = text.strip_prefix("vscale_range(").and_then(|rest| rest.strip_suffix(')')) else {
        return false;
    };
    let mut bounds = range.split(',').map(|bound| bound.trim().parse::<u128>());
    let least = bounds.next().and_then(Result::ok).unwrap_or(u128::MAX);
    let most = bounds.next().map_or(Some(least), Result::ok).unwrap_or(0);
    let [first, .., last] = VSCALES;
    least > first || most != 0 && most < last
}

/// An entry of the source, or of a reachable function of its module, that is missing in the registry of meanings: a run
/// may violate it. Metadata that only the target has is compared with the source's promises.
pub(crate) fn unknown(source: Side<'_>) -> Option<String> {
    let reached = reached(source).into_iter().filter_map(|name| source.module.env.func_named(&name));
    std::iter::once(source.func).chain(reached).find_map(|func| unknown_in(source.module, func))
}

fn unknown_in(module: &Module, func: FuncId) -> Option<String> {
    let body = module.body(func)?;
    body.all_insts().find_map(|inst| {
        let data = body.inst(inst);
        let intrinsic = data.call().and_then(|view| body.called_function(view.callee()));
        if intrinsic.is_some_and(|f| module.env.funcs[f].intrinsic == Some(Intrinsic::InvariantStart)) {
            return Some("`llvm.invariant.start`".to_owned());
        }
        let carrier = Carrier::of(&data.kind);
        let mut kinds = data.metadata.iter().map(|(kind, _)| kind);
        kinds
            .find(|kind| metadata::meaning(kind, carrier) == Meaning::Unknown)
            .map(|kind| format!("`!{}`", kind.name()))
    })
}

/// Whether a `getelementptr` of that type may index into a vector whose elements are smaller than their allocation
/// size: LLVM's own code generators disagree on the element offsets.
fn has_packed_vector(env: &Env, ty: Type) -> bool {
    /// Limit on the types visited; a larger type may contain such a vector.
    const MOST: usize = 4096;
    let mut work = vec![ty];
    for _ in 0..MOST {
        let Some(ty) = work.pop() else { return false };
        match env.types.compound(ty) {
            Some(Compound::Vector { elem, .. }) => {
                let bytes = env.layout.alloc_bytes(&env.types, *elem);
                if env.layout.size_bits(&env.types, *elem) != bytes.map(|n| n * 8) {
                    return true;
                }
            }
            Some(Compound::Array { elem, .. }) => work.push(*elem),
            _ => work.extend(env.types.struct_fields(ty).into_iter().flat_map(|(fields, _)| fields).copied()),
        }
    }
    true
}

fn is_odd(env: &Env, ty: Type) -> bool {
    env.types.scalar(ty).ptr_space().is_some_and(|space| space != 0)
}

/// Whether the function can observe that null is an ordinary address in some address space: it names null there, or
/// casts pointers to or from that space.
fn shows_odd_null(env: &Env, body: &Body) -> bool {
    let cast = |op: CastOp, from: Type, to: Type| {
        matches!(op, CastOp::PtrToInt | CastOp::PtrToAddr | CastOp::IntToPtr | CastOp::AddrSpaceCast)
            && (is_odd(env, from) || is_odd(env, to))
    };
    let named = body.consts().iter().any(|(_, c)| match &c.data {
        ConstData::Zero => is_odd(env, c.ty),
        ConstData::Expr(e) => {
            matches!(e.op, ConstOp::Cast(op) if cast(op, body.constant(e.operands[0]).ty, c.ty))
        }
        _ => false,
    });
    named
        || body.all_insts().any(|inst| {
            let data = body.inst(inst);
            matches!(data.kind, InstKind::Cast(op, _) if cast(op, body.ty(data.operands[0]), data.ty))
        })
}

/// Whether the function may have memory in such an address space: it accesses memory there, names a variable in it, or
/// requires a pointer to stay inside an object there.
fn reaches_odd_space(env: &Env, body: &Body) -> bool {
    let variable = |c: &Constant| match c.data {
        ConstData::Global(GlobalRef::Var(id)) => env.vars[id].addrspace != 0,
        _ => false,
    };
    body.consts().iter().any(|(_, c)| variable(c))
        || body.all_insts().any(|inst| {
            let data = body.inst(inst);
            let stays = |flags: &GepFlags| flags.inbounds || flags.nusw;
            matches!(&data.kind, InstKind::Gep { flags, .. } if stays(flags)) && is_odd(env, data.ty)
                || matches!(
                    data.kind,
                    InstKind::Load(_)
                        | InstKind::Store(_)
                        | InstKind::AtomicRmw(..)
                        | InstKind::CmpXchg(_)
                        | InstKind::Call(_)
                        | InstKind::Invoke(_)
                        | InstKind::CallBr(_)
                        | InstKind::Alloca(_)
                ) && (is_odd(env, data.ty) || data.operands.iter().any(|v| is_odd(env, body.ty(*v))))
        })
}
