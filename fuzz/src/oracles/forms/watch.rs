//! The observer of a run: evaluates the forms of the tree at each step, and compares them with the values of the run.

use super::nest::{Nest, access};
use super::{Seen, WrongForm};
use crate::oracles::position::{Position, global_address};
use backedge_analysis::LoopId;
use backedge_analysis::cache::At;
use backedge_hir::canon::Level;
use backedge_hir::ddref::{Dimension, MemRef};
use backedge_hir::node::{HlInst, Kind, Operation};
use backedge_hir::{CanonExpr, Hir, Node, RegDdRef, Temp};
use backedge_interp::memory::Memory;
use backedge_interp::trace::{Done, Entry, Observer};
use backedge_interp::value::Val;
use backedge_ir::constant::ConstData;
use backedge_ir::entity::{Arg, Block, EntityId, FuncId, Inst};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::int::Int;
use std::collections::HashMap;

/// Maximum number of comparisons in one run: bounds the time of the oracle.
const MAX_COMPARED: u64 = 4000;

/// The kind of comparison.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum What {
    Scalar,
    Address,
    Stride,
    Bound,
}

pub(super) struct Watch<'a> {
    pub(super) at: At<'a>,
    pub(super) hir: &'a Hir,
    pub(super) position: Position<'a>,
    pub(super) nests: Vec<Nest>,
    /// The variables that represent a value.
    pub(super) holders: HashMap<Value, Vec<Temp>>,
    /// The last computed result of each value, if defined.
    pub(super) values: HashMap<Value, Int>,
    /// The current contents of variables.
    pub(super) temps: HashMap<Temp, Int>,
    /// The backedge-taken count of a loop, evaluated when the loop was entered.
    pub(super) runs_of: HashMap<LoopId, Int>,
    /// The last address of an access at the level of a loop, while all inner loops were in their first iteration.
    pub(super) last: HashMap<(Inst, Level), (Vec<i128>, Int)>,
    pub(super) seen: Seen,
    pub(super) wrong: Option<Box<WrongForm>>,
}

