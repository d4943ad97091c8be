//! Globals of one name in two modules: what the target's module says otherwise than the source's is refused by name, by
//! every engine.

use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_smt::promises::beyond;
use backedge_smt::refinement::FunctionRef;
use backedge_validate::check::{Options, Side, check};
use backedge_validate::verdict::Verdict;

const CODE: &str = "
define ptr @f(i8 %x) {
  ret ptr @c
}
";

fn side(module: &Module) -> Side<'_> {
    Side { module, func: module.env.func_named("f").expect("@f") }
}

/// Two modules in which `@f` is the same beside other definitions of `@c`.
fn modules(source: &str, target: &str) -> [Module; 2] {
    [source, target]
        .map(|global| parse_module(format!("{global}\n{CODE}").as_bytes()).expect("a module").module)
}

fn verdict([source, target]: &[Module; 2]) -> Verdict {
    check(side(source), side(target), &Options::default()).verdict
}

#[test]
fn globals_of_one_name_must_agree() {
    for (source, target, what) in [
        ("@c = global i64 0, align 8", "@c = global i64 0, align 1", "alignment"),
        ("@c = global i64 0, align 1", "@c = global i64 0, align 8", "alignment"),
        ("@c = external global i64, align 4", "@c = external global i64, align 8", "alignment"),
        ("@c = global [8 x i8] zeroinitializer", "@c = global [4 x i8] zeroinitializer", "type"),
        ("@c = global i8 1", "@c = thread_local global i8 1", "`thread_local`"),
        ("@c = global i8 1", "@c = constant i8 1", "`constant`"),
        ("@c = constant i8 1", "@c = global i8 1", "`constant`"),
        ("@c = constant i8 1", "@c = constant i8 2", "initializer"),
        ("@c = external constant i8", "@c = constant i8 2", "initializer"),
        ("@c = global i8 1", "@c = unnamed_addr global i8 1", "`unnamed_addr`"),
        ("@c = weak global i8 1", "@c = global i8 1", "linkage"),
        ("@c = global i8 1", "@c = internal global i8 1", "linkage"),
    ] {
        let modules = modules(source, target);
        let verdict = verdict(&modules);
        assert!(
            matches!(verdict, Verdict::Inconclusive { .. } | Verdict::Refuted(_)),
            "{target}: {verdict:?}"
        );
        let [s, t] = modules.each_ref().map(|m| FunctionRef { module: m, func: side(m).func });
        let said: Vec<String> = beyond(s, t).iter().map(ToString::to_string).collect();
        assert_eq!(said, [format!("{what} of the global @c, which the source has otherwise")], "{target}");
    }
}

#[test]
fn what_nothing_depends_on_may_differ() {
    for (source, target) in [
        ("@c = global i64 0, align 8", "@c = dso_local local_unnamed_addr global i64 0, align 8"),
        ("@c = unnamed_addr global i8 0", "@c = global i8 0"),
        ("@c = external global i64, align 8", "@c = external global i64, align 4"),
        (
            "%t = type { i8, i8 }\n@c = global %t { i8 1, i8 2 }",
            "%t = type { i8, i8 }\n@c = global %t { i8 1, i8 2 }",
        ),
    ] {
        let verdict = verdict(&modules(source, target));
        assert!(matches!(verdict, Verdict::RefinesAll { .. }), "{source} and {target}: {verdict:?}");
    }
}
