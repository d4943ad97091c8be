//! Our passes compared with LLVM 22's on LLVM's loop tests: which loops are rotated, and how many loops there are.

use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_ir::print::module_to_string;
use backedge_pipeline::{Nobody, Options, parse_pipeline, run};
use backedge_testkit::{llvm_tests, peer};
use backedge_transform::pass::Shape;
use std::collections::BTreeMap;

/// Numbers of loops of a function: all, in simplify form, in LCSSA form, rotated.
type Counts = [usize; 4];

fn counts(module: &Module) -> BTreeMap<String, Counts> {
    let of = |body| {
        let shape = Shape::new(body);
        let (cfg, loops) = (&shape.cfg, &shape.loops);
        let count = |holds: &dyn Fn(_) -> bool| loops.ids().filter(|l| holds(*l)).count();
        [
            loops.len(),
            count(&|l| loops.has_loop_simplify_form(cfg, l)),
            count(&|l| loops.is_lcssa(body, cfg, l)),
            count(&|l| loops.is_rotated(cfg, l)),
        ]
    };
    // Our passes leave functions with indirect jumps unchanged.
    let all = module.bodies().filter(|(_, body)| body.indirect_jump().is_none());
    all.map(|(f, body)| (module.env.funcs[f].name.to_string(), of(body))).collect()
}

#[test]
fn as_many_canonical_loops_as_llvm() {
    let what = "canonical forms beside those of LLVM's passes";
    let (Some(opt), Some(tests)) = (peer("opt", what), llvm_tests(what)) else { return };
    const PIPELINE: &str = "loop-simplify,lcssa,loop-rotate";
    let pipeline = parse_pipeline(PIPELINE).expect("a pipeline");
    let (mut functions, mut same) = (0, 0);
    let (mut ours_total, mut theirs_total) = ([0; 4], [0; 4]);
    let mut fewer = Vec::new();
    for file in tests.sample() {
        let source = std::fs::read(&file).expect("a file");
        let Ok(parsed) = parse_module(&source) else { continue };
        let mut module = parsed.module;
        let text = module_to_string(&module);
        let answer = opt.run(&[&format!("-passes={PIPELINE}"), "-S"], text.as_bytes());
        let Some(theirs) = answer.ok().then(|| parse_module(answer.stdout.as_bytes()).ok()).flatten() else {
            continue;
        };
        run(&mut module, &pipeline, Options::default(), &mut Nobody).expect("a run");
        let theirs = counts(&theirs.module);
        for (name, ours) in counts(&module) {
            let Some(theirs) = theirs.get(&name) else { continue };
            functions += 1;
            same += usize::from(ours == *theirs);
            for k in 0..4 {
                ours_total[k] += ours[k];
                theirs_total[k] += theirs[k];
            }
            if ours != *theirs {
                let file = file.strip_prefix(tests.dir()).unwrap_or(&file).display();
                println!("{file} @{name}: ours {ours:?}, LLVM's {theirs:?}");
            }
            // Every loop that LLVM brings into a form, our passes must, too.
            let lack = |c: &Counts| [c[0] - c[1], c[0] - c[2], c[0] - c[3]];
            if (0..3).any(|k| lack(&ours)[k] > lack(theirs)[k]) {
                fewer.push(format!("{} @{name}: ours {ours:?}, LLVM's {theirs:?}", file.display()));
            }
        }
    }
    println!("{functions} functions, {same} alike; [loops, simplified, LCSSA, rotated]");
    println!("ours {ours_total:?}, LLVM's {theirs_total:?}");
    assert!(functions > tests.part(2000), "only {functions} functions were compared");
    assert!(
        fewer.len() <= FEWER,
        "{} functions with fewer canonical loops:\n{}",
        fewer.len(),
        fewer.join("\n")
    );
}

/// The number of functions in which LLVM's loop-rotate merges a cheap latch into the preceding exiting block, and ours
/// leaves the loop unchanged.
const FEWER: usize = 6;
