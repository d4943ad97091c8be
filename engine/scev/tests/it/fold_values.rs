//! Folding against evaluation in big integers: a folded expression has the value of the original operations wherever
//! these are defined; and all flags learned during folding hold whenever the given flags do.

use crate::common::bodies::Text;
use crate::common::definition::Evaluator;
use crate::common::trees::{Palette, Tree, function};
use backedge_scev::ScalarEvolution;
use backedge_testkit::Dice;

/// Pairs of a narrow and a wide type.
const WIDTHS: [(u32, u32); 12] =
    [(1, 2), (1, 8), (2, 3), (2, 5), (3, 4), (3, 7), (4, 6), (4, 8), (8, 16), (16, 32), (32, 64), (64, 128)];

/// The number of trees per pair of widths; `BACKEDGE_FOLD_TREES` overrides it.
fn trees_per_width() -> u64 {
    std::env::var("BACKEDGE_FOLD_TREES").ok().and_then(|n| n.parse().ok()).unwrap_or(250)
}

/// Compares the values in random worlds. Returns the number of comparisons.
fn check(scev: &mut ScalarEvolution<'_>, palette: &Palette, tree: &Tree, rng: &mut Dice, seed: u64) -> u64 {
    let mut given = Vec::new();
    let folded = tree.build(scev, &mut given);
    let mut compared = 0;
    let mut cache = Vec::new();
    for round in 0..24 {
        let world = palette.world(scev, rng, round % 3 == 2);
        let moments = world.moments();
        let holds = |moment| {
            let mut evaluator = Evaluator::new(scev, &world, moment);
            given.iter().all(|g| g.holds(&mut evaluator))
        };
        if !moments.iter().all(holds) {
            continue;
        }
        cache.clear();
        cache.extend(moments);
        for moment in &cache {
            let mut evaluator = Evaluator::new(scev, &world, moment);
            if let Some(expected) = tree.is_in_scope(&world).then(|| tree.value(&world, moment)).flatten() {
                let found = evaluator.value(folded);
                assert_eq!(
                    found.as_ref(),
                    Some(&expected),
                    "seed {seed}: {}\nfrom {tree:?}\nin {world:?} at {moment:?}",
                    scev.text(folded)
                );
                compared += 1;
            }
            if let Some((expr, flags, scope)) = evaluator.false_fact() {
                panic!(
                    "seed {seed}: {flags} of {} in {scope:?} is false\nfrom {tree:?}\nin {world:?} at {moment:?}",
                    scev.text(expr)
                );
            }
        }
    }
    compared
}

fn check_widths(narrow: u32, wide: u32) -> u64 {
    let text = Text::new(&function(narrow, wide));
    let mut compared = 0;
    for seed in 0..trees_per_width() {
        let mut rng = Dice::new(seed << 16 | u64::from(narrow << 8 | wide));
        compared += text.with(|scev| {
            let mut palette = Palette::new(scev, narrow, wide);
            palette.flagged = if seed % 3 == 0 { 0 } else { 3 };
            let width = if seed % 2 == 0 { wide } else { narrow };
            let depth = 2 + (seed % 4) as u32;
            let tree = palette.tree(scev, &mut rng, width, depth, None);
            check(scev, &palette, &tree, &mut rng, seed)
        });
    }
    println!("i{narrow} i{wide}: {compared} values compared");
    compared
}

#[test]
fn folded_trees_have_their_values_and_facts_hold() {
    for (narrow, wide) in WIDTHS {
        assert!(check_widths(narrow, wide) > 1000, "i{narrow} i{wide}: hardly anything was compared");
    }
}
