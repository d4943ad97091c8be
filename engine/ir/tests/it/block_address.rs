//! Block addresses, parsed before and after their functions, in code, initializers and text kept verbatim; the blocks
//! are pinned, and the verifier checks them.

use backedge_ir::body::Local;
use backedge_ir::editor::Editor;
use backedge_ir::module::{Code, Module};
use backedge_ir::parse::{Parsed, parse_module, read_module};
use backedge_ir::print::module_to_string;
use backedge_ir::verify::{FindingKind, verify_module};
use backedge_testkit::peer;

const SOURCE: &str = "@before = global ptr blockaddress(@f, %loop)
@table = constant [2 x ptr] [ptr blockaddress(@f, %loop), ptr blockaddress(@f, %\"the exit\")]
@carried = global { ptr, i256 } { ptr blockaddress(@f, %\"the exit\"), i256 7 }

define ptr @f(i1 %c) {
entry:
  br label %loop

loop:                                             ; preds = %loop, %entry
  br i1 %c, label %loop, label %\"the exit\"

\"the exit\":                                       ; preds = %loop
  ret ptr blockaddress(@g, %later)
}

define i1 @g(ptr %p) {
  br label %later

later:                                            ; preds = %0
  %same = icmp eq ptr %p, blockaddress(@f, %loop)
  ret i1 %same
}

@after = global i64 ptrtoint (ptr blockaddress(@g, %later) to i64)
";

fn parse(source: &str) -> Parsed {
    read_module(source.as_bytes()).unwrap_or_else(|e| panic!("{e:?}"))
}

fn pinned(module: &Module, func: &str) -> Vec<String> {
    let body = module.body(module.env.func_named(func).expect("the function")).expect("its body");
    let pinned = body.blocks().filter(|b| body.is_pinned(*b));
    pinned.map(|b| body.block_name(b).expect("it has a name").to_owned()).collect()
}

#[test]
fn addresses_are_constants_and_their_blocks_are_pinned() {
    let parsed = parse(SOURCE);
    assert_eq!(parsed.module.bodies().count(), 2);
    assert_eq!(pinned(&parsed.module, "f"), ["loop", "the exit"]);
    assert_eq!(pinned(&parsed.module, "g"), ["later"]);
    assert_eq!(parsed.module.env.block_addresses.len(), 3);
    let printed = module_to_string(&parsed.module);
    assert_eq!(printed, SOURCE);
    let Some(llvm_as) = peer("llvm-as", "llvm-as on addresses of blocks") else { return };
    // LLVM accepts the wide integer of the variable that is kept as text.
    let answer = llvm_as.run(&["-disable-output"], printed.as_bytes());
    assert!(answer.ok(), "{}", answer.stderr);
}

#[test]
fn a_function_with_an_address_of_an_unnamed_block_keeps_its_text() {
    let parsed = parse(
        "@x = global ptr blockaddress(@f, %1)\ndefine void @f() {\n  br label %1\n1:\n  ret void\n}\n\
         define void @g() {\n  ret void\n}",
    );
    let code: Vec<bool> = parsed.module.code.values().map(|c| matches!(c, Code::Opaque(_))).collect();
    assert_eq!(code, [true, false]);
    assert!(module_to_string(&parsed.module).contains("@x = global ptr blockaddress(@f, %1)"));
}

#[test]
fn functions_carried_as_text_pin_the_blocks_of_others() {
    let parsed = parse(
        "define void @f() {\n  br label %b\nb:\n  ret void\n}\n\
         define void @g(i256 %n, ptr %p) {\n  store ptr blockaddress(@f, %b), ptr %p\n  ret void\n}",
    );
    assert_eq!(parsed.module.bodies().count(), 1);
    assert_eq!(pinned(&parsed.module, "f"), ["b"]);
}

#[test]
fn invalid_block_addresses_are_reported() {
    let reject = |source: &str, part: &str| {
        let error = parse_module(source.as_bytes()).err().unwrap_or_else(|| panic!("{source}"));
        assert_eq!(&source[error.span.range()], part, "{}", error.kind);
    };
    let f = "define void @f() {\ne:\n  br label %b\nb:\n  ret void\n}\n";
    reject(&format!("@x = global ptr blockaddress(@f, %nowhere)\n{f}"), "%nowhere");
    reject(&format!("@x = global ptr blockaddress(@y, %b)\n@y = global i8 0\n{f}"), "@y");
    reject("@x = global ptr blockaddress(@d, %b)\ndeclare void @d()", "%b");
    reject(&format!("@x = global ptr addrspace(3) blockaddress(@f, %b)\n{f}"), "blockaddress(@f, %b)");
    let entry = read_module(format!("@x = global ptr blockaddress(@f, %e)\n{f}").as_bytes());
    assert!(entry.is_err_and(|d| d[0].message.contains("entry block")));
}

#[test]
fn the_verifier_looks_after_the_blocks() {
    let mut module =
        parse("@x = global ptr blockaddress(@f, %b)\ndefine void @f() {\n  br label %b\nb:\n  ret void\n}")
            .module;
    let f = module.env.func_named("f").expect("f");
    let other = parse("define void @f() {\n  br label %c\nc:\n  ret void\n}").module;
    for (label, why) in [("c", "not pinned"), ("b", "there is no such block")] {
        let address = module.env.block_addresses.keys().next().expect("the address");
        module.env.block_addresses[address].label = label.into();
        module.code[f] = other.code[f].clone();
        let findings = verify_module(&module);
        let said = matches!(&*findings, [f] if matches!(&f.kind, FindingKind::BlockAddress { why: w, .. } if w.contains(why)));
        assert!(said, "{findings:?}");
    }
}

#[test]
#[should_panic(expected = "its address is taken")]
fn the_editor_refuses_to_remove_a_pinned_block() {
    let mut module = parse(SOURCE).module;
    let f = module.env.func_named("f").expect("f");
    let (_, body) = module.body_mut(f).expect("its body");
    let Some(Local::Block(block)) = body.local("loop") else { panic!("no block") };
    Editor::new(body).remove_block(block);
}
