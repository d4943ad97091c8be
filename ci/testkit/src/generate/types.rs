//! The value types of generated programs, and constants of them.

use crate::Dice;

/// A scalar type.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Elem {
    /// An integer of that width in bits, 1 to 128.
    Int(u32),
    Float,
    Double,
}

impl Elem {
    pub(super) fn text(self) -> String {
        match self {
            Self::Int(width) => format!("i{width}"),
            Self::Float => "float".to_owned(),
            Self::Double => "double".to_owned(),
        }
    }
    /// The type as a suffix of an intrinsic name.
    fn suffix(self) -> String {
        match self {
            Self::Int(width) => format!("i{width}"),
            Self::Float => "f32".to_owned(),
            Self::Double => "f64".to_owned(),
        }
    }
    pub(super) fn bits(self) -> u32 {
        match self {
            Self::Int(width) => width,
            Self::Float => 32,
            Self::Double => 64,
        }
    }
}

/// A scalar or fixed vector type.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Ty {
    pub(super) elem: Elem,
    /// Number of lanes; 0 for scalars.
    pub(super) lanes: u32,
}

impl Ty {
    pub(super) const BOOL: Self = Self::int(1);
    pub(super) const fn int(width: u32) -> Self {
        Self { elem: Elem::Int(width), lanes: 0 }
    }
    pub(super) const fn scalar(elem: Elem) -> Self {
        Self { elem, lanes: 0 }
    }
    /// The same number of lanes with another element type.
    pub(super) const fn with(self, elem: Elem) -> Self {
        Self { elem, lanes: self.lanes }
    }
    pub(super) fn text(self) -> String {
        match self.lanes {
            0 => self.elem.text(),
            lanes => format!("<{lanes} x {}>", self.elem.text()),
        }
    }
    pub(super) fn suffix(self) -> String {
        match self.lanes {
            0 => self.elem.suffix(),
            lanes => format!("v{lanes}{}", self.elem.suffix()),
        }
    }
    pub(super) fn is_int(self) -> bool {
        matches!(self.elem, Elem::Int(_))
    }
}

/// `value` as a constant of type `iN`, in the signed spelling.
pub(super) fn int_literal(width: u32, value: u128) -> String {
    if width == 1 {
        return if value & 1 == 1 { "true" } else { "false" }.to_owned();
    }
    let shift = 128 - width;
    ((value << shift) as i128 >> shift).to_string()
}

/// The same integer in all lanes.
pub(super) fn splat(ty: Ty, value: u128) -> String {
    let literal = int_literal(ty.elem.bits(), value);
    if ty.lanes == 0 { literal } else { format!("splat ({} {literal})", ty.elem.text()) }
}

/// The same float in all lanes.
pub(super) fn float_splat(ty: Ty, value: f64) -> String {
    let literal = float_literal(ty.elem, value);
    if ty.lanes == 0 { literal } else { format!("splat ({} {literal})", ty.elem.text()) }
}

/// A constant of a float type, in the hexadecimal spelling that both formats share.
fn float_literal(elem: Elem, value: f64) -> String {
    let exact = if elem == Elem::Float { f64::from(value as f32) } else { value };
    format!("0x{:016X}", exact.to_bits())
}

/// A random constant of `ty`.
pub(super) fn constant(dice: &mut Dice, ty: Ty) -> String {
    if ty.lanes == 0 {
        return scalar_constant(dice, ty.elem);
    }
    if dice.chance(20) {
        return "zeroinitializer".to_owned();
    }
    let lanes: Vec<String> =
        (0..ty.lanes).map(|_| format!("{} {}", ty.elem.text(), scalar_constant(dice, ty.elem))).collect();
    format!("<{}>", lanes.join(", "))
}

fn scalar_constant(dice: &mut Dice, elem: Elem) -> String {
    match elem {
        Elem::Int(width) => {
            let value = match dice.below(8) {
                0 => 0,
                1 => u128::MAX,
                2 => 1 << (width - 1),
                3 => (1 << (width - 1)) - 1,
                4 => dice.below(16) as u128,
                5 => 1u128 << dice.below(width as usize),
                _ => dice.bits(),
            };
            int_literal(width, value)
        }
        Elem::Float | Elem::Double => {
            const NICE: [f64; 10] =
                [0.0, -0.0, 1.0, -1.0, 0.5, 1e10, -3.25, 1e-40, f64::INFINITY, 16777217.0];
            let value = match dice.below(4) {
                0 => dice.pick(&NICE),
                1 => dice.below(200) as f64 - 100.0,
                _ => (dice.bits() as i64 as f64) / (1u64 << dice.below(64)) as f64,
            };
            float_literal(elem, value)
        }
    }
}

/// The type of aggregates with `members`.
pub(super) fn aggregate_text(members: &[Elem]) -> String {
    let members: Vec<String> = members.iter().map(|m| m.text()).collect();
    format!("{{ {} }}", members.join(", "))
}
