//! `backedge run` with stubs for declared functions.

use crate::common::Files;

const MODULE: &str = "declare i32 @getchar()\ndefine i32 @f() {\n  %a = call i32 @getchar()\n  %b = call i32 @getchar()\n  \
     %r = add i32 %a, %b\n  ret i32 %r\n}\n";
const STUBS: &str = "@n = internal global i32 64\ndefine i32 @getchar() {\n  %o = load i32, ptr @n\n  \
     %n = add i32 %o, 1\n  store i32 %n, ptr @n\n  ret i32 %n\n}\n";

#[test]
fn declared_functions_are_given_code() {
    let files = Files::new(&[("in.ll", MODULE.as_bytes()), ("stubs.ll", STUBS.as_bytes())]);
    files.backedge("run in.ll --function f").exits(0).prints("returns i32 0");
    files.backedge("run in.ll --function f --stub getchar=7").exits(0).prints("returns i32 14");
    files.backedge("run in.ll --function f --stubs stubs.ll").exits(0).prints("returns i32 131");
    files.backedge("run in.ll --function f --stub getchar").exits(2).says("NAME=VALUE");
    files
        .backedge("run in.ll --function f --stub putchar=1")
        .exits(2)
        .says("declares no function `@putchar`");
    files.backedge("run in.ll --function f --stub getchar=1.5").exits(2).says("can't return `1.5`");
    files.backedge("run in.ll --function f --stubs in.ll").exits(2).says("`@f` is defined in the module");
    files.backedge("run in.ll --function f --stubs nowhere.ll").exits(2).says("nowhere.ll");
}
