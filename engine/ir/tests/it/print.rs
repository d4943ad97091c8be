//! The printer on bodies built through the editor: the output must be that of LLVM's printer.

use crate::common::{add, header};
use backedge_ir::attr::{Attr, FlagAttr, MemoryEffects, ModRef};
use backedge_ir::body::Body;
use backedge_ir::builder::Builder;
use backedge_ir::constant::{ConstData, Constant};
use backedge_ir::editor::{Editor, Position};
use backedge_ir::inst::{BinaryFlags, BinaryOp, InstData, InstKind, Value};
use backedge_ir::int::Int;
use backedge_ir::metadata::{MdBody, MdKind, MdOperand, MdRef};
use backedge_ir::module::{Code, GlobalVar, Linkage, Module};
use backedge_ir::opcode::IntPredicate;
use backedge_ir::print::{function_to_string, module_to_string, type_to_string};
use backedge_ir::types::{FloatKind, StructBody, Type};

/// A counting loop with named and unnamed values and blocks, and names that need quotes.
fn counting_loop() -> Body {
    let mut body = Body::default();
    let mut editor = Editor::new(&mut body);
    let n = editor.add_arg(Type::I32, None);
    let p = editor.add_arg(Type::PTR, Some("p q"));
    let entry = editor.add_block(None);
    let head = editor.add_block(Some("loop.head"));
    let exit = editor.add_block(None);
    let zero = editor.int(Int::zero(32));
    let one = editor.int(Int::one(32));
    let mut at_entry = Builder::new(&mut editor, Position::End(entry));
    at_entry.br(head);
    let mut b = Builder::new(&mut editor, Position::End(head));
    let i = b.phi(Type::I32, &[(zero, entry)], "i");
    b.store(i, p.into(), Some(4));
    let flags = BinaryFlags { nuw: true, nsw: true, ..BinaryFlags::default() };
    let next = b.binary(BinaryOp::Add, i, one, flags, "");
    let more = b.icmp(IntPredicate::Ult, next, n.into(), "5");
    b.cond_br(more, head, exit);
    Builder::new(&mut editor, Position::End(exit)).ret(None);
    let phi = i.as_inst().expect("a phi is an instruction");
    editor.add_incoming(phi, next, head);
    body
}

#[test]
fn a_function_prints_as_llvm_prints_it() {
    let mut module = Module::default();
    let header = header(&mut module, "f", Type::VOID, &[Type::I32, Type::PTR]);
    let id = add(&mut module, header, Code::Body(Box::new(counting_loop())));
    let expected = r#"define void @f(i32 %0, ptr %"p q") {
  br label %loop.head

loop.head:                                        ; preds = %loop.head, %1
  %i = phi i32 [ 0, %1 ], [ %2, %loop.head ]
  store i32 %i, ptr %"p q", align 4
  %2 = add nuw nsw i32 %i, 1
  %"5" = icmp ult i32 %2, %0
  br i1 %"5", label %loop.head, label %3

3:                                                ; preds = %loop.head
  ret void
}
"#;
    assert_eq!(function_to_string(&module, id), expected);
}

#[test]
fn floats_are_decimal_only_where_that_is_exact() {
    use FloatKind::{BFloat, Double, Float, Fp128, Half, PpcFp128, X86Fp80};
    let cases: [(FloatKind, u128, &str); 21] = [
        (Double, 1.5f64.to_bits().into(), "1.500000e+00"),
        (Double, 1.234567f64.to_bits().into(), "0x3FF3C0C9539B8887"),
        (Double, 1.23456f64.to_bits().into(), "1.234560e+00"),
        (Double, 1e300f64.to_bits().into(), "1.000000e+300"),
        (Double, 1e-5f64.to_bits().into(), "1.000000e-05"),
        (Double, (-0.0f64).to_bits().into(), "-0.000000e+00"),
        (Double, 1_234_567f64.to_bits().into(), "0x4132D68700000000"),
        (Double, 1, "4.940660e-324"),
        (Double, 3, "1.482200e-323"),
        (Double, f64::INFINITY.to_bits().into(), "0x7FF0000000000000"),
        (Float, 0.1f32.to_bits().into(), "0x3FB99999A0000000"),
        (Float, 1f32.to_bits().into(), "1.000000e+00"),
        (Float, f32::NAN.to_bits().into(), "0x7FF8000000000000"),
        (Float, 0x7f80_0001, "0x7FF0000020000000"),
        (Float, 1, "0x36A0000000000000"),
        (Half, 0x3c00, "0xH3C00"),
        (BFloat, 0x3f80, "0xR3F80"),
        (X86Fp80, 0x3fff_8000_0000_0000_0000, "0xK3FFF8000000000000000"),
        (Fp128, 0x3fff_0000_0000_0001 << 64, "0xL00000000000000003FFF000000000001"),
        (PpcFp128, 1 << 64 | 0x3ff0_0000_0000_0000, "0xM3FF00000000000000000000000000001"),
        (Double, 0.0f64.to_bits().into(), "0.000000e+00"),
    ];
    for (kind, bits, expected) in cases {
        let mut body = Body::default();
        let mut editor = Editor::new(&mut body);
        let c = editor.constant(Constant { ty: Type::float(kind), data: ConstData::Float(bits) });
        let module = Module::default();
        assert_eq!(
            backedge_ir::print::operand_to_string(&module.env, &body, c.into()),
            expected,
            "{kind:?} {bits:x}"
        );
    }
}

