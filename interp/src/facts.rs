//! Facts about values stated by attributes and metadata, and the effects of violations.
//!
//! A value that violates `range`, `nonnull` or `align` becomes poison. `noundef` makes a value that is poison or has
//! undefined bits immediate UB. `dereferenceable` and `dereferenceable_or_null` imply `noundef`: LangRef makes
//! violations UB, so that loads may be hoisted. A value with undefined bits violates a fact if one of its choices
//! does.

use crate::float_class::class_of;
use crate::layout::Shape;
use crate::memory::{Liveness, Memory};
use crate::outcome::{Step, Stop, UbKind};
use crate::value::{Cube, Pointer, Val, mask};
use backedge_ir::attr::{Attr, AttrList, FlagAttr, IntAttr};
use backedge_ir::int::Int;
use backedge_ir::metadata::{MdKind, MdOperand, MdRef};
use backedge_ir::module::Env;
use backedge_ir::types::Type;

/// Whether null is an ordinary address for pointers of type `ty` in a function with these attributes: in address
/// spaces other than 0, and if `null_pointer_is_valid` is set. It is unknown whether memory exists there. The reading
/// that validates the fewest transforms is that it may: null may then be dereferenceable, and an access there is
/// neither known to be UB nor known to work, so the run ends there as not modelled.
pub(crate) fn null_is_address(env: &Env, function_attrs: &AttrList, ty: Type) -> bool {
    let Some(space) = env.types.scalar(ty).ptr_space() else { return false };
    space != 0 || env.has_attr(function_attrs, FlagAttr::NullPointerIsValid)
}

/// Facts about a value.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Facts {
    pub(crate) noundef: bool,
    pub(crate) nonnull: bool,
    /// In bytes; 0 if unspecified.
    pub(crate) align: u64,
    pub(crate) dereferenceable: u64,
    pub(crate) dereferenceable_or_null: u64,
    /// Whether memory may exist at null, so that null may be dereferenceable; set only together with
    /// `dereferenceable`.
    pub(crate) null_is_address: bool,
    /// Lists of half-open ranges; the value must be in one range of each list.
    pub(crate) ranges: Vec<Vec<(Int, Int)>>,
    /// Excluded float classes, as in `llvm.is.fpclass`.
    pub(crate) excluded_classes: u128,
}

