//! Entries missing in the registry of meanings, or modelled by no engine: the verdict names them. Entries that may be
//! dropped, that both sides have, or that have no meaning do not affect the verdict.

use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_validate::check::{Options, Side, check};
use backedge_validate::verdict::Verdict;

const PLAIN: &str = "define i32 @f(i32 %x) {\n  ret i32 %x\n}\n";
const KEYED: &str = "define i32 @f(i32 %x) \"of-nobody\"=\"1\" {\n  ret i32 %x\n}\n";
const OTHER_VALUE: &str = "define i32 @f(i32 %x) \"of-nobody\"=\"2\" {\n  ret i32 %x\n}\n";
const ADVISED: &str = "define i32 @f(i32 %x) \"target-cpu\"=\"generic\" {\n  ret i32 %x\n}\n";
const COLLECTED: &str = "define i32 @f(i32 %x) gc \"shadow-stack\" {\n  ret i32 %x\n}\n";
const MARKED: &str = "define i32 @f(i32 %x) !of.nobody !0 {\n  ret i32 %x\n}\n!0 = !{}\n";

const LOAD: &str = "define i32 @f(ptr %p) {\n  %r = load i32, ptr %p\n  ret i32 %r\n}\n";
const MARKED_LOAD: &str =
    "define i32 @f(ptr %p) {\n  %r = load i32, ptr %p, !of.nobody !0\n  ret i32 %r\n}\n!0 = !{}\n";
const WRONG_LOAD: &str =
    "define i32 @f(ptr %p) {\n  %r = load i32, ptr %p\n  %s = add i32 %r, 1\n  ret i32 %s\n}\n";

const FILL: &str = "define void @f(ptr %p) {
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 4, i1 false)
  ret void
}
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
";
const DEOPT: &str = "define i32 @f(i32 %x) {
  call void @g() [\"deopt\"(i32 %x)]
  ret i32 %x
}
declare void @g()
";
const STORAGE: &str = "define i8 @f(ptr %p, ptr %q) {
  call void @llvm.assume(i1 true) [\"separate_storage\"(ptr %p, ptr %q)]
  ret i8 0
}
declare void @llvm.assume(i1)
";

fn module(text: &str) -> Module {
    parse_module(text.as_bytes()).unwrap_or_else(|e| panic!("{}: {text}", e.kind)).module
}

fn verdict(source: &str, target: &str) -> Verdict {
    let modules = [source, target].map(module);
    let [s, t] = modules.each_ref().map(|m| Side { module: m, func: m.env.func_named("f").expect("@f") });
    check(s, t, &Options::default()).verdict
}

#[test]
fn what_no_engine_models_is_named() {
    let read_only = FILL.replace("ptr %p, i8", "ptr readonly %p, i8");
    let plain_assume = STORAGE.replace(" [\"separate_storage\"(ptr %p, ptr %q)]", "");
    for (source, target, name) in [
        (PLAIN, KEYED, "\"of-nobody\""),
        (KEYED, OTHER_VALUE, "\"of-nobody\""),
        (PLAIN, MARKED, "`!of.nobody`"),
        (PLAIN, COLLECTED, "`gc`"),
        (LOAD, MARKED_LOAD, "`!of.nobody`"),
        (MARKED_LOAD, WRONG_LOAD, "`!of.nobody`"),
        (FILL, &read_only, "readonly on argument 0"),
        (DEOPT, &DEOPT.replace("\"(i32 %x)", "\"(i32 0)"), "`deopt`"),
        (&plain_assume, STORAGE, "`separate_storage`"),
    ] {
        let Verdict::Inconclusive { reason } = verdict(source, target) else {
            panic!("{source}{target}: {:?}", verdict(source, target))
        };
        assert!(reason.to_string().contains(name), "{reason}");
    }
}

#[test]
fn an_object_may_lie_at_null_of_another_address_space() {
    let at_null = |space: u32| {
        let pointer = format!("ptr addrspace({space})");
        let head = format!("define {pointer} @f(i64 noundef %i)");
        let gep = format!("%q = getelementptr inbounds i8, {pointer} null, i64 %i");
        let source = format!("{head} {{\n{gep}\nret {pointer} %q\n}}\n");
        verdict(&source, &format!("{head} {{\nret {pointer} null\n}}\n"))
    };
    assert!(matches!(at_null(0), Verdict::RefinesAll { .. }));
    let Verdict::Inconclusive { reason } = at_null(1) else { panic!("{:?}", at_null(1)) };
    assert!(reason.to_string().contains("another address space than 0"), "{reason}");
}

#[test]
fn what_may_be_added_or_dropped_leaves_the_verdict_alone() {
    let write_only = FILL.replace("ptr %p, i8", "ptr writeonly %p, i8");
    for (source, target) in [
        (PLAIN, ADVISED),
        (ADVISED, PLAIN),
        (KEYED, KEYED),
        (KEYED, PLAIN),
        (MARKED_LOAD, MARKED_LOAD),
        (MARKED_LOAD, LOAD),
        (MARKED, PLAIN),
        (FILL, &write_only),
    ] {
        let verdict = verdict(source, target);
        assert!(matches!(verdict, Verdict::RefinesAll { .. }), "{source}{target}: {verdict:?}");
    }
    assert!(matches!(verdict(LOAD, WRONG_LOAD), Verdict::Refuted(_)));
}
