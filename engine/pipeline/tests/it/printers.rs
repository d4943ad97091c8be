//! Printing passes in LLVM's format, compared with `opt`.

use backedge_ir::parse::parse_module;
use backedge_ir::print::module_to_string;
use backedge_pipeline::{Observer, Options, parse_pipeline, run};
use backedge_testkit::{corpus_files, peer};

/// The text that passes print.
#[derive(Default)]
struct Printed(String);

impl Observer for Printed {
    fn output(&mut self, text: &str) {
        self.0.push_str(text);
    }
}

/// The module of `source` as text, and what `passes` print of it.
fn printed(source: &[u8], passes: &str) -> Option<(String, String)> {
    let mut module = parse_module(source).ok()?.module;
    let text = module_to_string(&module);
    let mut printed = Printed::default();
    run(&mut module, &parse_pipeline(passes).expect("a pipeline"), Options::default(), &mut printed).ok()?;
    Some((text, printed.0))
}

#[test]
fn a_dominator_tree() {
    let source = b"define void @f(i1 %a, i1 %b) {
entry:
  br i1 %a, label %left, label %join
left:
  br i1 %b, label %join, label %\"the end\"
join:
  br label %\"the end\"
\"the end\":
  ret void
gone:
  ret void
}
";
    let expected = "DominatorTree for function: f
=============================--------------------------------
Inorder Dominator Tree: DFSNumbers invalid: 0 slow queries.
  [1] %entry {4294967295,4294967295} [0]
    [2] %left {4294967295,4294967295} [1]
    [2] %join {4294967295,4294967295} [1]
    [2] %\"the end\" {4294967295,4294967295} [1]
Roots: %entry 
";
    let (_, text) = printed(source, "print<domtree>").expect("a module");
    assert_eq!(text, expected);
}

#[test]
fn dominator_trees_as_opt_prints_them() {
    const PASS: &str = "print<domtree>";
    let Some(opt) = peer("opt", "dominator trees as opt prints them") else { return };
    let mut compared = 0;
    for path in corpus_files().iter().step_by(8) {
        let source = std::fs::read(path).expect("a file of the corpus");
        // The passes do not run on functions that are not modelled.
        let is_modelled = parse_module(&source).is_ok_and(|parsed| parsed.warnings.is_empty());
        let Some((text, ours)) = is_modelled.then(|| printed(&source, PASS)).flatten() else { continue };
        let answer = opt.run(&[&format!("-passes={PASS}"), "-disable-output"], text.as_bytes());
        if answer.ok() {
            assert_eq!(ours, answer.stderr, "{}", path.display());
            compared += 1;
        }
    }
    assert!(compared > 20, "only {compared} files were compared");
}
