//! What may excuse a target that a run seems to refute: a promise of the source's calls that the run may have broken, calls of
//! which nobody can tell how often they happen, and what two modules have otherwise around the pair.

use crate::bounded::as_ref;
use crate::callees::reached;
use crate::check::Side;
use crate::pairs::defined_named;
use crate::verdict::Failure;
use crate::witness::Refutation;
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

/// A promise of the source, or of a function of the module that it names, that the refuting run may have broken: of a
/// function that it called. What the engines do not hold the environment to can be broken by what calls wrote or
/// returned, or by a comparison of memory that they do not look at; what they do hold it to, by answers that the
/// target was given, if the target calls the function too and promises less.
pub(crate) fn excuse(source: Side<'_>, target: Side<'_>, refutation: &Refutation) -> Option<CallPromise> {
    let called = |list: &[String], p: &CallPromise| match p.callee.strip_prefix('@') {
        Some(name) => list.iter().any(|c| c == name),
        None => !list.is_empty(),
    };
    let of_memory = match refutation.failure {
        Failure::MemoryMismatch | Failure::EventMismatch => true,
        // A call that the source does not make in this way.
        Failure::MoreDefined => refutation.target.undefined.is_none(),
        _ => false,
    };
    // Of an argument whose address does not count, two calls with equal memory have one answer.
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
        // Runs do not say which intrinsics they called.
        breakable && (p.kept == Treatment::Ignored || called(&refutation.source.called, p))
    })
}

/// A function called in the refuting run of whose calls nobody can tell how often they happen: one that does the same
/// again if it is called again, beyond what it does to memory that the program can name. The engines take each call for an
/// event, and a target that makes fewer of them seems to differ. An intrinsic that the engines do not know is one of
/// these too: it is no call of anything; and so are allocations.
pub(crate) fn of_untold_number(
    source: Side<'_>,
    target: Side<'_>,
    refutation: &Refutation,
) -> Option<String> {
    // Where the source is undefined too, its calls alone make the difference.
    let of_events = match refutation.failure {
        Failure::EventMismatch | Failure::NonTermination | Failure::Termination => true,
        Failure::MoreDefined => refutation.source.undefined.is_some(),
        _ => false,
    };
    let sides = [(source, &refutation.source.called), (target, &refutation.target.called)];
    sides.into_iter().filter(|_| of_events).find_map(|(side, called)| {
        let is_untold =
            |name: &&String| name.starts_with("llvm.") || is_silent(side, name) || is_allocation(side, name);
        called.iter().find(is_untold).cloned()
    })
}
/// Whether the function allocates or frees memory, as `allockind` says: an allocation that nothing comes of may be left out
/// together with what frees it.
fn is_allocation(side: Side<'_>, name: &str) -> bool {
    let env = &side.module.env;
    let says_so = |attr: &Attr| matches!(attr, Attr::Text(text) if text.starts_with("allockind"));
    env.func_named(name).is_some_and(|func| env.attrs(&env.funcs[func].attrs).any(says_so))
}
/// Whether nothing comes of one more call of a function of that name, as it is declared or as one of its calls has it:
/// what it reads of memory that the program can't name it does not write, so that the next call does the same again.
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

/// Whether the two sides take addresses of blocks with other labels: which of them go together is not known.
pub(crate) fn of_labels(source: Side<'_>, target: Side<'_>) -> bool {
    let labels = |side: Side<'_>| -> BTreeSet<Arc<str>> {
        let taken = side.module.env.block_addresses.values();
        taken.filter(|taken| taken.func == side.func).map(|taken| taken.label.as_ref().into()).collect()
    };
    labels(source) != labels(target)
}

/// An internal variable that a call of the refuting run wrote. Code of another module reaches it through functions of this
/// module alone, which the pair does not show.
pub(crate) fn written_from_outside(source: Side<'_>, refutation: &Refutation) -> Option<String> {
    let env = &source.module.env;
    let is_internal =
        |name: &&String| env.vars.values().any(|var| *var.name == ***name && var.linkage.is_local());
    let sides = [&refutation.source, &refutation.target];
    sides.into_iter().flat_map(|run| &run.written).find(is_internal).cloned()
}

/// What two modules have otherwise around a pair, so that runs of both begin with different things.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Otherwise {
    /// A function that one module defines and the other one only declares: a run has its code on one side, and what anybody
    /// may do on the other.
    Declared(String),
    /// A variable with other contents or of another type: the runs begin in two states, of which the pair alone does not
    /// say that they stand for one. Constructors may have run before, and be gone.
    Variable(String),
}

impl fmt::Display for Otherwise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Declared(name) => {
                write!(f, "comes to @{name}, which one module defines and the other one only declares")
            }
            Self::Variable(name) => {
                write!(f, "begins with @{name} as it is defined, which is not the same in both modules")
            }
        }
    }
}

/// What of the two modules a failing run may owe its failure to.
pub(crate) fn of_modules(source: Side<'_>, target: Side<'_>) -> Option<Otherwise> {
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
        // What can't be written is what it is.
        let is_written = !envs[0].vars[own].is_constant || !envs[1].vars[theirs].is_constant;
        let is_another = is_written && text(envs[0], own) != text(envs[1], theirs);
        is_another.then(|| Otherwise::Variable(name.to_string()))
    })
}

/// Two globals of the source whose addresses may be one, where it compares addresses or makes numbers of them: runs put
/// them apart.
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
                // Whether a pointer is null does not depend on where it leads.
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
