//! Cells and rows that tables have in common.

use comfy_table::{Cell, CellAlignment};

/// A number, or what stands in its place.
pub(crate) fn right(what: impl ToString) -> Cell {
    Cell::new(what).set_alignment(CellAlignment::Right)
}

/// A name and numbers.
pub(crate) fn row(name: &str, numbers: impl IntoIterator<Item = usize>) -> Vec<Cell> {
    std::iter::once(Cell::new(name)).chain(numbers.into_iter().map(right)).collect()
}
