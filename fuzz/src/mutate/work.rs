//! Shared context of mutators: the body of one function, its control flow graph at the last refresh, and random
//! choices.

use crate::generate::draw::Draw;
use backedge_analysis::{Cfg, Dominators, Edge, LoopForest, LoopId};
use backedge_ir::attr::{Attr, AttrList};
use backedge_ir::body::Body;
use backedge_ir::builder::Builder;
use backedge_ir::constant::GlobalRef;
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::{Block, FuncId, Inst};
use backedge_ir::inst::{
    BinaryFlags, BinaryOp, CallInfo, CastFlags, CastOp, InstData, InstKind, IntPredicate, Use, Value,
};
use backedge_ir::int::Int;
use backedge_ir::module::{Env, Function, Module, TopLevel};
use backedge_ir::signature;
use backedge_ir::types::{Type, TypeKind};
use std::rc::Rc;
use std::sync::Arc;

/// The control flow of a body.
pub(super) struct Graph {
    pub(super) cfg: Cfg,
    pub(super) dominators: Dominators,
    pub(super) loops: LoopForest,
}

impl Graph {
    pub(super) fn of(body: &Body) -> Self {
        let cfg = Cfg::new(body);
        let dominators = Dominators::new(body, &cfg);
        let loops = LoopForest::new(&cfg, &dominators);
        Self { cfg, dominators, loops }
    }
}

/// A function under mutation.
pub(super) struct Work<'w, 'u, 'b> {
    pub(super) env: &'w mut Env,
    pub(super) editor: Editor<'w>,
    pub(super) draw: &'w mut Draw<'u, 'b>,
    /// The return type of the function.
    pub(super) returns: Type,
    /// Modules to copy code from.
    pub(super) donors: &'w [&'w Module],
    /// The graph at the start or at the last [`Self::refresh`].
    pub(super) graph: Rc<Graph>,
}

