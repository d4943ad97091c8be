//! Runs one query in Z3. Only the files of this folder call Z3.
//!
//! Each query runs on a thread of its own and uses the context of that thread: the crate creates one context per thread
//! that asks for one, and creating and deleting contexts is most of the cost of a small query.
//!
//! Terms are translated in ascending order, each once, without recursion. Variables are numbered by their order in the
//! query, so that the query does not depend on other terms in the arena. The crate `z3` panics where Z3 reports an
//! error; this file turns such a panic into an error.
//!
//! The solver's own `max_memory` limits the memory. The process-wide `memory_max_size` is not set on purpose: it
//! changes Z3's behavior long before the limit is reached (other unit counts for the same query), and makes context
//! creation fail.
//!
//! Z3 checks its time limit during the search, but not in all phases before it. A second thread per query therefore
//! interrupts Z3 at the deadline, and the translation checks the clock itself. The result of an interrupted query is
//! discarded.

mod model;
mod translated;

use super::arrays::{Reads, Without};
use super::{Answer, Budget, SolverError, UnknownReason};
use crate::term::{Bits, Op, Sort, Term, Terms};
use rustc_hash::FxHashMap;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use translated::{Translated, Translation, as_bits};
use z3::ast::{Array, BV, Bool};
use z3::{Context, Params, SatResult, Sort as Z3Sort, Statistics, StatisticsValue};

/// The answer, and the resource units used. The budget's time counts from `start`.
pub(super) fn run(
    terms: &Terms,
    assertions: &[Term],
    without: Without,
    budget: &Budget,
    start: Instant,
) -> Result<(Answer, u64), SolverError> {
    let clock = Clock { start, time: budget.time };
    in_a_context(|| guarded(&clock, || solve(terms, assertions, without, budget, &clock)))
}

/// Runs `query` on a thread of its own; all Z3 objects that it creates are freed before this function returns.
fn in_a_context<T: Send>(query: impl FnOnce() -> Result<T, SolverError> + Send) -> Result<T, SolverError> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("query".to_owned()).stack_size(STACK);
        match thread.spawn_scoped(scope, || caught(query)) {
            Ok(thread) => thread.join().unwrap_or_else(failed),
            Err(error) => Err(SolverError::NoThread(error.to_string())),
        }
    })
}

/// Stack size of a query in bytes. Z3 recurses over terms in places.
const STACK: usize = 64 << 20;

/// Time that Z3 gets beyond its own limit before it is interrupted. Usually Z3 stops by itself and reports the units it
/// has used.
const GRACE: Duration = Duration::from_millis(100);

/// The time limit of a query.
struct Clock {
    start: Instant,
    time: Duration,
}

impl Clock {
    fn left(&self) -> Duration {
        self.time.saturating_sub(self.start.elapsed())
    }
}

/// The result of `query`, or [`UnknownReason::Time`] if it missed the deadline: then Z3 is interrupted at any point.
fn guarded(
    clock: &Clock,
    query: impl FnOnce() -> Result<(Answer, u64), SolverError>,
) -> Result<(Answer, u64), SolverError> {
    let context = Context::thread_local();
    let handle = context.handle();
    let interrupted = AtomicBool::new(false);
    let result = std::thread::scope(|scope| {
        let (done, watch) = channel::<()>();
        let interrupted = &interrupted;
        let guard = move || {
            // The sender is dropped when the query ends, even by a panic.
            if watch.recv_timeout(clock.left().saturating_add(GRACE)) == Err(RecvTimeoutError::Timeout) {
                interrupted.store(true, Ordering::Release);
                handle.interrupt();
            }
        };
        if let Err(e) = std::thread::Builder::new().spawn_scoped(scope, guard) {
            return Err(SolverError::Failed(format!("no thread can be started: {e}")));
        }
        // An interrupted call may fail in any way.
        let result = caught(query);
        drop(done);
        result
    });
    if interrupted.load(Ordering::Acquire) { Ok((Answer::Unknown(UnknownReason::Time), 0)) } else { result }
}

fn caught<T>(call: impl FnOnce() -> Result<T, SolverError>) -> Result<T, SolverError> {
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(failed)
}

/// Turns a panic into an error.
fn failed<T>(payload: Box<dyn Any + Send>) -> Result<T, SolverError> {
    let text = payload.downcast_ref::<String>().cloned();
    let text = text.or_else(|| payload.downcast_ref::<&str>().map(|&text| text.to_owned()));
    Err(SolverError::Failed(text.unwrap_or_else(|| "no message".to_owned())))
}

