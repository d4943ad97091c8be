//! Reads a function's header for its callers.

use super::op::{CallEffects, Signature};
use crate::facts::{Facts, null_is_address};
use crate::layout::Shape;
use crate::memory::provenance::Restriction;
use crate::outcome::Feature;
use backedge_ir::attr::{Attr, AttrList, FlagAttr, MemoryEffects, ModRef, TypeAttr};
use backedge_ir::entity::FuncId;
use backedge_ir::inst::InstKind;
use backedge_ir::meaning::library;
use backedge_ir::module::{Env, Module};
use backedge_ir::types::Type;

/// Reads the header of `func`.
pub(super) fn of(module: &Module, func: FuncId) -> Result<Signature, Feature> {
    let env = &module.env;
    let header = &env.funcs[func];
    let (ret, params, variadic) =
        env.types.signature(header.ty).ok_or(Feature::Other("a function without a type"))?;
    let none = AttrList::default();
    let attrs = |i: usize| header.param_attrs.get(i).unwrap_or(&none);
    let shapes: Result<Vec<_>, _> = params.iter().map(|p| Shape::of(env, *p)).collect();
    let facts = |list: &AttrList, ty| {
        let facts = Facts::of_attrs(env, list)?;
        Some(facts.with_null(null_is_address(env, &header.attrs, ty)))
    };
    let lists: Vec<&AttrList> = (0..params.len()).map(attrs).collect();
    Ok(Signature {
        library: library::declared(module, func),
        name: header.name.clone(),
        fn_ty: header.ty,
        params: shapes?,
        variadic,
        param_facts: lists.iter().zip(params).map(|(l, ty)| facts(l, *ty)).collect(),
        restrictions: lists.iter().map(|l| restriction(env, l)).collect(),
        byval: lists.iter().map(|l| byval(env, l)).collect(),
        captured: lists.iter().map(|l| may_capture(env, l)).collect(),
        ret: result_shape(env, ret)?,
        ret_facts: facts(&header.ret_attrs, ret),
        ret_noalias: env.has_attr(&header.ret_attrs, FlagAttr::NoAlias),
        returned: returned(env, &header.param_attrs),
        effects: effects(env, &header.attrs),
        mustprogress: env.has_attr(&header.attrs, FlagAttr::MustProgress),
        must_not_recur: env.has_attr(&header.attrs, FlagAttr::NoRecurse) && calls_functions(module, func),
    })
}

/// The parameter or argument with the `returned` attribute.
pub(super) fn returned(env: &Env, lists: &[AttrList]) -> Option<usize> {
    lists.iter().position(|list| env.has_attr(list, FlagAttr::Returned))
}

/// Whether the body of `func` calls anything except intrinsics.
fn calls_functions(module: &Module, func: FuncId) -> bool {
    let Some(body) = module.body(func) else { return false };
    body.all_insts().any(|inst| {
        let data = body.inst(inst);
        matches!(data.kind, InstKind::Call(_) | InstKind::Invoke(_) | InstKind::CallBr(_))
            && data.call().is_some_and(|call| {
                let callee = body.called_function(call.callee());
                callee.is_none_or(|f| module.env.funcs[f].intrinsic.is_none())
            })
    })
}

/// The shape of a result; `None` for `void`.
pub(super) fn result_shape(env: &Env, ty: Type) -> Result<Option<Shape>, Feature> {
    if ty == Type::VOID { Ok(None) } else { Shape::of(env, ty).map(Some) }
}

/// Effects stated by function attributes.
pub(super) fn effects(env: &Env, list: &AttrList) -> CallEffects {
    let has = |flag| env.has_attr(list, flag);
    CallEffects {
        nounwind: has(FlagAttr::NoUnwind),
        willreturn: has(FlagAttr::WillReturn),
        noreturn: has(FlagAttr::NoReturn),
        speculatable: has(FlagAttr::Speculatable),
        memory: env.memory_effects(list).unwrap_or(MemoryEffects::all(ModRef::READ_WRITE)),
    }
}

/// Whether an argument may be captured.
pub(super) fn may_capture(env: &Env, list: &AttrList) -> bool {
    !env.attrs(list).any(|a| *a == Attr::NoCapture)
}

fn restriction(env: &Env, list: &AttrList) -> Restriction {
    let has = |flag| env.has_attr(list, flag);
    Restriction {
        noalias: has(FlagAttr::NoAlias),
        readonly: has(FlagAttr::ReadOnly) || has(FlagAttr::ReadNone),
        writeonly: has(FlagAttr::WriteOnly),
        stored_back: env.stored_back(list),
        readnone: has(FlagAttr::ReadNone) || has(FlagAttr::ReadOnly) && has(FlagAttr::WriteOnly),
    }
}

fn byval(env: &Env, list: &AttrList) -> Option<(u64, u64)> {
    let ty =
        env.attrs(list).find_map(|a| if let Attr::Type(TypeAttr::ByVal, ty) = a { *ty } else { None })?;
    // Without `align`, the target chooses the alignment (LangRef, `byval`).
    let stated = Facts::of_attrs(env, list).map_or(0, |f| f.align);
    Some((env.layout.alloc_bytes(&env.types, ty)?, stated.max(1)))
}
