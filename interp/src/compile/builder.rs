//! Compiles a body: assigns registers, emits blocks in text order, and phis as copies on edges. [`super::inst`] emits
//! the operations of an instruction.
//!
//! An unmodelled instruction becomes [`Op::Unsupported`], which ends a run that reaches it; the rest of the function
//! still runs. Unreachable blocks are omitted.

use super::Program;
use super::flushing::Flushing;
use super::op::{Code, Edge, EdgeId, Op};
use super::progress::Progress;
use super::reg::Reg;
use super::shorten::shorten;
use crate::exec::regs::Template;
use crate::layout::Shape;
use crate::outcome::Feature;
use crate::value::Val;
use backedge_ir::body::Body;
use backedge_ir::cfg::Cfg;
use backedge_ir::entity::{Block, Const, EntityId, FuncId, Inst, SecondaryMap};
use backedge_ir::inst::Value;
use backedge_ir::types::Type;
use std::collections::HashMap;

/// Compiles `body` to dense form.
pub(super) fn compile(program: &Program<'_>, func: FuncId, body: &Body) -> Result<Code, Feature> {
    let mut builder = Builder::new(program, func, body);
    builder.assign_registers();
    builder.emit_blocks()?;
    builder.finish()
}

/// Phis with more entries than this use a lookup table; others are searched linearly.
const SEARCHED_ENTRIES: usize = 16;

/// Incoming values of large phis by block.
type LargePhis = HashMap<(Inst, Block), Value>;

pub(super) struct Builder<'a> {
    pub(super) func: FuncId,
    pub(super) flushing: Flushing,
    pub(super) program: &'a Program<'a>,
    pub(super) body: &'a Body,
    cfg: Cfg,
    regs: SecondaryMap<Inst, Option<Reg>>,
    const_regs: SecondaryMap<Const, Option<Reg>>,
    block_pcs: SecondaryMap<Block, u32>,
    block_costs: SecondaryMap<Block, u32>,
    /// Positions of blocks in the text; `order` holds those in reverse post-order.
    position: SecondaryMap<Block, u32>,
    order: SecondaryMap<Block, u32>,
    progress: Progress,
    /// Edges with their source blocks.
    edges: Vec<(Block, Edge)>,
    /// Initial register contents of a new frame.
    values: Vec<Val>,
    pub(super) code: Code,
}

