//! Changes the integer types of a function: builds a copy of its module in which integers of some widths have another
//! width. A result obtained cheaply from the narrow copy is a guess about the original function.
//!
//! Guarantees: functions, blocks, instructions, arguments, constants, types and globals keep their ids, and control
//! flow is unchanged. The copy may be invalid IR (a `trunc` to a wider type, a `bswap` of an odd number of bytes), so
//! callers must run the verifier. Only the given function keeps its code; all others become declarations.
//!
//! A callback maps the numbers that the function uses; if it has no image for one of them, there is no copy. In
//! initializers and metadata, numbers without an image are truncated, and `range` attributes are dropped. Text (debug
//! records, aliases, opaque definitions) is unchanged.

use crate::attr::{Attr, AttrList};
use crate::body::Body;
use crate::constant::{ConstData, ConstExpr, ConstOp, ConstPool, Constant, MetadataConst};
use crate::entity::{Const, EntityId, FuncId};
use crate::inst::{InstKind, Value};
use crate::int::Int;
use crate::module::{Code, Env, Linkage, Module};
use crate::types::{Compound, Type, TypeTable};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use thiserror::Error;

/// Why a function can't be retyped.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Misfit {
    /// The function has no modelled body.
    #[error("the function has no code that is modelled")]
    NoBody,
    /// A number has no image.
    #[error("the number {0:?} has no counterpart")]
    Number(Int),
    /// Two types or two numbers have the same image.
    #[error("two types or numbers would become one")]
    Merged,
}

/// The integer widths in a function, and those of the other types of its module.
pub fn int_widths(module: &Module, func: FuncId) -> Option<(BTreeSet<u32>, BTreeSet<u32>)> {
    let body = module.body(func)?;
    let types = &module.env.types;
    let mut own = BTreeSet::new();
    let mut seen = FxHashSet::default();
    for (_, constant) in body.consts.iter() {
        note(types, constant.ty, &mut own, &mut seen);
    }
    for (_, arg) in body.args.iter() {
        note(types, arg.ty, &mut own, &mut seen);
    }
    for (_, node) in body.insts.iter() {
        note(types, node.data.ty, &mut own, &mut seen);
        if let InstKind::Gep { source, .. } = &node.data.kind {
            note(types, *source, &mut own, &mut seen);
        } else if let InstKind::Alloca(info) = &node.data.kind {
            note(types, info.ty, &mut own, &mut seen);
        }
    }
    note(types, module.env.funcs[func].ty, &mut own, &mut seen);
    let mut others = BTreeSet::new();
    for (id, _) in types.iter() {
        note(types, types.handle(id), &mut others, &mut seen);
    }
    for (_, constant) in module.env.consts.iter() {
        note(types, constant.ty, &mut others, &mut seen);
    }
    let others = others.difference(&own).copied().collect();
    Some((own, others))
}

/// Collects the widths of a type and its members.
fn note(types: &TypeTable, ty: Type, found: &mut BTreeSet<u32>, seen: &mut FxHashSet<Type>) {
    if let Some(bits) = ty.int_bits() {
        found.insert(bits);
        return;
    }
    let Some(compound) = types.compound(ty) else { return };
    if !seen.insert(ty) {
        return;
    }
    match compound {
        Compound::Array { elem, .. } | Compound::Vector { elem, .. } => note(types, *elem, found, seen),
        Compound::Struct { .. } | Compound::Named { .. } => {
            for field in types.struct_fields(ty).map_or(&[][..], |s| s.0) {
                note(types, *field, found, seen);
            }
        }
        Compound::Function { ret, params, .. } => {
            note(types, *ret, found, seen);
            params.iter().for_each(|param| note(types, *param, found, seen));
        }
        Compound::Target { .. } => {}
    }
}

/// A copy of the module in which only `func` has code and integers of a width that is a key of `widths` have the mapped
/// width. `number` maps the numbers of such a width.
pub fn with_int_widths(
    module: &Module,
    func: FuncId,
    widths: &BTreeMap<u32, u32>,
    number: &dyn Fn(Int) -> Option<Int>,
) -> Result<Module, Misfit> {
    let (own, others) = int_widths(module, func).ok_or(Misfit::NoBody)?;
    let all: BTreeSet<u32> = own.union(&others).copied().collect();
    let images: BTreeSet<u32> = all.iter().map(|w| *widths.get(w).unwrap_or(w)).collect();
    if images.len() < all.len() {
        return Err(Misfit::Merged);
    }
    let body = module.body(func).ok_or(Misfit::NoBody)?;
    let retype = Retype { widths, number };
    let mut env = module.env.clone();
    let old = &module.env.types;
    let body = retype.body(old, body)?;
    retype.env(&mut env, old, func)?;
    let mut copy = Module { env, ..Module::default() };
    for (id, _) in module.code.iter() {
        copy.code.push(if id == func { Code::Body(Box::new(body.clone())) } else { Code::Declaration });
    }
    Ok(copy)
}