impl Watch<'_> {
    pub(super) fn restart(&mut self) {
        self.position.restart();
        self.values.clear();
        self.temps.clear();
        self.runs_of.clear();
        self.last.clear();
        self.wrong = None;
        self.seen = Seen::default();
    }
    fn compared(&self) -> u64 {
        let Seen { scalars, addresses, strides, bounds, .. } = self.seen;
        scalars + addresses + strides + bounds
    }
    /// Converts an integer or pointer to a number.
    fn number(&self, value: Value, computed: &Val) -> Option<Int> {
        let env = self.at.env;
        let ty = self.at.body.ty(value);
        match computed {
            Val::Ptr(ptr) => {
                let width = backedge_hir::ScalarType::new(&env.layout, ty)?.width;
                Some(Int::new(width, ptr.addr.into()))
            }
            _ => computed.as_int(ty.int_bits().filter(|bits| *bits <= Int::MAX_WIDTH)?),
        }
    }
    fn computed(&mut self, value: Value, computed: Option<&Val>, also: Option<Temp>) {
        let number = computed.and_then(|c| self.number(value, c));
        let holders = self.holders.get(&value).into_iter().flatten().copied().chain(also);
        for temp in holders {
            match number {
                Some(number) => self.temps.insert(temp, number),
                None => self.temps.remove(&temp),
            };
        }
        match number {
            Some(number) => self.values.insert(value, number),
            None => self.values.remove(&value),
        };
    }
    /// The value of an integer or pointer constant.
    fn constant(&self, value: Value, memory: Option<&Memory>) -> Option<Int> {
        let body = self.at.body;
        let constant = value.as_const()?;
        if let Some(number) = body.as_int(value) {
            return Some(number);
        }
        let width = backedge_hir::ScalarType::new(&self.at.env.layout, body.ty(value))?.width;
        match &body.constant(constant).data {
            ConstData::Zero => Some(Int::zero(width)),
            ConstData::Global(_) => {
                global_address(self.at, constant, memory?).map(|base| Int::new(width, base.into()))
            }
            _ => None,
        }
    }
    fn value(&self, value: Value, memory: Option<&Memory>) -> Option<Int> {
        self.values.get(&value).copied().or_else(|| self.constant(value, memory))
    }
    /// Evaluates a form in the current state.
    fn form(&self, form: &CanonExpr, iterations: &[i128], memory: Option<&Memory>) -> Option<Int> {
        let blobs = &self.hir.blobs;
        let iv = |level: Level| iterations.get(level as usize - 1).map_or(0, |i| *i as u128);
        let temp = |temp: Temp| {
            let constant = || self.constant(blobs.temp(temp).value?, memory);
            self.temps.get(&temp).copied().or_else(constant)
        };
        form.value(blobs, &iv, &temp)
    }
    /// Evaluates an address, from the definition of a memory reference with the dimensions `dims`.
    fn address(
        &self,
        of: &MemRef,
        dims: &[Dimension],
        iterations: &[i128],
        memory: Option<&Memory>,
    ) -> Option<Int> {
        let mut address = self.form(&of.base, iterations, memory)?.add(of.offset);
        for dim in dims {
            let (index, stride) = self.dimension(dim, address.width(), iterations, memory)?;
            address = address.add(index.mul(stride));
        }
        Some(address)
    }
    /// The values of a dimension's subscript and stride, in the width of addresses.
    fn dimension(
        &self,
        dim: &Dimension,
        width: u32,
        iterations: &[i128],
        memory: Option<&Memory>,
    ) -> Option<(Int, Int)> {
        let index = self.form(&dim.subscript, iterations, memory)?;
        let index = index.sext_or_trunc(width);
        Some((index, self.form(&dim.stride, iterations, memory)?))
    }
    /// Checks delinearized dimensions: they yield the same address as the flat form, and no subscript except the
    /// outermost leaves its row.
    fn rows(&mut self, of: &RegDdRef, iterations: &[i128], memory: Option<&Memory>) {
        let Some(mem) = of.as_memory().filter(|mem| mem.flat.is_some()) else { return };
        let hir = self.hir;
        let addresses =
            [&mem.dims[..], mem.computed_dims()].map(|d| self.address(mem, d, iterations, memory));
        let [Some(address), Some(computed)] = addresses else { return };
        self.compare(What::Address, &|_| of.text(&hir.blobs), address, computed, iterations);
        let width = address.width();
        for (number, pair) in (1..).zip(mem.dims.windows(2)) {
            let known = [0, 1].map(|at| self.dimension(&pair[at], width, iterations, memory));
            let [Some((index, stride)), Some((_, next))] = known else { continue };
            let reached = index.signed().checked_mul(stride.signed());
            let is_within = index.signed() >= 0 && reached.is_some_and(|bytes| bytes < next.signed());
            // If a stride is not positive or a subscript leaves its row, only the first row exists.
            if next.signed() > 0 && !is_within {
                let text = format!("dimension {number} of {}, in rows of {next} bytes,", of.text(&hir.blobs));
                self.compare(What::Address, &|_| text.clone(), index, Int::zero(width), iterations);
            }
        }
    }
    fn compare(
        &mut self,
        what: What,
        text: &dyn Fn(&Self) -> String,
        value: Int,
        is: Int,
        iterations: &[i128],
    ) {
        match what {
            What::Scalar => self.seen.scalars += 1,
            What::Address => self.seen.addresses += 1,
            What::Stride => self.seen.strides += 1,
            What::Bound => self.seen.bounds += 1,
        }
        if value != is && self.wrong.is_none() {
            let iterations = iterations.to_vec();
            let (tree, input) = (String::new(), String::new());
            self.wrong = Some(Box::new(WrongForm { text: text(self), value, is, iterations, tree, input }));
        }
    }
    /// Compares an operand with the value `operand` of the run.
    fn operand(&mut self, of: &RegDdRef, operand: Value, iterations: &[i128], memory: Option<&Memory>) {
        let hir = self.hir;
        let Some(is) = self.value(operand, memory) else { return };
        let (what, value) = match (of.as_terminal(), of.as_memory()) {
            (Some(form), _) => (What::Scalar, self.form(form, iterations, memory)),
            (_, Some(mem)) => (What::Address, self.address(mem, mem.computed_dims(), iterations, memory)),
            (None, None) => return,
        };
        if let Some(value) = value {
            self.compare(what, &|_| of.text(&hir.blobs), value, is, iterations);
            self.rows(of, iterations, memory);
        }
    }
    /// Compares an instruction's operands, before its result is recorded.
    fn look(&mut self, nest: usize, inst: Inst, node: Node, block: Block, done: &Done<'_>) {
        let (hir, body) = (self.hir, self.at.body);
        let Kind::Inst(HlInst { operation, lval, rvals, .. }) = hir.kind(node) else { return };
        let iterations = self.position.iterations(&self.nests[nest].taken.extent, block);
        let operands = &body.inst(inst).operands;
        let memory = Some(done.memory);
        match (operation, &body.inst(inst).kind) {
            (Operation::Copy, _) => {
                let of = rvals.first().and_then(|of| of.as_terminal());
                let is = done.value.and_then(|computed| self.number(inst.into(), computed));
                let value = of.and_then(|form| self.form(form, &iterations, memory));
                if let (Some(form), Some(value), Some(is)) = (of, value, is) {
                    self.compare(What::Scalar, &|_| form.text(&hir.blobs), value, is, &iterations);
                }
            }
            (_, InstKind::Load(_)) => self.pairs(rvals.iter().zip(&operands[..]), &iterations, memory),
            (_, InstKind::Store(_)) => {
                let to = lval.iter().zip(&operands[1..]);
                self.pairs(rvals.iter().zip(&operands[..1]).chain(to), &iterations, memory);
            }
            _ if rvals.len() == operands.len() => {
                self.pairs(rvals.iter().zip(&operands[..]), &iterations, memory);
            }
            _ => {}
        }
        let address =
            access(hir, node).and_then(|of| self.address(of, of.computed_dims(), &iterations, memory));
        if let Some(address) = address {
            self.advance(nest, inst, address, &iterations, memory);
        }
    }
    fn pairs<'p>(
        &mut self,
        pairs: impl Iterator<Item = (&'p RegDdRef, &'p Value)>,
        iterations: &[i128],
        memory: Option<&Memory>,
    ) {
        for (of, operand) in pairs {
            self.operand(of, *operand, iterations, memory);
        }
    }
    /// Compares an address with the address in the previous iteration of each enclosing loop.
    fn advance(
        &mut self,
        nest: usize,
        inst: Inst,
        address: Int,
        iterations: &[i128],
        memory: Option<&Memory>,
    ) {
        for level in 1..=iterations.len() {
            let (to, inner) = iterations.split_at(level);
            let key = (inst, level as Level);
            let Some(stride) = self.nests[nest].strides.get(&key).filter(|_| inner.iter().all(|i| *i == 0))
            else {
                continue;
            };
            let advanced = self.form(stride, iterations, memory);
            let text = |this: &Self| {
                let stride = this.nests[nest].strides[&key].text(&this.hir.blobs);
                format!("the stride {stride} at level {level}")
            };
            let before = self.last.insert(key, (to.to_vec(), address));
            let Some((before, from)) = before else { continue };
            let is_next = before[..level - 1] == to[..level - 1] && before[level - 1] + 1 == to[level - 1];
            if let Some(advanced) = advanced.filter(|_| is_next) {
                self.compare(What::Stride, &text, advanced, address.sub(from), iterations);
            }
        }
    }
    /// A loop exits from `from`. If that is the latch, the trip count equals the bound; otherwise it is at most the
    /// bound.
    fn left(&mut self, l: LoopId, from: Block) {
        let Some(upper) = self.runs_of.remove(&l) else { return };
        let count = self.position.iteration(l);
        let is = Int::new(upper.width(), count as u128);
        let by_latch = self.position.forest.is_latch(&self.at.cfg(), l, from);
        if by_latch || is.bits() > upper.bits() {
            let text =
                |this: &Self| format!("the bound of the loop of depth {}", this.position.forest.depth(l));
            self.compare(What::Bound, &text, upper, is, &[]);
        }
    }
}

