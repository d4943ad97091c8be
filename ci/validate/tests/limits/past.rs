//! Behavior past the bound is not accepted merely because it was not seen: if the source is known to have such a run
//! and the target may deviate, the verdict says so.

use backedge_ir::parse::parse_module;
use backedge_validate::check::{Options, Side, check};

/// Runs do not pass this guard; the solver does.
const GUARD: &str = "  %key = xor i64 %k, 81985529216486895\n  %in = icmp eq i64 %key, 1311768467463790320\n  \
                     br i1 %in, label %body, label %out\nout:\n  ret i32 0\nbody:\n";

/// The verdict on two functions with `attributes` that have these bodies in a branch that runs do not take.
fn verdict(attributes: &str, source: &str, target: &str) -> String {
    let text = format!(
        "declare void @u()\ndeclare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n\
         define i32 @src(ptr %p, i64 %k) {attributes} {{\n{GUARD}{source}}}\n\
         define i32 @tgt(ptr %p, i64 %k) {attributes} {{\n{GUARD}{target}}}\n\
         !0 = distinct !{{!0, !1}}\n!1 = !{{!\"llvm.loop.mustprogress\"}}\n"
    );
    let module = parse_module(text.as_bytes()).unwrap_or_else(|e| panic!("{}: {text}", e.kind)).module;
    let side = |name| Side { module: &module, func: module.env.func_named(name).expect("it") };
    let options = Options { max_bound: 32, ..Options::default() };
    check(side("src"), side("tgt"), &options).verdict.to_string()
}

/// A loop of 100,000,000 iterations that does `each` in every one, followed by `then`.
fn counted(each: &str, then: &str) -> String {
    format!(
        "  br label %l\nl:\n  %i = phi i32 [ 0, %body ], [ %j, %l ]\n{each}  %j = add i32 %i, 1\n  \
         %c = icmp eq i32 %j, 100000000\n  br i1 %c, label %e, label %l\ne:\n{then}"
    )
}

/// An infinite loop that does `each` in every iteration, with `metadata` on its branch.
fn endless(each: &str, metadata: &str) -> String {
    format!("  br label %l\nl:\n{each}  br label %l{metadata}\n")
}

const CALL: &str = "  call void @u()\n";
const VOLATILE: &str = "  store volatile i32 0, ptr %p\n";
const PROGRESS: &str = ", !llvm.loop !0";

#[test]
fn a_loop_that_is_longer_than_the_bound_is_not_an_endless_one() {
    let returns = "  ret i32 7\n";
    for source in [counted("", "  ret i32 1\n"), counted("  store i32 %i, ptr %p\n", "  ret i32 1\n")] {
        for attributes in ["", "mustprogress"] {
            let said = verdict(attributes, &source, returns);
            assert!(said.starts_with("inconclusive"), "{said}: {source}");
        }
    }
    // The infinite loop follows the long one.
    let said = verdict("", &counted("", "  br label %m\nm:\n  br label %m, !llvm.loop !0\n"), returns);
    assert!(said.starts_with("inconclusive"), "{said}");
    // The progress obligation of one loop does not apply to another one.
    let other = format!("  br i1 %in, label %x, label %y\ny:\n  br label %y{PROGRESS}\nx:\n");
    let said = verdict("", &(other + &counted("", "  ret i32 1\n").replace("%body", "%x")), returns);
    assert!(said.starts_with("inconclusive"), "{said}");
    // An infinite loop that must make progress is UB.
    for (attributes, metadata) in [("mustprogress", ""), ("", PROGRESS)] {
        let said = verdict(attributes, &endless("", metadata), returns);
        assert!(said.starts_with("refines"), "{said}");
    }
}

#[test]
fn a_target_that_stops_doing_what_the_source_goes_on_with_is_not_alike() {
    for attributes in ["", "mustprogress"] {
        for each in [CALL, VOLATILE] {
            let source = endless(each, "");
            for target in [
                each.to_owned() + &endless("", ""),
                format!("{each}{each}") + &endless("", ""),
                format!("{each}  unreachable\n"),
            ] {
                let said = verdict(attributes, &source, &target);
                assert!(!said.starts_with("refines"), "{said}: {attributes} {target}");
            }
        }
        // Unrolled.
        let said = verdict(attributes, &endless(CALL, ""), &endless(&CALL.repeat(2), ""));
        assert!(said.starts_with("refines"), "{said}");
    }
}

#[test]
fn the_bound_that_is_stated_holds_for_lengths_too() {
    let copy = |length: &str| {
        format!(
            "  %q = getelementptr i8, ptr %p, i64 64\n  %long = icmp ugt i64 %n, 17\n  \
             %m = select i1 %long, i64 17, i64 %n\n  \
             call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 {length}, i1 false)\n  ret i32 0\n"
        )
    };
    let length = "  %n = load i64, ptr %p\n";
    let said = verdict("", &(length.to_owned() + &copy("%n")), &(length.to_owned() + &copy("%m")));
    let bound =
        said.strip_prefix("refines up to ").and_then(|rest| rest.split(' ').next()?.parse::<u32>().ok());
    assert!(said.starts_with("inconclusive") || bound.is_some_and(|bound| bound < 18), "{said}");
}