fn solve(
    terms: &Terms,
    assertions: &[Term],
    without: Without,
    budget: &Budget,
    clock: &Clock,
) -> Result<(Answer, u64), SolverError> {
    let cone = terms.cone(assertions);
    let reads = Reads::of(terms, &cone, without);
    let solver = solver_for(terms, &cone, &reads)?;
    let Some(translation) = Translation::of(terms, &cone, reads, clock) else {
        return Ok((Answer::Unknown(UnknownReason::Time), 0));
    };
    solver.set_params(&parameters(budget, clock.left()));
    for &assertion in assertions {
        solver.assert(translation.bool(assertion));
    }
    for &(a, b) in &translation.reads.perhaps_same {
        let [i, j] = [a, b].map(|element| translation.bits(terms.args(element)[1]));
        solver.assert(i.eq(j).implies(translation.bits(a).eq(translation.bits(b))));
    }
    let result = solver.check();
    let units = units_used(&solver.get_statistics());
    let answer = match result {
        SatResult::Unsat => Answer::Unsat,
        SatResult::Sat => {
            let model =
                solver.get_model().ok_or_else(|| SolverError::Failed("sat without a model".to_owned()))?;
            Answer::Sat(model::read(terms, &model, &translation)?)
        }
        SatResult::Unknown => {
            Answer::Unknown(reason(solver.get_reason_unknown().unwrap_or_default(), units, budget))
        }
    };
    Ok((answer, units))
}

/// Selects the solver for the theories that occur: Z3's general solver takes twice the time.
fn solver_for(terms: &Terms, cone: &[Term], reads: &Reads) -> Result<z3::Solver, SolverError> {
    let mut arrays = cone.iter().filter(|t| matches!(terms.sort(**t), Sort::Array { .. }));
    let arrays = arrays.any(|t| !reads.replaces(*t));
    let logic = if arrays { "QF_AUFBV" } else { "QF_BV" };
    z3::Solver::new_for_logic(logic).ok_or_else(|| SolverError::Failed(format!("no solver for {logic}")))
}

fn parameters(budget: &Budget, time: Duration) -> Params {
    let mut parameters = Params::new();
    parameters.set_u32("random_seed", 0);
    // The program handles interrupts itself. Z3 would otherwise catch them while a query runs.
    parameters.set_bool("ctrl_c", false);
    parameters.set_u32("rlimit", budget.units);
    // A timeout of zero would mean no limit.
    parameters.set_u32("timeout", u32::try_from(time.as_millis()).unwrap_or(u32::MAX).max(1));
    parameters.set_u32("max_memory", budget.memory.max(1));
    parameters
}

fn units_used(statistics: &Statistics) -> u64 {
    match statistics.value("rlimit count") {
        Some(StatisticsValue::UInt(units)) => u64::from(units),
        Some(StatisticsValue::Double(units)) => units as u64,
        None => 0,
    }
}

fn reason(text: String, units: u64, budget: &Budget) -> UnknownReason {
    let used_up = budget.units != 0 && units >= u64::from(budget.units);
    match text.as_str() {
        "timeout" => UnknownReason::Time,
        "max. resource limit exceeded" => UnknownReason::Units,
        "canceled" if used_up => UnknownReason::Units,
        "max. memory exceeded" | "out of memory" => UnknownReason::Memory,
        _ => UnknownReason::Other(text),
    }
}

impl Translation {
    /// Translates the terms; `None` if the deadline passes first.
    fn of(terms: &Terms, cone: &[Term], reads: Reads, clock: &Clock) -> Option<Translation> {
        /// Number of terms that are translated between two looks at the clock.
        const LOOK_AT_CLOCK: usize = 1024;
        let mut translation = Translation { done: FxHashMap::default(), variables: Vec::new(), reads };
        let mut constants = 0;
        let mut constant = |sort| {
            constants += 1;
            variable(constants - 1, sort)
        };
        for (done, &term) in cone.iter().enumerate() {
            if done % LOOK_AT_CLOCK == 0 && clock.left().is_zero() {
                return None;
            }
            let translated = match terms.op(term) {
                Op::Var(_) if translation.reads.replaces(term) => continue,
                Op::Var(_) => {
                    translation.variables.push(term);
                    constant(terms.sort(term))
                }
                Op::Select if translation.reads.replaces(terms.args(term)[0]) => constant(terms.sort(term)),
                _ => translation.apply(terms, term),
            };
            translation.done.insert(term, translated);
        }
        Some(translation)
    }

