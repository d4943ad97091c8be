//! Tests of `licm`: what moves, and each reason why an instruction does not. A case is one function; the tests check
//! the instructions of a block afterwards, and the names of the remarks.

use crate::common::{not_closed, not_simplified, run_loop_pass, run_pass};
use backedge_ir::parse::read_module;
use backedge_ir::print::function_to_string;
use backedge_ir::verify::verify_body;
use backedge_transform::lcssa::Lcssa;
use backedge_transform::licm::Licm;
use backedge_transform::simplify::LoopSimplify;

/// A function after the pass.
struct After {
    text: String,
    remarks: Vec<&'static str>,
}

impl After {
    /// The instructions of a block, without indentation and comments.
    fn block(&self, label: &str) -> Vec<&str> {
        let mut lines = self.text.lines().skip_while(|l| !l.starts_with(&format!("{label}:")));
        assert!(lines.next().is_some(), "no block {label} in\n{}", self.text);
        lines.take_while(|l| l.starts_with("  ")).map(str::trim).collect()
    }
    /// Whether `line` is an instruction of the block.
    fn has(&self, label: &str, line: &str) -> bool {
        self.block(label).contains(&line)
    }
    fn expect(&self, label: &str, line: &str) -> &Self {
        assert!(self.has(label, line), "not in {label}: {line}\n{}\n{:?}", self.text, self.remarks);
        self
    }
    fn expect_remarks(&self, remarks: &[&str]) -> &Self {
        assert_eq!(self.remarks, remarks, "{}", self.text);
        self
    }
}

fn licm_with(pass: Licm, source: &str) -> After {
    let mut module = match read_module(source.as_bytes()) {
        Ok(parsed) => parsed.module,
        Err(diagnostics) => panic!("{diagnostics:?}\n{source}"),
    };
    let func = module.bodies().map(|(f, _)| f).next().expect("a function");
    let (env, body) = module.body_mut(func).expect("a body");
    run_pass(env, func, body, &LoopSimplify);
    run_pass(env, func, body, &Lcssa);
    let remarks = run_loop_pass(env, func, body, &pass);
    let findings: Vec<String> = verify_body(env, func, body).iter().map(|f| format!("{f:?}")).collect();
    assert_eq!(findings, Vec::<String>::new());
    assert_eq!((not_simplified(body), not_closed(body)), (vec![], vec![]));
    let remarks = remarks.iter().map(|r| r.outcome.name()).collect();
    After { text: function_to_string(&module, func), remarks }
}

fn licm(source: &str) -> After {
    licm_with(Licm::default(), source)
}

/// A loop that exits at its latch after `%n` iterations, with `body` in it and `declarations` after the function.
fn rotated(params: &str, body: &str, declarations: &str) -> String {
    format!(
        "define void @f(i32 %n{params}) {{\nentry:\n  br label %loop\nloop:\n  \
         %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]\n{body}\n  %i.next = add i32 %i, 1\n  \
         %c = icmp slt i32 %i.next, %n\n  br i1 %c, label %loop, label %exit\nexit:\n  ret void\n}}\n{declarations}"
    )
}

/// A loop that exits at its header, with `body` in its second block.
fn unrotated(params: &str, entry: &str, body: &str, declarations: &str) -> String {
    format!(
        "define void @f(i32 %n{params}) {{\nentry:\n{entry}  br label %head\nhead:\n  \
         %i = phi i32 [ 0, %entry ], [ %i.next, %body ]\n  %c = icmp slt i32 %i, %n\n  \
         br i1 %c, label %body, label %exit\nbody:\n{body}\n  %i.next = add i32 %i, 1\n  br label %head\n\
         exit:\n  ret void\n}}\n{declarations}"
    )
}

const USE: &str = "declare void @use(i32) memory(none) nounwind willreturn\n";

#[test]
fn a_chain_of_arithmetic_is_hoisted_in_order() {
    let body =
        "  %a = add nsw i32 %x, 1\n  %b = mul i32 %a, %n\n  %v = add i32 %b, %i\n  call void @use(i32 %v)";
    let after = licm(&rotated(", i32 %x", body, USE));
    assert_eq!(after.block("entry"), ["%a = add nsw i32 %x, 1", "%b = mul i32 %a, %n", "br label %loop"]);
    after.expect("loop", "%v = add i32 %b, %i").expect_remarks(&["Hoisted", "Hoisted"]);
}

