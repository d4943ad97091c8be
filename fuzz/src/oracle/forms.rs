//! Closed forms in HIR trees match runs: operands, results in closed form, addresses, strides per iteration, and trip
//! counts of loops.
//!
//! A variable of a tree holds the result of the last executed instruction that it represents; a header phi shares its
//! variable with the value from the backedge. A form is evaluated by its definition when the instruction with that
//! operand is executed, and compared with the value in the run. Poison values are not compared.
//!
//! A run counts only if it ends without UB and does not choose values for undefined bits of an operand.

use super::position::{MAX_INPUTS, Position, Watched, formed, global_address};
use backedge_analysis::LoopId;
use backedge_analysis::cache::{Analyses, At};
use backedge_hir::build::{Taken, build};
use backedge_hir::canon::Level;
use backedge_hir::ddref::{Dimension, MemRef};
use backedge_hir::node::{HlInst, Kind, LoopKind, Operation};
use backedge_hir::{CanonExpr, Hir, Node, RegDdRef, Temp};
use backedge_interp::input::Input;
use backedge_interp::memory::Memory;
use backedge_interp::trace::{Done, Entry, Observer};
use backedge_interp::value::Val;
use backedge_interp::{Config, Machine, Program};
use backedge_ir::constant::ConstData;
use backedge_ir::entity::{Arg, Block, EntityId, FuncId, Inst};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::int::Int;
use backedge_ir::module::Module;
use backedge_scev::ScalarEvolution;
use std::collections::HashMap;
use std::fmt;

/// Maximum number of comparisons in one run: bounds the time of the oracle.
const MAX_COMPARED: u64 = 4000;

/// Statistics of a check.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Seen {
    /// Runs.
    pub runs: u64,
    /// Runs that were defined and chose no undefined bits.
    pub defined: u64,
    /// Comparisons of scalars that were read or written.
    pub scalars: u64,
    /// Comparisons of addresses.
    pub addresses: u64,
    /// Comparisons of an address with its previous one, by the stride of a loop.
    pub strides: u64,
    /// Comparisons of trip counts when a loop exits.
    pub bounds: u64,
}

/// A form whose value differs from the run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrongForm {
    /// The form.
    pub text: String,
    /// The value of the form.
    pub value: Int,
    /// The value in the run.
    pub is: Int,
    /// The iterations of the enclosing loops, outermost first.
    pub iterations: Vec<i128>,
    /// The tree.
    pub tree: String,
    /// The input of the run.
    pub input: String,
}

impl fmt::Display for WrongForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { text, value, is, iterations, tree, input } = self;
        write!(f, "{text} is {value}, and the run has {is}, in iterations {iterations:?}, on {input}\n{tree}")
    }
}

/// Checks `func` on a few generated inputs, after bringing it into the form that nests require.
pub fn check(module: &Module, func: FuncId, seed: u64) -> Result<Seen, Box<WrongForm>> {
    let mut seen = Seen::default();
    let Some((module, inputs)) = formed(module, func, seed) else { return Ok(seen) };
    check_on(&module, func, &mut inputs.first(MAX_INPUTS), &mut seen)?;
    Ok(seen)
}

/// Runs `func`, which is in canonical form, on each input.
pub fn check_on(
    module: &Module,
    func: FuncId,
    inputs: &mut dyn Iterator<Item = Input>,
    seen: &mut Seen,
) -> Result<(), Box<WrongForm>> {
    check_trees(module, func, inputs, seen, &mut |_| {})
}

