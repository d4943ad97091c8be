//! LLVM's loop tests: the loops of every function that both Backedge and LLVM 22's `opt` accept, byte for byte; and the
//! shapes stated in the table of functions.

use backedge_analysis::print::loops_to_string;
use backedge_analysis::{Cfg, Dominators, LoopForest, irreducible};
use backedge_ir::body::Body;
use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_testkit::{LlvmTests, Row, llvm_tests, peer};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

fn read(path: &Path) -> (Vec<u8>, Module) {
    let source = std::fs::read(path).expect("to read a test");
    match parse_module(&source) {
        Ok(parsed) => (source, parsed.module),
        Err(error) => panic!("{}: {error}", path.display()),
    }
}

#[test]
fn loops_are_printed_as_opt_prints_them() {
    const WHAT: &str = "loops of LLVM's loop tests as LLVM sees them";
    let (Some(tests), Some(opt)) = (llvm_tests(WHAT), peer("opt", WHAT)) else { return };
    let (mut same, mut with_loops, mut not_taken, mut wrong) = (0, 0, Vec::new(), Vec::new());
    for path in tests.sample() {
        let (source, module) = read(&path);
        let answer = opt.run(&["-passes=print<loops>", "-disable-output"], &source);
        if !answer.ok() {
            not_taken.push(path);
            continue;
        }
        // Warnings may precede the first function.
        let theirs: HashMap<&str, &str> = answer
            .stderr
            .split("Loop info for function '")
            .skip(1)
            .filter_map(|part| part.split_once("':\n"))
            .collect();
        for (func, body) in module.bodies() {
            let ours = loops_to_string(&module.env, func, body);
            let ours = ours.split_once("':\n").map_or("", |(_, loops)| loops);
            let name = &*module.env.funcs[func].name;
            match theirs.get(name) {
                Some(theirs) if *theirs == ours => same += 1,
                theirs => wrong.push(format!("{}: {name}: {theirs:?}, ours {ours:?}", path.display())),
            }
            with_loops += usize::from(!ours.is_empty());
        }
    }
    eprintln!(
        "{same} functions as opt has them, {with_loops} of them with loops; files that opt does not take: {not_taken:?}"
    );
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(
        same > tests.part(2000) && with_loops > tests.part(1000),
        "{same} functions, {with_loops} with loops"
    );
}

/// Our values for the columns of the table. For `multi_exit` the table counts exiting blocks, not edges; for
/// `multi_latch` it counts backedges, not blocks.
fn shape(body: &Body) -> BTreeMap<&'static str, u64> {
    let cfg = Cfg::new(body);
    let loops = LoopForest::new(&cfg, &Dominators::new(body, &cfg));
    let any = |holds: &dyn Fn(backedge_analysis::LoopId) -> bool| u64::from(loops.ids().any(holds));
    BTreeMap::from([
        ("n_loops", loops.len() as u64),
        ("max_depth", loops.ids().map(|l| u64::from(loops.depth(l))).max().unwrap_or(0)),
        ("multi_exit", any(&|l| loops.exiting_blocks(&cfg, l).len() > 1)),
        ("irreducible", u64::from(!irreducible::cycles(&cfg, &loops).is_empty())),
        ("no_preheader", any(&|l| loops.preheader(&cfg, l).is_none())),
        ("multi_latch", any(&|l| loops.backedges(&cfg, l).len() > 1)),
        ("infinite_loop", any(&|l| loops.is_statically_infinite(&cfg, l))),
        ("unreachable_blocks", u64::from(cfg.rpo().len() < body.block_count())),
        ("n_blocks", body.block_count() as u64),
    ])
}

fn differences(row: &Row, body: &Body) -> Vec<(&'static str, String)> {
    let differs = |(column, ours): (&'static str, u64)| {
        let theirs = row.number(column);
        (ours != theirs)
            .then(|| (column, format!("{} {}: {theirs}, ours {ours}", row.get("file"), row.get("function"))))
    };
    shape(body).into_iter().filter_map(differs).collect()
}

fn rows_by_file(tests: &LlvmTests) -> BTreeMap<String, Vec<Row>> {
    let mut files: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    for row in tests.rows() {
        files.entry(row.get("file").to_owned()).or_default().push(row);
    }
    files
}

#[test]
fn shapes_agree_with_the_table() {
    let Some(tests) = llvm_tests("shapes of LLVM's loop tests against their table") else { return };
    let (mut compared, mut wrong): (usize, BTreeMap<&str, Vec<String>>) = (0, BTreeMap::new());
    for (file, rows) in rows_by_file(&tests) {
        let (_, module) = read(&tests.dir().join(file));
        for row in rows {
            let Some(body) = module.env.func_named(row.get("function")).and_then(|f| module.body(f)) else {
                continue;
            };
            compared += 1;
            for (column, difference) in differences(&row, body) {
                wrong.entry(column).or_default().push(difference);
            }
        }
    }
    assert!(compared > 2000, "only {compared} functions compared");
    assert!(wrong.is_empty(), "of {compared}: {wrong:#?}");
}

/// Our queries must see the guarantees of LLVM's passes: after `loop-simplify,lcssa` every loop is in LCSSA form and in
/// loop simplify form; a function that had both forms before gets no new block.
#[test]
fn forms_are_seen_where_opt_makes_them() {
    const WHAT: &str = "loop simplify form and LCSSA as LLVM makes them";
    let (Some(tests), Some(opt)) = (llvm_tests(WHAT), peer("opt", WHAT)) else { return };
    let (mut loops_seen, mut wrong) = (0, Vec::new());
    for path in tests.sample() {
        let (source, before) = read(&path);
        let answer = opt.run(&["-passes=loop-simplify,lcssa", "-S"], &source);
        assert!(answer.ok(), "{}: {}", path.display(), answer.stderr);
        let after = parse_module(answer.stdout.as_bytes()).expect("what opt prints").module;
        for (func, body) in after.bodies() {
            let name = &*after.env.funcs[func].name;
            let place = format!("{}: {name}", path.display());
            let (canonical, closed) = forms(body);
            loops_seen += canonical.len();
            // Edges of indirect branches cannot be split.
            if canonical.contains(&false) && body.indirect_jump().is_none() {
                wrong.push(format!("{place}: not in loop simplify form"));
            }
            if closed.contains(&false) {
                wrong.push(format!("{place}: not in LCSSA form"));
            }
            let Some(old) = before.env.func_named(name).and_then(|f| before.body(f)) else { continue };
            let (canonical, closed) = forms(old);
            let was_right = !canonical.contains(&false) && !closed.contains(&false);
            // Fewer blocks are allowed: the pass also merges exiting blocks.
            if was_right && old.block_count() < body.block_count() {
                wrong.push(format!("{place}: in both forms, but opt made blocks"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(loops_seen > tests.part(2000), "{loops_seen} loops");
}

/// For each loop: whether it is in loop simplify form, and whether it and all nested loops are in LCSSA form.
fn forms(body: &Body) -> (Vec<bool>, Vec<bool>) {
    let cfg = Cfg::new(body);
    let loops = LoopForest::new(&cfg, &Dominators::new(body, &cfg));
    let simple = loops.ids().map(|l| loops.has_loop_simplify_form(&cfg, l)).collect();
    (simple, loops.ids().map(|l| loops.is_recursively_lcssa(body, &cfg, l)).collect())
}
