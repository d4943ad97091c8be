//! Late facts reach the values that depend on them: eagerly and on demand with the same result. Without propagation
//! less is known, but nothing wrong.

use backedge_analysis::Analyses;
use backedge_analysis::cache::At;
use backedge_claim::text::{PrintOptions, print_body_claims, print_claims};
use backedge_ir::body::Body;
use backedge_ir::entity::FuncId;
use backedge_ir::inst::Value;
use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_scev::claims::Order;
use backedge_scev::expr::ExprPrinter;
use backedge_scev::refine::Mode;
use backedge_scev::{Expr, ExprType, Flags, ScalarEvolution};
use backedge_testkit::{corpus_files, llvm_tests};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// Only the count of the loop proves that `%i` does not wrap; then `%x` is a recurrence.
const LATE: &str = "
define i64 @f(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %x = zext i32 %i to i64
  %y = add i64 %x, 7
  %i.next = add i32 %i, 1
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret i64 %y
}
";

fn module() -> Module {
    parse_module(LATE.as_bytes()).expect("a module").module
}

fn with<T>(module: &Module, work: impl FnOnce(At<'_>) -> T) -> T {
    let (func, body) = module.bodies().next().expect("a function");
    let analyses = Analyses::of(func);
    work(analyses.at(&module.env, body))
}

fn text_in(mode: Mode) -> (String, u64) {
    let module = module();
    with(&module, |at| {
        let mut scev = ScalarEvolution::new(at);
        scev.set_refinement(mode);
        let claims = scev.claims(at.func.expect("a function"));
        (print_claims(&module, &claims, PrintOptions::default()), scev.refinement_effort().improved)
    })
}

#[test]
fn late_facts_make_better_expressions() {
    let (text, improved) = text_in(Mode::OnDemand);
    assert!(text.contains("%x = zext i32 %i to i64\n  -->  {0,+,1}<nuw><nsw><%loop>"), "{text}");
    assert!(text.contains("%y = add i64 %x, 7\n  -->  {7,+,1}<nuw><nsw><%loop>"), "{text}");
    assert!(improved >= 2, "{improved}");
}

#[test]
fn at_once_and_on_demand_give_the_same() {
    assert_eq!(text_in(Mode::Eager).0, text_in(Mode::OnDemand).0);
}

/// All claims about a function in the given propagation mode, including scoped facts.
fn claimed(module: &Module, func: FuncId, body: &Body, mode: Mode) -> String {
    let analyses = Analyses::of(func);
    let mut scev = ScalarEvolution::new(analyses.at(&module.env, body));
    scev.set_refinement(mode);
    let claims = scev.claims(func);
    print_body_claims(&module.env, body, &claims, PrintOptions { scopes: true, ..PrintOptions::default() })
}

/// The number of functions in `files`, and those whose claims differ between eager and on-demand propagation.
fn that_differ(files: Vec<PathBuf>) -> (usize, Vec<String>) {
    let texts = files.iter().filter_map(|f| std::fs::read(f).ok().map(|t| (f, t)));
    let mut functions = 0;
    let mut differ = Vec::new();
    for (file, text) in texts.filter(|(_, t)| t.len() < 100_000) {
        let Ok(parsed) = parse_module(&text) else { continue };
        for (func, body) in parsed.module.bodies().filter(|(_, b)| b.all_insts().count() < 2_000) {
            functions += 1;
            let [eager, later] =
                [Mode::Eager, Mode::OnDemand].map(|m| claimed(&parsed.module, func, body, m));
            // Earlier expressions of a value depend on when they were built.
            let best = |text: &str| -> Vec<String> {
                text.lines().filter(|l| !l.starts_with("  value ")).map(str::to_owned).collect()
            };
            let (eager, later) = (best(&eager), best(&later));
            if eager != later {
                let name = &parsed.module.env.funcs[func].name;
                let missing = |from: &[String], of: &[String], sign: char| -> String {
                    let lines = of.iter().filter(|l| !from.contains(l));
                    lines.take(2).map(|l| format!("\n{sign} {l}")).collect()
                };
                let shown = missing(&later, &eager, '<') + &missing(&eager, &later, '>');
                differ.push(format!("{} @{name}{shown}", file.display()));
            }
        }
    }
    (functions, differ)
}

#[test]
fn at_once_and_on_demand_give_the_same_over_the_corpus() {
    let (functions, differ) = that_differ(corpus_files());
    assert!(functions > 100, "{functions}");
    assert!(differ.is_empty(), "{} of {functions}:\n{}", differ.len(), differ.join("\n"));
}

#[test]
fn at_once_and_on_demand_give_the_same_over_llvm_tests() {
    let Some(tests) = llvm_tests("refinement at once and on demand") else { return };
    let (functions, differ) = that_differ(tests.files());
    assert!(functions > 1_000, "{functions}");
    assert!(differ.is_empty(), "{} of {functions}:\n{}", differ.len(), differ.join("\n"));
}

/// The flags of all small expressions, by their text.
fn facts(
    scev: &ScalarEvolution<'_>,
    exprs: impl Iterator<Item = Expr>,
) -> BTreeMap<(String, ExprType), Flags> {
    let printer = ExprPrinter::new(scev).without_flags();
    let small = exprs.filter(|e| scev.arena().size(*e) < 100);
    small.map(|e| ((printer.text(scev, e), scev.ty(e)), scev.flags(e))).collect()
}

/// The parts of the expressions of values and counts.
fn parts(scev: &mut ScalarEvolution<'_>) -> BTreeSet<Expr> {
    let values: Vec<Value> = scev.body().all_insts().map(Value::Inst).collect();
    let mut roots: Vec<Expr> = values.into_iter().filter_map(|v| scev.expr(v)).collect();
    let loops: Vec<_> = scev.loops().ids().collect();
    for counts in loops.into_iter().map(|l| scev.counts(l)) {
        roots.extend([counts.exact, counts.symbolic_max]);
        roots.extend(counts.exits.iter().flat_map(|(_, exit)| [exit.exact, exit.symbolic_max]));
    }
    let mut parts = BTreeSet::new();
    for root in roots {
        scev.arena().all_parts(root, |expr, _| {
            parts.insert(expr);
            true
        });
    }
    parts
}

/// Facts known after queries in some order without settling are known after settling too, for all expressions that are
/// part of values and counts in the end. Returns the number of facts checked and the lost ones.
fn lost_by_settling(files: Vec<PathBuf>) -> (usize, Vec<String>) {
    let texts = files.iter().filter_map(|f| std::fs::read(f).ok().map(|t| (f, t)));
    let (mut looked_at, mut lost) = (0, Vec::new());
    for (file, text) in texts.filter(|(_, t)| t.len() < 100_000) {
        let Ok(parsed) = parse_module(&text) else { continue };
        for (func, body) in parsed.module.bodies().filter(|(_, b)| b.all_insts().count() < 1_000) {
            let analyses = Analyses::of(func);
            let at = analyses.at(&parsed.module.env, body);
            let mut scev = ScalarEvolution::new(at);
            scev.claims(func);
            let parts = parts(&mut scev);
            let settled = facts(&scev, parts.into_iter());
            for order in [Order::Forwards, Order::Backwards, Order::CountsFirst] {
                let mut scev = ScalarEvolution::new(at);
                scev.claims_unsettled(func, order);
                for (expr, flags) in facts(&scev, scev.arena().iter()) {
                    let Some(known) = settled.get(&expr) else { continue };
                    looked_at += usize::from(!flags.is_empty());
                    // Each of the other flags implies absence of self-wrap.
                    let flags = if known.nw() { flags.without(Flags::NW) } else { flags };
                    if !known.contains(flags) {
                        let name = &parsed.module.env.funcs[func].name;
                        lost.push(format!("{} @{name} {order:?}: {} {flags}", file.display(), expr.0));
                    }
                }
            }
        }
    }
    (looked_at, lost)
}

#[test]
fn settling_loses_no_facts() {
    let (looked_at, lost) = lost_by_settling(corpus_files());
    assert!(looked_at > 1_000, "{looked_at}");
    assert!(lost.is_empty(), "{} of {looked_at}:\n{}", lost.len(), lost.join("\n"));
}

#[test]
fn settling_loses_no_facts_over_llvm_tests() {
    let Some(tests) = llvm_tests("facts on the way and in the end") else { return };
    let (looked_at, lost) = lost_by_settling(tests.files());
    assert!(looked_at > 10_000, "{looked_at}");
    assert!(lost.is_empty(), "{} of {looked_at}:\n{}", lost.len(), lost.join("\n"));
}

#[test]
fn without_it_dependents_stay_as_they_were() {
    let (text, improved) = text_in(Mode::Never);
    assert!(text.contains("%x = zext i32 %i to i64\n  -->  (zext i32 {0,+,1}"), "{text}");
    assert_eq!(improved, 0);
}

#[test]
fn old_expressions_follow_the_best_one() {
    let module = module();
    with(&module, |at| {
        let mut scev = ScalarEvolution::new(at);
        let value: Value = at.body.value_named("x").expect("%x");
        let early = scev.expr(value).expect("an integer");
        let l = scev.loops().ids().next().expect("a loop");
        scev.counts(l);
        scev.learn_from_counts();
        let late = scev.expr(value).expect("an integer");
        assert_ne!(early, late);
        assert_eq!(scev.exprs(value), [late, early]);
    });
}
