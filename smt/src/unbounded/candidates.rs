//! Facts that may hold at a node: those that hold in all states that runs showed there.
//!
//! In strata, since more facts cost more: first who is poison and what is equal or an affine function of something else
//! modulo `2^width`; then comparisons and remainders, of what says where control goes before all others; then products.
//! Equations are in solved form where they can be, the later part (the target's) by the earlier ones: as definitions they
//! make equal things the same term.

use crate::encode::world::{BLOCK_BITS, OFFSET_BITS, POINTER_BITS, Side};
use crate::refinement::inputs::argument_name;
use crate::unbounded::align::Meeting;
use crate::unbounded::gather::{gathers, sums};
use crate::unbounded::product::Pair;
use crate::unbounded::recurrence::recurrences;
use crate::unbounded::relation::{
    AHEAD, Atom, Bound, Fact, Linear, Numbers, Order, Owner, Part, RETURNED, Reading, mask, signed,
};
use crate::unbounded::runs::{Number, RunPair};
use crate::unbounded::steering::{Compared, Steering};
use crate::unbounded::step::{Node, Place};
use backedge_ir::body::Body;
use backedge_ir::entity::{EntityId, Inst};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::opcode::BinaryOp;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::collections::BTreeSet;

/// Which facts are looked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Stratum {
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

/// A state of both sides in runs.
pub(super) struct Sample<'r> {
    run: &'r RunPair,
    meeting: Meeting,
}

impl<'r> Sample<'r> {
    pub(super) fn new(runs: &'r [RunPair], meeting: Meeting) -> Self {
        Self { run: &runs[meeting.run], meeting }
    }
    fn lanes(&self, owner: Owner, value: u32) -> Option<&'r [Number]> {
        let visit = match owner {
            Owner::Argument => return self.run.args.get(value as usize).map(Vec::as_slice),
            Owner::Source => self.run.source.visits.get(self.meeting.source)?,
            Owner::Target => self.run.target.visits.get(self.meeting.target)?,
        };
        if value == RETURNED {
            return matches!(visit.place, Place::Returned(_)).then_some(&visit.returned);
        }
        if value & AHEAD != 0 {
            return visit.ahead.get(&Inst::from_index((value & !AHEAD) as usize)).map(Vec::as_slice);
        }
        visit.values.get(&Inst::from_index(value as usize)).map(Vec::as_slice)
    }
}

impl Numbers for Sample<'_> {
    fn number(&self, atom: Atom) -> Option<Number> {
        self.lanes(atom.owner, atom.value)?.get(atom.lane as usize).copied()
    }
}

/// A part with its values in all samples.
pub(super) struct Column {
    pub(super) part: Part,
    pub(super) width: u32,
    pub(super) values: Vec<u128>,
    /// In which samples the value is poison.
    poison: Vec<bool>,
    /// Whether it is part of the state, and not computed from it.
    pub(super) leaf: bool,
    /// What it is called, to prefer partners of that name.
    name: String,
}

/// Samples of a node that are looked at.
const MANY_SAMPLES: usize = 96;
/// Columns of one width that comparisons are made of.
const MANY_COMPARED: usize = 12;
/// Coefficients beyond this are chance.
pub(super) const LARGE: u128 = 4096;

