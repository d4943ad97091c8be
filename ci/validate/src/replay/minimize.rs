//! Minimizes the input of a violation: simpler inputs are run, changing one part at a time, and each that fails in the
//! same way replaces the current input, until none does or the replays are used up. Greedy like delta debugging (Zeller
//! and Hildebrandt 2002), and deterministic. Before that, the solver makes its own counterexample small
//! (`smt/src/refinement/search.rs`). `fuzz/src/reduce` makes programs small.
//!
//! Small integers are simplest, in order of their distance from 0; then come round numbers (powers of two and their
//! neighbors), then the rest by size; poison and undef come last. Memory is simpler if it is shorter, and if more of it
//! is zero. The result was run and fails; nothing is inferred from a run of another input.

use super::drive::{Drive, Shown};
use super::inputs::{float_bits, integer, mask};
use crate::admit::source_promises::SourcePromises;
use crate::pair::Sides;
use crate::verdict::Failure;
use backedge_interp::Machine;
use backedge_interp::input::{ArgSpec, BlockSpec, Input};
use backedge_interp::memory::Contents;
use backedge_ir::types::{Type, TypeKind, TypeTable};

/// Maximum number of inputs tried for one violation.
const REPLAYS: usize = 600;
/// Limit on the total steps of these runs, both sides together.
const STEPS: u64 = 20_000_000;
/// The limit on steps increases by this many times the steps of the failing runs.
const LONG_RUNS: u64 = 6;
/// Pairs of runs with more steps are not repeated.
const MOST_STEPS: u64 = 100_000_000;
/// Maximum distance from 0 of an integer that counts as small.
const SMALL: u128 = 16;

/// The smallest input found, and the violation on it; `input` and `shown` themselves if nothing simpler fails.
pub(crate) fn smallest(
    machines: &mut [Machine<'_>; 2],
    sides: Sides<'_>,
    input: &Input,
    shown: Shown,
) -> (Input, Shown) {
    let once = shown.violation.source.steps.saturating_add(shown.violation.target.steps);
    if once > MOST_STEPS {
        return (input.clone(), shown);
    }
    let promises = SourcePromises::new(sides.source);
    let steps = STEPS.saturating_add(once.saturating_mul(LONG_RUNS));
    let end = machines.iter().map(Machine::steps).sum::<u64>().saturating_add(steps);
    let mut search =
        Search { machines, sides, promises, input: input.clone(), shown, replays: REPLAYS, last_step: end };
    search.without_choices();
    while search.round() {}
    (search.input, search.shown)
}

struct Search<'a, 'p, 's> {
    machines: &'a mut [Machine<'p>; 2],
    sides: Sides<'s>,
    promises: SourcePromises<'s>,
    input: Input,
    shown: Shown,
    replays: usize,
    last_step: u64,
}