#[test]
fn what_is_executed_where_it_was_not_loses_its_promises() {
    let body = "  %a = add nsw i32 %x, 1\n  %p1 = getelementptr inbounds i8, ptr %p, i32 %x\n  \
                %z = zext nneg i32 %x to i64\n  %k = call i32 @g(i32 noundef %x)\n  call void @use(i32 %a)\n  \
                store volatile i64 %z, ptr %p1\n  call void @use(i32 %k)";
    let declarations = format!("{USE}declare i32 @g(i32) memory(none) nounwind willreturn speculatable\n");
    let after = licm(&unrotated(", i32 %x, ptr %p", "", body, &declarations));
    after
        .expect("entry", "%a = add i32 %x, 1")
        .expect("entry", "%p1 = getelementptr i8, ptr %p, i32 %x")
        .expect("entry", "%z = zext i32 %x to i64")
        .expect("entry", "%k = call i32 @g(i32 %x)");
    let after = licm_with(
        Licm { allow_speculation: false, ..Licm::default() },
        &unrotated(", i32 %x, ptr %p", "", body, &declarations),
    );
    after.expect("body", "%a = add nsw i32 %x, 1");
}

#[test]
fn a_load_is_hoisted_from_the_body_of_a_rotated_loop() {
    let body = "  %v = load i32, ptr %p, !range !0\n  call void @use(i32 %v)";
    let after = licm(&rotated(", ptr %p", body, &format!("{USE}!0 = !{{i32 0, i32 7}}\n")));
    after.expect("entry", "%v = load i32, ptr %p, !range !0").expect_remarks(&["Hoisted"]);
}

#[test]
fn a_load_stays_where_no_guard_keeps_it_from_being_executed() {
    let body = "  %v = load i32, ptr %p\n  call void @use(i32 %v)";
    let after = licm(&unrotated(", ptr %p", "", body, USE));
    after
        .expect("body", "%v = load i32, ptr %p")
        .expect_remarks(&["LoadWithLoopInvariantAddressCondExecuted"]);
}

#[test]
fn a_load_of_memory_that_is_there_is_speculated() {
    let body = "  %v = load i32, ptr %p, align 4, !noundef !0\n  call void @use(i32 %v)";
    let declarations = format!("{USE}declare void @g()\n!0 = !{{}}\n");
    let params = ", ptr dereferenceable(4) align 4 %p";
    let after = licm(&unrotated(params, "", body, &declarations));
    after.expect("entry", "%v = load i32, ptr %p, align 4").expect_remarks(&["Hoisted"]);
    let after = licm(&unrotated(", ptr dereferenceable(3) align 4 %p", "", body, &declarations));
    after.expect_remarks(&["LoadWithLoopInvariantAddressCondExecuted"]);
    let after = licm(&unrotated(", ptr dereferenceable(4) align 2 %p", "", body, &declarations));
    after.expect_remarks(&["LoadWithLoopInvariantAddressCondExecuted"]);
    // The callee may free the memory.
    let after = licm(&unrotated(params, "  call void @g()\n", body, &declarations));
    after.expect_remarks(&["LoadWithLoopInvariantAddressCondExecuted"]);
}

#[test]
fn a_load_is_not_speculated_through_an_undefined_step() {
    let body = "  %q = getelementptr i8, ptr %p, i64 %k\n  %v = load i8, ptr %q\n  \
                %w = zext i8 %v to i32\n  call void @use(i32 %w)";
    let entry = "  %k = and i64 %x, 7\n";
    let after = licm(&unrotated(", ptr dereferenceable(8) %p, i64 %x", entry, body, USE));
    after.expect("body", "%v = load i8, ptr %q");
    let after = licm(&unrotated(", ptr dereferenceable(8) %p, i64 noundef %x", entry, body, USE));
    after.expect("entry", "%v = load i8, ptr %q");
}

