//! Encodes IR in Z3: bounded refinement, models to witnesses.
