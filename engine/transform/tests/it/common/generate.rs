//! Random functions over `i32`: a random CFG with phis, arithmetic on dominating values, calls of `@trace` that show
//! values, and branches on comparisons; includes unreachable blocks and double edges.

use backedge_ir::body::Body;
use backedge_ir::builder::Builder;
use backedge_ir::cfg::Cfg;
use backedge_ir::constant::GlobalRef;
use backedge_ir::dominators::Dominators;
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::{Block, FuncId, SecondaryMap};
use backedge_ir::inst::{BinaryFlags, BinaryOp, CallInfo, InstData, InstKind, Value};
use backedge_ir::int::Int;
use backedge_ir::module::{Code, Function, Module, TopLevel};
use backedge_ir::opcode::{FastMath, IntPredicate, TailKind};
use backedge_ir::types::Type;
use backedge_testkit::{Dice, Graph};
use std::sync::Arc;

/// A module with `@trace` and one function per graph, called `f0`, `f1`, ….
pub(crate) fn module_of(graphs: &[(Graph, u64)]) -> Module {
    let mut module = Module::default();
    let trace = declare(&mut module, "trace", &[Type::I32], Code::Declaration);
    for (i, (graph, seed)) in graphs.iter().enumerate() {
        let mut body = Body::default();
        let fn_ty = module.env.types.function(Type::VOID, &[Type::I32], false);
        Maker::new(&mut body, trace, fn_ty, *seed).fill(graph);
        declare(&mut module, &format!("f{i}"), &[Type::I32, Type::I32], Code::Body(Box::new(body)));
    }
    module
}

fn declare(module: &mut Module, name: &str, params: &[Type], code: Code) -> FuncId {
    let name: Arc<str> = name.into();
    let ty = module.env.types.function(Type::VOID, params, false);
    let func = module.env.funcs.push(Function::plain(name.clone(), ty, params.len()));
    module.env.symbols.insert(name, GlobalRef::Func(func));
    module.env.order.push(TopLevel::Func(func));
    module.code.push(code);
    func
}

struct Maker<'b> {
    editor: Editor<'b>,
    dice: Dice,
    trace: Value,
    fn_ty: Type,
    args: Vec<Value>,
}