/// Like [`check_on`], with the trees modified by `change`.
fn check_trees(
    module: &Module,
    func: FuncId,
    inputs: &mut dyn Iterator<Item = Input>,
    seen: &mut Seen,
    change: &mut dyn FnMut(&mut Hir),
) -> Result<(), Box<WrongForm>> {
    let Some(body) = module.body(func) else { return Ok(()) };
    let analyses = Analyses::of(func);
    let at = analyses.at(&module.env, body);
    let mut built = build(&mut ScalarEvolution::new(at));
    change(&mut built.hir);
    if built.taken.is_empty() {
        return Ok(());
    }
    let forest = at.loops();
    let nests = built.taken.iter().map(|taken| Nest::new(at, &mut built.hir, taken)).collect();
    let mut holders: HashMap<Value, Vec<Temp>> = HashMap::new();
    for temp in built.hir.blobs.temps() {
        if let Some(value) = built.hir.blobs.temp(temp).value {
            holders.entry(value).or_default().push(temp);
        }
    }
    let config = Config { fuel: 3000, max_bytes: 1 << 20, ..Config::default() };
    let program = Program::new(module, &config);
    let mut machine = Machine::new(&program, config);
    let mut watch = Watch {
        at,
        hir: &built.hir,
        position: Position::new(&forest),
        nests,
        holders,
        values: HashMap::new(),
        temps: HashMap::new(),
        runs_of: HashMap::new(),
        last: HashMap::new(),
        seen: Seen::default(),
        wrong: None,
    };
    for (number, input) in inputs.enumerate() {
        watch.restart();
        let mut chooser = Watched::new(number as u64);
        let Ok(result) = machine.run(func, &input, &mut chooser, &mut watch) else { break };
        seen.runs += 1;
        let Seen { scalars, addresses, strides, bounds, .. } = std::mem::take(&mut watch.seen);
        if !chooser.counts(&result.outcome) {
            continue;
        }
        if let Some(mut wrong) = watch.wrong.take() {
            wrong.tree = built.hir.text();
            wrong.input = format!("{:?}", input.args);
            return Err(wrong);
        }
        seen.defined += 1;
        seen.scalars += scalars;
        seen.addresses += addresses;
        seen.strides += strides;
        seen.bounds += bounds;
    }
    Ok(())
}

/// A nest, with maps from its code to its tree.
struct Nest {
    taken: Taken,
    nodes: HashMap<Inst, Node>,
    /// The backedge-taken counts of counted loops.
    uppers: HashMap<LoopId, CanonExpr>,
    /// The stride of an access in bytes, by the level of the loop.
    strides: HashMap<(Inst, Level), CanonExpr>,
}

impl Nest {
    fn new(at: At<'_>, hir: &mut Hir, taken: &Taken) -> Self {
        let forest = at.loops();
        let named: HashMap<&str, LoopId> = (taken.extent.loops.iter().flat_map(|l| forest.nest(*l)))
            .filter_map(|l| Some((at.body.block_name(forest.header(l))?, l)))
            .collect();
        let mut uppers = HashMap::new();
        for node in hir.nodes_in(taken.region) {
            let Kind::Loop(of) = hir.kind(node) else { continue };
            let LoopKind::Do { upper, .. } = &of.kind else { continue };
            let form = upper.as_terminal().filter(|_| of.is_normalized());
            uppers.extend(named.get(&*of.name).copied().zip(form.cloned()));
        }
        let mut strides = HashMap::new();
        for (inst, node) in &taken.nodes {
            let Some(memory) = access(hir, *node).cloned() else { continue };
            let depth = hir.loops_around(*node).count() as Level;
            for level in 1..=depth {
                if let Ok(stride) = memory.stride_at_level(level, &mut hir.blobs) {
                    strides.insert((*inst, level), stride);
                }
            }
        }
        Self { taken: taken.clone(), nodes: taken.nodes.iter().copied().collect(), uppers, strides }
    }
}

/// The memory reference of a load or store.
fn access(hir: &Hir, node: Node) -> Option<&MemRef> {
    let mut all = hir.kind(node).refs().into_iter().filter_map(|of| of.as_memory());
    all.find(|memory| memory.is_access())
}

/// The kind of comparison.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum What {
    Scalar,
    Address,
    Stride,
    Bound,
}

struct Watch<'a> {
    at: At<'a>,
    hir: &'a Hir,
    position: Position<'a>,
    nests: Vec<Nest>,
    /// The variables that represent a value.
    holders: HashMap<Value, Vec<Temp>>,
    /// The last computed result of each value, if defined.
    values: HashMap<Value, Int>,
    /// The current contents of variables.
    temps: HashMap<Temp, Int>,
    /// The backedge-taken count of a loop, evaluated when the loop was entered.
    runs_of: HashMap<LoopId, Int>,
    /// The last address of an access at the level of a loop, while all inner loops were in their first iteration.
    last: HashMap<(Inst, Level), (Vec<i128>, Int)>,
    seen: Seen,
    wrong: Option<Box<WrongForm>>,
}

