//! The guarantees of `noalias` against outside functions, and their limits: a function without a pointer based on the
//! argument cannot read bytes written through the argument and must not write bytes accessed through it.

use crate::support;
use backedge_interp::chooser::ReplayChooser;
use backedge_interp::input::Input;
use backedge_interp::refine::{Budget, Mismatch, Refinement, Side, refine, refine_with};
use backedge_interp::{Config, Machine, Program};

/// A function that certainly returns, one that may not return, and one that only reads.
const DECLARED: &str = "@g = global ptr null
declare void @sure() nounwind willreturn
declare void @may_leave()
declare i8 @look() nounwind willreturn memory(read)
declare void @take(ptr) nounwind willreturn
declare void @borrow(ptr nocapture) nounwind willreturn
declare void @use(i8) nounwind willreturn
";
/// The arguments are two bytes that nothing else points to, and two other bytes.
const ARGS: [&str; 2] = ["bytes:0102", "bytes:0304"];

/// Source and target functions with a `noalias` pointer `%p` and a pointer `%q`.
fn pair(source: &str, target: &str) -> String {
    let of = |name: &str, body: &str| {
        format!("define void @{name}(ptr noalias %p, ptr %q) {{\n{body}\nret void\n}}\n")
    };
    format!("{DECLARED}{}{}", of("src", source), of("tgt", target))
}

/// Compares them with all of the target's choices, or with the given ones.
fn compare(text: &str, choices: Option<&[u128]>) -> Refinement {
    let module = support::module(text);
    let config = Config { fuel: 1000, ..Config::default() };
    let programs = Program::pair([&module, &module], &config);
    let [mut a, mut b] = Machine::pair(&programs, &config);
    let func = |name| module.env.func_named(name).expect("it is there");
    let mut source = Side { machine: &mut a, func: func("src") };
    let mut target = Side { machine: &mut b, func: func("tgt") };
    let input = Input::parse(&ARGS).expect("arguments");
    let result = match choices {
        None => refine(&mut source, &mut target, &input, Budget { target_runs: 4000, source_runs: 64 }),
        Some(list) => {
            let mut chooser = ReplayChooser::new(list.to_vec());
            refine_with(&mut source, &mut target, &input, &mut chooser, Budget::default())
        }
    };
    result.expect("the input fits")
}

#[track_caller]
fn refines(source: &str, target: &str) {
    let result = compare(&pair(source, target), None);
    assert!(matches!(result, Refinement::Refines { source_ub: false, .. }), "{result:?}");
}

#[track_caller]
fn violates(source: &str, target: &str, mismatch: Mismatch) {
    match compare(&pair(source, target), None) {
        Refinement::Violates(violation) => assert_eq!(violation.mismatch, mismatch, "{violation:?}"),
        other => panic!("{other:?}"),
    }
}

/// Choices of a call that certainly returns, writes 7 to the first byte of the first buffer, and writes nothing to
/// the global.
const WRITES: [u128; 4] = [1, 0, 1, 7];

#[test]
fn what_is_written_through_the_argument_is_not_seen_by_others() {
    let (before, after) = ("store i8 5, ptr %p\ncall void @sure()", "call void @sure()\nstore i8 5, ptr %p");
    refines(after, before);
    refines(before, after);
    // Both of two calls, and a store that is overwritten.
    refines(
        "call void @sure()\ncall void @sure()\nstore i8 5, ptr %p",
        "store i8 5, ptr %p\ncall void @sure()\ncall void @sure()",
    );
    refines("store i8 9, ptr %p\ncall void @sure()\nstore i8 5, ptr %p", before);
    // Through pointers that other code may also have, the behavior differs.
    let other = |text: &str| text.replace("%p", "%q");
    violates(&other(after), &other(before), Mismatch::Memory);
    violates(&other(before), &other(after), Mismatch::Memory);
}