#[test]
fn a_load_stays_where_the_loop_writes_or_the_load_orders() {
    let body = |store: &str, load: &str| format!("  {store}\n  %v = {load}\n  call void @use(i32 %v)");
    let case = |store, load| licm(&rotated(", ptr %p, ptr %q, ptr noalias %r", &body(store, load), USE));
    case("store i32 %i, ptr %q", "load i32, ptr %p")
        .expect_remarks(&["LoadWithLoopInvariantAddressInvalidated", "LocationTouched"]);
    case("store i32 %i, ptr %r", "load i32, ptr %p").expect("entry", "%v = load i32, ptr %p");
    case("", "load volatile i32, ptr %p").expect_remarks(&["OrderedLoad"]);
    case("", "load atomic i32, ptr %p acquire, align 4").expect_remarks(&["OrderedLoad"]);
    case("", "load atomic i32, ptr %p unordered, align 4").expect_remarks(&["Hoisted"]);
    case("fence acquire", "load i32, ptr %p").expect_remarks(&["LoadWithLoopInvariantAddressInvalidated"]);
    // A volatile access affects only its own memory, but is observable: possible UB must not move before it.
    case("store volatile i32 %i, ptr %r", "load i32, ptr %p")
        .expect_remarks(&["LoadWithLoopInvariantAddressCondExecuted"]);
}

#[test]
fn possible_ub_stays_after_observable_effects() {
    let declarations = format!(
        "{USE}declare void @stops() memory(none)\ndeclare void @writes() memory(inaccessiblemem: write) nounwind willreturn\n\
         declare void @reads() memory(read) nounwind willreturn\n"
    );
    let case = |before: &str, inst: &str| {
        let body = format!("  {before}\n  %v = {inst}\n  call void @use(i32 %v)");
        licm(&rotated(", ptr %p, i32 %d", &body, &declarations))
    };
    for observable in ["call void @stops()", "call void @writes()", "store volatile i32 0, ptr null"] {
        case(observable, "load i32, ptr %p").expect_remarks(&["LoadWithLoopInvariantAddressCondExecuted"]);
        case(observable, "udiv i32 7, %d").expect_remarks(&["ConditionalDivision"]);
        case(observable, "udiv i32 %d, 7").expect("entry", "%v = udiv i32 %d, 7");
    }
    case("call void @reads()", "load i32, ptr %p").expect_remarks(&["Hoisted"]);
    case("call void @reads()", "udiv i32 7, %d").expect_remarks(&["Hoisted"]);
}

#[test]
fn divisions_are_speculated_by_what_is_not_zero() {
    let case = |params: &str, entry: &str, inst: &str| {
        let body = format!("  %v = {inst}\n  call void @use(i32 %v)");
        licm(&unrotated(params, entry, &body, USE))
    };
    case(", i32 %x", "", "udiv i32 %x, 3").expect_remarks(&["Hoisted"]);
    case(", i32 %x", "", "sdiv i32 %x, 3").expect_remarks(&["Hoisted"]);
    case(", i32 %x", "", "sdiv i32 %x, -1").expect_remarks(&["ConditionalDivision"]);
    case(", i32 noundef %x", "  %d = or i32 %x, 1\n", "udiv i32 %x, %d").expect_remarks(&["Hoisted"]);
    case(", i32 %x", "  %d = or i32 %x, 1\n", "udiv i32 %x, %d").expect_remarks(&["ConditionalDivision"]);
    case(", i32 noundef %x", "  %d = or i32 %x, 1\n", "sdiv i32 %x, %d")
        .expect_remarks(&["ConditionalDivision"]);
}

#[test]
fn calls() {
    let case = |attributes: &str, args: &str| {
        let body = format!(
            "  %v = call i32 @g({args})\n  call void @use(i32 %v)\n  %e = getelementptr i32, ptr %q, i32 %i\n  store i32 %i, ptr %e"
        );
        let declarations = format!("{USE}declare i32 @g(ptr) {attributes}\n");
        licm(&rotated(", ptr %p, ptr noalias %q", &body, &declarations)).remarks
    };
    assert_eq!(case("memory(none) nounwind willreturn", "ptr %p"), ["Hoisted"]);
    assert_eq!(case("memory(argmem: read) nounwind willreturn", "ptr %p"), ["Hoisted"]);
    assert_eq!(case("memory(argmem: read) nounwind willreturn", "ptr %q"), ["ReadByCallWritten"]);
    assert_eq!(case("memory(read) nounwind willreturn", "ptr %p"), ["ReadByCallWritten"]);
    assert_eq!(case("memory(none) nounwind", "ptr %p"), ["CallMayNotReturn"]);
    assert_eq!(case("memory(none) nounwind willreturn convergent", "ptr %p"), ["ConvergentCall"]);
    let body = "  %v = call i32 @g(i32 %n)\n  call void @use(i32 %v)";
    let declarations = format!("{USE}declare i32 @g(i32) memory(none) nounwind willreturn\n");
    licm(&unrotated("", "", body, &declarations)).expect_remarks(&["ConditionalCall"]);
}

