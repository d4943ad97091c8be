//! Functions of the module that break a promise of their definition or of a call: the source is UB or memory is less
//! defined, which no run shows. A failing run is therefore no refutation.

use backedge_ir::parse::parse_module;
use backedge_validate::check::{Options, Side};
use backedge_validate::judge::Judge;
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

const PAIRS: &str = include_str!("promises_broken_by_callees.ll");

#[test]
fn a_promise_that_a_callee_may_break_excuses_its_caller() {
    let module = parse_module(PAIRS.as_bytes()).expect("a module").module;
    let names: Vec<String> =
        module.bodies().map(|(func, _)| module.env.funcs[func].name.to_string()).collect();
    let sources: Vec<&str> = names.iter().filter_map(|name| name.strip_prefix("src_")).collect();
    assert!(sources.len() > 15, "{} pairs", sources.len());
    let func = |name: String| module.env.func_named(&name).expect("a function of the file");
    let wrong = sources.par_iter().filter_map(|name| {
        let sides = ["src", "tgt"].map(|role| Side { module: &module, func: func(format!("{role}_{name}")) });
        let judge = Judge::new(Options { induction: false, ..Options::default() });
        let verdict = judge.judge(sides[0], sides[1]).report.verdict.to_string();
        let is_named =
            ["may break what", "breaks a promise of the source"].iter().any(|w| verdict.contains(w));
        (!is_named).then(|| format!("@src_{name}: {verdict}"))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
