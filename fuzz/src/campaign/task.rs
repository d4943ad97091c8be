//! What a campaign hands out to those who work for it, and what comes back. All of it can be sent to another process.

use super::program::Program;
use crate::generate::Knob;
use crate::statistics::Count;
use backedge_validate::case::Case;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A piece of work.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "task", rename_all = "kebab-case")]
pub enum Task {
    /// To look at the programs of so many seeds.
    Examine {
        /// The first seed.
        first: u64,
        /// How many.
        count: u64,
    },
    /// To make the most of what was found: to find it again, on a smaller program.
    WorkUp {
        /// What was found.
        raw: Box<Raw>,
    },
    /// To see whether an accepted finding still fails.
    Recheck {
        /// Its bucket.
        bucket: String,
        /// The program.
        example: PathBuf,
    },
}

/// What came of a piece of work.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "reply", rename_all = "kebab-case")]
pub enum Reply {
    /// Of programs.
    Examined {
        /// What was done.
        counts: Counts,
        /// What was found, in order of the seeds.
        found: Vec<Raw>,
    },
    /// Of a finding; nothing if it does not show again, which is said in words.
    WorkedUp {
        /// The finding, or why there is none.
        finding: Result<Box<Finding>, String>,
    },
    /// Of an accepted finding.
    Rechecked {
        /// Whether it does.
        now: Still,
    },
    /// It could not be done: the system under test can't be run.
    Failed {
        /// Why.
        why: String,
    },
}

/// Whether an accepted finding still fails.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Still {
    /// As it did.
    Fails,
    /// In another way: by another pass, or with a failure of another kind, which is told.
    Otherwise(String),
    /// Nothing is wrong any more.
    Holds,
}

/// Something that was found on the program of a seed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Raw {
    /// The seed.
    pub seed: u64,
    /// Which of the systems under test it was found with, by its place.
    pub system: usize,
    /// Who found it.
    pub oracle: String,
    /// In which way something is wrong, as a word of letters and dashes.
    pub kind: String,
    /// What tells it from others of its kind: the words of a crash without what differs from program to program.
    pub words: String,
    /// The guilty pass, as far as it is known.
    pub pass: Option<String>,
    /// The function, without `@`; empty for a whole module.
    pub function: String,
    /// What is wrong, for people.
    pub message: String,
    /// What shows it.
    pub case: Option<Box<Case>>,
}

impl Raw {
    /// By what findings are told apart before anything is known of what they come down to.
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

/// A finding as it is kept.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Finding {
    /// The version of this form.
    pub schema: u32,
    /// What it is called, with all that are like it.
    pub bucket: String,
    /// The pass.
    pub pass: Option<String>,
    /// In which way something is wrong.
    pub kind: String,
    /// Who found it.
    pub oracle: String,
    /// What tells it from others of its kind.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub words: String,
    /// The function, without `@`; empty for a whole module.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub function: String,
    /// What is wrong, for people.
    pub message: String,
    /// What was put to the test: passes of ours, or a command.
    pub system: System,
    /// The same, cut down to what is needed.
    pub reduced_system: System,
    /// The machine for which passes of ours weigh costs, if it is not the default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<String>,
    /// The seed.
    pub seed: u64,
    /// How the program was made, in words.
    pub origin: String,
    /// Instructions of the program at first.
    pub instructions: usize,
    /// Instructions of what is left.
    pub reduced_instructions: usize,
    /// Texts that the reduction has tried; none if nothing was reduced.
    pub tries: u64,
    /// Why what is left is not the smallest, if it may not be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unreduced: Option<String>,
    /// What shows it on what is left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case: Option<Box<Case>>,
    /// The program as it was at first.
    pub original: String,
    /// What is left of it; in the directory it stands in a file of its own.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
}

/// [`Finding::schema`].
pub const SCHEMA: u32 = 1;

/// What is put to the test.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum System {
    /// Passes of ours.
    Passes(String),
    /// A command, as one writes it in a shell.
    Command(String),
    /// Nothing but the program: analyses, the interpreter or the solver's part are at fault.
    Nothing,
}

/// What a campaign did.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Counts {
    /// Programs.
    pub programs: u64,
    /// Loops in them.
    pub loops: u64,
    /// Programs that were changed.
    pub fired: u64,
    /// Pairs of runs.
    pub executions: u64,
    /// Those of them in which the source is defined: the others show nothing.
    pub defined: u64,
    /// Questions to the solver about whole pairs.
    pub proofs: u64,
    /// Changed functions on which nothing was seen, or which the solver left open.
    pub inconclusive: u64,
    /// Programs for which something took too long, and was ended.
    pub timeouts: u64,
    /// Findings, known ones included.
    pub findings: u64,
    /// Times that something was seen which did not show again on one program by itself.
    pub unconfirmed: u64,
    /// What our passes did, by their names.
    pub passes: BTreeMap<Box<str>, Count>,
    /// What was drawn of programs that were made at random, by the names of the knobs.
    pub knobs: BTreeMap<Box<str>, Drawn>,
    /// By the names of mutators, the programs that each had a part in, and those of them that were changed.
    pub mutators: BTreeMap<Box<str>, Count>,
}

/// Programs with a knob.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Drawn {
    /// Programs for which it was on.
    pub on: u64,
    /// Those of them that have something of it.
    pub used: u64,
    /// Those of these that were changed.
    pub fired: u64,
}

impl Counts {
    /// Adds what passes did.
    pub fn add_passes(&mut self, passes: &BTreeMap<Box<str>, Count>) {
        add_counts(&mut self.passes, passes);
    }
    /// Adds what was drawn of a program.
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
    /// Notes that a program was changed.
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
    /// Adds what somebody else did.
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
    /// Passes that changed something, over all programs.
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
