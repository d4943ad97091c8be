//! Contents of a proof: steps, facts at nodes, and measures. A certificate is a proof in a form that can be stored and
//! checked again.

use crate::proof::lang::fact::{Fact, Linear};
use crate::proof::lang::step::{Known, Node, Step};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A proof that a target refines its source. It can be read, stored, and checked again with [`crate::proof::recheck`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Certificate {
    /// The proof in words.
    pub shown: Vec<String>,
    /// Whether the proof also covers inputs with undef bits.
    pub(in crate::proof) undef: bool,
    /// Whether the proof also covers inputs that are poison.
    #[serde(default = "covers_poison", skip_serializing_if = "Clone::clone")]
    pub(in crate::proof) poison: bool,
    pub(in crate::proof) draft: Draft,
}

/// The meaning of a certificate that says nothing about poison.
fn covers_poison() -> bool {
    true
}

/// A proof candidate that is not checked yet.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(in crate::proof) struct Draft {
    /// Blocks at which the source is cut in addition to the headers of its cycles.
    #[serde(default)]
    pub(in crate::proof) cuts: Vec<u32>,
    pub(in crate::proof) steps: Vec<Step>,
    #[serde(with = "pairs")]
    pub(in crate::proof) facts: BTreeMap<Node, Vec<Fact>>,
    /// Source accesses at whose addresses the memory of the source may differ from the target's.
    #[serde(default, with = "pairs")]
    pub(in crate::proof) apart: BTreeMap<Node, Vec<u32>>,
    /// Measures: numbers that decrease in cycles in which only one side moves.
    pub(in crate::proof) measures: Vec<Linear>,
}

/// Serializes maps whose keys are not strings as lists of pairs.
mod pairs {
    use super::{BTreeMap, Node};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(in crate::proof) fn serialize<T: Serialize, S: Serializer>(
        map: &BTreeMap<Node, Vec<T>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        map.iter().collect::<Vec<_>>().serialize(serializer)
    }
    pub(in crate::proof) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<BTreeMap<Node, Vec<T>>, D::Error> {
        Ok(Vec::<(Node, Vec<T>)>::deserialize(deserializer)?.into_iter().collect())
    }
}

impl Draft {
    /// The facts at a node.
    pub(in crate::proof) fn known(&self, node: Node) -> Known<'_> {
        Known {
            facts: self.facts.get(&node).map_or(&[], Vec::as_slice),
            apart: self.apart.get(&node).map_or(&[], Vec::as_slice),
        }
    }
}
