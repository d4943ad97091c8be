//! Reachability of globals from a function.

use crate::pair::Side;
use backedge_ir::print::{Locals, extract};
use std::sync::Arc;

/// The names of all globals that the function reaches.
pub(crate) fn reached(side: Side<'_>) -> Vec<Arc<str>> {
    extract(side.module, side.func, &[], Locals::Numbered).globals
}
