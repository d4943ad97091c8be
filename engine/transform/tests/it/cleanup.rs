//! Tests of the clean-up passes, case by case.

use crate::common;
use backedge_ir::print::module_to_string;
use backedge_ir::verify::verify_module;
use backedge_testkit::module;
use backedge_transform::cleanup::{Dce, InstSimplify, LoopInstSimplify, LoopSimplifyCfg, SimplifyCfg};
use backedge_transform::lcssa::Lcssa;
use backedge_transform::pass::{FunctionPass, LoopPass};
use backedge_transform::simplify::LoopSimplify;

enum Pass<'p> {
    Function(&'p dyn FunctionPass),
    Loop(&'p dyn LoopPass),
}

/// The module after the pass, and its remarks.
fn after(text: &str, pass: &Pass<'_>) -> (String, Vec<String>) {
    let mut module = module(text);
    let funcs: Vec<_> = module.bodies().map(|(f, _)| f).collect();
    let mut remarks = Vec::new();
    for func in funcs {
        let (env, body) = module.body_mut(func).expect("a body");
        let made = match pass {
            Pass::Function(pass) => common::run_pass(env, func, body, *pass),
            Pass::Loop(pass) => {
                common::run_pass(env, func, body, &LoopSimplify);
                common::run_pass(env, func, body, &Lcssa);
                common::run_loop_pass(env, func, body, *pass)
            }
        };
        remarks.extend(made.iter().map(ToString::to_string));
    }
    let printed = module_to_string(&module);
    assert_eq!(verify_module(&module), [], "{printed}");
    (printed, remarks)
}

fn simplified(body: &str) -> String {
    let text =
        format!("declare void @use(i32)\ndefine i32 @f(i32 %x, i32 %y, i1 %c, ptr %p) {{\n{body}\n}}\n");
    after(&text, &Pass::Function(&InstSimplify)).0
}

#[test]
fn identities() {
    let cases = [
        ("%a = add i32 %x, 0\nret i32 %a", "ret i32 %x"),
        ("%a = sub i32 %x, %x\nret i32 %a", "ret i32 0"),
        ("%a = xor i32 %x, -1\n%b = and i32 %a, %x\nret i32 %b", "ret i32 0"),
        ("%a = mul nuw i32 %x, %y\n%b = udiv i32 %a, %y\nret i32 %b", "ret i32 %x"),
        ("%a = shl i32 %x, 32\nret i32 %a", "ret i32 poison"),
        ("%a = select i1 %c, i32 %x, i32 %x\nret i32 %a", "ret i32 %x"),
        ("%a = freeze i32 %x\n%b = freeze i32 %a\nret i32 %b", "ret i32 %a"),
        ("%a = zext i32 %x to i64\n%b = trunc i64 %a to i32\nret i32 %b", "ret i32 %x"),
        ("%a = and i32 %x, 7\n%b = and i32 %a, 15\nret i32 %b", "ret i32 %a"),
        // A simplification of an operand's operand becomes visible only in a second visit.
        (
            "br label %l\nl:\n%i = phi i32 [ %x, %0 ], [ %q, %l ]\n%a = or i32 %i, %y\n%b = and i32 %a, %x\n\
             %q = add i32 %i, 0\nbr i1 %c, label %l, label %e\ne:\nret i32 %b",
            "ret i32 %x",
        ),
        ("%a = and i32 %x, 7\n%b = icmp ult i32 %a, 8\n%r = zext i1 %b to i32\nret i32 %r", "ret i32 1"),
        (
            "%a = icmp ult i32 %x, 5\n%b = icmp ult i32 %x, 9\n%d = and i1 %a, %b\n%r = zext i1 %d to i32\nret i32 %r",
            "zext i1 %a",
        ),
        ("%q = getelementptr i8, ptr %p, i64 0\n%r = load i32, ptr %q\nret i32 %r", "load i32, ptr %p"),
    ];
    for (body, expected) in cases {
        let printed = simplified(body);
        assert!(printed.contains(expected), "{body}\n{printed}");
    }
}

#[test]
fn what_must_stay() {
    let cases = [
        // The product may wrap.
        ("%a = mul i32 %x, %y\n%b = udiv i32 %a, %y\nret i32 %b", "udiv"),
        // %x may be poison where undef would be chosen.
        ("%a = select i1 %c, i32 %x, i32 undef\nret i32 %a", "select"),
        // The second condition may be poison if the first is false.
        (
            "%a = icmp ult i32 %x, 9\n%n = add nuw i32 %x, 1\n%b = icmp ult i32 %n, 5\n%d = select i1 %a, i1 %b, i1 false\n%r = zext i1 %d to i32\nret i32 %r",
            "select",
        ),
        // One choice for all uses.
        ("%a = freeze i32 %x\nret i32 %a", "freeze"),
    ];
    for (body, expected) in cases {
        let printed = simplified(body);
        assert!(printed.contains(expected), "{body}\n{printed}");
    }
}

#[test]
fn conditions_that_control_has_passed() {
    let printed = simplified(
        "  %d = icmp ult i32 %x, 10\n  br i1 %d, label %in, label %out\nin:\n  %e = icmp ult i32 %x, 20\n  \
         %r = select i1 %e, i32 1, i32 2\n  ret i32 %r\nout:\n  ret i32 3",
    );
    assert!(printed.contains("ret i32 1") && !printed.contains("select"), "{printed}");
}

#[test]
fn dead_cycles_of_phis() {
    let text = "define i32 @f(i32 %n) {\nentry:\n  br label %loop\nloop:\n  %i = phi i32 [ 0, %entry ], [ %j, %loop ]\n  \
                %dead = phi i32 [ 7, %entry ], [ %more, %loop ]\n  %more = mul i32 %dead, 3\n  %j = add i32 %i, 1\n  \
                %c = icmp eq i32 %j, %n\n  br i1 %c, label %out, label %loop\nout:\n  ret i32 %i\n}\n";
    let (printed, _) = after(text, &Pass::Function(&Dce));
    assert!(
        !printed.contains("%dead") && !printed.contains("mul") && printed.contains("%i = phi"),
        "{printed}"
    );
}

#[test]
fn effects_are_not_dead() {
    let text = "declare i32 @may_stop(i32) memory(none)\ndeclare i32 @ends(i32) memory(none) willreturn nounwind\n\
                define void @f(ptr %p) {\n  %a = call i32 @may_stop(i32 1)\n  %b = call i32 @ends(i32 2)\n  \
                %v = load volatile i32, ptr %p\n  %w = load i32, ptr %p\n  ret void\n}\n";
    let (printed, _) = after(text, &Pass::Function(&Dce));
    let body = &printed[printed.find("define").expect("f")..];
    assert!(body.contains("@may_stop") && body.contains("volatile"), "{body}");
    assert!(!body.contains("@ends") && !body.contains("%w"), "{body}");
}

#[test]
fn graph() {
    let text = "declare void @g()\ndefine i32 @f(i1 %c, i32 %s) {\nentry:\n  br i1 true, label %a, label %never\nnever:\n  \
                call void @g()\n  br label %a\na:\n  %p = phi i32 [ 1, %entry ], [ 2, %never ]\n  \
                br i1 %c, label %undefined, label %b\nundefined:\n  unreachable\nb:\n  br label %d\nd:\n  \
                switch i32 %s, label %e [\n    i32 1, label %e\n    i32 2, label %x\n  ]\ne:\n  ret i32 %p\nx:\n  ret i32 5\n}\n";
    let (printed, _) = after(text, &Pass::Function(&SimplifyCfg::default()));
    let body = &printed[printed.find("define").expect("f")..];
    assert!(!body.contains("@g") && !body.contains("unreachable") && !body.contains("switch"), "{body}");
    // One of the two cases leads to the default block; the other becomes a branch.
    assert!(body.contains("icmp eq i32 %s, 2") && body.matches("br ").count() == 1, "{body}");
}

/// The preheader, the latch and the dedicated exit are empty blocks, and stay.
const EMPTY_BLOCKS: &str = "define i32 @f(i1 %g, i32 %n) {\nentry:\n  br i1 %g, label %pre, label %join\npre:\n  \
    br label %loop\nloop:\n  %i = phi i32 [ 0, %pre ], [ %j, %latch ]\n  %j = add i32 %i, 1\n  \
    %c = icmp eq i32 %j, %n\n  br i1 %c, label %exit, label %maybe\nmaybe:\n  %d = icmp eq i32 %j, 9\n  \
    br i1 %d, label %exit, label %latch\nlatch:\n  br label %loop\nexit:\n  br label %join\njoin:\n  \
    %r = phi i32 [ 3, %entry ], [ 4, %exit ]\n  ret i32 %r\n}\n";

#[test]
fn loop_form_is_kept() {
    let (printed, _) = after(EMPTY_BLOCKS, &Pass::Function(&SimplifyCfg::default()));
    for label in ["pre:", "latch:", "exit:"] {
        assert!(printed.contains(label), "{label}\n{printed}");
    }
}

#[test]
fn values_stay_closed() {
    // %out.v is the LCSSA phi of the loop's value, so it stays.
    let text = "define i32 @f(i32 %n) {\nentry:\n  br label %loop\nloop:\n  %i = phi i32 [ 0, %entry ], [ %j, %loop ]\n  \
                %j = add i32 %i, 1\n  %k = add i32 %j, 0\n  %c = icmp eq i32 %j, %n\n  \
                br i1 %c, label %out, label %loop\nout:\n  ret i32 %k\n}\n";
    let (printed, remarks) = after(text, &Pass::Loop(&LoopInstSimplify));
    assert!(printed.contains("phi i32 [ %j, %loop ]"), "{printed}");
    assert_eq!(
        remarks,
        ["@f: loop %loop: loop-instsimplify: replaced 1 instruction(s), removed 0 that nothing needs"]
    );
}

#[test]
fn loop_that_goes() {
    let text = "define i32 @f(i32 %n) {\nentry:\n  br label %loop\nloop:\n  %i = phi i32 [ 0, %entry ], [ %j, %latch ]\n  \
                %j = add i32 %i, 1\n  br i1 true, label %out, label %latch\nlatch:\n  br label %loop\nout:\n  ret i32 %j\n}\n";
    let (printed, remarks) = after(text, &Pass::Loop(&LoopSimplifyCfg));
    // The former header was merged into the preheader.
    assert!(!printed.contains("latch") && !printed.contains("loop:"), "{printed}");
    assert_eq!(
        remarks,
        [
            "@f: loop %loop: loop-simplifycfg: folded 1 branch(es), removed 1 unreachable block(s), merged 1, passed by 0 empty one(s)",
            "@f: loop %loop: loop-simplifycfg: control can't come back to the header"
        ]
    );
}

#[test]
fn exit_that_goes() {
    let text = "declare void @g()\ndefine void @f(i32 %n) {\nentry:\n  br label %loop\nloop:\n  \
                %i = phi i32 [ 0, %entry ], [ %j, %latch ]\n  %j = add i32 %i, 1\n  br i1 false, label %early, label %latch\n\
                latch:\n  %c = icmp eq i32 %j, %n\n  br i1 %c, label %out, label %loop\nearly:\n  call void @g()\n  \
                ret void\nout:\n  ret void\n}\n";
    let (printed, remarks) = after(text, &Pass::Loop(&LoopSimplifyCfg));
    assert!(!printed.contains("early") && printed.contains("%c = icmp"), "{printed}");
    assert_eq!(remarks.len(), 1, "{remarks:?}");
}

/// The body after `simplifycfg`.
fn graph_of(body: &str) -> String {
    let text = format!(
        "declare void @use(i32)\ndeclare i1 @ask()\ndefine i32 @f(i32 %x, i32 %y, i1 %c, ptr %p) {{\n{body}\n}}\n"
    );
    after(&text, &Pass::Function(&SimplifyCfg::default())).0
}

#[test]
fn branches_around_little_code_become_selects() {
    let around = |side: &str, value: &str| {
        format!(
            "br i1 %c, label %s, label %j\ns:\n{side}\nbr label %j\nj:\n\
             %r = phi i32 [ {value}, %s ], [ %x, %0 ]\nret i32 %r"
        )
    };
    let printed = graph_of(&around("%a = add nsw i32 %x, %y\n%b = xor i32 %a, 5", "%b"));
    assert!(printed.contains("select i1 %c, i32 %b, i32 %x") && !printed.contains("br "), "{printed}");
    assert!(printed.contains("add nsw i32"), "flags stay: {printed}");
    let both = "br i1 %c, label %s, label %t\ns:\n%a = add i32 %x, 1\nbr label %j\nt:\n%b = sub i32 %x, 1\nbr label %j\n\
        j:\n%r = phi i32 [ %a, %s ], [ %b, %t ]\nret i32 %r";
    let printed = graph_of(both);
    assert!(printed.contains("select i1 %c, i32 %a, i32 %b") && !printed.contains("br "), "{printed}");
    // Side effects, UB, and too much code.
    let more = "%a = add i32 %x, %y\n%b = mul i32 %a, %a\n%d = mul i32 %b, %a\n%e = mul i32 %d, %a";
    for (side, value) in [
        ("call void @use(i32 1)", "%y"),
        ("%a = udiv i32 %x, %y", "%a"),
        ("%a = load i32, ptr %p", "%a"),
        (more, "%e"),
    ] {
        let printed = graph_of(&around(side, value));
        assert!(printed.contains("br i1 %c") && !printed.contains("select"), "{side}\n{printed}");
    }
}

#[test]
fn edges_that_are_known_to_go_on_pass_a_block_by() {
    let text = "br i1 %c, label %rhs, label %end\nrhs:\n%d = call i1 @ask()\nbr label %end\nend:\n\
        %both = phi i1 [ false, %0 ], [ %d, %rhs ]\n%v = phi i32 [ %x, %0 ], [ %y, %rhs ]\n\
        br i1 %both, label %yes, label %no\nyes:\ncall void @use(i32 1)\nbr label %no\nno:\n\
        %r = phi i32 [ %v, %end ], [ 7, %yes ]\nret i32 %r";
    let printed = graph_of(text);
    assert!(!printed.contains("%both"), "the second test is by what was asked: {printed}");
    assert!(printed.contains("br i1 %d, label %yes, label %no"), "{printed}");
    assert!(printed.contains("[ %x, %0 ]"), "the value that belongs to the edge: {printed}");
    // The phi has another use.
    let printed =
        graph_of(&text.replace("ret i32 %r", "%z = zext i1 %both to i32\n%s = add i32 %r, %z\nret i32 %s"));
    assert!(printed.contains("%both = phi i1"), "{printed}");
}

#[test]
fn a_loop_keeps_its_one_latch() {
    // `no` is a header: another edge into it would be a second entry.
    let text = "br label %h\nh:\n%i = phi i32 [ 0, %0 ], [ %n, %end ]\n%n = add i32 %i, 1\nbr i1 %c, label %rhs, label %end\n\
        rhs:\n%d = call i1 @ask()\nbr label %end\nend:\n%both = phi i1 [ true, %h ], [ %d, %rhs ]\n\
        br i1 %both, label %h, label %out\nout:\nret i32 %n";
    let printed = graph_of(text);
    assert_eq!(printed.matches("label %h").count(), 2, "{printed}");
}

#[test]
fn a_long_chain_of_empty_blocks() {
    // The pattern that loop-simplify leaves for many consecutive exits of a loop. Examining the whole graph for each
    // block would take minutes.
    const EXITS: usize = 3000;
    let mut text =
        String::from("define i32 @f(i32 %n, i1 %c, ptr %p) {\nentry:\nbr i1 %c, label %b0, label %x\n");
    for i in 0..EXITS {
        let to = if i == 0 { "x".to_owned() } else { format!("e{}", i - 1) };
        text += &format!(
            "b{i}:\n%c{i} = load volatile i1, ptr %p\nbr i1 %c{i}, label %e{i}, label %b{}\n",
            i + 1
        );
        text += &format!("e{i}:\nbr label %{to}\n");
    }
    text += &format!("b{EXITS}:\nret i32 1\nx:\n%r = phi i32 [ %n, %e0 ], [ 0, %entry ]\nret i32 %r\n}}\n");
    for keep_loops in [true, false] {
        let pass = SimplifyCfg { keep_loops, speculate_blocks: false };
        let (printed, _) = after(&text, &Pass::Function(&pass));
        assert_eq!(printed.matches("\ne").count(), 1, "of the empty blocks none is left, but the entry is");
        assert_eq!(printed.matches("label %x").count(), EXITS + 1);
        assert_eq!(printed.matches("[ %n, %").count(), EXITS);
    }
}

#[test]
fn names_do_not_grow() {
    let text = "define i32 @f(i1 %c, i32 %n) {\nentry:\nbr i1 %c, label %x.loopexit2, label %l\n\
        l:\n%i = phi i32 [ 0, %entry ], [ %j, %l ]\n%j = add i32 %i, 1\n%d = icmp ult i32 %j, %n\n\
        br i1 %d, label %l, label %x.loopexit2\n\
        x.loopexit2:\n%r.ph = phi i32 [ 0, %entry ], [ %j, %l ]\nret i32 %r.ph\n}\n";
    let (printed, _) = after(text, &Pass::Function(&LoopSimplify));
    assert!(printed.contains("\nx.loopexit:"), "{printed}");
    assert!(!printed.contains(".loopexit2.loopexit") && !printed.contains(".ph.ph"), "{printed}");
}
