//! The analysis as text: its claims, in the format of LLVM's `print<scalar-evolution>`.

use crate::ScalarEvolution;
use backedge_analysis::Analyses;
use backedge_claim::text::{PrintOptions, print_body_claims};
use backedge_ir::body::Body;
use backedge_ir::entity::FuncId;
use backedge_ir::module::Env;

/// What is claimed of `func`, whose code is `body`.
pub fn scev_to_string(env: &Env, func: FuncId, body: &Body, options: PrintOptions) -> String {
    let analyses = Analyses::of(func);
    let claims = ScalarEvolution::new(analyses.at(env, body)).claims(func);
    print_body_claims(env, body, &claims, options)
}
