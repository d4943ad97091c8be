//! Doubts about a failing run because of calls: a promise of the source's calls that the run may have broken, and calls
//! whose number is unspecified.

use crate::pair::{Side, as_ref};
use crate::verdict::Failure;
use crate::verdict::witness::Refutation;
use backedge_ir::attr::Attr;
use backedge_smt::promises::calls::{CallPromise, Treatment, all_promises, callee};

/// A promise of a function called by the source that the refuting run may have broken. Promises that the engines do not
/// enforce on the environment can be broken by values that calls wrote or returned, or by an unchecked comparison of
/// memory. Enforced promises can be broken by answers given to the target, if the target calls the function too and
/// promises less.
pub(crate) fn doubtful_promise(
    source: Side<'_>,
    target: Side<'_>,
    refutation: &Refutation,
) -> Option<CallPromise> {
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