impl<'b> Maker<'b> {
    fn new(body: &'b mut Body, trace: FuncId, fn_ty: Type, seed: u64) -> Self {
        let mut editor = Editor::new(body);
        let args = ["a", "b"].map(|n| editor.add_arg(Type::I32, Some(n)).into()).to_vec();
        let trace = editor.consts().global(Type::PTR, GlobalRef::Func(trace)).into();
        Self { editor, dice: Dice::new(seed), trace, fn_ty, args }
    }
    fn fill(mut self, graph: &Graph) {
        let blocks: Vec<Block> =
            (0..graph.len()).map(|i| self.editor.add_block(Some(&format!("b{i}")))).collect();
        for (i, succs) in graph.iter().enumerate() {
            self.end_block(blocks[i], &succs.iter().map(|s| blocks[*s]).collect::<Vec<_>>());
        }
        let cfg = Cfg::new(self.editor.body());
        let dominators = Dominators::new(self.editor.body(), &cfg);
        let mut at_end: SecondaryMap<Block, Vec<Value>> = SecondaryMap::new();
        let mut order: Vec<Block> = cfg.rpo().to_vec();
        order.extend(blocks.iter().filter(|b| !cfg.is_reachable(**b)));
        let mut phis = Vec::new();
        let mut every = self.args.clone();
        for block in order {
            let mut values = match dominators.idom(block) {
                Some(idom) => at_end[idom].clone(),
                None if cfg.is_reachable(block) => self.args.clone(),
                // Every value is available in an unreachable block.
                None => every.clone(),
            };
            let mut own_phis = 0;
            if !cfg.preds(block).is_empty() {
                own_phis = self.dice.below(3);
                for _ in 0..own_phis {
                    let name = format!("p{}", phis.len());
                    let phi =
                        Builder::new(&mut self.editor, Position::AfterPhis(block)).phi(Type::I32, &[], &name);
                    phis.push(phi);
                    values.push(phi);
                }
            }
            let before = values.len() - own_phis;
            self.fill_block(block, &mut values);
            every.extend_from_slice(&values[before..]);
            at_end[block] = values;
        }
        for phi in phis {
            let Some(inst) = phi.as_inst() else { continue };
            let Some(block) = self.editor.body().block_of(inst) else { continue };
            let mut entries: Vec<(Block, Value)> = Vec::new();
            for &pred in cfg.preds(block) {
                // Entries for one predecessor agree.
                let known = entries.iter().find(|e| e.0 == pred).map(|e| e.1);
                let value = known.unwrap_or_else(|| self.pick(&at_end[pred]));
                entries.push((pred, value));
                self.editor.add_incoming(inst, value, pred);
            }
        }
    }
    fn pick(&mut self, values: &[Value]) -> Value {
        if values.is_empty() || self.dice.below(6) == 0 {
            let number = self.dice.below(5) as u128;
            return self.editor.int(Int::new(32, number));
        }
        // Prefer late values: they are often defined in loops.
        let late = values.len().min(4);
        let from = if self.dice.below(2) == 0 { values.len() - late } else { 0 };
        values[from + self.dice.below(values.len() - from)]
    }
    fn end_block(&mut self, block: Block, targets: &[Block]) {
        let zero = self.editor.int(Int::zero(1));
        let (kind, operands) = match targets.len() {
            0 => (InstKind::Ret, vec![]),
            1 => (InstKind::Br, vec![]),
            2 => (InstKind::CondBr, vec![zero]),
            n => {
                let mut operands = vec![self.args[0]];
                operands.extend((1..n).map(|k| self.editor.int(Int::new(32, k as u128))));
                (InstKind::Switch, operands)
            }
        };
        let data = InstData::new(kind, Type::VOID, operands, targets.iter().copied());
        self.editor.insert(Position::End(block), data);
    }
    fn fill_block(&mut self, block: Block, values: &mut Vec<Value>) {
        for _ in 0..self.dice.below(4) {
            let (x, y) = (self.pick(values), self.pick(values));
            if self.dice.below(3) == 0 {
                self.call_trace(block, x);
                continue;
            }
            let op = [BinaryOp::Add, BinaryOp::Xor, BinaryOp::Mul, BinaryOp::Sub][self.dice.below(4)];
            let position = Position::BeforeTerminator(block);
            let mut builder = Builder::new(&mut self.editor, position);
            values.push(builder.binary(op, x, y, BinaryFlags::default(), "v"));
        }
        let Some(terminator) = self.editor.body().terminator(block) else { return };
        let condition = match self.editor.body().inst(terminator).kind {
            InstKind::CondBr => {
                let (x, y) = (self.pick(values), self.pick(values));
                let preds = [IntPredicate::Slt, IntPredicate::Ugt, IntPredicate::Ne, IntPredicate::Eq];
                let pred = preds[self.dice.below(4)];
                Builder::new(&mut self.editor, Position::BeforeTerminator(block)).icmp(pred, x, y, "c")
            }
            InstKind::Switch => self.pick(values),
            _ => return,
        };
        self.editor.set_operand(backedge_ir::inst::Use { user: terminator, index: 0 }, condition);
    }
    fn call_trace(&mut self, block: Block, value: Value) {
        let info = CallInfo {
            tail: TailKind::None,
            cc: "".into(),
            ret_attrs: Default::default(),
            fn_ty: self.fn_ty,
            addrspace: None,
            arg_attrs: vec![Default::default()],
            fn_attrs: Default::default(),
            bundles: Vec::new(),
            fast: FastMath::NONE,
        };
        let data = InstData::new(InstKind::Call(Box::new(info)), Type::VOID, [value, self.trace], []);
        self.editor.insert(Position::BeforeTerminator(block), data);
    }
}
