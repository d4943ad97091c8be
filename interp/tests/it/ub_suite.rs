//! The suite on UB and poison: every run has exactly the stated outcomes and reasons, over all choices; and the suite
//! itself is complete.

use crate::support;
use backedge_interp::chooser::EnumeratingChooser;
use backedge_interp::outcome::UbKind;
use backedge_interp::{Config, Machine, Program, input::Input, trace::NoObserver};
use backedge_ir::module::Module;
use backedge_testkit::{SuiteCase, ub_suite};
use std::collections::{BTreeSet, HashSet};

/// Maximum number of runs tried to see all outcomes of a case.
const MANY_RUNS: usize = 70_000;

/// All outcomes of a case under one reading of uninitialized memory.
fn outcomes(module: &Module, case: &SuiteCase, uninit_poison: bool) -> BTreeSet<String> {
    let config = Config { uninit_poison, fuel: 20_000, max_events: 1000, ..Config::default() };
    let program = Program::new(module, &config);
    let mut machine = Machine::new(&program, config);
    let name = &case.function;
    let func = module.env.func_named(name).unwrap_or_else(|| panic!("no function @{name}"));
    let input = Input::parse(&case.args).unwrap_or_else(|e| panic!("@{name}: {e}"));
    let mut chooser = EnumeratingChooser::new();
    let mut found = BTreeSet::new();
    for _ in 0..MANY_RUNS {
        let run = machine.run(func, &input, &mut chooser, &mut NoObserver);
        let run = run.unwrap_or_else(|e| panic!("@{name}: {e}"));
        found.insert(support::describe(module, name, &run));
        if !chooser.advance() {
            return found;
        }
    }
    panic!("@{name}: more choices than can be tried");
}

#[test]
fn every_run_has_the_outcomes_stated() {
    let mut wrong = Vec::new();
    for file in ub_suite() {
        let module = support::module(&file.text);
        for case in &file.cases {
            for uninit_poison in [false, true] {
                if case.uninit_poison.is_some_and(|only| only != uninit_poison) {
                    continue;
                }
                let found = outcomes(&module, case, uninit_poison);
                if !found.iter().eq(&case.outcomes) {
                    wrong.push(format!(
                        "{}:{}: @{}({}) -> {found:?}, not {:?}",
                        file.path.file_name().unwrap_or_default().display(),
                        case.line,
                        case.function,
                        case.args.join(", "),
                        case.outcomes
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} runs are not as stated:\n{}", wrong.len(), wrong.join("\n"));
}

/// Kinds that no run of the suite can show.
const NOT_SHOWN: [(UbKind, &str); 1] =
    [(UbKind::NoUnwindViolated, "only an external function unwinds, and one that is nounwind never does")];

#[test]
fn the_suite_has_every_kind_of_undefined_behaviour() {
    let files = ub_suite();
    let stated: HashSet<&str> = files
        .iter()
        .flat_map(|f| &f.cases)
        .flat_map(|c| &c.outcomes)
        .filter_map(|o| o.strip_prefix("ub "))
        .collect();
    let missing: Vec<&str> = UbKind::ALL
        .iter()
        .filter(|kind| !NOT_SHOWN.iter().any(|(k, _)| k == *kind))
        .map(|kind| kind.name())
        .filter(|name| !stated.contains(name))
        .collect();
    assert!(missing.is_empty(), "no run shows {missing:?}");
    assert!(stated.iter().all(|name| UbKind::from_name(name).is_some()), "{stated:?}");
}

#[test]
fn the_suite_is_as_large_as_it_says() {
    let mut functions = 0;
    for file in ub_suite() {
        let called: HashSet<&str> = file.cases.iter().map(|c| &*c.function).collect();
        functions += called.len();
        let arrows = file.text.lines().filter(|l| l.starts_with(';') && l.contains(" -> ")).count();
        assert_eq!(arrows, file.cases.len(), "{}: a line states no run", file.path.display());
    }
    assert!(functions >= 250, "{functions} functions");
}
