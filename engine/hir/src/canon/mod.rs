//! CanonExprs: closed forms of subscripts, loop bounds and scalar operands. The terms are those of docs/hir-terms.md.
//!
//! ```text
//! cast( (C1*B1*i1 + C2*B2*i2 + … + BC1*b1 + BC2*b2 + … + C0) / D )
//! ```
//!
//! `i1, i2, …` are the induction variables of the loops around the place, 1 the outermost; `C1, …` are constant
//! coefficients; `B1, …` are blob coefficients, which may be missing; `b1, …` are blobs with constant coefficients
//! `BC1, …`; `C0` is the constant; `D` is the denominator.
//!
//! # Meaning
//!
//! Let `w` be the width of the source type, and `v` that of the destination type. All constants are integers modulo
//! 2^w, and all blobs have `w` bits. The value is computed in three steps, each exact, and total except for poison:
//!
//! 1. The numerator, modulo 2^w. An induction variable is a natural number: how often control has already reached its
//!    loop's header in this execution of the loop. It is used modulo 2^w, whatever type the loop counts in.
//! 2. The unsigned quotient by `D`, rounded down. `D` is not zero; 1 means no division. (`ScalarEvolution` has no
//!    other division, so forms built from it need no other.)
//! 3. The *outermost cast*: nothing if `v = w`; the low `v` bits if `v < w`; the zero or sign extension to `v` bits,
//!    as [`CanonExpr::extension`] states, if `v > w`.
//!
//! The value is poison (here: `None`) exactly if a temp of the form that affects the value is, as defined by
//! [`crate::Blobs::value`]; a form has no wrap flags. Forms of values without arithmetic (floats and the like) have
//! width 1 and are self blobs.
//!
//! # Operations
//!
//! All operations are exact under this meaning, or refused. This includes the document's `mergeable()`,
//! [`CanonExpr::mergeable`]: sums and products commute with truncation, but not with an extension or a division
//! unless nothing wraps, which only the caller can know ([`NoWrap`]).
//!
//! # Levels, and a pitfall
//!
//! Level 0 is outside of all loops. [`CanonExpr::has_iv`] covers only induction variables that occur in the form
//! itself. A blob may vary in a loop too: a temp may be computed in the loop, perhaps from its induction variable. So
//! `!has_iv(l)` does not imply invariance at level `l`; [`CanonExpr::is_invariant_at_level`] does. It uses
//! [`CanonExpr::defined_at_level`], the deepest level at which a temp of the form is defined. That level depends on
//! the place of the form: it is the level of the innermost loop around the place that contains a definition of the
//! temp. Whoever creates or moves a form must set it ([`CanonExpr::update_defined_at`]); arithmetic takes the deeper
//! of two levels, which remains an upper bound when terms cancel.
//!
//! | purpose | file |
//! |---|---|
//! | the form and its parts | here |
//! | levels | `levels` |
//! | sums, products, substitution of an induction variable | `arith` |
//! | substitution of variables | `replace` |
//! | conversion from SCEV | `build` |
//! | evaluation | `value` |
//! | text | `print` |

mod arith;
mod build;
mod levels;
mod print;
mod replace;
mod value;

pub use arith::NoWrap;
pub use build::{FormPlace, NotCanonical};
pub use levels::Levels;
pub use replace::IvSum;

use crate::blob::{Blob, Blobs, Cast, Linear, ScalarType, Temp};
use backedge_ir::int::Int;
use smallvec::SmallVec;

/// Loop nesting depth: 0 outside of all loops, 1 in an outermost loop, and so on.
pub type Level = u32;

/// How a closed form is extended to a wider destination type.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Extension {
    /// Zero extension.
    Zero,
    /// Sign extension.
    Sign,
}

/// The coefficient of an induction variable: `constant * blob`, or the constant alone.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct IvCoeff {
    /// The constant coefficient.
    pub constant: Int,
    /// The blob coefficient.
    pub blob: Option<Blob>,
}

/// A closed form. Equal forms over one blob table are equal as data, apart from levels ([`CanonExpr::same_as`]).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CanonExpr {
    src: ScalarType,
    dest: ScalarType,
    extension: Extension,
    /// By level, ascending; no constant coefficient is zero.
    ivs: SmallVec<[(Level, IvCoeff); 2]>,
    /// By index, ascending; no coefficient is zero; no blob is a sum, a constant or a multiple.
    blobs: SmallVec<[(Blob, Int); 2]>,
    constant: Int,
    denominator: Int,
    defined_at_level: Level,
}