    pub(super) fn get(&self, term: Term) -> &Translated {
        &self.done[&term]
    }

    fn bool(&self, term: Term) -> &Bool {
        match self.get(term) {
            Translated::Bool(value) => value,
            _ => panic!("{term:?} is a truth value"),
        }
    }

    fn bits(&self, term: Term) -> &BV {
        match self.get(term) {
            Translated::Bits(value) => value,
            _ => panic!("{term:?} is a bit vector"),
        }
    }

    fn array(&self, term: Term) -> &Array {
        match self.get(term) {
            Translated::Array(value) => value,
            _ => panic!("{term:?} is an array"),
        }
    }

    fn apply(&self, terms: &Terms, term: Term) -> Translated {
        match terms.sort(term) {
            Sort::Bool => Translated::Bool(self.apply_bool(terms, term)),
            Sort::BitVec(_) => Translated::Bits(self.apply_bits(terms, term)),
            Sort::Array { .. } => Translated::Array(self.apply_array(terms, term)),
        }
    }

    fn apply_bool(&self, terms: &Terms, term: Term) -> Bool {
        let args = terms.args(term);
        let truth = |index: usize| self.bool(args[index]);
        let bits = |index: usize| self.bits(args[index]);
        match terms.op(term) {
            Op::Bool(value) => Bool::from_bool(value),
            Op::Not => truth(0).not(),
            Op::And => Bool::and(&[truth(0), truth(1)]),
            Op::Or => Bool::or(&[truth(0), truth(1)]),
            Op::Xor => truth(0).xor(truth(1)),
            Op::Ite => truth(0).ite(truth(1), truth(2)),
            Op::Eq => match self.get(args[0]) {
                Translated::Bool(left) => left.eq(truth(1)),
                Translated::Bits(left) => left.eq(bits(1)),
                Translated::Array(left) => left.eq(self.array(args[1])),
            },
            Op::Ult => bits(0).bvult(bits(1)),
            Op::Slt => bits(0).bvslt(bits(1)),
            Op::UMulOverflows => bits(0).bvmul_no_overflow(bits(1), false).not(),
            Op::SMulOverflows => {
                let above = bits(0).bvmul_no_overflow(bits(1), true);
                Bool::and(&[above, bits(0).bvmul_no_underflow(bits(1))]).not()
            }
            op => panic!("{op:?} is not a truth value"),
        }
    }

    fn apply_bits(&self, terms: &Terms, term: Term) -> BV {
        let args = terms.args(term);
        let bits = |index: usize| self.bits(args[index]);
        match terms.op(term) {
            Op::Bits(constant) => numeral(terms.bits(constant)),
            Op::Ite => self.bool(args[0]).ite(bits(1), bits(2)),
            Op::BvNot => bits(0).bvnot(),
            Op::BvNeg => bits(0).bvneg(),
            Op::Add => bits(0).bvadd(bits(1)),
            Op::Mul => bits(0).bvmul(bits(1)),
            Op::UDiv => bits(0).bvudiv(bits(1)),
            Op::URem => bits(0).bvurem(bits(1)),
            Op::SDiv => bits(0).bvsdiv(bits(1)),
            Op::SRem => bits(0).bvsrem(bits(1)),
            Op::BvAnd => bits(0).bvand(bits(1)),
            Op::BvOr => bits(0).bvor(bits(1)),
            Op::BvXor => bits(0).bvxor(bits(1)),
            Op::Shl => bits(0).bvshl(bits(1)),
            Op::LShr => bits(0).bvlshr(bits(1)),
            Op::AShr => bits(0).bvashr(bits(1)),
            Op::Concat => bits(0).concat(bits(1)),
            Op::Extract { high, low } => bits(0).extract(high, low),
            Op::ZExt(width) => bits(0).zero_ext(width - terms.width(args[0])),
            Op::SExt(width) => bits(0).sign_ext(width - terms.width(args[0])),
            Op::Select => as_bits(self.array(args[0]).select(bits(1))),
            op => panic!("{op:?} is not a bit vector"),
        }
    }

    fn apply_array(&self, terms: &Terms, term: Term) -> Array {
        let args = terms.args(term);
        match terms.op(term) {
            Op::Ite => self.bool(args[0]).ite(self.array(args[1]), self.array(args[2])),
            Op::Store => self.array(args[0]).store(self.bits(args[1]), self.bits(args[2])),
            Op::ConstArray(index) => Array::const_array(&Z3Sort::bitvector(index), self.bits(args[0])),
            op => panic!("{op:?} is not an array"),
        }
    }
}