#[test]
fn what_a_coroutine_asks_of_its_thread_stays_between_suspensions() {
    let case = |attribute: &str, (ty, call): (&str, &str)| {
        let text = format!(
            "@g = global ptr null\ndefine void @f(i32 %n, float %x) {attribute} {{\nentry:\n  br label %loop\nloop:\n  \
             %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]\n  %v = call {ty} {call}\n  store volatile {ty} %v, ptr @g\n  call void @suspend()\n  \
             %i.next = add i32 %i, 1\n  %c = icmp slt i32 %i.next, %n\n  br i1 %c, label %loop, label %exit\n\
             exit:\n  ret void\n}}\ndeclare void @suspend()\n@t = thread_local global i32 0\n\
             declare ptr @llvm.threadlocal.address.p0(ptr)\ndeclare float @llvm.fabs.f32(float)\n\
             declare i32 @self() memory(none) nounwind willreturn\n"
        );
        licm(&text).remarks
    };
    for call in [("ptr", "@llvm.threadlocal.address.p0(ptr @t)"), ("i32", "@self()")] {
        assert_eq!(case("presplitcoroutine", call), ["CallInCoroutine"]);
        assert_eq!(case("", call), ["Hoisted"]);
    }
    assert_eq!(case("presplitcoroutine", ("float", "@llvm.fabs.f32(float %x)")), ["Hoisted"]);
}

#[test]
fn loads_are_not_added_where_a_sanitizer_would_see_them() {
    let case = |attribute: &str| {
        let body = "  %d = icmp eq i32 %i, 7\n  br i1 %d, label %then, label %latch\nthen:\n  \
                    %v = load i32, ptr %p\n  call void @use(i32 %v)\n  br label %latch\nlatch:";
        let text = rotated(", ptr dereferenceable(4) align 4 %p", body, USE);
        let text = text.replace("%i.next, %loop", "%i.next, %latch");
        let text = text.replace("memory(none)", "memory(inaccessiblemem: write)");
        let text = text.replacen(") {", &format!(") {attribute} {{"), 1);
        assert!(attribute.is_empty() || text.contains(attribute));
        licm(&text).remarks
    };
    assert_eq!(case(""), ["Hoisted"]);
    for attribute in ["sanitize_address", "sanitize_hwaddress", "sanitize_memtag", "sanitize_thread"] {
        assert_eq!(case(attribute), ["LoadWithLoopInvariantAddressCondExecuted"], "{attribute}");
    }
}

#[test]
fn the_first_iteration_is_known_where_its_branches_are() {
    let source = |condition: &str| {
        format!(
            "define void @f(ptr %p, i32 %n) {{\nentry:\n  br label %head\nhead:\n  \
             %i = phi i32 [ 0, %entry ], [ %i.next, %body ]\n  %c = icmp {condition}\n  \
             br i1 %c, label %body, label %exit\nbody:\n  %v = load i32, ptr %p\n  call void @use(i32 %v)\n  \
             %i.next = add i32 %i, 1\n  br label %head\nexit:\n  ret void\n}}\n{USE}"
        )
    };
    licm(&source("slt i32 %i, 9")).expect("entry", "%v = load i32, ptr %p");
    licm(&source("ule i32 %i, %n")).expect("entry", "%v = load i32, ptr %p");
    licm(&source("ult i32 %i, %n")).expect_remarks(&["LoadWithLoopInvariantAddressCondExecuted"]);
    licm(&source("sgt i32 %i, 9")).expect_remarks(&["LoadWithLoopInvariantAddressCondExecuted"]);
}

#[test]
fn a_store_of_the_same_is_hoisted() {
    licm(&rotated(", ptr %p", "  store i32 %n, ptr %p", USE)).expect("entry", "store i32 %n, ptr %p");
    // Not if the store may not be executed, or its memory is read.
    let after = licm(&unrotated(", ptr %p", "", "  store i32 %n, ptr %p", USE));
    after.expect("body", "store i32 %n, ptr %p").expect_remarks(&["ConditionalStore"]);
}

