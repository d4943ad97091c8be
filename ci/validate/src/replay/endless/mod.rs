//! Proofs of non-termination without unbounded execution: a run on one input stays within some blocks for any number of
//! iterations, and no instruction there returns, calls, reads memory or can be UB.
//!
//! The analysis starts at function entry, or at the state in which the run exhausted its fuel, with the values computed
//! so far. It finds the reachable blocks as in sparse conditional constant propagation (Wegman and Zadeck 1991), with
//! one value per instruction that holds in all iterations: the lowest bits that never change (all bits for a constant).
//! A counter that starts at 0 and steps by 2 is always even and never equal to 1; the interpreter, which detects only
//! repeated states, would need 2^31 iterations to see it.
//!
//! The analysis gives up on anything unmodelled, and on any instruction that might be UB, or poison where poison
//! matters. Choices of the program (`freeze` of possible poison) are unknown bits, so the result holds for all choices.
//!
//! | file | contents |
//! |---|---|
//! | `low` | the lattice: low bits of integers |
//! | `state` | the state at which the analysis starts |
//! | `search` | the analysis |

mod low;
mod search;
mod state;

use crate::pair::Side;
use backedge_interp::Machine;
use backedge_interp::chooser::ZeroChooser;
use backedge_interp::input::{Input, InputError};
use backedge_interp::outcome::Outcome;
use backedge_ir::body::Body;
use backedge_ir::entity::Arg;
use backedge_ir::loop_options::{function_must_progress, has_mustprogress};
use low::{Low, WIDEST};
use search::Search;
use state::{State, arguments};

/// Why the run of `side` on `input` with all choices 0 never ends; `None` if no proof was found. The result holds for
/// all choices, unless `one_run_suffices`: then the choices up to the end of the fuel may be fixed to this run's. Such
/// a run has no events, and is UB only if it must make progress.
pub(crate) fn never_ends(
    side: Side<'_>,
    machine: &mut Machine<'_>,
    input: &Input,
    one_run_suffices: bool,
) -> Result<Option<String>, InputError> {
    match endless(side, input) {
        None if one_run_suffices => endless_after_fuel(side, machine, input),
        shown => Ok(shown),
    }
}

/// Why the run of `side` on `input` never ends, for all choices.
fn endless(side: Side<'_>, input: &Input) -> Option<String> {
    let body = side.module.body(side.func)?;
    Search::new(State::at_entry(body, arguments(side, body, input)?))?.conclude(side)
}

/// Why no run of `side` ends or is UB, for all arguments.
pub(crate) fn never_ends_on_any(side: Side<'_>) -> Option<String> {
    let body = side.module.body(side.func)?;
    // An argument may be poison and have undefined bits, so a branch on it counts as UB.
    let any = |arg: Arg| {
        let width = body.ty(arg.into()).int_bits().filter(|w| *w <= WIDEST)?;
        Some(Low::unknown(width, true))
    };
    let args = body.args().map(any).collect();
    Search::new(State::at_entry(body, args))?.conclude(side)
}

/// Why the run of `side` on `input` with all choices 0 never ends, for all choices after its fuel is exhausted. The
/// fuel must not be exhausted inside a callee.
fn endless_after_fuel(
    side: Side<'_>,
    machine: &mut Machine<'_>,
    input: &Input,
) -> Result<Option<String>, InputError> {
    let Some(body) = side.module.body(side.func) else { return Ok(None) };
    let mut state = State::new(body);
    let run = machine.run(side.func, input, &mut ZeroChooser, &mut state)?;
    let shown = || Search::new(state.in_block()?)?.conclude(side);
    Ok(if run.outcome == Outcome::OutOfFuel { shown() } else { None })
}

/// Whether the function or one of its loops may have a forward-progress obligation.
pub(crate) fn may_have_progress_obligation(side: Side<'_>) -> bool {
    let env = &side.module.env;
    let of_loop = |body: &Body| body.blocks().any(|b| has_mustprogress(env, body, b));
    function_must_progress(env, side.func) || side.module.body(side.func).is_none_or(of_loop)
}

#[cfg(test)]
mod tests {
    use super::{Side, endless, endless_after_fuel, may_have_progress_obligation};
    use backedge_interp::input::{ArgSpec, Input};
    use backedge_interp::outcome::Outcome;
    use backedge_interp::trace::NoObserver;
    use backedge_interp::{Config, Machine, Program, chooser::ZeroChooser};
    use backedge_ir::parse::parse_module;

