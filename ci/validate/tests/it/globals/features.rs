//! Features that interpreter and encoder may misinterpret alike, since they have the same author: each pair of the file
//! has the verdict that follows from LangRef, or one that names the unmodelled feature.

use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_smt::promises::beyond;
use backedge_smt::refinement::FunctionRef;
use backedge_validate::check::{Options, Side};
use backedge_validate::judge::Judge;
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

const FEATURES: &str = include_str!("features.ll");
const TAGS: &str = include_str!("tags.ll");
const APART: &str = include_str!("apart.ll");
const SEEMING: &str = include_str!("seeming.ll");
const KEEPING: &str = include_str!("keeping.ll");

fn sides<'a>(module: &'a Module, name: &str) -> [Side<'a>; 2] {
    let func = |role: &str| module.env.func_named(&format!("{role}_{name}")).expect("a function of the file");
    ["src", "tgt"].map(|role| Side { module, func: func(role) })
}

fn verdict(module: &Module, name: &str) -> String {
    let [source, target] = sides(module, name);
    Judge::new(Options::default()).judge(source, target).report.verdict.to_string()
}

/// Whether comparing both functions shows that the target promises more, in these words.
fn promises_more(module: &Module, name: &str, words: &str) -> bool {
    let [source, target] = sides(module, name).map(|s| FunctionRef { module: s.module, func: s.func });
    let claims = beyond(source, target).into_iter().filter_map(|promised| promised.claim);
    claims.map(|claim| format!("if {claim}")).any(|claim| claim.contains(words))
}

/// Judges the pairs of `text` and checks that there are more than `least`.
fn check_pairs(text: &str, least: usize) {
    let module = parse_module(text.as_bytes()).expect("a module").module;
    let expected: Vec<(&str, &str)> =
        text.lines().filter_map(|line| line.strip_prefix("; judged ")?.split_once(": ")).collect();
    assert!(expected.len() > least, "{} pairs", expected.len());
    let wrong = expected.par_iter().filter_map(|(name, words)| {
        let verdict = verdict(&module, name);
        let is_assumed = words.starts_with("refines") && verdict.contains(", if ");
        // A run may refute the claim that the expected verdict assumes.
        let is_denied =
            verdict.contains("breaks a promise that the source keeps") && promises_more(&module, name, words);
        let is_right = (verdict.contains(words) || is_denied) && !is_assumed;
        (!is_right).then(|| format!("@src_{name}: {verdict}, not {words}"))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn pairs_about_features_have_the_verdicts_of_langref() {
    check_pairs(FEATURES, 20);
}

#[test]
fn metadata_counts_where_its_instruction_runs() {
    check_pairs(TAGS, 10);
}

#[test]
fn what_looks_alike_is_told_apart() {
    check_pairs(APART, 25);
}

#[test]
fn promises_count_on_the_run_that_fails() {
    check_pairs(KEEPING, 10);
}

#[test]
fn what_seems_to_be_common_is_told_apart() {
    check_pairs(SEEMING, 20);
}

/// Metadata and `noalias` of accesses executed by another run, in another iteration, or in another memory state.
#[test]
fn accesses_of_other_runs_are_told_apart() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/globals/runs");
    let files = std::fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").path());
    let texts: Vec<String> = files.map(|path| std::fs::read_to_string(path).expect("a text")).collect();
    assert!(texts.len() > 20, "{} files", texts.len());
    texts.par_iter().for_each(|text| check_pairs(text, 0));
}

/// An internal variable as the only one of the module and a function, and the function's possible uses of it.
#[test]
fn what_the_module_does_with_an_internal_variable_counts() {
    let judged = |rest: &str, source: &str, target: &str| {
        let text = format!(
            "@I = internal global i32 0\n{rest}\ndefine i32 @src_v(ptr %p) {{\n{source}\n}}\n\
             define i32 @tgt_v(ptr %p) {{\n{target}\n}}\n"
        );
        verdict(&parse_module(text.as_bytes()).expect("a module").module, "v")
    };
    let load = "  %v = load i32, ptr @I\n  ret i32 %v";
    let never_written = judged("", load, "  ret i32 0");
    assert!(never_written.starts_with("refines, all iterations"), "{never_written}");
    // Comparisons, selects and read-only calls do not change it.
    for user in [
        "define i1 @w(ptr %q) {\n  %c = icmp eq ptr %q, @I\n  ret i1 %c\n}",
        "define i32 @w(i1 %c, ptr %q) {\n  %s = select i1 %c, ptr @I, ptr %q\n  %v = load i32, ptr %s\n  ret i32 %v\n}",
        "declare void @r(ptr readonly captures(none))\ndefine void @w() {\n  call void @r(ptr @I)\n  ret void\n}",
        "define void @w() {\n  ret void\nnever:\n  store i32 1, ptr @I\n  ret void\n}",
    ] {
        let kept = judged(user, load, "  ret i32 0");
        assert!(kept.starts_with("refines, all iterations"), "{user}: {kept}");
    }
    let writer = "define void @w(i32 %x) {\n  store i32 %x, ptr @I\n  ret void\n}";
    let written = judged(writer, load, "  ret i32 0");
    assert!(written.starts_with("refuted"), "{written}");
    // No external pointer points to it.
    let store = "  store i32 1, ptr @I\n  store i32 2, ptr %p\n";
    let aliased = judged("", &format!("{store}{load}"), &format!("{store}  ret i32 1"));
    assert!(aliased.contains("internal variable @I"), "{aliased}");
    let taken = judged(
        "define ptr @t() {\n  ret ptr @I\n}",
        &format!("{store}{load}"),
        &format!("{store}  ret i32 1"),
    );
    assert!(taken.starts_with("refuted"), "{taken}");
    let unread = judged("", "  store i32 1, ptr @I\n  ret i32 0", "  ret i32 0");
    assert!(unread.contains("internal variable @I"), "{unread}");
}