impl<'a> Builder<'a> {
    fn new(program: &'a Program<'a>, func: FuncId, body: &'a Body) -> Self {
        let cfg = Cfg::new(body);
        Self {
            func,
            flushing: Flushing::of(&program.module.env, func),
            program,
            body,
            progress: Progress::new(program.module, body, &cfg),
            cfg,
            regs: SecondaryMap::new(),
            const_regs: SecondaryMap::new(),
            block_pcs: SecondaryMap::new(),
            block_costs: SecondaryMap::new(),
            position: SecondaryMap::new(),
            order: SecondaryMap::new(),
            edges: Vec::new(),
            values: Vec::new(),
            code: Code {
                ops: Vec::new(),
                places: Vec::new(),
                edges: Vec::new(),
                moves: Vec::new(),
                quick: Vec::new(),
                near_moves: Vec::new(),
                template: Template::default(),
                first_const: 0,
                regs: SecondaryMap::new(),
                entry_cost: 0,
                phis: Vec::new(),
            },
        }
    }
    fn assign_registers(&mut self) {
        self.values = vec![Val::Poison; self.body.args().len()];
        for block in self.body.blocks() {
            for &inst in self.body.insts(block) {
                if self.body.inst(inst).ty != Type::VOID {
                    let reg = self.new_reg(Val::Poison);
                    self.regs[inst] = Some(reg);
                    self.code.regs[inst] = Some(reg);
                }
            }
        }
        self.code.first_const = self.values.len() as Reg;
    }
    pub(super) fn new_reg(&mut self, value: Val) -> Reg {
        self.values.push(value);
        (self.values.len() - 1) as Reg
    }
    /// The register that holds `value`.
    pub(super) fn reg(&mut self, value: Value) -> Result<Reg, Feature> {
        match value {
            Value::Arg(arg) => Ok(arg.index() as Reg),
            Value::Inst(inst) => {
                self.regs[inst].ok_or(Feature::Other("a use of a result that does not exist"))
            }
            Value::Const(c) => {
                if let Some(reg) = self.const_regs[c] {
                    return Ok(reg);
                }
                let value = self.program.constant(self.body, c)?;
                let reg = self.new_reg(value);
                self.const_regs[c] = Some(reg);
                Ok(reg)
            }
        }
    }
    pub(super) fn regs_of(&mut self, values: &[Value]) -> Result<Box<[Reg]>, Feature> {
        values.iter().map(|v| self.reg(*v)).collect()
    }
    pub(super) fn shape(&self, ty: Type) -> Result<Shape, Feature> {
        Shape::of(&self.program.module.env, ty)
    }
    pub(super) fn shape_of(&self, value: Value) -> Result<Shape, Feature> {
        self.shape(self.body.ty(value))
    }
    pub(super) fn dst(&self, inst: Inst) -> Reg {
        self.regs[inst].unwrap_or(Reg::MAX)
    }
    pub(super) fn push(&mut self, inst: Inst, op: Op) {
        self.code.ops.push(op);
        self.code.places.push(inst);
    }
    fn emit_blocks(&mut self) -> Result<(), Feature> {
        let body = self.body;
        for (i, block) in body.blocks().enumerate() {
            self.position[block] = i as u32;
        }
        for (i, &block) in self.cfg.rpo().iter().enumerate() {
            self.order[block] = i as u32;
        }
        for block in body.blocks().filter(|b| self.cfg.is_reachable(*b)).collect::<Vec<_>>() {
            self.block_pcs[block] = self.code.ops.len() as u32;
            self.block_costs[block] = body.insts(block).len() as u32;
            let phis: Vec<(Inst, Reg)> = body.phis(block).map(|p| (p, self.dst(p))).collect();
            if !phis.is_empty() {
                self.code.phis.push((block, phis));
            }
            for &inst in body.insts(block) {
                let emitted = self.emit(block, inst).and_then(|()| match self.flushing.any() {
                    true => self.emit_denormal_check(inst),
                    false => Ok(()),
                });
                if let Err(feature) = emitted {
                    self.push(inst, Op::Unsupported(Box::new(feature)));
                }
            }
            if body.terminator(block).is_none() {
                return Err(Feature::Other("a block without a terminator"));
            }
        }
        self.code.phis.sort_by_key(|(b, _)| *b);
        let entry = body.entry().ok_or(Feature::Other("a function without blocks"))?;
        self.code.entry_cost = self.block_costs[entry];
        Ok(())
    }
    /// Creates an edge; `finish` fills in its target.
    pub(super) fn edge(&mut self, from: Block, to: Block) -> EdgeId {
        let retreats = self.order[to] <= self.order[from];
        let edge = Edge {
            target: 0,
            block: to,
            moves: (0, 0),
            near: true,
            cost: 0,
            backward: retreats || self.position[to] <= self.position[from],
            mustprogress: !retreats || self.progress.is_demanded(from, to),
        };
        self.edges.push((from, edge));
        (self.edges.len() - 1) as EdgeId
    }
    fn finish(mut self) -> Result<Code, Feature> {
        let spare = self.new_reg(Val::Poison);
        let incoming = self.large_phis();
        let near = |reg: Reg| u16::try_from(reg).ok();
        for (from, mut edge) in std::mem::take(&mut self.edges) {
            edge.target = self.block_pcs[edge.block];
            edge.cost = self.block_costs[edge.block];
            let start = self.code.moves.len();
            let moves = self.phi_moves(from, edge.block, &incoming)?;
            self.code.moves.extend(sequence(moves, spare));
            edge.moves = (start as u32, self.code.moves.len() as u32);
            let pairs = self.code.moves[start..].iter().map(|(dst, src)| near(*dst).zip(near(*src)));
            edge.near = pairs.clone().all(|pair| pair.is_some());
            self.code.near_moves.extend(pairs.map(Option::unwrap_or_default));
            self.code.edges.push(edge);
        }
        self.code.template = Template::new(&self.values);
        self.code.quick = shorten(self.program, self.body, &self.code);
        Ok(self.code)
    }
    /// The entries of phis that are too large to search for each edge.
    fn large_phis(&self) -> LargePhis {
        let body = self.body;
        let phis = body.blocks().flat_map(|block| body.phis(block));
        let large = phis.filter(|phi| body.inst(*phi).blocks.len() > SEARCHED_ENTRIES);
        large
            .flat_map(|phi| body.inst(phi).incoming().map(move |(value, from)| ((phi, from), value)))
            .collect()
    }
    fn phi_moves(&mut self, from: Block, to: Block, large: &LargePhis) -> Result<Vec<(Reg, Reg)>, Feature> {
        let mut moves = Vec::new();
        for phi in self.body.phis(to).collect::<Vec<_>>() {
            let missing = Feature::Other("a phi without an entry for an edge");
            let found = large.get(&(phi, from)).copied();
            let value = found.or_else(|| self.body.incoming_from(phi, from)).ok_or(missing)?;
            let source = self.reg(value)?;
            moves.push((self.dst(phi), source));
        }
        Ok(moves)
    }
}

/// Orders parallel copies (destination, source) so that none overwrites the source of a later one; cycles go through
/// `spare`.
fn sequence(mut pending: Vec<(Reg, Reg)>, spare: Reg) -> Vec<(Reg, Reg)> {
    let mut ordered = Vec::with_capacity(pending.len() + 1);
    pending.retain(|(dst, src)| dst != src);
    while !pending.is_empty() {
        let free = pending.iter().position(|(dst, _)| !pending.iter().any(|(_, src)| src == dst));
        match free {
            Some(i) => ordered.push(pending.swap_remove(i)),
            None => {
                let (_, src) = pending[0];
                ordered.push((spare, src));
                for copy in &mut pending {
                    if copy.1 == src {
                        copy.1 = spare;
                    }
                }
            }
        }
    }
    ordered
}