impl Observer for Watch<'_> {
    fn call(&mut self, entry: Entry<'_>) {
        if entry.depth == 0 {
            // The entry block has no incoming edge.
            self.at.body.entry().into_iter().for_each(|block| self.position.enter(block));
            for (i, value) in entry.args.iter().enumerate() {
                self.computed(Arg::from_index(i).into(), Some(value), None);
            }
        }
    }
    fn enter(&mut self, _: FuncId, block: Block, depth: usize) {
        if depth > 0 {
            return;
        }
        let forest = self.position.forest;
        let from = self.position.block();
        if let Some(from) = from {
            let left: Vec<LoopId> = forest
                .innermost(from)
                .into_iter()
                .flat_map(|l| forest.ancestors(l))
                .filter(|l| !forest.contains(*l, block))
                .collect();
            left.into_iter().for_each(|l| self.left(l, from));
        }
        if let Some(l) = forest.with_header(block)
            && let Some(from) = from.filter(|from| !forest.contains(l, *from))
        {
            let body = self.at.body;
            let outermost = self.nests.iter().find_map(|nest| {
                nest.taken.extent.loops.iter().find(|outermost| forest.contains_loop(**outermost, l)).copied()
            });
            if let Some(outermost) = outermost {
                let own = forest.depth(l) + 1 - forest.depth(outermost);
                self.last.retain(|(inst, level), _| *level < own || !forest.contains_inst(body, l, *inst));
            }
            let bound = self.nests.iter().find_map(|nest| Some((nest, nest.uppers.get(&l)?)));
            let bound = bound.and_then(|(nest, upper)| {
                let around = self.position.iterations(&nest.taken.extent, from);
                self.form(upper, &around, None)
            });
            self.runs_of.remove(&l);
            self.runs_of.extend(bound.map(|bound| (l, bound)));
        }
        self.position.enter(block);
    }
    fn step(&mut self, done: Done<'_>) {
        if done.depth > 0 {
            return;
        }
        let (body, inst) = (self.at.body, done.inst);
        let Some(block) = body.block_of(inst) else { return };
        let nest = self.nests.iter().position(|nest| nest.taken.extent.contains(block));
        let node = nest.and_then(|at| self.nests[at].nodes.get(&inst).copied());
        if let (Some(nest), Some(node)) = (nest, node)
            && self.compared() < MAX_COMPARED
        {
            self.look(nest, inst, node, block, &done);
        }
        let also = node.and_then(|node| self.hir.written(node));
        self.computed(inst.into(), done.value, also);
    }
}
