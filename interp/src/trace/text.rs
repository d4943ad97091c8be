//! A trace as lines of text.
//!
//! A starting function is printed as `@f(i32 %n = i32 3):`, a reached block as `%body:`, and the header of a loop
//! with its iteration, `%loop: ; iteration 3 of %loop`. A step is the printed instruction, then `=>` and its result.
//! The step that caused UB is the last line.

use super::record::arg_value;
use super::steps::{Step, What};
use super::words::Words;
use crate::value::Val;
use backedge_ir::inst::InstKind;

/// Contents of a step's line.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Detail {
    /// Name, operation, result: `%i = add : i32 3`. For columns.
    Short,
    /// The whole instruction and its result.
    #[default]
    Long,
    /// The values of the operands too.
    Operands,
}

/// A step as a line, indented by its depth.
pub(crate) fn line(words: &Words<'_>, step: &Step, detail: Detail) -> String {
    let at = &step.at;
    let indent = "  ".repeat(at.depth);
    match (&step.what, at.inst) {
        (What::Call { args }, _) => {
            format!("{indent}{}({}):", words.func(at.func), arguments(words, step, args))
        }
        (What::Enter { header, .. }, _) => {
            let block = words.block(at.func, at.block);
            match (header, detail) {
                (false, _) => format!("{indent}{block}:"),
                (true, Detail::Short) => {
                    let counts: Vec<String> = at.iterations.iter().map(|(_, n)| n.to_string()).collect();
                    format!("{indent}{block}: [{}]", counts.join(", "))
                }
                (true, Detail::Long | Detail::Operands) => {
                    format!("{indent}{block}: ; {}", words.iterations(at))
                }
            }
        }
        (What::Inst { operands, value, event }, Some(inst)) => {
            let Some(body) = words.module.body(at.func) else { return String::new() };
            let data = body.inst(inst);
            let result = value.as_ref().map(|v| words.value(data.ty, v));
            let mut text = match (&result, detail) {
                (Some(result), Detail::Short) => {
                    let name = words.operand(at.func, inst.into());
                    format!("{indent}  {name} = {} : {result}", data.kind.mnemonic())
                }
                (None, Detail::Short) => short_effect(words, step, operands),
                (Some(result), _) => format!("{indent}  {} => {result}", words.inst(at.func, inst)),
                (None, _) => format!("{indent}  {}", words.inst(at.func, inst)),
            };
            if detail == Detail::Operands {
                let list = named_operands(words, step, operands);
                if !list.is_empty() {
                    text.push_str(&format!("  ; {}", list.join(", ")));
                }
            }
            if let Some(event) = event {
                text.push_str(&format!("  ; event {event}"));
            }
            text
        }
        (What::Inst { .. }, None) => String::new(),
    }
}

/// Name and operation of a step, without its values. Steps of two traces with the same key correspond.
pub(crate) fn key(words: &Words<'_>, step: &Step) -> String {
    let at = &step.at;
    match (&step.what, at.inst) {
        (What::Call { .. }, _) if at.depth == 0 => "the outermost function".to_owned(),
        (What::Call { .. }, _) => words.func(at.func),
        (What::Enter { .. }, _) => words.block(at.func, at.block),
        (What::Inst { value, .. }, Some(inst)) => {
            let Some(body) = words.module.body(at.func) else { return String::new() };
            let data = body.inst(inst);
            let name = match (value, &data.kind) {
                (Some(_), _) => words.operand(at.func, inst.into()),
                (None, InstKind::Call(_) | InstKind::Invoke(_) | InstKind::CallBr(_)) => {
                    data.operands.last().map_or_else(String::new, |v| words.operand(at.func, *v))
                }
                (None, _) => String::new(),
            };
            format!("{name} {}", data.kind.mnemonic())
        }
        (What::Inst { .. }, None) => String::new(),
    }
}

fn arguments(words: &Words<'_>, step: &Step, args: &[Val]) -> String {
    let Some(body) = words.module.body(step.at.func) else { return String::new() };
    let one = |(i, value): (usize, &Val)| {
        let arg = arg_value(i);
        format!("{} = {}", words.operand(step.at.func, arg), words.value(body.ty(arg), value))
    };
    args.iter().enumerate().map(one).collect::<Vec<_>>().join(", ")
}

/// `%i = i32 3`, for operands that are not constants.
pub(crate) fn named_operands(words: &Words<'_>, step: &Step, operands: &[Val]) -> Vec<String> {
    let pairs = operand_values(words, step, operands);
    pairs.into_iter().map(|(name, value)| format!("{name} = {value}")).collect()
}

/// Names and values of the operands that are not constants.
pub(crate) fn operand_values(words: &Words<'_>, step: &Step, operands: &[Val]) -> Vec<(String, String)> {
    let (func, from) = (step.at.func, step.at.inst);
    let Some((body, inst)) = words.module.body(func).zip(from) else { return Vec::new() };
    let data = body.inst(inst);
    // Only one operand of a phi is recorded, and its value identifies it.
    if data.kind.is_phi() {
        return Vec::new();
    }
    let named = data.operands.iter().zip(operands).filter(|(v, _)| v.as_const().is_none());
    named.map(|(v, value)| (words.operand(func, *v), words.value(body.ty(*v), value))).collect()
}

/// A short description of a step without a result: the stored, returned or branch value.
fn short_effect(words: &Words<'_>, step: &Step, operands: &[Val]) -> String {
    let at = &step.at;
    let indent = "  ".repeat(at.depth);
    let Some((body, inst)) = words.module.body(at.func).zip(at.inst) else { return String::new() };
    let data = body.inst(inst);
    let value = |i: usize| {
        let text = data.operands.get(i).zip(operands.get(i)).map(|(v, x)| words.value(body.ty(*v), x));
        text.unwrap_or_default()
    };
    let name = data.kind.mnemonic();
    match &data.kind {
        InstKind::Store(_) => format!("{indent}  store {} to {}", value(0), value(1)),
        InstKind::Ret | InstKind::CondBr | InstKind::Switch if !operands.is_empty() => {
            format!("{indent}  {name} {}", value(0))
        }
        InstKind::Call(_) | InstKind::Invoke(_) | InstKind::CallBr(_) => {
            let callee = data.operands.last().map_or_else(String::new, |v| words.operand(at.func, *v));
            let list: Vec<String> = (0..operands.len()).map(value).collect();
            format!("{indent}  {name} {callee}({})", list.join(", "))
        }
        _ => format!("{indent}  {name}"),
    }
}