impl Search<'_, '_, '_> {
    fn exhausted(&self) -> bool {
        self.replays == 0 || self.machines.iter().map(Machine::steps).sum::<u64>() >= self.last_step
    }

    /// Runs `candidate` and keeps it if it fails as before.
    fn accepts(&mut self, candidate: Input, drive: &Drive) -> bool {
        if self.exhausted() || candidate == self.input && drive.choices == self.shown.violation.target_choices
        {
            return false;
        }
        self.replays -= 1;
        // An input that does not fit is no evidence.
        let Ok(Ok(shown)) = drive.look(self.machines, self.sides, &candidate) else { return false };
        if Failure::of(&shown.violation) != Failure::of(&self.shown.violation) {
            return false;
        }
        // A run that breaks a promise of the source is no refutation.
        if self.promises.broken(&mut self.machines[0], &candidate, &shown.violation).is_some() {
            return false;
        }
        (self.input, self.shown) = (candidate, shown);
        true
    }

    /// Tries a run in which all choices are 0, first with default answers, then with the recorded answers.
    fn without_choices(&mut self) {
        let violation = &self.shown.violation;
        if violation.target_choices.iter().all(|c| *c == 0) && violation.script.is_empty() {
            return;
        }
        let told = Drive { choices: Vec::new(), ..Drive::of(violation) };
        for drive in [Drive::default(), told] {
            if self.accepts(self.input.clone(), &drive) {
                return;
            }
        }
    }

    /// One round over all parts of the input; returns whether anything became simpler.
    fn round(&mut self) -> bool {
        let source = self.sides.source;
        let env = &source.module.env;
        let Some((_, params, _)) = env.types.signature(env.funcs[source.func].ty) else { return false };
        let params = params.to_vec();
        let mut changed = false;
        for i in 0..self.input.globals.len().max(self.input.blocks.len()) {
            changed |= self.drop_memory(i);
        }
        for (i, ty) in params.iter().enumerate().take(self.input.args.len()) {
            changed |= self.simplify(i, *ty, &env.types, &mut Vec::new());
        }
        for i in 0..self.input.globals.len() {
            changed |= self.shrink_block(|input| input.globals.get_mut(i).map(|(_, block)| block));
        }
        for i in 0..self.input.blocks.len() {
            changed |= self.shrink_block(|input| input.blocks.get_mut(i));
        }
        changed && !self.exhausted()
    }

    /// Removes contents of a global, or the last block if nothing points there.
    fn drop_memory(&mut self, i: usize) -> bool {
        let mut without = self.input.clone();
        if i < without.globals.len() {
            without.globals.remove(i);
        } else if without.blocks.pop().is_none() {
            return false;
        }
        let drive = Drive::of(&self.shown.violation);
        self.accepts(without, &drive)
    }

    /// Simplifies the argument, or its member at `path`.
    fn simplify(&mut self, arg: usize, ty: Type, types: &TypeTable, path: &mut Vec<usize>) -> bool {
        let Some(spec) = at_path(&mut self.input.args[arg], path).cloned() else { return false };
        if let ArgSpec::Members(members) = &spec {
            let mut changed = false;
            for i in 0..members.len() {
                let Some(ty) = types.member(ty, i as u64) else { continue };
                path.push(i);
                changed |= self.simplify(arg, ty, types, path);
                path.pop();
            }
            return changed;
        }
        let mut changed = false;
        for simpler in simpler(&spec, ty) {
            if self.accepts_at(arg, path, simpler) {
                changed = true;
                break;
            }
        }
        match at_path(&mut self.input.args[arg], path).cloned() {
            Some(ArgSpec::Int(value)) => {
                if let TypeKind::Int(width) = ty.kind() {
                    changed |= self.bisect((arg, path), width, value);
                }
            }
            Some(ArgSpec::Buffer(contents)) => {
                let (arg, path) = (arg, path.clone());
                changed |= self.clear(&contents, |search, contents| {
                    search.accepts_at(arg, &path, ArgSpec::Buffer(Box::new(contents)))
                });
            }
            _ => {}
        }
        changed
    }

    fn accepts_at(&mut self, arg: usize, path: &[usize], spec: ArgSpec) -> bool {
        let mut candidate = self.input.clone();
        let Some(place) = at_path(&mut candidate.args[arg], path) else { return false };
        *place = spec;
        let drive = Drive::of(&self.shown.violation);
        self.accepts(candidate, &drive)
    }

    /// Bisects for the failing integer nearest to 0, assuming that all integers beyond it fail too.
    fn bisect(&mut self, (arg, path): (usize, &[usize]), width: u32, value: i128) -> bool {
        if rank(width, value).0 < 2 {
            return false;
        }
        let (mut passing, mut failing, mut changed) = (SMALL, value.unsigned_abs(), false);
        while passing + 1 < failing && !self.exhausted() {
            let middle = passing + (failing - passing) / 2;
            let signed = if value < 0 { (middle as i128).wrapping_neg() } else { middle as i128 };
            if self.accepts_at(arg, path, ArgSpec::Int(signed)) {
                (failing, changed) = (middle, true);
            } else {
                passing = middle;
            }
        }
        changed
    }

    fn shrink_block(&mut self, block: impl Fn(&mut Input) -> Option<&mut BlockSpec>) -> bool {
        let mut input = self.input.clone();
        let Some(spec) = block(&mut input).cloned() else { return false };
        let put = |search: &mut Self, spec: BlockSpec| {
            let mut candidate = search.input.clone();
            let Some(place) = block(&mut candidate) else { return false };
            *place = spec;
            let drive = Drive::of(&search.shown.violation);
            search.accepts(candidate, &drive)
        };
        let (mut spec, mut changed) = (spec, false);
        for len in shorter(spec.contents.len()) {
            let mut cut = spec.clone();
            cut.contents = spec.contents.slice(0, len);
            cut.pointers.retain(|p| p.at + usize::from(p.count) <= len);
            if put(self, cut.clone()) {
                (spec, changed) = (cut, true);
                break;
            }
        }
        let rest = spec.clone();
        changed
            | self
                .clear(&spec.contents, |search, contents| put(search, BlockSpec { contents, ..rest.clone() }))
    }

    /// Zeroes parts of the contents, large parts first.
    fn clear(&mut self, contents: &Contents, mut put: impl FnMut(&mut Self, Contents) -> bool) -> bool {
        let (mut best, mut changed) = (contents.clone(), false);
        let mut size = best.len();
        while size > 0 && !self.exhausted() {
            for at in (0..best.len()).step_by(size) {
                let len = size.min(best.len() - at);
                if best.slice(at, len) == Contents::zeroed(len) {
                    continue;
                }
                let mut cleared = best.clone();
                (at..at + len).for_each(|i| cleared.set_bits(i, (0, 0, 0)));
                if put(self, cleared.clone()) {
                    (best, changed) = (cleared, true);
                }
            }
            size /= 2;
        }
        changed
    }
}