#[test]
fn values_used_after_the_loop_are_sunk_to_each_exit() {
    let after = licm(
        "define i32 @f(i32 %n, i32 %x) {\nentry:\n  br label %loop\nloop:\n  \
         %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]\n  %m = mul i32 %i, %x\n  %k = xor i32 %m, 5\n  \
         %a = icmp eq i32 %i, %x\n  br i1 %a, label %found, label %latch\nlatch:\n  %i.next = add i32 %i, 1\n  \
         %c = icmp slt i32 %i.next, %n\n  br i1 %c, label %loop, label %exit\nfound:\n  %r = add i32 %k, 1\n  \
         ret i32 %r\nexit:\n  ret i32 %k\n}\n",
    );
    for exit in ["found", "exit"] {
        let block = after.block(exit);
        assert!(block[0].starts_with("%i.lcssa") && block[0].contains("phi i32 [ %i,"), "{block:?}");
        assert!(block[1].starts_with("%m.le") && block[2].starts_with("%k.le"), "{block:?}");
    }
    assert!(!after.text.contains("mul i32 %i,"), "{}", after.text);
    after.expect_remarks(&["InstSunk", "InstSunk"]);
}

#[test]
fn an_exit_that_takes_several_values_is_split_by_edges() {
    let after = licm(
        "define i32 @f(i32 %n, i32 %x) {\nentry:\n  br label %loop\nloop:\n  \
         %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]\n  %m = mul i32 %i, %x\n  \
         %a = icmp eq i32 %i, %x\n  br i1 %a, label %exit, label %latch\nlatch:\n  %i.next = add i32 %i, 1\n  \
         %c = icmp slt i32 %i.next, %n\n  br i1 %c, label %loop, label %exit\nexit:\n  \
         %r = phi i32 [ %m, %loop ], [ 7, %latch ]\n  ret i32 %r\n}\n",
    );
    after
        .expect("exit.loopexit", "%m.le = mul i32 %i.lcssa, %x")
        .expect("exit", "%r = phi i32 [ %m.le, %exit.loopexit ], [ %r.ph1, %exit.loopexit1 ]")
        .expect_remarks(&["InstSunk"]);
}

#[test]
fn a_load_is_sunk_unless_its_memory_is_written_after_it() {
    let source = |before: &str, following: &str| {
        format!(
            "define i32 @f(i32 %n, ptr %p, ptr %q) {{\nentry:\n  br label %loop\nloop:\n  \
             %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]\n  {before}\n  %g = getelementptr i32, ptr %p, i32 %i\n  \
             %v = load i32, ptr %g\n  {following}\n  %i.next = add i32 %i, 1\n  %c = icmp slt i32 %i.next, %n\n  \
             br i1 %c, label %loop, label %exit\nexit:\n  ret i32 %v\n}}\n"
        )
    };
    let store = "store i32 %i, ptr %q";
    licm(&source("", "")).expect("exit", "%v.le = load i32, ptr %g.le");
    licm(&source(store, "")).expect("exit", "%v.le = load i32, ptr %g.le");
    licm(&source("", store)).expect("loop", "%v = load i32, ptr %g");
}

#[test]
fn what_is_used_nowhere_is_removed() {
    let after = licm(&rotated(", ptr %p", "  %v = load i32, ptr %p\n  %w = add i32 %v, %i", ""));
    assert!(!after.text.contains("load"), "{}", after.text);
    after.expect_remarks(&["InstSunk", "InstSunk"]);
}

#[test]
fn a_sum_in_memory_becomes_a_value() {
    let body = "  %v = load i32, ptr %p, align 8\n  %w = add i32 %v, %i\n  store i32 %w, ptr %p, align 4";
    let after = licm(&rotated(", ptr %p", body, ""));
    after
        .expect("entry", "%p.promoted = load i32, ptr %p, align 8")
        .expect("loop", "%p.promoted1 = phi i32 [ %p.promoted, %entry ], [ %w, %loop ]")
        .expect("loop", "%w = add i32 %p.promoted1, %i")
        .expect("exit", "store i32 %p.promoted2, ptr %p, align 8")
        .expect_remarks(&["PromoteLoopAccessesToScalar"]);
    assert!(!after.text.contains("%v"), "{}", after.text);
}

