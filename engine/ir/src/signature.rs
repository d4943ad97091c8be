//! Changes a function's signature: removes, adds or retypes parameters, or changes the result type. The direct calls in
//! the module are updated.
//!
//! Calls pass zero for an added parameter. Uses of the function other than direct calls of its own type (its address,
//! calls with other types) are left unchanged and keep their meaning; the caller decides whether that is acceptable.
//! Attributes of removed and retyped parameters are dropped, and so are those of the result if its type changes.

use crate::attr::AttrList;
use crate::body::Body;
use crate::constant::{ConstData, Constant, GlobalRef};
use crate::editor::{Editor, Position};
use crate::entity::{Arg, EntityId, FuncId, Inst};
use crate::inst::{InstKind, Value};
use crate::int::Int;
use crate::module::Module;
use crate::types::{Type, TypeKind};

/// A parameter of the new signature.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Param {
    /// A parameter of the old signature.
    Old(Arg),
    /// A parameter of the old signature with another type.
    Retyped(Arg, Type),
    /// A new parameter.
    New(Type),
}

/// The zero constant of a type, if it has one.
pub fn zero(ty: Type) -> Option<Constant> {
    let data = match ty.kind() {
        TypeKind::Int(bits) if bits <= Type::MAX_INT_BITS => ConstData::Int(Int::zero(bits)),
        TypeKind::Float(_) => ConstData::Float(0),
        TypeKind::Ptr(_) | TypeKind::Compound(_) => ConstData::Zero,
        TypeKind::Int(_) | TypeKind::Void | TypeKind::Label | TypeKind::Metadata | TypeKind::Token => {
            return None;
        }
    };
    Some(Constant { ty, data })
}

/// Gives `func` the parameters `params` and the result type `ret`. Returns false without a change if `func` has no body
/// or is variadic, if a removed argument has uses, or if a direct call can't be adapted: its result is used and changes
/// type, a parameter is retyped, or a new parameter has no zero.
pub fn change_signature(module: &mut Module, func: FuncId, params: &[Param], ret: Type) -> bool {
    let Some((old_ret, old_params, false)) = module.env.types.signature(module.env.funcs[func].ty) else {
        return false;
    };
    let (old_params, old_ty) = (old_params.to_vec(), module.env.funcs[func].ty);
    let Some(body) = module.body(func) else { return false };
    let unused = |arg: Arg| body.uses(arg.into()).is_empty();
    let stays =
        |arg: Arg| params.iter().any(|p| matches!(p, Param::Old(a) | Param::Retyped(a, _) if *a == arg));
    if !body.args().all(|arg| stays(arg) || unused(arg)) {
        return false;
    }
    let calls: Vec<(FuncId, Vec<Inst>)> =
        module.bodies().map(|(id, body)| (id, direct_calls(body, func, old_ty))).collect();
    let same_types = params.iter().all(|p| !matches!(p, Param::Retyped(..)));
    let zeros = params.iter().all(|p| !matches!(p, Param::New(ty) if zero(*ty).is_none()));
    let fits = |(id, list): &(FuncId, Vec<Inst>)| {
        let used = |call: &Inst| module.body(*id).is_some_and(|b| !b.uses((*call).into()).is_empty());
        list.is_empty() || (same_types && zeros && (ret == old_ret || !list.iter().any(used)))
    };
    if !calls.iter().all(fits) {
        return false;
    }
    let types: Vec<Type> = params
        .iter()
        .map(|p| match p {
            Param::Old(arg) => old_params.get(arg.index()).copied().unwrap_or(Type::VOID),
            Param::Retyped(_, ty) | Param::New(ty) => *ty,
        })
        .collect();
    let fn_ty = module.env.types.function(ret, &types, false);
    let header = &mut module.env.funcs[func];
    header.ty = fn_ty;
    header.param_attrs = params
        .iter()
        .map(|p| match p {
            Param::Old(arg) => header.param_attrs.get(arg.index()).cloned().unwrap_or_default(),
            Param::Retyped(..) | Param::New(_) => AttrList::default(),
        })
        .collect();
    if ret != old_ret {
        header.ret_attrs = AttrList::default();
    }
    if let Some((_, body)) = module.body_mut(func) {
        change_args(&mut Editor::new(body), params);
    }
    for (id, list) in calls {
        let Some((_, body)) = module.body_mut(id) else { continue };
        for call in list {
            change_call(&mut Editor::new(body), call, params, fn_ty, ret);
        }
    }
    true
}

fn change_args(editor: &mut Editor<'_>, params: &[Param]) {
    let kept: Vec<Arg> = params
        .iter()
        .map(|p| match p {
            Param::Old(arg) => *arg,
            Param::Retyped(arg, ty) => {
                editor.set_arg_type(*arg, *ty);
                *arg
            }
            Param::New(ty) => editor.add_arg(*ty, Some("arg")),
        })
        .collect();
    editor.keep_args(&kept);
}

/// The direct calls of `func` with function type `ty`.
fn direct_calls(body: &Body, func: FuncId, ty: Type) -> Vec<Inst> {
    let is_func = |value: Value| {
        value.as_const().is_some_and(|c| body.constant(c).data == ConstData::Global(GlobalRef::Func(func)))
    };
    let calls = |inst: &Inst| {
        body.inst(*inst).call().is_some_and(|call| call.info.fn_ty == ty && is_func(call.callee()))
    };
    body.all_insts().filter(calls).collect()
}

/// Replaces `call` with a call that passes the new arguments.
fn change_call(editor: &mut Editor<'_>, call: Inst, params: &[Param], fn_ty: Type, ret: Type) {
    let mut data = editor.body().inst(call).clone();
    let (InstKind::Call(info) | InstKind::Invoke(info) | InstKind::CallBr(info)) = &mut data.kind else {
        return;
    };
    let named = info.arg_count().min(editor.body().inst(call).operands.len());
    let old_attrs = std::mem::take(&mut info.arg_attrs);
    let operands = std::mem::take(&mut data.operands);
    for param in params {
        match param {
            Param::Old(arg) | Param::Retyped(arg, _) => {
                data.operands.extend(operands.get(arg.index()).copied());
                info.arg_attrs.push(old_attrs.get(arg.index()).cloned().unwrap_or_default());
            }
            Param::New(ty) => {
                let zero = zero(*ty).map(|z| editor.constant(z));
                data.operands.extend(zero.map(Value::Const));
                info.arg_attrs.push(AttrList::default());
            }
        }
    }
    data.operands.extend(operands[named..].iter().copied());
    info.fn_ty = fn_ty;
    if data.ty != ret {
        data.ty = ret;
        info.ret_attrs = AttrList::default();
    }
    let new = editor.insert(Position::Before(call), data);
    if let Some(name) = editor.body().value_name(call.into()).map(str::to_owned).filter(|_| ret != Type::VOID)
    {
        editor.clear_name(call);
        editor.set_name(new, &name);
    }
    if !editor.body().uses(call.into()).is_empty() {
        editor.replace_uses(call.into(), new.into());
    }
    editor.remove(call);
}
