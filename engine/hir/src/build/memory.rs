//! Addresses as bases and subscripts.
//!
//! A chain of `getelementptr`s is decomposed: every array index becomes a dimension whose stride is the element size,
//! and struct fields become bytes. So nested arrays have the dimensions that they were declared with. If a chain
//! begins at a pointer that advances through memory (a phi) and SCEV knows another base for it, that base is used,
//! and the distance becomes one more dimension. If one subscript contains several dimensions, they are recovered
//! ([`super::delinearize`]). All computations are modulo 2^w, like the meaning of a memory reference. If each
//! `getelementptr` of the chain is `inbounds` or `nusw`, and the phi's recurrence is `nuw`, the reference is `nusw`
//! ([`MemRef::flags`]), for dependence tests; the flags of the steps for lowering are kept separately ([`Path`]). A
//! constant number of bytes is not a dimension.
//!
//! Alias sets: accesses that may touch the same bytes in any two iterations are in one set, transitively. Pairs
//! within a set that are known not to alias are recorded by access number ([`Site`]).

use super::delinearize::{Recovered, by_products, constant_factor, delinearize};
use super::extent::Extent;
use super::values::{Values, Where};
use crate::ddref::{Access, Dimension, Flat, Joined, MemRef, Path, Site, Step};
use crate::node::Hir;
use crate::symbase::Symbase;
use crate::{CanonExpr, ScalarType};
use backedge_analysis::alias::location::pointer_operand;
use backedge_analysis::alias::{AliasResult, Aliasing, Iterations};
use backedge_ir::entity::{EntityId, Inst};
use backedge_ir::inst::{CastOp, GepFlags, InstKind, IntPredicate, Value};
use backedge_ir::int::Int;
use backedge_ir::types::{Compound, Type};
use backedge_scev::ScalarEvolution;
use backedge_scev::expr::Node as ScevNode;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Limit on the addresses decomposed for one reference: bounds the time for one access. The address reached is the
/// base.
const LONGEST_CHAIN: usize = 8;
/// Limit on the accesses of a nest, which are compared pair by pair; with more, all are in one alias set.
const MOST_ACCESSES: usize = 128;

/// One decomposed `getelementptr`: the parts added to its base.
struct Added {
    /// Indices with the byte sizes of their elements, outermost first.
    indices: SmallVec<[(Value, u64); 4]>,
    /// Bytes that struct fields add.
    offset: Int,
    path: Path,
    /// Whether the address is poison if its computation wraps.
    nusw: bool,
}

/// An address as a base and the parts added to it.
#[derive(Clone)]
struct Apart {
    base: Value,
    /// Subscripts with the byte sizes of their elements; the outermost dimension is first.
    dims: Vec<(CanonExpr, Int)>,
    /// The indices whose sum is the only subscript, if there is exactly one.
    indices: SmallVec<[Value; 2]>,
    /// Additional bytes.
    offset: Int,
    /// Whether the address is poison if its computation wraps.
    nusw: bool,
    /// The steps, with dimensions numbered from the outermost, 0.
    path: Path,
}

impl Apart {
    /// An address equal to its base.
    fn nothing(base: Value, width: u32) -> Self {
        let (dims, indices, offset) = (Vec::new(), SmallVec::new(), Int::zero(width));
        Self { base, dims, indices, offset, nusw: true, path: Path::empty() }
    }
}

/// The only dimension of a reference, whose subscript is a sum of indices.
#[derive(Copy, Clone)]
struct FlatIndex<'i> {
    dim: &'i Dimension,
    indices: &'i [Value],
    /// Whether the sum holds in ℤ.
    is_exact: bool,
}

/// Several dimensions recovered from one, their extents, and whether the outermost subscript is known to be
/// nonnegative.
type Dimensions = (SmallVec<[Dimension; 2]>, SmallVec<[CanonExpr; 2]>, bool);

/// An alternative base of a pointer.
struct Other {
    base: CanonExpr,
    /// The byte offset from it.
    bytes: CanonExpr,
    /// Whether the pointer starts at the base and advances by a nonnegative constant in ℤ, without wrapping around
    /// the end of memory.
    counts_up: bool,
}

