//! Accesses that go through an object without coming back, however often loops run, and whatever their subscripts are modulo 2^w.
//!
//! An access that is executed in each iteration of the innermost loop around it, each time by the same number of bytes further,
//! modulo 2^w, is at addresses that are made of one pointer, so that they are in one object; and as none is larger than half of
//! what indices reach (LangRef, "Allocated Objects"), each is that number further in ℤ too. If that is at least its size, it
//! touches no byte twice in that loop.
//!
//! ```text
//! + DO i1 = 0, %n + -1, 1            from one iteration of i2 to the next: 4 bytes
//! |   + DO i2 = 0, %m + -1, 1        from one iteration of i1 to the next: 4 * %m bytes, which is as many as all of i2 go
//! |   |   (%a)[%m * i1 + i2] = 0;
//! ```
//!
//! So it is with a loop around that one which runs it once in each iteration, always equally often, if from one iteration to the
//! next the address advances by as much as all iterations of the inner loop do: then it is the same number of bytes further from
//! the last iteration of the one execution to the first one of the next. All of that is asked of closed forms modulo 2^w.

use crate::blob::{Blob, NAry, Node as Tree, Temp};
use crate::canon::{CanonExpr, Level};
use crate::ddref::{MemRef, RegDdRef};
use crate::node::{Hir, HlLoop, Kind, List, LoopKind, Node};
use backedge_ir::int::Int;
use rustc_hash::FxHashMap;

/// Where accesses are.
pub(super) struct Walker<'w> {
    pub(super) hir: &'w Hir,
    /// What writes variables.
    pub(super) definitions: &'w FxHashMap<Temp, Vec<Node>>,
    /// The loops around the access, the outermost first.
    pub(super) loops: &'w [Node],
}

/// A product of a constant and blobs, which are in order.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Product {
    constant: Int,
    factors: Vec<Blob>,
}

