//! Candidate facts at a node: facts that hold in all sampled states there.
//!
//! Candidates come in strata, because more facts cost more. First come poison facts, equalities, and affine relations
//! modulo `2^width`; then comparisons and remainders, first of steering values, then of all; then products. Equations
//! are in solved form where possible: they define the later part (the target's) by earlier ones, so that equal values
//! become the same term.

use crate::proof::find::align::Meeting;
use crate::proof::find::columns::{Column, Sample, Scalar, atoms, columns, spread};
use crate::proof::find::comparisons::{bounds, comparisons, remainders, tested};
use crate::proof::find::equations::equations;
use crate::proof::find::recurrence::recurrences;
use crate::proof::find::reductions::{gathers, sums};
use crate::proof::find::runs::RunPair;
use crate::proof::find::steering::{Compared, Steering};
use crate::proof::lang::fact::{Atom, Fact, Linear, Numbers, Owner, Part, Reading, ValueRef};
use crate::proof::lang::number::mask;
use crate::proof::lang::step::Node;
use crate::proof::vc::pair::Pair;
use backedge_ir::body::Body;
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::opcode::BinaryOp;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

/// A set of candidate facts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::proof) enum Stratum {
    /// Equations of the values in the states.
    Held,
    /// Also comparisons and remainders of numbers that branches compare with each other.
    HeldCompared,
    /// Also comparisons and remainders of all steering values.
    HeldSteering,
    /// Equations, also of the memory contents at the addresses of later accesses.
    Equations,
    /// Also comparisons and remainders of steering values.
    Steering,
    Comparisons,
    Products,
}

impl Stratum {
    /// Whether the stratum contains comparisons.
    fn compares(self) -> bool {
        match self {
            Self::Held | Self::Equations => false,
            Self::HeldCompared | Self::HeldSteering | Self::Steering | Self::Comparisons | Self::Products => {
                true
            }
        }
    }
    /// Whether the stratum contains facts about values that are evaluated early.
    fn evaluates_early(self) -> bool {
        self >= Self::Equations
    }
}

/// The candidate facts of a stratum at a node. `sure` are facts of the lowest stratum that are inductive; numbers that
/// these define are not compared.
pub(in crate::proof) fn candidates(
    pair: &Pair<'_>,
    runs: &[RunPair],
    (node, meetings): (Node, &[Meeting]),
    stratum: Stratum,
    sure: &[Fact],
) -> Vec<Fact> {
    let samples = spread(meetings).map(|m| Sample::new(runs, m)).collect::<Vec<_>>();
    if samples.is_empty() {
        return Vec::new();
    }
    let atoms = atoms(pair, node, &samples, stratum.evaluates_early());
    let columns = columns(pair, &atoms, &samples);
    let mut facts = poison(&atoms, &samples);
    let mut equations = equations(&columns);
    let mut whole = gathers(pair, &columns);
    let sums = sums(pair, &columns);
    drop_coincidences(&mut equations, whole.iter().chain(&sums));
    equations.extend(sums);
    facts.append(&mut whole);
    facts.extend(gathered(&equations));
    facts.extend(equations);
    if stratum.compares() {
        let mut basis = basis(&columns, sure);
        if matches!(stratum, Stratum::HeldSteering | Stratum::Steering) {
            let steering = Steering::new(pair);
            basis.retain(|b| steering.has(columns[*b].part.atom));
        }
        let compared = (stratum == Stratum::HeldCompared).then(|| Compared::new(pair, sure));
        if let Some(compared) = &compared {
            basis.retain(|b| compared.mentions(columns[*b].part.atom));
        }
        // Comparisons of a product follow from its factors at best, and are hard to refute.
        basis.retain(|b| columns[*b].part.atom.value != ValueRef::Returned || !multiplies(pair.target.body));
        facts.extend(remainders(&columns, &basis));
        facts.extend(comparisons(&columns, &basis, compared.as_ref()));
        facts.extend(bounds(&columns, &basis, &tested(&[pair.source.body, pair.target.body])));
    }
    if stratum >= Stratum::Products {
        let basis = basis(&columns, sure);
        facts.extend(products(&columns, &basis));
        facts.extend(recurrences(&columns, &basis));
    }
    facts.retain(|fact| !relates_argument_offsets_only(fact));
    let mut seen = FxHashSet::default();
    facts.retain(|fact| seen.insert(fact.clone()) && samples.iter().all(|s| fact.holds(s) == Some(true)));
    facts
}

/// Whether a fact relates only offsets of argument pointers. Such a fact holds in the runs by chance, and its
/// refutation is slow.
fn relates_argument_offsets_only(fact: &Fact) -> bool {
    let given = |part: &Part| part.reading == Reading::Offset && part.atom.owner == Owner::Argument;
    match fact {
        Fact::Linear(linear) => linear.summands.iter().all(|(_, product)| product.iter().all(given)),
        _ => false,
    }
}
/// Whether a function multiplies two non-constant numbers.
fn multiplies(body: &Body) -> bool {
    body.all_insts().any(|inst| {
        let data = body.inst(inst);
        let open = |value: &Value| !matches!(value, Value::Const(_));
        matches!(data.kind, InstKind::Binary(BinaryOp::Mul, _)) && data.operands.iter().all(open)
    })
}

