//! Cache misses of a matrix product before and after passes that change the order of its loops. The number of accesses
//! stays the same. The accesses are those of interpreter runs, and the cache is a small model.

mod cache;

use crate::files::parse;
use crate::table::{right, row};
use anyhow::{Result, anyhow, ensure};
use backedge_interp::input::{ArgSpec, Input};
use backedge_interp::memory::Contents;
use backedge_interp::refine::{Budget, Refinement, Side, refine};
use backedge_interp::{Config, Machine, Program};
use backedge_ir::module::Module;
use backedge_pipeline::parse_pipeline;
use backedge_pipeline::run::{Nobody, Options, run as run_pipeline};
use cache::{Counts, misses};
use comfy_table::Table;

/// Count the cache lines that a matrix product loads, before and after passes on its loop nest
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Exit codes: 0 no pass makes it worse; 1 one does; 2 the product is no longer the same."
)]
pub(crate) struct Args {}

/// Rows and columns of each matrix; one matrix is twice as large as the cache.
const SIZE: usize = 32;

const ORDERS: [[char; 3]; 6] =
    [['i', 'j', 'k'], ['i', 'k', 'j'], ['j', 'i', 'k'], ['j', 'k', 'i'], ['k', 'i', 'j'], ['k', 'j', 'i']];
const PASSES: [&str; 3] = ["hir-interchange", "hir-tile<8>", "hir-interchange,hir-tile<8>"];

/// Prints the table; returns whether no pass increases the misses.
pub(crate) fn run(_: &Args) -> Result<bool> {
    let mut table = Table::new();
    table.set_header(["loops", "accesses", "misses"].into_iter().chain(PASSES));
    let mut holds = true;
    for order in ORDERS {
        let before = misses(&product(order)?, &input())?;
        let numbers = [before.accesses, before.misses].map(|n| n as usize);
        let mut cells = row(&order.iter().collect::<String>(), numbers);
        for passes in PASSES {
            let after = after_passes(order, passes)?;
            holds &= after.misses <= before.misses && after.accesses == before.accesses;
            cells.push(right(after.misses));
        }
        table.add_row(cells);
    }
    println!(
        "{table}\n{SIZE} × {SIZE} elements of 4 bytes; misses in a cache of 2 KiB, before and after passes"
    );
    Ok(holds)
}

/// `c[i][j] += a[i][k] * b[k][j]`, in loops over the given variables, the outermost first.
fn product(order: [char; 3]) -> Result<Module> {
    let [x, y, z] = order;
    let text = format!(
        "define void @f(ptr noalias %c, ptr noalias %a, ptr noalias %b) {{\nentry:\n  br label %hx\nhx:\n  \
         %{x} = phi i64 [ 0, %entry ], [ %{x}.next, %lx ]\n  br label %hy\nhy:\n  \
         %{y} = phi i64 [ 0, %hx ], [ %{y}.next, %ly ]\n  br label %hz\nhz:\n  \
         %{z} = phi i64 [ 0, %hy ], [ %{z}.next, %hz ]\n  \
         %at.a = getelementptr inbounds [{SIZE} x i32], ptr %a, i64 %i, i64 %k\n  \
         %at.b = getelementptr inbounds [{SIZE} x i32], ptr %b, i64 %k, i64 %j\n  \
         %at.c = getelementptr inbounds [{SIZE} x i32], ptr %c, i64 %i, i64 %j\n  \
         %l = load i32, ptr %at.a, align 4\n  %r = load i32, ptr %at.b, align 4\n  %t = mul i32 %l, %r\n  \
         %s = load i32, ptr %at.c, align 4\n  %u = add i32 %s, %t\n  store i32 %u, ptr %at.c, align 4\n  \
         %{z}.next = add nuw nsw i64 %{z}, 1\n  %mz = icmp ult i64 %{z}.next, {SIZE}\n  \
         br i1 %mz, label %hz, label %ly\nly:\n  \
         %{y}.next = add nuw nsw i64 %{y}, 1\n  %my = icmp ult i64 %{y}.next, {SIZE}\n  \
         br i1 %my, label %hy, label %lx\nlx:\n  \
         %{x}.next = add nuw nsw i64 %{x}, 1\n  %mx = icmp ult i64 %{x}.next, {SIZE}\n  \
         br i1 %mx, label %hx, label %exit\nexit:\n  ret void\n}}\n"
    );
    parse(text.as_bytes())
}

fn input() -> Input {
    let matrix = |by: usize| {
        let bytes: Vec<u8> = (0..SIZE * SIZE * 4).map(|at| (at * by % 251) as u8).collect();
        ArgSpec::Buffer(Box::new(Contents::from_bytes(bytes)))
    };
    Input::new(vec![matrix(0), matrix(7), matrix(13)])
}

/// The accesses of the product after passes; fails if its result differs.
fn after_passes(order: [char; 3], passes: &str) -> Result<Counts> {
    let source = product(order)?;
    let mut target = source.clone();
    let pipeline = parse_pipeline(passes).map_err(|e| anyhow!("{e}"))?;
    run_pipeline(&mut target, &pipeline, Options::default(), &mut Nobody).map_err(|e| anyhow!("{e}"))?;
    ensure!(is_refined([&source, &target]), "{passes} changes what the product is in the order {order:?}");
    misses(&target, &input())
}

/// Whether `target` refines `source` on the input.
fn is_refined([source, target]: [&Module; 2]) -> bool {
    let Some(func) = source.env.func_named("f") else { return false };
    let config = Config { fuel: 5_000_000, max_bytes: 1 << 20, ..Config::default() };
    let programs = [source, target].map(|module| Program::new(module, &config));
    let [mut before, mut after] = programs.each_ref().map(|program| Machine::new(program, config.clone()));
    let [mut before, mut after] = [Side { machine: &mut before, func }, Side { machine: &mut after, func }];
    let budget = Budget { target_runs: 1, source_runs: 1 };
    let result = refine(&mut before, &mut after, &input(), budget);
    matches!(result, Ok(Refinement::Refines { source_ub: false, .. }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn before(order: [char; 3]) -> Counts {
        misses(&product(order).expect("a module"), &input()).expect("a run")
    }

    #[test]
    fn interchange_goes_through_rows() {
        for order in [['i', 'j', 'k'], ['j', 'k', 'i'], ['k', 'j', 'i']] {
            let (before, after) = (before(order), after_passes(order, "hir-interchange").expect("a run"));
            assert_eq!(before.accesses, after.accesses);
            assert!(after.misses * 2 < before.misses, "{order:?}: {before:?}, {after:?}");
        }
        // All orders reach the best one.
        let best = before(['i', 'k', 'j']).misses;
        let after = after_passes(['j', 'k', 'i'], "hir-interchange").expect("a run");
        assert!(after.misses <= best + best / 10, "{after:?}, {best}");
    }

    #[test]
    fn tiles_stay_in_the_cache() {
        for order in [['i', 'j', 'k'], ['i', 'k', 'j']] {
            let (before, after) = (before(order), after_passes(order, "hir-tile<8>").expect("a run"));
            assert_eq!(before.accesses, after.accesses);
            assert!(after.misses * 5 < before.misses * 4, "{order:?}: {before:?}, {after:?}");
        }
    }
}
