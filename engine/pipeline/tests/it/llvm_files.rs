//! `loop-simplify,lcssa,loop-rotate` over all of LLVM's loop tests and the corpus: every function stays valid after
//! each pass and ends in the promised forms, a second run changes nothing, `opt` accepts the result, and LLVM's own
//! `lcssa` and `loop-simplify` have nothing to add.

use backedge_ir::attr::FlagAttr;
use backedge_ir::cfg::Cfg;
use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_ir::print::module_to_string;
use backedge_ir::verify::verify_module;
use backedge_pipeline::{Observer, Options, PassRun, parse_pipeline, run};
use backedge_testkit::{Peer, corpus_files, llvm_tests, peer};
use backedge_transform::pass::Shape;
use backedge_transform::remark::{Missed, Outcome};
use backedge_transform::rotate;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

const PIPELINE: &str = "loop-simplify,lcssa,loop-rotate";

/// Counts outcomes and records the loops with missed remarks.
#[derive(Default)]
struct Counter {
    outcomes: BTreeMap<String, usize>,
    missed: HashSet<(String, String)>,
}

impl Observer for Counter {
    fn after_pass(&mut self, run: &PassRun<'_>) {
        for remark in run.remarks {
            *self.outcomes.entry(format!("{} {}", remark.pass, remark.outcome.name())).or_default() += 1;
            let harmless = matches!(
                remark.outcome,
                Outcome::Missed(Missed::Rotate(rotate::RotateMissed::AlreadyRotated))
            );
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

/// The results for one file.
#[derive(Default)]
struct Outcomes {
    functions: usize,
    rotated: usize,
    unclean: usize,
    /// The number of functions checked with LLVM's passes, after `lcssa` alone and after the whole pipeline.
    asked: usize,
    counts: BTreeMap<String, usize>,
    problems: Vec<String>,
}

impl Outcomes {
    fn add(mut self, other: Self) -> Self {
        self.functions += other.functions;
        self.rotated += other.rotated;
        self.unclean += other.unclean;
        self.asked += other.asked;
        other.counts.into_iter().for_each(|(k, n)| *self.counts.entry(k).or_default() += n);
        self.problems.extend(other.problems);
        self
    }

    fn of(file: &Path, opt: Option<&Peer>) -> Self {
        let mut this = Self::default();
        let source = std::fs::read(file).expect("a file");
        let Ok(parsed) = parse_module(&source) else { return this };
        let module = parsed.module;
        this.functions = module.bodies().count();
        // Our passes leave functions with indirect jumps unchanged.
        let jumping = module.bodies().filter(|(_, body)| body.indirect_jump().is_some());
        let left: Vec<String> = jumping.map(|(f, _)| module.env.funcs[f].name.to_string()).collect();
        // Errors that exist before any pass are not caused by a pass.
        let is_clean = verify_module(&module).is_empty();
        this.unclean = usize::from(!is_clean);
        let options = Options { verify_each: is_clean, ..Options::default() };
        let taken = opt.filter(|opt| accepts(opt, &module));
        if let Err(problem) = this.pipeline(module.clone(), options, taken) {
            this.problems.push(problem);
        }
        if let Some(opt) = taken {
            let mut closed = module;
            let lcssa = parse_pipeline("lcssa").expect("a pipeline");
            match run(&mut closed, &lcssa, options, &mut Counter::default()) {
                Ok(_) => this.ask(opt, &closed, &["lcssa"]),
                Err(error) => this.problems.push(error.to_string()),
            }
        }
        let is_of = |problem: &str, name: &str| {
            let rest = problem.strip_prefix('@').and_then(|p| p.strip_prefix(name));
            rest.is_some_and(|rest| rest.starts_with([' ', ':']))
        };
        this.problems.retain(|problem| !left.iter().any(|name| is_of(problem, name)));
        let name = file.display().to_string();
        this.problems.iter_mut().for_each(|p| *p = format!("{name}: {p}"));
        this
    }

    fn pipeline(&mut self, mut module: Module, options: Options, opt: Option<&Peer>) -> Result<(), String> {
        let pipeline = parse_pipeline(PIPELINE).expect("a pipeline");
        let mut counter = Counter::default();
        run(&mut module, &pipeline, options, &mut counter).map_err(|e| e.to_string())?;
        let (rotated, wrong) = check_forms(&module, &counter.missed);
        self.rotated = rotated;
        self.problems.extend(wrong);
        self.counts = counter.outcomes;
        if let Some(opt) = opt {
            self.ask(opt, &module, &["lcssa", "loop-simplify"]);
        }
        let again = run(&mut module, &pipeline, options, &mut Counter::default());
        if !again.is_ok_and(|s| s.changed == 0) {
            self.problems.push("a second time changes something".to_owned());
        }
        Ok(())
    }

    fn ask(&mut self, opt: &Peer, module: &Module, forms: &[&str]) {
        match additions(opt, module, forms) {
            Ok((asked, wrong)) => {
                self.asked += asked;
                self.problems.extend(wrong);
            }
            Err(error) => self.problems.push(error),
        }
    }
}

/// Whether `opt` accepts the module before our passes; otherwise it can't judge the result.
fn accepts(opt: &Peer, module: &Module) -> bool {
    opt.run(&["-passes=verify", "-disable-output"], module_to_string(module).as_bytes()).ok()
}

/// The additions that LLVM's own passes `forms` (a subset of `lcssa` and `loop-simplify`, in that order) make to
/// `module`; none if the module is in these forms. The release build of `opt` checks neither form itself, so this runs
/// the passes that establish them. Returns the number of functions checked, and the errors.
fn additions(opt: &Peer, module: &Module, forms: &[&str]) -> Result<(usize, Vec<String>), String> {
    let steps: String = forms.iter().map(|form| format!(",function({form}),print")).collect();
    let passes = format!("-passes=module(verify,function(verify<loops>,verify<domtree>),print{steps})");
    let answer = opt.run(&[&passes, "-disable-output"], module_to_string(module).as_bytes());
    if !answer.ok() {
        return Err(format!("opt: {}", answer.stderr.lines().take(3).collect::<Vec<_>>().join(" | ")));
    }
    // Each `print` begins with the module's name.
    let mut prints = answer.stderr.split("; ModuleID = ").skip(1).map(defined_functions);
    let before = prints.next().ok_or("opt printed nothing")?;
    let (mut asked, mut wrong) = (0, Vec::new());
    for (form, after) in forms.iter().zip(prints) {
        for (func, body) in module.bodies() {
            let name = &*module.env.funcs[func].name;
            // On edges from unreachable blocks, LLVM's lcssa creates phis that LCSSA form does not require.
            if *form == "lcssa" && body.block_count() != Cfg::new(body).rpo().len() {
                continue;
            }
            let (Some(before), Some(after)) = (before.get(name), after.get(name)) else {
                return Err(format!("opt lost @{name}"));
            };
            asked += 1;
            if markers(form, before) < markers(form, after) {
                wrong.push(format!("@{name}: LLVM's {form} has something to add"));
            }
        }
    }
    Ok((asked, wrong))
}

/// The number of artifacts of the pass `form` in a function's text: phis, or blocks with the names that it uses.
fn markers(form: &str, function: &str) -> usize {
    if form == "lcssa" {
        return function.matches(" = phi ").count();
    }
    let made = [".preheader", ".loopexit", ".backedge", ".outer"];
    let label = |line: &&str| !line.starts_with([' ', ';', '}']) && made.iter().any(|m| line.contains(m));
    function.lines().skip(1).filter(label).count()
}

/// The functions defined in a module's text, by name as spelled.
fn defined_functions(text: &str) -> HashMap<&str, &str> {
    text.split("\ndefine ")
        .skip(1)
        .filter_map(|function| {
            let name = &function[function.find('@')? + 1..];
            let end = match name.strip_prefix('"') {
                Some(quoted) => quoted.find('"')? + 2,
                None => name.find('(')?,
            };
            Some((&name[..end], function.split("\n}").next()?))
        })
        .collect()
}

fn canonical_forms_over(files: &[PathBuf], what: &str) {
    let opt = peer("opt", &format!("canonical forms of {what} as LLVM sees them"));
    let all = files
        .par_iter()
        .map(|file| Outcomes::of(file, opt.as_ref()))
        .reduce(Outcomes::default, Outcomes::add);
    println!(
        "{what}: {} files, {} functions, {} loops rotated at the end",
        files.len(),
        all.functions,
        all.rotated
    );
    println!("  {} files with findings of the verifier before any pass", all.unclean);
    println!("  LLVM's passes had a look at {} functions in canonical form", all.asked);
    for (outcome, count) in &all.counts {
        println!("  {count:6} {outcome}");
    }
    assert!(all.functions > 0 && all.rotated > 0, "{what}: nothing to see");
    assert!(opt.is_none() || all.asked > all.functions, "{what}: LLVM was asked about {} only", all.asked);
    assert!(all.problems.is_empty(), "{} problems:\n{}", all.problems.len(), all.problems.join("\n"));
}

#[test]
fn canonical_forms_of_llvm_tests() {
    let Some(tests) = llvm_tests("canonical forms of LLVM's loop tests") else { return };
    canonical_forms_over(&tests.sample(), "LLVM's loop tests");
}

#[test]
fn canonical_forms_of_the_corpus() {
    canonical_forms_over(&corpus_files(), "the corpus");
}

/// The check above can fail: LLVM reports code that is not in canonical form.
#[test]
fn llvm_detects_noncanonical_loops() {
    let Some(opt) = peer("opt", "that LLVM sees what is not in canonical form") else { return };
    let open = "\
define i32 @f(i1 %a, i32 %n) {
entry:
  br i1 %a, label %loop, label %other
other:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ 1, %other ], [ %i.next, %loop ]
  %i.next = add i32 %i, 1
  %c = icmp slt i32 %i.next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret i32 %i.next
}
";
    let module = parse_module(open.as_bytes()).expect("a module").module;
    let (asked, wrong) = additions(&opt, &module, &["lcssa", "loop-simplify"]).expect("an answer");
    assert_eq!(asked, 2);
    assert_eq!(wrong.len(), 2, "{wrong:?}");
}
