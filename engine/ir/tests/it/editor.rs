//! Random sequences of edits: after each edit, the editor's tables are consistent, the epochs reflect the change, and
//! uses of removed values are poison. The body need not be valid IR between edits.

use crate::common;
use backedge_ir::body::Body;
use backedge_ir::constant::ConstData;
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{BinaryFlags, BinaryOp, InstData, InstKind, Use, Value};
use backedge_ir::int::Int;
use backedge_ir::metadata::{MdKind, MdRef};
use backedge_ir::opcode::FastMath;
use backedge_ir::print::module_to_string;
use backedge_ir::types::Type;
use backedge_ir::verify::{FindingKind, verify_module};
use proptest::prelude::*;

/// An edit: its kind, and numbers that select blocks, instructions and operands.
#[derive(Copy, Clone, Debug)]
struct Edit {
    what: u8,
    a: u16,
    b: u16,
    c: u16,
}

/// The number of kinds of edits.
const KINDS: u8 = 27;

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let edit = (0..KINDS, any::<u16>(), any::<u16>(), any::<u16>());
    prop::collection::vec(edit.prop_map(|(what, a, b, c)| Edit { what, a, b, c }), 1..60)
}

fn pick<T: Copy>(list: &[T], n: u16) -> Option<T> {
    if list.is_empty() { None } else { Some(list[usize::from(n) % list.len()]) }
}

fn block(body: &Body, n: u16) -> Option<Block> {
    pick(&body.blocks().collect::<Vec<_>>(), n)
}

fn inst(body: &Body, n: u16) -> Option<Inst> {
    pick(&body.all_insts().collect::<Vec<_>>(), n)
}

fn phi(body: &Body, n: u16) -> Option<Inst> {
    let phis: Vec<Inst> = body.all_insts().filter(|i| body.inst(*i).kind.is_phi()).collect();
    pick(&phis, n)
}

fn value(editor: &mut Editor<'_>, n: u16) -> Value {
    let body = editor.body();
    let mut values: Vec<Value> =
        body.all_insts().filter(|i| body.ty((*i).into()) == Type::I32).map(Value::from).collect();
    values.extend(body.args().map(Value::from));
    let constant = editor.int(Int::new(32, u128::from(n % 4)));
    values.push(constant);
    pick(&values, n).expect("there is a constant")
}

fn position(body: &Body, n: u16, m: u16) -> Option<Position> {
    let block = block(body, n)?;
    let inst = inst(body, n);
    Some(match (m % 6, inst) {
        (0, Some(inst)) => Position::Before(inst),
        (1, Some(inst)) => Position::After(inst),
        (2, _) => Position::Start(block),
        (3, _) => Position::AfterPhis(block),
        (4, _) => Position::BeforeTerminator(block),
        (_, _) => Position::End(block),
    })
}

fn branch(editor: &mut Editor<'_>, edit: Edit) -> Option<InstData> {
    let (yes, no) = (block(editor.body(), edit.b)?, block(editor.body(), edit.c)?);
    Some(match edit.c % 3 {
        0 => InstData::new(InstKind::Br, Type::VOID, [], [yes]),
        1 => InstData::new(InstKind::CondBr, Type::VOID, [value(editor, edit.c)], [yes, no]),
        _ => InstData::new(InstKind::Ret, Type::VOID, [value(editor, edit.b)], []),
    })
}

/// Performs the edit if the body has the entities it needs.
fn apply(editor: &mut Editor<'_>, edit: Edit) -> Option<()> {
    match edit.what {
        0..=6 | 21 => edit_blocks(editor, edit),
        7..=10 | 15 | 16 | 20 | 26 => edit_insts(editor, edit),
        11 | 12 | 24 | 25 => edit_phis(editor, edit),
        13 | 14 | 22 | 23 => edit_edges(editor, edit),
        17..=19 => edit_uses(editor, edit),
        _ => Some(()),
    }
}

/// The name that the edit gives.
fn name(edit: Edit) -> String {
    format!("n{}", edit.b % 4)
}

/// Adds, moves, removes, splits and names blocks.
fn edit_blocks(editor: &mut Editor<'_>, edit: Edit) -> Option<()> {
    let Edit { what, a, b, .. } = edit;
    let name = name(edit);
    match what {
        0 => {
            editor.add_block((b % 2 == 0).then_some(name.as_str()));
        }
        1 => {
            editor.add_block_before(block(editor.body(), a)?, Some(&name));
        }
        2 => {
            editor.add_block_after(block(editor.body(), a)?, None);
        }
        3 => editor.move_block_after(block(editor.body(), a)?, block(editor.body(), b)?),
        4 => editor.move_block_before(block(editor.body(), a)?, block(editor.body(), b)?),
        5 if editor.body().block_count() > 1 => editor.remove_block(block(editor.body(), a)?),
        6 => {
            editor.split_block(inst(editor.body(), a)?, Some(&name));
        }
        21 => editor.set_block_name(block(editor.body(), a)?, &name),
        _ => {}
    }
    Some(())
}

