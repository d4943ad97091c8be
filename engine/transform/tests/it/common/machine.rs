//! An interpreter for the functions of [`super::module_of`], sufficient to compare the values that two of them show.

use backedge_ir::body::Body;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::int::Int;
use backedge_ir::opcode::BinaryOp;
use std::collections::HashMap;

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    Returned,
    Unreachable,
    /// Out of steps.
    Cut,
}

/// The values passed to `@trace`, and how the run ended.
pub(crate) fn run(body: &Body, args: &[Int], steps: usize) -> (Vec<Int>, End) {
    let mut machine = Machine { body, args, values: HashMap::new(), trace: Vec::new() };
    let end = machine.run(steps);
    (machine.trace, end)
}

/// Whether two runs may be of the same program: equal traces, as far as both ran.
pub(crate) fn agree(a: &(Vec<Int>, End), b: &(Vec<Int>, End)) -> bool {
    let n = a.0.len().min(b.0.len());
    let full = |r: &(Vec<Int>, End)| r.1 != End::Cut;
    a.0[..n] == b.0[..n]
        && (!full(a) || b.0.len() <= a.0.len())
        && (!full(b) || a.0.len() <= b.0.len())
        && (!full(a) || !full(b) || a.1 == b.1)
}

struct Machine<'a> {
    body: &'a Body,
    args: &'a [Int],
    values: HashMap<Inst, Int>,
    trace: Vec<Int>,
}

impl Machine<'_> {
    fn value(&self, value: Value) -> Int {
        match value {
            Value::Inst(inst) => self.values[&inst],
            Value::Arg(arg) => self.args[backedge_ir::entity::EntityId::index(arg)],
            Value::Const(_) => self.body.as_int(value).expect("an integer constant"),
        }
    }
    fn run(&mut self, mut steps: usize) -> End {
        let mut at = self.body.entry().expect("an entry");
        let mut from: Option<Block> = None;
        loop {
            let phis: Vec<(Inst, Int)> = self
                .body
                .phis(at)
                .map(|p| {
                    let value = from.and_then(|f| self.body.incoming_from(p, f)).expect("an entry");
                    (p, self.value(value))
                })
                .collect();
            self.values.extend(phis);
            for &inst in self.body.insts(at) {
                steps = match steps.checked_sub(1) {
                    Some(steps) => steps,
                    None => return End::Cut,
                };
                let data = self.body.inst(inst);
                if data.kind.is_terminator() {
                    break;
                }
                let ops: Vec<Value> = data.operands.to_vec();
                let result = match &data.kind {
                    InstKind::Phi(_) => continue,
                    InstKind::Binary(op, _) => {
                        let (x, y) = (self.value(ops[0]), self.value(ops[1]));
                        match op {
                            BinaryOp::Add => x.add(y),
                            BinaryOp::Sub => x.sub(y),
                            BinaryOp::Mul => x.mul(y),
                            BinaryOp::Xor => x.xor(y),
                            BinaryOp::And => x.and(y),
                            BinaryOp::Or => x.or(y),
                            other => panic!("{other:?} is not generated"),
                        }
                    }
                    InstKind::ICmp { pred, .. } => {
                        Int::bool(pred.holds(self.value(ops[0]), self.value(ops[1])))
                    }
                    InstKind::Select(_) => self.value(ops[if self.value(ops[0]).is_zero() { 2 } else { 1 }]),
                    InstKind::Freeze => self.value(ops[0]),
                    InstKind::Call(_) => {
                        self.trace.push(self.value(ops[0]));
                        continue;
                    }
                    other => panic!("{} is not generated", other.mnemonic()),
                };
                self.values.insert(inst, result);
            }
            let data = self.body.inst(self.body.terminator(at).expect("a terminator"));
            let next = match data.kind {
                InstKind::Ret => return End::Returned,
                InstKind::Unreachable => return End::Unreachable,
                InstKind::Br => 0,
                InstKind::CondBr => usize::from(self.value(data.operands[0]).is_zero()),
                InstKind::Switch => {
                    let value = self.value(data.operands[0]);
                    let case = data.operands[1..].iter().position(|c| self.value(*c) == value);
                    case.map_or(0, |i| i + 1)
                }
                ref other => panic!("{} is not generated", other.mnemonic()),
            };
            (from, at) = (Some(at), data.blocks[next]);
        }
    }
}
