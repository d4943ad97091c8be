//! Laws of folding and of the expander on shrinkable expressions: a folded expression has the value of the original
//! operations, does not depend on their order, and equals the result of its expanded code. Earlier failures are stored
//! next to this file and run first.

use crate::common::bodies::Text;
use crate::common::eval::{Point, evaluate};
use crate::common::expanded::{Expansion, hold_against};
use backedge_ir::entity::Inst;
use backedge_ir::inst::Value;
use backedge_ir::int::Int;
use backedge_scev::expand::{Divisions, MinMax, Options, plan};
use backedge_scev::{Expr, NAry, ScalarEvolution};
use backedge_testkit::generate::random_loop;
use proptest::prelude::*;

/// An operation before folding. Leaves are arguments by index.
#[derive(Clone, Debug)]
enum Tree {
    Int(i8),
    Leaf(u8),
    NAry(NAry, Vec<Tree>),
    Sub(Box<[Tree; 2]>),
    UDiv(Box<[Tree; 2]>),
    URem(Box<[Tree; 2]>),
    Not(Box<Tree>),
    /// Truncated to four bits and extended again, as signed or unsigned.
    Narrowed(bool, Box<Tree>),
}

const N_ARY: [NAry; 7] =
    [NAry::Add, NAry::Mul, NAry::UMin, NAry::UMax, NAry::SMin, NAry::SMax, NAry::UMinSeq];

fn tree() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![(0u8..3).prop_map(Tree::Leaf), any::<i8>().prop_map(Tree::Int)];
    leaf.prop_recursive(4, 24, 3, |inner| {
        let two = prop::array::uniform2(inner.clone());
        prop_oneof![
            4 => (prop::sample::select(&N_ARY[..]), prop::collection::vec(inner.clone(), 2..4))
                .prop_map(|(op, operands)| Tree::NAry(op, operands)),
            2 => two.clone().prop_map(|of| Tree::Sub(of.into())),
            1 => two.clone().prop_map(|of| Tree::UDiv(of.into())),
            1 => two.prop_map(|of| Tree::URem(of.into())),
            1 => inner.clone().prop_map(|of| Tree::Not(of.into())),
            1 => (any::<bool>(), inner).prop_map(|(signed, of)| Tree::Narrowed(signed, of.into())),
        ]
    })
}

impl Tree {
    /// The folded expression. If `backwards`, operands of sums, products and the like are passed last to first.
    fn build(&self, se: &mut ScalarEvolution<'_>, leaves: &[Expr], backwards: bool) -> Expr {
        let both = |se: &mut ScalarEvolution<'_>, of: &[Self; 2]| {
            [of[0].build(se, leaves, backwards), of[1].build(se, leaves, backwards)]
        };
        match self {
            Self::Int(value) => se.int(8, (*value).into()),
            Self::Leaf(index) => leaves[usize::from(*index) % leaves.len()],
            Self::NAry(op, operands) => {
                let mut built: Vec<Expr> = operands.iter().map(|o| o.build(se, leaves, backwards)).collect();
                if backwards && *op != NAry::UMinSeq {
                    built.reverse();
                }
                match op {
                    NAry::Add => se.add(&built),
                    NAry::Mul => se.mul(&built),
                    op => se.min_max(*op, &built),
                }
            }
            Self::Sub(of) => {
                let [a, b] = both(se, of);
                se.sub(a, b)
            }
            Self::UDiv(of) => {
                let [a, b] = both(se, of);
                se.udiv(a, b)
            }
            Self::URem(of) => {
                let [a, b] = both(se, of);
                se.urem(a, b)
            }
            Self::Not(of) => {
                let of = of.build(se, leaves, backwards);
                se.not(of)
            }
            Self::Narrowed(signed, of) => {
                let of = of.build(se, leaves, backwards);
                let narrow = se.trunc_or_zext(of, 4);
                if *signed { se.trunc_or_sext(narrow, 8) } else { se.trunc_or_zext(narrow, 8) }
            }
        }
    }
    /// The value by definition; `None` if a relevant operand divides by zero.
    fn value(&self, leaves: [Int; 3]) -> Option<Int> {
        let both = |of: &[Self; 2]| Some((of[0].value(leaves)?, of[1].value(leaves)?));
        match self {
            Self::Int(value) => Some(Int::from_i128(8, (*value).into())),
            Self::Leaf(index) => Some(leaves[usize::from(*index)]),
            Self::NAry(NAry::UMinSeq, operands) => {
                let mut least = Int::all_ones(8);
                for operand in operands {
                    least = least.umin(operand.value(leaves)?);
                    if least.is_zero() {
                        break;
                    }
                }
                Some(least)
            }
            Self::NAry(op, operands) => {
                let values: Option<Vec<Int>> = operands.iter().map(|o| o.value(leaves)).collect();
                values?.into_iter().reduce(|a, b| match op {
                    NAry::Add => a.add(b),
                    NAry::Mul => a.mul(b),
                    NAry::UMin | NAry::UMinSeq => a.umin(b),
                    NAry::UMax => a.umax(b),
                    NAry::SMin => a.smin(b),
                    NAry::SMax => a.smax(b),
                })
            }
            Self::Sub(of) => both(of).map(|(a, b)| a.sub(b)),
            Self::UDiv(of) => both(of).and_then(|(a, b)| a.udiv(b)),
            Self::URem(of) => both(of).and_then(|(a, b)| a.urem(b)),
            Self::Not(of) => of.value(leaves).map(Int::not),
            Self::Narrowed(signed, of) => {
                let narrow = of.value(leaves)?.trunc(4);
                Some(if *signed { narrow.sext(8) } else { narrow.zext(8) })
            }
        }
    }
}

