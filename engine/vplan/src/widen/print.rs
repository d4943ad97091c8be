//! Plans of vector code as text: a line for each recipe, with the instruction that it is for, under LLVM's names.

use super::{Place, Recipe, WidePlan};
use crate::legality::{HeaderPhi, Legality};
use backedge_ir::body::Body;
use backedge_ir::entity::Inst;
use backedge_ir::module::Env;
use backedge_ir::print::{BodyPrinter, inst_to_string};

/// What writes plans of a loop.
pub(super) struct Printer<'p> {
    env: &'p Env,
    body: &'p Body,
    of: &'p Legality,
    names: BodyPrinter<'p>,
}

impl<'p> Printer<'p> {
    pub(super) fn new(env: &'p Env, body: &'p Body, of: &'p Legality) -> Self {
        Self { env, body, of, names: BodyPrinter::new(env, body) }
    }
    /// Blocks, and the recipes in them, each with what `note` says of it.
    pub(super) fn text(&self, plan: &WidePlan, note: &dyn Fn(&Recipe) -> String) -> String {
        let mut out = String::new();
        for block in &plan.blocks {
            out += &match block.place {
                Place::Body => "vector.body:\n".to_owned(),
                Place::Rest => "vector.rest:\n".to_owned(),
                Place::Of(block) => format!("vector.inner of {}:\n", self.names.block(block)),
            };
            for recipe in &block.recipes {
                let (text, note) = (self.recipe(recipe), note(recipe));
                out += &if note.is_empty() { format!("  {text}\n") } else { format!("  {text}  ; {note}\n") };
            }
        }
        out
    }
    fn inst(&self, inst: Inst) -> String {
        inst_to_string(self.env, self.body, inst).trim().to_owned()
    }
    fn recipe(&self, recipe: &Recipe) -> String {
        match recipe {
            Recipe::Mask(block) => format!("MASK of {}", self.names.block(*block)),
            Recipe::AnyExit => "ANY-EXIT".to_owned(),
            Recipe::HeaderPhi(phi) => {
                let name = match self.of.phi(*phi) {
                    Some(HeaderPhi::FirstOrder(_)) => "FIRST-ORDER-RECURRENCE-PHI",
                    Some(HeaderPhi::Selection(_)) => "SELECTION-PHI",
                    Some(HeaderPhi::Reduction(_) | HeaderPhi::Induction(_)) | None => "REDUCTION-PHI",
                };
                format!("{name} {}", self.inst(*phi))
            }
            Recipe::WidenInduction(inst) => format!("WIDEN-INDUCTION {}", self.inst(*inst)),
            Recipe::ScalarSteps(inst) => format!("SCALAR-STEPS {}", self.inst(*inst)),
            Recipe::WidenPhi(inst) => format!("WIDEN-PHI {}", self.inst(*inst)),
            Recipe::Blend(inst) => format!("BLEND {}", self.inst(*inst)),
            Recipe::Widen(inst) => format!("WIDEN {}", self.inst(*inst)),
            Recipe::WidenCall(inst) => format!("WIDEN-CALL {}", self.inst(*inst)),
            Recipe::Divide(inst) => format!("WIDEN-DIVIDE {}", self.inst(*inst)),
            Recipe::Pick(inst) => format!("PICK {}", self.inst(*inst)),
            Recipe::Reduce(inst) => format!("REDUCE {}", self.inst(*inst)),
            Recipe::Memory(inst) => match self.of.access(*inst) {
                Some(access) => {
                    let masked = if access.masked { ", masked" } else { "" };
                    format!("WIDEN ({}{masked}) {}", access.pattern, self.inst(*inst))
                }
                None => format!("WIDEN {}", self.inst(*inst)),
            },
            Recipe::Interleave(inst) => {
                let members = self.of.group(*inst).map(|group| group.members.clone()).unwrap_or_default();
                let member = |m: &Option<Inst>| m.map_or_else(|| "-".to_owned(), |inst| self.inst(inst));
                let members: Vec<String> = members.iter().map(member).collect();
                format!("INTERLEAVE-GROUP {}", members.join(" | "))
            }
            Recipe::Replicate(inst) => format!("REPLICATE {}", self.inst(*inst)),
            Recipe::Clone(inst) => format!("CLONE {}", self.inst(*inst)),
            Recipe::First(inst) => format!("FIRST-LANE {}", self.inst(*inst)),
            Recipe::Once(inst) => format!("UNIFORM {}", self.inst(*inst)),
            Recipe::Fixed(inst, values) => {
                let values: Vec<String> = values.iter().map(ToString::to_string).collect();
                format!("CONSTANT <{}> {}", values.join(", "), self.inst(*inst))
            }
            Recipe::Splice(inst) => format!("FIRST-ORDER-SPLICE {}", self.inst(*inst)),
            Recipe::Defer(inst) => format!("SINK-STORE {}", self.inst(*inst)),
            Recipe::Branch(inst) => format!("BRANCH {}", self.inst(*inst)),
        }
    }
}
