//! Excuses for a target that a run seems to refute: a promise of the source's calls that the run may have broken, calls
//! whose number is unspecified, and differences between the two modules around the pair.

use crate::pair::call_graph::reached;
use crate::pair::pairs::defined_named;
use crate::pair::{Side, as_ref};
use crate::verdict::Failure;
use crate::verdict::witness::Refutation;
use backedge_ir::attr::Attr;
use backedge_ir::constant::{ConstData, ConstOp, GlobalRef};
use backedge_ir::entity::Inst;
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::module::Env;
use backedge_ir::opcode::CastOp;
use backedge_ir::print::{initializer_to_string, type_to_string};
use backedge_smt::promises::calls::{CallPromise, Treatment, all_promises, callee};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

/// A promise of a function called by the source that the refuting run may have broken. Promises that the engines do not
/// enforce on the environment can be broken by values that calls wrote or returned, or by an unchecked comparison of
/// memory. Enforced promises can be broken by answers given to the target, if the target calls the function too and
/// promises less.
pub(crate) fn excuse(source: Side<'_>, target: Side<'_>, refutation: &Refutation) -> Option<CallPromise> {
    let called = |list: &[String], p: &CallPromise| match p.callee.strip_prefix('@') {
        Some(name) => list.iter().any(|c| c == name),
        None => !list.is_empty(),
    };
    let of_memory = match refutation.failure {
        Failure::MemoryMismatch | Failure::EventMismatch => true,
        // A call that the source does not make with these arguments.
        Failure::MoreDefined => refutation.target.undefined.is_none(),
        _ => false,
    };
    // If an argument's address is insignificant, two calls with equal memory have one answer.
    let is_repeated = |p: &CallPromise| {
        let is_callee = |name: &&String| p.callee.strip_prefix('@') == Some(name.as_str());
        p.is_of_argument() && refutation.source.called.iter().filter(is_callee).count() > 1
    };
    let acted = refutation.source.calls_acted || refutation.target.calls_acted;
    let of_target = all_promises(as_ref(target));
    all_promises(as_ref(source)).into_iter().find(|p| {
        let breakable = match p.kept {
            Treatment::Ignored => true,
            Treatment::Held => {
                called(&refutation.target.called, p)
                    && !of_target.iter().any(|other| other.is_same_promise(p))
            }
            Treatment::Open => of_memory || acted || p.is_of_result() || p.wants_writes() || is_repeated(p),
        };
        // Runs do not record which intrinsics they called.
        breakable && (p.kept == Treatment::Ignored || called(&refutation.source.called, p))
    })
}

/// A function called in the refuting run whose number of calls is unspecified: calling it again has the same effect,
/// except on memory that the program cannot name. The engines treat each call as an event, so a target with fewer calls
/// seems to differ. This includes intrinsics unknown to the engines, which are not real calls, and allocations.
pub(crate) fn call_of_unspecified_count(
    source: Side<'_>,
    target: Side<'_>,
    refutation: &Refutation,
) -> Option<String> {
    // If the source is UB too, its calls are the only difference.
    let of_events = match refutation.failure {
        Failure::EventMismatch | Failure::NonTermination | Failure::Termination => true,
        Failure::MoreDefined => refutation.source.undefined.is_some(),
        _ => false,
    };
    let sides = [(source, &refutation.source.called), (target, &refutation.target.called)];
    sides.into_iter().filter(|_| of_events).find_map(|(side, called)| {
        let has_unspecified_count =
            |name: &&String| name.starts_with("llvm.") || is_silent(side, name) || is_allocation(side, name);
        called.iter().find(has_unspecified_count).cloned()
    })
}
/// Whether the function allocates or frees memory according to `allockind`: an unused allocation may be removed
/// together with the call that frees it.
fn is_allocation(side: Side<'_>, name: &str) -> bool {
    let env = &side.module.env;
    let says_so = |attr: &Attr| matches!(attr, Attr::Text(text) if text.starts_with("allockind"));
    env.func_named(name).is_some_and(|func| env.attrs(&env.funcs[func].attrs).any(says_so))
}
/// Whether one more call of the function has no effect, by the attributes of its declaration or of one of its calls: it
/// does not write the memory that it reads and the program cannot name, so the next call does the same again.
fn is_silent(side: Side<'_>, name: &str) -> bool {
    let env = &side.module.env;
    let Some(func) = env.func_named(name) else { return false };
    let declared = env.memory_effects(&env.funcs[func].attrs);
    let at_calls = side.module.body(side.func).into_iter().flat_map(|body| {
        let views = body.all_insts().filter_map(|inst| body.inst(inst).call());
        let calls = views.filter(move |view| callee(body, *view) == Some(func));
        calls.filter_map(|view| env.memory_effects(&view.info.fn_attrs))
    });
    declared.into_iter().chain(at_calls).any(|effects| {
        let hidden = [effects.inaccessiblemem, effects.target_mem[0], effects.target_mem[1]];
        !hidden.iter().any(|memory| memory.reads && memory.writes)
    })
}

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
