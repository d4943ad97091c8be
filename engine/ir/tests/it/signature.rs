//! Changes of signatures and their calls.

use backedge_ir::editor::Editor;
use backedge_ir::entity::{Arg, EntityId, FuncId};
use backedge_ir::module::Module;
use backedge_ir::parse::read_module;
use backedge_ir::print::module_to_string;
use backedge_ir::signature::{Param, change_signature};
use backedge_ir::types::Type;
use backedge_ir::verify::verify_module;

const TEXT: &str = "\
define i32 @g(i8 signext %a, i32 noundef %b, ptr %c) {
  %s = add i32 %b, 1
  ret i32 %s
}

define i32 @f(i32 %x, ptr %p) {
  %r = call i32 @g(i8 signext 7, i32 noundef %x, ptr %p) #0
  %q = call i32 @g(i8 1, i32 2, ptr null)
  store i32 %q, ptr %p
  ret i32 %r
}

attributes #0 = { nounwind }
";

fn module() -> (Module, FuncId) {
    let module = read_module(TEXT.as_bytes()).expect("a module").module;
    let func = module.env.func_named("g").expect("@g");
    (module, func)
}

fn arg(index: usize) -> Arg {
    Arg::from_index(index)
}

#[test]
fn parameters_go_and_come_with_their_calls() {
    let (mut module, g) = module();
    let params = [Param::Old(arg(2)), Param::New(Type::I64), Param::Old(arg(1))];
    assert!(change_signature(&mut module, g, &params, Type::I32));
    assert_eq!(verify_module(&module), []);
    let text = module_to_string(&module);
    assert!(text.contains("define i32 @g(ptr %c, i64 %arg, i32 noundef %b)"), "{text}");
    assert!(text.contains("%r = call i32 @g(ptr %p, i64 0, i32 noundef %x) #0"), "{text}");
    assert!(text.contains("%q = call i32 @g(ptr null, i64 0, i32 2)"), "{text}");
    assert!(text.contains("%s = add i32 %b, 1"), "{text}");
    // The printed result parses to the same module.
    let again = read_module(text.as_bytes()).expect("a module").module;
    assert_eq!(module_to_string(&again), text);
}

#[test]
fn what_does_not_fit_is_refused() {
    let (mut module, g) = module();
    let before = module_to_string(&module);
    let all = [0, 1, 2].map(|i| Param::Old(arg(i)));
    // An argument with uses, a result with uses, a retyped argument that calls pass, a type without a zero.
    assert!(!change_signature(&mut module, g, &[all[0], all[2]], Type::I32));
    assert!(!change_signature(&mut module, g, &all, Type::VOID));
    assert!(!change_signature(
        &mut module,
        g,
        &[Param::Retyped(arg(0), Type::I64), all[1], all[2]],
        Type::I32
    ));
    assert!(!change_signature(&mut module, g, &[all[0], all[1], all[2], Param::New(Type::VOID)], Type::I32));
    assert_eq!(module_to_string(&module), before);
}

#[test]
fn types_change_where_nothing_calls() {
    let (mut module, _) = module();
    let f = module.env.func_named("f").expect("@f");
    let params = [Param::Old(arg(0)), Param::Retyped(arg(1), Type::ptr(3))];
    assert!(change_signature(&mut module, f, &params, Type::I32));
    let text = module_to_string(&module);
    assert!(text.contains("define i32 @f(i32 %x, ptr addrspace(3) %p)"), "{text}");
    // The caller must fix the remaining uses: a call passes the argument for a `ptr`.
    assert_ne!(verify_module(&module), []);
    let (_, body) = module.body_mut(f).expect("a body");
    let null = backedge_ir::signature::zero(Type::PTR).expect("null");
    let mut editor = Editor::new(body);
    let null = editor.constant(null);
    editor.replace_uses(arg(1).into(), null.into());
    assert_eq!(verify_module(&module), []);
}
