//! Infers the types of parsed expressions: literals take their width from the context.
//!
//! Types propagate from the leaves and conversions upwards, then downwards, starting at the root with the type that its
//! context gives (the type of the value on the same line, or a type spelled in front of the expression).

use super::cursor::Cursor;
use super::error::Stop;
use super::names::Names;
use super::syntax::{Grammar, Index, Syntax};
use crate::expr::{CastOp, ExprId, Exprs, Foreign, NaryOp, Node, Operands};
use backedge_ir::entity::Block;
use backedge_ir::inst::Value;
use backedge_ir::int::Int;
use backedge_ir::types::Type;

/// The maximum number of expressions for one function: bounds the memory of its arena. Claims with further expressions
/// are left out with a note.
const MAX_EXPRS: usize = 4_000_000;

/// The marker that replaces the rest of a truncated expression.
pub(super) const CUT: &str = "...";

/// A parsed expression with the types known so far.
pub(super) struct Untyped<'t> {
    pub(super) nodes: Vec<Syntax<'t>>,
    pub(super) root: Index,
    types: Vec<Option<Type>>,
}

impl<'t> Untyped<'t> {
    /// Parses an expression.
    pub(super) fn read(names: &Names<'_>, cursor: &mut Cursor<'t>) -> Result<Self, Stop> {
        let mut grammar = Grammar::new(names);
        let root = grammar.expr(cursor).map_err(|stop| match stop {
            Stop::Wrong(error) if error.snippet.trim_start().starts_with(CUT) => {
                Stop::beyond("the text was cut")
            }
            stop @ (Stop::Wrong(_) | Stop::Beyond(_)) => stop,
        })?;
        let nodes = grammar.nodes;
        let mut types: Vec<Option<Type>> = Vec::with_capacity(nodes.len());
        for node in &nodes {
            let ty = upwards(names, node, &types);
            types.push(ty);
        }
        Ok(Self { nodes, root, types })
    }
    /// The type as far as the expression itself determines it.
    pub(super) fn ty(&self) -> Option<Type> {
        self.types[self.root]
    }
    /// The recurrences whose operands are all literals: their headers and literals, inner ones first.
    pub(super) fn literal_addrecs(&self) -> Vec<(Block, Vec<&'t str>)> {
        let literal = |i: &Index| if let Syntax::Literal(text) = self.nodes[*i] { Some(text) } else { None };
        let addrec = |node: &Syntax<'t>| match node {
            Syntax::AddRec { operands, header, .. } => {
                Some((*header, operands.iter().map(literal).collect::<Option<Vec<_>>>()?))
            }
            Syntax::Literal(_)
            | Syntax::Value(_)
            | Syntax::Constant(_)
            | Syntax::Cast { .. }
            | Syntax::Nary { .. }
            | Syntax::UDiv(..)
            | Syntax::VScale
            | Syntax::CouldNotCompute => None,
        };
        self.nodes.iter().filter_map(addrec).collect()
    }
    /// The text of the expression if it is a literal.
    pub(super) fn as_literal(&self) -> Option<&'t str> {
        if let Syntax::Literal(text) = self.nodes[self.root] { Some(text) } else { None }
    }
    /// Builds the expression, with type `expected` if given.
    pub(super) fn build(
        mut self,
        names: &Names<'_>,
        exprs: &mut Exprs,
        expected: Option<Type>,
    ) -> Result<ExprId, Stop> {
        if exprs.len() > MAX_EXPRS {
            return Err(Stop::beyond(format!("more than {MAX_EXPRS} expressions in one function")));
        }
        if self.types[self.root].is_none() {
            self.types[self.root] = expected;
        }
        for index in (0..self.nodes.len()).rev() {
            self.downwards(names, index);
        }
        let mut built: Vec<ExprId> = Vec::with_capacity(self.nodes.len());
        for (node, ty) in self.nodes.iter().zip(&self.types) {
            let id = make(names, exprs, node, *ty, &built)?;
            check_types(names, exprs, id)?;
            built.push(id);
        }
        let root = built[self.root];
        match expected {
            Some(ty) if !exprs.is_could_not_compute(root) && !same_width(names, exprs.ty(root), ty) => {
                Err(Stop::beyond(format!("an expression of type {:?} in place of {ty:?}", exprs.ty(root))))
            }
            _ => Ok(root),
        }
    }
    /// Propagates the type of `index` to its operands.
    fn downwards(&mut self, names: &Names<'_>, index: Index) {
        let ty = self.types[index];
        let integer = ty.map(|t| as_integer(names, t));
        let Self { nodes, types, .. } = self;
        let mut tell = |operand: Index, ty: Option<Type>| {
            if types[operand].is_none() {
                types[operand] = ty;
            }
        };
        match &nodes[index] {
            Syntax::Cast { from, operand, .. } => tell(*operand, *from),
            Syntax::Nary { op: NaryOp::Add | NaryOp::Mul, operands, .. } => {
                operands.iter().for_each(|o| tell(*o, integer));
            }
            Syntax::Nary { operands, .. } => operands.iter().for_each(|o| tell(*o, ty)),
            Syntax::UDiv(lhs, rhs) => [*lhs, *rhs].into_iter().for_each(|o| tell(o, integer)),
            Syntax::AddRec { operands, .. } => {
                let constant_start = matches!(nodes[operands[0]], Syntax::Constant(_));
                tell(operands[0], if constant_start { ty } else { integer });
                operands[1..].iter().for_each(|o| tell(*o, integer));
            }
            Syntax::Literal(_)
            | Syntax::Value(_)
            | Syntax::Constant(_)
            | Syntax::VScale
            | Syntax::CouldNotCompute => {}
        }
    }
}