impl Facts {
    fn is_none(&self) -> bool {
        *self == Self::default()
    }
    /// The conjunction of both.
    pub(crate) fn and(mut self, other: Self) -> Self {
        // All fields are named, so that a new one is not forgotten here.
        let Self {
            noundef,
            nonnull,
            align,
            dereferenceable,
            dereferenceable_or_null,
            null_is_address,
            ranges,
            excluded_classes,
        } = other;
        self.ranges.extend(ranges);
        Self {
            noundef: self.noundef || noundef,
            nonnull: self.nonnull || nonnull,
            align: self.align.max(align),
            dereferenceable: self.dereferenceable.max(dereferenceable),
            dereferenceable_or_null: self.dereferenceable_or_null.max(dereferenceable_or_null),
            null_is_address: self.null_is_address || null_is_address,
            ranges: self.ranges,
            excluded_classes: self.excluded_classes | excluded_classes,
        }
    }
    /// Whether there is no fact except possibly `noundef`.
    pub(crate) fn is_noundef_alone(&self) -> bool {
        Self { noundef: false, ..self.clone() }.is_none()
    }
    /// These facts for a pointer; `is_address` states whether null may be an ordinary address.
    pub(crate) fn with_null(mut self: Box<Self>, is_address: bool) -> Box<Self> {
        self.null_is_address = is_address && self.dereferenceable > 0;
        self
    }
    /// Facts stated by the attributes of a parameter, argument or result.
    pub(crate) fn of_attrs(env: &Env, list: &AttrList) -> Option<Box<Self>> {
        let mut facts = Self::default();
        facts.add_attrs(env, list);
        (!facts.is_none()).then(|| Box::new(facts))
    }
    fn add_attrs(&mut self, env: &Env, list: &AttrList) {
        for attr in env.attrs(list) {
            match attr {
                Attr::Flag(FlagAttr::NoUndef) => self.noundef = true,
                Attr::Flag(FlagAttr::NonNull) => self.nonnull = true,
                Attr::Int(IntAttr::Align, n) => self.align = self.align.max(*n),
                Attr::Int(IntAttr::Dereferenceable, n) => self.add_dereferenceable(*n),
                Attr::Int(IntAttr::DereferenceableOrNull, n) => self.add_dereferenceable_or_null(*n),
                Attr::Range(lo, hi) => self.ranges.push(vec![(*lo, *hi)]),
                Attr::Text(_) => self.excluded_classes |= attr.excluded_classes(),
                Attr::Type(..) => self.add_dereferenceable(env.pointee_bytes(attr)),
                Attr::Flag(_)
                | Attr::Int(IntAttr::AlignStack, _)
                | Attr::Memory(_)
                | Attr::NoCapture
                | Attr::String(..) => {}
            }
        }
    }
    fn add_dereferenceable(&mut self, bytes: u64) {
        self.dereferenceable = self.dereferenceable.max(bytes);
        self.noundef |= bytes > 0;
    }
    fn add_dereferenceable_or_null(&mut self, bytes: u64) {
        self.dereferenceable_or_null = self.dereferenceable_or_null.max(bytes);
        self.noundef |= bytes > 0;
    }
    /// Facts stated by the metadata of a load or call about its result.
    pub(crate) fn of_metadata(env: &Env, metadata: &[(MdKind, MdRef)]) -> Option<Box<Self>> {
        let mut facts = Self::default();
        for (kind, md) in metadata {
            match kind {
                MdKind::NoUndef => facts.noundef = true,
                MdKind::NonNull => facts.nonnull = true,
                MdKind::Align => facts.align = number(env, *md).unwrap_or(0),
                MdKind::Dereferenceable => facts.add_dereferenceable(number(env, *md).unwrap_or(0)),
                MdKind::DereferenceableOrNull => {
                    facts.add_dereferenceable_or_null(number(env, *md).unwrap_or(0));
                }
                MdKind::Range => {
                    if let MdRef::Node(node) = md {
                        facts.ranges.extend(env.metadata.ranges(*node, &env.consts));
                    }
                }
                MdKind::Dbg
                | MdKind::DIAssignID
                | MdKind::Tbaa
                | MdKind::TbaaStruct
                | MdKind::Prof
                | MdKind::FpMath
                | MdKind::InvariantLoad
                | MdKind::InvariantGroup
                | MdKind::AliasScope
                | MdKind::NoAlias
                | MdKind::NonTemporal
                | MdKind::MemParallelLoopAccess
                | MdKind::AccessGroup
                | MdKind::Loop
                | MdKind::Unpredictable
                | MdKind::MakeImplicit
                | MdKind::Srcloc
                | MdKind::Callees
                | MdKind::Callback
                | MdKind::Annotation
                | MdKind::NoSanitize
                | MdKind::Other(_) => {}
            }
        }
        (!facts.is_none()).then(|| Box::new(facts))
    }
    /// Applies these facts to a value.
    pub(crate) fn apply(&self, memory: &Memory, shape: &Shape, value: Val) -> Step<Val> {
        Self::apply_all([Some(self), None], memory, shape, value)
    }
    /// Applies the facts of a call and of its callee, which hold together: with `noundef` in one of them, violating
    /// the other is UB.
    pub(crate) fn apply_all(
        all: [Option<&Self>; 2],
        memory: &Memory,
        shape: &Shape,
        mut value: Val,
    ) -> Step<Val> {
        for facts in all.into_iter().flatten() {
            value = facts.or_poison(memory, shape, value);
        }
        if all.iter().flatten().any(|f| f.noundef) && value.has_undef_or_poison() {
            return Err(Stop::Ub(UbKind::NoUndefViolated));
        }
        Ok(value)
    }
    /// The value, with its scalars that violate a fact replaced by poison.
    fn or_poison(&self, memory: &Memory, shape: &Shape, value: Val) -> Val {
        match &value {
            Val::Agg(_) if self.is_noundef_alone() => value,
            Val::Agg(members) => {
                let elems = shape.members();
                let of = |(m, s): (&Val, &Shape)| self.or_poison(memory, s, m.clone());
                Val::agg(members.iter().zip(elems).map(of).collect())
            }
            Val::Poison | Val::Bits(_) | Val::Ptr(_) | Val::Wide(_) => self.scalar(memory, shape, value),
        }
    }
    fn scalar(&self, memory: &Memory, shape: &Shape, value: Val) -> Val {
        let Some(cube) = value.cube() else { return value };
        let width = shape.scalar_bits().unwrap_or(128);
        let fits_ranges = self.ranges.iter().all(|list| cube_in_ranges(cube, width, list));
        let fits = fits_ranges
            && self.class_fits(shape, cube)
            && (!shape.is_ptr() || self.pointer_fits(memory, &value, cube));
        if fits { value } else { Val::Poison }
    }
    /// Whether no choice of undefined bits gives a float of an excluded class. If any bit is undefined, some choice
    /// is assumed to.
    fn class_fits(&self, shape: &Shape, cube: Cube) -> bool {
        let Shape::Float(kind) = shape else { return true };
        let class = class_of(*kind, cube.bits).unwrap_or(0);
        self.excluded_classes == 0 || cube.is_known() && class & self.excluded_classes == 0
    }
    fn pointer_fits(&self, memory: &Memory, value: &Val, cube: Cube) -> bool {
        let may_be_null = cube.may_be(0);
        let misaligned = self.align > 1 && (cube.bits | cube.undef) & u128::from(self.align - 1) != 0;
        if self.nonnull && may_be_null || misaligned {
            return false;
        }
        let or_null = if may_be_null { 0 } else { self.dereferenceable_or_null };
        let bytes = self.dereferenceable.max(or_null);
        match value {
            Val::Ptr(ptr) => {
                bytes == 0 || self.null_is_address && may_be_null || is_dereferenceable(memory, *ptr, bytes)
            }
            Val::Poison | Val::Bits(_) | Val::Wide(_) | Val::Agg(_) => bytes == 0,
        }
    }
}

