//! Contents of other modules' global variables: zero by default, or as the input specifies; never contents that only
//! one of the functions requires.

use crate::support;
use crate::support::describe;
use backedge_interp::chooser::{Domain, ZeroChooser};
use backedge_interp::input::{ArgSpec, Input};
use backedge_interp::refine::{Budget, Refinement, Side, refine};
use backedge_interp::trace::NoObserver;
use backedge_interp::{Config, Machine, Program};
use backedge_ir::module::Module;

const MODULE: &str = "
@limit = external constant i32
@count = external global [3 x i16]
@either = weak global i32 5
@own = global i32 3
@fixed = constant i32 9
@maybe = extern_weak global i32
@link = external global { i8, ptr }
@huge = external global [5000 x i8]
define i32 @sum() {
  %l = load i32, ptr @limit
  %p = getelementptr i16, ptr @count, i64 2
  %c = load i16, ptr %p
  %w = sext i16 %c to i32
  %e = load i32, ptr @either
  %o = load i32, ptr @own
  %f = load i32, ptr @fixed
  %a = add i32 %l, %w
  %b = add i32 %a, %e
  %d = add i32 %b, %o
  %r = add i32 %d, %f
  ret i32 %r
}
define i8 @follow() {
  %p = getelementptr { i8, ptr }, ptr @link, i64 0, i32 1
  %q = load ptr, ptr %p
  %r = load i8, ptr %q
  ret i8 %r
}
";

/// An input whose choices are all answered with `answer`, clamped to the domain.
fn filled(modules: &[&Module], answer: u128) -> Input {
    let mut input = Input::new(Vec::new());
    input.fill_external(modules, &|_| true, &mut |domain: Domain| domain.clamp(answer));
    input
}

fn run(module: &Module, func: &str, input: &Input) -> String {
    let program = Program::new(module, &Config::default());
    let mut machine = Machine::new(&program, Config::default());
    let id = module.env.func_named(func).expect("it is there");
    describe(module, func, &machine.run(id, input, &mut ZeroChooser, &mut NoObserver).expect("it fits"))
}

#[test]
fn contents_are_what_is_chosen() {
    let module = support::module(MODULE);
    assert_eq!(run(&module, "sum", &Input::new(Vec::new())), "i32 17");
    // The replaceable definition is the final one.
    assert_eq!(run(&module, "sum", &filled(&[&module], 0)), "i32 17");
    assert_eq!(run(&module, "sum", &filled(&[&module], 7)), "i32 33");
    assert_eq!(run(&module, "sum", &filled(&[&module], u128::MAX)), "i32 9");
    assert_eq!(run(&module, "follow", &filled(&[&module], 0)), "ub null-dereference");
    assert_eq!(run(&module, "follow", &filled(&[&module], 1)), "i8 0");
    let names: Vec<String> = filled(&[&module], 7).globals.into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["limit", "count", "either", "link"]);
    // The same, parsed from its text.
    let input = filled(&[&module], 7);
    let text = input.to_string();
    let read = Input::parse(&text.split(", ").collect::<Vec<_>>()).unwrap_or_else(|e| panic!("{text}: {e}"));
    assert_eq!(run(&module, "sum", &read), "i32 33");
}

#[test]
fn what_the_input_says_stays() {
    let module = support::module(MODULE);
    let mut input = Input::parse(&["@limit=bytes:01000000"]).expect("an input");
    input.fill_external(&[&module], &|name| name == "limit" || name == "count", &mut |d| d.clamp(3));
    assert_eq!(run(&module, "sum", &input), "i32 21");
}

/// Both sides see the same contents; variables that one side defines are left unchanged.
#[test]
fn both_sides_of_a_comparison_see_the_same() {
    let source = support::module(
        "@limit = external constant i32\n@known = external constant i32\n@wide = external constant i64\n\
         define i32 @f(i32 %x) {\n%v = load i32, ptr @limit\nret i32 %v\n}\n",
    );
    let target = support::module(
        "@wide = external constant i32\n@known = constant i32 3\n@limit = external constant i32\n\
         define i32 @f(i32 %x) {\n%v = load i32, ptr @limit\nret i32 %v\n}\n\
         define i32 @folded(i32 %x) {\nret i32 0\n}\n",
    );
    let mut input = filled(&[&source, &target], 6);
    assert_eq!(input.globals.len(), 1, "{input}");
    input.args = vec![ArgSpec::Int(1)];
    let programs = Program::pair([&source, &target], &Config::default());
    let [mut a, mut b] = programs.each_ref().map(|p| Machine::new(p, Config::default()));
    let mut against = |name: &str| {
        let (s, t) = (source.env.func_named("f"), target.env.func_named(name));
        let mut s = Side { machine: &mut a, func: s.expect("it is there") };
        let mut t = Side { machine: &mut b, func: t.expect("it is there") };
        refine(&mut s, &mut t, &input, Budget::default()).expect("it fits")
    };
    assert!(matches!(against("f"), Refinement::Refines { .. }));
    assert!(matches!(against("folded"), Refinement::Violates(_)));
}

#[test]
fn blocks_of_one_label_lie_at_one_address_in_both() {
    let text = |before: &str| {
        format!(
            "define i64 @f(i1 %c) {{\n{before}named:\nret i64 ptrtoint (ptr blockaddress(@f, %named) to i64)\n\
             other:\nret i64 ptrtoint (ptr blockaddress(@f, %other) to i64)\n}}\n"
        )
    };
    let source = support::module(&text(
        "br i1 %c, label %side, label %rest\nside:\nbr label %named\nrest:\nbr i1 %c, label %other, label %named\n",
    ));
    let target = support::module(&text("br label %named\n"));
    let swapped = support::module(&text("br label %other\n"));
    let mut input = filled(&[&source, &target], 6);
    input.args = vec![ArgSpec::Int(1)];
    let refines = |target: &_| {
        let programs = Program::pair([&source, target], &Config::default());
        let [mut a, mut b] = programs.each_ref().map(|p| Machine::new(p, Config::default()));
        let func = |module: &backedge_ir::module::Module| module.env.func_named("f").expect("it is there");
        let mut s = Side { machine: &mut a, func: func(&source) };
        let mut t = Side { machine: &mut b, func: func(target) };
        refine(&mut s, &mut t, &input, Budget::default()).expect("it fits")
    };
    assert!(matches!(refines(&target), Refinement::Refines { .. }));
    assert!(matches!(refines(&swapped), Refinement::Violates(_)));
}
