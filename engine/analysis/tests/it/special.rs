//! Results that executions of generated functions do not reach: scoped metadata, implied conditions, the cache's own
//! check, and bodies designed to be expensive.

use backedge_analysis::alias::{AliasResult, Aliasing, Iterations};
use backedge_analysis::cache::Analyses;
use backedge_analysis::conditions::{Conditions, edge_dominates};
use backedge_analysis::must_execute::{MustExecute, guaranteed_to_transfer_to};
use backedge_analysis::order::Order;
use backedge_analysis::passed::{Way, passed_branches, passed_on_edge};
use backedge_analysis::poison::{Defined, is_guaranteed_defined, program_undefined_if_poison};
use backedge_analysis::values::{Demanded, Facts, ValueFacts};
use backedge_ir::entity::Inst;
use backedge_ir::inst::InstKind;
use backedge_ir::int::Int;
use backedge_ir::module::Module;
use backedge_ir::opcode::IntPredicate;
use backedge_ir::parse::parse_module;
use std::fmt::Write;
use std::time::{Duration, Instant};

fn parse(text: &str) -> Module {
    parse_module(text.as_bytes()).unwrap_or_else(|e| panic!("{e}")).module
}

fn with_body(text: &str, judge: impl Fn(backedge_analysis::cache::At<'_>)) {
    let module = parse(text);
    let (func, body) = module.bodies().next().expect("a body");
    let analyses = Analyses::of(func);
    judge(analyses.at(&module.env, body));
    assert_eq!(analyses.verify(&module.env, body), Ok(()));
}

#[test]
fn scopes_keep_accesses_apart() {
    let text = "define void @f(ptr %p, ptr %q) {
  store i8 1, ptr %p, !alias.scope !2
  store i8 2, ptr %q, !noalias !2
  store i8 3, ptr %q, !noalias !5
  store i8 4, ptr %q, !noalias !6
  ret void
}
!0 = distinct !{!0}
!1 = distinct !{!1, !0}
!2 = !{!1}
!3 = distinct !{!3}
!4 = distinct !{!4, !3}
!5 = !{!4}
!6 = !{!1, !4}
";
    with_body(text, |at| {
        let stores: Vec<Inst> =
            at.body.all_insts().filter(|i| matches!(at.body.inst(*i).kind, InstKind::Store(_))).collect();
        let ask =
            |i: usize, j: usize| Aliasing::new(at).alias_accesses(stores[i], stores[j], Iterations::All);
        assert_eq!(ask(0, 1), AliasResult::NoAlias);
        assert_eq!(ask(1, 0), AliasResult::NoAlias);
        // Another domain implies nothing; an additional scope does no harm.
        assert_eq!(ask(0, 2), AliasResult::MayAlias);
        assert_eq!(ask(0, 3), AliasResult::NoAlias);
        assert_eq!(ask(1, 2), AliasResult::MustAlias);
    });
}

/// A scope that is declared in a loop is a new instance in each iteration.
#[test]
fn scopes_of_one_iteration() {
    let text = "define void @f(ptr %p, ptr %q, i1 %c) {
entry:
  br label %loop
loop:
  call void @llvm.experimental.noalias.scope.decl(metadata !2)
  store i8 1, ptr %p, !alias.scope !2
  store i8 2, ptr %q, !noalias !2
  store i8 3, ptr %p, !alias.scope !4
  store i8 4, ptr %q, !noalias !4
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
declare void @llvm.experimental.noalias.scope.decl(metadata)
!0 = distinct !{!0}
!1 = distinct !{!1, !0}
!2 = !{!1}
!3 = distinct !{!3, !0}
!4 = !{!3}
";
    with_body(text, |at| {
        let stores: Vec<Inst> =
            at.body.all_insts().filter(|i| matches!(at.body.inst(*i).kind, InstKind::Store(_))).collect();
        let l = at.loops().ids().next().expect("a loop");
        let ask = |i: usize, j: usize, iterations| {
            Aliasing::new(at).alias_accesses(stores[i], stores[j], iterations)
        };
        assert_eq!(ask(0, 1, Iterations::Same), AliasResult::NoAlias);
        assert_eq!(ask(0, 1, Iterations::All), AliasResult::MayAlias);
        assert_eq!(ask(1, 0, Iterations::Any(l)), AliasResult::MayAlias);
        // A scope without declaration is the same in the whole function.
        assert_eq!(ask(2, 3, Iterations::All), AliasResult::NoAlias);
    });
}