#[test]
fn what_the_source_leaves_alone_is_seen() {
    // Only the target writes a byte and restores it.
    violates(
        "call void @sure()",
        "store i8 5, ptr %p\ncall void @sure()\nstore i8 1, ptr %p",
        Mismatch::Memory,
    );
    // Another byte of the object.
    let second = "%s = getelementptr i8, ptr %p, i64 1\n";
    violates(
        "call void @sure()\nstore i8 5, ptr %p",
        &format!("{second}store i8 5, ptr %p\nstore i8 6, ptr %s\ncall void @sure()\nstore i8 2, ptr %s"),
        Mismatch::Memory,
    );
}

#[test]
fn who_may_not_return_sees_everything() {
    let (before, after) =
        ("store i8 5, ptr %p\ncall void @may_leave()", "call void @may_leave()\nstore i8 5, ptr %p");
    violates(after, before, Mismatch::Memory);
    violates(before, after, Mismatch::Memory);
    // Also in between: the run may end there before anything is UB.
    violates(
        "call void @sure()\ncall void @may_leave()\nstore i8 5, ptr %p",
        "store i8 5, ptr %p\ncall void @sure()\ncall void @may_leave()",
        Mismatch::Memory,
    );
    violates(
        "call void @sure()\nstore volatile i8 9, ptr %q\nstore i8 5, ptr %p",
        "store i8 5, ptr %p\ncall void @sure()\nstore volatile i8 9, ptr %q",
        Mismatch::Memory,
    );
    refines(
        "call void @may_leave()\ncall void @sure()\nstore i8 5, ptr %p",
        "call void @may_leave()\nstore i8 5, ptr %p\ncall void @sure()",
    );
}

#[test]
fn who_was_handed_the_pointer_sees_what_it_leads_to() {
    let moved = |first: &str, call: &str, mismatch| {
        violates(
            &format!("{first}\n{call}\nstore i8 5, ptr %p"),
            &format!("{first}\nstore i8 5, ptr %p\n{call}"),
            mismatch,
        );
    };
    let sure = "call void @sure()";
    moved("", "call void @take(ptr %p)", Mismatch::Memory);
    moved("", "call void @borrow(ptr %p)", Mismatch::Memory);
    moved("call void @take(ptr %p)", sure, Mismatch::Memory);
    moved("store ptr %p, ptr @g", sure, Mismatch::Memory);
    moved("%i = ptrtoint ptr %p to i64\nstore i64 %i, ptr @g", sure, Mismatch::Memory);
    // The function's own memory hides the pointer until a call can reach that memory.
    let kept = "%a = alloca { i8, ptr }\n%v = insertvalue { i8, ptr } poison, ptr %p, 1\nstore { i8, ptr } %v, ptr %a";
    moved(&format!("{kept}\ncall void @take(ptr %a)"), sure, Mismatch::Memory);
    // An unused address is not exposed.
    for first in [kept, "%i = ptrtoint ptr %p to i64", "%i = ptrtoint ptr %p to i64\n%j = add i64 %i, 1"] {
        refines(
            &format!("{first}\n{sure}\nstore i8 5, ptr %p"),
            &format!("{first}\nstore i8 5, ptr %p\n{sure}"),
        );
    }
    // A function that could not capture the pointer no longer has it, and one that received another pointer never had
    // it.
    refines(
        "call void @borrow(ptr %p)\ncall void @sure()\nstore i8 5, ptr %p",
        "call void @borrow(ptr %p)\nstore i8 5, ptr %p\ncall void @sure()",
    );
    refines("call void @take(ptr %q)\nstore i8 5, ptr %p", "store i8 5, ptr %p\ncall void @take(ptr %q)");
}

