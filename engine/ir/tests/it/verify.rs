//! The verifier: its findings on bodies with a single error each, and none on valid bodies.

use crate::common;
use backedge_ir::body::Body;
use backedge_ir::builder::Builder;
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::Block;
use backedge_ir::inst::{BinaryFlags, BinaryOp, CastFlags, CastOp, InstData, InstKind, Use, Value};
use backedge_ir::int::Int;
use backedge_ir::opcode::{FastMath, IntPredicate};
use backedge_ir::types::{FloatKind, Type};
use backedge_ir::verify::{FindingKind, verify_module};

/// `for (i = 0; i < n; i++) store i, p`, and its blocks.
struct Loop {
    body: Body,
    blocks: [Block; 3],
    phi: Value,
    next: Value,
}

fn counting_loop() -> Loop {
    let mut body = Body::default();
    let mut editor = Editor::new(&mut body);
    let n = editor.add_arg(Type::I32, Some("n"));
    let p = editor.add_arg(Type::PTR, Some("p"));
    let blocks = ["entry", "head", "exit"].map(|name| editor.add_block(Some(name)));
    let [entry, head, exit] = blocks;
    let zero = editor.int(Int::zero(32));
    let one = editor.int(Int::one(32));
    Builder::new(&mut editor, Position::End(entry)).br(head);
    let mut b = Builder::new(&mut editor, Position::End(head));
    let phi = b.phi(Type::I32, &[(zero, entry)], "i");
    b.store(phi, p.into(), Some(4));
    let next = b.binary(BinaryOp::Add, phi, one, BinaryFlags { nuw: true, ..Default::default() }, "next");
    let more = b.icmp(IntPredicate::Ult, next, n.into(), "more");
    b.cond_br(more, head, exit);
    Builder::new(&mut editor, Position::End(exit)).ret(Some(next));
    editor.add_incoming(phi.as_inst().expect("an instruction"), next, head);
    Loop { body, blocks, phi, next }
}

fn kinds(body: Body) -> Vec<FindingKind> {
    let (module, _) = common::module_of(Type::I32, &[Type::I32, Type::PTR], body);
    verify_module(&module).into_iter().map(|f| f.kind).collect()
}

