//! Module-wide uses of a variable that no other module can name; a pair shows only a part of them.
//!
//! Requires: the modules as given, before a pair is extracted. Guarantees: a variable named by [`settled`] holds its
//! initializer in every run of any function; [`uses`] misses no use by code of the module.

use super::local_globals::{carried_texts, mentions};
use backedge_ir::attr::{Attr, AttrList, FlagAttr, TypeAttr};
use backedge_ir::body::Body;
use backedge_ir::cfg::Cfg;
use backedge_ir::constant::{ConstData, ConstOp, GlobalRef};
use backedge_ir::entity::{Const, EntitySet, GlobalId, Inst};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::module::{Code, Env, Module};
use backedge_ir::print::{initializer_to_string, type_to_string};
use std::sync::Arc;

/// Uses of a variable by code.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Uses {
    /// Read by name.
    pub(crate) read: bool,
    /// Written by name.
    pub(crate) written: bool,
    /// The address escapes, so any use is possible.
    pub(crate) taken: bool,
}

impl Uses {
    const ALL: Self = Self { read: true, written: true, taken: true };

    pub(crate) fn with(self, other: Self) -> Self {
        Self {
            read: self.read || other.read,
            written: self.written || other.written,
            taken: self.taken || other.taken,
        }
    }
}

/// The variables among `names` that are not constant but never written by either module: they hold their initializer,
/// which is the same in both.
pub(crate) fn settled(modules: [&Module; 2], names: &[Arc<str>]) -> Vec<Arc<str>> {
    let is_settled = |name: &&Arc<str>| {
        let found = modules.map(|module| Some((&module.env, own_variable(&module.env, name)?)));
        let mut texts = found.into_iter().flatten().map(|(env, id)| {
            let var = &env.vars[id];
            let init = initializer_to_string(env, id).filter(|_| var.definitive_init().is_some());
            init.map(|init| (type_to_string(&env.types, var.ty), init))
        });
        let Some(Some(first)) = texts.next() else { return false };
        texts.all(|text| text.as_ref() == Some(&first))
            && modules.iter().all(|module| {
                let uses = uses(module, name);
                !uses.taken && !uses.written
            })
    };
    names.iter().filter(is_settled).cloned().collect()
}

/// The non-constant variable of that name that only this module can name.
pub(crate) fn own_variable(env: &Env, name: &str) -> Option<GlobalId> {
    match env.symbols.get(name) {
        Some(GlobalRef::Var(id)) if env.vars[*id].linkage.is_local() && !env.vars[*id].is_constant => {
            Some(*id)
        }
        Some(GlobalRef::Var(_) | GlobalRef::Func(_) | GlobalRef::Alias(_)) | None => None,
    }
}

/// A module's uses of a variable by name.
pub(crate) fn uses(module: &Module, name: &str) -> Uses {
    let env = &module.env;
    let Some(GlobalRef::Var(id)) = env.symbols.get(name).copied() else { return Uses::default() };
    let is_carried = carried_texts(env).any(|text| mentions(text, name));
    let is_in_constant =
        env.consts.iter().any(|(_, c)| matches!(c.data, ConstData::Global(GlobalRef::Var(v)) if v == id));
    if is_carried || is_in_constant {
        return Uses::ALL;
    }
    module.code.values().fold(Uses::default(), |all, code| match code {
        Code::Body(body) => all.with(in_body(env, body, id)),
        Code::Opaque(code) if mentions(&code.text, name) => Uses::ALL,
        Code::Opaque(_) | Code::Declaration => all,
    })
}

fn in_body(env: &Env, body: &Body, var: GlobalId) -> Uses {
    if !body.consts().iter().any(|(c, _)| names(body, c, var)) {
        return Uses::default();
    }
    let mut found = Uses::default();
    let cfg = Cfg::new(body);
    let reached = body.all_insts().filter(|i| body.block_of(*i).is_some_and(|b| cfg.is_reachable(b)));
    for inst in reached {
        for (index, operand) in body.inst(inst).operands.iter().enumerate() {
            if operand.as_const().is_some_and(|c| names(body, c, var)) {
                let is_address = operand.as_const().is_some_and(|c| is_address(body, c, var));
                found = found.with(if is_address { of_operand(env, body, inst, index) } else { Uses::ALL });
            }
        }
    }
    found
}