impl<'w, 'u, 'b> Work<'w, 'u, 'b> {
    /// The context for `func`; `None` if it has no body.
    pub(super) fn new(
        module: &'w mut Module,
        func: FuncId,
        draw: &'w mut Draw<'u, 'b>,
        donors: &'w [&'w Module],
    ) -> Option<Self> {
        let returns = module.env.types.signature(module.env.funcs[func].ty)?.0;
        let (env, body) = module.body_mut(func)?;
        let graph = Rc::new(Graph::of(body));
        Some(Self { env, editor: Editor::new(body), draw, returns, donors, graph })
    }
    pub(super) fn body(&self) -> &Body {
        self.editor.body()
    }
    /// Recomputes the graph.
    pub(super) fn refresh(&mut self) {
        self.graph = Rc::new(Graph::of(self.editor.body()));
    }

    // Places.

    pub(super) fn one_of<T: Copy>(&mut self, list: &[T]) -> Option<T> {
        (!list.is_empty()).then(|| self.draw.pick(list))
    }
    /// Draws one of the reachable instructions that `wanted` accepts, mostly one in a loop.
    pub(super) fn inst(&mut self, wanted: impl Fn(&Body, Inst) -> bool) -> Option<Inst> {
        let (body, graph) = (self.editor.body(), &self.graph);
        let blocks = body.blocks().filter(|b| graph.dominators.is_reachable(*b));
        let all: Vec<Inst> =
            blocks.flat_map(|b| body.insts(b).iter().copied()).filter(|i| wanted(body, *i)).collect();
        let is_inside = |i: &Inst| body.block_of(*i).is_some_and(|b| graph.loops.innermost(b).is_some());
        let inside: Vec<Inst> = all.iter().copied().filter(is_inside).collect();
        let list = if !inside.is_empty() && self.draw.chance(75) { inside } else { all };
        self.one_of(&list)
    }
    /// Draws one of the replaceable operands that `wanted` accepts, mostly one in a loop.
    pub(super) fn operand(&mut self, wanted: impl Fn(&Body, Use, Value) -> bool) -> Option<(Use, Value)> {
        let of = |body: &Body, inst: Inst| {
            let numbered = body.inst(inst).operands.clone().into_iter().enumerate();
            let uses = numbered.map(move |(i, v)| (Use { user: inst, index: i as u32 }, v));
            uses.filter(|(u, v)| is_free(body, *u) && wanted(body, *u, *v)).collect::<Vec<_>>()
        };
        let inst = self.inst(|body, inst| !of(body, inst).is_empty())?;
        let list = of(self.body(), inst);
        self.one_of(&list)
    }
    /// Draws a loop.
    pub(super) fn any_loop(&mut self) -> Option<LoopId> {
        let all: Vec<LoopId> = self.graph.loops.ids().collect();
        self.one_of(&all)
    }
    /// Draws a point where code can be inserted or a block be split, as the instruction after it.
    pub(super) fn place(&mut self, wanted: impl Fn(&Body, Inst) -> bool) -> Option<Inst> {
        self.inst(|body, inst| is_place(body, inst) && wanted(body, inst))
    }
    /// Whether an edge may be redirected to `block`: it is not the entry and does not start with a `landingpad`.
    pub(super) fn may_be_target(&self, block: Block) -> bool {
        let body = self.body();
        let first = body.first_non_phi(block).map(|i| &body.inst(i).kind);
        body.entry() != Some(block) && !matches!(first, Some(InstKind::LandingPad { .. }))
    }

    // Values.

    /// Values that are valid as operands of `before`: arguments and dominating results.
    pub(super) fn available(&self, before: Inst) -> Vec<Value> {
        let body = self.body();
        let Some(block) = body.block_of(before) else { return Vec::new() };
        let mut values: Vec<Value> = body.args().map(Value::from).collect();
        let has_result = |i: &Inst| {
            let data = body.inst(*i);
            is_value_type(data.ty) && !data.kind.is_terminator()
        };
        let dominating = self
            .graph
            .cfg
            .rpo()
            .iter()
            .filter(|b| **b != block && self.graph.dominators.dominates(**b, block));
        let elsewhere = dominating.flat_map(|b| body.insts(*b).iter().copied());
        let here = body.insts(block).iter().copied().take_while(|i| *i != before);
        values.extend(elsewhere.chain(here).filter(has_result).map(Value::from));
        values
    }
    /// The available values of one type.
    pub(super) fn available_of(&self, ty: Type, before: Inst) -> Vec<Value> {
        let mut values = self.available(before);
        values.retain(|v| self.body().ty(*v) == ty);
        values
    }
    /// A value of type `ty` for an operand of `before`: an available value or a constant.
    pub(super) fn value(&mut self, ty: Type, before: Inst) -> Option<Value> {
        let there = self.available_of(ty, before);
        if !there.is_empty() && self.draw.chance(80) {
            return self.one_of(&there);
        }
        self.constant(ty).or_else(|| self.one_of(&there))
    }
    /// An available integer before `before`, preferably a phi.
    pub(super) fn integer(&mut self, before: Inst) -> Option<Value> {
        let body = self.body();
        let mut there = self.available(before);
        there.retain(|v| body.ty(*v).int_bits().is_some_and(|b| b <= Type::MAX_INT_BITS));
        let is_phi = |v: &Value| v.as_inst().is_some_and(|i| body.inst(i).kind.is_phi());
        let phis: Vec<Value> = there.iter().copied().filter(is_phi).collect();
        let list = if !phis.is_empty() && self.draw.chance(50) { phis } else { there };
        self.one_of(&list)
    }
    /// A constant of type `ty`; an integer is mostly a boundary value.
    pub(super) fn constant(&mut self, ty: Type) -> Option<Value> {
        if let Some(width) = ty.int_bits().filter(|w| *w <= Type::MAX_INT_BITS) {
            let int = self.boundary(width);
            return Some(self.editor.int(int));
        }
        let zero = signature::zero(ty).filter(|_| is_value_type(ty))?;
        Some(self.editor.constant(zero).into())
    }
    /// A boundary value, or any integer.
    pub(super) fn boundary(&mut self, width: u32) -> Int {
        let (max, min) = (Int::signed_max(width), Int::signed_min(width));
        let one = Int::one(width);
        match self.draw.below(16) {
            0 => Int::zero(width),
            1 => one,
            2 => Int::all_ones(width),
            3 => Int::from_i128(width, 2),
            4 => Int::from_i128(width, -2),
            5 => max,
            6 => min,
            7 => max.sub(one),
            8 => min.add(one),
            9 => Int::from_i128(width, 3),
            10 => Int::from_i128(width, 64),
            11 => Int::from_i128(width, width.into()),
            12 => Int::from_i128(width, i128::from(width) - 1),
            13 => Int::low_ones(width, width / 2),
            14 => Int::from_i128(width, self.draw.below(20) as i128),
            _ => Int::new(width, (u128::from(self.draw.bits()) << 64) | u128::from(self.draw.bits())),
        }
    }
    /// A condition before `before`: an available one or a new comparison, sometimes frozen.
    pub(super) fn condition(&mut self, before: Inst) -> Option<Value> {
        let there = self.available_of(Type::I1, before);
        if !there.is_empty() && self.draw.chance(25) {
            return self.one_of(&there);
        }
        let Some(left) = self.integer(before) else { return self.constant(Type::I1) };
        let right = self.value(self.body().ty(left), before)?;
        let pred = self.draw.pick(IntPredicate::ALL);
        let frozen = self.draw.chance(20);
        let mut builder = Builder::new(&mut self.editor, Position::Before(before));
        let condition = builder.icmp(pred, left, right, "");
        Some(if frozen { builder.freeze(condition, "") } else { condition })
    }
    /// Flags that the operation allows, mostly none.
    pub(super) fn flags(&mut self, op: BinaryOp) -> BinaryFlags {
        let (wrap, exact, disjoint) = op.allowed_flags();
        BinaryFlags {
            nuw: wrap && self.draw.chance(20),
            nsw: wrap && self.draw.chance(30),
            exact: exact && self.draw.chance(20),
            disjoint: disjoint && self.draw.chance(20),
        }
    }
    /// Converts the integer `value` to type `ty` before `before`.
    pub(super) fn resized(&mut self, value: Value, ty: Type, before: Inst) -> Option<Value> {
        let (from, to) = (self.body().ty(value).int_bits()?, ty.int_bits()?);
        let op = match from.cmp(&to) {
            std::cmp::Ordering::Equal => return Some(value),
            std::cmp::Ordering::Greater => CastOp::Trunc,
            std::cmp::Ordering::Less => self.draw.pick(&[CastOp::ZExt, CastOp::SExt]),
        };
        let data = InstData::new(InstKind::Cast(op, CastFlags::default()), ty, [value], []);
        Some(self.editor.insert(Position::Before(before), data).into())
    }
    /// Creates a use of `value`, the result of an instruction: it replaces an operand, or is combined with an integer
    /// operand.
    pub(super) fn create_use(&mut self, value: Value) -> Option<()> {
        self.refresh();
        let graph = self.graph.clone();
        let ty = self.body().ty(value);
        let fits = |other: Type| other == ty || (other.is_int() && ty.is_int());
        let (use_, old) = self.operand(|body, use_, operand| {
            operand != value
                && fits(body.ty(operand))
                && Some(use_.user) != value.as_inst()
                && graph.dominators.dominates_use(body, value, use_)
                && body.block_of(place_of(body, use_)).is_some_and(|b| graph.dominators.is_reachable(b))
        })?;
        let before = place_of(self.body(), use_);
        let old_ty = self.body().ty(old);
        let mut new = self.resized(value, old_ty, before)?;
        if old_ty.is_int() && self.draw.chance(50) {
            let op = self.draw.pick(&[BinaryOp::Xor, BinaryOp::Add, BinaryOp::Sub, BinaryOp::Or]);
            let flags = BinaryFlags::default();
            let mut builder = Builder::new(&mut self.editor, Position::Before(before));
            new = builder.binary(op, old, new, flags, "");
        }
        self.set_operand(use_, new);
        Some(())
    }
    /// Sets an operand; for a phi, all incoming values from the same block.
    pub(super) fn set_operand(&mut self, use_: Use, value: Value) {
        let data = self.body().inst(use_.user);
        let from = data.blocks.get(use_.index as usize).copied().filter(|_| data.kind.is_phi());
        let Some(from) = from else { return self.editor.set_operand(use_, value) };
        let blocks = data.blocks.clone();
        for (index, _) in blocks.iter().enumerate().filter(|(_, b)| **b == from) {
            self.editor.set_operand(Use { user: use_.user, index: index as u32 }, value);
        }
    }

    // Edges.

    /// Adds entries to the phis of `target` for one more edge from `from`, which has its terminator: mostly values
    /// that come in on other edges. Uses the graph for availability.
    pub(super) fn add_to_phis(&mut self, target: Block, from: Block) -> Option<()> {
        let end = self.body().terminator(from)?;
        let phis: Vec<Inst> = self.body().phis(target).collect();
        for phi in phis {
            let body = self.body();
            let value = match body.incoming_from(phi, from) {
                Some(value) => value,
                None => {
                    let there = self.available(end);
                    let is_there = |v: &Value| v.as_const().is_some() || there.contains(v);
                    let others: Vec<Value> =
                        body.inst(phi).operands.iter().copied().filter(is_there).collect();
                    let ty = body.inst(phi).ty;
                    let like = if self.draw.chance(60) { self.one_of(&others) } else { None };
                    like.or_else(|| self.value(ty, end))?
                }
            };
            self.editor.add_incoming(phi, value, from);
        }
        Some(())
    }
    /// Redirects an edge to `target`.
    pub(super) fn lead(&mut self, edge: Edge, target: Block) -> Option<()> {
        let terminator = self.body().terminator(edge.from)?;
        self.add_to_phis(target, edge.from)?;
        self.editor.remove_edge_from_phis(edge.to, edge.from);
        self.editor.set_successor(terminator, edge.index, target);
        Some(())
    }
    /// Splits a block before `at` and adds a conditional branch to `target` there. Returns the rest of the block.
    pub(super) fn branch_off(&mut self, at: Inst, target: Block) -> Option<Block> {
        let condition = self.condition(at)?;
        let block = self.body().block_of(at)?;
        let rest = self.editor.split_block(at, Some("rest"));
        let targets = if self.draw.bool() { [target, rest] } else { [rest, target] };
        let data = InstData::new(InstKind::CondBr, Type::VOID, [condition], targets);
        self.editor.set_terminator(block, data);
        self.refresh();
        self.add_to_phis(target, block)?;
        Some(rest)
    }

    // Functions.

    /// A function called `name`, or `name` with a suffix, that has this signature, declared if necessary.
    pub(super) fn declare(&mut self, name: &str, ret: Type, params: &[Type], attrs: &[Attr]) -> FuncId {
        let ty = self.env.types.function(ret, params, false);
        let mut number = 0;
        let name: Arc<str> = loop {
            let name = if number == 0 { name.to_owned() } else { format!("{name}.{number}") };
            match self.env.symbols.get(name.as_str()) {
                Some(GlobalRef::Func(id)) if self.env.funcs[*id].ty == ty => return *id,
                Some(_) => number += 1,
                None => break name.into(),
            }
        };
        let mut func = Function::plain(name.clone(), ty, params.len());
        func.attrs = AttrList { own: attrs.to_vec(), ..AttrList::default() };
        let id = self.env.funcs.push(func);
        self.env.symbols.insert(name, GlobalRef::Func(id));
        self.env.order.push(TopLevel::Func(id));
        id
    }
    /// Inserts a call of `func` before `before`.
    pub(super) fn call(&mut self, func: FuncId, args: &[Value], before: Inst) -> Inst {
        let ty = self.env.funcs[func].ty;
        let result = self.env.types.signature(ty).map_or(Type::VOID, |s| s.0);
        let callee = self.editor.consts().global(Type::PTR, GlobalRef::Func(func));
        let operands = args.iter().copied().chain([callee.into()]);
        let kind = InstKind::Call(Box::new(CallInfo::plain(ty, args.len())));
        self.editor.insert(Position::Before(before), InstData::new(kind, result, operands, []))
    }
}

