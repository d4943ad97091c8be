//! The claims of the analysis as text, in the format of LLVM's `print<scalar-evolution>`.

use crate::ScalarEvolution;
use crate::claims::Order;
use backedge_analysis::Analyses;
use backedge_claim::text::{PrintOptions, print_body_claims};
use backedge_ir::body::Body;
use backedge_ir::entity::FuncId;
use backedge_ir::module::Env;

/// The claims about `func` with body `body`.
pub fn scev_to_string(env: &Env, func: FuncId, body: &Body, options: PrintOptions) -> String {
    scev_to_string_after(env, func, body, options, None)
}

/// Like [`scev_to_string`], after queries in a given order; the order does not influence the result.
pub fn scev_to_string_after(
    env: &Env,
    func: FuncId,
    body: &Body,
    options: PrintOptions,
    asked: Option<Order>,
) -> String {
    let analyses = Analyses::of(func);
    let mut scev = ScalarEvolution::new(analyses.at(env, body));
    if let Some(order) = asked {
        scev.ask(order);
    }
    let claims = scev.claims(func);
    print_body_claims(env, body, &claims, options)
}
