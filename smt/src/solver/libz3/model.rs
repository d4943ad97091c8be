//! Reads a model of Z3 into plain data. Bit vectors are read in pieces of 64 bits. Arrays are read as stores over a
//! constant array, or as the table of the function that represents the array. An eliminated array has the elements that
//! were read, and zeros elsewhere.

use super::super::SolverError;
use super::translated::{Translated, Translation, as_bits};
use crate::term::{ArrayValue, Assignment, Bits, Sort, Term, Terms, Value};
use z3::ast::{Array, Ast, BV, Dynamic};
use z3::{DeclKind, Model};

/// The values of the query's variables.
pub(super) fn read(
    terms: &Terms,
    model: &Model,
    translation: &Translation,
) -> Result<Assignment, SolverError> {
    let value = |&variable: &Term| {
        let translated = translation.get(variable);
        let value = read_value(model, translated, terms.sort(variable));
        let value =
            value.ok_or_else(|| SolverError::UnreadableModel { variable, text: text(model, translated) })?;
        Ok((variable, value))
    };
    let replaced = |(array, elements): &(Term, Vec<Term>)| {
        let Sort::Array { index, element } = terms.sort(*array) else { unreachable!("an array is read") };
        let mut values = ArrayValue::constant(index, Bits::zero(element));
        for &read in elements {
            let bits = |&term: &Term| {
                let value = value(&term)?.1;
                Ok(value.as_bits().expect("indices and elements are bit vectors").clone())
            };
            values.set(bits(&terms.args(read)[1])?, bits(&read)?);
        }
        Ok((*array, values.into()))
    };
    let variables = translation.variables.iter().map(value);
    variables.chain(translation.reads.elements.iter().map(replaced)).collect()
}

fn text(model: &Model, translated: &Translated) -> String {
    match translated {
        Translated::Bool(term) => format!("{:?}", model.eval(term, true)),
        Translated::Bits(term) => format!("{:?}", model.eval(term, true)),
        Translated::Array(term) => format!("{:?}", model.eval(term, true)),
    }
}

fn read_value(model: &Model, translated: &Translated, sort: Sort) -> Option<Value> {
    match (translated, sort) {
        (Translated::Bool(term), _) => model.eval(term, true)?.as_bool().map(Value::Bool),
        (Translated::Bits(term), Sort::BitVec(width)) => read_bits(model, term, width).map(Value::Bits),
        (Translated::Array(term), Sort::Array { index, element }) => {
            read_array(model, model.eval(term, true)?, index, element).map(Value::from)
        }
        _ => None,
    }
}

fn read_bits(model: &Model, term: &BV, width: u32) -> Option<Bits> {
    let piece = |index: u32| {
        let (low, high) = (64 * index, (64 * index + 63).min(width - 1));
        model.eval(&term.extract(high, low), true)?.as_u64()
    };
    let pieces = (0..width.div_ceil(64)).map(piece).collect::<Option<Vec<u64>>>()?;
    Some(Bits::from_pieces(width, &pieces))
}

fn read_array(model: &Model, array: Array, index: u32, element: u32) -> Option<ArrayValue> {
    let mut stores: Vec<(Bits, Bits)> = Vec::new();
    let mut store = |at: Dynamic, value: Dynamic| {
        stores.push((read_bits(model, &as_bits(at), index)?, read_bits(model, &as_bits(value), element)?));
        Some(())
    };
    let mut rest = array;
    let default = loop {
        match rest.safe_decl().ok()?.kind() {
            DeclKind::Store => {
                store(rest.nth_child(1)?, rest.nth_child(2)?)?;
                rest = rest.nth_child(0)?.as_array()?;
            }
            DeclKind::ConstArray => break rest.nth_child(0)?,
            DeclKind::AsArray => {
                let table = model.get_func_interp(&rest.as_array_func_decl()?)?;
                for entry in table.get_entries() {
                    store(entry.get_args().into_iter().next()?, entry.get_value())?;
                }
                break table.get_else()?;
            }
            _ => return None,
        }
    };
    let default = read_bits(model, &as_bits(default), element)?;
    let mut value = ArrayValue::constant(index, default);
    // The outermost store was read first and takes precedence, so it is applied last.
    for (at, element) in stores.into_iter().rev() {
        value.set(at, element);
    }
    Some(value)
}