/// Inserts, removes, moves and names instructions.
fn edit_insts(editor: &mut Editor<'_>, edit: Edit) -> Option<()> {
    let Edit { what, a, b, c } = edit;
    match what {
        7 | 8 => {
            let operands = [value(editor, a), value(editor, c)];
            let kind = InstKind::Binary(BinaryOp::Add, BinaryFlags::default());
            let data = InstData::new(kind, Type::I32, operands, []);
            editor.insert_named(position(editor.body(), a, b)?, data, &name(edit));
        }
        9 | 10 => {
            let from = block(editor.body(), b)?;
            let kind = InstKind::Phi(FastMath::NONE);
            let data = InstData::new(kind, Type::I32, [value(editor, c)], [from]);
            editor.insert(Position::Start(block(editor.body(), a)?), data);
        }
        15 => return remove(editor, inst(editor.body(), a)?),
        16 => editor.move_to(inst(editor.body(), a)?, position(editor.body(), b, c)?),
        20 => {
            let inst = inst(editor.body(), a)?;
            if editor.body().ty(inst.into()) != Type::VOID {
                if c % 3 == 0 { editor.clear_name(inst) } else { editor.set_name(inst, &name(edit)) }
            }
        }
        26 => {
            let forward = editor.reserve(Type::I32);
            let operands = [Value::from(forward), value(editor, c)];
            let kind = InstKind::Binary(BinaryOp::Xor, BinaryFlags::default());
            let data = InstData::new(kind, Type::I32, operands, []);
            editor.insert(position(editor.body(), a, b)?, data.clone());
            editor.define(forward, position(editor.body(), b, c)?, data);
        }
        _ => {}
    }
    Some(())
}

/// Changes entries of phis.
fn edit_phis(editor: &mut Editor<'_>, edit: Edit) -> Option<()> {
    let Edit { what, a, b, c } = edit;
    match what {
        11 => {
            let from = block(editor.body(), b)?;
            let value = value(editor, c);
            editor.add_incoming(phi(editor.body(), a)?, value, from);
        }
        12 => remove_entry(editor, edit)?,
        24 => editor.replace_phi_block(
            block(editor.body(), a)?,
            block(editor.body(), b)?,
            block(editor.body(), c)?,
        ),
        25 => editor.remove_edge_from_phis(block(editor.body(), a)?, block(editor.body(), b)?),
        _ => {}
    }
    Some(())
}

/// Changes terminators.
fn edit_edges(editor: &mut Editor<'_>, edit: Edit) -> Option<()> {
    let Edit { what, a, b, c } = edit;
    match what {
        13 | 14 => {
            let data = branch(editor, edit)?;
            editor.set_terminator(block(editor.body(), a)?, data);
        }
        22 => editor.redirect_edges(
            block(editor.body(), a)?,
            block(editor.body(), b)?,
            block(editor.body(), c)?,
        ),
        23 => {
            let terminator = editor.body().terminator(block(editor.body(), a)?)?;
            let indices: Vec<usize> = (0..editor.body().inst(terminator).blocks.len()).collect();
            editor.set_successor(terminator, pick(&indices, b)?, block(editor.body(), c)?);
        }
        _ => {}
    }
    Some(())
}

/// Replaces operands and uses.
fn edit_uses(editor: &mut Editor<'_>, edit: Edit) -> Option<()> {
    let Edit { what, a, b, c } = edit;
    match what {
        17 => {
            let user = inst(editor.body(), a)?;
            let indices: Vec<u32> = (0..editor.body().inst(user).operands.len() as u32).collect();
            let value = value(editor, c);
            editor.set_operand(Use { user, index: pick(&indices, b)? }, value);
        }
        18 => {
            let (old, new) = (value(editor, a), value(editor, b));
            if old != new && old.as_const().is_none() {
                editor.replace_uses(old, new);
                assert!(editor.body().uses(old).is_empty());
            }
        }
        19 => {
            let (old, new) = (value(editor, a), value(editor, b));
            editor.replace_uses_if(old, new, |_, use_| use_.index == 0);
        }
        _ => {}
    }
    Some(())
}

/// Removes one entry of a phi, or all entries of one predecessor.
fn remove_entry(editor: &mut Editor<'_>, edit: Edit) -> Option<()> {
    let phi = phi(editor.body(), edit.a)?;
    let entries: Vec<usize> = (0..editor.body().inst(phi).blocks.len()).collect();
    let index = pick(&entries, edit.b)?;
    if edit.c.is_multiple_of(2) {
        editor.remove_incoming(phi, index);
    } else {
        let from = editor.body().inst(phi).blocks[index];
        editor.remove_all_incoming(phi, &[from]);
    }
    Some(())
}

