//! Trees do not depend on debug records.

use backedge_analysis::Analyses;
use backedge_hir::build::build;
use backedge_pipeline::{Nobody, Options, parse_pipeline, run};
use backedge_scev::ScalarEvolution;
use backedge_testkit::module;

/// Two loops with a value between them; the second loop has an early exit. `said` is inserted after both.
fn trees(said: &str) -> String {
    let text = format!(
        "define void @f(ptr %p, i64 %n, i1 %c) {{\nentry:\n  br label %a\na:\n  \
         %i = phi i64 [ 0, %entry ], [ %i.next, %a ]\n  %x = getelementptr inbounds i32, ptr %p, i64 %i\n  \
         store i32 1, ptr %x\n  %i.next = add nuw nsw i64 %i, 1\n  %i.more = icmp ult i64 %i.next, 9\n  \
         br i1 %i.more, label %a, label %between\nbetween:\n  %t = mul i64 %n, 3\n  br label %b\nb:\n  \
         %j = phi i64 [ 0, %between ], [ %j.next, %latch ]\n  br i1 %c, label %latch, label %early\nlatch:\n  \
         %y = getelementptr inbounds i32, ptr %p, i64 %j\n  store i32 2, ptr %y\n  \
         %j.next = add nuw nsw i64 %j, 1\n  %j.more = icmp ult i64 %j.next, %t\n  \
         br i1 %j.more, label %b, label %end\nearly:\n  ret void\nend:\n{said}  ret void\n}}\n\
         !0 = distinct !DISubprogram(name: \"f\", scope: !1, file: !1, line: 1, unit: !2, spFlags: DISPFlagDefinition)\n\
         !1 = !DIFile(filename: \"f.c\", directory: \"/\")\n\
         !2 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: FullDebug)\n\
         !3 = !DILocalVariable(name: \"t\", scope: !0, file: !1, line: 1)\n\
         !4 = !DILocation(line: 1, scope: !0)\n"
    );
    let mut module = module(&text);
    let form = parse_pipeline("loop-simplify,lcssa").expect("a pipeline");
    run(&mut module, &form, Options::default(), &mut Nobody).expect("the form");
    let (func, body) = module.bodies().next().expect("a function");
    let analyses = Analyses::of(func);
    let built = build(&mut ScalarEvolution::new(analyses.at(&module.env, body)));
    built.hir.text()
}

/// A value between two loops whose only use after them is a debug record does not require the region to have a single
/// exit.
#[test]
fn values_used_only_by_debug_records() {
    let without = trees("");
    assert_eq!(without.matches("BEGIN REGION").count(), 1, "{without}");
    assert_eq!(trees("    #dbg_value(i64 %t, !3, !DIExpression(), !4)\n"), without);
}
