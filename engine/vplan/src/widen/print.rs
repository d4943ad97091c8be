//! Vector plans as text: one line per recipe with its instruction, under LLVM's names.

use super::{LoopBlock, Recipe, WidePlan};
use crate::legality::Legality;
use backedge_ir::body::Body;
use backedge_ir::entity::Inst;
use backedge_ir::module::Env;
use backedge_ir::print::{BodyPrinter, inst_to_string};

/// Prints plans of a loop.
pub(crate) struct Printer<'p> {
    env: &'p Env,
    body: &'p Body,
    of: &'p Legality,
    names: BodyPrinter<'p>,
}

impl<'p> Printer<'p> {
    pub(crate) fn new(env: &'p Env, body: &'p Body, of: &'p Legality) -> Self {
        Self { env, body, of, names: BodyPrinter::new(env, body) }
    }
    /// Prints the blocks with their recipes; `note` gives a remark for each recipe.
    pub(crate) fn text(&self, plan: &WidePlan, note: &dyn Fn(&Recipe) -> String) -> String {
        let mut out = String::new();
        for block in &plan.blocks {
            out += &match block.place {
                LoopBlock::Body => "vector.body:\n".to_owned(),
                LoopBlock::Rest => "vector.rest:\n".to_owned(),
                LoopBlock::Of(block) => format!("vector.inner of {}:\n", self.names.block(block)),
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
        let name = recipe.name(self.of);
        match recipe {
            Recipe::Mask(block) => format!("{name} of {}", self.names.block(*block)),
            Recipe::Memory(inst) => {
                let how = self.of.access(*inst).map_or_else(String::new, |access| {
                    format!("({}{}) ", access.pattern, if access.masked { ", masked" } else { "" })
                });
                format!("{name} {how}{}", self.inst(*inst))
            }
            Recipe::Interleave(inst) => {
                let members = self.of.group(*inst).map(|group| group.members.clone()).unwrap_or_default();
                let member = |m: &Option<Inst>| m.map_or_else(|| "-".to_owned(), |inst| self.inst(inst));
                let members: Vec<String> = members.iter().map(member).collect();
                format!("{name} {}", members.join(" | "))
            }
            Recipe::Fixed(inst, values) => {
                let values: Vec<String> = values.iter().map(ToString::to_string).collect();
                format!("{name} <{}> {}", values.join(", "), self.inst(*inst))
            }
            other => match other.inst() {
                Some(inst) => format!("{name} {}", self.inst(inst)),
                None => name.to_owned(),
            },
        }
    }
}