/// The facts of a stratum, and of those below it, at a node. `sure` are facts of the lowest stratum that follow from each
/// other: what they define is not compared.
pub(super) fn candidates(
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
    let atoms = atoms(pair, node, &samples, stratum);
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

/// So many meetings, from all over; every nth of them for an odd n, since every second round is not like the others.
fn spread(meetings: &[Meeting]) -> impl Iterator<Item = Meeting> {
    let step = meetings.len().div_ceil(MANY_SAMPLES) | 1;
    meetings.iter().step_by(step).copied()
}

/// A scalar at a node.
struct Scalar {
    atom: Atom,
    width: u32,
    leaf: bool,
    name: String,
}

/// The scalars that all samples have: arguments, then the source's, then the target's.
fn atoms(pair: &Pair<'_>, node: Node, samples: &[Sample<'_>], stratum: Stratum) -> Vec<Scalar> {
    let mut found = Vec::new();
    let mut add = |owner: Owner, value: u32, leaf: bool, name: String| {
        let Some(lanes) = samples[0].lanes(owner, value).map(<[Number]>::len) else { return };
        for lane in 0..lanes as u32 {
            let atom = Atom { owner, value, lane };
            let all: Option<Vec<Number>> = samples.iter().map(|s| s.number(atom)).collect();
            if let Some(all) = all {
                found.push(Scalar { atom, width: all[0].1, leaf, name: name.clone() });
            }
        }
    };
    let body = pair.source.body;
    for (i, arg) in body.args().enumerate() {
        let name = argument_name(body, arg);
        add(Owner::Argument, i as u32, true, name);
    }
    for (side, owner, place) in
        [(Side::Source, Owner::Source, node.source), (Side::Target, Owner::Target, node.target)]
    {
        let program = pair.program(side);
        let (Place::Cut(at) | Place::Returned(at)) = place;
        let cut = &program.cuts[at];
        let mut leaves = cut.leaves.clone();
        leaves.sort_unstable();
        for inst in leaves {
            add(owner, inst.index() as u32, true, program.name(inst));
        }
        for inst in cut.computed.iter().filter(|i| cut.live.contains(**i)) {
            add(owner, inst.index() as u32, false, program.name(*inst));
        }
        if matches!(place, Place::Returned(_)) {
            add(owner, RETURNED, true, "result".to_owned());
            continue;
        }
        if !stratum.looks_ahead() {
            continue;
        }
        let mut ahead: Vec<Inst> = cut.ahead.iter().map(|a| a.inst).collect();
        ahead.sort_unstable();
        for inst in ahead {
            add(owner, inst.index() as u32 | AHEAD, true, program.name(inst));
        }
    }
    found
}

/// The numbers that the scalars are.
fn columns(pair: &Pair<'_>, atoms: &[Scalar], samples: &[Sample<'_>]) -> Vec<Column> {
    let mut columns = Vec::new();
    let widths: FxHashSet<u32> = atoms
        .iter()
        .map(|a| if is_pointer(pair, a) { OFFSET_BITS } else { a.width })
        .filter(|w| *w <= 64)
        .collect();
    for scalar in atoms {
        let mut add = |reading: Reading, width: u32, leaf: bool| {
            let part = Part { atom: scalar.atom, reading };
            let values = samples.iter().filter_map(|s| {
                let (bits, own, _) = s.number(scalar.atom)?;
                Some(part.number(bits, own))
            });
            let values: Vec<u128> = values.collect();
            let poison = samples.iter().map(|s| s.number(scalar.atom).is_some_and(|n| n.2)).collect();
            columns.push(Column { part, width, values, poison, leaf, name: scalar.name.clone() });
        };
        if is_pointer(pair, scalar) {
            add(Reading::Block, BLOCK_BITS, scalar.leaf);
            add(Reading::Offset, OFFSET_BITS, scalar.leaf);
            continue;
        }
        add(Reading::Whole, scalar.width, scalar.leaf);
        if scalar.width > 1 {
            for &wide in widths.iter().filter(|w| **w > scalar.width) {
                add(Reading::Zext(wide), wide, false);
                add(Reading::Sext(wide), wide, false);
            }
            for &narrow in widths.iter().filter(|w| (8..scalar.width).contains(*w) && scalar.leaf) {
                add(Reading::Low(narrow), narrow, false);
            }
        }
    }
    columns.sort_by_key(|c| (c.part.atom, c.part.reading));
    columns
}
fn is_pointer(pair: &Pair<'_>, scalar: &Scalar) -> bool {
    scalar.width == POINTER_BITS && {
        let program = match scalar.atom.owner {
            Owner::Argument | Owner::Source => &pair.source,
            Owner::Target => &pair.target,
        };
        let ty = match (scalar.atom.owner, scalar.atom.value) {
            (Owner::Argument, i) => program.body.args().nth(i as usize).map(|a| program.body.ty(a.into())),
            (_, RETURNED) => None,
            (_, i) => Some(program.body.inst(Inst::from_index((i & !AHEAD) as usize)).ty),
        };
        // Of a value that is returned the width tells it.
        ty.is_none_or(|ty| !ty.is_int())
    }
}