/// Whether a constant is the address of the variable or of a part of it, through `getelementptr` only.
fn is_address(body: &Body, constant: Const, var: GlobalId) -> bool {
    match &body.constant(constant).data {
        ConstData::Global(GlobalRef::Var(id)) => *id == var,
        ConstData::Expr(e) => matches!(e.op, ConstOp::Gep { .. }) && is_address(body, e.operands[0], var),
        _ => false,
    }
}

/// Whether a constant contains the address of the variable, possibly with an offset or inside a larger constant.
pub(crate) fn names(body: &Body, constant: Const, var: GlobalId) -> bool {
    match &body.constant(constant).data {
        ConstData::Global(GlobalRef::Var(id)) => *id == var,
        ConstData::Expr(e) => e.operands.iter().any(|c| names(body, *c, var)),
        ConstData::Aggregate(list) => list.iter().any(|c| names(body, *c, var)),
        ConstData::Splat(element) => names(body, *element, var),
        _ => false,
    }
}

/// Uses through an address operand of the instruction, and through derived pointers.
fn of_operand(env: &Env, body: &Body, inst: Inst, index: usize) -> Uses {
    let mut found = Uses::default();
    let mut seen: EntitySet<Inst> = EntitySet::new();
    let mut work = vec![(inst, index)];
    while let Some((inst, index)) = work.pop() {
        let is_copy = match &body.inst(inst).kind {
            InstKind::Gep { .. } => index == 0,
            InstKind::Select(_) => index > 0,
            InstKind::Phi(_) | InstKind::Freeze => true,
            _ => false,
        };
        if !is_copy {
            found = found.with(of_access(env, body, inst, index));
        } else if seen.insert(inst) {
            work.extend(body.uses(Value::from(inst)).iter().map(|u| (u.user, u.index as usize)));
        }
    }
    found
}

/// Uses by an instruction through an address operand.
fn of_access(env: &Env, body: &Body, inst: Inst, index: usize) -> Uses {
    const READ: Uses = Uses { read: true, written: false, taken: false };
    const WRITTEN: Uses = Uses { read: false, written: true, taken: false };
    let data = body.inst(inst);
    match &data.kind {
        InstKind::Load(access) if !access.volatile => READ,
        InstKind::Store(access) if index == 1 && !access.volatile => WRITTEN,
        // A compared address cannot be written through.
        InstKind::ICmp { .. } => Uses::default(),
        InstKind::Call(info) => {
            let callee = data.call().and_then(|view| body.called_function(view.callee()));
            match callee.and_then(|func| env.funcs[func].intrinsic) {
                Some(Intrinsic::Memset | Intrinsic::Memcpy | Intrinsic::Memmove) if index == 0 => WRITTEN,
                Some(Intrinsic::Memcpy | Intrinsic::Memmove) if index == 1 => READ,
                Some(Intrinsic::Assume) => Uses::default(),
                _ => {
                    let lists =
                        [info.arg_attrs.get(index), callee.and_then(|f| env.funcs[f].param_attrs.get(index))];
                    if lists.into_iter().flatten().any(|list| is_only_read(env, list)) {
                        READ
                    } else {
                        Uses::ALL
                    }
                }
            }
        }
        _ => Uses::ALL,
    }
}

/// Whether a function that gets an address with these attributes at most reads there, and does not capture the address.
fn is_only_read(env: &Env, list: &AttrList) -> bool {
    let has = |flag| env.has_attr(list, flag);
    let reads = has(FlagAttr::ReadOnly) || has(FlagAttr::ReadNone);
    env.attrs(list).any(|attr| matches!(attr, Attr::Type(TypeAttr::ByVal, _)))
        || reads && env.attrs(list).any(|attr| *attr == Attr::NoCapture)
}