impl Watch<'_> {
    fn restart(&mut self) {
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

#[cfg(test)]
mod tests {
    use super::super::position::in_form;
    use super::*;
    use backedge_interp::input::ArgSpec;
    use backedge_interp::memory::Contents;
    use backedge_ir::parse::parse_module;

    const TEXT: &str = "define i8 @f(ptr %p) {\nentry:\n  br label %outer\nouter:\n  \
        %j = phi i64 [ 0, %entry ], [ %j.next, %latch ]\n  br label %loop\nloop:\n  \
        %i = phi i64 [ 0, %outer ], [ %i.next, %loop ]\n  %from = getelementptr inbounds [4 x i8], ptr %p, i64 %j, i64 %i\n  \
        %v = load i8, ptr %from\n  %twice = shl i64 %i, 1\n  %odd = or disjoint i64 %twice, 1\n  \
        %n = trunc i64 %odd to i8\n  %x = xor i8 %n, %v\n  store i8 %x, ptr %from\n  \
        %i.next = add nuw nsw i64 %i, 1\n  %more = icmp ult i64 %i.next, 3\n  br i1 %more, label %loop, label %latch\n\
        latch:\n  %j.next = add nuw nsw i64 %j, 1\n  %again = icmp ult i64 %j.next, 3\n  \
        br i1 %again, label %outer, label %exit\nexit:\n  ret i8 %x\n}\n";

    fn look(change: &mut dyn FnMut(&mut Hir)) -> Result<Seen, Box<WrongForm>> {
        let mut module = parse_module(TEXT.as_bytes()).expect("a module").module;
        assert!(in_form(&mut module));
        let func = module.env.func_named("f").expect("it has @f");
        let buffer = ArgSpec::Buffer(Box::new(Contents::from_bytes(vec![7; 16])));
        let mut seen = Seen::default();
        let mut inputs = std::iter::once(Input::new(vec![buffer]));
        check_trees(&module, func, &mut inputs, &mut seen, change).map(|()| seen)
    }

    /// Edits the kind of every node with `which`.
    fn edited(hir: &mut Hir, which: &dyn Fn(&mut Kind)) {
        let nodes: Vec<Node> = hir.regions().to_vec().iter().flat_map(|r| hir.nodes_in(*r)).collect();
        for node in nodes {
            hir.edit(node, |kind, _| which(kind));
        }
    }

    #[test]
    fn what_is_right_is_right() {
        let seen = look(&mut |_| {}).expect("all forms are right");
        assert_eq!((seen.defined, seen.bounds), (1, 4), "{seen:?}");
        assert_eq!((seen.addresses, seen.strides), (18, 2 * (6 + 2)), "{seen:?}");
        assert!(seen.scalars >= 18, "{seen:?}");
    }

    #[test]
    fn what_is_wrong_is_found() {
        let one = |width| CanonExpr::of_constant(Int::one(width));
        let bound = look(&mut |hir| {
            edited(hir, &|kind| {
                if let Kind::Loop(of) = kind
                    && let LoopKind::Do { upper, .. } = &mut of.kind
                {
                    upper.forms_mut().for_each(|form| *form = one(form.dest_type().width));
                }
            });
        });
        assert!(bound.expect_err("it runs two rounds").text.contains("bound"));
        let inst = |change: &'static dyn Fn(&mut HlInst)| {
            look(&mut |hir| {
                edited(hir, &|kind| {
                    if let Kind::Inst(inst) = kind {
                        change(inst);
                    }
                });
            })
        };
        let stride = inst(&|inst| {
            for form in
                inst.rvals.iter_mut().filter(|of| of.as_memory().is_some()).flat_map(|of| of.forms_mut())
            {
                if form.as_constant().is_some_and(|c| c.bits() == 4) {
                    *form = CanonExpr::of_constant(Int::new(64, 5));
                }
            }
        });
        let stride = stride.expect_err("rows have four bytes");
        assert!(stride.text.contains("%p"), "{stride}");
        let operand = inst(&|inst| {
            for of in inst.rvals.iter_mut().filter(|of| of.as_terminal().is_some()) {
                for form in of.forms_mut().filter(|form| form.has_any_iv()) {
                    *form = CanonExpr::zero(form.dest_type());
                }
            }
        });
        let operand = operand.expect_err("it is not 0");
        assert!(operand.text == "0" && operand.value.is_zero(), "{operand}");
    }
}