/// Who is poison, and when.
fn poison(atoms: &[Scalar], samples: &[Sample<'_>]) -> Vec<Fact> {
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

impl Scalar {
    /// The source's come before the arguments as partners.
    fn owner_rank(&self) -> u8 {
        match self.atom.owner {
            Owner::Source => 0,
            Owner::Argument => 1,
            Owner::Target => 2,
        }
    }
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

/// Equations.
fn equations(columns: &[Column]) -> Vec<Fact> {
    let mut facts = Vec::new();
    let mut basis: Vec<usize> = Vec::new();
    for (i, column) in columns.iter().enumerate() {
        if column.part.atom.owner == Owner::Argument {
            basis.push(i);
            continue;
        }
        if !column.leaf {
            if column.part.reading.is_resized() {
                facts.extend(resized(columns, i));
            } else {
                basis.push(i);
            }
            continue;
        }
        let mut earlier: Vec<&Column> = columns[..i]
            .iter()
            .filter(|c| c.width == column.width && c.part.atom != column.part.atom)
            .collect();
        earlier.sort_by_key(|c| (c.name != column.name, !c.leaf, c.part.atom.owner == Owner::Argument));
        if column.part.atom.owner == Owner::Target {
            // That no run showed poison where an argument may be it says little.
            let but_poison = |c: &&&Column| {
                (c.poison.contains(&true) || c.part.atom.owner == Owner::Argument)
                    && (0..c.values.len()).all(|n| c.poison[n] || c.values[n] == column.values[n])
            };
            let weaker = earlier.iter().filter(but_poison).take(2);
            facts.extend(weaker.map(|c| Fact::EqualUnlessPoison(column.part, c.part)));
        }
        let first = column.values[0];
        if column.values.iter().all(|v| *v == first) && column.values.len() > 2 {
            facts.push(Fact::Linear(Linear::fixed(column.width, column.part, first)));
            facts.extend(by_chance(column, &earlier));
            if column.part.reading != Reading::Block {
                continue;
            }
        }
        let equal: Vec<&&Column> = earlier.iter().filter(|c| c.values == column.values).take(3).collect();
        for other in &equal {
            facts.push(Fact::Linear(Linear::equal(column.width, column.part, other.part)));
        }
        let varies = column.values.iter().collect::<FxHashSet<_>>().len() > 2;
        if equal.is_empty() && varies && column.part.reading != Reading::Block {
            let shifted = earlier.iter().filter_map(|c| Some((c, difference(column, c)?))).take(2);
            let shifted: Vec<Fact> = shifted
                .map(|(c, by)| Fact::Linear(Linear::shifted(column.width, column.part, c.part, by)))
                .collect();
            if shifted.is_empty() {
                let others: Vec<&Column> =
                    basis.iter().map(|b| &columns[*b]).filter(|c| c.width == column.width).collect();
                let resized =
                    columns[..i].iter().filter(|c| c.width == column.width && c.part.reading.is_resized());
                let others: Vec<&Column> = others.into_iter().chain(resized).collect();
                let found = relation(column, &others);
                if found.is_none() {
                    basis.push(i);
                }
                facts.extend(found.map(Fact::Linear));
            }
            facts.extend(shifted);
        } else if equal.is_empty() {
            basis.push(i);
        }
    }
    facts
}

/// That a number of the target, extended or truncated, is one of the source's: of several counters that the source has
/// the target keeps one, which may be narrower or wider than the one that addresses are made of. That the wide one's low
/// bits are the narrow one says less than that the narrow one, extended, is the wide one.
fn resized(columns: &[Column], at: usize) -> Option<Fact> {
    let column = &columns[at];
    let leaf = || columns.iter().any(|c| c.leaf && c.part.atom == column.part.atom);
    let varies = || column.values.iter().any(|v| *v != column.values[0]);
    if column.part.atom.owner != Owner::Target || !varies() || !leaf() {
        return None;
    }
    let same = |c: &&Column| {
        c.part.atom.owner == Owner::Source
            && c.leaf
            && (c.width, &c.values) == (column.width, &column.values)
            && !c.part.reading.is_resized()
    };
    let other = columns[..at].iter().find(same)?;
    Some(Fact::Linear(Linear::equal(column.width, column.part, other.part)))
}

/// What a number of the target that runs showed as one constant is equal to, should that be chance, as it is where memory
/// held the same everywhere, and of offsets of pointers to where blocks begin: numbers of the source, of the same name
/// best, or of arguments.
fn by_chance<'c>(column: &'c Column, earlier: &'c [&Column]) -> impl Iterator<Item = Fact> + 'c {
    const PARTNERS: usize = 3;
    let target = column.part.atom.owner == Owner::Target && column.part.reading != Reading::Block;
    let same = move |c: &&&Column| {
        let owned = match c.part.atom.owner {
            Owner::Argument => c.part.reading == Reading::Offset,
            Owner::Source => c.leaf,
            Owner::Target => false,
        };
        target && owned && c.values == column.values
    };
    let others = earlier.iter().filter(same).take(PARTNERS);
    others.map(|other| Fact::Linear(Linear::equal(column.width, column.part, other.part)))
}

/// By how much one column is above another one, if always by the same.
fn difference(column: &Column, other: &Column) -> Option<u128> {
    let by = column.values[0].wrapping_sub(other.values[0]) & mask(column.width);
    let same = |(a, b): (&u128, &u128)| a.wrapping_sub(*b) & mask(column.width) == by;
    column.values.iter().zip(&other.values).all(same).then_some(by)
}

/// How often a number is divisible by two.
fn twos(value: u128, width: u32) -> u32 {
    value.trailing_zeros().min(width)
}

/// A row of numbers, and of which columns it is the sum.
#[derive(Clone)]
pub(super) struct Row {
    pub(super) values: Vec<u128>,
    pub(super) of: FxHashMap<usize, u128>,
}

impl Row {
    /// `self - factor * other`.
    fn minus(&self, other: &Self, factor: u128, width: u32) -> Self {
        let m = mask(width);
        let values =
            self.values.iter().zip(&other.values).map(|(a, b)| a.wrapping_sub(factor.wrapping_mul(*b)) & m);
        let mut of = self.of.clone();
        for (k, v) in &other.of {
            let entry = of.entry(*k).or_insert(0);
            *entry = entry.wrapping_sub(factor.wrapping_mul(*v)) & m;
        }
        Self { values: values.collect(), of }
    }
}

/// `column` as a sum of multiples of others and a constant, modulo `2^width`: Gaussian elimination in which pivots are
/// divided by the power of two that both sides have.
fn relation(column: &Column, others: &[&Column]) -> Option<Linear> {
    const MANY: usize = 20;
    let width = column.width;
    let mut rows: Vec<(usize, Row)> = Vec::new();
    let constant = vec![1u128; column.values.len()];
    let mut waiting: Vec<Row> = vec![Row { values: constant, of: FxHashMap::from_iter([(usize::MAX, 1)]) }];
    waiting.extend(
        others
            .iter()
            .take(MANY)
            .enumerate()
            .map(|(i, other)| Row { values: other.values.clone(), of: FxHashMap::from_iter([(i, 1)]) }),
    );
    let own = others.len();
    let steps = 64 * (waiting.len() + 1);
    let last = Row { values: column.values.clone(), of: FxHashMap::from_iter([(own, 1)]) };
    for row in waiting {
        reduce(row, &mut rows, width, true, steps);
    }
    let row = reduce(last, &mut rows, width, false, steps)?;
    let factor = *row.of.get(&own)?;
    if factor != 1 {
        return None;
    }
    let mut linear = Linear { width, summands: Vec::new(), constant: 0 };
    for (k, factor) in row.of {
        let size = signed(factor, width).unsigned_abs();
        if factor == 0 {
            continue;
        }
        if size > LARGE && twos(factor, width) + 3 < width && k != usize::MAX {
            return None;
        }
        if k == usize::MAX {
            linear.constant = factor;
        } else {
            let part = if k == own { column.part } else { others[k].part };
            linear.summands.push((factor, SmallVec::from_slice(&[part])));
        }
    }
    linear.summands.sort_by(|a, b| a.1.cmp(&b.1));
    (linear.summands.len() > 1).then_some(linear)
}
/// Subtracts rows from `row` until nothing is left, which is a relation, or none fits; then it is kept if `keep` says so.
pub(super) fn reduce(
    mut row: Row,
    rows: &mut Vec<(usize, Row)>,
    width: u32,
    keep: bool,
    steps: usize,
) -> Option<Row> {
    for _ in 0..steps {
        let Some(pivot) = row.values.iter().position(|v| *v != 0) else { return Some(row) };
        let Some((_, other)) = rows.iter_mut().find(|(p, _)| *p == pivot) else {
            if keep {
                rows.push((pivot, row));
            }
            return None;
        };
        let (own, theirs) = (row.values[pivot], other.values[pivot]);
        if twos(own, width) < twos(theirs, width) {
            if !keep {
                return None;
            }
            std::mem::swap(&mut row, other);
            continue;
        }
        let down = twos(theirs, width);
        let inverse = crate::unbounded::relation::inverse(theirs >> down, width);
        // Any number will do that is the quotient modulo 2^(width - down): the smallest one.
        let factor = signed((own >> down).wrapping_mul(inverse), width - down) as u128 & mask(width);
        row = row.minus(other, factor, width);
    }
    None
}

/// Remainders of single numbers and of differences by small powers of two.
fn remainders(columns: &[Column], basis: &[usize]) -> Vec<Fact> {
    let mut facts = Vec::new();
    let fits = |c: &Column| c.width >= 4 && c.part.reading != Reading::Block;
    let own: Vec<&Column> = basis.iter().map(|b| &columns[*b]).filter(|c| fits(c)).collect();
    for (i, column) in own.iter().enumerate() {
        let width = column.width;
        let powers = [4, 3, 2, 1];
        let same = |values: &dyn Fn(usize) -> u128| {
            powers.into_iter().find_map(|power| {
                let rest = values(0) & mask(power);
                let all = (0..column.values.len()).all(|n| values(n) & mask(power) == rest);
                all.then_some((power, rest))
            })
        };
        if column.values.iter().all(|v| *v == column.values[0]) {
            continue;
        }
        if let Some((power, rest)) = same(&|n| column.values[n])
            && column.part.atom.owner != Owner::Argument
        {
            let factor = 1 << (width - power);
            let summands = vec![(factor, SmallVec::from_slice(&[column.part]))];
            let constant = rest.wrapping_mul(factor).wrapping_neg() & mask(width);
            facts.push(Fact::Linear(Linear { width, summands, constant }));
        }
        for other in own[..i].iter().filter(|c| c.width == width) {
            let values = |n: usize| column.values[n].wrapping_sub(other.values[n]);
            if let Some((power, rest)) = same(&values) {
                let factor = 1u128 << (width - power);
                let mut linear = Linear::shifted(width, column.part, other.part, rest);
                for summand in &mut linear.summands {
                    summand.0 = summand.0.wrapping_mul(factor) & mask(width);
                }
                linear.constant = linear.constant.wrapping_mul(factor) & mask(width);
                facts.push(Fact::Linear(linear));
            }
        }
    }
    facts
}

/// Comparisons of numbers with each other and with 0, 1 and 2. Strict ones come with their weaker forms: what holds in
/// samples may not be kept by steps. With `compared`, only of those with each other that it names.
fn comparisons(columns: &[Column], basis: &[usize], compared: Option<&Compared>) -> Vec<Fact> {
    let mut facts = Vec::new();
    let mut widths: Vec<u32> = basis.iter().map(|b| columns[*b].width).filter(|w| *w > 1).collect();
    widths.sort_unstable();
    widths.dedup();
    for width in widths {
        let usable = |c: &&Column| c.width == width && c.part.reading != Reading::Block;
        let mut own: Vec<&Column> = basis.iter().map(|b| &columns[*b]).filter(usable).collect();
        own.sort_by_key(|c| (!c.leaf, c.part.atom.owner == Owner::Argument));
        own.truncate(MANY_COMPARED);
        for a in &own {
            let number = |n: u128| vec![n; a.values.len()];
            if a.part.atom.owner != Owner::Argument {
                for n in [0, 1, 2] {
                    add_orders(
                        &mut facts,
                        width,
                        (Bound::Number(n), &number(n)),
                        (Bound::Part(a.part), &a.values),
                    );
                }
                add_orders(
                    &mut facts,
                    width,
                    (Bound::Part(a.part), &a.values),
                    (Bound::Number(0), &number(0)),
                );
            }
            for b in own.iter().filter(|b| b.part != a.part) {
                let arguments = [a, b].iter().filter(|c| c.part.atom.owner == Owner::Argument).count();
                if arguments < 2 && compared.is_none_or(|c| c.has(a.part.atom, b.part.atom)) {
                    let sides = ((Bound::Part(a.part), &a.values), (Bound::Part(b.part), &b.values));
                    add_orders(&mut facts, width, sides.0, sides.1);
                }
            }
        }
    }
    facts
}
/// The numbers that integers are compared with, by their width: where loops end.
fn tested(bodies: &[&Body]) -> BTreeSet<(u32, u128)> {
    let of = |body: &Body| -> Vec<(u32, u128)> {
        let compares = body.all_insts().map(|inst| body.inst(inst));
        let compares = compares.filter(|data| matches!(data.kind, InstKind::ICmp { .. }));
        let constants = compares.flat_map(|data| data.operands.iter()).filter_map(|value| match value {
            Value::Const(id) => body.consts().as_int(*id),
            Value::Inst(_) | Value::Arg(_) => None,
        });
        constants.filter(|n| n.width() <= 64).map(|n| (n.width(), n.bits())).collect()
    };
    bodies.iter().flat_map(|body| of(body)).filter(|(_, number)| *number > 2).collect()
}
/// Comparisons of numbers of the state with numbers that something is compared with: runs seldom come to the end of a
/// loop that makes a constant number of rounds.
fn bounds(columns: &[Column], basis: &[usize], tested: &BTreeSet<(u32, u128)>) -> Vec<Fact> {
    const MANY: usize = 6;
    let mut facts = Vec::new();
    let own = basis.iter().map(|b| &columns[*b]);
    let varies = |c: &&Column| c.values.iter().any(|v| *v != c.values[0]);
    for column in own.filter(|c| c.leaf && c.part.atom.owner != Owner::Argument).filter(varies) {
        let numbers = tested.range((column.width, 0)..=(column.width, u128::MAX));
        for (_, number) in numbers.take(MANY) {
            let constant = (Bound::Number(*number), &vec![*number; column.values.len()]);
            let part = (Bound::Part(column.part), &column.values);
            add_orders(&mut facts, column.width, part, constant);
            add_orders(&mut facts, column.width, constant, part);
        }
    }
    facts
}
fn add_orders(
    facts: &mut Vec<Fact>,
    width: u32,
    (left, a): (Bound, &Vec<u128>),
    (right, b): (Bound, &Vec<u128>),
) {
    let all = |holds: &dyn Fn(u128, u128) -> bool| a.iter().zip(b).all(|(x, y)| holds(*x, *y));
    let mut add = |order| facts.push(Fact::Compare { width, order, left, right });
    let s = |x: u128| signed(x, width);
    // From 1 or 2 on is above 0 or 1, and not 0 is above 0: these are asked about already.
    let said = matches!(left, Bound::Number(1 | 2));
    if all(&|x, y| x <= y) {
        if left != Bound::Number(0) && !said {
            add(Order::Ule);
        }
        if all(&|x, y| x < y) {
            add(Order::Ult);
        }
    }
    if all(&|x, y| s(x) <= s(y)) {
        if !said {
            add(Order::Sle);
        }
        if all(&|x, y| s(x) < s(y)) {
            add(Order::Slt);
        }
    }
    let from_zero = left == Bound::Number(0) || right == Bound::Number(0);
    if left < right && !from_zero && all(&|x, y| x != y) {
        add(Order::Ne);
    }
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
