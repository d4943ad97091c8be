//! The language of proofs: facts about states, steps, and certificates, which contain both.

pub(super) mod certificate;
pub(super) mod fact;
pub(super) mod gather;
pub(super) mod number;
pub(super) mod step;
