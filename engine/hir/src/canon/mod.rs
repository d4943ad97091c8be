//! CanonExprs: closed forms of subscripts, loop bounds and scalar operands.
//!
//! ```text
//! cast( (C1*B1*i1 + C2*B2*i2 + … + BC1*b1 + BC2*b2 + … + C0) / D )
//! ```
//!
//! `i1, i2, …` are the induction variables of the loops around the place, 1 the outermost; `C1, …` constant coefficients,
//! `B1, …` blob coefficients, which may be missing; `b1, …` blobs with constant coefficients `BC1, …`; `C0` the constant;
//! `D` the denominator.
//!
//! # What it means
//!
//! Let `w` be the width of the source type, and `v` that of the destination type. All constants are integers modulo 2^w,
//! all blobs have `w` bits. Then the value is found in three steps, each exact, and each total but for poison:
//!
//! 1. the numerator, modulo 2^w. An induction variable is a natural number, how often its loop's header has been come to
//!    before in this execution of the loop; it takes part modulo 2^w, whatever type the loop counts in;
//! 2. the quotient by `D` as unsigned, rounded down. `D` is not zero; 1 is no division. (`ScalarEvolution` knows no
//!    other division, so that none is needed for what comes from it.)
//! 3. the *outermost cast*: nothing if `v = w`; the low `v` bits if `v < w`; the zero or sign extension to `v` bits, as
//!    [`CanonExpr::extension`] says, if `v > w`.
//!
//! The value is poison (here: `None`) exactly if a temp that is in the form and that counts is, as
//! [`crate::Blobs::value`] says; a form has no wrap flags. Forms of values without arithmetic (floats and the like) are of
//! width 1 and self blobs.
//!
//! # What can be done with them
//!
//! All operations are exact under this meaning, or refused. In particular [`CanonExpr::mergeable`], the document's
//! `mergeable()`, has to be: sums and products go through truncation, but not through an extension or a division unless
//! nothing wraps, which only the caller can know ([`NoWrap`]).
//!
//! # Levels, and the trap
//!
//! Level 0 is outside of all loops. [`CanonExpr::has_iv`] speaks of induction variables that are written in the form. A
//! blob may vary in a loop too: a temp that is computed in it, perhaps from its induction variable. So `!has_iv(l)` does
//! not mean "does not change at level `l`"; [`CanonExpr::is_invariant_at_level`] does, by [`CanonExpr::defined_at_level`], the
//! deepest level at which a temp of the form is defined. That is no property of the form alone. It is right for the place
//! where the form stands: the level of the innermost loop around the place that a definition of the temp is in. Whoever
//! makes or moves a form tells it ([`CanonExpr::update_defined_at`]); arithmetic takes the deeper of two levels, which
//! stays an upper bound when terms cancel.
//!
//! | what | file |
//! |---|---|
//! | the form and its parts | here |
//! | levels | `levels` |
//! | sums, products, replacing an induction variable | `arith` |
//! | other variables | `replace` |
//! | from SCEV | `build` |
//! | values | `value` |
//! | text | `print` |

mod arith;
mod build;
mod levels;
mod print;
mod replace;
mod value;

pub use arith::NoWrap;
pub use build::{NotCanonical, Place};
pub use levels::Levels;
pub use replace::IvSum;

use crate::blob::{Blob, Blobs, Cast, Linear, ScalarType, Temp};
use backedge_ir::int::Int;
use smallvec::SmallVec;

/// How deep in loops something is: 0 outside of all, 1 in an outermost loop, and so on.
pub type Level = u32;

/// How a closed form is extended to a wider destination type.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Extension {
    /// With zeros.
    Zero,
    /// With copies of the sign.
    Sign,
}

/// What an induction variable is multiplied by: `constant * blob`, or the constant alone.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct IvCoeff {
    /// The constant coefficient.
    pub constant: Int,
    /// The blob coefficient.
    pub blob: Option<Blob>,
}

/// A closed form. Equal forms are equal as data if their blobs are of one table, levels aside ([`CanonExpr::same_as`]).
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