struct Retype<'a> {
    widths: &'a BTreeMap<u32, u32>,
    number: &'a dyn Fn(Int) -> Option<Int>,
}

impl Retype<'_> {
    fn ty(&self, ty: Type) -> Type {
        ty.int_bits().and_then(|bits| self.widths.get(&bits)).map_or(ty, |bits| Type::int(*bits))
    }
    fn int(&self, int: Int) -> Option<Int> {
        let Some(width) = self.widths.get(&int.width()) else { return Some(int) };
        (self.number)(int).filter(|found| found.width() == *width)
    }

    fn body(&self, types: &TypeTable, body: &Body) -> Result<Body, Misfit> {
        let mut copy = body.clone();
        copy.args.iter_mut().for_each(|(_, arg)| arg.ty = self.ty(arg.ty));
        let used = used(body);
        self.pool(types, &mut copy.consts, &|c| used.contains(&c))?;
        for (_, node) in copy.insts.iter_mut() {
            let data = &mut node.data;
            data.ty = self.ty(data.ty);
            if let InstKind::Gep { source, .. } = &mut data.kind {
                let number =
                    |i: usize| body.as_int(data.operands[i]).and_then(|int| int.bits().try_into().ok());
                for index in fields(types, *source, data.operands.len(), &number) {
                    // The index of a struct field is an i32 constant and keeps its width.
                    if let Some(int) = body.as_int(data.operands[index]) {
                        data.operands[index] = Value::Const(copy.consts.int(int));
                    }
                }
                *source = self.ty(*source);
            } else if let InstKind::Alloca(info) = &mut data.kind {
                info.ty = self.ty(info.ty);
            } else if let InstKind::Call(info) | InstKind::Invoke(info) | InstKind::CallBr(info) =
                &mut data.kind
            {
                self.attributes(&mut info.ret_attrs);
                self.attributes(&mut info.fn_attrs);
                info.arg_attrs.iter_mut().for_each(|list| self.attributes(list));
            }
        }
        Ok(copy)
    }

    fn env(&self, env: &mut Env, old: &TypeTable, func: FuncId) -> Result<(), Misfit> {
        if !env.types.map_members(&|ty| self.ty(ty)) {
            return Err(Misfit::Merged);
        }
        self.pool(old, &mut env.consts, &|_| false)?;
        for (_, var) in env.vars.iter_mut() {
            var.ty = self.ty(var.ty);
        }
        for (_, alias) in env.aliases.iter_mut() {
            alias.ty = self.ty(alias.ty);
        }
        env.attr_groups.values_mut().for_each(|group| self.list(group));
        for (id, header) in env.funcs.iter_mut() {
            self.attributes(&mut header.ret_attrs);
            self.attributes(&mut header.attrs);
            header.param_attrs.iter_mut().for_each(|list| self.attributes(list));
            if id != func {
                header.linkage = Linkage::External;
                header.metadata.clear();
            }
            if header.intrinsic.is_some() {
                let name: Arc<str> = self.name(&header.name).into();
                if let Some(symbol) = env.symbols.remove(&header.name) {
                    env.symbols.insert(name.clone(), symbol);
                }
                header.name = name;
            }
        }
        Ok(())
    }

    /// The name of an intrinsic with its type suffixes replaced.
    fn name(&self, name: &str) -> String {
        let piece = |piece: &str| {
            let at = piece.rfind('i')?;
            let (head, digits) = (&piece[..at], &piece[at + 1..]);
            let lanes = head.strip_prefix("nx").unwrap_or(head);
            let lanes = lanes.is_empty() || lanes.strip_prefix('v').is_some_and(|n| n.parse::<u32>().is_ok());
            let width = digits.parse().ok().and_then(|bits: u32| self.widths.get(&bits));
            width.filter(|_| lanes).map(|width| format!("{head}i{width}"))
        };
        let pieces = name.split('.').map(|p| piece(p).unwrap_or_else(|| p.to_owned()));
        pieces.collect::<Vec<_>>().join(".")
    }

    fn attributes(&self, list: &mut AttrList) {
        self.list(&mut list.own);
    }
    fn list(&self, list: &mut Vec<Attr>) {
        list.retain_mut(|attr| {
            if let Attr::Type(_, Some(ty)) = attr {
                *ty = self.ty(*ty);
            } else if let Attr::Range(low, high) = attr {
                // A range with equal bounds can't be expressed, so it is dropped.
                let (Some(l), Some(h)) = (self.int(*low), self.int(*high)) else { return false };
                if l == h {
                    return false;
                }
                (*low, *high) = (l, h);
            }
            true
        });
    }

    /// Maps each constant and keeps its id. Constants for which `strict` holds must be mapped exactly.
    fn pool(
        &self,
        types: &TypeTable,
        pool: &mut ConstPool,
        strict: &dyn Fn(Const) -> bool,
    ) -> Result<(), Misfit> {
        let old = pool.clone();
        let mut seen = FxHashSet::default();
        let mut items: Vec<Constant> = Vec::new();
        for (id, constant) in old.iter() {
            let mut new = constant.clone();
            new.ty = self.ty(new.ty);
            if let ConstData::Int(int) = &mut new.data {
                let cut = || Int::new(new.ty.int_bits().unwrap_or(1), int.bits());
                let found = self.int(*int);
                *int = match found {
                    Some(found) => found,
                    None if strict(id) => return Err(Misfit::Number(*int)),
                    None => cut(),
                };
            }
            if matches!(new.data, ConstData::Int(_)) && strict(id) && !seen.insert(new.clone()) {
                return Err(Misfit::Merged);
            }
            items.push(new);
        }
        pool.replace(items);
        let expressions: Vec<Const> =
            old.iter().filter(|(_, c)| matches!(c.data, ConstData::Expr(_))).map(|(id, _)| id).collect();
        for id in expressions {
            let mut new = pool.get(id).clone();
            let ConstData::Expr(expr) = &mut new.data else { continue };
            let ConstExpr { op: ConstOp::Gep { source, .. }, operands } = &mut **expr else { continue };
            let number = |i: usize| old.as_int(operands[i]).and_then(|int| u64::try_from(int.bits()).ok());
            for index in fields(types, *source, operands.len(), &number) {
                if let Some(int) = old.as_int(operands[index]) {
                    operands[index] = pool.int(int);
                }
            }
            *source = self.ty(*source);
            pool.set(id, new);
        }
        Ok(())
    }
}