#[test]
fn the_promise_ends_with_the_function() {
    let inner = "define void @inner(ptr noalias %p) {\nstore i8 5, ptr %p\nret void\n}\n\
                 define void @inner_calls(ptr noalias %p) {\ncall void @sure()\nstore i8 5, ptr %p\nret void\n}\n";
    let outer =
        |name: &str, body: &str| format!("define void @{name}(ptr %p, ptr %q) {{\n{body}\nret void\n}}\n");
    let text = |s: &str, t: &str| format!("{DECLARED}{inner}{}{}", outer("src", s), outer("tgt", t));
    let moved =
        text("call void @inner(ptr %p)\ncall void @sure()", "call void @sure()\ncall void @inner(ptr %p)");
    assert!(matches!(compare(&moved, None), Refinement::Violates(_)));
    let inlined = text("call void @inner_calls(ptr %p)", "store i8 5, ptr %p\ncall void @sure()");
    let result = compare(&inlined, None);
    assert!(matches!(result, Refinement::Refines { .. }), "{result:?}");
}

#[test]
fn answers_do_not_depend_on_what_can_not_be_seen() {
    let used = "\ncall void @use(i8 %x)";
    refines(
        &format!("%x = call i8 @look()\nstore i8 5, ptr %p{used}"),
        &format!("store i8 5, ptr %p\n%x = call i8 @look(){used}"),
    );
    let twice = "%x = call i8 @look()\nstore i8 5, ptr %p\n";
    refines(
        &format!("{twice}%y = call i8 @look()\ncall void @use(i8 %x)\ncall void @use(i8 %y)"),
        &format!("{twice}call void @use(i8 %x)\ncall void @use(i8 %x)"),
    );
    let twice = twice.replace("%p", "%q");
    let result = compare(
        &pair(
            &format!("{twice}%y = call i8 @look()\ncall void @use(i8 %x)\ncall void @use(i8 %y)"),
            &format!("{twice}call void @use(i8 %x)\ncall void @use(i8 %x)"),
        ),
        Some(&[3]),
    );
    assert!(matches!(result, Refinement::Violates(_)), "{result:?}");
}

#[test]
fn others_may_not_write_what_is_read_through_the_argument() {
    let source = "%x = load i8, ptr %p\ncall void @sure()\n%y = load i8, ptr %p\ncall void @use(i8 %x)\ncall void @use(i8 %y)";
    let target = "%x = load i8, ptr %p\ncall void @sure()\ncall void @use(i8 %x)\ncall void @use(i8 %x)";
    let undefined = |text: &str, source_ub: bool| {
        let result = compare(text, Some(&WRITES));
        let is = |ub: bool| matches!(result, Refinement::Refines { source_ub, .. } if source_ub == ub);
        assert!(is(source_ub), "{result:?}");
    };
    undefined(&pair(source, target), true);
    // Before the first access as well as after the last one.
    undefined(&pair("call void @sure()\n%x = load i8, ptr %p", "call void @sure()"), true);
    undefined(&pair("%x = load i8, ptr %p\ncall void @sure()", "call void @sure()"), true);
    // A function that received the pointer may write.
    let given = |text: &str| text.replace("@sure()", "@take(ptr %p)");
    let result = compare(&pair(&given(source), &given(target)), Some(&WRITES));
    assert!(matches!(result, Refinement::Violates(_)), "{result:?}");
    // Bytes not accessed through the argument may be written.
    undefined(
        &pair(
            "%s = getelementptr i8, ptr %p, i64 1\n%x = load i8, ptr %s\ncall void @sure()",
            "call void @sure()",
        ),
        false,
    );
    // An early, unused load is allowed in a target.
    undefined(&pair("call void @sure()", "%x = load i8, ptr %p\ncall void @sure()"), false);
    undefined(&pair("call void @sure()", "call void @sure()\n%x = load i8, ptr %p"), false);
}

#[test]
fn a_store_of_the_old_value_is_one_too_many() {
    let text = pair("call void @sure()", "%x = load i8, ptr %p\ncall void @sure()\nstore i8 %x, ptr %p");
    match compare(&text, Some(&WRITES)) {
        Refinement::Violates(v) => assert_eq!(v.mismatch, Mismatch::SourceMoreDefined, "{v:?}"),
        other => panic!("{other:?}"),
    }
}