/// Edits the loop and returns the verifier's findings.
fn after(edit: impl FnOnce(&mut Editor<'_>, &[Block; 3], Value, Value)) -> Vec<FindingKind> {
    let Loop { mut body, blocks, phi, next } = counting_loop();
    edit(&mut Editor::new(&mut body), &blocks, phi, next);
    kinds(body)
}

macro_rules! assert_found {
    ($kinds:expr, $($pattern:pat),+ $(,)?) => {{
        let kinds = $kinds;
        $(assert!(
            kinds.iter().any(|k| matches!(k, $pattern)),
            "{} is not among {kinds:#?}", stringify!($pattern)
        );)+
    }};
}

#[test]
fn valid_bodies_have_no_findings() {
    assert_eq!(after(|_, _, _, _| {}), []);
}

#[test]
fn blocks_end_in_one_terminator() {
    let with_empty = after(|e, _, _, _| {
        e.add_block(None);
    });
    assert_found!(with_empty, FindingKind::EmptyBlock);
    assert_found!(
        after(|e, [_, _, exit], _, _| e.remove(e.body().terminator(*exit).expect("a ret"))),
        FindingKind::EmptyBlock
    );
    assert_found!(
        after(|e, [_, head, _], _, _| e.remove(e.body().terminator(*head).expect("a branch"))),
        FindingKind::NoTerminator,
        FindingKind::PhiEntries { entries: 1, edges: 0, .. }
    );
    assert_found!(
        after(|e, [_, _, exit], _, _| {
            e.insert(Position::End(*exit), InstData::new(InstKind::Unreachable, Type::VOID, [], []));
        }),
        FindingKind::TerminatorInside
    );
    assert_found!(kinds(Body::default()), FindingKind::NoBlocks, FindingKind::Parameters(_));
}

#[test]
fn phis_fit_the_edges() {
    let inst = |v: Value| v.as_inst().expect("an instruction");
    assert_found!(
        after(|e, _, phi, _| e.remove_incoming(inst(phi), 1)),
        FindingKind::PhiEntries { entries: 0, edges: 1, .. }
    );
    assert_found!(
        after(|e, [entry, ..], phi, next| e.add_incoming(inst(phi), next, *entry)),
        FindingKind::PhiEntries { entries: 2, edges: 1, .. },
        FindingKind::PhiConflict { .. },
        FindingKind::NotDominated { index: 2, .. }
    );
    assert_found!(
        after(|e, [_, head, _], phi, _| e.move_to(inst(phi), Position::BeforeTerminator(*head))),
        FindingKind::PhiNotFirst
    );
    assert_found!(
        after(|e, [entry, head, exit], _, _| e.redirect_edges(*head, *exit, *entry)),
        FindingKind::EntryHasPredecessor { .. }
    );
    assert_found!(after(|e, [_, _, exit], _, _| e.remove_block(*exit)), FindingKind::RemovedBlock { .. });
}

#[test]
fn definitions_dominate_uses() {
    let inst = |v: Value| v.as_inst().expect("an instruction");
    assert_found!(
        after(|e, [_, _, exit], _, next| e.move_to(inst(next), Position::Start(*exit))),
        FindingKind::NotDominated { .. }
    );
    assert_found!(
        after(|e, _, _, next| e.set_operand(Use { user: inst(next), index: 1 }, next)),
        FindingKind::NotDominated { index: 1, .. }
    );
    let removed = after(|e, _, _, next| {
        let forward = e.reserve(Type::I32);
        e.set_operand(Use { user: inst(next), index: 1 }, forward.into());
    });
    assert_found!(removed, FindingKind::RemovedOperand { index: 1 });
}

#[test]
fn a_use_in_an_unreachable_block_needs_no_dominating_definition() {
    let found = after(|e, _, _, next| {
        let dead = e.add_block(Some("dead"));
        let one = e.int(Int::one(32));
        let mut b = Builder::new(e, Position::End(dead));
        let sum = b.binary(BinaryOp::Mul, next, one, BinaryFlags::default(), "dead.value");
        b.ret(Some(sum));
        let user = sum.as_inst().expect("an instruction");
        e.set_operand(Use { user, index: 1 }, sum);
    });
    assert_eq!(found, []);
}

#[test]
fn types_and_flags_fit_the_operation() {
    let double = Type::float(FloatKind::Double);
    let at_exit = |kind: InstKind, ty: Type, operands: fn(&mut Editor<'_>, Value) -> Vec<Value>| {
        after(|e, [_, _, exit], _, next| {
            let operands = operands(e, next);
            e.insert(Position::Start(*exit), InstData::new(kind, ty, operands, []));
        })
    };
    let add = |flags| InstKind::Binary(BinaryOp::Add, flags);
    let plain = BinaryFlags::default();
    assert_found!(
        at_exit(add(plain), Type::I32, |e, v| vec![v, e.int(Int::one(64))]),
        FindingKind::OperandType { index: 1, .. }
    );
    assert_found!(at_exit(add(plain), Type::I64, |_, v| vec![v, v]), FindingKind::ResultType { .. });
    assert_found!(
        at_exit(add(plain), Type::I32, |_, v| vec![v]),
        FindingKind::OperandCount { expected: 2, found: 1 }
    );
    assert_found!(
        at_exit(add(BinaryFlags { exact: true, ..plain }), Type::I32, |_, v| vec![v, v]),
        FindingKind::Flag { flag: "exact" }
    );
    assert_found!(
        at_exit(InstKind::Cast(CastOp::ZExt, CastFlags::default()), Type::I8, |_, v| vec![v]),
        FindingKind::Cast { op: "zext", .. }
    );
    assert_found!(
        at_exit(InstKind::Cast(CastOp::BitCast, CastFlags::default()), double, |_, v| vec![v]),
        FindingKind::Cast { op: "bitcast", .. }
    );
    assert_found!(
        at_exit(InstKind::Select(FastMath::FAST), Type::I32, |_, v| vec![v, v, v]),
        FindingKind::OperandType { index: 0, .. },
        FindingKind::Flag { .. }
    );
    assert_found!(
        at_exit(InstKind::Gep { source: Type::VOID, flags: Default::default() }, Type::PTR, |_, v| vec![v]),
        FindingKind::InnerType { .. },
        FindingKind::OperandType { index: 0, .. }
    );
}

#[test]
fn ids_of_another_body_are_found_before_anything_is_asked_of_them() {
    let mut other = Body::default();
    let mut foreign = Editor::new(&mut other);
    let far = (0..100).map(|n| foreign.int(Int::new(32, n))).last().expect("a hundred");
    let found = after(|e, _, _, next| {
        let user = next.as_inst().expect("an instruction");
        e.set_operand(Use { user, index: 1 }, far);
    });
    assert_found!(&found, FindingKind::ForeignId { .. });
    assert_eq!(found.len(), 1);
}

#[test]
fn a_finding_shows_its_place() {
    let Loop { mut body, blocks: [_, head, _], phi, .. } = counting_loop();
    let mut editor = Editor::new(&mut body);
    editor.move_to(phi.as_inst().expect("an instruction"), Position::BeforeTerminator(head));
    let (module, _) = common::module_of(Type::I32, &[Type::I32, Type::PTR], body);
    let lines: Vec<String> = verify_module(&module).iter().map(|f| f.render(&module)).collect();
    assert!(
        lines.iter().any(|l| l.starts_with(
            "@f, block %head, `%i = phi i32 [ 0, %entry ], [ %next, %head ]`: a phi follows a non-phi instruction"
        )),
        "{lines:#?}"
    );
}