    /// A loop from `%a` to `%n` with that step and those flags, left when `pred` no longer holds.
    fn counting(width: u32, step: &str, pred: &str) -> String {
        format!(
            "define void @f(i{width} %n, i{width} %a) {{
entry:
  br label %header
header:
  %i = phi i{width} [ %a, %entry ], [ %i.next, %header ]
  %i.next = {step}
  %c = icmp {pred} i{width} %i, %n
  br i1 %c, label %header, label %exit
exit:
  ret void
}}
"
        )
    }

    /// For each run: whether it is shown to be endless (from entry, or from the state after `steps`), and whether it
    /// is.
    fn all(width: u32, text: &str, steps: Option<u64>) -> Vec<(bool, bool)> {
        let module = parse_module(text.as_bytes()).expect("a module").module;
        let side = Side { module: &module, func: module.env.func_named("f").expect("@f") };
        let config = Config { fuel: 1_000_000, ..Config::default() };
        let program = Program::new(&module, &config);
        let mut machine = Machine::new(&program, config.clone());
        let half = 1i128 << (width - 1);
        let inputs = (-half..half).flat_map(|n| (-half..half).map(move |a| (n, a)));
        let run = |(n, a)| {
            let input = Input::new(vec![ArgSpec::Int(n), ArgSpec::Int(a)]);
            let run = machine.run(side.func, &input, &mut ZeroChooser, &mut NoObserver).expect("it fits");
            let shown = match steps {
                None => endless(side, &input),
                Some(fuel) => {
                    let config = Config { fuel, ..config.clone() };
                    let mut machine = Machine::new(&program, config);
                    endless_after_fuel(side, &mut machine, &input).expect("it fits")
                }
            };
            (shown.is_some(), matches!(run.outcome, Outcome::Diverges { .. }))
        };
        inputs.map(run).collect()
    }

    #[test]
    fn what_is_shown_to_be_endless_is() {
        let steps = [
            "add i4 %i, 2",
            "add i4 %i, 4",
            "sub i4 %i, 6",
            "mul i4 %i, 3",
            "mul i4 %i, 6",
            "shl i4 %i, 1",
            "lshr i4 %i, 1",
            "ashr i4 %i, 2",
            "xor i4 %i, 10",
            "or i4 %i, 3",
            "and i4 %i, 12",
            "udiv i4 %i, 2",
            "srem i4 %i, 3",
            "sdiv i4 %i, %a",
            "add nuw i4 %i, 2",
            "add nsw i4 %i, 2",
            "shl nuw i4 %i, 1",
            "add i4 %i, 0",
        ];
        for fuel in [None, Some(6), Some(13), Some(20)] {
            let (mut shown, mut endless) = (0, 0);
            for step in steps {
                for pred in ["ne", "eq", "ult", "sge"] {
                    for (claimed, is) in all(4, &counting(4, step, pred), fuel) {
                        assert!(is || !claimed, "{step}, {pred}, {fuel:?}");
                        shown += usize::from(claimed);
                        endless += usize::from(is);
                    }
                }
            }
            // Low bits do not prove every case; they prove all counters with step 2.
            assert!(shown * 3 > endless, "{shown} of {endless} are shown, {fuel:?}");
        }
        let even = all(4, &counting(4, "add i4 %i, 2", "ne"), None);
        assert!(even.iter().all(|(claimed, is)| claimed == is));
    }

    /// Nested loops: a value of the outer loop is the one of its last iteration, and may be anything in the next one.
    #[test]
    fn from_within_a_nest_nothing_wrong_is_shown() {
        let nest = |inner: &str, outer: &str| {
            format!(
                "define void @f(i4 %n, i4 %a) {{
entry:
  br label %outer
outer:
  %o = phi i4 [ %a, %entry ], [ %o.next, %latch ]
  %double = mul i4 %o, 2
  br label %inner
inner:
  %i = phi i4 [ %double, %outer ], [ %i.next, %inner ]
  %i.next = {inner}
  %c = icmp ne i4 %i.next, %n
  br i1 %c, label %inner, label %latch
latch:
  %o.next = {outer}
  %d = icmp ne i4 %o.next, %n
  br i1 %d, label %outer, label %exit
exit:
  ret void
}}
"
            )
        };
        let (mut shown, mut endless) = (0, 0);
        for inner in ["add i4 %i, 1", "add i4 %i, 2", "add i4 %i, %o", "shl i4 %i, 1"] {
            for outer in ["add i4 %o, 1", "add i4 %o, 2", "add i4 %o, 4", "mul i4 %o, 3"] {
                for fuel in [None, Some(9), Some(30), Some(71)] {
                    for (claimed, is) in all(4, &nest(inner, outer), fuel) {
                        assert!(is || !claimed, "{inner}, {outer}, {fuel:?}");
                        shown += usize::from(claimed);
                        endless += usize::from(is);
                    }
                }
            }
        }
        assert!(shown * 10 > endless, "{shown} of {endless} are shown");
    }

    /// Code before the loop, and parameters that the loop does not use, do not block the analysis.
    #[test]
    fn what_comes_before_a_loop_does_not_hide_it() {
        let module = |head: &str, before: &str, within: &str| {
            let text = format!(
                "define void @f({head}) {{
entry:
{before}  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %j = add i32 %i, 2
{within}  %c = icmp ne i32 %j, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}}
declare void @g()
"
            );
            parse_module(text.as_bytes()).expect("a module").module
        };
        let loads = "  %n = load i32, ptr %p\n";
        let stores = "  store i32 1, ptr %p\n";
        let moves = "  %q = getelementptr i8, ptr %p, i32 %j\n  store i8 1, ptr %q\n";
        for (head, before, within, expected) in [
            ("ptr %p", loads, "", true),
            ("ptr %p, i32 %n", stores, "", true),
            ("ptr %p, i32 %n", stores, stores, true),
            ("ptr %p, i32 %n", "", moves, false),
            ("ptr %p", loads, "  call void @g()\n", false),
            ("ptr %p, i32 %n", "", "  store volatile i32 1, ptr %p\n", false),
        ] {
            let module = module(head, before, within);
            let side = Side { module: &module, func: module.env.func_named("f").expect("@f") };
            let config = Config { fuel: 100, ..Config::default() };
            let program = Program::new(&module, &config);
            let mut machine = Machine::new(&program, config.clone());
            let args = if head.contains("%n") { &["bytes:01000000", "1"][..] } else { &["bytes:01000000"] };
            let input = Input::parse(args).expect("an input");
            let shown = endless_after_fuel(side, &mut machine, &input).expect("it fits");
            assert_eq!(shown.is_some(), expected, "{head}, {before}, {within}");
        }
    }

    #[test]
    fn steps_by_flags_and_choices_show_nothing_wrong() {
        for (text, expected) in [
            // The flag eventually makes the value poison and the branch UB.
            (counting(32, "add nuw i32 %i, 2", "ne"), false),
            (counting(32, "add i32 %i, 2", "ne"), true),
            (counting(64, "add i64 %i, 2", "ne"), true),
            (counting(32, "add i32 %i, 1", "ne"), false),
            (counting(32, "add i32 %i, 2", "ne").replace("i32 %n", "i32 range(i32 5, 9) %n"), false),
            (counting(32, "add i32 undef, 2", "ne"), false),
        ] {
            let module = parse_module(text.as_bytes()).expect("a module").module;
            let side = Side { module: &module, func: module.env.func_named("f").expect("@f") };
            let input = Input::new(vec![ArgSpec::Int(1), ArgSpec::Int(0)]);
            assert_eq!(endless(side, &input).is_some(), expected, "{text}");
            assert!(!may_have_progress_obligation(side));
        }
    }

    #[test]
    fn progress_is_demanded_by_attributes_and_by_loops() {
        let plain = counting(32, "add i32 %i, 2", "ne");
        let looping = plain.replace("label %exit\n", "label %exit, !llvm.loop !0\n")
            + "!0 = distinct !{!0, !1}\n!1 = !{!\"llvm.loop.mustprogress\"}\n";
        for (text, expected) in [
            (plain.clone(), false),
            (plain.replace(") {", ") mustprogress {"), true),
            (plain.replace(") {", ") willreturn {"), true),
            (plain.replace(") {", ") #0 {") + "attributes #0 = { mustprogress }\n", true),
            (looping.replace("mustprogress", "disable_nonforced"), false),
            (looping, true),
        ] {
            let module = parse_module(text.as_bytes()).expect("a module").module;
            let side = Side { module: &module, func: module.env.func_named("f").expect("@f") };
            assert_eq!(may_have_progress_obligation(side), expected, "{text}");
        }
    }
}
