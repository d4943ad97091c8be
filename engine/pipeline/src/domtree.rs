//! `print<domtree>`: the dominator tree in the format of LLVM's pass of that name.
//!
//! LLVM adds nodes in the order of a depth-first search from the entry, so children are printed in that order. DFS
//! numbers are printed as unassigned, as for a tree that no pass has queried.

use backedge_analysis::Cfg;
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, SecondaryMap};
use backedge_ir::print::BodyPrinter;
use backedge_transform::pass::{FunctionPass, Unit};
use std::fmt::Write as _;

/// `print<domtree>`.
#[derive(Copy, Clone, Debug)]
pub(crate) struct PrintDomTree;

impl FunctionPass for PrintDomTree {
    fn text(&self) -> String {
        "print<domtree>".to_owned()
    }
    fn run(&self, unit: &mut Unit<'_>) {
        let shape = unit.shape();
        let (env, body) = (unit.env(), unit.body());
        let Some(entry) = body.entry() else { return };
        let mut positions: SecondaryMap<Block, usize> = SecondaryMap::new();
        for (position, block) in preorder(body, &shape.cfg, entry).into_iter().enumerate() {
            positions[block] = position;
        }
        let printer = BodyPrinter::new(env, body);
        let mut out = format!("DominatorTree for function: {}\n", env.funcs[unit.func].name);
        let _ = writeln!(out, "{:=<29}{:-<32}", "", "");
        out.push_str("Inorder Dominator Tree: DFSNumbers invalid: 0 slow queries.\n");
        let mut stack = vec![entry];
        while let Some(block) = stack.pop() {
            let level = shape.dominators.level(block) as usize;
            let (name, indent) = (printer.block(block), 2 * level);
            let unassigned = u32::MAX;
            let _ =
                writeln!(out, "{:indent$}[{level}] {name} {{{unassigned},{unassigned}}} [{}]", "", level - 1);
            let mut children = shape.dominators.children(block).to_vec();
            children.sort_by_key(|child| std::cmp::Reverse(positions[*child]));
            stack.extend(children);
        }
        let _ = writeln!(out, "Roots: {} ", printer.block(entry));
        unit.print(&out);
    }
}

/// The reachable blocks in the order in which a depth-first search from `entry` visits them, first successors first.
fn preorder(body: &Body, cfg: &Cfg, entry: Block) -> Vec<Block> {
    let mut visited: SecondaryMap<Block, bool> = SecondaryMap::new();
    let (mut order, mut stack) = (Vec::with_capacity(body.block_count()), vec![entry]);
    while let Some(block) = stack.pop() {
        if !std::mem::replace(&mut visited[block], true) {
            order.push(block);
            stack.extend(cfg.succs(block).iter().rev());
        }
    }
    order
}
