//! A generated program under test, and the judgments of oracles on it.

use super::passes::Passes;
use crate::generate::Generated;
use crate::oracles::{
    Finding, FunctionCase, Judge, OracleId, PairCase, PipelineCase, Work, optimize, proof, runs,
};
use backedge_ir::module::Module;
use backedge_pipeline::run::Nobody;
use backedge_validate::check::{Options, Side};
use std::fmt;

/// A finding of a target, with the input that shows it.
#[derive(Debug)]
pub struct TargetFinding {
    /// The finding.
    pub finding: Finding,
    /// The IR, with the call that recreates it.
    pub input: String,
    /// The pipeline that transformed the input, if any.
    pub pipeline: Option<String>,
}

impl fmt::Display for TargetFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.finding)?;
        if let Some(pipeline) = &self.pipeline {
            writeln!(f, "; -passes='{pipeline}'")?;
        }
        write!(f, "{}", self.input)
    }
}

/// A program under test.
pub(super) struct Subject {
    pub(super) program: Generated,
    /// A number determined by the input bytes, for choices that are not part of the program.
    pub(super) number: usize,
}

impl Subject {
    /// The entry that the input selects.
    pub(super) fn pick<T>(&self, all: &'static [T]) -> &'static T {
        &all[self.number % all.len()]
    }
    fn found(&self, finding: Finding, passes: &[&Passes]) -> Box<TargetFinding> {
        let texts: Vec<&str> = passes.iter().map(|p| p.text).collect();
        let pipeline = (!texts.is_empty()).then(|| texts.join(","));
        Box::new(TargetFinding { finding, input: self.program.to_string(), pipeline })
    }
    fn side<'a>(&self, module: &'a Module) -> Side<'a> {
        Side { module, func: self.program.func }
    }
    /// The program after `passes`; `None` if they changed nothing.
    fn after(&self, passes: &[&Passes]) -> Result<Option<Module>, Box<TargetFinding>> {
        let mut target = self.program.module.clone();
        let mut changed = false;
        for one in passes {
            let done = optimize::check(&mut target, &one.pipeline, optimize::Bounds::default(), &mut Nobody);
            changed |= done.map_err(|fault| self.found(fault.into(), passes))?.changed > 0;
        }
        Ok(changed.then_some(target))
    }
    /// Asks an oracle about the program, or about what `passes` do to it.
    pub(super) fn ask(&self, oracle: OracleId, passes: &[&Passes]) -> Result<(), Box<TargetFinding>> {
        let Generated { module, func, .. } = &self.program;
        let number = |_| self.number as u64;
        let case = FunctionCase { module, func: *func, number: &number };
        match oracle.oracle().judge() {
            Judge::Module(judge) => judge(module).map_err(|finding| self.found(finding, &[])),
            Judge::Function(judge) => judge(&case).map_err(|finding| self.found(finding, &[])),
            Judge::OwnPasses(judge) => match judge(&case).into_iter().next() {
                Some(finding) => Err(self.found(finding, &[])),
                None => Ok(()),
            },
            Judge::Pair(judge) => {
                let Some(target) = self.after(passes)? else { return Ok(()) };
                // Campaigns test undef inputs; targets do not.
                let runs = runs::Limits { undef_inputs: false, ..runs::Limits::default() };
                let proof = &Options { undef_inputs: false, ..proof::limits() };
                let (source, target) = (self.side(module), self.side(&target));
                let case = PairCase { source, target, runs, proof };
                judge(&case, &mut Work::default()).map_err(|finding| self.found(finding, passes))
            }
            Judge::Pipeline(judge) => passes.iter().try_for_each(|one| {
                let case = PipelineCase { module, func: *func, pipeline: &one.pipeline };
                judge(&case).map_err(|finding| self.found(finding, &[one]))
            }),
        }
    }
}
