//! Throughput in generated loops per second on one core: generation, passes, and 16 runs before and after the passes.

use backedge_fuzz::generate::Generated;
use backedge_fuzz::targets::Target;
use divan::counter::ItemsCount;

/// Programs per measurement: enough that single programs do not matter.
const SEEDS: u64 = 500;

fn main() {
    divan::main();
}

/// Loops in the measured programs.
fn loops() -> usize {
    (0..SEEDS).map(|seed| Generated::from_seed(seed).loops).sum()
}

#[divan::bench]
fn generate(bencher: divan::Bencher<'_, '_>) {
    bencher.counter(ItemsCount::new(loops())).bench(|| {
        (0..SEEDS).for_each(|seed| _ = divan::black_box(Generated::from_seed(seed)));
    });
}

#[divan::bench(args = [Target::Canonicalize, Target::UnrollMultiExit])]
fn target(bencher: divan::Bencher<'_, '_>, target: Target) {
    bencher.counter(ItemsCount::new(loops())).bench(|| {
        (0..SEEDS).for_each(|seed| _ = divan::black_box(target.check_seed(seed)));
    });
}
