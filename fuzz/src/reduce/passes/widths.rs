//! Narrows integers. Values that must have the same type (operands and result of a sum, a phi and its incoming
//! values, both sides of a comparison, return values) form a web, and a web changes as a whole. Casts at its border
//! change, or are removed if both sides then have the same type. Constants in the web keep their value if it fits and
//! their upper bits otherwise, so that a value near the maximum stays near the maximum.
//!
//! Values that are passed to calls or are members of aggregates keep their types, and so do their webs. Intrinsics
//! that are overloaded on one integer type change to the new type.

use super::super::edit::repair_cast;
use super::super::program::Program;
use super::super::search::{Edit, Search};
use super::arguments::with_partner;
use backedge_ir::body::Body;
use backedge_ir::constant::{ConstData, GlobalRef};
use backedge_ir::editor::Editor;
use backedge_ir::entity::{Arg, FuncId, Inst};
use backedge_ir::inst::{CastOp, InstData, InstKind, Use, Value};
use backedge_ir::int::Int;
use backedge_ir::module::Module;
use backedge_ir::signature::{Param, change_signature};
use backedge_ir::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};

/// The widths to try, smallest first.
const WIDTHS: [u32; 5] = [1, 4, 8, 16, 32];

pub(super) fn run(search: &mut Search<'_>) {
    for width in [8, 32] {
        search.chunked(all(search, width));
    }
    for width in WIDTHS {
        search.chunked(all(search, width));
    }
}

/// One edit for each web wider than `width`.
fn all(search: &Search<'_>, width: u32) -> Vec<Edit> {
    let module = &search.best.program.module;
    let mut edits: Vec<Edit> = Vec::new();
    for (func, _) in module.bodies() {
        let funcs = with_partner(module, func);
        if funcs.iter().any(|f| *f < func) {
            continue;
        }
        let Some(webs) = Webs::of(module, &funcs) else { continue };
        let mut seen = FxHashSet::default();
        for node in webs.nodes() {
            if webs.width(node).is_some_and(|w| w > width) && seen.insert(webs.root(node)) {
                edits.push(Box::new(move |program: &mut Program| narrow(program, func, node, width)));
            }
        }
    }
    edits
}

/// An entity with a type: a value of one of the functions, a constant operand, or the return type.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Node {
    Inst(FuncId, Inst),
    /// Corresponding arguments of a pair of functions are one node.
    Arg(Arg),
    Constant(FuncId, Use),
    Result,
}

/// The webs of a function, or of a pair of functions.
struct Webs {
    index: FxHashMap<Node, usize>,
    order: Vec<Node>,
    parent: Vec<usize>,
    widths: Vec<Option<u32>>,
    /// Nodes whose type is fixed from outside the webs.
    fixed: Vec<usize>,
}

impl Webs {
    fn of(module: &Module, funcs: &[FuncId]) -> Option<Self> {
        let mut webs = Self {
            index: FxHashMap::default(),
            order: Vec::new(),
            parent: Vec::new(),
            widths: Vec::new(),
            fixed: Vec::new(),
        };
        for &func in funcs {
            let body = module.body(func)?;
            let ret = module.env.types.signature(module.env.funcs[func].ty)?.0;
            webs.add(Node::Result, ret);
            for arg in body.args() {
                webs.add(Node::Arg(arg), body.ty(arg.into()));
            }
            for inst in body.all_insts() {
                webs.inst(module, func, body, inst);
            }
        }
        // Callers of these functions depend on their types.
        for (_, body) in module.bodies() {
            let named =
                |data: &ConstData| matches!(data, ConstData::Global(GlobalRef::Func(f)) if funcs.contains(f));
            if body.all_insts().any(|i| {
                let constants = body.inst(i).operands.iter().filter_map(|v| v.as_const());
                constants.into_iter().any(|c| named(&body.constant(c).data))
            }) {
                let args: Vec<usize> = (0..webs.order.len())
                    .filter(|i| matches!(webs.order[*i], Node::Arg(_) | Node::Result))
                    .collect();
                webs.fixed.extend(args);
            }
        }
        Some(webs)
    }

