//! The data layout: byte order, pointer widths, and sizes and alignments of types, in LLVM's terms.
//!
//! Sizes are in bits (`*_bits`) or bytes (`*_bytes`), alignments in bytes. The text format is LangRef's "Data Layout"
//! string; LLVM's defaults apply to omitted specifications.

use crate::entity::CompoundId;
use crate::opcode::CastOp;
use crate::types::{Compound, Type, TypeKind, TypeTable};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use thiserror::Error;

/// Layout of the pointers of one address space.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct PointerSpec {
    /// Size in bits; bodies that use pointers wider than [`Type::MAX_INT_BITS`] are not modelled.
    pub bits: u32,
    /// ABI alignment in bytes.
    pub abi_align: u64,
    /// Preferred alignment in bytes.
    pub preferred_align: u64,
    /// Width of GEP arithmetic in bits.
    pub index_bits: u32,
}

/// Byte order, pointer widths, alignments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataLayout {
    /// The string as given; `None` if the module has none.
    pub text: Option<Box<str>>,
    /// Whether the most significant byte comes first.
    pub big_endian: bool,
    /// Address space of allocas.
    pub alloca_space: u32,
    /// Address space of functions.
    pub program_space: u32,
    /// Default address space of globals.
    pub globals_space: u32,
    pointers: BTreeMap<u32, PointerSpec>,
    non_integral: BTreeSet<u32>,
    int_aligns: BTreeMap<u32, Aligns>,
    float_aligns: BTreeMap<u32, Aligns>,
    vector_aligns: BTreeMap<u32, Aligns>,
    aggregate_align: Aligns,
}

/// The alignments of a type, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Aligns {
    abi: u64,
    /// The alignment of variables without an explicit one.
    preferred: u64,
}

impl Aligns {
    const fn both(bytes: u64) -> Self {
        Self { abi: bytes, preferred: bytes }
    }
}

impl Default for DataLayout {
    fn default() -> Self {
        Self {
            text: None,
            big_endian: false,
            alloca_space: 0,
            program_space: 0,
            globals_space: 0,
            pointers: BTreeMap::from([(
                0,
                PointerSpec { bits: 64, abi_align: 8, preferred_align: 8, index_bits: 64 },
            )]),
            non_integral: BTreeSet::new(),
            int_aligns: BTreeMap::from([
                (1, Aligns::both(1)),
                (8, Aligns::both(1)),
                (16, Aligns::both(2)),
                (32, Aligns::both(4)),
                (64, Aligns { abi: 4, preferred: 8 }),
            ]),
            float_aligns: [2, 4, 8, 16].map(|n| (n as u32 * 8, Aligns::both(n))).into(),
            vector_aligns: [8, 16].map(|n| (n as u32 * 8, Aligns::both(n))).into(),
            aggregate_align: Aligns { abi: 1, preferred: 8 },
        }
    }
}

/// An invalid data layout string.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("data layout: {what} in `{spec}`")]
pub struct DataLayoutError {
    /// The invalid specification, or the start of a long one.
    pub spec: String,
    /// A description of the error.
    pub what: &'static str,
}

impl DataLayout {
    /// Parses a data layout string.
    pub fn parse(text: &str) -> Result<Self, DataLayoutError> {
        let mut layout = Self { text: Some(text.into()), ..Self::default() };
        for spec in text.split('-').filter(|s| !s.is_empty()) {
            layout
                .read(spec)
                .map_err(|what| DataLayoutError { spec: spec.chars().take(60).collect(), what })?;
        }
        Ok(layout)
    }