#[test]
fn conditions_are_decomposed() {
    let text = "define i8 @f(i8 %a, i8 %b, i1 %c) {
  %x = icmp ult i8 %a, 10
  %y = icmp slt i8 %a, %b
  %both = select i1 %x, i1 %y, i1 false
  %not = xor i1 %c, true
  %all = and i1 %both, %not
  br i1 %all, label %yes, label %no
yes:
  %z = add i8 %a, %b
  ret i8 %z
no:
  switch i8 %b, label %rest [ i8 3, label %three
                              i8 4, label %three
                              i8 5, label %five ]
five:
  %w = add i8 %b, 1
  ret i8 %w
three:
  ret i8 %b
rest:
  %v = sub i8 %b, 3
  ret i8 %v
}
";
    with_body(text, |at| {
        let value = |name: &str| at.body.value_named(name).expect("the value");
        let inst = |name: &str| value(name).as_inst().expect("an instruction");
        let facts = at.get::<ValueFacts>();
        let conditions = at.get::<Conditions>();
        let (a, b, c) = (value("a"), value("b"), value("c"));
        let yes = inst("z");
        assert_eq!(conditions.implied_at(at, yes, IntPredicate::Slt, a, b), Some(true));
        assert_eq!(conditions.implied_at(at, yes, IntPredicate::Sge, a, b), Some(false));
        assert_eq!(conditions.implied_at(at, yes, IntPredicate::Ult, a, b), None);
        assert_eq!(facts.at(at, c, yes).and_then(Facts::as_constant), Some(Int::bool(false)));
        assert_eq!(facts.at(at, a, yes).map(|f| f.range.to_string()).as_deref(), Some("[0,10)"));
        assert_eq!(facts.at(at, b, inst("w")).and_then(Facts::as_constant), Some(Int::new(8, 5)));
        let rest = facts.at(at, b, inst("v")).expect("an integer");
        assert!((3..6).all(|n| !rest.contains(Int::new(8, n))), "{rest}");
        assert_eq!(facts.icmp(at, IntPredicate::Sgt, b, a, yes), Some(true));
    });
}

#[test]
fn addresses_get_out() {
    let text = "define i8 @f(ptr %p) {
  %l = alloca i8
  %m = alloca i8
  %n = alloca i8
  store ptr %l, ptr %p
  %a = load ptr, ptr %p
  %b = call ptr @give(ptr %m)
  %c = load ptr, ptr %p
  store i8 1, ptr %a
  store i8 2, ptr %b
  store i8 3, ptr %c
  store i8 4, ptr %l
  store i8 5, ptr %m
  store i8 6, ptr %n
  ret i8 0
}
declare ptr @give(ptr)
";
    with_body(text, |at| {
        let find = |n: u128| {
            let stored = |i: &Inst| at.body.as_int(at.body.inst(*i).operands[0]) == Some(Int::new(8, n));
            let mut stores =
                at.body.all_insts().filter(|i| matches!(at.body.inst(*i).kind, InstKind::Store(_)));
            stores.find(stored).expect("the store")
        };
        let ask = |i, j| Aliasing::new(at).alias_accesses(find(i), find(j), Iterations::Same);
        assert_eq!([ask(1, 4), ask(2, 5), ask(3, 5)], [AliasResult::MayAlias; 3]);
        // Objects that had not escaped when the pointer was loaded, and objects that never escape.
        assert_eq!([ask(1, 5), ask(1, 6), ask(2, 6), ask(4, 5)], [AliasResult::NoAlias; 4]);
    });
}