/// Whether values of the type can be general operands.
fn is_value_type(ty: Type) -> bool {
    match ty.kind() {
        TypeKind::Int(_) | TypeKind::Float(_) | TypeKind::Ptr(_) | TypeKind::Compound(_) => true,
        TypeKind::Void | TypeKind::Label | TypeKind::Metadata | TypeKind::Token => false,
    }
}

/// Whether code may be inserted before `inst` and its block be split there.
pub(super) fn is_place(body: &Body, inst: Inst) -> bool {
    let kind = &body.inst(inst).kind;
    !kind.is_phi() && !matches!(kind, InstKind::LandingPad { .. } | InstKind::DebugRecord(_))
}

/// Whether the operand may be replaced with another value: it is not a callee, a switch case, a landingpad clause, or
/// metadata.
pub(super) fn is_free(body: &Body, use_: Use) -> bool {
    let data = body.inst(use_.user);
    let index = use_.index as usize;
    let fixed = match &data.kind {
        InstKind::Call(_) | InstKind::Invoke(_) | InstKind::CallBr(_) => index + 1 == data.operands.len(),
        InstKind::Switch => index > 0,
        InstKind::LandingPad { .. } | InstKind::DebugRecord(_) => true,
        _ => false,
    };
    !fixed && is_value_type(body.ty(data.operands[index]))
}

/// The instruction before which the value of the operand must be available: for a phi, the end of the incoming block.
pub(super) fn place_of(body: &Body, use_: Use) -> Inst {
    let data = body.inst(use_.user);
    let from = data.blocks.get(use_.index as usize).filter(|_| data.kind.is_phi());
    from.and_then(|from| body.terminator(*from)).unwrap_or(use_.user)
}