    fn read(&mut self, spec: &str) -> Result<(), &'static str> {
        let mut parts = spec.split(':');
        let head = parts.next().unwrap_or_default();
        let rest: Vec<&str> = parts.collect();
        let Some(letter) = head.chars().next() else { return Err("an empty specification") };
        let tail = &head[letter.len_utf8()..];
        match letter {
            'e' => self.big_endian = false,
            'E' => self.big_endian = true,
            'A' => self.alloca_space = number(tail)?,
            'P' => self.program_space = number(tail)?,
            'G' => self.globals_space = number(tail)?,
            'p' => {
                let plain = tail.trim_start_matches(['u', 'e']);
                let space = if tail.is_empty() { 0 } else { number(plain)? };
                if plain.len() < tail.len() {
                    self.non_integral.insert(space);
                }
                let bits = number(rest.first().ok_or("a pointer without a size")?)?;
                let given = aligns(rest.get(1..).unwrap_or_default(), "a pointer without an alignment")?;
                let (abi_align, preferred_align) = (given.abi, given.preferred);
                let index_bits = rest.get(3).map_or(Ok(bits), |t| number(t))?;
                if bits == 0 || bits >= 1 << 24 || index_bits == 0 || index_bits > bits {
                    return Err("a pointer of no bits or beyond 24 bits of size, or an index that is wider");
                }
                self.pointers.insert(space, PointerSpec { bits, abi_align, preferred_align, index_bits });
            }
            'i' | 'f' | 'v' => {
                let bits = number(tail)?;
                if bits == 0 || bits >= 1 << 24 {
                    return Err("a size of zero or beyond 24 bits");
                }
                let aligns = aligns(&rest, "a type without an alignment")?;
                let table = match letter {
                    'i' => &mut self.int_aligns,
                    'f' => &mut self.float_aligns,
                    _ => &mut self.vector_aligns,
                };
                table.insert(bits, aligns);
            }
            'a' => {
                self.aggregate_align = aligns(&rest, "an aggregate without an alignment")?;
            }
            'n' if tail == "i" => {
                for space in &rest {
                    match number(space)? {
                        0 => return Err("pointers of address space 0 are integral"),
                        space => self.non_integral.insert(space),
                    };
                }
            }
            'n' => {
                let sizes = std::iter::once(tail).chain(rest.iter().copied());
                for size in sizes {
                    if number(size)? == 0 {
                        return Err("a native integer of no bits");
                    }
                }
            }
            'S' | 'm' | 'F' | 's' => {}
            _ => return Err("an unknown specification"),
        }
        Ok(())
    }

    /// Layout of pointers in address space `space`; unspecified spaces are like space 0.
    pub fn pointer(&self, space: u32) -> PointerSpec {
        self.pointers.get(&space).copied().unwrap_or(self.pointers[&0])
    }
    /// Whether pointers of address space `space` are non-integral: their integer representation is unstable, so a
    /// transform must not introduce conversions to or from integers.
    pub fn is_non_integral(&self, space: u32) -> bool {
        self.non_integral.contains(&space)
    }
    /// Whether the cast converts non-integral pointers, or vectors of them, from or to integers.
    pub fn converts_non_integral(&self, types: &TypeTable, op: CastOp, from: Type, to: Type) -> bool {
        let pointer = if matches!(op, CastOp::PtrToInt | CastOp::PtrToAddr) {
            types.scalar(from)
        } else if op == CastOp::IntToPtr {
            types.scalar(to)
        } else {
            return false;
        };
        matches!(pointer.kind(), TypeKind::Ptr(space) if self.is_non_integral(space))
    }
    /// Width in bits of GEP arithmetic in address space `space`.
    pub fn index_bits(&self, space: u32) -> u32 {
        self.pointer(space).index_bits
    }
    /// Size in bits of a value of type `ty`; `None` for unsized types and for sizes beyond 2^61 bytes.
    pub fn size_bits(&self, types: &TypeTable, ty: Type) -> Option<u64> {
        Some(self.measure(types, ty, &mut Measured::default())?.bits)
    }
    /// The number of bytes that a store of `ty` writes: its size in bits rounded up to bytes.
    pub fn store_bytes(&self, types: &TypeTable, ty: Type) -> Option<u64> {
        Some(self.size_bits(types, ty)?.div_ceil(8))
    }
    /// The distance in bytes between adjacent elements of type `ty`: the store size rounded up to the ABI alignment.
    pub fn alloc_bytes(&self, types: &TypeTable, ty: Type) -> Option<u64> {
        self.measure(types, ty, &mut Measured::default())?.alloc_bytes()
    }
    /// ABI alignment in bytes of `ty`.
    pub fn abi_align(&self, types: &TypeTable, ty: Type) -> Option<u64> {
        Some(self.measure(types, ty, &mut Measured::default())?.align)
    }

    /// Preferred alignment in bytes of `ty`: that of an `alloca` without an explicit alignment.
    pub fn preferred_align(&self, types: &TypeTable, ty: Type) -> Option<u64> {
        let mut ty = ty;
        while let Some(Compound::Array { elem, .. }) = types.compound(ty) {
            ty = *elem;
        }
        let abi = self.abi_align(types, ty)?;
        Some(match ty.kind() {
            TypeKind::Int(bits) => self.int_aligns(bits).preferred,
            TypeKind::Float(kind) => self.float_aligns.get(&kind.bits()).map_or(abi, |a| a.preferred),
            TypeKind::Ptr(space) => self.pointer(space).preferred_align,
            TypeKind::Compound(_) if types.struct_fields(ty).is_some() => {
                abi.max(self.aggregate_align.preferred)
            }
            TypeKind::Compound(_) => {
                let bits = self.size_bits(types, ty).and_then(|bits| u32::try_from(bits).ok());
                let given = bits.and_then(|bits| self.vector_aligns.get(&bits));
                given.map_or(abi, |a| a.preferred)
            }
            TypeKind::Void | TypeKind::Label | TypeKind::Metadata | TypeKind::Token => return None,
        })
    }

    /// Size and alignment of `ty`. Visits each contained type once and without recursion, so the cost is linear even if
    /// types share members or nest deeply.
    fn measure(&self, types: &TypeTable, ty: Type, known: &mut Measured) -> Option<Measure> {
        let mut stack: Vec<(CompoundId, bool)> = ty.compound_id().map(|id| (id, false)).into_iter().collect();
        while let Some((at, parts_known)) = stack.pop() {
            if parts_known {
                let measure = self.measure_compound(types, at, known);
                known.insert(at, measure);
            } else if let Entry::Vacant(entry) = known.entry(at) {
                // Unsized until its members are known; the entry also makes a type that contains itself unsized.
                entry.insert(None);
                stack.push((at, true));
                let unknown = parts(types, at).filter(|part| !known.contains_key(part));
                stack.extend(unknown.map(|part| (part, false)));
            }
        }
        self.measure_known(ty, known)
    }
    /// Size and alignment of `ty`, which must be a scalar or in `known`.
    fn measure_known(&self, ty: Type, known: &Measured) -> Option<Measure> {
        let (bits, align) = match ty.kind() {
            TypeKind::Void | TypeKind::Label | TypeKind::Metadata | TypeKind::Token => return None,
            TypeKind::Int(bits) => (bits, self.int_aligns(bits).abi),
            TypeKind::Float(kind) => (kind.bits(), self.float_align(kind.bits())),
            TypeKind::Ptr(space) => (self.pointer(space).bits, self.pointer(space).abi_align),
            TypeKind::Compound(id) => return known.get(&id).copied().flatten(),
        };
        Some(Measure { bits: bits.into(), align })
    }
    /// Size and alignment of `id`, whose members must be in `known`.
    fn measure_compound(&self, types: &TypeTable, id: CompoundId, known: &Measured) -> Option<Measure> {
        match types.get(id) {
            Compound::Array { len, elem } => {
                let elem = self.measure_known(*elem, known)?;
                let bits = elem.alloc_bytes()?.checked_mul(*len)?.checked_mul(8)?;
                Some(Measure { bits, align: elem.align })
            }
            Compound::Vector { len, elem, scalable: false } => {
                let bits = self.measure_known(*elem, known)?.bits.checked_mul(*len)?;
                let given = u32::try_from(bits).ok().and_then(|b| self.vector_aligns.get(&b));
                let natural = || bits.div_ceil(8).max(1).checked_next_power_of_two();
                Some(Measure { bits, align: given.map(|a| a.abi).or_else(natural)? })
            }
            Compound::Struct { .. } | Compound::Named { .. } => {
                let layout = self.fields_layout(types, types.handle(id), known)?;
                Some(Measure { bits: layout.size_bytes.checked_mul(8)?, align: layout.align })
            }
            Compound::Vector { scalable: true, .. } | Compound::Function { .. } | Compound::Target { .. } => {
                None
            }
        }
    }
    fn int_aligns(&self, bits: u32) -> Aligns {
        let next = self.int_aligns.range(bits..).next();
        let (_, &aligns) =
            next.or_else(|| self.int_aligns.last_key_value()).expect("there are default alignments");
        aligns
    }
    fn float_align(&self, bits: u32) -> u64 {
        let given = self.float_aligns.get(&bits).map(|a| a.abi);
        given.unwrap_or_else(|| u64::from(bits.div_ceil(8)).next_power_of_two())
    }
    /// Offsets, size and alignment of a struct with a body.
    pub fn struct_layout(&self, types: &TypeTable, ty: Type) -> Option<StructLayout> {
        let mut known = Measured::default();
        self.measure(types, ty, &mut known)?;
        self.fields_layout(types, ty, &known)
    }
    fn fields_layout(&self, types: &TypeTable, ty: Type, known: &Measured) -> Option<StructLayout> {
        let (fields, packed) = types.struct_fields(ty)?;
        let mut layout = StructLayout { offsets: Vec::with_capacity(fields.len()), size_bytes: 0, align: 1 };
        for &field in fields {
            let measure = self.measure_known(field, known)?;
            let align = if packed { 1 } else { measure.align };
            let offset = layout.size_bytes.checked_next_multiple_of(align)?;
            layout.offsets.push(offset);
            layout.size_bytes = offset.checked_add(measure.alloc_bytes()?)?;
            layout.align = layout.align.max(align);
        }
        if !packed {
            layout.align = layout.align.max(self.aggregate_align.abi);
        }
        layout.size_bytes = layout.size_bytes.checked_next_multiple_of(layout.align)?;
        Some(layout)
    }
}