impl<'a> Values<'a> {
    /// The memory reference of `access` at the address `ptr`, at that place.
    pub(super) fn memory(
        &mut self,
        scev: &mut ScalarEvolution<'a>,
        hir: &mut Hir,
        ptr: Value,
        at: Where,
        access: Access,
    ) -> MemRef {
        let width = self.ty(ptr).width;
        let mut apart = Apart::nothing(ptr, width);
        // The decomposition at the last base that can be read at this place.
        let mut held = apart.clone();
        for _ in 0..LONGEST_CHAIN {
            let Some(next) = self.one_step(scev, hir, &apart, at) else { break };
            apart = next;
            if self.holds(apart.base, at) {
                held = apart.clone();
            }
        }
        let other = self.on_other_base(scev, hir, &apart, &access, at);
        let other = other.or_else(|| {
            (held.base != apart.base).then(|| self.on_other_base(scev, hir, &held, &access, at)).flatten()
        });
        let (base, Apart { mut dims, indices, offset, nusw, path, .. }) =
            other.unwrap_or_else(|| (self.self_blob(hir, held.base), held));
        if dims.is_empty() {
            dims.push((CanonExpr::of_constant(Int::zero(width)), self.access_size(&access, width)));
        }
        let path = Some(Box::new(path.numbered(dims.len())));
        let dims = dims.into_iter().rev();
        let computed: SmallVec<[Dimension; 2]> = dims
            .map(|(subscript, stride)| Dimension { subscript, stride: CanonExpr::of_constant(stride) })
            .collect();
        let recovered = match &computed[..] {
            [only] => {
                // Otherwise the access would be UB: no index is poison or wraps.
                let is_access = !matches!(access, Access::AddressOf(_));
                let is_exact = is_access && (nusw || indices.len() == 1);
                self.recovered(scev, hir, FlatIndex { dim: only, indices: &indices, is_exact }, at)
            }
            _ => None,
        };
        let (dims, flat) = match recovered {
            Some((dims, extents, is_positive)) => {
                let flat = computed.into_iter().next();
                (dims, flat.map(|dim| Box::new(Flat { dim, extents, is_positive })))
            }
            None => (computed, None),
        };
        let flags = GepFlags { nusw, ..GepFlags::default() };
        MemRef { base, dims, offset, access, flags, flat, path, site: None }
    }
    /// Splits the subscript of the only dimension into several, if it contains several.
    fn delinearized(
        &self,
        scev: &mut ScalarEvolution<'a>,
        FlatIndex { dim, indices, is_exact }: FlatIndex<'_>,
        at: Where,
    ) -> Option<Recovered> {
        let width = dim.stride.dest_type().width;
        if indices.is_empty() || indices.iter().any(|index| self.ty(*index).width > width) {
            return None;
        }
        let of_code = if is_exact { by_products(scev, indices, at.block, width) } else { None };
        let of_recurrences = match *indices {
            [index] => {
                // More is known about the value before its extension, and its signed value is the same.
                let plain = self.before_extension(index);
                let plain = scev.expr(plain)?;
                delinearize(scev, plain, at.block)
            }
            _ => None,
        };
        of_code.into_iter().chain(of_recurrences).max_by_key(|of| of.subscripts.len())
    }
    /// The dimensions of the subscripts that the only dimension contains, if there are several.
    fn recovered(
        &mut self,
        scev: &mut ScalarEvolution<'a>,
        hir: &mut Hir,
        flat: FlatIndex<'_>,
        at: Where,
    ) -> Option<Dimensions> {
        let Recovered { subscripts, extents } = self.delinearized(scev, flat, at)?;
        let width = flat.dim.stride.dest_type().width;
        let root = flat.indices.first().copied();
        let mut dims: SmallVec<[Dimension; 2]> = SmallVec::new();
        let element = flat.dim.stride.as_constant()?;
        // Strides determine the extents as long as their constant factors do not wrap.
        let factors = extents.iter().try_fold(element.signed(), |product, extent| {
            product.checked_mul(constant_factor(scev, *extent)?).filter(|product| *product < 1 << 31)
        });
        if factors.is_none() || element.signed() < 1 {
            return None;
        }
        let mut stride = scev.constant(element);
        let mut of_extents = SmallVec::new();
        let is_positive = flat.is_exact
            && subscripts.last().is_some_and(|outermost| {
                let zero = scev.int(scev.width(*outermost), 0);
                scev.is_known_at(IntPredicate::Sge, *outermost, zero, at.block)
            });
        for (number, subscript) in subscripts.into_iter().enumerate() {
            let subscript = scev.trunc_or_sext(subscript, width);
            let forms = [subscript, stride].map(|expr| self.form_of(scev, hir, expr, root, at));
            let [subscript, of_stride] = forms;
            dims.push(Dimension { subscript: subscript?, stride: of_stride? });
            if let Some(extent) = extents.get(number) {
                let extent = scev.trunc_or_sext(*extent, width);
                of_extents.push(self.form_of(scev, hir, extent, root, at)?);
                stride = scev.mul(&[stride, extent]);
            }
        }
        Some((dims, of_extents, is_positive))
    }
    /// Decomposes one more `getelementptr`, if all its indices have forms at this place.
    fn one_step(
        &mut self,
        scev: &mut ScalarEvolution<'a>,
        hir: &mut Hir,
        apart: &Apart,
        at: Where,
    ) -> Option<Apart> {
        let width = apart.offset.width();
        let inst = self.in_nest(apart.base)?;
        let added = self.decompose_gep(inst, width)?;
        let one = match added.indices[..] {
            [one] => Some(one),
            _ => None,
        };
        let mut dims = Vec::new();
        for (index, bytes) in added.indices {
            dims.push((self.index_form(scev, hir, index, width, at)?, Int::new(width, bytes.into())));
        }
        let outer = dims.len();
        let (joined, is_exact) = join(&mut dims, apart.dims.clone(), hir, width);
        let indices = one.map(|(index, bytes)| match apart.dims[..] {
            [] => SmallVec::from_slice(&[index]),
            [(_, stride)]
                if dims.len() == 1
                    && stride == Int::new(width, bytes.into())
                    && !apart.indices.is_empty() =>
            {
                std::iter::once(index).chain(apart.indices.iter().copied()).collect()
            }
            _ => SmallVec::new(),
        });
        let adds_up = !apart.offset.add_overflows_signed(added.offset);
        Some(Apart {
            base: self.at.body.inst(inst).operands[0],
            dims,
            indices: if outer == 0 { apart.indices.clone() } else { indices.unwrap_or_default() },
            offset: apart.offset.add(added.offset),
            nusw: apart.nusw && is_exact && added.nusw && adds_up,
            path: added.path.then(&apart.path, outer, joined),
        })
    }
    /// The form of an index for addresses of `width` bits. Sign-extending a narrow index is part of the reference's
    /// meaning but hides how it advances; if the narrow index does not wrap, the form counts in the wide type.
    fn index_form(
        &mut self,
        scev: &mut ScalarEvolution<'a>,
        hir: &mut Hir,
        index: Value,
        width: u32,
        at: Where,
    ) -> Option<CanonExpr> {
        if self.ty(index).width < width
            && self.at.body.as_int(index).is_none()
            && let Some(narrow) = scev.expr(index)
        {
            let wide = scev.sext(narrow, width);
            let form = self.form_of(scev, hir, wide, Some(index), at);
            if let Some(form) = form.filter(|form| form.cast().is_none() && form.has_any_iv()) {
                return Some(form);
            }
        }
        self.form_if_held(scev, hir, index, at)
    }
    /// The same address relative to another base of its base, if there is one.
    fn on_other_base(
        &mut self,
        scev: &mut ScalarEvolution<'a>,
        hir: &mut Hir,
        apart: &Apart,
        access: &Access,
        at: Where,
    ) -> Option<(CanonExpr, Apart)> {
        let Other { base, bytes, counts_up } = self.other_base(scev, hir, apart.base, at)?;
        let size = self.access_size(access, apart.offset.width());
        let (form, stride) = in_elements(bytes, size, hir);
        let mut dims = vec![(form, stride)];
        let (Access::Load(ty, _) | Access::Store(ty, _) | Access::AddressOf(ty)) = access;
        let is_whole =
            self.access_bytes(access).is_some_and(|bytes| stride == Int::new(size.width(), bytes.into()));
        let of = if is_whole { *ty } else { Type::I8 };
        // Without `nuw` the access would be UB.
        let nuw = counts_up && !matches!(access, Access::AddressOf(_));
        let path = Path {
            steps: std::iter::once(Step::Elements { dim: 0, of, inside: false }).collect(),
            flags: GepFlags { nuw, ..GepFlags::default() },
        };
        let (joined, is_exact) = join(&mut dims, apart.dims.clone(), hir, size.width());
        let path = path.then(&apart.path, 1, joined);
        // Memory has less than 2^width bytes, so an index of elements of at least 2 bytes is nonnegative as signed.
        let nusw = apart.nusw && counts_up && stride.signed() >= 2 && is_exact;
        Some((base, Apart { dims, indices: SmallVec::new(), nusw, path, ..apart.clone() }))
    }
    /// The operand of the sign extension that `index` is, or `index` itself.
    fn before_extension(&self, index: Value) -> Value {
        let body = self.at.body;
        let is_sext = |inst: &Inst| matches!(body.inst(*inst).kind, InstKind::Cast(CastOp::SExt, _));
        index.as_inst().filter(is_sext).map_or(index, |inst| body.inst(inst).operands[0])
    }
    /// The accessed bytes as a number of `width` bits; 1 if they are unknown.
    fn access_size(&self, access: &Access, width: u32) -> Int {
        Int::new(width, self.access_bytes(access).unwrap_or(1).into())
    }
    fn access_bytes(&self, access: &Access) -> Option<u64> {
        let (Access::Load(ty, _) | Access::Store(ty, _) | Access::AddressOf(ty)) = access;
        self.at.env.layout.alloc_bytes(&self.at.env.types, *ty)
    }
    /// The parts that an address adds to its base, if all of them are integers.
    fn decompose_gep(&self, inst: Inst, width: u32) -> Option<Added> {
        let body = self.at.body;
        let data = body.inst(inst);
        let InstKind::Gep { source, flags } = data.kind else { return None };
        if !data.ty.is_ptr() || !data.operands.iter().skip(1).all(|index| self.is_index(*index)) {
            return None;
        }
        let (types, layout) = (&self.at.env.types, &self.at.env.layout);
        let nusw = flags.nusw || flags.inbounds;
        let mut path = Path { steps: SmallVec::new(), flags: GepFlags { nusw, ..flags } };
        let mut added =
            Added { indices: SmallVec::new(), offset: Int::zero(width), path: Path::default(), nusw };
        if let (Type::I8, &[_, bytes]) = (source, &data.operands[..])
            && let Some(bytes) = body.as_int(bytes)
        {
            let bytes = bytes.sext_or_trunc(width);
            path.steps.push(Step::Bytes(bytes));
            return Some(Added { offset: bytes, path, ..added });
        }
        let mut is_in_array = false;
        let mut ty = source;
        for (number, index) in data.operands.iter().skip(1).enumerate() {
            if number > 0 {
                if let Some(fields) =
                    layout.struct_layout(types, ty).filter(|_| types.struct_fields(ty).is_some())
                {
                    let field = body.as_int(*index)?.to_u64()?;
                    let bytes = *fields.offsets.get(usize::try_from(field).ok()?)?;
                    let bytes = Int::new(width, bytes.into());
                    added.nusw &= !added.offset.add_overflows_signed(bytes);
                    added.offset = added.offset.add(bytes);
                    path.steps.push(Step::Bytes(bytes));
                    is_in_array = false;
                    ty = types.member(ty, field)?;
                    continue;
                }
                ty = match types.compound(ty)? {
                    Compound::Array { elem, .. } | Compound::Vector { elem, scalable: false, .. } => *elem,
                    _ => return None,
                };
            }
            let bytes = layout.alloc_bytes(types, ty)?;
            path.steps.push(Step::Elements { dim: added.indices.len(), of: ty, inside: is_in_array });
            is_in_array = true;
            added.indices.push((*index, bytes));
        }
        // An index of elements of at least 2 bytes is nonnegative if it does not wrap as unsigned.
        added.nusw |= flags.nuw && added.indices.iter().all(|(_, bytes)| *bytes >= 2);
        Some(Added { path, ..added })
    }
    fn is_index(&self, value: Value) -> bool {
        let ty: Type = self.at.body.ty(value);
        ty.int_bits().is_some_and(|bits| bits <= Int::MAX_WIDTH)
    }
    /// Another base of a pointer of the nest, and the byte offset from it, if SCEV knows one and both have forms.
    fn other_base(
        &mut self,
        scev: &mut ScalarEvolution<'a>,
        hir: &mut Hir,
        ptr: Value,
        at: Where,
    ) -> Option<Other> {
        self.in_nest(ptr)?;
        let expr = scev.expr(ptr)?;
        let known = scev.pointer_base(expr);
        if known == expr || !matches!(scev.arena().node(known), ScevNode::Unknown(_)) {
            return None;
        }
        let bytes = scev.without_base(expr);
        let counts_up = match scev.arena().node(expr) {
            ScevNode::AddRec(_, parts) => {
                let step = parts.get(1).and_then(|step| scev.as_constant(*step));
                parts.len() == 2
                    && parts[0] == known
                    && step.is_some_and(|s| s.signed() >= 0)
                    && scev.flags(expr).nuw()
            }
            _ => false,
        };
        let base = self.form_of(scev, hir, known, None, at)?;
        let bytes = self.form_of(scev, hir, bytes, None, at)?;
        Some(Other { base, bytes, counts_up })
    }
    /// The symbases and numbers of all accesses of the nest. Records the pairs that are known not to alias.
    pub(super) fn alias_sets(&self, hir: &mut Hir, extent: &Extent) -> FxHashMap<Inst, (Symbase, Site)> {
        let body = self.at.body;
        let insts = extent.blocks.iter().flat_map(|b| body.insts(*b)).copied();
        let accesses: Vec<Inst> = insts.filter(|i| pointer_operand(body, *i).is_some()).collect();
        let aliasing = Aliasing::new(self.at);
        let sites: Vec<Site> = accesses.iter().map(|inst| Site(inst.index() as u32)).collect();
        let mut set: Vec<usize> = (0..accesses.len()).collect();
        for (i, a) in accesses.iter().enumerate() {
            for (j, b) in accesses[..i].iter().enumerate() {
                let is_apart = accesses.len() <= MOST_ACCESSES
                    && aliasing.alias_accesses(*b, *a, Iterations::All) == AliasResult::NoAlias;
                if is_apart {
                    hir.facts.sites_apart.insert((sites[i].min(sites[j]), sites[i].max(sites[j])));
                } else if set[i] != set[j] {
                    let (from, to) = (set[i], set[j]);
                    set.iter_mut().filter(|s| **s == from).for_each(|s| *s = to);
                }
            }
        }
        let mut symbases: FxHashMap<usize, Symbase> = FxHashMap::default();
        let mut symbase = |at: usize| *symbases.entry(set[at]).or_insert_with(|| hir.new_symbase());
        (0..accesses.len()).map(|at| (accesses[at], (symbase(at), sites[at]))).collect()
    }
}