#[test]
fn poison_of_an_arm_is_not_poison_of_the_choice() {
    let text = "define i32 @f(i32 %a, i1 %c) {
  %x = add nuw i32 %a, 1
  %s = select i1 %c, i32 %x, i32 1
  %q = udiv i32 8, %s
  %y = add nuw i32 %a, 2
  %z = mul i32 %y, 3
  %r = udiv i32 %q, %z
  ret i32 %r
}
";
    with_body(text, |at| {
        let inst = |name: &str| at.body.value_named(name).and_then(|v| v.as_inst()).expect("an instruction");
        assert!(!program_undefined_if_poison(at, inst("x").into()));
        assert!(program_undefined_if_poison(at, inst("s").into()));
        assert!(program_undefined_if_poison(at, inst("y").into()));
        assert!(!program_undefined_if_poison(at, inst("q").into()));
    });
}

#[test]
fn poison_takes_a_round_from_phi_to_phi() {
    let text = "define i4 @f(i4 %a) {
entry:
  br label %loop
loop:
  %first = phi i4 [ 0, %entry ], [ %x, %again ]
  %second = phi i4 [ 1, %entry ], [ %first, %again ]
  %c = icmp ugt i4 %second, 0
  br i1 %c, label %again, label %exit
again:
  %x = shl nsw i4 %a, 1
  br label %loop
exit:
  ret i4 0
}
";
    // In the next iteration `second` has the old value of `first`, and the loop may exit then.
    with_body(text, |at| {
        let x = at.body.value_named("x").expect("an instruction");
        assert!(!program_undefined_if_poison(at, x));
    });
    with_body(&text.replace("%first, %again", "%x, %again"), |at| {
        let x = at.body.value_named("x").expect("an instruction");
        assert!(program_undefined_if_poison(at, x));
    });
}

#[test]
fn branches_and_assumptions_are_listed() {
    let text = "define i8 @f(i8 %a, i1 %c, i1 %d) {
entry:
  %small = icmp ult i8 %a, 10
  call void @llvm.assume(i1 %small)
  br i1 %c, label %choose, label %exit
choose:
  switch i8 %a, label %head [ i8 3, label %exit
                              i8 4, label %exit
                              i8 5, label %five ]
head:
  br i1 %d, label %head, label %exit
five:
  ret i8 %a
exit:
  ret i8 1
}
declare void @llvm.assume(i1)
";
    with_body(text, |at| {
        let value = |name: &str| at.body.value_named(name).expect("the value");
        let block = |name: &str| at.body.block_named(name).expect("the block");
        let (head, exit, five) = (block("head"), block("exit"), block("five"));
        let ways = |b| passed_branches(at, b).map(|p| (p.condition, p.way)).collect::<Vec<_>>();
        let entered = [(value("a"), Way::Default), (value("c"), Way::Truth(true))];
        assert_eq!(ways(head), entered);
        assert_eq!(ways(five), [(value("a"), Way::Case(Int::new(8, 5))), entered[1]]);
        assert_eq!(ways(exit), []);
        let on = |to| passed_on_edge(at, head, to).map(|p| (p.condition, p.way)).collect::<Vec<_>>();
        assert_eq!(on(head), [(value("d"), Way::Truth(true)), entered[0], entered[1]]);
        assert_eq!(on(exit)[0], (value("d"), Way::Truth(false)));
        let conditions = at.get::<Conditions>();
        let assumptions: Vec<Inst> = conditions.assumptions_about(value("a")).collect();
        assert_eq!(assumptions, [at.body.insts(block("entry"))[1]]);
        assert_eq!(conditions.assumptions_about(value("c")).next(), None);
    });
}

