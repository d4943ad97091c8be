//! The changes of `early-cse` to repetitive code are refinements for all values, including two possibly aliasing
//! pointers and the effects of calls. Functions consist of a dozen statements from a small set, some of them after a
//! branch, so that most computations, loads and stores repeat earlier ones.
//!
//! `BACKEDGE_CASES` sets the number of functions, `BACKEDGE_SEED` the first seed.

use backedge_ir::module::Module;
use backedge_ir::parse::read_module;
use backedge_ir::print::module_to_string;
use backedge_pipeline::{Nobody, Options as RunOptions, parse_pipeline, run};
use backedge_testkit::{Dice, number};
use backedge_validate::check::{Options, Side, check};
use backedge_validate::verdict::Verdict;
use rand::RngExt as _;
use rand::seq::IndexedRandom as _;
use rayon::prelude::*;
use std::fmt::Write as _;

const FLAGS: [&str; 4] = ["", "nuw ", "nsw ", "nuw nsw "];
const POINTERS: [&str; 3] = ["%p", "%q", "%r"];
const CALLS: [&str; 3] = ["call void @any()", "call void @reads()", "call void @throws()"];

/// The text of one function and its callees.
fn function(seed: u64) -> String {
    let mut random = Dice::new(seed);
    let mut values: Vec<String> = ["%x", "%y", "3"].map(str::to_owned).to_vec();
    let mut text = String::new();
    let statements = random.random_range(6..12);
    let branch_at = random.random_range(0..2 * statements);
    for n in 0..statements {
        if n == branch_at {
            text.push_str("  br i1 %c, label %more, label %out\nmore:\n");
        }
        let a = values.choose(&mut random).expect("there are some").clone();
        let b = values.choose(&mut random).expect("there are some").clone();
        let (flags, pointer) = (FLAGS.choose(&mut random), POINTERS.choose(&mut random));
        let (flags, pointer) = (flags.expect("one"), pointer.expect("one"));
        let made = match random.random_range(0..12) {
            0..=2 => format!("add {flags}i8 {a}, {b}"),
            3 => format!("mul {flags}i8 {a}, {b}"),
            4 => format!("freeze i8 {a}"),
            5..=7 => format!("load i8, ptr {pointer}"),
            8..=10 => {
                writeln!(text, "  store i8 {a}, ptr {pointer}").expect("a string takes all");
                continue;
            }
            _ => {
                writeln!(text, "  {}", CALLS.choose(&mut random).expect("one")).expect("a string takes all");
                continue;
            }
        };
        writeln!(text, "  %v{n} = {made}").expect("a string takes all");
        values.push(format!("%v{n}"));
    }
    let last = values.last().expect("there are some");
    let out = if branch_at < statements { "out:\n  ret i8 0\n" } else { "" };
    format!(
        "declare void @any()\ndeclare void @reads() memory(read) nounwind willreturn\n\
         declare void @throws() memory(none)\n\
         define i8 @f(i8 %x, i8 %y, i1 %c, ptr %p, ptr %q) {{\n  %r = getelementptr i8, ptr %p, i8 %x\n{text}  \
         ret i8 {last}\n{out}}}\n"
    )
}

fn side(module: &Module) -> Side<'_> {
    Side { module, func: module.env.func_named("f").expect("it has @f") }
}

/// Checks one function: `None` if it was not changed, else whether the change was decided.
fn judge(seed: u64) -> Option<bool> {
    let text = function(seed);
    let before = read_module(text.as_bytes()).unwrap_or_else(|e| panic!("seed {seed}: {e:?}\n{text}")).module;
    let mut after = before.clone();
    let pipeline = parse_pipeline("early-cse").expect("a pipeline");
    let options = RunOptions { verify_each: true, ..RunOptions::default() };
    let summary =
        run(&mut after, &pipeline, options, &mut Nobody).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
    if summary.changed == 0 {
        return None;
    }
    let options = Options { runs: 500, ..Options::default() };
    match check(side(&before), side(&after), &options).verdict {
        Verdict::RefinesAll { .. } | Verdict::Vacuous { .. } => Some(true),
        Verdict::Inconclusive { .. } => Some(false),
        other => panic!("seed {seed}: {other:?}\nbefore:\n{text}\nafter:\n{}", module_to_string(&after)),
    }
}

#[test]
fn what_is_done_once_refines_what_was_done_twice() {
    let (first, count) = (number("BACKEDGE_SEED", 0), number("BACKEDGE_CASES", 60));
    let judged: Vec<bool> = (first..first + count).into_par_iter().filter_map(judge).collect();
    let decided = judged.iter().filter(|d| **d).count();
    println!("{count} functions, {} changed, {decided} decided", judged.len());
    assert!(judged.len() as u64 * 2 > count, "only {} of {count} functions were changed", judged.len());
    assert!(decided * 10 >= judged.len() * 9, "only {decided} of {} changes were decided", judged.len());
}
