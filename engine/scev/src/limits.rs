//! Limits of the analysis, so that no input takes unbounded time or memory. Each is far beyond the needs of real code;
//! at a limit the answer is less precise, never wrong.

/// Bounds on depth, size and work.
#[derive(Copy, Clone, Debug)]
pub struct Limits {
    /// Number of tree nodes of an expression above which operations on it no longer fold.
    pub expr_size: u32,
    /// Number of operands of a sum or product above which they are not decomposed further.
    pub operands: usize,
    /// Recursion depth of folding.
    pub fold_depth: u32,
    /// Recursion depth of predicate proofs.
    pub proof_depth: u32,
    /// Steps of a search through values and conditions, per query.
    pub search: u32,
    /// Iterations executed to find a count or an exit value by brute force.
    pub brute_force: u32,
    /// Instructions evaluated to find the values of all header phis in one iteration.
    pub run_work: u32,
    /// Operands of an add recurrence; its degree is one less.
    pub add_rec_operands: usize,
    /// Rounds in which later facts are propagated to values.
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