/// Appends the dimensions of an address to those of its base. If the first inner index and the last outer index count
/// elements of the same size, they become one subscript, if their sum has a form. Returns what became of the first
/// inner index, and whether the signed sum is exact if no intermediate address wraps: both indices are then within
/// 2^width bytes, and elements of at least 4 bytes leave the sum within the signed range, while smaller elements may
/// exceed it.
fn join(
    outer: &mut Vec<(CanonExpr, Int)>,
    inner: Vec<(CanonExpr, Int)>,
    hir: &mut Hir,
    width: u32,
) -> (Joined, bool) {
    let (mut joined, mut is_exact) = (Joined::Apart, true);
    let mut inner = inner.into_iter().peekable();
    if let (Some((last, last_stride)), Some((first, stride))) = (outer.last_mut(), inner.peek()) {
        if first.as_constant().is_some_and(Int::is_zero) {
            joined = Joined::Gone;
            inner.next();
        } else if *last_stride == *stride
            && [&*last, first].iter().all(|form| form.dest_type() == ScalarType::int(width))
            && let Some(sum) = last.add(first, crate::canon::NoWrap::Unknown, &mut hir.blobs)
        {
            *last = sum;
            is_exact = stride.signed() >= 4;
            joined = Joined::Added;
            inner.next();
        }
    }
    outer.extend(inner);
    (joined, is_exact)
}

/// Bytes as a number of elements of that size, if they are whole elements; and the byte size that one counts.
fn in_elements(bytes: CanonExpr, size: Int, hir: &mut Hir) -> (CanonExpr, Int) {
    let one = Int::one(size.width());
    match bytes.divided_exactly(size, &mut hir.blobs) {
        Some(elements) if !size.is_zero() => (elements, size),
        _ => (bytes, one),
    }
}
