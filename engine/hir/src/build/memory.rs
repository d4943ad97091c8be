//! Addresses as bases and subscripts.
//!
//! A chain of `getelementptr` is taken apart: every index of an array is a dimension with the element's size for its
//! stride, fields of structs are bytes. So nested arrays are dimensions as they were declared. Where a chain begins at a
//! pointer that runs through memory (a phi), and SCEV knows another base for it, that is the base, and the way run one
//! more dimension. Where one subscript holds several dimensions, these are recovered ([`super::delinearize`]). All of this
//! is sums modulo 2^w, as the meaning of a memory reference is. If each `getelementptr` of the chain is `inbounds` or
//! `nusw`, and the phi's recurrence `nuw`, so is the reference ([`MemRef::flags`]), for the tests of dependences; what is
//! said of the steps that instructions are made of is kept apart ([`Path`]). A constant number of bytes is no dimension.
//!
//! Alias sets: accesses that may touch the same bytes in any two iterations are in one, transitively. Pairs of which it is
//! known that they do not are kept besides, by the numbers of the accesses ([`Site`]).

use super::delinearize::{Recovered, by_products, constant_factor, delinearize};
use super::extent::Extent;
use super::values::{Values, Where};
use crate::ddref::{Access, Dimension, Flat, Joined, MemRef, Path, Site, Step, Symbase};
use crate::node::Hir;
use crate::{CanonExpr, ScalarType};
use backedge_analysis::alias::Iterations;
use backedge_analysis::alias::location::pointer_operand;
use backedge_analysis::alias::{AliasResult, Aliasing};
use backedge_ir::entity::{EntityId, Inst};
use backedge_ir::inst::{CastOp, GepFlags, InstKind, IntPredicate, Value};
use backedge_ir::int::Int;
use backedge_ir::types::{Compound, Type};
use backedge_scev::ScalarEvolution;
use backedge_scev::expr::Node as ScevNode;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// How many addresses are taken apart for one.
const LONGEST_CHAIN: usize = 8;
/// Accesses of a nest beyond which all are in one alias set.
const MOST_ACCESSES: usize = 128;

/// One address taken apart: what is added to a base.
struct Added {
    /// Indices with the bytes that one counts, outermost first.
    indices: SmallVec<[(Value, u64); 4]>,
    /// Bytes that fields add.
    offset: Int,
    path: Path,
    /// Whether an address that wraps around on the way is poison.
    nusw: bool,
}

/// An address as a base and what is added to it.
#[derive(Clone)]
struct Apart {
    base: Value,
    /// Subscripts, and the bytes that one of each counts; the outermost dimension first.
    dims: Vec<(CanonExpr, Int)>,
    /// The indices whose sum the only subscript is the form of, if there is one.
    indices: SmallVec<[Value; 2]>,
    /// Bytes besides.
    offset: Int,
    /// Whether an address that wraps around on the way is poison.
    nusw: bool,
    /// The steps, dimensions counted from the outermost, 0, on.
    path: Path,
}

impl Apart {
    /// An address that nothing is added to.
    fn nothing(base: Value, width: u32) -> Self {
        let (dims, indices, offset) = (Vec::new(), SmallVec::new(), Int::zero(width));
        Self { base, dims, indices, offset, nusw: true, path: Path::empty() }
    }
}

/// Several dimensions recovered from one, their extents, and whether the outermost subscript is known to be no negative number.
type Dimensions = (SmallVec<[Dimension; 2]>, SmallVec<[CanonExpr; 2]>, bool);

/// Another base of a pointer.
struct Other {
    base: CanonExpr,
    /// The bytes from it.
    bytes: CanonExpr,
    /// Whether it begins there and goes up by a constant, in ℤ: no step leads around the end of memory.
    counts_up: bool,
}