/// The indices of the `getelementptr` operands that select struct fields.
fn fields(
    types: &TypeTable,
    source: Type,
    operands: usize,
    number: &dyn Fn(usize) -> Option<u64>,
) -> Vec<usize> {
    let mut found = Vec::new();
    let mut ty = source;
    for index in 2..operands {
        let is_struct = types.struct_fields(ty).is_some();
        if is_struct {
            found.push(index);
        }
        let member = if is_struct { number(index) } else { Some(0) };
        let Some(next) = member.and_then(|m| types.member(ty, m)) else { break };
        ty = next;
    }
    found
}

/// The constants that instructions use, and their operands, transitively.
fn used(body: &Body) -> FxHashSet<Const> {
    let mut found = FxHashSet::default();
    let operands = body.all_insts().flat_map(|inst| body.inst(inst).operands.iter());
    let mut work: Vec<Const> = operands.filter_map(|value| value.as_const()).collect();
    while let Some(id) = work.pop() {
        if !found.insert(id) {
            continue;
        }
        match &body.consts.get(id).data {
            ConstData::Aggregate(list) => work.extend(list.iter().copied()),
            ConstData::Splat(one) | ConstData::Metadata(MetadataConst::Const(one)) => work.push(*one),
            ConstData::Expr(expr) => work.extend(expr.operands.iter().copied()),
            ConstData::Int(_)
            | ConstData::Float(_)
            | ConstData::Zero
            | ConstData::Undef
            | ConstData::Poison
            | ConstData::Bytes(_)
            | ConstData::Global(_)
            | ConstData::BlockAddress(_)
            | ConstData::Metadata(MetadataConst::Node(_)) => {}
        }
    }
    debug_assert!(found.iter().all(|c| c.index() < body.consts.len()));
    found
}
