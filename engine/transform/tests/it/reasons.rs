//! Remark reasons that a textual pipeline cannot produce: `loop-rotate` on loops that are not simplified, and tokens,
//! which the parser does not model.

use crate::common::module_of;
use crate::common::{run_loop_pass, run_pass};
use backedge_ir::body::Body;
use backedge_ir::builder::Builder;
use backedge_ir::constant::GlobalRef;
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::{Block, FuncId};
use backedge_ir::inst::{CallInfo, InstData, InstKind, Value};
use backedge_ir::module::Module;
use backedge_ir::opcode::{FastMath, TailKind};
use backedge_ir::types::Type;
use backedge_transform::clone::Uncopyable;
use backedge_transform::indvars::IndVarSimplify;
use backedge_transform::lcssa::{self, Lcssa};
use backedge_transform::remark::{Missed, Outcome, Remark};
use backedge_transform::rotate::{self, FormPart, LoopRotate};
use backedge_transform::simplify::LoopSimplify;

/// A module with one function whose CFG is `graph` (node 0 is the entry).
fn bare(graph: &[&[usize]]) -> (Module, FuncId) {
    // The instructions of the blocks do not matter here; the blocks are called b0, b1, ….
    let module = module_of(&[(graph.iter().map(|s| s.to_vec()).collect(), 3)]);
    let func = module.bodies().map(|(f, _)| f).next().expect("a body");
    (module, func)
}

fn rotate(graph: &[&[usize]]) -> Vec<Remark> {
    let (mut module, func) = bare(graph);
    let (env, body) = module.body_mut(func).expect("a body");
    let epoch = body.body_epoch();
    let remarks = run_loop_pass(env, func, body, &LoopRotate::default());
    assert_eq!(body.body_epoch(), epoch, "a missed loop is left alone");
    remarks
}

fn missed(remarks: &[Remark]) -> Vec<&rotate::RotateMissed> {
    let missed = |r| match r {
        &Remark { outcome: Outcome::Missed(Missed::Rotate(ref m)), .. } => Some(m),
        _ => None,
    };
    remarks.iter().filter_map(missed).collect()
}

#[test]
fn no_preheader() {
    let remarks = rotate(&[&[1, 2], &[2], &[3, 4], &[2], &[]]);
    assert_eq!(missed(&remarks), [&rotate::RotateMissed::NotSimplified(FormPart::Preheader)]);
    assert_eq!(remarks[0].to_string(), "@f0: loop %b2: loop-rotate: missed: the loop has no preheader");
}

#[test]
fn indvars_of_a_loop_without_preheader() {
    let (mut module, func) = bare(&[&[1, 2], &[2], &[3, 4], &[2], &[]]);
    let (env, body) = module.body_mut(func).expect("a body");
    let epoch = body.body_epoch();
    let remarks = run_loop_pass(env, func, body, &IndVarSimplify::default());
    assert_eq!(body.body_epoch(), epoch, "a missed loop is left alone");
    let remarks: Vec<String> = remarks.iter().map(ToString::to_string).collect();
    assert_eq!(remarks, ["@f0: loop %b2: indvars: missed: the loop is not in loop simplify form"]);
}

#[test]
fn several_backedges() {
    let remarks = rotate(&[&[1], &[2, 4], &[1, 3], &[1], &[]]);
    assert_eq!(missed(&remarks), [&rotate::RotateMissed::NotSimplified(FormPart::SingleBackedge)]);
}

#[test]
fn shared_exits() {
    let remarks = rotate(&[&[1, 4], &[2], &[3, 4], &[2], &[]]);
    assert_eq!(missed(&remarks), [&rotate::RotateMissed::NotSimplified(FormPart::DedicatedExits)]);
}

/// Inserts a call of `@trace` that returns a token at the start of `block`, and one that takes it at the start of
/// `user`.
fn add_token(module: &mut Module, func: FuncId, block: Block, user: Block) {
    let give = module.env.types.function(Type::TOKEN, &[], false);
    let take = module.env.types.function(Type::VOID, &[Type::TOKEN], false);
    let callee = module.env.func_named("trace").expect("@trace");
    let (_, body) = module.body_mut(func).expect("a body");
    let mut editor = Editor::new(body);
    let callee: Value = editor.consts().global(Type::PTR, GlobalRef::Func(callee)).into();
    let call = |fn_ty, ty, args: &[Value]| {
        let info = CallInfo {
            tail: TailKind::None,
            cc: "".into(),
            ret_attrs: Default::default(),
            fn_ty,
            addrspace: None,
            arg_attrs: vec![Default::default(); args.len()],
            fn_attrs: Default::default(),
            bundles: Vec::new(),
            fast: FastMath::NONE,
        };
        let operands: Vec<Value> = args.iter().copied().chain([callee]).collect();
        InstData::new(InstKind::Call(Box::new(info)), ty, operands, [])
    };
    let token = editor.insert_named(Position::AfterPhis(block), call(give, Type::TOKEN, &[]), "t");
    let mut builder = Builder::new(&mut editor, Position::BeforeTerminator(user));
    builder.insert(call(take, Type::VOID, &[token.into()]));
}

fn block(body: &Body, name: &str) -> Block {
    body.block_named(name).expect("the block")
}

#[test]
fn tokens() {
    let (mut module, func) = bare(&[&[1], &[2, 3], &[1], &[]]);
    let (header, exit) = {
        let body = module.body(func).expect("a body");
        (block(body, "b1"), block(body, "b3"))
    };
    add_token(&mut module, func, header, exit);
    let (env, body) = module.body_mut(func).expect("a body");
    run_pass(env, func, body, &LoopSimplify);
    let remarks = run_pass(env, func, body, &Lcssa);
    let token = lcssa::LcssaMissed::Token { name: Some("t".to_owned()) };
    let outcomes: Vec<&Outcome> =
        remarks.iter().map(|r| &r.outcome).filter(|o| matches!(o, Outcome::Missed(_))).collect();
    assert_eq!(outcomes, [&Outcome::from(token)]);
    let remarks = run_loop_pass(env, func, body, &LoopRotate::default());
    assert_eq!(missed(&remarks), [&rotate::RotateMissed::Uncopyable(Uncopyable::Token)]);
}

#[test]
fn remarks_as_yaml() {
    let remarks = rotate(&[&[1, 2], &[2], &[3, 4], &[2], &[]]);
    let yaml = "--- !Missed\nPass:            loop-rotate\nName:            NotSimplified\nFunction:        'f0'\n\
                Args:\n  - String:          'loop %'\n  - Loop:            'b2'\n  \
                - String:          ': the loop has no preheader'\n...\n";
    assert_eq!(remarks[0].to_yaml(None), yaml);
}
