//! Stubs for functions that are only declared: values, modules of definitions, and errors in them.

use crate::support::{describe, module, run};
use backedge_interp::stub::{StubError, ValueStub, with_module, with_values};

const MODULE: &str = "%pair = type { i32, i32 }
@limit = external global i32
@own = global i32 5
declare i32 @next(ptr nocapture) #0
declare void @note(i32)
declare i32 @print(ptr, ...)
declare i32 @llvm.ctpop.i32(i32)
declare noundef i32 @sure()
define i32 @f(ptr %p) {
  call void @note(i32 1), !tag !0
  %a = call i32 @next(ptr %p)
  %b = call i32 @next(ptr %p)
  %r = sub i32 %b, %a
  ret i32 %r
}
define i32 @g() {
  %l = load i32, ptr @limit
  ret i32 %l
}
define i32 @prints() {
  %r = call i32 (ptr, ...) @print(ptr null, i32 3, double 1.0)
  ret i32 %r
}
define i32 @h() {
  %r = call i32 @sure()
  ret i32 %r
}
attributes #0 = { nounwind }
!0 = !{i32 1}
";

fn values(stubs: &[&str]) -> Result<Vec<u8>, StubError> {
    let stubs: Result<Vec<ValueStub>, _> = stubs.iter().map(|s| s.parse()).collect();
    with_values(MODULE.as_bytes(), &stubs?)
}

fn outcome(text: &[u8], func: &str, args: &[&str]) -> String {
    let module = module(std::str::from_utf8(text).expect("text"));
    let run = run(&module, func, args);
    format!("{}, {} events", describe(&module, func, &run), run.events.len())
}

#[test]
fn values_are_returned_and_are_no_events() {
    assert_eq!(outcome(MODULE.as_bytes(), "f", &["zeros:4"]), "i32 0, 3 events");
    let text = values(&["next=poison", "@note=void"]).expect("stubs that fit");
    assert_eq!(outcome(&text, "f", &["zeros:4"]), "poison, 0 events");
    let text = values(&["next = 7"]).expect("a stub that fits");
    assert_eq!(outcome(&text, "f", &["zeros:4"]), "i32 0, 1 events");
    // The function may be variadic; the stub ignores the arguments.
    let text = values(&["print=7"]).expect("a stub that fits");
    assert_eq!(outcome(&text, "prints", &[]), "i32 7, 0 events");
    // The header's attributes apply to the stub.
    assert_eq!(
        outcome(&values(&["sure=undef"]).expect("it fits"), "h", &[]),
        "ub noundef-violated, 0 events"
    );
    assert_eq!(outcome(&values(&["sure=3"]).expect("it fits"), "h", &[]), "i32 3, 0 events");
}

#[test]
fn definitions_of_a_module_take_the_place_of_declarations() {
    let stubs = "source_filename = \"stubs\"
declare void @note(i32)
@own = external global i32
@limit = global i32 9
@count = internal global i32 0
define i32 @next(ptr %p) #0 {
  %c = load i32, ptr @count, !range !0 ; \"a comment !0
  %o = load i32, ptr @own
  %n = add i32 %c, %o
  store i32 %n, ptr @count
  ret i32 %n
}
attributes #0 = { noinline }
!0 = !{i32 0, i32 100}
";
    let text = with_module(MODULE.as_bytes(), stubs.as_bytes()).expect("stubs that fit");
    assert_eq!(outcome(&text, "f", &["zeros:4"]), "i32 5, 1 events");
    assert_eq!(outcome(&text, "g", &[]), "i32 9, 0 events");
}

#[test]
fn values_that_do_not_fit_are_refused() {
    let refused = |stub: &str| values(&[stub]).expect_err(stub).to_string();
    assert!(refused("next").contains("NAME=VALUE"));
    assert!(refused("=3").contains("NAME=VALUE"));
    assert!(refused("next=7\n}").contains("NAME=VALUE"));
    assert_eq!(refused("nothing=1"), "the module declares no function `@nothing`");
    assert_eq!(refused("f=1"), "`@f` is defined in the module: stubs are for declarations");
    assert_eq!(refused("llvm.ctpop.i32=1"), "`@llvm.ctpop.i32` is an intrinsic: its meaning is known");
    assert!(refused("next=1.5").starts_with("`@next` can't return `1.5`: "));
    assert!(refused("next=void").starts_with("`@next` can't return `void`: "));
    assert!(refused("note=1").starts_with("`@note` can't return `1`: "));
}

#[test]
fn integers_out_of_range_are_refused() {
    let module = "declare i8 @byte()\ndeclare i1 @bit()\ndeclare i128 @wide()\n";
    let stubbed = |stub: &str| {
        let stub = stub.parse::<ValueStub>().expect(stub);
        with_values(module.as_bytes(), &[stub]).map(|_| ()).map_err(|e| e.to_string())
    };
    for fits in [
        "byte=255",
        "byte=-128",
        "byte=007",
        "bit=1",
        "bit=-1",
        "bit=true",
        "byte=poison",
        "wide=340282366920938463463374607431768211455",
    ] {
        assert_eq!(stubbed(fits), Ok(()), "{fits}");
    }
    let refused = |stub: &str| stubbed(stub).expect_err(stub);
    assert_eq!(
        refused("byte=300"),
        "`@byte` can't return `300`: i8 has the values -128 to 255; its low bits by themselves are 44"
    );
    assert_eq!(
        refused("byte=-129"),
        "`@byte` can't return `-129`: i8 has the values -128 to 255; its low bits by themselves are 127"
    );
    assert!(refused("bit=2").contains("i1 has the values -1 to 1"));
    let wide = refused("wide=340282366920938463463374607431768211456");
    assert!(wide.ends_with("its low bits by themselves are 0"), "{wide}");
}

#[test]
fn modules_that_do_not_fit_are_refused() {
    let refused =
        |stubs: &str| with_module(MODULE.as_bytes(), stubs.as_bytes()).expect_err(stubs).to_string();
    assert_eq!(
        refused("define i64 @next(ptr %p) {\n  ret i64 0\n}"),
        "`@next` is i32 (ptr) in the module and i64 (ptr) among the stubs"
    );
    assert_eq!(
        refused("define i32 @f(ptr %p) {\n  ret i32 0\n}"),
        "`@f` is defined in the module: stubs are for declarations"
    );
    assert_eq!(refused("@own = global i32 1"), "`@own` is defined in the module: stubs are for declarations");
    assert!(refused("define i32 @nxt(ptr %p) {\n  ret i32 0\n}").starts_with("none of the stubs"));
    assert!(refused("define i32 @next(ptr %p) {\n  ret i32 zero\n}").contains("line 2"));
    assert!(
        refused("target datalayout = \"E\"\ndefine i32 @next(ptr %p) {\n  ret i32 0\n}")
            .contains("data layout")
    );
    assert!(
        refused("define i32 @next(ptr %p) {\n  %r = add i256 0, 0\n  ret i32 0\n}")
            .contains("not modelled: integers of more than 128 bits")
    );
    assert!(
        refused("%pair = type { i8 }\ndefine i32 @next(ptr %p) {\n  ret i32 0\n}")
            .contains("the module with its stubs")
    );
}