/// The part of an argument at `path`.
fn at_path<'a>(spec: &'a mut ArgSpec, path: &[usize]) -> Option<&'a mut ArgSpec> {
    path.iter().try_fold(spec, |spec, i| match spec {
        ArgSpec::Members(members) => members.get_mut(*i),
        _ => None,
    })
}

/// Simplicity of an integer, smaller is simpler: small, round, other; then by distance from 0; positive ones first.
fn rank(width: u32, value: i128) -> (u8, u128, bool) {
    let size = value.unsigned_abs();
    let bits = value as u128 & mask(width);
    let round = |n: u128| n.is_power_of_two() || (n + 1).is_power_of_two() || (n - 1).is_power_of_two();
    let class = if size <= SMALL {
        0
    } else {
        2 - u8::from(round(size) || bits > 1 && bits < u128::MAX && round(bits))
    };
    (class, size, value < 0)
}

/// Small and round integers of that width, simplest first.
fn simple_integers(width: u32) -> Vec<i128> {
    let mut values: Vec<i128> = Vec::new();
    for near in 0..=SMALL as i128 {
        values.extend([near, -near]);
    }
    for k in 5..width.min(126) {
        let power = 1i128 << k;
        values.extend([power, power - 1, power + 1, -power, 1 - power, -power - 1]);
    }
    let ArgSpec::Int(_) = integer(width, 0) else { return vec![0, 1] };
    let sign = 1i128 << (width.clamp(1, 126) - 1);
    // At width 1 the only values are 0 and -1.
    values.retain(|v| (-sign..sign).contains(v));
    values.sort_by_key(|v| rank(width, *v));
    values.dedup();
    values
}