impl<'a> Values<'a> {
    /// The address `ptr` at that place, which `access` is done at.
    pub(super) fn memory(
        &mut self,
        scev: &mut ScalarEvolution<'a>,
        hir: &mut Hir,
        ptr: Value,
        at: Where,
        access: Access,
    ) -> MemRef {
        let width = self.ty(ptr).width;
        let size = Int::new(width, self.access_bytes(&access).unwrap_or(1).into());
        let mut apart = Apart::nothing(ptr, width);
        // What is there if no step further is taken, of a base that can be read here.
        let mut held = apart.clone();
        for _ in 0..LONGEST_CHAIN {
            let Some(next) = self.one_step(scev, hir, &apart, at) else { break };
            apart = next;
            if self.holds(apart.base, at) {
                held = apart.clone();
            }
        }
        let other = self.on_other_base(scev, hir, &apart, (size, &access), at);
        let other = other.or_else(|| {
            (held.base != apart.base)
                .then(|| self.on_other_base(scev, hir, &held, (size, &access), at))
                .flatten()
        });
        let (base, Apart { mut dims, indices, offset, nusw, path, .. }) =
            other.unwrap_or_else(|| (self.self_blob(hir, held.base), held));
        if dims.is_empty() {
            dims.push((CanonExpr::of_constant(Int::zero(width)), size));
        }
        let path = Some(Box::new(path.numbered(dims.len())));
        let dims = dims.into_iter().rev();
        let computed: SmallVec<[Dimension; 2]> = dims
            .map(|(subscript, stride)| Dimension { subscript, stride: CanonExpr::of_constant(stride) })
            .collect();
        let recovered = match &computed[..] {
            [only] => {
                // What an access is undefined without is so: no index is poison, nor wraps around.
                let is_access = !matches!(access, Access::AddressOf(_));
                let is_exact = is_access && (nusw || indices.len() == 1);
                self.recovered(scev, hir, (only, &indices, is_exact), at)
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
    /// The dimensions of `only`, whose subscript is the sum of these indices, if there are several in it. `is_exact` says that
    /// it is in ℤ.
    fn recovered(
        &mut self,
        scev: &mut ScalarEvolution<'a>,
        hir: &mut Hir,
        (only, indices, is_exact): (&Dimension, &[Value], bool),
        at: Where,
    ) -> Option<Dimensions> {
        let width = only.stride.dest_type().width;
        if indices.is_empty() || indices.iter().any(|index| self.ty(*index).width > width) {
            return None;
        }
        let of_code = if is_exact { by_products(scev, indices, at.block, width) } else { None };
        let of_recurrences = match *indices {
            [index] => {
                // Before it is extended more is known of it, and its value as signed is the same.
                let plain = self.before_extension(index);
                let plain = scev.expr(plain)?;
                delinearize(scev, plain, at.block)
            }
            _ => None,
        };
        let most = of_code.into_iter().chain(of_recurrences).max_by_key(|of| of.subscripts.len());
        let Recovered { subscripts, extents } = most?;
        let root = indices.first().copied();
        let mut dims: SmallVec<[Dimension; 2]> = SmallVec::new();
        let element = only.stride.as_constant()?;
        // Strides say what extents there are as long as their constant factors do not wrap around.
        let factors = extents.iter().try_fold(element.signed(), |product, extent| {
            product.checked_mul(constant_factor(scev, *extent)?).filter(|product| *product < 1 << 31)
        });
        if factors.is_none() || element.signed() < 1 {
            return None;
        }
        let mut stride = scev.constant(element);
        let mut of_extents = SmallVec::new();
        let is_positive = is_exact
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
    /// One `getelementptr` more taken apart, if the base is one of which everything has a form here.
    fn one_step(
        &mut self,
        scev: &mut ScalarEvolution<'a>,
        hir: &mut Hir,
        apart: &Apart,
        at: Where,
    ) -> Option<Apart> {
        let width = apart.offset.width();
        let inst = self.in_nest(apart.base)?;
        let added = self.taken_apart(inst, width)?;
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
    /// An index of addresses of `width` bits. The conversion of a narrower one is part of the reference, which is no help to
    /// those who ask how it advances: where the index does not wrap around, it is the wide one that is counted.
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
    /// The same address from another base of its base, if there is one; elements have that many bytes.
    fn on_other_base(
        &mut self,
        scev: &mut ScalarEvolution<'a>,
        hir: &mut Hir,
        apart: &Apart,
        (size, access): (Int, &Access),
        at: Where,
    ) -> Option<(CanonExpr, Apart)> {
        let Other { base, bytes, counts_up } = self.other_base(scev, hir, apart.base, at)?;
        let (form, stride) = in_elements(bytes, size, hir);
        let mut dims = vec![(form, stride)];
        let (Access::Load(ty, _) | Access::Store(ty, _) | Access::AddressOf(ty)) = access;
        let is_whole =
            self.access_bytes(access).is_some_and(|bytes| stride == Int::new(size.width(), bytes.into()));
        let of = if is_whole { *ty } else { Type::I8 };
        // An access is undefined without it.
        let nuw = counts_up && !matches!(access, Access::AddressOf(_));
        let path = Path {
            steps: std::iter::once(Step::Elements { dim: 0, of, inside: false }).collect(),
            flags: GepFlags { nuw, ..GepFlags::default() },
        };
        let (joined, is_exact) = join(&mut dims, apart.dims.clone(), hir, size.width());
        let path = path.then(&apart.path, 1, joined);
        // All of memory is less than 2^width bytes, so that half as many elements are no negative number.
        let nusw = apart.nusw && counts_up && stride.signed() >= 2 && is_exact;
        Some((base, Apart { dims, indices: SmallVec::new(), nusw, path, ..apart.clone() }))
    }
    /// What is sign-extended to `index`, or that itself.
    fn before_extension(&self, index: Value) -> Value {
        let body = self.at.body;
        let is_sext = |inst: &Inst| matches!(body.inst(*inst).kind, InstKind::Cast(CastOp::SExt, _));
        index.as_inst().filter(is_sext).map_or(index, |inst| body.inst(inst).operands[0])
    }
    fn access_bytes(&self, access: &Access) -> Option<u64> {
        let (Access::Load(ty, _) | Access::Store(ty, _) | Access::AddressOf(ty)) = access;
        self.at.env.layout.alloc_bytes(&self.at.env.types, *ty)
    }
    /// What an address adds to its base, if all of it is integers.
    fn taken_apart(&self, inst: Inst, width: u32) -> Option<Added> {
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
        // An index of what is more than a byte is no negative number if it does not wrap around as unsigned.
        added.nusw |= flags.nuw && added.indices.iter().all(|(_, bytes)| *bytes >= 2);
        Some(Added { path, ..added })
    }
    fn is_index(&self, value: Value) -> bool {
        let ty: Type = self.at.body.ty(value);
        ty.int_bits().is_some_and(|bits| bits <= Int::MAX_WIDTH)
    }
    /// Another base of a pointer of the nest, and the bytes from it, if SCEV knows one and both have forms.
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
    /// The symbases of all accesses of the nest, and their numbers. Of two in one set it is kept that they are apart, if they
    /// are.
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

/// Puts the dimensions of an address behind those of its base. Where the one's first index counts what the other's last one
/// does, they are one subscript, if that is a form. Returns what became of that one, and whether the sum as signed is the exact one if no address on the
/// way wraps around: then the sum of both is within 2^width bytes, which a quarter of as many elements are; fewer bytes
/// an element leave room for a sum beyond the signed ones.
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

/// Bytes as elements of that size, if all of them are whole ones; and what one of them counts.
fn in_elements(bytes: CanonExpr, size: Int, hir: &mut Hir) -> (CanonExpr, Int) {
    let one = Int::one(size.width());
    match bytes.divided_exactly(size, &mut hir.blobs) {
        Some(elements) if !size.is_zero() => (elements, size),
        _ => (bytes, one),
    }
}
