//! Checks that no alias is defined by itself, directly or through other aliases and constant expressions.
//!
//! The source is `Verifier::visitAliaseeSubExpr` of LLVM. The check is a depth-first search over aliases and the
//! constants that they name; an edge to a node of the current path closes a cycle. A constant contains only constants
//! that are older than itself, so every cycle contains an alias. The cost is linear in the aliases and their constants.

use super::{Finding, FindingKind};
use crate::constant::{ConstData, GlobalRef};
use crate::entity::{AliasId, Const, EntitySet};
use crate::module::Env;

/// Reports each cycle once, at one of its aliases.
pub(super) fn check(env: &Env, findings: &mut Vec<Finding>) {
    let mut search = Search { env, entered: Marks::default(), open: Marks::default(), path: Vec::new() };
    for id in env.aliases.keys() {
        for alias in search.cycles_from(id) {
            let name = env.aliases[alias].name.as_ref().into();
            let kind = FindingKind::AliasCycle { alias, name };
            findings.push(Finding { func: None, block: None, inst: None, kind });
        }
    }
}

#[derive(Copy, Clone)]
enum Node {
    Alias(AliasId),
    Constant(Const),
}

enum Step {
    Enter(Node),
    Leave(Node),
}

/// A set of nodes.
#[derive(Default)]
struct Marks {
    aliases: EntitySet<AliasId>,
    constants: EntitySet<Const>,
}

impl Marks {
    fn contains(&self, node: Node) -> bool {
        match node {
            Node::Alias(id) => self.aliases.contains(id),
            Node::Constant(id) => self.constants.contains(id),
        }
    }
    /// Adds `node`; true if it was not there before.
    fn insert(&mut self, node: Node) -> bool {
        match node {
            Node::Alias(id) => self.aliases.insert(id),
            Node::Constant(id) => self.constants.insert(id),
        }
    }
    fn remove(&mut self, node: Node) {
        match node {
            Node::Alias(id) => self.aliases.remove(id),
            Node::Constant(id) => self.constants.remove(id),
        };
    }
}

struct Search<'a> {
    env: &'a Env,
    /// The nodes that were entered from any root.
    entered: Marks,
    /// The nodes of the current path.
    open: Marks,
    /// The aliases of the current path, in order.
    path: Vec<AliasId>,
}

impl Search<'_> {
    /// An alias of each cycle that is reached from `root` for the first time.
    fn cycles_from(&mut self, root: AliasId) -> Vec<AliasId> {
        let mut cycles = Vec::new();
        let mut steps = vec![Step::Enter(Node::Alias(root))];
        while let Some(step) = steps.pop() {
            let node = match step {
                Step::Leave(node) => {
                    self.open.remove(node);
                    if let Node::Alias(_) = node {
                        self.path.pop();
                    }
                    continue;
                }
                Step::Enter(node) => node,
            };
            if self.open.contains(node) {
                // The last alias of the path is in the cycle, since constants alone form none.
                cycles.extend(self.path.last());
                continue;
            }
            if !self.entered.insert(node) {
                continue;
            }
            self.open.insert(node);
            if let Node::Alias(id) = node {
                self.path.push(id);
            }
            steps.push(Step::Leave(node));
            steps.extend(self.successors(node).into_iter().map(Step::Enter));
        }
        cycles
    }

    /// The nodes that `node` names.
    fn successors(&self, node: Node) -> Vec<Node> {
        let id = match node {
            Node::Alias(id) => return self.env.aliases[id].target.into_iter().map(Node::Constant).collect(),
            Node::Constant(id) => id,
        };
        match &self.env.consts.get(id).data {
            ConstData::Global(GlobalRef::Alias(id)) => vec![Node::Alias(*id)],
            ConstData::Expr(expr) => expr.operands.iter().copied().map(Node::Constant).collect(),
            ConstData::Aggregate(elements) => elements.iter().copied().map(Node::Constant).collect(),
            ConstData::Splat(element) => vec![Node::Constant(*element)],
            ConstData::Global(GlobalRef::Func(_) | GlobalRef::Var(_))
            | ConstData::Int(_)
            | ConstData::Float(_)
            | ConstData::Zero
            | ConstData::Undef
            | ConstData::Poison
            | ConstData::Bytes(_)
            | ConstData::BlockAddress(_)
            | ConstData::Metadata(_) => Vec::new(),
        }
    }
}
