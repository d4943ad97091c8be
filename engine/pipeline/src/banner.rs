//! Headings for functions printed around a pass, in the words of LLVM's `-print-after-all` and `-print-changed`: passes
//! by the names of LLVM's classes, loops by their headers.

/// The names of LLVM's pass classes by pass name.
const CLASSES: &[(&str, &str)] = &[
    ("dce", "DCEPass"),
    ("early-cse", "EarlyCSEPass"),
    ("indvars", "IndVarSimplifyPass"),
    ("instsimplify", "InstSimplifyPass"),
    ("lcssa", "LCSSAPass"),
    ("licm", "LICMPass"),
    ("lnicm", "LNICMPass"),
    ("loop-deletion", "LoopDeletionPass"),
    ("loop-idiom", "LoopIdiomRecognizePass"),
    ("loop-instsimplify", "LoopInstSimplifyPass"),
    ("loop-rotate", "LoopRotatePass"),
    ("loop-simplify", "LoopSimplifyPass"),
    ("loop-simplifycfg", "LoopSimplifyCFGPass"),
    ("loop-unroll", "LoopUnrollPass"),
    ("loop-unroll-full", "LoopFullUnrollPass"),
    ("loop-vectorize", "LoopVectorizePass"),
    ("no-op-function", "NoOpFunctionPass"),
    ("no-op-loop", "NoOpLoopPass"),
    ("print-mustexecute", "MustExecutePrinterPass"),
    ("print<domtree>", "DominatorTreePrinterPass"),
    ("print<loops>", "LoopPrinterPass"),
    ("print<scalar-evolution>", "ScalarEvolutionPrinterPass"),
    ("simple-loop-unswitch", "SimpleLoopUnswitchPass"),
    ("simplifycfg", "SimplifyCFGPass"),
];

/// The class of the pass spelled `pass` in a pipeline; passes that LLVM lacks keep their names.
fn class(pass: &str) -> &str {
    let bare = pass.split('<').next().unwrap_or(pass);
    let known = CLASSES.iter().find(|(name, _)| *name == pass || *name == bare);
    known.map_or(pass, |(_, class)| class)
}

/// The pass and the unit it runs on: `LoopRotatePass on loop %loop in function f`.
pub(crate) fn subject(pass: &str, function: &str, header: Option<&str>) -> String {
    let class = class(pass);
    match header {
        Some(header) => format!("{class} on loop %{header} in function {function}"),
        None => format!("{class} on {function}"),
    }
}

#[cfg(test)]
mod tests {
    use super::subject;

    #[test]
    fn passes_and_loops_in_llvms_words() {
        assert_eq!(subject("lcssa", "f", None), "LCSSAPass on f");
        let rotate = "loop-rotate<max-header-size=3>";
        assert_eq!(subject(rotate, "f", Some("loop")), "LoopRotatePass on loop %loop in function f");
        assert_eq!(subject("print<loops>", "f", None), "LoopPrinterPass on f");
        assert_eq!(subject("bound-restriction", "f", None), "bound-restriction on f");
    }
}
