//! `captures(…)`: the components of a pointer that a callee may keep, by location (LangRef, "Pointer Capture").

use backedge_ir::attr::Attr;

/// Captured components, as a bit set.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Components(u8);

impl Components {
    pub(super) const NONE: Self = Self(0);
    /// Whether the address is null.
    pub(super) const IS_NULL: Self = Self(1);
    /// The address; it implies the null bit.
    pub(super) const ADDRESS: Self = Self(3);
    const READ_PROVENANCE: Self = Self(4);
    /// Write access through the pointer after the return, in addition to read access.
    const PROVENANCE: Self = Self(12);
    pub(super) const ALL: Self = Self(15);

    pub(super) fn within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }
    pub(super) fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
    /// Whether accesses through a captured copy are possible.
    pub(super) fn allow_access(self) -> bool {
        self.0 & Self::PROVENANCE.0 != 0
    }
}

/// The components that may be captured by the return value and by other locations.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Captures {
    pub(super) ret: Components,
    pub(super) other: Components,
}

impl Captures {
    pub(super) const ALL: Self = Self { ret: Components::ALL, other: Components::ALL };
    pub(super) const NONE: Self = Self { ret: Components::NONE, other: Components::NONE };

    /// The restriction that an attribute states; `None` for another attribute or an unreadable one.
    pub(super) fn of(attr: &Attr) -> Option<Self> {
        match attr {
            Attr::NoCapture => Some(Self { ret: Components::NONE, other: Components::NONE }),
            Attr::Text(text) => Self::parse(text),
            Attr::Flag(_)
            | Attr::Int(..)
            | Attr::Type(..)
            | Attr::Range(..)
            | Attr::Memory(_)
            | Attr::String(..) => None,
        }
    }
    fn parse(text: &str) -> Option<Self> {
        let inside = text.strip_prefix("captures(")?.strip_suffix(')')?;
        let (mut ret, mut other, mut in_ret) = (None, Components::NONE, false);
        for word in inside.split(',') {
            let mut word = word.trim();
            if let Some(rest) = word.strip_prefix("ret:") {
                (in_ret, word) = (true, rest.trim());
            }
            let components = match word {
                "none" => Components::NONE,
                "address_is_null" => Components::IS_NULL,
                "address" => Components::ADDRESS,
                "read_provenance" => Components::READ_PROVENANCE,
                "provenance" => Components::PROVENANCE,
                _ => return None,
            };
            if in_ret {
                ret = Some(ret.unwrap_or(Components::NONE).with(components));
            } else {
                other = other.with(components);
            }
        }
        // Without an entry of its own, the return value is like any other location.
        Some(Self { ret: ret.unwrap_or(Components::NONE).with(other), other })
    }
    /// The intersection of both restrictions.
    pub(super) fn and(self, more: Self) -> Self {
        let both = |a: Components, b: Components| Components(a.0 & b.0);
        Self { ret: both(self.ret, more.ret), other: both(self.other, more.other) }
    }
    /// Whether `other` allows everything that `self` allows.
    pub(super) fn within(self, other: Self) -> bool {
        self.ret.within(other.ret) && self.other.within(other.other)
    }
}
