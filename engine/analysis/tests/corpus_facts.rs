//! Compares the corpus's statements about loops (`[loops]`, `[[loop]]`, `[[irreducible]]` of each `.toml`) with our
//! results.

use backedge_analysis::print::loops_to_string;
use backedge_analysis::{Cfg, Dominators, LoopForest, LoopId, irreducible};
use backedge_ir::body::{Body, Slots};
use backedge_ir::entity::{Block, FuncId};
use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_testkit::corpus::{Expectations, LoopFacts, Printer};
use std::collections::BTreeSet;
use std::path::Path;

type Outcome = datatest_stable::Result<()>;

/// The analysis results of one function.
struct Function<'m> {
    id: FuncId,
    body: &'m Body,
    slots: Slots,
    cfg: Cfg,
    loops: LoopForest,
}

impl<'m> Function<'m> {
    fn named(module: &'m Module, name: &str) -> Self {
        let id = module.env.func_named(name).unwrap_or_else(|| panic!("no function {name}"));
        let body = module.body(id).unwrap_or_else(|| panic!("{name} has no body that is modelled"));
        let cfg = Cfg::new(body);
        let loops = LoopForest::new(&cfg, &Dominators::new(body, &cfg));
        Self { id, body, slots: body.slots(), cfg, loops }
    }
    fn label(&self, block: Block) -> String {
        self.slots.block_label(self.body, block)
    }
    fn labels(&self, blocks: Vec<Block>) -> BTreeSet<String> {
        let count = blocks.len();
        let labels: BTreeSet<String> = blocks.into_iter().map(|b| self.label(b)).collect();
        assert_eq!(labels.len(), count, "a list with each block once");
        labels
    }
}

/// Checks `l` against `[[loop]]`: every key that is present.
fn check_loop(function: &Function<'_>, l: LoopId, facts: &LoopFacts) {
    let Function { cfg, loops, .. } = function;
    let set = |key: &str, blocks: Vec<Block>, expected: &Option<BTreeSet<String>>| {
        if let Some(expected) = expected {
            assert_eq!(function.labels(blocks), *expected, "{key} in {facts:?}");
        }
    };
    set("latches", loops.latches(cfg, l), &facts.latches);
    set("entering", loops.entering_blocks(cfg, l), &facts.entering);
    set("exiting", loops.exiting_blocks(cfg, l), &facts.exiting);
    set("exits", loops.distinct_exit_blocks(cfg, l), &facts.exits);
    let flag = |key: &str, holds: bool, expected: Option<bool>| {
        assert_eq!(holds, expected.unwrap_or(holds), "{key} in {facts:?}");
    };
    flag("dedicated_exits", loops.has_dedicated_exits(cfg, l), facts.dedicated_exits);
    flag("infinite", loops.is_statically_infinite(cfg, l), facts.infinite);
    if let Some(expected) = &facts.preheader {
        let preheader = loops.preheader(cfg, l).map_or(String::new(), |b| function.label(b));
        assert_eq!(preheader, *expected, "preheader in {facts:?}");
    }
    if let Some(expected) = facts.depth {
        assert_eq!(loops.depth(l), expected, "depth in {facts:?}");
    }
}

fn check_irreducible(module: &Module, expectations: &Expectations) {
    let expected: BTreeSet<(String, BTreeSet<String>)> =
        expectations.irreducible.iter().map(|i| (i.function.clone(), i.cycle.clone())).collect();
    // A file with any statement about loops lists all irreducible cycles of its functions.
    let speaks = expectations.has_structure();
    let mut found = BTreeSet::new();
    for (id, _) in module.bodies().filter(|_| speaks) {
        let name = &*module.env.funcs[id].name;
        let function = Function::named(module, name);
        for cycle in irreducible::cycles(&function.cfg, &function.loops) {
            found.insert((name.to_owned(), function.labels(cycle.entries)));
        }
    }
    assert_eq!(found, expected, "irreducible cycles by their entries");
}

fn check(path: &Path) -> Outcome {
    let expectations = Expectations::read(path)?;
    let source = std::fs::read(path.with_extension("ll"))?;
    let module = parse_module(&source)?.module;
    for printed in expectations.printed(Printer::Loops) {
        let name = &printed.function;
        let function = Function::named(&module, name);
        let text = loops_to_string(&module.env, function.id, function.body);
        let head = format!("Loop info for function '{name}':\n");
        let found = text.strip_prefix(&head).unwrap_or_else(|| panic!("{text} begins with {head}"));
        expectations.check(&printed, found)?;
    }
    for facts in &expectations.loop_facts {
        let (function, header) = (Function::named(&module, &facts.function), &facts.header);
        let l = function.loops.ids().find(|l| function.label(function.loops.header(*l)) == *header);
        check_loop(&function, l.unwrap_or_else(|| panic!("no loop at {header}")), facts);
    }
    check_irreducible(&module, &expectations);
    Ok(())
}

datatest_stable::harness! {
    { test = check, root = "../../corpus", pattern = r"\.toml$" },
}
