//! Reasons why nests get no plan: one function for each reason. Also checks that the inner loops of such a nest are
//! tried.

use crate::common::{body, in_form, module, named};
use backedge_analysis::Analyses;
use backedge_ir::editor::{Editor, Position};
use backedge_ir::inst::{FastMath, InstData, InstKind};
use backedge_ir::int::Int;
use backedge_ir::types::Type;
use backedge_vplan::build::{Built, Landing, build};

/// The number of plans for the loops of `@f`, and the reasons for loops without one. `form` normalizes the loops first.
fn outcome(text: &str, form: bool) -> (usize, Vec<&'static str>) {
    let mut module = module(text);
    if form {
        module = in_form(&module);
    }
    let func = named(&module);
    let analyses = Analyses::of(func);
    let Built { taken, missed } = build(analyses.at(&module.env, body(&module, func)), Landing::default());
    for (_, why) in &missed {
        assert!(!why.to_string().is_empty());
    }
    (taken.len(), missed.iter().map(|(_, why)| why.name()).collect())
}

/// A loop that counts to `%n`, with `inside` in its only block, and with the functions or blocks in `more` around it.
fn counted(inside: &str, more: &str) -> String {
    format!(
        "{more}define void @f(i32 %n) personality ptr null {{\nentry:\n  br label %loop\nloop:\n  \
         %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]\n{inside}  %i.next = add i32 %i, 1\n  \
         %more = icmp ult i32 %i.next, %n\n  br i1 %more, label %loop, label %exit\nexit:\n  ret void\n}}\n"
    )
}

#[test]
fn a_counted_loop_is_taken() {
    assert_eq!(outcome(&counted("", ""), true), (1, vec![]));
}

#[test]
fn not_in_form() {
    let text = "define void @f(i1 %a, i1 %c) {\nentry:\n  br i1 %a, label %one, label %two\none:\n  br label %loop\ntwo:\n  \
                br label %loop\nloop:\n  br i1 %c, label %loop, label %exit\nexit:\n  ret void\n}\n";
    assert_eq!(outcome(text, false), (0, vec!["NotSimplified"]));
    assert_eq!(outcome(text, true), (1, vec![]));
}

#[test]
fn not_closed() {
    let text = "define i32 @f(i32 %n) {\nentry:\n  br label %loop\nloop:\n  %i = phi i32 [ 0, %entry ], [ %j, %loop ]\n  \
                %j = add i32 %i, 1\n  %c = icmp ult i32 %j, %n\n  br i1 %c, label %loop, label %exit\nexit:\n  \
                ret i32 %j\n}\n";
    assert_eq!(outcome(text, false), (0, vec!["NotClosed"]));
    assert_eq!(outcome(text, true), (1, vec![]));
}

#[test]
fn irreducible_around_a_loop() {
    let text = "define void @f(i1 %a, i1 %b, i1 %c) {\nentry:\n  br label %outer\nouter:\n  \
                br i1 %a, label %x, label %y\nx:\n  br i1 %b, label %y, label %in\nin:\n  \
                br i1 %c, label %in, label %latch\ny:\n  br i1 %c, label %x, label %latch\nlatch:\n  \
                br i1 %b, label %outer, label %exit\nexit:\n  ret void\n}\n";
    assert_eq!(outcome(text, true), (1, vec!["Irreducible"]));
}

#[test]
fn endless() {
    let text = "define void @f() {\nentry:\n  br label %loop\nloop:\n  br label %loop\n}\n";
    assert_eq!(outcome(text, true), (0, vec!["Endless"]));
}

#[test]
fn a_terminator_that_is_no_branch() {
    let text = "declare void @g()\ndefine void @f(i1 %c) personality ptr null {\nentry:\n  br label %loop\nloop:\n  \
                invoke void @g() to label %next unwind label %pad\nnext:\n  br i1 %c, label %loop, label %exit\n\
                pad:\n  %p = landingpad { ptr, i32 } cleanup\n  resume { ptr, i32 } %p\nexit:\n  ret void\n}\n";
    assert_eq!(outcome(text, true), (0, vec!["Terminator"]));
}

#[test]
fn a_block_whose_address_is_taken() {
    let more = "@address = global ptr blockaddress(@f, %loop)\n";
    assert_eq!(outcome(&counted("", more), true), (0, vec!["AddressTaken"]));
}

#[test]
fn a_block_that_is_never_come_to() {
    let text = "define void @f(i1 %c) {\nentry:\n  br label %loop\nloop:\n  br i1 %c, label %a, label %join\na:\n  \
                br label %join\nnever:\n  br label %join\njoin:\n  br i1 %c, label %loop, label %exit\nexit:\n  \
                ret void\n}\n";
    assert_eq!(outcome(text, false), (0, vec!["Unreachable"]));
    // Normalizing the loops removes that edge.
    assert_eq!(outcome(text, true), (1, vec![]));
}

/// A token cannot be written in parsed text, so the test builds one.
#[test]
fn a_token() {
    let mut module = in_form(&module(&counted("", "")));
    let func = named(&module);
    let (_, code) = module.body_mut(func).expect("it has code");
    let header = code.block_named("loop").expect("the loop");
    let mut editor = Editor::new(code);
    let [one, other] = [(); 2].map(|()| editor.poison(Type::TOKEN));
    let bit = editor.int(Int::new(1, 1));
    let select = InstData::new(InstKind::Select(FastMath::NONE), Type::TOKEN, [bit, one, other], []);
    editor.insert(Position::AfterPhis(header), select);
    let analyses = Analyses::of(func);
    let built = build(analyses.at(&module.env, body(&module, func)), Landing::default());
    assert_eq!(built.missed.iter().map(|(_, why)| why.name()).collect::<Vec<_>>(), ["Token"]);
}

#[test]
fn a_convergent_call() {
    let more = "declare void @meet() convergent\n";
    assert_eq!(outcome(&counted("  call void @meet()\n", more), true), (0, vec!["ConvergentCall"]));
}

#[test]
fn too_large() {
    let inside: String = (0..20_001).map(|n| format!("  %x{n} = add i32 %i, {n}\n")).collect();
    assert_eq!(outcome(&counted(&inside, ""), true), (0, vec!["TooLarge"]));
}

/// A loop with that many exit blocks, each of which returns a different number.
fn loop_with_exits(exits: usize) -> String {
    let mut text = String::from(
        "define i32 @f(i32 %n) {\nentry:\n  br label %b0\nb0:\n  %i = phi i32 [ 0, %entry ], [ %j, %latch ]\n",
    );
    for n in 0..exits {
        if n > 0 {
            text += &format!("b{n}:\n");
        }
        let next = if n + 1 < exits { format!("b{}", n + 1) } else { "latch".to_owned() };
        text += &format!("  %c{n} = icmp eq i32 %n, {n}\n  br i1 %c{n}, label %x{n}, label %{next}\n");
    }
    text += "latch:\n  %j = add i32 %i, 1\n  br label %b0\n";
    for n in 0..exits {
        text += &format!(
            "x{n}:\n  %r{n} = phi i32 [ %i, %b{n} ]\n  %s{n} = add i32 %r{n}, {n}\n  ret i32 %s{n}\n"
        );
    }
    text + "}\n"
}

#[test]
fn too_many_exits() {
    assert_eq!(outcome(&loop_with_exits(64), true), (1, vec![]));
    assert_eq!(outcome(&loop_with_exits(65), true), (0, vec!["TooManyExits"]));
}