/// The integer type of arithmetic on `ty`: the index type of the address space for a pointer, else `ty`.
fn as_integer(names: &Names<'_>, ty: Type) -> Type {
    ty.ptr_space().map_or(ty, |space| Type::int(names.env.layout.index_bits(space)))
}

fn same_width(names: &Names<'_>, a: Type, b: Type) -> bool {
    as_integer(names, a) == as_integer(names, b)
}

/// Whether the operands of `id` have types that its node allows.
fn check_types(names: &Names<'_>, exprs: &Exprs, id: ExprId) -> Result<(), Stop> {
    let (node, ty) = (exprs.node(id), exprs.ty(id));
    let bits = |id: ExprId| as_integer(names, exprs.ty(id)).int_bits();
    let fits = match node {
        Node::Cast(op, operand) => match (op, bits(*operand), ty.int_bits()) {
            (CastOp::Trunc, Some(from), Some(to)) => to < from,
            (CastOp::ZExt | CastOp::SExt, Some(from), Some(to)) => from < to,
            (CastOp::PtrToInt | CastOp::PtrToAddr, _, _) => exprs.ty(*operand).is_ptr(),
            (CastOp::Trunc | CastOp::ZExt | CastOp::SExt, _, _) => false,
        },
        Node::Nary(..) | Node::UDiv(..) | Node::AddRec { .. } => node
            .operands()
            .into_iter()
            .all(|o| bits(o).is_some() && bits(o) == as_integer(names, ty).int_bits()),
        Node::Int(_) | Node::Unknown(_) | Node::Foreign(_) | Node::VScale | Node::CouldNotCompute => true,
    };
    if fits { Ok(()) } else { Err(Stop::beyond("operands whose types do not fit each other")) }
}

fn upwards(names: &Names<'_>, node: &Syntax<'_>, types: &[Option<Type>]) -> Option<Type> {
    let common = |operands: &[Index]| {
        let known = || operands.iter().filter_map(|o| types[*o]);
        known().find(|t| t.is_ptr()).or_else(|| known().next())
    };
    match node {
        Syntax::Literal("true" | "false") => Some(Type::I1),
        Syntax::Literal(_) | Syntax::VScale => None,
        Syntax::Value(value) => Some(names.body.ty(*value)),
        Syntax::Constant(text) => constant_type(names, text),
        Syntax::Cast { to, .. } => Some(*to),
        Syntax::Nary { operands, .. } | Syntax::AddRec { operands, .. } => common(operands),
        Syntax::UDiv(lhs, rhs) => common(&[*lhs, *rhs]),
        Syntax::CouldNotCompute => Some(Type::VOID),
    }
}