/// Constructors.
impl CanonExpr {
    /// Zero of that type.
    pub fn zero(ty: ScalarType) -> Self {
        Self::create_ext_canon_expr(ty, ty, Extension::Zero)
    }
    /// Zero with a source and a destination type, to which terms can be added, and with the extension from the one
    /// type to the other: the document's `createExtCanonExpr`.
    pub fn create_ext_canon_expr(src: ScalarType, dest: ScalarType, extension: Extension) -> Self {
        // Canonical representation of "no extension".
        let extension = if dest.width > src.width { extension } else { Extension::Zero };
        Self {
            src,
            dest,
            extension,
            ivs: SmallVec::new(),
            blobs: SmallVec::new(),
            constant: Int::zero(src.width),
            denominator: Int::one(src.width),
            defined_at_level: 0,
        }
    }
    /// A constant.
    pub fn of_constant(value: Int) -> Self {
        Self { constant: value, ..Self::zero(ScalarType::int(value.width())) }
    }
    /// The induction variable of that level, modulo 2^width.
    pub fn of_iv(width: u32, level: Level) -> Self {
        let coeff = IvCoeff { constant: Int::one(width), blob: None };
        Self { ivs: SmallVec::from_slice(&[(level, coeff)]), ..Self::zero(ScalarType::int(width)) }
    }
    /// The self blob of a variable that is defined at that level.
    pub fn of_temp(blobs: &mut Blobs, temp: Temp, defined_at_level: Level) -> Self {
        let blob = blobs.of_temp(temp);
        let mut form = Self::of_blob(blobs, blob);
        form.defined_at_level = defined_at_level;
        form
    }
    /// A single blob with coefficient one. The caller must set the level.
    pub fn of_blob(blobs: &Blobs, blob: Blob) -> Self {
        let ty = blobs.ty(blob);
        let mut form = Self::zero(ty);
        if ty.is_int() {
            form.add_blob(blobs, blob, Int::one(ty.width));
        } else {
            form.blobs.push((blob, Int::one(ty.width)));
        }
        form
    }
}

/// Accessors.
impl CanonExpr {
    /// The type of the computation.
    pub fn src_type(&self) -> ScalarType {
        self.src
    }
    /// The type of its value.
    pub fn dest_type(&self) -> ScalarType {
        self.dest
    }
    /// The extension, if there is one.
    pub fn extension(&self) -> Option<Extension> {
        (self.dest.width > self.src.width).then_some(self.extension)
    }
    /// The outermost cast, if there is one.
    pub fn cast(&self) -> Option<Cast> {
        match self.extension() {
            Some(Extension::Zero) => Some(Cast::ZExt),
            Some(Extension::Sign) => Some(Cast::SExt),
            None if self.dest.width < self.src.width => Some(Cast::Trunc),
            None => None,
        }
    }
    /// The coefficients of its induction variables, by ascending level.
    pub fn ivs(&self) -> &[(Level, IvCoeff)] {
        &self.ivs
    }
    /// The coefficient of the induction variable of `level`, if the form has it.
    pub fn iv_coeff(&self, level: Level) -> Option<IvCoeff> {
        self.ivs.iter().find(|(l, _)| *l == level).map(|(_, coeff)| *coeff)
    }
    /// The added blobs with their coefficients, by ascending index.
    pub fn blobs(&self) -> &[(Blob, Int)] {
        &self.blobs
    }
    /// The constant of the numerator.
    pub fn constant(&self) -> Int {
        self.constant
    }
    /// The denominator.
    pub fn denominator(&self) -> Int {
        self.denominator
    }
    /// Whether the induction variable of `level` occurs in the form. See the module's documentation for what this
    /// does *not* imply.
    pub fn has_iv(&self, level: Level) -> bool {
        self.iv_coeff(level).is_some()
    }
    /// Whether any induction variable occurs in it.
    pub fn has_any_iv(&self) -> bool {
        !self.ivs.is_empty()
    }
    /// Whether it has any blob, as an addend or as a coefficient.
    pub fn has_any_blob(&self) -> bool {
        !self.blobs.is_empty() || self.ivs.iter().any(|(_, coeff)| coeff.blob.is_some())
    }
    /// All its blobs: first the coefficients of induction variables, then the addends.
    pub fn all_blobs(&self) -> impl Iterator<Item = Blob> + '_ {
        let coefficients = self.ivs.iter().filter_map(|(_, coeff)| coeff.blob);
        coefficients.chain(self.blobs.iter().map(|(blob, _)| *blob))
    }
    /// The variables in all its blobs, without duplicates, ascending.
    pub fn collect_temp_blobs(&self, blobs: &Blobs) -> Vec<Temp> {
        blobs.temps_in(self.all_blobs())
    }
    /// The value, if it is a constant integer.
    pub fn as_constant(&self) -> Option<Int> {
        if self.has_any_iv() || self.has_any_blob() || !self.src.is_int() {
            return None;
        }
        self.constant.udiv(self.denominator).map(|quotient| self.converted(quotient))
    }
    /// The variable, if this form is its self blob: coefficient one, no other term, no denominator, no cast.
    pub fn self_blob(&self, blobs: &Blobs) -> Option<Temp> {
        let [(blob, coeff)] = self.blobs[..] else { return None };
        let alone = coeff.is_one()
            && self.ivs.is_empty()
            && self.constant.is_zero()
            && self.denominator.is_one()
            && self.src == self.dest;
        if alone { blobs.as_temp(blob) } else { None }
    }
    /// Whether both forms are equal, apart from levels.
    pub fn same_as(&self, other: &Self) -> bool {
        let levels_aside = |form: &Self| Self { defined_at_level: 0, ..form.clone() };
        levels_aside(self) == levels_aside(other)
    }
    /// Applies the outermost cast to a value of the source type's width.
    fn converted(&self, value: Int) -> Int {
        let width = self.dest.width;
        match self.cast() {
            None => value,
            Some(Cast::Trunc) => value.trunc(width),
            Some(Cast::SExt) => value.sext(width),
            Some(Cast::ZExt | Cast::PtrToInt) => value.zext(width),
        }
    }
}

