//! Floats as decimal text.

use backedge_ir::types::FloatKind;
use rustc_apfloat::Float;
use rustc_apfloat::FloatConvert;
use rustc_apfloat::ieee::{BFloat, Double, Half, Quad, X87DoubleExtended};

/// The float of format `kind` with these bits: in decimal with the digits that distinguish it, and a NaN with its bits.
/// `ppc_fp128` is written as its bits.
pub fn float_text(kind: FloatKind, bits: u128) -> String {
    let (is_nan, text) = match kind {
        FloatKind::Float => {
            shortest(f64::from(f32::from_bits(bits as u32)), |_| format!("{:?}", f32::from_bits(bits as u32)))
        }
        FloatKind::Double => shortest(f64::from_bits(bits as u64), |value| format!("{value:?}")),
        FloatKind::Half => shortest(widened::<Half>(bits), |value| format!("{value:?}")),
        FloatKind::BFloat => shortest(widened::<BFloat>(bits), |value| format!("{value:?}")),
        FloatKind::X86Fp80 => long(X87DoubleExtended::from_bits(bits)),
        FloatKind::Fp128 => long(Quad::from_bits(bits)),
        FloatKind::PpcFp128 => (false, format!("bits:{bits:#x}")),
    };
    if is_nan { format!("NaN (bits:{bits:#x})") } else { text }
}

fn shortest(value: f64, text: impl FnOnce(f64) -> String) -> (bool, String) {
    (value.is_nan(), text(value))
}

fn long<F: Float>(value: F) -> (bool, String) {
    (value.is_nan(), value.to_string())
}

/// The value of a format that is narrower than `double`.
fn widened<F: FloatConvert<Double>>(bits: u128) -> f64 {
    let mut loses = false;
    let value: Double = F::from_bits(bits).convert(&mut loses).value;
    f64::from_bits(value.to_bits() as u64)
}

#[cfg(test)]
mod tests {
    use super::float_text;
    use backedge_ir::types::FloatKind;

    #[test]
    fn floats_are_decimal() {
        for (kind, bits, text) in [
            (FloatKind::Double, 1.5f64.to_bits().into(), "1.5"),
            (FloatKind::Double, (-0.0f64).to_bits().into(), "-0.0"),
            (FloatKind::Double, 1, "5e-324"),
            (FloatKind::Double, 0x7ff8 << 48, "NaN (bits:0x7ff8000000000000)"),
            (FloatKind::Float, 0.1f32.to_bits().into(), "0.1"),
            (FloatKind::Float, f32::INFINITY.to_bits().into(), "inf"),
            (FloatKind::Half, 0x3e00, "1.5"),
            (FloatKind::BFloat, 0xbfc0, "-1.5"),
            (FloatKind::X86Fp80, 0x3fff_c000_0000_0000_0000, "1.5"),
            (FloatKind::Fp128, 0x3fff_8000 << 96, "1.5"),
            (FloatKind::PpcFp128, 0x10, "bits:0x10"),
        ] {
            assert_eq!(float_text(kind, bits), text);
        }
    }
}
