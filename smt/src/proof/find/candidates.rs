//! Facts that may hold at a node: those that hold in all states that runs showed there.
//!
//! In strata, since more facts cost more: first who is poison and what is equal or an affine function of something else
//! modulo `2^width`; then comparisons and remainders, of what says where control goes before all others; then products.
//! Equations are in solved form where they can be, the later part (the target's) by the earlier ones: as definitions they
//! make equal things the same term.

use crate::proof::find::align::Meeting;
use crate::proof::find::columns::{Column, Sample, Scalar, atoms, columns, spread};
use crate::proof::find::comparisons::{bounds, comparisons, remainders, tested};
use crate::proof::find::equations::equations;
use crate::proof::find::recurrence::recurrences;
use crate::proof::find::reductions::{gathers, sums};
use crate::proof::find::runs::RunPair;
use crate::proof::find::steering::{Compared, Steering};
use crate::proof::lang::fact::{AHEAD, Atom, Fact, Linear, Numbers, Owner, Part, RETURNED, Reading};
use crate::proof::lang::number::mask;
use crate::proof::lang::step::Node;
use crate::proof::vc::pair::Pair;
use backedge_ir::body::Body;
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::opcode::BinaryOp;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

/// Which facts are looked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::proof) enum Stratum {
    /// Equations of what the states hold.
    Held,
    /// Comparisons and remainders, too, of what branches compare, and with what they compare it.
    HeldCompared,
    /// Those of all that says where control goes.
    HeldSteering,
    /// Equations, also of what memory holds where accesses to come go.
    Equations,
    /// Comparisons and remainders of what says where control goes.
    Steering,
    Comparisons,
    Products,
}

impl Stratum {
    /// Whether there are comparisons in it.
    fn compares(self) -> bool {
        match self {
            Self::Held | Self::Equations => false,
            Self::HeldCompared | Self::HeldSteering | Self::Steering | Self::Comparisons | Self::Products => {
                true
            }
        }
    }
    /// Whether it speaks of what is executed out of turn.
    fn looks_ahead(self) -> bool {
        self >= Self::Equations
    }
}

/// The facts of a stratum, and of those below it, at a node. `sure` are facts of the lowest stratum that follow from each
/// other: what they define is not compared.
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
    let atoms = atoms(pair, node, &samples, stratum.looks_ahead());
    let columns = columns(pair, &atoms, &samples);
    let mut facts = poison(&atoms, &samples);
    let mut equations = equations(&columns);
    let mut whole = gathers(pair, &columns);
    let sums = sums(pair, &columns);
    drop_chance(&mut equations, whole.iter().chain(&sums));
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
            basis.retain(|b| compared.speaks_of(columns[*b].part.atom));
        }
        // What a product is in comparison with others follows from its factors at best, and is hard to refute.
        basis.retain(|b| columns[*b].part.atom.value != RETURNED || !multiplies(pair.target.body));
        facts.extend(remainders(&columns, &basis));
        facts.extend(comparisons(&columns, &basis, compared.as_ref()));
        facts.extend(bounds(&columns, &basis, &tested(&[pair.source.body, pair.target.body])));
    }
    if stratum >= Stratum::Products {
        let basis = basis(&columns, sure);
        facts.extend(products(&columns, &basis));
        facts.extend(recurrences(&columns, &basis));
    }
    facts.retain(|fact| !relates_addresses_given(fact));
    let mut seen = FxHashSet::default();
    facts.retain(|fact| seen.insert(fact.clone()) && samples.iter().all(|s| fact.holds(s) == Some(true)));
    facts
}

/// Whether a fact speaks of nothing but where pointers that are arguments lead in their blocks: it holds by chance, and that
/// it does not in general takes long to see.
fn relates_addresses_given(fact: &Fact) -> bool {
    let given = |part: &Part| part.reading == Reading::Offset && part.atom.owner == Owner::Argument;
    match fact {
        Fact::Linear(linear) => linear.summands.iter().all(|(_, product)| product.iter().all(given)),
        _ => false,
    }
}
/// Whether a function multiplies numbers of which none is a constant.
fn multiplies(body: &Body) -> bool {
    body.all_insts().any(|inst| {
        let data = body.inst(inst);
        let open = |value: &Value| !matches!(value, Value::Const(_));
        matches!(data.kind, InstKind::Binary(BinaryOp::Mul, _)) && data.operands.iter().all(open)
    })
}

/// Who is poison, and when.
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
        // What never was poison in the runs mostly never is; that something else was not either says little.
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
            // What is kept together by no step may be so in one direction, and refinement asks for no more.
            if scalar.atom.owner == Owner::Target && !ever && scalar.atom.value & AHEAD == 0 {
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

/// What the equations say of poison where the target gathers in parts what the source gathers as one, as the lanes of a
/// vectorized reduction do: each part is poison with the whole only.
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

/// Drops relations among lanes in which the target gathers what the source has in one number, which some of `wholes` say:
/// of many numbers in few samples there are such by chance.
fn drop_chance<'f>(equations: &mut Vec<Fact>, wholes: impl Iterator<Item = &'f Fact>) {
    let of_target = |atom: &Atom| atom.owner == Owner::Target;
    let lanes: FxHashSet<Atom> =
        wholes.filter(|fact| fact.atoms().len() > 2).flat_map(Fact::atoms).filter(of_target).collect();
    equations.retain(|fact| {
        let atoms = fact.atoms();
        atoms.len() <= 2 || atoms.iter().filter(|atom| lanes.contains(*atom)).count() < 2
    });
}

/// The columns that no fact of `sure` defines by numbers as wide: what is compared is.
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

/// Numbers that are the product of two others, plus a constant or a third one.
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
