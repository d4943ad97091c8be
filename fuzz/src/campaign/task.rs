//! Tasks of a campaign and the replies to them. All types are serializable, so that workers can be other processes.

use super::program::Program;
use crate::generate::Knob;
use crate::oracles::Work;
use crate::statistics::Count;
use backedge_validate::case::Case;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A task.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "task", rename_all = "kebab-case")]
pub enum Task {
    /// Examine the programs of a range of seeds.
    Examine {
        /// The first seed.
        first: u64,
        /// The number of seeds.
        count: u64,
    },
    /// Work up a finding: reproduce it and reduce the program.
    WorkUp {
        /// The finding.
        raw: Box<Raw>,
    },
    /// Check whether an accepted finding still fails.
    Recheck {
        /// The bucket of the finding.
        bucket: String,
        /// The program.
        example: PathBuf,
    },
}

/// The reply to a task.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "reply", rename_all = "kebab-case")]
pub enum Reply {
    /// Reply to [`Task::Examine`].
    Examined {
        /// Counters of the work done.
        counts: Counts,
        /// The findings, in seed order.
        found: Vec<Raw>,
    },
    /// Reply to [`Task::WorkUp`].
    WorkedUp {
        /// The finding, or why it could not be reproduced.
        finding: Result<Box<Finding>, String>,
    },
    /// Reply to [`Task::Recheck`].
    Rechecked {
        /// Whether the finding still fails.
        now: Still,
    },
    /// The task failed: the system under test can't be run.
    Failed {
        /// The reason.
        why: String,
    },
}

/// Whether an accepted finding still fails.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Still {
    /// It fails as before.
    Fails,
    /// It fails differently: the description names another pass or kind of failure.
    Otherwise(String),
    /// It no longer fails.
    Holds,
}

/// A finding on the program of a seed, before it is worked up.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Raw {
    /// The seed.
    pub seed: u64,
    /// The index of the system under test.
    pub system: usize,
    /// The oracle.
    pub oracle: String,
    /// The kind of failure, a word of letters and dashes.
    pub kind: String,
    /// Distinguishes findings of the same kind: the message of a crash without the parts that vary between programs.
    pub words: String,
    /// The guilty pass, if known.
    pub pass: Option<String>,
    /// The function, without `@`; empty for a whole module.
    pub function: String,
    /// A message for people.
    pub message: String,
    /// The failing case, such as the inputs.
    pub case: Option<Box<Case>>,
}

impl Raw {
    /// Whether the command itself reports what is wrong: findings with equal messages are one fault.
    pub fn is_reported(&self) -> bool {
        self.kind == "refused" && !self.words.is_empty()
    }
    /// The group of a finding, from the data known before it is worked up.
    pub fn group(&self) -> String {
        let pass = self.pass.as_deref().map_or("", |pass| crate::statistics::base_name(pass));
        [pass, &self.kind, &self.words]
            .iter()
            .filter(|t| !t.is_empty())
            .copied()
            .collect::<Vec<_>>()
            .join(": ")
    }
}

/// A finding in its stored form.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Finding {
    /// The version of the format.
    pub schema: u32,
    /// The bucket that it shares with similar findings.
    pub bucket: String,
    /// The guilty pass.
    pub pass: Option<String>,
    /// The kind of failure.
    pub kind: String,
    /// The oracle.
    pub oracle: String,
    /// Distinguishes findings of the same kind.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub words: String,
    /// The function, without `@`; empty for a whole module.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub function: String,
    /// A message for people.
    pub message: String,
    /// The system under test: this project's passes, or a command.
    pub system: System,
    /// The system under test, reduced to the parts that matter.
    pub reduced_system: System,
    /// The target machine of the cost model, for this project's passes, if it is not the default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<String>,
    /// The seed.
    pub seed: u64,
    /// A description of the program's origin.
    pub origin: String,
    /// Instructions of the original program.
    pub instructions: usize,
    /// Instructions of the reduced program.
    pub reduced_instructions: usize,
    /// Candidates that the reduction tried; 0 if nothing was reduced.
    pub tries: u64,
    /// Why the reduced program may not be minimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unreduced: Option<String>,
    /// The failing case on the reduced program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case: Option<Box<Case>>,
    /// The original program.
    pub original: String,
    /// The reduced program; the directory of findings stores it in a file of its own.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
}

