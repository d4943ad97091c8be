//! Compares the corpus's statements about loops (`[loops]`, `[[loop]]`, `[[irreducible]]` of each `.toml`) with our
//! results.

use backedge_analysis::print::loops_to_string;
use backedge_analysis::{Cfg, Dominators, LoopForest, LoopId, irreducible};
use backedge_ir::body::{Body, Slots};
use backedge_ir::entity::{Block, FuncId};
use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use std::collections::BTreeSet;
use std::path::Path;
use toml::{Table, Value};

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

fn text<'a>(table: &'a Table, key: &str) -> &'a str {
    table.get(key).and_then(Value::as_str).unwrap_or_else(|| panic!("a string under {key} in {table}"))
}

fn strings(value: &Value) -> BTreeSet<String> {
    let list = value.as_array().unwrap_or_else(|| panic!("a list: {value}"));
    list.iter().map(|v| v.as_str().unwrap_or_else(|| panic!("a string: {v}")).to_owned()).collect()
}

fn tables<'a>(expectations: &'a Table, key: &str) -> impl Iterator<Item = &'a Table> {
    let list = expectations.get(key).map_or(&[][..], |v| v.as_array().expect("an array of tables"));
    list.iter().map(|v| v.as_table().expect("a table"))
}

/// Checks `l` against `[[loop]]`: every key that is present.
fn check_loop(function: &Function<'_>, l: LoopId, facts: &Table) {
    let Function { cfg, loops, .. } = function;
    for (key, expected) in facts {
        let set =
            |blocks: Vec<Block>| assert_eq!(function.labels(blocks), strings(expected), "{key} in {facts}");
        let flag = |holds: bool| assert_eq!(Some(holds), expected.as_bool(), "{key} in {facts}");
        match key.as_str() {
            "function" | "header" => {}
            "preheader" => {
                let preheader = loops.preheader(cfg, l).map_or(String::new(), |b| function.label(b));
                assert_eq!(Some(&*preheader), expected.as_str(), "preheader in {facts}");
            }
            "latches" => set(loops.latches(cfg, l)),
            "entering" => set(loops.entering_blocks(cfg, l)),
            "exiting" => set(loops.exiting_blocks(cfg, l)),
            "exits" => set(loops.distinct_exit_blocks(cfg, l)),
            "dedicated_exits" => flag(loops.has_dedicated_exits(cfg, l)),
            "infinite" => flag(loops.is_statically_infinite(cfg, l)),
            "depth" => assert_eq!(Some(i64::from(loops.depth(l))), expected.as_integer(), "depth in {facts}"),
            _ => panic!("unknown key {key} in {facts}"),
        }
    }
}

fn check_irreducible(module: &Module, expectations: &Table) {
    let mut expected: BTreeSet<(String, BTreeSet<String>)> = BTreeSet::new();
    for table in tables(expectations, "irreducible") {
        expected.insert((text(table, "function").to_owned(), strings(&table["cycle"])));
    }
    // A file with any statement about loops lists all irreducible cycles of its functions.
    let speaks = ["loops", "loop", "irreducible"].iter().any(|k| expectations.contains_key(*k));
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
    let expectations: Table = std::fs::read_to_string(path)?.parse()?;
    let source = std::fs::read(path.with_extension("ll"))?;
    let module = parse_module(&source)?.module;
    if let Some(printed) = expectations.get("loops") {
        for (name, expected) in printed.as_table().expect("a table") {
            let function = Function::named(&module, name);
            let ours = loops_to_string(&module.env, function.id, function.body);
            let expected = expected.as_str().expect("the text of the loops");
            assert_eq!(ours, format!("Loop info for function '{name}':\n{expected}"));
        }
    }
    for facts in tables(&expectations, "loop") {
        let function = Function::named(&module, text(facts, "function"));
        let header = text(facts, "header");
        let l = function.loops.ids().find(|l| function.label(function.loops.header(*l)) == header);
        check_loop(&function, l.unwrap_or_else(|| panic!("no loop at {header}")), facts);
    }
    check_irreducible(&module, &expectations);
    Ok(())
}

datatest_stable::harness! {
    { test = check, root = "../../corpus", pattern = r"\.toml$" },
}