#[test]
fn types_print_as_llvm_spells_them() {
    let mut module = Module::default();
    let types = &mut module.env.types;
    let array = types.array(4, Type::I8);
    let vector = types.vector(2, Type::float(FloatKind::Double));
    let packed = types.structure(&[array, vector], true);
    let empty = types.structure(&[], false);
    let function = types.function(Type::VOID, &[packed, empty, Type::ptr(5)], true);
    assert_eq!(
        type_to_string(types, function),
        "void (<{ [4 x i8], <2 x double> }>, {}, ptr addrspace(5), ...)"
    );
}

#[test]
fn items_made_since_follow_the_others_and_nodes_get_numbers_by_first_use() {
    let mut module = Module::default();
    let named = module.env.types.intern(backedge_ir::types::Compound::Named { name: "struct.S".into() });
    assert!(module.env.types.set_body(named, StructBody { fields: [Type::I32].into(), packed: false }));
    let seven = module.env.consts.int(Int::new(32, 7));
    let init = module.env.consts.intern(Constant { ty: named, data: ConstData::Aggregate([seven].into()) });
    module.env.vars.push(GlobalVar {
        name: "g".into(),
        ty: named,
        linkage: Linkage::Internal,
        prefix_words: vec!["unnamed_addr".into()],
        addrspace: 0,
        is_constant: true,
        init: Some(init),
        align: Some(4),
        suffix: Vec::new(),
        metadata: Vec::new(),
    });
    let old = module.env.metadata.numbered(4);
    assert!(module.env.metadata.define(old, true, MdBody::Tuple(vec![])));
    let inner =
        module.env.metadata.add(false, MdBody::Tuple(vec![MdOperand::String("x".into()), MdOperand::Null]));
    let outer =
        module.env.metadata.add(true, MdBody::Tuple(vec![MdOperand::Node(inner), MdOperand::Const(seven)]));
    let mut header = header(&mut module, "f", Type::VOID, &[]);
    let memory = MemoryEffects { argmem: ModRef::READ, ..MemoryEffects::all(ModRef::NONE) };
    header.attrs.own = vec![Attr::Flag(FlagAttr::NoUnwind), Attr::Memory(memory)];
    let mut body = Body::default();
    let mut editor = Editor::new(&mut body);
    let entry = editor.add_block(Some("entry"));
    let ret = editor.insert(Position::End(entry), InstData::new(InstKind::Ret, Type::VOID, [], []));
    editor.set_metadata(ret, MdKind::from_name("a b"), MdRef::Node(outer));
    add(&mut module, header, Code::Body(Box::new(body)));
    let expected = r#"%struct.S = type { i32 }

@g = internal unnamed_addr constant %struct.S { i32 7 }, align 4

define void @f() nounwind memory(argmem: read) {
entry:
  ret void, !a\20b !5
}

!4 = distinct !{}
!5 = distinct !{!6, i32 7}
!6 = !{!"x", null}
"#;
    assert_eq!(module_to_string(&module), expected);
}

#[test]
fn a_broken_body_prints_all_the_same() {
    let mut body = Body::default();
    let mut editor = Editor::new(&mut body);
    let entry = editor.add_block(None);
    let gone = editor.add_block(None);
    let sum = InstKind::Binary(BinaryOp::Add, BinaryFlags::default());
    let odd = editor.insert(Position::End(entry), InstData::new(sum, Type::I32, [], []));
    editor.insert(Position::End(entry), InstData::new(InstKind::Br, Type::VOID, [], [gone]));
    editor.insert(Position::End(entry), InstData::new(InstKind::CondBr, Type::VOID, [odd.into()], []));
    editor.remove_block(gone);
    let mut module = Module::default();
    let header = header(&mut module, "f", Type::VOID, &[]);
    let id = add(&mut module, header, Code::Body(Box::new(body)));
    let expected = "define void @f() {\n  %1 = add <missing operand>, <missing operand>\n  br label %<removed block>\n  \
                    br i32 %1, <missing label>, <missing label>\n}\n";
    assert_eq!(function_to_string(&module, id), expected);
    let code = module.body(id).expect("it was put there");
    assert_eq!(backedge_ir::print::value_to_string(&module.env, code, Value::Inst(odd)), "i32 %1");
}
