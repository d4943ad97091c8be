//! Builders of arrays.
//!
//! Rules: a select skips stores whose index surely differs (constants, one base with different offsets, concatenations
//! with a part that surely differs) and stops at a store whose index is surely equal. A store that is overwritten at
//! once, or that writes the value already present, is dropped.

use super::{Op, Sort, Term, Terms};

/// Maximum number of stores that a select skips: bounds the time for one select.
const LOOKS_THROUGH: usize = 4096;

impl Terms {
    fn array_widths(&self, array: Term) -> (u32, u32) {
        match self.sort(array) {
            Sort::Array { index, element } => (index, element),
            other => panic!("an array is expected, {array:?} is of sort {other:?}"),
        }
    }

    /// The width of an array's elements.
    pub fn element_width(&self, array: Term) -> u32 {
        self.array_widths(array).1
    }

    /// The array over `index`-bit indices with `element` at every index.
    pub fn const_array(&mut self, index: u32, element: Term) -> Term {
        assert!((1..=super::MAX_WIDTH).contains(&index), "index of width {index}");
        let sort = Sort::Array { index, element: self.width(element) };
        self.intern(Op::ConstArray(index), &[element], sort)
    }

    /// The element at an index.
    pub fn select(&mut self, array: Term, index: Term) -> Term {
        let (index_width, element) = self.array_widths(array);
        assert_eq!(self.width(index), index_width, "index {index:?} of {array:?}");
        let mut array = array;
        for _ in 0..LOOKS_THROUGH {
            match self.op(array) {
                Op::ConstArray(_) => return self.args(array)[0],
                Op::Store => match self.decide_eq(self.args(array)[1], index) {
                    Some(true) => return self.args(array)[2],
                    Some(false) => array = self.args(array)[0],
                    None => break,
                },
                _ => break,
            }
        }
        self.intern(Op::Select, &[array, index], Sort::BitVec(element))
    }

    /// The array with the element at an index replaced.
    pub fn store(&mut self, array: Term, index: Term, value: Term) -> Term {
        let (index_width, element) = self.array_widths(array);
        assert_eq!(self.width(index), index_width, "index {index:?} of {array:?}");
        assert_eq!(self.width(value), element, "element {value:?} of {array:?}");
        let array = match self.op(array) {
            Op::Store if self.args(array)[1] == index => self.args(array)[0],
            _ => array,
        };
        let writes_back = match self.op(value) {
            Op::Select => self.args(value) == [array, index],
            _ => self.op(array) == Op::ConstArray(index_width) && self.args(array)[0] == value,
        };
        if writes_back {
            return array;
        }
        let sort = self.sort(array);
        self.intern(Op::Store, &[array, index, value], sort)
    }
}