/// Terms of the numerator.
impl CanonExpr {
    /// Adds to the constant of the numerator.
    fn add_constant_term(&mut self, value: Int) {
        self.constant = self.constant.add(value);
    }
    /// Adds `by` times `blob` to the numerator. Does not update the level.
    fn add_blob(&mut self, blobs: &Blobs, blob: Blob, by: Int) {
        let mut linear = Linear { constant: self.constant, terms: self.blobs.iter().copied().collect() };
        linear.add(blobs, blob, by);
        self.constant = linear.constant;
        self.blobs = linear.terms.into_iter().collect();
    }
    /// Adds `coeff` times the induction variable of `level` to the numerator. Does not update `defined_at_level`.
    fn add_iv(&mut self, blobs: &mut Blobs, level: Level, coeff: IvCoeff) {
        let at = self.ivs.partition_point(|(l, _)| *l < level);
        let sum = match self.ivs.get(at) {
            Some((l, old)) if *l == level => {
                let sum = old.plus(coeff, blobs);
                self.ivs.remove(at);
                sum
            }
            _ => coeff,
        };
        if !sum.constant.is_zero() {
            self.ivs.insert(at, (level, sum));
        }
    }
}

impl IvCoeff {
    /// The sum of two coefficients, in canonical form.
    fn plus(self, other: Self, blobs: &mut Blobs) -> Self {
        if self.blob == other.blob {
            return Self { constant: self.constant.add(other.constant), blob: self.blob };
        }
        let mut linear = Linear::zero(self.constant.width());
        for coeff in [self, other] {
            match coeff.blob {
                Some(blob) => linear.add(blobs, blob, coeff.constant),
                None => linear.constant = linear.constant.add(coeff.constant),
            }
        }
        Self::of_linear(&linear, blobs)
    }
    /// `constant * blob` in canonical form.
    fn new(blobs: &mut Blobs, constant: Int, blob: Option<Blob>) -> Self {
        let mut linear = Linear::zero(constant.width());
        match blob {
            Some(blob) => linear.add(blobs, blob, constant),
            None => linear.constant = constant,
        }
        Self::of_linear(&linear, blobs)
    }
    /// Converts a linear combination: a single multiple keeps its constant; any other sum becomes one blob.
    fn of_linear(linear: &Linear, blobs: &mut Blobs) -> Self {
        let width = linear.constant.width();
        let mut terms = linear.terms.iter();
        match (terms.next(), terms.next()) {
            (None, _) => Self { constant: linear.constant, blob: None },
            (Some((blob, by)), None) if linear.constant.is_zero() => {
                Self { constant: *by, blob: Some(*blob) }
            }
            _ => Self { constant: Int::one(width), blob: Some(blobs.of_linear(linear)) },
        }
    }
}
