//! A pair of runs that shows a violation, in a form that can be stored, sent and rerun: the input in text form, the
//! answers of external calls, and the target's choices. A case is untrusted: readers rerun it.

use super::schema;
use backedge_interp::Config;
use backedge_interp::input::{Input, InputError};
use backedge_interp::observe::Answer;
use backedge_interp::refine::Violation;
use backedge_smt::refinement::Uninit;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Input, answers and choices of a pair of runs.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Case {
    /// Arguments, pointed-to memory and contents of globals, in the format of `backedge run --args`.
    pub input: String,
    /// Fixed answers to the target's external calls, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<schema::Answer>")]
    pub answers: Vec<Answer>,
    /// Answers to calls that only the source makes, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<schema::Answer>")]
    pub source_answers: Vec<Answer>,
    /// The target's choices in order, and the environment's beyond the answers, as hexadecimal numbers; 0 after the
    /// last one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
    /// Fuel of each run, in steps.
    pub fuel: u64,
    /// Contents of uninitialized memory.
    #[serde(default)]
    #[schemars(with = "schema::Uninit")]
    pub uninit: Uninit,
}

/// Prefix of the line of a file that holds a case as JSON.
const MARK: &str = "; backedge-case: ";

impl Case {
    /// The case of `violation`.
    pub(crate) fn of(input: &Input, violation: &Violation, config: &Config) -> Self {
        let mut choices = &violation.target_choices[..];
        while let [rest @ .., 0] = choices {
            choices = rest;
        }
        Self {
            input: input.to_string(),
            answers: violation.script.iter().map(|a| a.answer.clone()).collect(),
            source_answers: source_answers(violation),
            choices: choices.iter().map(|c| format!("{c:#x}")).collect(),
            fuel: config.fuel,
            uninit: if config.uninit_poison { Uninit::Poison } else { Uninit::Undef },
        }
    }

    /// Whether the input has undef bits.
    pub fn has_undef_input(&self) -> bool {
        Input::parse_list(&self.input).is_ok_and(|input| input.has_undef())
    }

    /// Whether the input has poison.
    pub fn has_poison_input(&self) -> bool {
        Input::parse_list(&self.input).is_ok_and(|input| input.has_poison())
    }

    /// The case as a line of an LLVM IR file, without the line end.
    pub fn to_line(&self) -> String {
        MARK.to_owned() + &serde_json::to_string(self).expect("a case has string keys only")
    }

    /// The case contained in an LLVM IR file, if any.
    ///
    /// # Errors
    ///
    /// If the line of the case is malformed.
    pub fn in_text(text: &str) -> Result<Option<Self>, serde_json::Error> {
        let line = text.lines().find_map(|line| line.strip_prefix(MARK));
        line.map(serde_json::from_str).transpose()
    }

    /// The choices as numbers.
    pub(crate) fn choices(&self) -> Result<Vec<u128>, InputError> {
        let number = |text: &String| {
            let digits = text.strip_prefix("0x").unwrap_or(text);
            u128::from_str_radix(digits, 16).map_err(|_| InputError::Text(text.clone()))
        };
        self.choices.iter().map(number).collect()
    }
}

/// Answers in `violation` to calls that only its source makes.
pub(crate) fn source_answers(violation: &Violation) -> Vec<Answer> {
    let own = violation.source_script.get(violation.target.answers.len()..).unwrap_or_default();
    own.iter().map(|a| a.answer.clone()).collect()
}
