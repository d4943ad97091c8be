//! How an address is computed: the steps from the base of a reference to its address, as `getelementptr` performs
//! them.
//!
//! A step advances over elements of a type, as many as a dimension's subscript states, or over bytes. The steps keep
//! the flags of the code's `getelementptr`s where they remain true: the steps pass through the same addresses in the
//! same order. Lowering turns the steps back into `getelementptr`s, from which the same reference can be built again.

use backedge_ir::inst::GepFlags;
use backedge_ir::int::Int;
use backedge_ir::types::Type;
use smallvec::SmallVec;

/// One step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// Advances over elements of a type.
    Elements {
        /// The number of the dimension whose subscript is the element count, among the dimensions of the address
        /// computation.
        dim: usize,
        /// The element type.
        of: Type,
        /// The elements belong to the object that the previous step reached.
        inside: bool,
    },
    /// Advances by this many bytes.
    Bytes(Int),
}

/// The steps of an address.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Path {
    /// The steps, starting at the base.
    pub steps: SmallVec<[Step; 3]>,
    /// The flags that hold for each step if the reference is not poison, or if its access is defined.
    pub flags: GepFlags,
}

/// What happens to the first subscript of an address when its path is appended to another one.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Joined {
    /// It becomes a dimension of its own.
    Apart,
    /// It is zero and is dropped.
    Gone,
    /// It is added to the last subscript of the other path.
    Added,
}

impl Path {
    /// The path without steps, for which all flags hold.
    pub(crate) fn empty() -> Self {
        Self { steps: SmallVec::new(), flags: GepFlags { inbounds: true, nusw: true, nuw: true } }
    }
    /// This path, which has `dims` dimensions, followed by the path `inner`. Dimensions are numbered from the
    /// outermost, 0.
    pub(crate) fn then(mut self, inner: &Self, dims: usize, joined: Joined) -> Self {
        let [a, b] = [self.flags, inner.flags];
        self.flags =
            GepFlags { inbounds: a.inbounds && b.inbounds, nusw: a.nusw && b.nusw, nuw: a.nuw && b.nuw };
        let is_next = matches!(self.steps.last(), Some(Step::Elements { .. }))
            && matches!(inner.steps.first(), Some(Step::Elements { .. }));
        if joined == Joined::Added {
            // The combined step leads from one address of the code to another one within an object, but its number of
            // bytes may exceed the signed range. In another order the steps lead elsewhere.
            self.flags.nusw = false;
            self.flags.inbounds &= is_next;
        }
        let last = match self.steps.last() {
            Some(Step::Elements { of, .. }) => Some(*of),
            Some(Step::Bytes(_)) | None => None,
        };
        let gone = usize::from(joined != Joined::Apart);
        let mut is_after_dropped = false;
        for step in &inner.steps {
            match step {
                Step::Elements { dim: 0, of, .. } if gone == 1 => {
                    is_after_dropped = !(is_next && last == Some(*of));
                }
                Step::Elements { dim, of, inside } => {
                    let inside = *inside && !is_after_dropped;
                    self.steps.push(Step::Elements { dim: dim + dims - gone, of: *of, inside });
                    is_after_dropped = false;
                }
                Step::Bytes(bytes) => {
                    self.steps.push(Step::Bytes(*bytes));
                    is_after_dropped = false;
                }
            }
        }
        self
    }
    /// The same path with dimensions numbered from 1, the innermost, as in references; there are `dims` dimensions.
    pub(crate) fn numbered(mut self, dims: usize) -> Self {
        for step in &mut self.steps {
            if let Step::Elements { dim, .. } = step {
                *dim = dims - *dim;
            }
        }
        // An inbounds computation does not wrap.
        self.flags.nusw |= self.flags.inbounds;
        self
    }
}
