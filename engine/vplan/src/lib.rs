//! Vectorization of loops, plan by plan.
//!
//! | what | module |
//! |---|---|
//! | which loops may be vectorized, and what each of their instructions is then | [`legality`] |
//! | what that costs, per number of lanes | [`cost`] |
//! | vector code for innermost loops | [`vectorize`] |

pub mod cost;
pub mod legality;
pub mod vectorize;