/// Making one.
impl CanonExpr {
    /// Zero in that type.
    pub fn zero(ty: ScalarType) -> Self {
        Self::create_ext_canon_expr(ty, ty, Extension::Zero)
    }
    /// Zero with a source and a destination type, to which terms can be added, and which says how these are brought from the
    /// one type to the other: the document's `createExtCanonExpr`.
    pub fn create_ext_canon_expr(src: ScalarType, dest: ScalarType, extension: Extension) -> Self {
        // There is one way to say that nothing is extended.
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
    /// A known integer.
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
    /// A blob, once. Its level is to be told.
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

/// Its parts.
impl CanonExpr {
    /// The type in which it is computed.
    pub fn src_type(&self) -> ScalarType {
        self.src
    }
    /// The type of its value.
    pub fn dest_type(&self) -> ScalarType {
        self.dest
    }
    /// How it is extended, if it is.
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
    /// The coefficients of the induction variables that it has, by ascending level.
    pub fn ivs(&self) -> &[(Level, IvCoeff)] {
        &self.ivs
    }
    /// The coefficient of the induction variable of `level`, if it has it.
    pub fn iv_coeff(&self, level: Level) -> Option<IvCoeff> {
        self.ivs.iter().find(|(l, _)| *l == level).map(|(_, coeff)| *coeff)
    }
    /// The blobs that are added, with their coefficients, by ascending index.
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
    /// Whether the induction variable of `level` is written in it. See the module's documentation for what that does
    /// *not* say.
    pub fn has_iv(&self, level: Level) -> bool {
        self.iv_coeff(level).is_some()
    }
    /// Whether it has any induction variable.
    pub fn has_any_iv(&self) -> bool {
        !self.ivs.is_empty()
    }
    /// Whether it has any blob, added or as a coefficient.
    pub fn has_any_blob(&self) -> bool {
        !self.blobs.is_empty() || self.ivs.iter().any(|(_, coeff)| coeff.blob.is_some())
    }
    /// All blobs that it has: as coefficients of induction variables, then those that are added.
    pub fn all_blobs(&self) -> impl Iterator<Item = Blob> + '_ {
        let coefficients = self.ivs.iter().filter_map(|(_, coeff)| coeff.blob);
        coefficients.chain(self.blobs.iter().map(|(blob, _)| *blob))
    }
    /// The variables in all its blobs, each once, ascending.
    pub fn collect_temp_blobs(&self, blobs: &Blobs) -> Vec<Temp> {
        blobs.temps_in(self.all_blobs())
    }
    /// The value, if it is an integer known as such.
    pub fn as_constant(&self) -> Option<Int> {
        if self.has_any_iv() || self.has_any_blob() || !self.src.is_int() {
            return None;
        }
        self.constant.udiv(self.denominator).map(|quotient| self.converted(quotient))
    }
    /// The variable that this is the self blob of: it is that variable, once, and nothing else is done to it.
    pub fn self_blob(&self, blobs: &Blobs) -> Option<Temp> {
        let [(blob, coeff)] = self.blobs[..] else { return None };
        let alone = coeff.is_one()
            && self.ivs.is_empty()
            && self.constant.is_zero()
            && self.denominator.is_one()
            && self.src == self.dest;
        if alone { blobs.as_temp(blob) } else { None }
    }
    /// Whether both say the same of the same variables, levels aside.
    pub fn same_as(&self, other: &Self) -> bool {
        let levels_aside = |form: &Self| Self { defined_at_level: 0, ..form.clone() };
        levels_aside(self) == levels_aside(other)
    }
    /// A value of the source type's width through the outermost cast.
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
    /// Adds to the numerator's constant.
    fn add_constant_term(&mut self, value: Int) {
        self.constant = self.constant.add(value);
    }
    /// Adds `by` times `blob` to the numerator. Does not know the blob's level.
    fn add_blob(&mut self, blobs: &Blobs, blob: Blob, by: Int) {
        let mut linear = Linear { constant: self.constant, terms: self.blobs.iter().copied().collect() };
        linear.add(blobs, blob, by);
        self.constant = linear.constant;
        self.blobs = linear.terms.into_iter().collect();
    }
    /// Adds `coeff` times the induction variable of `level` to the numerator. Does not know the blob's level.
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
    /// A sum of blobs is a blob; a multiple of one blob is that with a constant.
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
