//! Prints a set of assertions as SMT-LIB 2 text, for readers or for any solver. A term that is used more than once gets
//! a name of its own, so the length of the text is linear in the number of terms.

use std::fmt::Write;

use rustc_hash::FxHashMap;

use super::{Op, Sort, Term, Terms, Variable};

impl Terms {
    /// A script that declares the variables, asserts each of `assertions`, and checks satisfiability.
    pub fn to_smtlib(&self, assertions: &[Term]) -> String {
        let mut text = String::from("(set-logic ALL)\n");
        let mut names: FxHashMap<Term, String> = FxHashMap::default();
        for term in self.cone(assertions) {
            let name = match self.op(term) {
                Op::Var(variable) => {
                    let name = self.symbol(variable);
                    text.push_str(&format!("(declare-const {name} {})\n", sort_text(self.sort(term))));
                    name
                }
                Op::Bool(value) => value.to_string(),
                Op::Bits(constant) => self.bits(constant).to_string(),
                _ => {
                    let (name, sort) = (format!("t{}", term.0), sort_text(self.sort(term)));
                    let body = self.application(term, &names);
                    text.push_str(&format!("(define-fun {name} () {sort} {body})\n"));
                    name
                }
            };
            names.insert(term, name);
        }
        for assertion in assertions {
            text.push_str(&format!("(assert {})\n", names[assertion]));
        }
        text.push_str("(check-sat)\n");
        text
    }

    /// The variable's name, quoted, and made unique by its number. Characters that are not allowed between bars are
    /// replaced.
    fn symbol(&self, variable: Variable) -> String {
        let plain = |c: char| if c.is_ascii_graphic() && c != '|' && c != '\\' { c } else { '_' };
        let name: String = self.name(variable).chars().map(plain).collect();
        format!("|{name}!{}|", variable.0)
    }

    fn application(&self, term: Term, names: &FxHashMap<Term, String>) -> String {
        let args = self.args(term);
        let head = match self.op(term) {
            Op::Bool(_) | Op::Bits(_) | Op::Var(_) => unreachable!("has a name of its own"),
            Op::UMulOverflows => "bvumulo".to_owned(),
            Op::SMulOverflows => "bvsmulo".to_owned(),
            Op::Extract { high, low } => format!("(_ extract {high} {low})"),
            Op::ZExt(width) => format!("(_ zero_extend {})", width - self.width(args[0])),
            Op::SExt(width) => format!("(_ sign_extend {})", width - self.width(args[0])),
            Op::ConstArray(_) => format!("(as const {})", sort_text(self.sort(term))),
            op => plain_name(op).to_owned(),
        };
        let mut text = format!("({head}");
        for arg in args {
            write!(text, " {}", names[arg]).expect("writing to a string");
        }
        text.push(')');
        text
    }
}

fn sort_text(sort: Sort) -> String {
    match sort {
        Sort::Bool => "Bool".to_owned(),
        Sort::BitVec(width) => format!("(_ BitVec {width})"),
        Sort::Array { index, element } => format!("(Array (_ BitVec {index}) (_ BitVec {element}))"),
    }
}

/// SMT-LIB's name of an operation without indices.
fn plain_name(op: Op) -> &'static str {
    match op {
        Op::Not => "not",
        Op::And => "and",
        Op::Or => "or",
        Op::Xor => "xor",
        Op::Eq => "=",
        Op::Ite => "ite",
        Op::BvNot => "bvnot",
        Op::BvNeg => "bvneg",
        Op::Add => "bvadd",
        Op::Mul => "bvmul",
        Op::UDiv => "bvudiv",
        Op::URem => "bvurem",
        Op::SDiv => "bvsdiv",
        Op::SRem => "bvsrem",
        Op::BvAnd => "bvand",
        Op::BvOr => "bvor",
        Op::BvXor => "bvxor",
        Op::Shl => "bvshl",
        Op::LShr => "bvlshr",
        Op::AShr => "bvashr",
        Op::Ult => "bvult",
        Op::Slt => "bvslt",
        Op::Concat => "concat",
        Op::Select => "select",
        Op::Store => "store",
        Op::Bool(_) | Op::Bits(_) | Op::Var(_) | Op::UMulOverflows | Op::SMulOverflows => "?",
        Op::Extract { .. } | Op::ZExt(_) | Op::SExt(_) | Op::ConstArray(_) => "?",
    }
}
