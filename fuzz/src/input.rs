//! Inputs of fuzz targets: raw bytes whose `Debug` output, which fuzzers show, is the program they encode and the
//! call that recreates it.

use crate::targets::Target;
use arbitrary::{Arbitrary, Unstructured};
use std::fmt;

/// All available bytes, as input of the target at the position `TARGET` in [`Target::ALL`].
#[derive(Copy, Clone)]
pub struct Input<'a, const TARGET: usize>(pub &'a [u8]);

impl<const TARGET: usize> Input<'_, TARGET> {
    const TARGET: Target = Target::ALL[TARGET];

    /// Runs the target.
    ///
    /// # Panics
    ///
    /// If an oracle reports a finding.
    pub fn fuzz(self) {
        Self::TARGET.fuzz(self.0);
    }
}

impl<'a, const TARGET: usize> Arbitrary<'a> for Input<'a, TARGET> {
    fn arbitrary(u: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        Ok(Self(u.bytes(u.len())?))
    }
}

impl<const TARGET: usize> fmt::Debug for Input<'_, TARGET> {
    /// The IR, or the bytes as lossy UTF-8 if the target reads them, and the call that recreates the input.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !Self::TARGET.reads_text() {
            return write!(f, "{}", Self::TARGET.program(self.0));
        }
        writeln!(f, "{}", String::from_utf8_lossy(self.0))?;
        writeln!(f, "; made again by parse_module(b\"{}\")", self.0.escape_ascii())
    }
}

#[cfg(test)]
mod tests {
    use super::Input;
    use crate::generate::{Generated, bytes_of_seed};
    use crate::targets::Target;
    use arbitrary::{Arbitrary, Unstructured};

    type Text<'a> = Input<'a, { Target::Parse as usize }>;
    type Program<'a> = Input<'a, { Target::Canonicalize as usize }>;

    #[test]
    fn inputs_are_all_of_the_bytes() {
        let bytes = bytes_of_seed(1);
        let rest = || Unstructured::new(&bytes);
        assert!(Text::arbitrary_take_rest(rest()).is_ok_and(|t| t.0 == bytes));
        assert!(Program::arbitrary_take_rest(rest()).is_ok_and(|p| p.0 == bytes));
    }

    #[test]
    fn inputs_are_shown_as_ir_with_what_makes_them_again() {
        let text =
            format!("{:?}", Input::<{ Target::Parse as usize }>(b"define void @f() {\n  ret void\n}\n\xff"));
        assert!(text.contains("define void @f() {\n"), "{text}");
        assert!(text.contains("parse_module(b\"define void @f() {\\n  ret void\\n}\\n\\xff\")"), "{text}");
        let bytes = bytes_of_seed(1);
        let shown = format!("{:?}", Input::<{ Target::Canonicalize as usize }>(&bytes));
        assert!(shown.contains("define ") && shown.contains("; made by Generated::from_bytes(&["), "{shown}");
        let seeded = Generated::from_seed(1);
        let ir = |text: &str| text.split("; made by").next().map(str::to_owned);
        assert_eq!(ir(&shown), ir(&seeded.to_string()));
        let vectors = Input::<{ Target::Vectorize as usize }>(&bytes);
        let nests = Input::<{ Target::HirTransforms as usize }>(&bytes);
        for shown in [format!("{vectors:?}"), format!("{nests:?}")] {
            assert!(
                shown.contains("define ") && shown.contains("; made by Generated::from_bytes_favouring(&["),
                "{shown}"
            );
        }
    }
}
