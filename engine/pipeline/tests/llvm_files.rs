//! `loop-simplify,lcssa,loop-rotate` over all of LLVM's loop tests and the corpus: every function stays valid after
//! each pass and ends in the forms promised, a second time changes nothing, and `opt` accepts the result.

use backedge_ir::attr::FlagAttr;
use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_ir::print::module_to_string;
use backedge_ir::verify::verify_module;
use backedge_pipeline::{Observer, Options, PassRun, parse_pipeline, run};
use backedge_testkit::{corpus_files, llvm_tests, peer};
use backedge_transform::pass::Shape;
use backedge_transform::remark::{Missed, Outcome};
use backedge_transform::rotate;
use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;

const PIPELINE: &str = "loop-simplify,lcssa,loop-rotate";

/// Counts what happened, and remembers which loops were missed.
#[derive(Default)]
struct Counter {
    outcomes: BTreeMap<String, usize>,
    missed: HashSet<(String, String)>,
}

impl Observer for Counter {
    fn after_pass(&mut self, run: &PassRun<'_>) {
        for remark in run.remarks {
            *self.outcomes.entry(format!("{} {}", remark.pass, remark.outcome.name())).or_default() += 1;
            let harmless =
                matches!(remark.outcome, Outcome::Missed(Missed::Rotate(rotate::Missed::AlreadyRotated)));
            if matches!(remark.outcome, Outcome::Missed(_)) && !harmless {
                self.missed.insert((remark.function.to_string(), remark.header.clone()));
            }
        }
    }
}

fn check_forms(module: &Module, missed: &HashSet<(String, String)>) -> (usize, Vec<String>) {
    let mut wrong = Vec::new();
    let mut rotated = 0;
    for (func, body) in module.bodies() {
        let name = &module.env.funcs[func].name;
        if module.env.has_attr(&module.env.funcs[func].attrs, FlagAttr::OptNone) {
            continue;
        }
        let shape = Shape::new(body);
        for l in shape.loops.ids() {
            let header = body.slots().block_label(body, shape.loops.header(l));
            if !shape.loops.has_loop_simplify_form(&shape.cfg, l) {
                wrong.push(format!("@{name} loop %{header}: not in loop simplify form"));
            }
            if !shape.is_lcssa(body, l) {
                wrong.push(format!("@{name} loop %{header}: not in LCSSA form"));
            }
            let is_rotated = shape.loops.is_rotated(&shape.cfg, l);
            rotated += usize::from(is_rotated);
            if !is_rotated && !missed.contains(&(name.to_string(), header.clone())) {
                wrong.push(format!("@{name} loop %{header}: neither rotated nor missed"));
            }
        }
    }
    (rotated, wrong)
}

fn canonical_forms_over(files: &[PathBuf], what: &str) {
    let opt = peer("opt", &format!("canonical forms of {what} as LLVM sees them"));
    let pipeline = parse_pipeline(PIPELINE).expect("a pipeline");
    let mut problems = Vec::new();
    let mut outcomes: BTreeMap<String, usize> = BTreeMap::new();
    let (mut functions, mut loops_rotated, mut unclean) = (0, 0, 0);
    for file in files {
        let source = std::fs::read(file).expect("a file");
        let Ok(parsed) = parse_module(&source) else { continue };
        let mut module = parsed.module;
        let name = file.display().to_string();
        functions += module.bodies().count();
        // What is wrong before any pass is not a pass's.
        let is_clean = verify_module(&module).is_empty();
        unclean += usize::from(!is_clean);
        let options = Options { verify_each: is_clean, ..Options::default() };
        let printed = module_to_string(&module);
        let mut counter = Counter::default();
        if let Err(error) = run(&mut module, &pipeline, options, &mut counter) {
            problems.push(format!("{name}: {error}"));
            continue;
        }
        let (rotated, wrong) = check_forms(&module, &counter.missed);
        loops_rotated += rotated;
        problems.extend(wrong.into_iter().map(|w| format!("{name}: {w}")));
        counter.outcomes.into_iter().for_each(|(k, n)| *outcomes.entry(k).or_default() += n);
        let text = module_to_string(&module);
        let again = run(&mut module, &pipeline, options, &mut Counter::default());
        if !again.is_ok_and(|s| s.changed == 0) {
            problems.push(format!("{name}: a second time changes something"));
        }
        if let Some(opt) = &opt {
            let args = ["-passes=verify,function(verify<loops>,verify<domtree>)", "-disable-output"];
            let before = opt.run(&args, printed.as_bytes());
            let answer = opt.run(&args, text.as_bytes());
            if before.ok() && !answer.ok() {
                problems.push(format!(
                    "{name}: opt: {}",
                    answer.stderr.lines().take(3).collect::<Vec<_>>().join(" | ")
                ));
            }
        }
    }
    println!(
        "{what}: {} files, {functions} functions, {loops_rotated} loops rotated at the end",
        files.len()
    );
    println!("  {unclean} files with findings of the verifier before any pass");
    for (outcome, count) in &outcomes {
        println!("  {count:6} {outcome}");
    }
    assert!(functions > 0 && loops_rotated > 0, "{what}: nothing to see");
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

#[test]
fn canonical_forms_of_llvm_tests() {
    let Some(tests) = llvm_tests("canonical forms of LLVM's loop tests") else { return };
    canonical_forms_over(&tests.files(), "LLVM's loop tests");
}

#[test]
fn canonical_forms_of_the_corpus() {
    canonical_forms_over(&corpus_files(), "the corpus");
}
