//! How an address is computed: the steps from the base of a reference to it, as `getelementptr` does them.
//!
//! A step goes over elements of a type, as many as the subscript of a dimension says, or over bytes. What the code said of its
//! `getelementptr`s is said of the steps as far as it is true of them: they go by addresses that the code went by, in its
//! order. Lowering makes `getelementptr`s of them, of which the same reference is made again.

use backedge_ir::inst::GepFlags;
use backedge_ir::int::Int;
use backedge_ir::types::Type;
use smallvec::SmallVec;

/// One step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// Over elements of a type.
    Elements {
        /// The number of the dimension, among those of which the address is computed, whose subscript says how many.
        dim: usize,
        /// Their type.
        of: Type,
        /// They are the elements of that to which the step before led.
        inside: bool,
    },
    /// Over so many bytes.
    Bytes(Int),
}

/// The steps of an address.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Path {
    /// From the base on.
    pub steps: SmallVec<[Step; 3]>,
    /// What is true of each step where the reference is not poison, or where what it does is defined.
    pub flags: GepFlags,
}

/// What becomes of the first subscript of an address when it is put behind another one.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Joined {
    /// It is a dimension of its own.
    Apart,
    /// It is zero, and gone.
    Gone,
    /// It is added to the last one of the other.
    Added,
}

impl Path {
    /// The path of no steps: everything is true of it.
    pub(crate) fn empty() -> Self {
        Self { steps: SmallVec::new(), flags: GepFlags { inbounds: true, nusw: true, nuw: true } }
    }
    /// The path `inner` behind this one, which has `dims` dimensions. Dimensions are counted from the outermost, 0, on.
    pub(crate) fn then(mut self, inner: &Self, dims: usize, joined: Joined) -> Self {
        let [a, b] = [self.flags, inner.flags];
        self.flags =
            GepFlags { inbounds: a.inbounds && b.inbounds, nusw: a.nusw && b.nusw, nuw: a.nuw && b.nuw };
        let is_next = matches!(self.steps.last(), Some(Step::Elements { .. }))
            && matches!(inner.steps.first(), Some(Step::Elements { .. }));
        if joined == Joined::Added {
            // Both at once lead from one address of the code to another one, within an object; but as bytes they may be
            // more than signed ones. In another order they lead elsewhere.
            self.flags.nusw = false;
            self.flags.inbounds &= is_next;
        }
        let last = match self.steps.last() {
            Some(Step::Elements { of, .. }) => Some(*of),
            Some(Step::Bytes(_)) | None => None,
        };
        let gone = usize::from(joined != Joined::Apart);
        let mut is_behind_gone = false;
        for step in &inner.steps {
            match step {
                Step::Elements { dim: 0, of, .. } if gone == 1 => {
                    is_behind_gone = !(is_next && last == Some(*of));
                }
                Step::Elements { dim, of, inside } => {
                    let inside = *inside && !is_behind_gone;
                    self.steps.push(Step::Elements { dim: dim + dims - gone, of: *of, inside });
                    is_behind_gone = false;
                }
                Step::Bytes(bytes) => {
                    self.steps.push(Step::Bytes(*bytes));
                    is_behind_gone = false;
                }
            }
        }
        self
    }
    /// With dimensions numbered from 1, the innermost, as references do, of so many.
    pub(crate) fn numbered(mut self, dims: usize) -> Self {
        for step in &mut self.steps {
            if let Step::Elements { dim, .. } = step {
                *dim = dims - *dim;
            }
        }
        // What is in bounds does not wrap around.
        self.flags.nusw |= self.flags.inbounds;
        self
    }
}