/// Removes `inst`; afterwards its remaining uses must be poison of its type.
fn remove(editor: &mut Editor<'_>, inst: Inst) -> Option<()> {
    let ty = editor.body().ty(inst.into());
    let uses: Vec<Use> = editor.body().uses(inst.into()).iter().copied().filter(|u| u.user != inst).collect();
    editor.remove(inst);
    let body = editor.body();
    assert_eq!((body.block_of(inst), body.inst(inst).operands.len()), (None, 0));
    assert!(body.uses(inst.into()).is_empty() && body.value_name(inst.into()).is_none());
    for use_ in uses {
        let operand = body.inst(use_.user).operands[use_.index as usize];
        let constant = body.constant(operand.as_const().expect("a constant"));
        assert_eq!((constant.ty, &constant.data), (ty, &ConstData::Poison));
    }
    Some(())
}

/// The state that the CFG epoch tracks: blocks in order, and the edges of each.
fn graph(body: &Body) -> Vec<(Block, Vec<Block>)> {
    body.blocks().map(|b| (b, body.successors(b).to_vec())).collect()
}

/// The blocks, each with its contents.
fn blocks(body: &Body) -> Vec<(Block, String)> {
    let insts = |b: Block| body.insts(b).iter().map(|i| format!("{i:?} {:?}\n", body.inst(*i))).collect();
    body.blocks().map(|b| (b, insts(b))).collect()
}

fn contents(body: &Body) -> (backedge_ir::module::Module, String) {
    let (module, _) = common::module_of(Type::I32, &[Type::I32, Type::I32], body.clone());
    let text = module_to_string(&module);
    (module, text)
}

/// Findings about the tables that only the editor writes.
fn faults(module: &backedge_ir::module::Module) -> Vec<FindingKind> {
    let is_fault = |kind: &FindingKind| {
        matches!(
            kind,
            FindingKind::ForeignId { .. }
                | FindingKind::UseList { .. }
                | FindingKind::UseSlot { .. }
                | FindingKind::Name { .. }
                | FindingKind::NamedVoid(_)
                | FindingKind::Placement { .. }
                | FindingKind::RemovedOperand { .. }
        )
    };
    verify_module(module).into_iter().map(|f| f.kind).filter(is_fault).collect()
}

fn start() -> Body {
    let mut body = Body::default();
    let mut editor = Editor::new(&mut body);
    editor.add_arg(Type::I32, Some("n"));
    editor.add_arg(Type::I32, None);
    editor.add_block(Some("entry"));
    body
}

proptest! {
    #![proptest_config(backedge_testkit::kept(400))]

    #[test]
    fn tables_names_and_epochs_are_right_after_every_edit(edits in edits()) {
        let mut body = start();
        let (_, mut text) = contents(&body);
        for edit in edits {
            let (cfg_epoch, body_epoch, before) = (body.cfg_epoch(), body.body_epoch(), graph(&body));
            let blocks_before = blocks(&body);
            apply(&mut Editor::new(&mut body), edit);
            let (module, after) = contents(&body);
            prop_assert_eq!(faults(&module), vec![], "after {:?}:\n{}", edit, after);
            if graph(&body) != before {
                prop_assert_ne!(body.cfg_epoch(), cfg_epoch, "the graph changed by {:?}", edit);
            }
            if after != text {
                prop_assert_ne!(body.body_epoch(), body_epoch, "the body changed by {:?}", edit);
            }
            for (block, insts) in blocks(&body) {
                let same = blocks_before.iter().any(|(b, i)| *b == block && *i == insts);
                let told = body.has_changed_since(block, body_epoch);
                prop_assert!(same || told, "{:?} changed by {:?}", block, edit);
                prop_assert!(!body.has_changed_since(block, body.body_epoch()));
            }
            prop_assert!(body.body_epoch() >= body_epoch && body.cfg_epoch() >= cfg_epoch);
            text = after;
        }
    }
}

