//! Arguments of `run`: one a word or as a list, arrays and strings, and programs with `@main`.

use crate::common::{Files, run};

const CODE: &str = "\
@g = global [2 x i16] zeroinitializer
define i32 @sum(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %t, %loop ]
  %q = getelementptr i32, ptr %p, i32 %i
  %v = load i32, ptr %q
  %t = add i32 %s, %v
  %i.next = add i32 %i, 1
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret i32 %t
}
define i8 @byte(ptr %p, i64 %at) {
  %q = getelementptr i8, ptr %p, i64 %at
  %v = load i8, ptr %q
  ret i8 %v
}
define i16 @global() {
  %v = load i16, ptr getelementptr (i8, ptr @g, i64 2)
  ret i16 %v
}
define i8 @of_pointers(ptr %p, i64 %n, i64 %m) {
  %q = getelementptr ptr, ptr %p, i64 %n
  %v = load ptr, ptr %q
  %r = getelementptr i8, ptr %v, i64 %m
  %b = load i8, ptr %r
  ret i8 %b
}
define i1 @last_is_null(ptr %p, i64 %n) {
  %q = getelementptr ptr, ptr %p, i64 %n
  %v = load ptr, ptr %q
  %c = icmp eq ptr %v, null
  ret i1 %c
}
define i8 @id(i8 %x, float %y) {
  ret i8 %x
}
";

const MAIN: &str = "\
define i8 @other() {
  ret i8 9
}
define i32 @main(i32 %argc, ptr %argv, ptr %envp) {
  %last = sub i32 %argc, 1
  %q = getelementptr ptr, ptr %argv, i32 %last
  %s = load ptr, ptr %q
  %c = load i8, ptr %s
  %w = zext i8 %c to i32
  %end = getelementptr ptr, ptr %argv, i32 %argc
  %null = load ptr, ptr %end
  %env = load ptr, ptr %envp
  %a = icmp eq ptr %null, null
  %b = icmp eq ptr %env, null
  %ok = and i1 %a, %b
  %r = select i1 %ok, i32 %w, i32 -1
  ret i32 %r
}
";

#[test]
fn arguments_are_words_arrays_and_strings() {
    let files = Files::new(&[("a.ll", CODE.as_bytes())]);
    files.backedge("run a.ll --function sum 'i32[1,2,-5]' 3").exits(0).prints("returns i32 -2");
    files.backedge("run a.ll --function sum --args 'i32[1, 2, 3], 3'").exits(0).prints("returns i32 6");
    files.backedge("run a.ll --function byte '\"a,b\"' 2").exits(0).prints("returns i8 98");
    files.backedge("run a.ll --function byte --args '\"a,b\", 3'").exits(0).prints("returns i8 0");
    files.backedge("run a.ll --function global '@g=i16[7,-1]'").exits(0).prints("returns i16 -1");
    files.backedge("run a.ll --function id -5 1.5").exits(0).prints("returns i8 -5");
    files.backedge("run a.ll --function id -args=-5,7").exits(0).prints("returns i8 -5");
}

#[test]
fn arrays_of_pointers_hold_texts_arrays_and_globals() {
    let files = Files::new(&[("a.ll", CODE.as_bytes())]);
    let run = |line: &str| files.backedge(&format!("run a.ll --function {line}")).exits(0);
    let array = r#"'ptr["text, ]", null, ptr[@g], i8[4,5]+1, "a=b", zeros:2]'"#;
    run(&format!("of_pointers {array} 0 4")).prints("returns i8 44");
    run(&format!("last_is_null {array} 1")).prints("returns i1 true");
    run(&format!("last_is_null {array} 2")).prints("returns i1 false");
    run(&format!("of_pointers {array} 3 0")).prints("returns i8 5");
    run(&format!("of_pointers {array} 4 1")).prints("returns i8 61");
    run(&format!("of_pointers {array} 5 1")).prints("returns i8 0");
    run("of_pointers 'ptr[@g]' 0 2 '@g=i16[7,9]'").prints("returns i8 9");
    run("of_pointers 'ptr[block0]' 0 1 'block0=i8[1,2]'").prints("returns i8 2");
    run("of_pointers block0 0 1 'block0=ptr[\"ab\"]'").prints("returns i8 98");
    let list = r#"of_pointers --args 'ptr["a", ptr["b"]], 0, 0'"#;
    run(list).prints("returns i8 97");
}

#[test]
fn wrong_arguments_are_named() {
    let files = Files::new(&[("a.ll", CODE.as_bytes())]);
    for (line, message) in [
        ("id 300 1.5", "argument 1 of @id is of type i8: 300 is out of range, which is -128 to 255"),
        ("id 3 x", "argument 2 (`x`) is not a value"),
        ("id 3 null", "argument 2 of @id is of type float: `null` is no such value"),
        ("sum 5 3", "argument 1 of @sum is of type ptr: `5` is no such value"),
        (
            "sum --args '[1,2,3],3'",
            "argument 1 (`[1,2,3]`): `[1,2,3]` needs the type of its elements, as in i32[1,2,3]",
        ),
        ("sum 'i8[1,256]' 3", "element 2 of i8[…]: 256 is out of range, which is -128 to 255"),
        ("sum 'ptr[null,5]' 3", "element 2 of ptr[…]: `5` is not a pointer"),
        ("sum 3", "@sum takes 2 arguments (ptr, i32), 1 is given"),
        ("global 1 2", "@global takes no arguments, 2 are given"),
        ("sum --args 1 2", "cannot be used with"),
    ] {
        files.backedge(&format!("run a.ll --function {line}")).exits(2).says(message);
    }
}

#[test]
fn main_is_called_as_a_program() {
    let files = Files::new(&[("m.ll", MAIN.as_bytes())]);
    files
        .backedge("run m.ll one Two")
        .exits(0)
        .prints("returns i32 84")
        .prints("exit status of the program: 84");
    // argv[0] is the file.
    files.backedge("run m.ll").exits(0).prints("exit status of the program: 109");
    files.backedge("run m.ll -- -x").exits(0).prints("exit status of the program: 45");
    files.backedge("run m.ll --trace one").exits(0).prints("exit status of the program: 111");
    files.backedge("run m.ll --function other").exits(0).prints("returns i8 9");
    files.backedge("run m.ll --args 0,null").exits(2).says("@main takes 3 arguments (i32, ptr, ptr)");
    let none = run(&["run", "-", "a"], b"define i32 @main() {\n  ret i32 300\n}\n", files.dir());
    none.exits(0).prints("returns i32 300").prints("exit status of the program: 44");
}