#[test]
fn the_store_of_a_loop_without_loads_needs_none() {
    let after = licm(&rotated(", ptr %p", "  store i32 %i, ptr %p", ""));
    assert_eq!(after.block("entry"), ["br label %loop"]);
    let exit = after.block("exit");
    assert!(exit[0].contains("phi i32 [ %i, %loop ]") && exit[1].starts_with("store i32"), "{exit:?}");
}

/// A loop with a conditional store.
fn conditional(params: &str, entry: &str, before: &str, following: &str) -> String {
    format!(
        "define i32 @f(i32 %n{params}) {{\nentry:\n{entry}  br label %loop\nloop:\n  \
         %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]\n{before}  %a = icmp eq i32 %i, 3\n  \
         br i1 %a, label %then, label %latch\nthen:\n  store i32 %i, ptr %p\n  br label %latch\nlatch:\n{following}  \
         %i.next = add i32 %i, 1\n  %c = icmp slt i32 %i.next, %n\n  br i1 %c, label %loop, label %exit\nexit:\n  \
         ret i32 0\n}}\ndeclare void @stops() memory(none)\ndeclare void @take(ptr)\n{USE}"
    )
}

#[test]
fn no_store_is_introduced_that_others_may_see() {
    let load = "  %v = load i32, ptr %p\n  call void @use(i32 %v)\n";
    // Loads become values, the store stays.
    let after = licm(&conditional(", ptr %p", "", load, ""));
    after.expect("then", "store i32 %i, ptr %p").expect_remarks(&["PromoteLoopAccessesToScalar"]);
    assert!(after.has("entry", "%p.promoted = load i32, ptr %p, align 4"), "{}", after.text);
    assert_eq!(after.block("exit"), ["ret i32 0"]);
    // Without loads there is no gain.
    licm(&conditional(", ptr %p", "", "", "")).expect_remarks(&["ConditionalStore"]);
    // Memory that may not be dereferenceable is not loaded either.
    licm(&conditional(", ptr %p", "", "", load)).expect_remarks(&["PromoteLoopAccessesToScalar"]);
    // The function's own memory may be stored to speculatively.
    let alloca = "  %p = alloca i32\n  store i32 0, ptr %p\n";
    let after = licm(&conditional("", alloca, "", load));
    assert!(after.block("exit").iter().any(|l| l.starts_with("store i32")), "{}", after.text);
    // Not if its address escapes, nor if its lifetime has ended.
    let taken = format!("{alloca}  call void @take(ptr %p)\n");
    let after = licm(&conditional("", &taken, "", load));
    after.expect("then", "store i32 %i, ptr %p");
    let dead = "  %p = alloca i32\n  call void @llvm.lifetime.start.p0(ptr %p)\n  store i32 0, ptr %p\n  \
                call void @llvm.lifetime.end.p0(ptr %p)\n";
    licm(&conditional("", dead, "", load)).expect("then", "store i32 %i, ptr %p");
    let alive = "  %p = alloca i32\n  call void @llvm.lifetime.start.p0(ptr %p)\n  store i32 0, ptr %p\n";
    let after = licm(&conditional("", alive, "", load));
    assert!(after.block("exit").iter().any(|l| l.starts_with("store i32")), "{}", after.text);
}

#[test]
fn stores_stay_where_a_call_may_end_the_loop() {
    let body = "  store i32 %i, ptr %p\n  call void @stops()";
    let declarations = "declare void @stops() memory(none)\n";
    licm(&rotated(", ptr %p", body, declarations)).expect_remarks(&["MayNotReachExit"]);
    licm(&rotated(", ptr %p", body, "declare void @stops() memory(none) nounwind willreturn\n"))
        .expect_remarks(&["PromoteLoopAccessesToScalar"]);
}