    fn add(&mut self, node: Node, ty: Type) -> usize {
        if let Some(&at) = self.index.get(&node) {
            return at;
        }
        let at = self.order.len();
        self.index.insert(node, at);
        self.order.push(node);
        self.parent.push(at);
        self.widths.push(ty.int_bits());
        at
    }
    fn find(&self, mut at: usize) -> usize {
        while self.parent[at] != at {
            at = self.parent[at];
        }
        at
    }
    fn union(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b)] = a.min(b);
    }
    fn nodes(&self) -> Vec<Node> {
        self.order.clone()
    }
    fn root(&self, node: Node) -> usize {
        self.index.get(&node).map_or(usize::MAX, |at| self.find(*at))
    }
    fn width(&self, node: Node) -> Option<u32> {
        self.index.get(&node).and_then(|at| self.widths[*at])
    }
    /// The nodes of the web of `node`; empty if its type is fixed.
    fn web(&self, node: Node) -> Vec<Node> {
        let root = self.root(node);
        if self.fixed.iter().any(|at| self.find(*at) == root) {
            return Vec::new();
        }
        self.order.iter().enumerate().filter(|(at, _)| self.find(*at) == root).map(|(_, n)| *n).collect()
    }

    fn operand(&mut self, func: FuncId, body: &Body, inst: Inst, index: usize) -> usize {
        let value = body.inst(inst).operands[index];
        let node = match value {
            Value::Inst(inst) => Node::Inst(func, inst),
            Value::Arg(arg) => Node::Arg(arg),
            Value::Const(_) => Node::Constant(func, Use { user: inst, index: index as u32 }),
        };
        self.add(node, body.ty(value))
    }

    fn inst(&mut self, module: &Module, func: FuncId, body: &Body, inst: Inst) {
        let data = body.inst(inst);
        let result = self.add(Node::Inst(func, inst), data.ty);
        let operands: Vec<usize> =
            (0..data.operands.len()).map(|i| self.operand(func, body, inst, i)).collect();
        match &data.kind {
            InstKind::Binary(..) | InstKind::Phi(_) | InstKind::Freeze => {
                operands.iter().for_each(|o| self.union(result, *o));
            }
            InstKind::Select(_) => operands[1..].iter().for_each(|o| self.union(result, *o)),
            InstKind::ICmp { .. } => {
                self.union(operands[0], operands[1]);
                self.fixed.push(result);
            }
            InstKind::Switch => operands[1..].iter().for_each(|o| self.union(operands[0], *o)),
            InstKind::Ret => {
                let ret = self.index[&Node::Result];
                operands.iter().for_each(|o| self.union(ret, *o));
            }
            InstKind::Cast(CastOp::Trunc | CastOp::ZExt | CastOp::SExt, _) | InstKind::Load(_) => {}
            // A stored value and an index may have any width.
            InstKind::Store(_) | InstKind::Gep { .. } => {}
            InstKind::Call(_) if renamed(module, body, inst, 8).is_some() => {
                let passed = operands.len() - 1;
                operands[..passed].iter().for_each(|o| self.union(result, *o));
            }
            InstKind::CondBr => self.fixed.push(operands[0]),
            _ => {
                self.fixed.push(result);
                self.fixed.extend(operands);
            }
        }
    }
}

/// The name for `width` bits of the intrinsic that `inst` calls, if all arguments and the result have one integer
/// type.
fn renamed(module: &Module, body: &Body, inst: Inst, width: u32) -> Option<String> {
    let data = body.inst(inst);
    let bits = data.ty.int_bits()?;
    let call = data.call()?;
    if !call.args().iter().all(|v| body.ty(*v) == data.ty) || !call.info.bundles.is_empty() {
        return None;
    }
    let func = body.called_function(call.callee())?;
    let header = &module.env.funcs[func];
    header.intrinsic?;
    let base = header.name.strip_suffix(&format!(".i{bits}"))?;
    Some(format!("{base}.i{width}"))
}

/// Changes the web of `node` to `width` bits.
fn narrow(program: &mut Program, func: FuncId, node: Node, width: u32) -> bool {
    let funcs = with_partner(&program.module, func);
    let Some(webs) = Webs::of(&program.module, &funcs) else { return false };
    let Some(old) = webs.width(node).filter(|w| *w > width && *w <= Type::MAX_INT_BITS) else { return false };
    let web: FxHashSet<Node> = webs.web(node).into_iter().collect();
    if web.is_empty() {
        return false;
    }
    let ty = Type::int(width);
    for &func in &funcs {
        let Some(body) = program.module.body(func) else { return false };
        let Some((ret, params, _)) = program.module.env.types.signature(program.module.env.funcs[func].ty)
        else {
            return false;
        };
        let new_ret = if web.contains(&Node::Result) { ty } else { ret };
        let kept: Vec<Param> = body
            .args()
            .map(|a| if web.contains(&Node::Arg(a)) { Param::Retyped(a, ty) } else { Param::Old(a) })
            .collect();
        // Before the types of arguments change.
        let Some(calls) = calls_to_rename(&program.module, func, &web, width) else { return false };
        let changes = kept.iter().any(|p| matches!(p, Param::Retyped(..))) || new_ret != ret;
        debug_assert_eq!(kept.len(), params.len());
        // The bodies change right away; the inconsistent state in between is never read.
        if changes && !change_signature(&mut program.module, func, &kept, new_ret) {
            return false;
        }
        if !retype(&mut program.module, func, &web, calls, (old, width)) {
            return false;
        }
    }
    true
}

