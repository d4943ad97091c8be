//! The order of the reduction: a fixed total order on modules, by counts that matter to a reader of a test case, and
//! finally by the text. A step is kept only if it decreases in this order, so the reduction terminates.

use backedge_ir::body::Body;
use backedge_ir::constant::{ConstData, ConstPool};
use backedge_ir::entity::Const;
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::module::{Code, Module};
use std::fmt;

/// The size of a module. Fields are compared in order.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Size {
    /// Instructions without debug records; a line of unsupported code counts as one.
    pub instructions: usize,
    /// Blocks.
    pub blocks: usize,
    /// Arguments of functions with bodies.
    pub arguments: usize,
    /// Phis.
    pub phis: usize,
    /// Operands that are instruction results or arguments.
    pub uses: usize,
    /// Block operands of instructions: edges and phi entries.
    pub edges: usize,
    /// Total weight of constant operands: 0 for zero, the number of significant bits for integers, more for complex
    /// constants.
    pub constants: u64,
    /// Total bits of the integer and float types of instructions and arguments.
    pub widths: u64,
    /// Length of the text in bytes.
    pub bytes: usize,
}

impl Size {
    /// The size of `module` with the given text.
    pub fn of(module: &Module, text: &str) -> Self {
        let mut size = Self { bytes: text.len(), ..Self::default() };
        for (_, code) in module.code.iter() {
            match code {
                Code::Declaration => {}
                Code::Opaque(code) => size.instructions += code.text.lines().count(),
                Code::Body(body) => size.add(body),
            }
        }
        size
    }

    fn add(&mut self, body: &Body) {
        self.blocks += body.block_count();
        self.arguments += body.args().len();
        let bits = |ty: backedge_ir::types::Type| u64::from(ty.int_bits().unwrap_or(0));
        self.widths += body.args().map(|a| bits(body.ty(a.into()))).sum::<u64>();
        for inst in body.all_insts() {
            let data = body.inst(inst);
            if matches!(data.kind, InstKind::DebugRecord(_)) {
                continue;
            }
            self.instructions += 1;
            self.phis += usize::from(data.kind.is_phi());
            self.edges += data.blocks.len();
            self.widths += bits(data.ty);
            for operand in &data.operands {
                match operand {
                    Value::Const(c) => self.constants += weight(body.consts(), *c, 8),
                    Value::Inst(_) | Value::Arg(_) => self.uses += 1,
                }
            }
        }
    }
}

/// The weight of a constant. Members are counted down to `depth` levels.
pub(crate) fn weight(pool: &ConstPool, constant: Const, depth: u32) -> u64 {
    let inner = |c: Const| if depth == 0 { 64 } else { weight(pool, c, depth - 1) };
    match &pool.get(constant).data {
        ConstData::Int(int) => {
            let unsigned = u64::from(128 - int.bits().leading_zeros());
            // A small negative number is nearly as simple as a small positive one.
            let negative = u64::from(129 - int.signed().unsigned_abs().leading_zeros());
            unsigned.min(negative)
        }
        ConstData::Zero | ConstData::Float(0) => 0,
        ConstData::Float(bits) => 2 + u64::from(128 - bits.trailing_zeros()),
        ConstData::Global(_) => 1,
        ConstData::Undef | ConstData::Poison => 16,
        ConstData::Metadata(_) | ConstData::BlockAddress(_) => 32,
        ConstData::Splat(c) => 1 + inner(*c),
        ConstData::Bytes(bytes) => 8 * bytes.len() as u64,
        ConstData::Aggregate(list) => list.iter().map(|c| 1 + inner(*c)).sum(),
        ConstData::Expr(expr) => 32 + expr.operands.iter().map(|c| inner(*c)).sum::<u64>(),
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} instructions, {} blocks, {} arguments, {} phis, {} bytes",
            self.instructions, self.blocks, self.arguments, self.phis, self.bytes
        )
    }
}