fn variable(number: u32, sort: Sort) -> Translated {
    match sort {
        Sort::Bool => Translated::Bool(Bool::new_const(number)),
        Sort::BitVec(width) => Translated::Bits(BV::new_const(number, width)),
        Sort::Array { index, element } => {
            let (index, element) = (Z3Sort::bitvector(index), Z3Sort::bitvector(element));
            Translated::Array(Array::new_const(number, &index, &element))
        }
    }
}

fn numeral(bits: &Bits) -> BV {
    match bits.to_u128().map(u64::try_from) {
        Some(Ok(value)) => BV::from_u64(value, bits.width()),
        _ => {
            let all: Vec<bool> = (0..bits.width()).map(|index| bits.bit(index)).collect();
            BV::from_bits(&all).expect("Z3 takes any number of bits")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::check;

    #[test]
    fn a_panic_inside_a_call_is_an_error_and_leaves_the_thread_usable() {
        let nested = || caught::<()>(|| panic!("as the crate does: {}", 7));
        assert_eq!(in_a_context(nested), Err(SolverError::Failed("as the crate does: 7".to_owned())));
        let mut terms = Terms::new();
        let a = terms.variable("a", Sort::Bool);
        assert!(matches!(check(&terms, &[a], &Budget::default()).unwrap().answer, Answer::Sat(_)));
    }

    #[test]
    fn a_query_with_no_limit_of_its_own_is_interrupted() {
        let mut terms = Terms::new();
        let (x, y) = (terms.variable("x", Sort::BitVec(64)), terms.variable("y", Sort::BitVec(64)));
        let (zero, quotient, remainder) = (terms.number(64, 0), terms.udiv(x, y), terms.urem(x, y));
        let product = terms.mul(quotient, y);
        let back = terms.add(product, remainder);
        let hard = [terms.ne(y, zero), terms.ne(back, x)];
        let clock = Clock { start: Instant::now(), time: Duration::from_millis(1) };
        let unlimited = Clock { start: clock.start, time: Duration::MAX };
        let query = || {
            let solver = z3::Solver::new();
            let cone = terms.cone(&hard);
            let reads = Reads::of(&terms, &cone, Without::Apart);
            let translation = Translation::of(&terms, &cone, reads, &unlimited).expect("there is time");
            hard.iter().for_each(|&assertion| solver.assert(translation.bool(assertion)));
            assert_eq!(solver.check(), SatResult::Unknown);
            Ok((Answer::Unsat, 0))
        };
        let answer = in_a_context(|| guarded(&clock, query));
        assert_eq!(answer, Ok((Answer::Unknown(UnknownReason::Time), 0)));
        let answer = in_a_context(|| guarded(&unlimited, || Ok((Answer::Unsat, 7))));
        assert_eq!(answer, Ok((Answer::Unsat, 7)));
    }

    #[test]
    fn the_printed_script_means_what_was_asked() {
        let mut terms = Terms::new();
        let memory = terms.variable("mem |x\\", Sort::Array { index: 8, element: 3 });
        let (x, y) = (terms.variable("x", Sort::BitVec(8)), terms.variable("x", Sort::BitVec(3)));
        let wide = terms.zext(y, 8);
        let (product, over) = (terms.mul(x, wide), terms.smul_overflows(x, wide));
        let stored = terms.store(memory, product, y);
        let loaded = terms.select(stored, x);
        let (one, low) = (terms.number(8, 1), terms.extract(x, 4, 2));
        // x * 1 is x, so the loaded element is the stored one; y is not bits 2 to 4 of x, and x is not 0.
        let zero = terms.number(8, 0);
        let all =
            [terms.eq(wide, one), terms.ne(loaded, y), terms.ne(y, low), terms.not(over), terms.ne(x, zero)];
        let ask = |assertions: &[Term]| {
            let text = terms.to_smtlib(assertions);
            let result = in_a_context(|| {
                let solver = z3::Solver::new();
                solver.from_string(text.clone());
                Ok((solver.check(), solver.get_assertions().len()))
            });
            let (answer, count) = result.expect("Z3 reads what is printed");
            assert_eq!(count, assertions.len(), "{text}");
            answer
        };
        assert_eq!(ask(&all), SatResult::Unsat);
        assert_eq!(ask(&[all[0], all[2], all[3], all[4]]), SatResult::Sat);
    }
}
