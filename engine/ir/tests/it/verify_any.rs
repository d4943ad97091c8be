//! The verifier and the printer on instructions of all kinds with arbitrary operands, blocks and types: they must not
//! panic.

use crate::common;
use backedge_ir::body::Body;
use backedge_ir::constant::{ConstData, ConstExpr, ConstOp, Constant, GlobalRef};
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::Block;
use backedge_ir::inst::{
    AllocaInfo, BinaryFlags, Bundle, CallInfo, CastFlags, CmpXchgInfo, DebugRecord, GepFlags, InstData,
    InstKind, LandingClause, MemAccess, Use, Value,
};
use backedge_ir::int::Int;
use backedge_ir::module::{Code, Module};
use backedge_ir::opcode::{
    AtomicOrdering, BinaryOp, CastOp, FastMath, FloatBinaryOp, FloatPredicate, IntPredicate, RmwOp, TailKind,
};
use backedge_ir::print::module_to_string;
use backedge_ir::types::{Compound, FloatKind, StructBody, Type, TypeTable};
use backedge_ir::verify::{Finding, verify_module};
use proptest::prelude::*;

/// Numbers that select the parts of an instruction.
#[derive(Clone, Debug)]
struct Choice {
    kind: u8,
    ty: u8,
    operands: Vec<u8>,
    blocks: Vec<u8>,
    x: u8,
    y: u8,
    at_end: bool,
}

fn choices() -> impl Strategy<Value = Vec<Choice>> {
    let lists = (prop::collection::vec(any::<u8>(), 0..5), prop::collection::vec(any::<u8>(), 0..4));
    let choice = (0..KINDS, any::<u8>(), lists, any::<u8>(), any::<u8>(), any::<bool>());
    let choice = choice.prop_map(|(kind, ty, (operands, blocks), x, y, at_end)| Choice {
        kind,
        ty,
        operands,
        blocks,
        x,
        y,
        at_end,
    });
    prop::collection::vec(choice, 1..12)
}

fn pick<T: Clone>(list: &[T], n: u8) -> T {
    list[usize::from(n) % list.len()].clone()
}

fn all_types(types: &mut TypeTable) -> Vec<Type> {
    let opaque = types.intern(Compound::Named { name: "opaque".into() });
    let named = types.intern(Compound::Named { name: "named".into() });
    types.set_body(named, StructBody { fields: [Type::I32, Type::PTR].into(), packed: true });
    let vector = types.vector(4, Type::I32);
    let scalable = types.intern(Compound::Vector { len: 4, elem: Type::I32, scalable: true });
    let huge = types.array(u64::MAX, vector);
    vec![
        Type::VOID,
        Type::LABEL,
        Type::METADATA,
        Type::TOKEN,
        Type::I1,
        Type::I8,
        Type::I32,
        Type::I64,
        Type::int(128),
        Type::int(1000),
        Type::PTR,
        Type::ptr(3),
        Type::float(FloatKind::Half),
        Type::float(FloatKind::Double),
        Type::float(FloatKind::PpcFp128),
        opaque,
        named,
        vector,
        scalable,
        huge,
        types.array(3, Type::I8),
        types.vector(u64::MAX, Type::int(1000)),
        types.structure(&[Type::I32, Type::I1], false),
        types.structure(&[], true),
        types.function(Type::I32, &[Type::I32, Type::PTR], false),
        types.function(Type::VOID, &[Type::METADATA], true),
        types.intern(Compound::Target { text: "target(\"x\")".into() }),
    ]
}

fn values(editor: &mut Editor<'_>, types: &[Type], global: GlobalRef) -> Vec<Value> {
    let mut values: Vec<Value> = editor.body().args().map(Value::from).collect();
    let mut constant = |ty, data| {
        let c = editor.constant(Constant { ty, data });
        values.push(c.into());
        c
    };
    for &ty in types {
        for data in [
            ConstData::Zero,
            ConstData::Undef,
            ConstData::Poison,
            ConstData::Float(7),
            ConstData::Bytes([1].into()),
        ] {
            constant(ty, data);
        }
        let two = constant(Type::I32, ConstData::Int(Int::new(32, 2)));
        constant(ty, ConstData::Aggregate([two, two].into()));
        constant(ty, ConstData::Aggregate([].into()));
        constant(ty, ConstData::Splat(two));
        constant(ty, ConstData::Global(global));
        constant(ty, ConstData::Int(Int::new(8, 200)));
        let ops = [
            ConstOp::Gep { source: ty, flags: GepFlags::default(), inrange: Some((-1, 1)) },
            ConstOp::Cast(CastOp::Trunc),
            ConstOp::Binary(BinaryOp::UDiv, BinaryFlags { exact: true, ..BinaryFlags::default() }),
        ];
        for op in ops {
            for operands in [vec![], vec![two], vec![two, two]] {
                constant(
                    ty,
                    ConstData::Expr(Box::new(ConstExpr { op: op.clone(), operands: operands.into() })),
                );
            }
        }
    }
    values
}

/// The number of cases of [`kind`].
const KINDS: u8 = 31;

