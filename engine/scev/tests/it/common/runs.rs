//! Executes functions on many inputs with a watcher.

use super::bodies::Text;
use super::watch::Watcher;
use backedge_interp::chooser::RandomChooser;
use backedge_interp::input::{ArgSpec, Input};
use backedge_interp::memory::Contents;
use backedge_interp::{Config, Machine, Program};
use backedge_ir::entity::FuncId;
use backedge_ir::inst::Value;
use backedge_scev::{Expr, ScalarEvolution};
use backedge_testkit::Dice;

/// The order of queries.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    Forwards,
    Backwards,
}

/// Numbers of comparisons in executions that ended without UB.
#[derive(Copy, Clone, Default, Debug)]
pub(crate) struct Compared {
    pub(crate) runs: u64,
    pub(crate) values: u64,
    pub(crate) facts: u64,
}

impl Compared {
    pub(crate) fn add(&mut self, other: Self) {
        self.runs += other.runs;
        self.values += other.values;
        self.facts += other.facts;
    }
}

/// Queries the expressions of all values.
pub(crate) fn ask_all(se: &mut ScalarEvolution<'_>, order: Order) {
    let mut all: Vec<Value> = se.body().all_insts().map(Value::Inst).collect();
    if order == Order::Backwards {
        all.reverse();
    }
    for value in all {
        se.expr(value);
    }
}

/// Executes the function of `text` on `count` inputs and checks the analysis results. Returns the violations.
pub(crate) fn watch(text: &Text, order: Order, count: u64) -> (Compared, Vec<String>) {
    let config = config();
    let program = Program::new(&text.module, &config);
    text.with(|se| watch_function(se, text.func, &mut Machine::new(&program, config), order, count))
}
pub(crate) fn config() -> Config {
    Config { fuel: 2_000, max_bytes: 1 << 20, ..Config::default() }
}
/// Like [`watch`], for one function of a program.
pub(crate) fn watch_function(
    se: &mut ScalarEvolution<'_>,
    func: FuncId,
    machine: &mut Machine<'_>,
    order: Order,
    count: u64,
) -> (Compared, Vec<String>) {
    ask_all(se, order);
    let mut compared = Compared::default();
    let mut violations = Vec::new();
    for seed in 0..count {
        let input = input(se, seed);
        let mut watcher = Watcher::new(se, func);
        let Ok(run) = machine.run(func, &input, &mut RandomChooser::new(seed), &mut watcher) else {
            continue;
        };
        if run.outcome.ub().is_some() || run.outcome.shows_nothing() {
            continue;
        }
        compared.runs += 1;
        compared.values += watcher.compared;
        compared.facts += watcher.facts_tested;
        for violation in watcher.violations {
            violations.push(format!("{violation}, on {:?}", input.args));
        }
    }
    (compared, violations)
}

/// Checks the values of a phi at header arrivals of one loop against expressions of arguments. Returns the number of
/// comparisons and the violations.
pub(crate) fn values_at_arrivals(
    se: &ScalarEvolution<'_>,
    text: &Text,
    phi: Value,
    at: &[Option<Expr>],
    count: u64,
) -> (u64, Vec<String>) {
    let program = Program::new(&text.module, &config());
    let mut machine = Machine::new(&program, config());
    let mut compared = 0;
    let mut violations = Vec::new();
    for seed in 0..count {
        let mut watcher = Watcher::new(se, text.func).with_history(phi, at);
        let run = machine.run(text.func, &input(se, seed), &mut RandomChooser::new(seed), &mut watcher);
        if run.is_ok_and(|r| r.outcome.ub().is_none()) {
            compared += watcher.compared;
            violations.extend(watcher.violations);
        }
    }
    (compared, violations)
}

/// An input of small and boundary numbers, buffers for pointers, and occasional poison.
pub(crate) fn input(se: &ScalarEvolution<'_>, seed: u64) -> Input {
    let mut dice = Dice::new(seed);
    let mut next = || dice.word();
    let body = se.body();
    let args = body.args().map(|arg| {
        let ty = body.ty(arg.into());
        let (kind, number) = (next() % 40, next());
        match ty.int_bits() {
            _ if kind == 0 => ArgSpec::Poison,
            Some(width) => ArgSpec::Bits(
                match kind {
                    1..=12 => u128::from(number % 12),
                    13..=18 => u128::MAX - u128::from(number % 8),
                    19..=22 => (1u128 << (width - 1)) + u128::from(number % 8),
                    23..=27 => (1u128 << (width - 1)).wrapping_sub(1 + u128::from(number % 8)),
                    28..=32 => u128::from(number % 200),
                    _ => u128::from(number),
                } & (u128::MAX >> (128 - width)),
            ),
            None if ty.is_ptr() => {
                let bytes: Vec<u8> = (0..64).map(|i| (number >> (i % 57)) as u8 & 15).collect();
                ArgSpec::Buffer(Box::new(Contents::from_bytes(bytes)))
            }
            None if ty.is_float() => ArgSpec::Bits(u128::from(number % 5)),
            None => ArgSpec::Undef,
        }
    });
    Input::new(args.collect())
}