/// Candidate facts about poison.
fn poison(atoms: &[Scalar], samples: &[Sample<'_>]) -> Vec<Fact> {
    /// Limit on the scalars that one scalar is related to: a wrong partner is refuted later, and the others remain.
    const PARTNERS: usize = 3;
    let column =
        |atom: Atom| -> Vec<bool> { samples.iter().map(|s| s.number(atom).is_some_and(|n| n.2)).collect() };
    let columns: Vec<Vec<bool>> = atoms.iter().map(|a| column(a.atom)).collect();
    let mut facts = Vec::new();
    for (i, scalar) in atoms.iter().enumerate() {
        if scalar.atom.owner == Owner::Argument || !scalar.leaf {
            continue;
        }
        let ever = columns[i].contains(&true);
        if !ever {
            facts.push(Fact::Defined(scalar.atom));
        }
        let mut order: Vec<usize> = (0..i).filter(|j| atoms[*j].atom.owner < scalar.atom.owner).collect();
        order.sort_by_key(|j| (atoms[*j].name != scalar.name, atoms[*j].owner_rank()));
        // A value that was never poison in the runs usually never is; that another value was not poison either is no
        // evidence of a relation.
        let related = |j: &&usize| {
            ever || atoms[**j].name == scalar.name || {
                let bits = |atom: Atom, s: &Sample<'_>| s.number(atom).map(|n| n.0);
                samples.iter().all(|s| bits(scalar.atom, s) == bits(atoms[**j].atom, s))
            }
        };
        let same = order.iter().filter(|j| columns[**j] == columns[i] && atoms[**j].leaf).filter(related);
        let partners = if ever { PARTNERS } else { 1 };
        for j in same.take(partners) {
            facts.push(Fact::PoisonTogether(scalar.atom, atoms[*j].atom));
            // Steps may not preserve the equivalence but only one direction, which suffices for refinement.
            if scalar.atom.owner == Owner::Target && !ever && matches!(scalar.atom.value, ValueRef::Number(_))
            {
                facts.push(Fact::PoisonOnlyWith(scalar.atom, atoms[*j].atom));
            }
        }
        if scalar.atom.owner == Owner::Target && ever {
            let implied =
                order.iter().filter(|j| columns[i].iter().zip(&columns[**j]).all(|(t, s)| !t || *s));
            facts.extend(implied.take(PARTNERS).map(|j| Fact::PoisonOnlyWith(scalar.atom, atoms[*j].atom)));
        }
    }
    facts
}

/// Poison facts from equations in which the target splits one number of the source into parts, like the lanes of a
/// vectorized reduction: each part is poison only if the whole is.
fn gathered(equations: &[Fact]) -> Vec<Fact> {
    let mut facts = Vec::new();
    for fact in equations {
        let Fact::Linear(linear) = fact else { continue };
        let atoms = || linear.summands.iter().flat_map(|(_, product)| product.iter().map(|part| part.atom));
        let of = |owner: Owner| atoms().filter(move |atom| atom.owner == owner);
        if let (Some(whole), true) = (of(Owner::Source).next(), of(Owner::Target).count() > 1) {
            facts.extend(of(Owner::Target).map(|part| Fact::PoisonOnlyWith(part, whole)));
        }
    }
    facts
}

/// Drops relations among lanes of a reduction that some of `wholes` describe: with many numbers and few samples, such
/// relations hold by chance.
fn drop_coincidences<'f>(equations: &mut Vec<Fact>, wholes: impl Iterator<Item = &'f Fact>) {
    let of_target = |atom: &Atom| atom.owner == Owner::Target;
    let lanes: FxHashSet<Atom> =
        wholes.filter(|fact| fact.atoms().len() > 2).flat_map(Fact::atoms).filter(of_target).collect();
    equations.retain(|fact| {
        let atoms = fact.atoms();
        atoms.len() <= 2 || atoms.iter().filter(|atom| lanes.contains(*atom)).count() < 2
    });
}

/// The columns that no fact of `sure` defines by numbers of the same width. Only these are compared.
fn basis(columns: &[Column], sure: &[Fact]) -> Vec<usize> {
    let resizes = |linear: &Linear| {
        linear.summands.iter().any(|(_, product)| product.iter().any(|part| part.reading.is_resized()))
    };
    let solved: FxHashSet<Part> = sure
        .iter()
        .filter_map(|fact| match fact {
            Fact::Linear(linear) if !resizes(linear) => linear.solved().map(|s| s.0),
            _ => None,
        })
        .collect();
    let free = |i: &usize| !solved.contains(&columns[*i].part) && !columns[*i].part.reading.is_resized();
    (0..columns.len()).filter(free).collect()
}

/// Equations of a number with the product of two others plus a constant.
fn products(columns: &[Column], basis: &[usize]) -> Vec<Fact> {
    let mut facts = Vec::new();
    for column in basis.iter().map(|b| &columns[*b]).filter(|c| c.leaf && c.width > 3) {
        let usable = |c: &&Column| {
            c.width == column.width
                && c.part.atom != column.part.atom
                && c.part.reading != Reading::Block
                && c.values.iter().any(|v| *v != c.values[0])
        };
        let others: Vec<&Column> = columns.iter().filter(usable).take(10).collect();
        for (j, a) in others.iter().enumerate() {
            for b in &others[j..] {
                let product = |n: usize| a.values[n].wrapping_mul(b.values[n]);
                let rest = |n: usize| column.values[n].wrapping_sub(product(n)) & mask(column.width);
                let first = rest(0);
                if !(0..column.values.len()).all(|n| rest(n) == first) {
                    continue;
                }
                let mut factors: SmallVec<[Part; 2]> = SmallVec::from_slice(&[a.part, b.part]);
                factors.sort_unstable();
                let mut summands =
                    vec![(1, SmallVec::from_slice(&[column.part])), (mask(column.width), factors)];
                summands.sort_by(|x, y| x.1.cmp(&y.1));
                let constant = first.wrapping_neg() & mask(column.width);
                facts.push(Fact::Linear(Linear { width: column.width, summands, constant }));
            }
        }
    }
    facts
}