impl Walker<'_> {
    /// How many of the innermost loops the access `node` to `mem` goes through, by `bytes` at least each time.
    pub(super) fn depth(&self, node: Node, mem: &MemRef, bytes: i128) -> usize {
        let Some(innermost) = self.loops.len().checked_sub(1) else { return 0 };
        let step = self.advance(mem, innermost).filter(|step| step.factors.is_empty());
        let is_far =
            |step: &Product| bytes > 0 && step.constant.signed().unsigned_abs() >= bytes.unsigned_abs();
        let Some(step) = step.filter(|step| is_far(step) && self.is_each_time(node, innermost)) else {
            return 0;
        };
        let mut all = step;
        let mut depth = 1;
        while let Some(outer) = innermost.checked_sub(depth) {
            let inner = self.loops[outer + 1];
            let count = self.count(inner).filter(|count| count.constant.width() == all.constant.width());
            let Some(whole) = count.map(|count| all.times(&count)) else { break };
            let is_next = self.advance(mem, outer).is_some_and(|advance| advance == whole);
            if !is_next || !self.is_each_time(inner, outer) || !self.is_always_the_same(outer) {
                break;
            }
            all = whole;
            depth += 1;
        }
        depth
    }
    /// Whether `node` is executed once in each iteration of the loop of that number around it.
    fn is_each_time(&self, node: Node, at: usize) -> bool {
        let (hir, l) = (self.hir, self.loops[at]);
        let is_inner = at + 1 == self.loops.len();
        // Behind an access a goto may lead to the next iteration; out of a loop in this one none may lead.
        let may_be_passed = |other: &Node| match hir.kind(*other) {
            Kind::Goto(goto) => goto.label().is_some() && !(is_inner && hir.comes_before(node, *other)),
            Kind::Region(_)
            | Kind::Loop(_)
            | Kind::If(_)
            | Kind::Switch(_)
            | Kind::Label(_)
            | Kind::Inst(_) => false,
        };
        matches!(hir.kind(l), Kind::Loop(of) if of.is_normalized())
            && hir.parent(node) == Some(l)
            && hir.list_of(node) == Some(List::Body)
            && !hir.nodes_in(l).iter().any(may_be_passed)
    }
    /// Whether the loops in that one are run equally often, or not at all, in all its iterations.
    fn is_always_the_same(&self, outer: usize) -> bool {
        let is_fixed = |of: &RegDdRef| of.as_terminal().is_some_and(|form| self.is_fixed(form, outer));
        self.loops[outer + 1..].iter().all(|l| match self.hir.kind(*l) {
            Kind::Loop(HlLoop { kind: LoopKind::Do { upper, .. }, ztt, .. }) => {
                is_fixed(upper) && ztt.iter().flat_map(|test| &test.refs).all(is_fixed)
            }
            _ => false,
        })
    }
    /// Whether a form is the same in all iterations of the loop of that number, and of those in it.
    fn is_fixed(&self, form: &CanonExpr, at: usize) -> bool {
        let has_level = form.ivs().iter().any(|(level, _)| *level as usize > at);
        !has_level && self.has_fixed_variables(form, at)
    }
    fn has_fixed_variables(&self, form: &CanonExpr, at: usize) -> bool {
        let (hir, l) = (self.hir, self.loops[at]);
        let is_outside =
            |temp: Temp| self.definitions.get(&temp).is_none_or(|all| !all.iter().any(|d| hir.is_in(l, *d)));
        form.collect_temp_blobs(&hir.blobs).into_iter().all(is_outside)
    }
    /// The bytes, modulo 2^w, by which the address moves from one iteration of a loop to the next, if that is one product and
    /// always the same.
    fn advance(&self, mem: &MemRef, at: usize) -> Option<Product> {
        let level = Level::try_from(at + 1).ok()?;
        let width = mem.base.dest_type().width;
        let dims = mem.computed_dims();
        let has_level = |form: &CanonExpr| form.has_iv(level);
        let is_fixed = mem.forms().all(|form| self.has_fixed_variables(form, at));
        if !is_fixed || has_level(&mem.base) || dims.iter().any(|dim| has_level(&dim.stride)) {
            return None;
        }
        let mut sum: Option<Product> = None;
        for dim in dims.iter().filter(|dim| has_level(&dim.subscript)) {
            let form = &dim.subscript;
            let is_plain =
                form.src_type().width == width && form.cast().is_none() && form.denominator().is_one();
            let coefficient = form.iv_coeff(level).filter(|_| is_plain)?;
            let by = Product::of(self.hir, coefficient.constant, coefficient.blob);
            let stride = dim.stride.as_constant()?;
            let more = by.times(&Product { constant: stride, factors: Vec::new() });
            sum = Some(match sum {
                None => more,
                Some(sum) => sum.plus(more)?,
            });
        }
        sum
    }
    /// How often the loop runs, modulo 2^w, if that is one product.
    fn count(&self, l: Node) -> Option<Product> {
        let Kind::Loop(HlLoop { kind: LoopKind::Do { upper, .. }, .. }) = self.hir.kind(l) else {
            return None;
        };
        let last = upper
            .as_terminal()
            .filter(|form| !form.has_any_iv() && form.cast().is_none() && form.denominator().is_one())?;
        let width = last.dest_type().width;
        let count = last.constant().add(Int::one(width));
        match last.blobs() {
            [] => Some(Product { constant: count, factors: Vec::new() }),
            [(blob, by)] if count.is_zero() => Some(Product::of(self.hir, *by, Some(*blob))),
            _ => None,
        }
    }
}

impl Product {
    /// `constant * blob`.
    fn of(hir: &Hir, mut constant: Int, blob: Option<Blob>) -> Self {
        let mut factors = Vec::new();
        if let Some(blob) = blob {
            let parts = match hir.blobs.node(blob) {
                Tree::NAry(NAry::Mul, parts) => &parts[..],
                Tree::NAry(..) | Tree::Constant(_) | Tree::Temp(_) | Tree::Cast(..) | Tree::UDiv(_) => {
                    std::slice::from_ref(&blob)
                }
            };
            for part in parts {
                match hir.blobs.as_constant(*part) {
                    Some(value) => constant = constant.mul(value),
                    None => factors.push(*part),
                }
            }
        }
        factors.sort_unstable();
        Self { constant, factors }
    }
    /// The product of both, modulo 2^w.
    fn times(&self, other: &Self) -> Self {
        let mut factors: Vec<Blob> = self.factors.iter().chain(&other.factors).copied().collect();
        factors.sort_unstable();
        Self { constant: self.constant.mul(other.constant), factors }
    }
    /// The sum, if it is one product.
    fn plus(self, other: Self) -> Option<Self> {
        let constant = self.constant.add(other.constant);
        (self.factors == other.factors).then_some(Self { constant, ..self })
    }
}