fn kind(choice: &Choice, types: &[Type]) -> InstKind {
    let Choice { kind, x, y, .. } = *choice;
    let fast = pick(&[FastMath::NONE, FastMath::FAST, FastMath::NSZ], x);
    let access = || MemAccess {
        align: pick(&[None, Some(0), Some(3), Some(8), Some(1 << 40)], x),
        volatile: y % 2 == 0,
        ordering: pick(&[None, Some(AtomicOrdering::Unordered), Some(AtomicOrdering::AcqRel)], y),
        syncscope: pick(&[None, Some("agent".into())], x),
    };
    let call = || {
        Box::new(CallInfo {
            tail: pick(TailKind::ALL, x),
            cc: pick(&["", "fastcc"], y).into(),
            ret_attrs: Default::default(),
            fn_ty: pick(types, y),
            addrspace: None,
            arg_attrs: vec![Default::default(); usize::from(x % 3)],
            fn_attrs: Default::default(),
            bundles: vec![Bundle { tag: "deopt".into(), len: u32::from(y % 3) }; usize::from(x % 2)],
            fast,
        })
    };
    let (bit, other) = (x % 2 == 0, y % 2 == 0);
    let path = || vec![u32::from(x); usize::from(y % 3)].into_boxed_slice();
    match kind {
        0 => InstKind::Ret,
        1 => InstKind::Br,
        2 => InstKind::CondBr,
        3 => InstKind::Switch,
        4 => InstKind::Unreachable,
        5 => InstKind::Invoke(call()),
        6 => InstKind::Resume,
        7 => InstKind::FNeg(fast),
        8 => InstKind::Binary(
            pick(BinaryOp::ALL, x),
            BinaryFlags { nuw: bit, nsw: other, exact: bit, disjoint: other },
        ),
        9 => InstKind::FloatBinary(pick(FloatBinaryOp::ALL, y), fast),
        10 => InstKind::Cast(pick(CastOp::ALL, y), CastFlags { nneg: bit, nuw: other, nsw: bit, fast }),
        11 => InstKind::ICmp { pred: pick(IntPredicate::ALL, x), samesign: other },
        12 => InstKind::FCmp(pick(FloatPredicate::ALL, y), fast),
        13 => InstKind::Select(fast),
        14 => InstKind::Phi(fast),
        15 => InstKind::Freeze,
        16 => InstKind::Alloca(Box::new(AllocaInfo {
            ty: pick(types, y),
            align: access().align,
            inalloca: bit,
            swifterror: other,
        })),
        17 => InstKind::Load(Box::new(access())),
        18 => InstKind::Store(Box::new(access())),
        19 => {
            InstKind::Gep { source: pick(types, y), flags: GepFlags { inbounds: bit, nusw: other, nuw: bit } }
        }
        20 => InstKind::Call(call()),
        21 => InstKind::ExtractValue(path()),
        22 => InstKind::InsertValue(path()),
        23 => InstKind::ExtractElement,
        24 => InstKind::InsertElement,
        25 => InstKind::ShuffleVector(vec![bit.then_some(u32::from(x)); usize::from(y % 6)].into()),
        26 => InstKind::Fence(pick(AtomicOrdering::ALL, y), access().syncscope),
        27 => InstKind::AtomicRmw(pick(RmwOp::ALL, y), Box::new(access())),
        28 => InstKind::CmpXchg(Box::new(CmpXchgInfo {
            weak: bit,
            access: access(),
            failure: pick(AtomicOrdering::ALL, x),
        })),
        29 => InstKind::LandingPad {
            cleanup: bit,
            clauses: vec![LandingClause::Filter; usize::from(y % 3)].into(),
        },
        _ if bit => InstKind::VaArg,
        _ => InstKind::DebugRecord(Box::new(DebugRecord {
            pieces: vec!["#dbg_value(".into(); usize::from(y % 4)].into(),
        })),
    }
}

/// A module whose function has these instructions, with forward references among them.
fn module(choices: &[Choice]) -> Module {
    let mut module = Module::default();
    let types = all_types(&mut module.env.types);
    let header = common::header(&mut module, "llvm.umax.i32", Type::I32, &[Type::I32]);
    let intrinsic = common::add(&mut module, header, Code::Declaration);
    let mut body = Body::default();
    let mut editor = Editor::new(&mut body);
    editor.add_arg(Type::I32, None);
    editor.add_arg(types[16], Some("agg"));
    let blocks: Vec<Block> = (0..3).map(|_| editor.add_block(None)).collect();
    let removed = editor.add_block(None);
    editor.remove_block(removed);
    let targets: Vec<Block> = blocks.iter().copied().chain([removed]).collect();
    let values = values(&mut editor, &types, GlobalRef::Func(intrinsic));
    let mut made: Vec<Value> = Vec::new();
    for choice in choices {
        let operands: Vec<Value> = choice.operands.iter().map(|n| pick(&values, *n)).collect();
        let to = choice.blocks.iter().map(|n| pick(&targets, *n));
        let data = InstData::new(kind(choice, &types), pick(&types, choice.ty), operands, to);
        let block = pick(&blocks, choice.x);
        let position = if choice.at_end { Position::End(block) } else { Position::Start(block) };
        made.push(editor.insert(position, data).into());
    }
    for (choice, user) in choices.iter().zip(&made) {
        let user = user.as_inst().expect("an instruction");
        if choice.y % 2 == 0 && !editor.body().inst(user).operands.is_empty() {
            editor.set_operand(Use { user, index: 0 }, pick(&made, choice.x));
        }
    }
    let header = common::header(&mut module, "f", Type::I32, &[Type::I32]);
    common::add(&mut module, header, Code::Body(Box::new(body)));
    module
}

proptest! {
    #![proptest_config(backedge_testkit::kept(2000))]

    #[test]
    fn nothing_that_the_editor_can_make_panics(choices in choices()) {
        let module = module(&choices);
        let findings: Vec<Finding> = verify_module(&module);
        prop_assert!(!findings.is_empty(), "malformed constants alone are findings");
        for finding in &findings {
            prop_assert!(!finding.render(&module).is_empty());
        }
        prop_assert!(!module_to_string(&module).is_empty());
    }
}