const STRAIGHT: &str = "define void @f(i8 %a, i8 %b, i8 %c) {\n  ret void\n}\n";

fn options() -> impl Strategy<Value = Options> {
    (any::<[bool; 5]>()).prop_map(|[freeze, certain, compare, reuse, hoist]| Options {
        freeze,
        divisions: if certain { Divisions::Certain } else { Divisions::Guarded },
        min_max: if compare { MinMax::Compare } else { MinMax::Intrinsic },
        reuse,
        hoist,
        ..Options::default()
    })
}

proptest! {
    #![proptest_config(backedge_testkit::kept(2000))]

    #[test]
    fn folding_keeps_values_and_forgets_order(tree in tree(), points in prop::collection::vec(any::<[u8; 3]>(), 8)) {
        Text::new(STRAIGHT).with(|se| {
            let args: Vec<Value> = se.body().args().map(Value::Arg).collect();
            let leaves: Vec<Expr> = args.iter().map(|v| se.unknown(*v)).collect();
            let folded = tree.build(se, &leaves, false);
            let backwards = tree.build(se, &leaves, true);
            prop_assert_eq!(folded, backwards, "{} or {}", se.text(folded), se.text(backwards));
            let corners = [[0; 3], [255; 3], [128; 3], [127, 128, 1], [1, 0, 255]];
            for point in points.into_iter().chain(corners) {
                let ints = point.map(|v| Int::new(8, v.into()));
                let Some(expected) = tree.value(ints) else { continue };
                let bits = |v: Value| args.iter().position(|a| *a == v).map(|at| ints[at].bits());
                let found = evaluate(se, folded, &Point { value: &bits, iteration: &|_| 0 });
                prop_assert_eq!(found, Some(expected.bits()), "{} at {:?}", se.text(folded), point);
            }
            Ok(())
        })?;
    }
}

proptest! {
    #![proptest_config(backedge_testkit::kept(200))]

    #[test]
    fn code_computes_its_expression(function in 0u64..40, place in any::<prop::sample::Index>(), tree in tree(), options in options()) {
        let mut source = random_loop(function);
        for op in ["umin", "umax", "smin", "smax"] {
            for width in [4, 8] {
                let name = format!("@llvm.{op}.i{width}(");
                if !source.contains(&name) {
                    source += &format!("declare i{width} {name}i{width}, i{width})\n");
                }
            }
        }
        let text = Text::new(&source);
        text.with(|se| {
            se.settle();
            let body = se.body();
            let places: Vec<Inst> = se.cfg().rpo().iter().flat_map(|b| body.insts(*b)).copied()
                .filter(|i| !body.inst(*i).kind.is_phi()).collect();
            let at = *place.get(&places);
            let args: Vec<Value> = body.args().map(Value::Arg).filter(|v| body.ty(*v).is_int()).collect();
            // Include values of the loop where they are available.
            let block = body.block_of(at).expect("it is in a block");
            let phis = body.phis(block).filter(|p| body.inst(*p).ty.is_int()).map(Value::Inst);
            let values: Vec<Value> = args.into_iter().chain(phis).collect();
            let mut leaves: Vec<Expr> = Vec::new();
            for value in values {
                let Some(expr) = se.expr(value) else { continue };
                leaves.push(se.trunc_or_zext(expr, 8));
            }
            if leaves.is_empty() {
                return;
            }
            let expr = tree.build(se, &leaves, false);
            if let Ok(plan) = plan(se, expr, at, options) {
                hold_against(&text, se, Expansion { expr, at, plan: &plan, frozen: options.freeze }, 12, 4);
            }
        });
    }
}
