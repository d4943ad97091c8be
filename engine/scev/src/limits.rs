//! Bounds on what the analysis does, so that no input takes it unbounded time or memory. Each is far beyond what code
//! that people write needs; where one is met the answer is less precise, never wrong.

/// Bounds on depth, size and work.
#[derive(Copy, Clone, Debug)]
pub struct Limits {
    /// Nodes of an expression as a tree beyond which operations on it no longer fold.
    pub expr_size: u32,
    /// Operands of a sum or product beyond which they are not taken apart further.
    pub operands: usize,
    /// Depth of recursion of folding.
    pub fold_depth: u32,
    /// Depth of recursion of proofs of predicates.
    pub proof_depth: u32,
    /// Steps of a search through values and conditions, per question.
    pub search: u32,
    /// Iterations run out to find a count or an exit value by brute force.
    pub brute_force: u32,
    /// Instructions computed to find what all phis of a header are at one arrival.
    pub run_work: u32,
    /// Operands of an add recurrence: its degree is one less.
    pub add_rec_operands: usize,
    /// Rounds in which later facts are carried to values.
    pub refinement_rounds: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            expr_size: 4096,
            operands: 64,
            fold_depth: 32,
            proof_depth: 3,
            search: 256,
            brute_force: 100,
            run_work: 50_000,
            add_rec_operands: 8,
            refinement_rounds: 4,
        }
    }
}