/// Arguments simpler than `spec`, simplest first.
fn simpler(spec: &ArgSpec, ty: Type) -> Vec<ArgSpec> {
    match ty.kind() {
        TypeKind::Int(width) => {
            let list = simple_integers(width).into_iter();
            match spec {
                ArgSpec::Int(value) => {
                    let own = rank(width, *value);
                    list.take_while(|v| rank(width, *v) < own).map(ArgSpec::Int).collect()
                }
                ArgSpec::Bits(bits) => match integer(width, *bits) {
                    own @ ArgSpec::Int(_) => simpler(&own, ty).into_iter().chain([own]).collect(),
                    _ => list.map(ArgSpec::Int).collect(),
                },
                // To see whether only poison fails, a few ordinary values suffice.
                _ => list.take(24).map(ArgSpec::Int).collect(),
            }
        }
        TypeKind::Float(kind) => {
            let list = [1, 0, 2, 3, 7].map(|nth| ArgSpec::Bits(float_bits(kind.bits(), nth)));
            let own = list.iter().position(|s| s == spec).unwrap_or(list.len());
            list[..own].to_vec()
        }
        TypeKind::Ptr(_) => simpler_pointers(spec),
        _ => Vec::new(),
    }
}

fn simpler_pointers(spec: &ArgSpec) -> Vec<ArgSpec> {
    let zeros = |len: usize| ArgSpec::Buffer(Box::new(Contents::zeroed(len)));
    let mut list = vec![ArgSpec::Null];
    match spec {
        ArgSpec::Null => return Vec::new(),
        ArgSpec::Buffer(contents) => {
            let cut = |len| ArgSpec::Buffer(Box::new(contents.slice(0, len)));
            list.extend(shorter(contents.len()).into_iter().map(cut));
        }
        ArgSpec::Inside { contents, offset } => {
            list.push(ArgSpec::Buffer(contents.clone()));
            let rest = usize::try_from(*offset).ok().filter(|at| *at <= contents.len());
            list.extend(rest.map(|at| ArgSpec::Buffer(Box::new(contents.slice(at, contents.len() - at)))));
        }
        ArgSpec::Alias { arg, offset } if *offset != 0 => {
            list.push(ArgSpec::Alias { arg: *arg, offset: 0 });
        }
        ArgSpec::Block { block, offset } if *offset != 0 => {
            list.push(ArgSpec::Block { block: *block, offset: 0 });
        }
        ArgSpec::Global { name, offset } if *offset != 0 => {
            list.push(ArgSpec::Global { name: name.clone(), offset: 0 });
        }
        ArgSpec::Poison | ArgSpec::Undef | ArgSpec::Partial { .. } => {
            list.extend([zeros(8), zeros(64)]);
        }
        _ => {}
    }
    list
}

/// Lengths below `len`, shortest first: the first few, and powers of two and their multiples by 1.5.
fn shorter(len: usize) -> Vec<usize> {
    let powers = (3..usize::BITS - 1).flat_map(|k| [1 << k, 3 << (k - 1)]);
    let mut lengths: Vec<usize> =
        (0..=8).chain(powers.take_while(|l| *l < len)).filter(|l| *l < len).collect();
    lengths.sort_unstable();
    lengths.dedup();
    lengths
}

#[cfg(test)]
mod tests {
    use super::{rank, shorter, simple_integers};

    #[test]
    fn zero_comes_first_then_small_then_round() {
        for width in [1, 4, 8, 32, 64] {
            let list = simple_integers(width);
            assert_eq!(list.first(), Some(&0), "{width}");
            assert!(list.windows(2).all(|w| rank(width, w[0]) < rank(width, w[1])), "{width}: {list:?}");
            let low = -(1i128 << (width - 1));
            assert!(list.iter().all(|v| (low..-low).contains(v)), "{width}: {list:?}");
        }
        let ranks = [0, 1, -1, 16, 17, 32, 255, -256, 65537, 1 << 20, 18, 1_000_000].map(|v| rank(32, v).0);
        assert_eq!(ranks, [0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2]);
        // The minimum and the maximum count as round, whatever their sign.
        assert_eq!([i128::from(i32::MIN), i128::from(i32::MAX)].map(|v| rank(32, v).0), [1, 1]);
    }

    #[test]
    fn lengths_are_those_below() {
        assert_eq!(shorter(0), [] as [usize; 0]);
        assert_eq!(shorter(10), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(shorter(64).last(), Some(&48));
    }
}