/// The calls of intrinsics in the web, with the names for the new width; `None` if one has no such name.
fn calls_to_rename(
    module: &Module,
    func: FuncId,
    web: &FxHashSet<Node>,
    width: u32,
) -> Option<Vec<(Inst, String)>> {
    let body = module.body(func)?;
    let calls = body
        .all_insts()
        .filter(|i| web.contains(&Node::Inst(func, *i)) && matches!(body.inst(*i).kind, InstKind::Call(_)));
    calls.map(|inst| Some((inst, renamed(module, body, inst, width)?))).collect()
}

fn retype(
    module: &mut Module,
    func: FuncId,
    web: &FxHashSet<Node>,
    calls: Vec<(Inst, String)>,
    (old, width): (u32, u32),
) -> bool {
    let Some(body) = module.body(func) else { return false };
    let insts: Vec<Inst> = body.all_insts().filter(|i| web.contains(&Node::Inst(func, *i))).collect();
    let ty = Type::int(width);
    let constants: Vec<Use> = web
        .iter()
        .filter_map(|node| match node {
            Node::Constant(f, use_) if *f == func => Some(*use_),
            _ => None,
        })
        .collect();
    let casts: Vec<Inst> = body
        .all_insts()
        .filter(|i| {
            matches!(body.inst(*i).kind, InstKind::Cast(CastOp::Trunc | CastOp::ZExt | CastOp::SExt, _))
        })
        .collect();
    for (inst, name) in calls {
        if !call_another(module, func, inst, &name, ty) {
            return false;
        }
    }
    let Some((_, body)) = module.body_mut(func) else { return false };
    let mut editor = Editor::new(body);
    for inst in insts {
        editor.set_type(inst, ty);
    }
    let mut constants = constants;
    constants.sort_unstable();
    for use_ in constants {
        let value = editor.body().inst(use_.user).operands[use_.index as usize];
        let new = match editor.body().as_int(value) {
            Some(int) => editor.int(scaled(int, width)),
            None => match value.as_const().map(|c| editor.body().constant(c).data.clone()) {
                Some(ConstData::Undef) => editor.consts().undef(ty).into(),
                Some(ConstData::Poison) => editor.poison(ty),
                _ => return false,
            },
        };
        // Shift amounts are scaled with the width.
        let user = &editor.body().inst(use_.user).kind;
        let is_amount = use_.index == 1
            && matches!(user, InstKind::Binary(op, _) if matches!(op.name(), "shl" | "lshr" | "ashr"));
        let new = match editor.body().as_int(value).filter(|_| is_amount).and_then(Int::to_u64) {
            Some(amount) if amount >= u64::from(width) && amount < u64::from(old) => {
                let scaled = amount * u64::from(width) / u64::from(old);
                editor.int(Int::new(width, scaled.into()))
            }
            _ => new,
        };
        editor.set_operand(use_, new);
    }
    casts.into_iter().for_each(|cast| repair_cast(&mut editor, cast));
    true
}

/// Truncates a constant to its value if it fits, or to its upper bits.
fn scaled(int: Int, width: u32) -> Int {
    let fits = !int.trunc_loses_signed(width) || !int.trunc_loses_unsigned(width);
    let shift = int.width() - width;
    if fits { int.trunc(width) } else { int.extract(shift, width) }
}

/// Changes the call `inst` to the intrinsic `name` for integers of type `ty`.
fn call_another(module: &mut Module, func: FuncId, inst: Inst, name: &str, ty: Type) -> bool {
    let Some(body) = module.body(func) else { return false };
    let Some(call) = body.inst(inst).call() else { return false };
    let params = vec![ty; call.args().len()];
    let fn_ty = module.env.types.function(ty, &params, false);
    let Some(callee) = module.env.declare_intrinsic(name, fn_ty) else { return false };
    module.adopt_declarations();
    let Some((_, body)) = module.body_mut(func) else { return false };
    let mut data: InstData = body.inst(inst).clone();
    let InstKind::Call(info) = &mut data.kind else { return false };
    info.fn_ty = fn_ty;
    let mut editor = Editor::new(body);
    editor.set_kind(inst, data.kind);
    let callee = editor.consts().global(Type::PTR, GlobalRef::Func(callee));
    let index = (data.operands.len() - 1) as u32;
    editor.set_operand(Use { user: inst, index }, callee.into());
    true
}