#[test]
fn split_block_keeps_the_meaning_of_edges_and_phis() {
    let mut body = start();
    let mut editor = Editor::new(&mut body);
    let entry = editor.body().entry().expect("there is a block");
    let exit = editor.add_block(Some("exit"));
    let one = editor.int(Int::one(32));
    let sum = InstKind::Binary(BinaryOp::Add, BinaryFlags::default());
    let first = editor.insert(Position::End(entry), InstData::new(sum, Type::I32, [one, one], []));
    editor.insert(Position::End(entry), InstData::new(InstKind::Br, Type::VOID, [], [exit]));
    let merge = InstData::new(InstKind::Phi(FastMath::NONE), Type::I32, [first.into()], [entry]);
    let phi = editor.insert(Position::End(exit), merge);
    editor.insert(Position::End(exit), InstData::new(InstKind::Ret, Type::VOID, [phi.into()], []));
    let terminator = editor.body().terminator(entry).expect("a branch");
    let rest = editor.split_block(terminator, Some("rest"));
    assert_eq!(editor.body().successors(entry), [rest]);
    assert_eq!(editor.body().successors(rest), [exit]);
    assert_eq!(editor.body().inst(phi).blocks[..], [rest]);
    assert_eq!(editor.body().blocks().collect::<Vec<_>>(), [entry, rest, exit]);
    let (module, _) = common::module_of(Type::I32, &[Type::I32, Type::I32], body);
    assert_eq!(verify_module(&module), []);
}

#[test]
fn remove_incoming_keeps_the_order_and_the_uses_of_the_others() {
    let mut body = start();
    let mut editor = Editor::new(&mut body);
    let blocks = ["a", "b", "c"].map(|name| editor.add_block(Some(name)));
    let args: Vec<Value> = editor.body().args().map(Value::from).collect();
    let merge = InstData::new(InstKind::Phi(FastMath::NONE), Type::I32, [args[0], args[1], args[0]], blocks);
    let phi = editor.insert(Position::End(blocks[0]), merge);
    editor.remove_incoming(phi, 0);
    let entries: Vec<_> = editor.body().inst(phi).incoming().collect();
    assert_eq!(entries, [(args[1], blocks[1]), (args[0], blocks[2])]);
    assert_eq!(editor.body().uses(args[0]), [Use { user: phi, index: 1 }]);
    assert_eq!(editor.body().uses(args[1]), [Use { user: phi, index: 0 }]);
}

#[test]
fn remove_all_incoming_takes_one_entry_for_each_edge() {
    let mut body = start();
    let mut editor = Editor::new(&mut body);
    let [a, b, c] = ["a", "b", "c"].map(|name| editor.add_block(Some(name)));
    let args: Vec<Value> = editor.body().args().map(Value::from).collect();
    let (values, blocks) = ([args[0], args[0], args[1], args[0], args[1]], [a, b, b, b, c]);
    let merge = InstData::new(InstKind::Phi(FastMath::NONE), Type::I32, values, blocks);
    let phi = editor.insert(Position::End(a), merge);
    editor.remove_all_incoming(phi, &[c, b, b]);
    let entries: Vec<_> = editor.body().inst(phi).incoming().collect();
    assert_eq!(entries, [(args[0], a), (args[0], b)]);
    assert_eq!(editor.body().uses(args[0]).len(), 2);
    assert_eq!(editor.body().uses(args[1]), []);
}

#[test]
fn a_taken_name_gets_a_number_and_a_freed_one_can_be_had_again() {
    let mut body = start();
    let mut editor = Editor::new(&mut body);
    let [x, y, z] = ["x"; 3].map(|name| editor.add_block(Some(name)));
    let names = |e: &Editor<'_>| [x, y, z].map(|b| e.body().block_name(b).map(str::to_owned));
    assert_eq!(names(&editor), ["x", "x1", "x2"].map(|n| Some(n.to_owned())));
    editor.remove_block(y);
    assert_eq!(editor.body().block_named("x1"), None);
    editor.set_block_name(z, "x1");
    assert_eq!(editor.body().block_named("x1"), Some(z));
    assert_eq!(editor.body().block_named("x2"), None);
}

#[test]
fn metadata_of_a_kind_is_replaced_and_filtered() {
    let (mut module, id) = common::module_of(Type::I32, &[Type::I32, Type::I32], start());
    let nodes = [0, 1].map(|n| module.env.metadata.numbered(n));
    let (_, body) = module.body_mut(id).expect("a body");
    let entry = body.entry().expect("a block");
    let mut editor = Editor::new(body);
    let ret = editor.insert(Position::End(entry), InstData::new(InstKind::Unreachable, Type::VOID, [], []));
    editor.set_metadata(ret, MdKind::Loop, MdRef::Node(nodes[0]));
    editor.set_metadata(ret, MdKind::Dbg, MdRef::Node(nodes[0]));
    editor.set_metadata(ret, MdKind::Loop, MdRef::Node(nodes[1]));
    assert_eq!(editor.body().inst(ret).metadata_of(&MdKind::Loop), Some(&MdRef::Node(nodes[1])));
    editor.retain_metadata(ret, |kind| *kind != MdKind::Loop);
    assert_eq!(editor.body().inst(ret).metadata, [(MdKind::Dbg, MdRef::Node(nodes[0]))]);
}