/// The type of a constant, if its spelling determines it.
fn constant_type(names: &Names<'_>, text: &str) -> Option<Type> {
    if text == "null" {
        return None;
    }
    if text.starts_with('@') {
        let global = names.global(&mut Cursor::new(text.as_bytes(), 0)).ok()?;
        return Some(names.env.address_type(global));
    }
    match *names.constants(text) {
        [only] if !matches!(text, "undef" | "poison") => Some(names.body.consts().ty(only)),
        _ => None,
    }
}

fn make(
    names: &Names<'_>,
    exprs: &mut Exprs,
    node: &Syntax<'_>,
    ty: Option<Type>,
    built: &[ExprId],
) -> Result<ExprId, Stop> {
    let all = |operands: &[Index]| operands.iter().map(|o| built[*o]).collect::<Operands>();
    Ok(match node {
        Syntax::Literal(text) => {
            let ty = ty.ok_or_else(|| Stop::beyond(format!("the width of `{text}` is not known")))?;
            let width = as_integer(names, ty).int_bits();
            let width = width.ok_or_else(|| Stop::beyond(format!("`{text}` is no value of {ty:?}")))?;
            exprs.int(literal(text, width).ok_or_else(|| Stop::beyond(format!("`{text}` is too large")))?)
        }
        Syntax::Value(value) => exprs.unknown(*value, names.body.ty(*value)),
        Syntax::Constant(text) => constant(names, exprs, text, ty)?,
        Syntax::Cast { op, operand, to, .. } => exprs.cast(*op, built[*operand], *to),
        Syntax::Nary { op, operands, flags } => exprs.nary(*op, all(operands), *flags),
        Syntax::UDiv(lhs, rhs) => exprs.udiv(built[*lhs], built[*rhs]),
        Syntax::AddRec { operands, flags, header } => exprs.addrec(all(operands), *header, *flags),
        Syntax::VScale => {
            let ty = ty
                .filter(|t| t.is_int())
                .ok_or_else(|| Stop::beyond("the width of `vscale` is not known"))?;
            exprs.vscale(ty)
        }
        Syntax::CouldNotCompute => exprs.could_not_compute(),
    })
}

/// The value of a literal at the given width: decimal digits, with a sign if it is negative.
pub(super) fn literal(text: &str, width: u32) -> Option<Int> {
    match text {
        "true" => Some(Int::all_ones(width)).filter(|_| width == 1),
        "false" => Some(Int::zero(width)),
        _ => Int::parse(width, text).ok(),
    }
}

fn constant(names: &Names<'_>, exprs: &mut Exprs, text: &str, ty: Option<Type>) -> Result<ExprId, Stop> {
    let ty = ty.ok_or_else(|| Stop::beyond(format!("the type of `{text}` is not known")))?;
    // Typed pointers and globals of the pool have their own types; other constants take the type that the context
    // requires.
    let pool = names.body.consts();
    if let Some(id) = names.constants(text).iter().find(|c| pool.ty(**c) == ty) {
        return Ok(exprs.unknown(Value::Const(*id), ty));
    }
    let foreign = match text {
        "undef" => Foreign::Undef,
        "poison" => Foreign::Poison,
        "null" => Foreign::Null,
        _ if text.starts_with('@') => {
            let global = names.global(&mut Cursor::new(text.as_bytes(), 0)).map_err(Stop::from)?;
            Foreign::Global(global)
        }
        _ => Foreign::Text(text.into()),
    };
    Ok(exprs.intern(Node::Foreign(foreign), ty))
}