#[test]
fn a_load_that_is_not_executed_is_not_put_in_front() {
    let source = "define void @f(i32 %n, ptr %p) {\nentry:\n  br label %loop\nloop:\n  \
                  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]\n  %a = icmp eq i32 %i, 3\n  \
                  br i1 %a, label %then, label %latch\nthen:\n  %v = load i32, ptr %p\n  %w = add i32 %v, %i\n  \
                  store i32 %w, ptr %p\n  br label %latch\nlatch:\n  %i.next = add i32 %i, 1\n  \
                  %c = icmp slt i32 %i.next, %n\n  br i1 %c, label %loop, label %exit\nexit:\n  ret void\n}\n";
    let after = licm(source);
    assert!(after.remarks.contains(&"ConditionalAccess"), "{:?}", after.remarks);
}

#[test]
fn one_location_with_two_types_or_two_addresses() {
    let body = "  store i32 %i, ptr %p\n  %v = load float, ptr %p\n  store float %v, ptr %r";
    let after = licm(&rotated(", ptr %p, ptr noalias %r", body, ""));
    assert!(
        after.remarks.contains(&"DifferentTypes") || after.remarks.contains(&"LocationTouched"),
        "{:?}",
        after.remarks
    );
    let body = "  store i32 %i, ptr %p\n  %v = load i32, ptr %r\n  call void @use(i32 %v)";
    let after = licm(&rotated(", ptr %p, ptr %r", body, USE));
    after.expect_remarks(&["LoadWithLoopInvariantAddressInvalidated", "LocationTouched"]);
    // Two pointers to the same address are one location.
    let body = "  store i32 %i, ptr %a\n  %v = load i32, ptr %b\n  call void @use(i32 %v)";
    let entry = "  %a = getelementptr i8, ptr %p, i64 4\n  %b = getelementptr i32, ptr %p, i64 1\n";
    let source = rotated(", ptr %p", body, USE).replace("entry:\n", &format!("entry:\n{entry}"));
    let after = licm(&source);
    assert!(after.remarks.contains(&"PromoteLoopAccessesToScalar"), "{:?}\n{}", after.remarks, after.text);
    assert!(!after.text.contains("load"), "{}", after.text);
}

#[test]
fn stores_in_a_nested_loop_leave_it_by_a_phi() {
    let after = licm_with(
        Licm::default(),
        "define void @f(i32 %n, ptr %p, ptr %q) {\nentry:\n  br label %outer\nouter:\n  \
         %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]\n  %first = load i32, ptr %q\n  br label %inner\ninner:\n  \
         %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]\n  %v = load i32, ptr %p\n  %w = add i32 %v, %j\n  \
         store i32 %w, ptr %p\n  %j.next = add i32 %j, 1\n  %d = icmp slt i32 %j.next, %n\n  \
         br i1 %d, label %inner, label %latch\nlatch:\n  %i.next = add i32 %i, 1\n  %c = icmp slt i32 %i.next, %n\n  \
         br i1 %c, label %outer, label %exit\nexit:\n  ret void\n}\n",
    );
    assert!(after.block("exit")[1].starts_with("store i32"), "{}", after.text);
    after.expect_remarks(&["PromoteLoopAccessesToScalar", "InstSunk", "PromoteLoopAccessesToScalar"]);
}

#[test]
fn limits() {
    let body = "  %v = load i32, ptr %p\n  %w = add i32 %v, %i\n  store i32 %w, ptr %p";
    let pass = Licm { mssa_max_acc_promotion: 1, ..Licm::default() };
    licm_with(pass, &rotated(", ptr %p", body, ""))
        .expect_remarks(&["LoadWithLoopInvariantAddressInvalidated", "TooManyAccesses"]);
    let body = "  %v = load i32, ptr %p\n  call void @use(i32 %v)\n  store i32 %i, ptr %r";
    let pass = Licm { mssa_optimization_cap: 0, mssa_max_acc_promotion: 0, ..Licm::default() };
    let after = licm_with(pass, &rotated(", ptr %p, ptr noalias %r", body, USE));
    after.expect_remarks(&["TooManyAccesses"]);
}

#[test]
fn a_loop_may_say_that_it_is_to_be_left_alone() {
    let source = rotated("", "  %a = add i32 %n, 1\n  call void @use(i32 %a)", USE)
        .replace("label %loop, label %exit", "label %loop, label %exit, !llvm.loop !0");
    let after = licm(&format!("{source}!0 = distinct !{{!0, !1}}\n!1 = !{{!\"llvm.licm.disable\"}}\n"));
    after.expect("loop", "%a = add i32 %n, 1").expect_remarks(&["Disabled"]);
}
