//! Runs this project's optimizer passes, one pipeline at a time, because the result may be smaller and still
//! interesting. Their correctness does not matter here.

use super::super::program::Program;
use super::super::search::{Edit, Search};
use backedge_pipeline::{Nobody, parse_pipeline, run as pipeline};

/// Pipelines that may shrink a module.
const SHRINKING: [&str; 9] = [
    "simplifycfg",
    "instsimplify",
    "early-cse,dce",
    "loop-deletion",
    "indvars",
    "loop(loop-unroll-full),instsimplify,simplifycfg,dce",
    "loop(loop-rotate),simplifycfg",
    "loop-mssa(licm),simplifycfg",
    "loop-mssa(simple-loop-unswitch),simplifycfg",
];

pub(super) fn run(search: &mut Search<'_>) {
    let edits = SHRINKING.iter().map(|text| vec![by_passes(text)]).collect();
    search.first_of_each(edits);
}

/// An edit that runs the pipeline with that text.
pub(super) fn by_passes(text: &'static str) -> Edit {
    Box::new(move |program: &mut Program| {
        let Ok(passes) = parse_pipeline(text) else { return false };
        let done = pipeline::run(&mut program.module, &passes, pipeline::Options::default(), &mut Nobody);
        done.is_ok_and(|summary| summary.changed > 0)
    })
}

#[cfg(test)]
mod tests {
    use super::SHRINKING;
    use backedge_pipeline::parse_pipeline;

    #[test]
    fn the_pipelines_can_be_read() {
        for text in SHRINKING {
            assert!(parse_pipeline(text).is_ok(), "{text}");
        }
    }
}