/// Whether `bytes` bytes at `ptr` can be read.
pub(crate) fn is_dereferenceable(memory: &Memory, ptr: Pointer, bytes: u64) -> bool {
    memory.check(ptr, bytes, 1).is_ok_and(|target| memory.allocation(target.alloc).liveness == Liveness::Live)
}

/// Whether every member of the cube is in one of the half-open ranges. Ranges may wrap; one with equal ends contains
/// every value.
fn cube_in_ranges(cube: Cube, width: u32, ranges: &[(Int, Int)]) -> bool {
    let mut next = cube.member_from(0);
    while let Some(member) = next {
        let Some(last) = ranges.iter().filter_map(|r| run_from(member, width, *r)).max() else {
            return false;
        };
        next = if last == mask(width) { None } else { cube.member_from(last + 1) };
    }
    true
}

/// The last number of the run of numbers from `x` on, without wrapping, that are in the range; `None` if `x` is not.
fn run_from(x: u128, width: u32, (low, high): (Int, Int)) -> Option<u128> {
    let (low, high) = (low.bits(), high.bits());
    if low < high {
        (low..high).contains(&x).then(|| high - 1)
    } else if x >= low || low == high {
        Some(mask(width))
    } else {
        (x < high).then(|| high - 1)
    }
}

fn number(env: &Env, md: MdRef) -> Option<u64> {
    let constant = match md {
        MdRef::Const(c) => c,
        MdRef::Node(node) => match env.metadata.tuple(node)?.first()? {
            MdOperand::Const(c) => *c,
            MdOperand::Null | MdOperand::String(_) | MdOperand::Node(_) => return None,
        },
    };
    env.consts.as_int(constant)?.to_u64()
}

/// A single fact about a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Claim {
    Range(Vec<(Int, Int)>),
    /// `nofpclass`, with the classes as in `llvm.is.fpclass`.
    NoClass(u128),
    NonNull,
    Align(u64),
    /// With its number of bytes; depends on memory at that time.
    Dereferenceable(u64),
}

impl Facts {
    /// All facts whose violation makes a value poison.
    pub(crate) fn claims(&self) -> Vec<Claim> {
        let mut claims: Vec<Claim> = self.ranges.iter().cloned().map(Claim::Range).collect();
        claims.extend((self.excluded_classes != 0).then_some(Claim::NoClass(self.excluded_classes)));
        claims.extend(self.nonnull.then_some(Claim::NonNull));
        claims.extend((self.align > 1).then_some(Claim::Align(self.align)));
        let bytes = self.dereferenceable.max(self.dereferenceable_or_null);
        claims.extend((bytes > 0).then_some(Claim::Dereferenceable(bytes)));
        claims
    }
    /// The claim that the scalar `value`, which is not poison, violates. Claims that depend on memory are reported
    /// only if no other is violated.
    pub(crate) fn broken_claim(&self, shape: &Shape, value: &Val) -> Option<Claim> {
        let cube = value.cube()?;
        let width = shape.scalar_bits().unwrap_or(128);
        if let Some(list) = self.ranges.iter().find(|list| !cube_in_ranges(cube, width, list)) {
            return Some(Claim::Range(list.clone()));
        }
        if !self.class_fits(shape, cube) {
            return Some(Claim::NoClass(self.excluded_classes));
        }
        if !shape.is_ptr() {
            return None;
        }
        if self.nonnull && cube.may_be(0) {
            return Some(Claim::NonNull);
        }
        if self.align > 1 && (cube.bits | cube.undef) & u128::from(self.align - 1) != 0 {
            return Some(Claim::Align(self.align));
        }
        let bytes = self.dereferenceable.max(self.dereferenceable_or_null);
        (bytes > 0).then_some(Claim::Dereferenceable(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All cubes, and pairs of ranges, of three bits.
    #[test]
    fn a_cube_is_in_ranges_if_each_member_is() {
        const WIDTH: u32 = 3;
        let all = || 0..1u128 << WIDTH;
        let pairs = || all().flat_map(|a| all().map(move |b| (a, b)));
        let ends: Vec<(Int, Int)> =
            pairs().step_by(3).map(|(a, b)| (Int::new(WIDTH, a), Int::new(WIDTH, b))).collect();
        let holds = |(low, high): &(Int, Int), x: u128| {
            let distance = |y: u128| y.wrapping_sub(low.bits()) & 7;
            low == high || distance(x) < distance(high.bits())
        };
        for (bits, undef) in pairs() {
            let cube = Cube::new(bits, undef);
            for (i, a) in ends.iter().enumerate() {
                for b in &ends[i..] {
                    let ranges = [*a, *b];
                    let expected = all()
                        .filter(|x| (x ^ bits) & !undef == 0)
                        .all(|x| ranges.iter().any(|r| holds(r, x)));
                    assert_eq!(cube_in_ranges(cube, WIDTH, &ranges), expected, "{cube:?}, {ranges:?}");
                }
            }
        }
    }
}
