//! Values of terms as plain data: assignments of models and results of evaluation.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::hash::BuildHasher;
use std::sync::Arc;

use imbl::OrdMap;
use rustc_hash::FxBuildHasher;

use super::{Bits, Sort, Term};

/// The value of a term.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// Value of a Boolean term.
    Bool(bool),
    /// Value of a bit vector.
    Bits(Bits),
    /// Value of an array.
    Array(Arc<ArrayValue>),
}

impl Value {
    /// False, zero, or the array of zeros, depending on the sort.
    pub fn zero(sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::BitVec(width) => Value::Bits(Bits::zero(width)),
            Sort::Array { index, element } => ArrayValue::constant(index, Bits::zero(element)).into(),
        }
    }

    /// The truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        if let Value::Bool(value) = self { Some(*value) } else { None }
    }

    /// The bit vector, if it is one.
    pub fn as_bits(&self) -> Option<&Bits> {
        if let Value::Bits(value) = self { Some(value) } else { None }
    }

    /// The array, if it is one.
    pub fn as_array(&self) -> Option<&ArrayValue> {
        if let Value::Array(value) = self { Some(value) } else { None }
    }

    /// The sort of a term with this value.
    pub fn sort(&self) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::Bits(bits) => Sort::BitVec(bits.width()),
            Value::Array(array) => Sort::Array { index: array.index, element: array.default.width() },
        }
    }
}

impl From<ArrayValue> for Value {
    fn from(array: ArrayValue) -> Value {
        Value::Array(Arc::new(array))
    }
}

/// An array with one default element at all but finitely many indices.
#[derive(Debug, Clone)]
pub struct ArrayValue {
    index: u32,
    default: Bits,
    /// Invariant: no element equals the default.
    elements: OrdMap<Bits, Bits>,
    /// Exclusive or of one hash per element, so that updates are cheap.
    print: u64,
}

impl ArrayValue {
    /// The array over `index`-bit indices with `default` at every index.
    pub fn constant(index: u32, default: Bits) -> ArrayValue {
        ArrayValue { index, default, elements: OrdMap::new(), print: 0 }
    }

    /// Width of the index, in bits.
    pub fn index_width(&self) -> u32 {
        self.index
    }

    /// The element at every index that [`ArrayValue::elements`] leaves out.
    pub fn default_element(&self) -> &Bits {
        &self.default
    }

    /// The elements that differ from the default, by ascending index.
    pub fn elements(&self) -> impl Iterator<Item = (&Bits, &Bits)> {
        self.elements.iter()
    }

    /// The element at an index.
    pub fn get(&self, index: &Bits) -> &Bits {
        self.elements.get(index).unwrap_or(&self.default)
    }

    /// Replaces the element at an index.
    pub fn set(&mut self, index: Bits, element: Bits) {
        debug_assert_eq!((index.width(), element.width()), (self.index, self.default.width()));
        let hash = |index: &Bits, element: &Bits| FxBuildHasher.hash_one((index, element));
        let before = if element == self.default {
            self.elements.remove(&index)
        } else {
            self.print ^= hash(&index, &element);
            self.elements.insert(index.clone(), element)
        };
        self.print ^= before.map_or(0, |before| hash(&index, &before));
    }

    /// A hash of the elements that differ from the default.
    pub(crate) fn print(&self) -> u64 {
        self.print
    }

    /// The indices, ascending, at which one array has a non-default element that differs from the other array's entry.
    pub(crate) fn differences<'a>(&'a self, other: &'a ArrayValue) -> impl Iterator<Item = &'a Bits> {
        let (mut own, mut theirs) = (self.elements.iter().peekable(), other.elements.iter().peekable());
        std::iter::from_fn(move || {
            loop {
                let order = match (own.peek(), theirs.peek()) {
                    (Some((a, _)), Some((b, _))) => a.cmp(b),
                    (Some(_), None) => Ordering::Less,
                    (None, Some(_)) => Ordering::Greater,
                    (None, None) => return None,
                };
                let left = if order.is_le() { own.next() } else { None };
                let right = if order.is_ge() { theirs.next() } else { None };
                let (index, _) = left.or(right)?;
                let element = |side: Option<(&'a Bits, &'a Bits)>, default| side.map_or(default, |e| e.1);
                if element(left, &self.default) != element(right, &other.default) {
                    return Some(index);
                }
            }
        })
    }

    /// Whether some index is absent from [`ArrayValue::elements`] of both arrays.
    fn has_common_default_index(&self, other: &ArrayValue) -> bool {
        if self.index >= usize::BITS - 1 {
            return true;
        }
        let named = self.elements.keys().filter(|index| !other.elements.contains_key(*index)).count();
        named + other.elements.len() < 1 << self.index
    }
}

/// Compares the maps, independent of how they were built: if the elements cover all indices, the default is irrelevant.
impl PartialEq for ArrayValue {
    fn eq(&self, other: &ArrayValue) -> bool {
        self.index == other.index
            && self.default.width() == other.default.width()
            && (self.default == other.default || !self.has_common_default_index(other))
            && self.differences(other).next().is_none()
    }
}

impl Eq for ArrayValue {}

/// Values of variables. A variable without a value has [`Value::zero`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Assignment {
    values: BTreeMap<Term, Value>,
}

impl Assignment {
    /// An assignment without values.
    pub fn new() -> Assignment {
        Assignment::default()
    }

    /// Sets the value of a variable.
    pub fn set(&mut self, variable: Term, value: Value) {
        self.values.insert(variable, value);
    }

    /// The value of a variable, if it has one.
    pub fn get(&self, variable: Term) -> Option<&Value> {
        self.values.get(&variable)
    }

    /// Variables with their values, in order of creation of the variables.
    pub fn iter(&self) -> impl Iterator<Item = (Term, &Value)> {
        self.values.iter().map(|(&variable, value)| (variable, value))
    }
}

impl FromIterator<(Term, Value)> for Assignment {
    fn from_iter<I: IntoIterator<Item = (Term, Value)>>(values: I) -> Assignment {
        Assignment { values: values.into_iter().collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All arrays of two-bit indices and one-bit elements, with each default.
    fn arrays() -> Vec<ArrayValue> {
        let bit = |b: u32| Bits::new(1, u128::from(b & 1));
        let mut all = Vec::new();
        for (default, elements) in (0..2).flat_map(|d| (0..16).map(move |e| (d, e))) {
            let mut array = ArrayValue::constant(2, bit(default));
            (0..4u32).for_each(|i| array.set(Bits::new(2, i.into()), bit(elements >> i)));
            all.push(array);
        }
        all
    }

    #[test]
    fn arrays_are_equal_where_they_do_not_differ() {
        for (a, b) in arrays().iter().flat_map(|a| arrays().into_iter().map(move |b| (a.clone(), b))) {
            let indices = (0..4).map(|i| Bits::new(2, i));
            let expected: Vec<Bits> = indices.filter(|i| a.get(i) != b.get(i)).collect();
            let named = |i: &&Bits| a.elements.contains_key(*i) || b.elements.contains_key(*i);
            let found: Vec<Bits> = a.differences(&b).cloned().collect();
            assert_eq!(found, expected.iter().filter(named).cloned().collect::<Vec<_>>());
            assert_eq!(a == b, expected.is_empty());
        }
    }
}
