//! Common cells and rows of tables.

use comfy_table::{Cell, CellAlignment};

/// A right-aligned cell.
pub(crate) fn right(what: impl ToString) -> Cell {
    Cell::new(what).set_alignment(CellAlignment::Right)
}

/// A row of a name and numbers.
pub(crate) fn row(name: &str, numbers: impl IntoIterator<Item = usize>) -> Vec<Cell> {
    std::iter::once(Cell::new(name)).chain(numbers.into_iter().map(right)).collect()
}
