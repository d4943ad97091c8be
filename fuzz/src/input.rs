//! Inputs of fuzz targets: raw bytes whose `Debug` output, which fuzzers show, is the program they encode and the
//! call that recreates it.

use crate::generate::Generated;
use crate::targets::Target;
use arbitrary::{Arbitrary, Unstructured};
use std::fmt;

/// Defines input types that take all available bytes.
macro_rules! inputs {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        $(
            $(#[$doc])*
            #[derive(Copy, Clone)]
            pub struct $name<'a>(pub &'a [u8]);

            impl<'a> Arbitrary<'a> for $name<'a> {
                fn arbitrary(u: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
                    Ok(Self(u.bytes(u.len())?))
                }
            }
        )*
    };
}

inputs! {
    /// Bytes that are read as IR.
    Text,
    /// Bytes that encode a program.
    Program,
    /// Bytes that encode a program for the vectorizer.
    Vectors,
    /// Bytes that encode a program for transforms of loop nests.
    Nests,
}

impl fmt::Debug for Text<'_> {
    /// The bytes as lossy UTF-8, and the call that recreates the input.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", String::from_utf8_lossy(self.0))?;
        writeln!(f, "; made again by parse_module(b\"{}\")", self.0.escape_ascii())
    }
}

impl fmt::Debug for Program<'_> {
    /// The IR, and the call that recreates it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Generated::from_bytes(self.0))
    }
}

impl fmt::Debug for Vectors<'_> {
    /// The IR, and the call that recreates it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Target::Vectorize.program(self.0))
    }
}

impl fmt::Debug for Nests<'_> {
    /// The IR, and the call that recreates it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Target::HirTransforms.program(self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::{Nests, Program, Text, Vectors};
    use crate::generate::{Generated, bytes_of_seed};
    use arbitrary::{Arbitrary, Unstructured};

    #[test]
    fn inputs_are_all_of_the_bytes() {
        let bytes = bytes_of_seed(1);
        let rest = || Unstructured::new(&bytes);
        assert!(Text::arbitrary_take_rest(rest()).is_ok_and(|t| t.0 == bytes));
        assert!(Program::arbitrary_take_rest(rest()).is_ok_and(|p| p.0 == bytes));
        assert!(Vectors::arbitrary_take_rest(rest()).is_ok_and(|p| p.0 == bytes));
        assert!(Nests::arbitrary_take_rest(rest()).is_ok_and(|p| p.0 == bytes));
    }

    #[test]
    fn inputs_are_shown_as_ir_with_what_makes_them_again() {
        let text = format!("{:?}", Text(b"define void @f() {\n  ret void\n}\n\xff"));
        assert!(text.contains("define void @f() {\n"), "{text}");
        assert!(text.contains("parse_module(b\"define void @f() {\\n  ret void\\n}\\n\\xff\")"), "{text}");
        let bytes = bytes_of_seed(1);
        let shown = format!("{:?}", Program(&bytes));
        assert!(shown.contains("define ") && shown.contains("; made by Generated::from_bytes(&["), "{shown}");
        let seeded = Generated::from_seed(1);
        let ir = |text: &str| text.split("; made by").next().map(str::to_owned);
        assert_eq!(ir(&shown), ir(&seeded.to_string()));
        for shown in [format!("{:?}", Vectors(&bytes)), format!("{:?}", Nests(&bytes))] {
            assert!(
                shown.contains("define ") && shown.contains("; made by Generated::from_bytes_favouring(&["),
                "{shown}"
            );
        }
    }
}