/// Size in bits and ABI alignment in bytes.
#[derive(Copy, Clone)]
struct Measure {
    bits: u64,
    align: u64,
}

impl Measure {
    fn alloc_bytes(self) -> Option<u64> {
        self.bits.div_ceil(8).checked_next_multiple_of(self.align)
    }
}

/// The measures of the non-scalar types visited so far; `None` for unsized types.
type Measured = FxHashMap<CompoundId, Option<Measure>>;

/// The non-scalar types that a value of `id` contains.
fn parts(types: &TypeTable, id: CompoundId) -> impl Iterator<Item = CompoundId> + '_ {
    let (one, many) = match types.get(id) {
        Compound::Array { elem, .. } | Compound::Vector { elem, .. } => (Some(*elem), &[][..]),
        Compound::Struct { .. } | Compound::Named { .. } => {
            (None, types.struct_fields(types.handle(id)).map_or(&[][..], |(fields, _)| fields))
        }
        Compound::Function { .. } | Compound::Target { .. } => (None, &[][..]),
    };
    one.into_iter().chain(many.iter().copied()).filter_map(Type::compound_id)
}

/// The layout of the fields of a struct.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StructLayout {
    /// Offset in bytes of each field.
    pub offsets: Vec<u64>,
    /// Size in bytes, including tail padding.
    pub size_bytes: u64,
    /// ABI alignment in bytes.
    pub align: u64,
}

fn number(text: &str) -> Result<u32, &'static str> {
    text.parse().map_err(|_| "a number is expected")
}

/// Parses an alignment, in bits in the text and in bytes in the result; 0 means 1.
fn align(text: &str) -> Result<u64, &'static str> {
    let bits: u64 = text.parse().map_err(|_| "an alignment is expected")?;
    match bits {
        0 => Ok(1),
        _ if bits.is_multiple_of(8) && (bits / 8).is_power_of_two() && bits < 1 << 16 => Ok(bits / 8),
        _ => Err("an alignment that is not a power of two bytes"),
    }
}

/// Parses the ABI alignment and the preferred one, which defaults to the ABI alignment.
fn aligns(texts: &[&str], missing: &'static str) -> Result<Aligns, &'static str> {
    let abi = align(texts.first().ok_or(missing)?)?;
    let preferred = texts.get(1).map_or(Ok(abi), |text| align(text))?;
    Ok(Aligns { abi, preferred: preferred.max(abi) })
}