#[test]
fn control_is_followed_over_only_ways() {
    let text = "define i8 @f(i8 %a, i1 %c, ptr %p) {
  %x = add nsw i8 %a, 1
  br i1 %c, label %one, label %end
one:
  %y = add i8 %a, 2
  br label %two
two:
  store i8 %y, ptr %p
  call void @any()
  br label %three
three:
  %z = add i8 %a, 3
  br label %end
end:
  %r = udiv i8 1, %a
  ret i8 %r
}
declare void @any()
";
    with_body(text, |at| {
        let inst = |name: &str| at.body.value_named(name).and_then(|v| v.as_inst()).expect("an instruction");
        let call = at.body.insts(at.body.block_named("two").expect("a block"))[1];
        let ask = |a, b| guaranteed_to_transfer_to(at, a, b);
        assert!(ask(inst("y"), call) && ask(inst("z"), inst("r")));
        assert!(!ask(inst("x"), inst("r")) && !ask(inst("y"), inst("z")) && !ask(call, inst("z")));
        assert!(!ask(inst("r"), inst("y")) && !ask(inst("y"), inst("y")));
        let a = at.body.value_named("a").expect("an argument");
        assert!(!program_undefined_if_poison(at, a), "control does not certainly come there");
    });
    let straight = "define i8 @f(i8 %a) {\n  %r = udiv i8 1, %a\n  ret i8 %r\n}\n";
    with_body(straight, |at| {
        let a = at.body.value_named("a").expect("an argument");
        assert!(program_undefined_if_poison(at, a));
        assert!(is_guaranteed_defined(at, a, None, Defined::NotPoison));
        assert!(!is_guaranteed_defined(at, a, None, Defined::NotUndef));
    });
}

/// Checks that the values of `text` named before `|` are known to be defined, and those after it are not.
fn are_defined(text: &str, names: &str) {
    with_body(text, |at| {
        for (names, wanted) in names.split('|').zip([true, false]) {
            for name in names.split_whitespace() {
                let value = at.body.value_named(name).expect("the value");
                assert_eq!(is_guaranteed_defined(at, value, None, Defined::NotUndef), wanted, "%{name}");
            }
        }
    });
}

#[test]
fn phis_of_phis_are_defined_however_deep() {
    let text = |start: &str| {
        format!(
            "define void @f(i8 noundef %n, i8 %u, i1 noundef %c) {{
entry:
  br label %outer
outer:
  %a = phi i8 [ 0, %entry ], [ %g, %last ]
  br label %inner
inner:
  %b = phi i8 [ {start}, %outer ], [ %d, %next ]
  %e = phi i8 [ %a, %outer ], [ %n, %next ]
  br i1 %c, label %one, label %two
one:
  br label %next
two:
  br label %next
next:
  %d = phi i8 [ 0, %one ], [ %a, %two ]
  br i1 %c, label %inner, label %out
out:
  %h = phi i8 [ %e, %next ]
  br label %last
last:
  %g = phi i8 [ %h, %out ]
  %i = add i8 %g, %b
  br label %outer
}}
"
        )
    };
    are_defined(&text("1"), "a b d e g h i |");
    are_defined(&text("%u"), "a d e g h | b i");
}

#[test]
fn phi_operands_are_queried_at_their_incoming_blocks() {
    let text = "define i8 @f(i1 %c, i8 noundef %x, i8 noundef %y) {
entry:
  br i1 %c, label %one, label %two
one:
  %a = select i1 %c, i8 %x, i8 %y
  br label %end
two:
  br label %end
end:
  %r = phi i8 [ %a, %one ], [ %y, %two ]
  %s = select i1 %c, i8 %r, i8 %x
  ret i8 %s
}
";
    are_defined(text, "r | a s");
}

#[test]
fn rounds_that_only_turn_are_paths_too() {
    let text = "define void @f(i1 %c, i1 %d) {
entry:
  br label %head
head:
  br i1 %c, label %way, label %latch
way:
  br i1 %d, label %exit, label %latch
latch:
  br label %head
exit:
  ret void
}
";
    with_body(text, |at| {
        let loops = at.loops();
        let executed = MustExecute::of_loop(at, loops.ids().next().expect("a loop"));
        let block = |name| at.body.block_named(name).expect("the block");
        assert_eq!(executed.blocks(), [block("head")]);
    });
}

