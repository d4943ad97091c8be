//! Functions retyped to integers of other widths: types, numbers, intrinsic names and struct fields; entities without
//! an image are rejected.

use backedge_ir::int::Int;
use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_ir::print::function_to_string;
use backedge_ir::retype::{Misfit, int_widths, with_int_widths};
use backedge_ir::verify::verify_module;
use std::collections::{BTreeMap, BTreeSet};

const MODULE: &str = "
%pair = type { i16, [4 x i32] }

define i32 @f(ptr %p, i32 %n, i64 range(i64 0, 9) %k) {
entry:
  %at = getelementptr %pair, ptr %p, i64 %k, i32 1, i64 2
  %v = load i32, ptr %at, align 4
  %m = call i32 @llvm.umin.i32(i32 %v, i32 %n)
  %l = call <2 x i32> @llvm.smax.v2i32(<2 x i32> <i32 1, i32 -1>, <2 x i32> splat (i32 7))
  %e = extractelement <2 x i32> %l, i64 1
  %s = add nsw i32 %m, %e
  br label %exit
exit:
  %r = phi i32 [ %s, %entry ]
  ret i32 %r
}
define i32 @g() {
  ret i32 1000000
}
declare i32 @llvm.umin.i32(i32, i32)
declare <2 x i32> @llvm.smax.v2i32(<2 x i32>, <2 x i32>)
";

fn small(widths: &BTreeMap<u32, u32>, int: Int) -> Option<Int> {
    let new = int.trunc(widths[&int.width()]);
    (new.sext(int.width()) == int).then_some(new)
}

fn narrow(module: &Module, name: &str, widths: &[(u32, u32)]) -> Result<String, Misfit> {
    let func = module.env.func_named(name).expect("the function");
    let widths: BTreeMap<u32, u32> = widths.iter().copied().collect();
    let copy = with_int_widths(module, func, &widths, &|int| small(&widths, int))?;
    let findings = verify_module(&copy);
    assert!(findings.is_empty(), "{}", findings[0].render(&copy));
    let (old, new) = (module.body(func).expect("code"), copy.body(func).expect("code"));
    assert!(old.all_insts().eq(new.all_insts()), "instructions keep their ids");
    assert!(old.blocks().eq(new.blocks()), "blocks keep their ids");
    assert_eq!(copy.code.len(), module.code.len());
    Ok(function_to_string(&copy, func))
}

#[test]
fn types_and_numbers_become_narrower_and_fields_of_structs_are_named_as_before() {
    let module = parse_module(MODULE.as_bytes()).expect("a module").module;
    let text = narrow(&module, "f", &[(16, 5), (32, 8), (64, 12)]).expect("a copy");
    let wanted = [
        "define i8 @f(ptr %p, i8 %n, i12 range(i12 0, 9) %k)",
        "getelementptr %pair, ptr %p, i12 %k, i32 1, i12 2",
        "load i8, ptr %at, align 4",
        "call i8 @llvm.umin.i8(i8 %v, i8 %n)",
        "call <2 x i8> @llvm.smax.v2i8(<2 x i8> <i8 1, i8 -1>, <2 x i8> splat (i8 7))",
        "extractelement <2 x i8> %l, i12 1",
        "add nsw i8 %m, %e",
        "phi i8 [ %s, %entry ]",
    ];
    for line in wanted {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
    let original = function_to_string(&module, module.env.func_named("f").expect("the function"));
    assert_eq!(narrow(&module, "f", &[]).as_deref(), Ok(&*original));
}

#[test]
fn numbers_without_an_image_are_rejected() {
    let module = parse_module(MODULE.as_bytes()).expect("a module").module;
    let number = Int::new(32, 1_000_000);
    assert_eq!(narrow(&module, "g", &[(32, 8)]), Err(Misfit::Number(number)));
    assert_eq!(narrow(&module, "f", &[(32, 16)]), Err(Misfit::Merged));
    assert_eq!(narrow(&module, "llvm.umin.i32", &[]), Err(Misfit::NoBody));
}

#[test]
fn int_widths_separates_function_and_module() {
    let module = parse_module(MODULE.as_bytes()).expect("a module").module;
    let of = |name: &str| int_widths(&module, module.env.func_named(name).expect("the function"));
    assert_eq!(of("f"), Some((BTreeSet::from([16, 32, 64]), BTreeSet::new())));
    assert_eq!(of("g"), Some((BTreeSet::from([32]), BTreeSet::from([16, 64]))));
    assert_eq!(of("llvm.umin.i32"), None);
}
