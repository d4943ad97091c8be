//! Doubts about a failing run because of the modules around the pair: labels of blocks, internal variables, differences
//! between the two modules, and globals that the linker may merge.

use crate::pair::Side;
use crate::pair::call_graph::reached;
use crate::pair::pairs::defined_named;
use crate::verdict::witness::Refutation;
use backedge_ir::constant::{ConstData, ConstOp, GlobalRef};
use backedge_ir::entity::Inst;
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::module::Env;
use backedge_ir::opcode::CastOp;
use backedge_ir::print::{initializer_to_string, type_to_string};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

/// Whether the two sides take the addresses of blocks with different labels: the correspondence of these blocks is
/// unknown.
pub(crate) fn have_different_labels(source: Side<'_>, target: Side<'_>) -> bool {
    let labels = |side: Side<'_>| -> BTreeSet<Arc<str>> {
        let taken = side.module.env.block_addresses.values();
        taken.filter(|taken| taken.func == side.func).map(|taken| taken.label.as_ref().into()).collect()
    };
    labels(source) != labels(target)
}

/// An internal variable that a call of the refuting run wrote. Code of another module can reach it only through
/// functions of this module, which the pair does not include.
pub(crate) fn internal_variable_written(source: Side<'_>, refutation: &Refutation) -> Option<String> {
    let env = &source.module.env;
    let is_internal =
        |name: &&String| env.vars.values().any(|var| *var.name == ***name && var.linkage.is_local());
    let sides = [&refutation.source, &refutation.target];
    sides.into_iter().flat_map(|run| &run.written).find(is_internal).cloned()
}

/// A difference between two modules around a pair that makes runs of both sides start in different states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Otherwise {
    /// A function that one module defines and the other one only declares: on one side a run executes its code, on the
    /// other side the environment answers.
    Declared(String),
    /// A variable with different contents or of a different type: the runs start in two states, and the pair does not
    /// show whether they correspond. Constructors may have run before, and been removed.
    Variable(String),
}

impl fmt::Display for Otherwise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Declared(name) => {
                write!(f, "reaches @{name}, which only one of the two modules defines")
            }
            Self::Variable(name) => {
                write!(f, "starts with the initializer of @{name}, which differs between the modules")
            }
        }
    }
}

/// A difference between the two modules that may cause a run to fail.
pub(crate) fn module_difference(source: Side<'_>, target: Side<'_>) -> Option<Otherwise> {
    if std::ptr::eq(source.module, target.module) {
        return None;
    }
    let envs = [&source.module.env, &target.module.env];
    let text = |env: &Env, id| {
        let var = &env.vars[id];
        (type_to_string(&env.types, var.ty), var.is_constant, initializer_to_string(env, id))
    };
    let names: BTreeSet<_> = reached(source).into_iter().chain(reached(target)).collect();
    names.into_iter().find_map(|name| {
        let defined = [source, target].map(|side| defined_named(side.module, &name).is_some());
        if envs.iter().all(|env| env.func_named(&name).is_some()) && defined[0] != defined[1] {
            return Some(Otherwise::Declared(name.to_string()));
        }
        let variables = envs.map(|env| env.vars.iter().find(|(_, var)| var.name == name).map(|(id, _)| id));
        let [Some(own), Some(theirs)] = variables else { return None };
        // A constant holds its initializer.
        let is_written = !envs[0].vars[own].is_constant || !envs[1].vars[theirs].is_constant;
        let is_another = is_written && text(envs[0], own) != text(envs[1], theirs);
        is_another.then(|| Otherwise::Variable(name.to_string()))
    })
}

/// Two globals of the source that may share an address, if the source compares addresses or converts them to integers:
/// runs place them apart.
pub(crate) fn merged(source: Side<'_>) -> Option<String> {
    let body = source.module.body(source.func)?;
    let env = &source.module.env;
    let name = |global: GlobalRef| match global {
        GlobalRef::Var(id) => env.vars[id].may_coincide().then(|| &env.vars[id].name),
        GlobalRef::Func(id) => env.funcs[id].may_coincide().then(|| &env.funcs[id].name),
        GlobalRef::Alias(_) => None,
    };
    let named = body.consts().iter().filter_map(|(_, c)| match c.data {
        ConstData::Global(global) => name(global),
        _ => None,
    });
    let [first, second, ..] = *named.collect::<Vec<_>>() else { return None };
    let is_number = |op: CastOp| matches!(op, CastOp::PtrToInt | CastOp::PtrToAddr);
    let looks = |inst: Inst| {
        let data = body.inst(inst);
        let pointer = |value: &Value| env.types.scalar(body.ty(*value)).is_ptr();
        match data.kind {
            InstKind::ICmp { .. } => {
                // Whether a pointer is null does not depend on the placement of globals.
                let is_null = |v: &Value| {
                    v.as_const().is_some_and(|c| matches!(body.constant(c).data, ConstData::Zero))
                };
                data.operands.iter().any(pointer) && !data.operands.iter().any(is_null)
            }
            InstKind::Cast(op, _) => is_number(op),
            _ => false,
        }
    };
    let of_constants = body.consts().iter().any(
        |(_, c)| matches!(&c.data, ConstData::Expr(e) if matches!(e.op, ConstOp::Cast(op) if is_number(op))),
    );
    (of_constants || body.all_insts().any(looks)).then(|| format!("@{first} and @{second}"))
}