/// Whether the end of a function with `inside` between its entry and its end is certainly executed.
fn end_is_certain(inside: &str) -> bool {
    let text = format!(
        "define void @f(i1 %c, i1 %d, ptr %p) {{
entry:
  br label %start
start:
{inside}
end:
  ret void
}}
!0 = distinct !{{!0, !1}}
!1 = !{{!\"llvm.loop.mustprogress\"}}
!2 = distinct !{{!2}}
"
    );
    let module = parse(&text);
    let (func, body) = module.bodies().next().expect("a body");
    let analyses = Analyses::of(func);
    let executed = MustExecute::of_function(analyses.at(&module.env, body));
    executed.contains_block(body.block_named("end").expect("the block"))
}

#[test]
fn control_may_stay_in_loops() {
    let one = |rest: &str, what: &str| format!("{rest}  br i1 %c, label %start, label %end{what}\n");
    assert!(!end_is_certain(&one("", "")));
    assert!(!end_is_certain(&one("", ", !llvm.loop !2")));
    assert!(end_is_certain(&one("", ", !llvm.loop !0")));
    // Interactions visible from outside are progress.
    assert!(!end_is_certain(&one("  %v = load volatile i8, ptr %p\n", ", !llvm.loop !0")));
    assert!(!end_is_certain(&one("  fence seq_cst\n", ", !llvm.loop !0")));
    assert!(end_is_certain(&one("  store i8 1, ptr %p\n", ", !llvm.loop !0")));
    // An inner loop without a progress requirement, and one with; and two backedges.
    let nest = |inner: &str| {
        let outer = "latch:\n  br i1 %d, label %start, label %end, !llvm.loop !0\n";
        format!("  br label %inner\ninner:\n  br i1 %c, label %inner, label %latch{inner}\n{outer}")
    };
    assert!(!end_is_certain(&nest("")));
    assert!(end_is_certain(&nest(", !llvm.loop !0")));
    let ways = |second: &str| {
        let first = "  br i1 %c, label %one, label %two\none:\n  br label %start, !llvm.loop !0\n";
        format!("{first}two:\n  br i1 %d, label %start, label %end{second}\n")
    };
    assert!(!end_is_certain(&ways("")));
    assert!(end_is_certain(&ways(", !llvm.loop !0")));
    // A cycle that is no loop: nothing requires progress.
    let entries = "  br i1 %c, label %one, label %two\none:\n  br label %two, !llvm.loop !0\n";
    assert!(!end_is_certain(&format!("{entries}two:\n  br i1 %d, label %one, label %end, !llvm.loop !0\n")));
}

#[test]
fn recurrences_go_one_way() {
    let text = "define void @f(i8 %n, i8 %s) {
entry:
  br label %loop
loop:
  %i = phi i8 [ 0, %entry ], [ %i.next, %loop ]
  %u = phi i8 [ 10, %entry ], [ %u.next, %loop ]
  %d = phi i8 [ 40, %entry ], [ %d.next, %loop ]
  %h = phi i8 [ 100, %entry ], [ %h.next, %loop ]
  %w = phi i8 [ 4, %entry ], [ %w.next, %loop ]
  %i.next = add nuw nsw i8 %i, 1
  %u.next = add nuw i8 %n, %u
  %d.next = add nsw i8 %d, -3
  %h.next = lshr i8 %h, 1
  %w.next = add i8 %w, 8
  %c = icmp ne i8 %s, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
";
    with_body(text, |at| {
        let (solved, demanded) = (at.get::<ValueFacts>(), at.get::<Demanded>());
        let value = |name: &str| at.body.value_named(name).expect("the value");
        for (name, expected) in
            [("i", "[0,-128)"), ("u", "[10,0)"), ("d", "[-128,41)"), ("h", "[0,101)"), ("i.next", "[1,-128)")]
        {
            for facts in [solved.of(at, value(name)), demanded.of(at, value(name))] {
                assert_eq!(facts.expect("an integer").range.to_string(), expected, "{name}");
            }
        }
        let w = demanded.of(at, value("w")).expect("an integer").bits;
        assert_eq!((w.zero.bits() & 7, w.one.bits()), (3, 4));
    });
}

