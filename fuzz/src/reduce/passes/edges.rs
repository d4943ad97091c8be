//! Removes edges: conditional branches are decided one way or the other, switches lose cases, loops lose backedges
//! and exits.

use super::super::edit::{branch_to, remove_edge};
use super::super::search::{Edit, Search};
use super::on_body;
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, FuncId};
use backedge_ir::inst::{InstKind, Value};

pub(super) fn run(search: &mut Search<'_>) {
    for taken in 0..2 {
        let decided = terminators(search)
            .into_iter()
            .filter(|(_, _, kind)| *kind == InstKind::CondBr)
            .map(|(func, block, _)| {
                on_body(func, move |editor| {
                    let two = editor.body().has_block(block)
                        && editor
                            .body()
                            .terminator(block)
                            .is_some_and(|t| editor.body().inst(t).kind == InstKind::CondBr);
                    two && remove_edge(editor, block, 1 - taken)
                })
            })
            .collect();
        search.chunked(decided);
    }
    let cases = of_switches(search, |body, block| {
        let Some(terminator) = body.terminator(block) else { return Vec::new() };
        body.inst(terminator).operands[1..].to_vec()
    });
    let cases: Vec<Edit> = cases
        .into_iter()
        .flat_map(|(func, block, values)| {
            values.into_iter().map(move |case| {
                on_body(func, move |editor| {
                    let body = editor.body();
                    let Some(terminator) = body.has_block(block).then(|| body.terminator(block)).flatten()
                    else {
                        return false;
                    };
                    let data = body.inst(terminator);
                    let is_case = |(at, v): (usize, &Value)| at > 0 && *v == case;
                    let at = data.operands.iter().enumerate().position(is_case);
                    data.kind == InstKind::Switch && at.is_some_and(|at| remove_edge(editor, block, at))
                })
            })
        })
        .collect();
    search.chunked(cases);
    let ways = of_switches(search, |body, block| {
        let mut targets = body.successors(block).to_vec();
        targets.dedup();
        targets
    });
    let ways = ways
        .into_iter()
        .map(|(func, block, targets)| {
            let to = |target: Block| {
                on_body(func, move |editor| {
                    editor.body().has_block(block) && branch_to(editor, block, target)
                })
            };
            targets.into_iter().map(to).collect()
        })
        .collect();
    search.first_of_each(ways);
}

/// The terminators of all blocks.
fn terminators(search: &Search<'_>) -> Vec<(FuncId, Block, InstKind)> {
    let of_body = |(func, body): (FuncId, &Body)| {
        let kind = |block: Block| Some((func, block, body.inst(body.terminator(block)?).kind.clone()));
        body.blocks().filter_map(kind).collect::<Vec<_>>()
    };
    search.best.program.module.bodies().flat_map(of_body).collect()
}

/// Applies `of` to each block that ends in a switch.
fn of_switches<T>(search: &Search<'_>, of: impl Fn(&Body, Block) -> Vec<T>) -> Vec<(FuncId, Block, Vec<T>)> {
    let switches = terminators(search).into_iter().filter(|(_, _, kind)| *kind == InstKind::Switch);
    let module = &search.best.program.module;
    switches.filter_map(|(func, block, _)| Some((func, block, of(module.body(func)?, block)))).collect()
}