/// The version of [`Finding`] as JSON: [`Finding::schema`].
pub const SCHEMA: u32 = 1;

/// A system under test.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum System {
    /// This project's passes.
    Passes(String),
    /// A shell command.
    Command(String),
    /// No transformation: the fault is in an analysis, the interpreter or the solver crate.
    Nothing,
}

/// Counters of a campaign.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Counts {
    /// Programs examined.
    pub programs: u64,
    /// Loops in the programs.
    pub loops: u64,
    /// Programs that the passes changed.
    pub fired: u64,
    /// Pairs of runs.
    pub executions: u64,
    /// Pairs of runs whose source is defined; the others show nothing.
    pub defined: u64,
    /// Solver queries about whole pairs.
    pub proofs: u64,
    /// Changed functions without an observation, or with an inconclusive solver result.
    pub inconclusive: u64,
    /// Programs with a timeout.
    pub timeouts: u64,
    /// Findings, known ones included.
    pub findings: u64,
    /// Failures that did not recur on a single program.
    pub unconfirmed: u64,
    /// Runs of this project's passes, by pass name.
    pub passes: BTreeMap<Box<str>, Count>,
    /// Properties of generated programs, by knob name.
    pub knobs: BTreeMap<Box<str>, Drawn>,
    /// By mutator name: programs that the mutator helped create, and those of them that the passes changed.
    pub mutators: BTreeMap<Box<str>, Count>,
}

/// Counters of programs with a knob.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Drawn {
    /// Programs generated with the knob enabled.
    pub on: u64,
    /// Programs in which the knob had an effect.
    pub used: u64,
    /// Programs in which the knob had an effect and that the passes changed.
    pub fired: u64,
}

impl Counts {
    /// Adds counters of passes.
    pub fn add_passes(&mut self, passes: &BTreeMap<Box<str>, Count>) {
        add_counts(&mut self.passes, passes);
    }
    /// Adds the work of oracles.
    pub fn add_work(&mut self, work: Work) {
        let Work { executions, defined, proofs, inconclusive } = work;
        self.executions += executions;
        self.defined += defined;
        self.proofs += proofs;
        self.inconclusive += inconclusive;
    }
    /// Counts the knobs and mutators of a program.
    pub fn add_drawn(&mut self, program: &Program) {
        for mutator in &program.mutators {
            self.mutators.entry((*mutator).into()).or_default().runs += 1;
        }
        for knob in program.knobs.iter() {
            let drawn = self.drawn(knob);
            drawn.on += 1;
            drawn.used += u64::from(program.used.has(knob));
        }
    }
    /// Counts a program that the passes changed.
    pub fn add_fired(&mut self, program: &Program) {
        self.fired += 1;
        program.used.iter().for_each(|knob| self.drawn(knob).fired += 1);
        for mutator in &program.mutators {
            self.mutators.entry((*mutator).into()).or_default().fired += 1;
        }
    }
    fn drawn(&mut self, knob: Knob) -> &mut Drawn {
        self.knobs.entry(knob.name().into()).or_default()
    }
    /// Adds the counters of `other`.
    pub fn add(&mut self, other: &Self) {
        let Self {
            programs,
            loops,
            fired,
            executions,
            defined,
            proofs,
            inconclusive,
            timeouts,
            findings,
            unconfirmed,
            passes,
            knobs,
            mutators,
        } = other;
        self.programs += programs;
        self.loops += loops;
        self.fired += fired;
        self.executions += executions;
        self.defined += defined;
        self.proofs += proofs;
        self.inconclusive += inconclusive;
        self.timeouts += timeouts;
        self.findings += findings;
        self.unconfirmed += unconfirmed;
        self.add_passes(passes);
        add_counts(&mut self.mutators, mutators);
        for (knob, drawn) in knobs {
            let all = self.knobs.entry(knob.clone()).or_default();
            all.on += drawn.on;
            all.used += drawn.used;
            all.fired += drawn.fired;
        }
    }
    /// Number of pass runs that changed something.
    pub fn passes_fired(&self) -> u64 {
        self.passes.values().map(|count| count.fired).sum()
    }
}

fn add_counts(all: &mut BTreeMap<Box<str>, Count>, more: &BTreeMap<Box<str>, Count>) {
    for (name, count) in more {
        let all = all.entry(name.clone()).or_default();
        all.runs += count.runs;
        all.fired += count.fired;
    }
}