#[test]
fn one_of_two_edges_does_not_dominate() {
    let text = "define void @f(i8 %a) {
entry:
  switch i8 %a, label %one [ i8 1, label %two
                             i8 2, label %two ]
two:
  ret void
one:
  ret void
}
";
    with_body(text, |at| {
        let block = |name: &str| at.body.block_named(name).expect("the block");
        let dominates = |to| edge_dominates(&at.cfg(), &at.dominators(), block("entry"), to, to);
        assert!(dominates(block("one")) && !dominates(block("two")));
    });
}

/// A chain of nested loops, each with arithmetic on earlier values, and a long chain of selects of pointers.
#[test]
fn costs_stay_linear() {
    let time = |n: usize| {
        let mut text = String::from("define void @f(i32 %n, ptr %p, i1 %c) {\nentry:\n  br label %h0\n");
        for i in 0..n {
            let from = if i == 0 { "entry".to_owned() } else { format!("h{}", i - 1) };
            let up = if i == 0 { "%n".to_owned() } else { format!("%i{}", i - 1) };
            writeln!(text, "h{i}:\n  %i{i} = phi i32 [ {up}, %{from} ], [ %j{i}, %l{i} ]").expect("text");
            writeln!(text, "  %j{i} = add i32 %i{i}, {}\n  %k{i} = mul i32 %i{i}, %j{i}", i + 1)
                .expect("text");
            writeln!(text, "  %p{i} = getelementptr i32, ptr %p, i32 %k{i}").expect("text");
            let before = if i == 0 { "%p".to_owned() } else { format!("%s{}", i - 1) };
            writeln!(text, "  %s{i} = select i1 %c, ptr {before}, ptr %p{i}\n  store i32 %k{i}, ptr %s{i}")
                .expect("text");
            writeln!(text, "  %c{i} = icmp ult i32 %i{i}, {}", 100 + i).expect("text");
            let next = if i + 1 == n { format!("l{i}") } else { format!("h{}", i + 1) };
            writeln!(text, "  br i1 %c{i}, label %{next}, label %l{i}").expect("text");
        }
        for i in (0..n).rev() {
            let out = if i == 0 { "exit".to_owned() } else { format!("l{}", i - 1) };
            writeln!(text, "l{i}:\n  %d{i} = icmp ne i32 %i{i}, 7\n  br i1 %d{i}, label %h{i}, label %{out}")
                .expect("text");
        }
        text.push_str("exit:\n  ret void\n}\n");
        let module = parse(&text);
        let (func, body) = module.bodies().next().expect("a body");
        let analyses = Analyses::of(func);
        let at = analyses.at(&module.env, body);
        let start = Instant::now();
        let facts = at.get::<ValueFacts>();
        assert!(body.all_insts().any(|i| facts.of(at, i.into()).is_some()));
        let order = at.get::<Order>();
        let whole = MustExecute::of_function(at);
        assert!(body.all_insts().any(|i| whole.contains(body, &order, i)));
        let stores: Vec<Inst> =
            body.all_insts().filter(|i| matches!(body.inst(*i).kind, InstKind::Store(_))).collect();
        for pair in stores.windows(2) {
            Aliasing::new(at).alias_accesses(pair[0], pair[1], Iterations::All);
        }
        start.elapsed()
    };
    let (small, large) = (time(100), time(1600));
    // Detects costs that explode with depth; this is no measurement. The analyses take milliseconds.
    assert!(large < Duration::from_secs(60), "{small:?} for 100 loops, {large:?} for 1600");
    println!("{small:?} for 100 loops, {large:?} for 1600");
}
