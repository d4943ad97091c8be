//! Accesses that sweep an object without touching a byte twice, regardless of trip counts and of their subscripts
//! modulo 2^w.
//!
//! Consider an access that executes in each iteration of its innermost loop, each time at a constant byte distance
//! from the last, modulo 2^w. All its addresses are derived from one pointer, so they are in one object. Because no
//! object is larger than half of the index range (LangRef, "Allocated Objects"), consecutive addresses have that
//! distance in ℤ too. If the distance is at least the access size, the access touches no byte twice in that loop.
//!
//! ```text
//! + DO i1 = 0, %n + -1, 1            from one iteration of i2 to the next: 4 bytes
//! |   + DO i2 = 0, %m + -1, 1        from one iteration of i1 to the next: 4 * %m bytes, which is as many as all of i2 go
//! |   |   (%a)[%m * i1 + i2] = 0;
//! ```
//!
//! The same holds for an enclosing loop that runs the inner loop once per iteration with a constant trip count, if
//! the address advances per outer iteration by as much as in all iterations of the inner loop: then the last
//! iteration of one execution and the first one of the next are the same distance apart. All conditions are checked
//! on closed forms modulo 2^w.

use crate::blob::{Blob, NAry, Node as Tree, Temp};
use crate::canon::{CanonExpr, Level};
use crate::ddref::{MemRef, RegDdRef};
use crate::node::{Hir, HlLoop, Kind, List, LoopKind, Node};
use backedge_ir::int::Int;
use rustc_hash::FxHashMap;

/// The place of an access.
pub(super) struct Walker<'w> {
    pub(super) hir: &'w Hir,
    /// The writes of each variable.
    pub(super) definitions: &'w FxHashMap<Temp, Vec<Node>>,
    /// The loops around the access, outermost first.
    pub(super) loops: &'w [Node],
}

/// A product of a constant and blobs; the blobs are sorted.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Product {
    constant: Int,
    factors: Vec<Blob>,
}

impl Walker<'_> {
    /// The number of innermost loops in which the access `node` to `mem` advances by at least `bytes` each time.
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
    /// Whether `node` executes once in each iteration of the loop with index `at`.
    fn is_each_time(&self, node: Node, at: usize) -> bool {
        let (hir, l) = (self.hir, self.loops[at]);
        let is_inner = at + 1 == self.loops.len();
        // A goto to the next iteration is allowed after an access; no goto may leave an inner loop.
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
    /// Whether the inner loops of loop `outer` have the same trip count, possibly zero, in all its iterations.
    fn is_always_the_same(&self, outer: usize) -> bool {
        let is_fixed = |of: &RegDdRef| of.as_terminal().is_some_and(|form| self.is_fixed(form, outer));
        self.loops[outer + 1..].iter().all(|l| match self.hir.kind(*l) {
            Kind::Loop(HlLoop { kind: LoopKind::Do { lower, upper, stride }, ztt, .. }) => {
                [lower, upper, stride].into_iter().all(is_fixed)
                    && ztt.iter().flat_map(|test| &test.refs).all(is_fixed)
            }
            _ => false,
        })
    }
    /// Whether a form is invariant in the loop with index `at` and in all loops inside it.
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
    /// The byte distance, modulo 2^w, between addresses of consecutive iterations of a loop, if it is an invariant
    /// product.
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
    /// The trip count of the loop, modulo 2^w, if it is a product.
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
    /// The sum, if it is a single product.
    fn plus(self, other: Self) -> Option<Self> {
        let constant = self.constant.add(other.constant);
        (self.factors == other.factors).then_some(Self { constant, ..self })
    }
}
