//! The LangRef sections whose violation is UB, one for each kind. [`UbKind::rule`] states the rule in our words, and
//! [`UbKind::name`] is its stable identifier.

use crate::outcome::UbKind;
use backedge_ir::inst::InstKind;

/// A section of the LLVM Language Reference.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Section {
    /// Its title.
    pub title: &'static str,
    /// The fragment of its URL, after `#`.
    pub anchor: &'static str,
}

const fn section(title: &'static str, anchor: &'static str) -> Section {
    Section { title, anchor }
}

impl UbKind {
    /// The section that makes this UB at an instruction: the instruction's own section if each kind of access has its
    /// own rule.
    pub fn section_at(self, kind: &InstKind) -> Section {
        match (self, kind) {
            (Self::Misaligned, InstKind::Store(_)) => section("'store' Instruction", "store-instruction"),
            (Self::Misaligned, InstKind::AtomicRmw(..)) => {
                section("'atomicrmw' Instruction", "atomicrmw-instruction")
            }
            (Self::Misaligned, InstKind::CmpXchg(_)) => {
                section("'cmpxchg' Instruction", "cmpxchg-instruction")
            }
            // Attributes state the alignment of an intrinsic's pointer.
            (Self::Misaligned, InstKind::Call(_)) => section("Parameter Attributes", "parameter-attributes"),
            _ => self.section(),
        }
    }
    /// The LangRef section that makes this UB for most instructions.
    pub fn section(self) -> Section {
        match self {
            Self::BranchOnPoison => section("Poison Values", "poison-values"),
            Self::BranchOnUndef => section("Undefined Values", "undefined-values"),
            Self::DivisionByZero | Self::DivisionByPoison => {
                section("'udiv' Instruction", "udiv-instruction")
            }
            Self::DivisionOverflow => section("'sdiv' Instruction", "sdiv-instruction"),
            Self::PoisonPointer => section("Poison Values", "poison-values"),
            Self::UndefPointer => section("Undefined Values", "undefined-values"),
            Self::NullDereference | Self::OutOfBounds | Self::InvalidPointer => {
                section("Pointer Aliasing Rules", "pointer-aliasing-rules")
            }
            Self::Misaligned => section("'load' Instruction", "load-instruction"),
            Self::UseAfterFree => section("'alloca' Instruction", "alloca-instruction"),
            Self::StoreOutsideLifetime => section("Object Lifetime", "object-lifetime"),
            Self::ReadOnlyWrite => section("Global Variables", "global-variables"),
            Self::Unreachable => section("'unreachable' Instruction", "unreachable-instruction"),
            Self::NoUndefViolated
            | Self::NoAliasViolated
            | Self::ReadOnlyArgument
            | Self::ReadNoneArgument => section("Parameter Attributes", "parameter-attributes"),
            Self::AssumeViolated => section("'llvm.assume' Intrinsic", "llvm-assume-intrinsic"),
            Self::NoProgress
            | Self::MemoryEffectsViolated
            | Self::NoReturnReturned
            | Self::WillReturnViolated
            | Self::NoUnwindViolated
            | Self::NoRecurseViolated => section("Function Attributes", "function-attributes"),
            Self::BadCallee => section("'call' Instruction", "call-instruction"),
            Self::AllocaSize => section("'alloca' Instruction", "alloca-instruction"),
            Self::FixedPointOverflow => {
                section("Fixed Point Arithmetic Intrinsics", "fixed-point-arithmetic-intrinsics")
            }
            Self::OverlappingCopy | Self::PoisonLength => {
                section("'llvm.memcpy' Intrinsic", "llvm-memcpy-intrinsic")
            }
            Self::ElementLength => section(
                "'llvm.memcpy.element.unordered.atomic' Intrinsic",
                "llvm-memcpy-element-unordered-atomic-intrinsic",
            ),
            // Freed memory is like an alloca whose lifetime has ended.
            Self::InvalidFree => section("Object Lifetime", "object-lifetime"),
            Self::InvalidLifetime => {
                section("'llvm.lifetime.start' Intrinsic", "llvm-lifetime-start-intrinsic")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::outcome::UbKind;

    #[test]
    fn every_kind_has_a_rule_and_a_section() {
        for kind in UbKind::ALL {
            let section = kind.section();
            assert!(!section.title.is_empty() && !kind.rule().is_empty());
            let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(!section.anchor.is_empty() && section.anchor.chars().all(plain), "{section:?}");
            assert_eq!(UbKind::from_name(kind.name()), Some(*kind));
        }
    }
}
