//! Pipeline texts: their meaning, compared with `opt`, and their errors with positions.

use backedge_pipeline::analyses::ANALYSES;
use backedge_pipeline::llvm::ONLY_IN_LLVM;
use backedge_pipeline::registry::PASSES;
use backedge_pipeline::{listing, parse_pipeline};
use backedge_testkit::peer;
use std::collections::BTreeSet;

/// Texts, and their meaning with all adaptors spelled out.
const GOOD: &[(&str, &str)] = &[
    ("", ""),
    ("loop-simplify,lcssa,loop-rotate", "function(loop-simplify,lcssa,loop(loop-rotate))"),
    (
        "module(function(loop-simplify,lcssa,loop(loop-rotate)))",
        "function(loop-simplify,lcssa,loop(loop-rotate))",
    ),
    ("loop-rotate", "function(loop(loop-rotate))"),
    ("module(loop-rotate)", "function(loop(loop-rotate))"),
    ("function(loop-rotate)", "function(loop(loop-rotate))"),
    ("loop(loop-rotate)", "function(loop(loop-rotate))"),
    ("loop-mssa(loop-rotate)", "function(loop-mssa(loop-rotate))"),
    ("loop-rotate<header-duplication>", "function(loop(loop-rotate))"),
    ("loop-rotate<no-header-duplication>", "function(loop(loop-rotate<no-header-duplication>))"),
    (
        "loop-rotate<no-header-duplication;no-prepare-for-lto>",
        "function(loop(loop-rotate<no-header-duplication>))",
    ),
    ("loop-rotate<prepare-for-lto>", "function(loop(loop-rotate<prepare-for-lto>))"),
    ("loop-mssa(lnicm<no-allowspeculation>)", "function(loop-mssa(lnicm<no-allowspeculation>))"),
    (
        "loop-unroll<peeling;profile-peeling;runtime>",
        "function(loop-unroll<peeling;runtime;profile-peeling>)",
    ),
    ("loop-unroll<no-profile-peeling>", "function(loop-unroll<no-profile-peeling>)"),
    ("loop-simplify,function(lcssa)", "function(loop-simplify,lcssa)"),
    ("no-op-module,loop-rotate", "no-op-module,function(loop(loop-rotate))"),
    ("verify", "verify"),
    ("function(verify)", "function(verify)"),
    ("lcssa,verify", "function(lcssa,verify)"),
    ("print<loops>", "function(print<loops>)"),
    ("no-op-function", "function(no-op-function)"),
    ("loop(loop-rotate,no-op-loop)", "function(loop(loop-rotate,no-op-loop))"),
    ("function(loop-simplify),function(lcssa)", "function(loop-simplify),function(lcssa)"),
];

/// Repetitions, which are expanded.
const REPEATED: &[(&str, &str)] = &[
    ("repeat<2>(function(lcssa))", "function(lcssa),function(lcssa)"),
    ("function(repeat<2>(lcssa,dce))", "function(lcssa,dce,lcssa,dce)"),
    (
        "loop(repeat<3>(no-op-loop),loop-rotate)",
        "function(loop(no-op-loop,no-op-loop,no-op-loop,loop-rotate))",
    ),
    ("function(repeat<2>(repeat<2>(dce)))", "function(dce,dce,dce,dce)"),
];

/// Checks that `text` parses and has this meaning.
fn means(text: &str, meaning: &str) {
    let pipeline = parse_pipeline(text).unwrap_or_else(|e| panic!("{}", e.render(text)));
    assert_eq!(pipeline.to_string(), meaning, "{text}");
}

#[test]
fn repetitions() {
    for (text, meaning) in REPEATED {
        means(text, meaning);
    }
    let endless = "repeat<10000>(repeat<10000>(function(dce)))";
    let Err(error) = parse_pipeline(endless) else { panic!("{endless} is taken") };
    assert_eq!(error.to_string(), "the pipeline runs more than 10000 passes");
}

#[test]
fn good_texts() {
    for (text, meaning) in GOOD {
        means(text, meaning);
        let again = parse_pipeline(meaning).unwrap_or_else(|e| panic!("{}", e.render(meaning)));
        assert_eq!(again.to_string(), *meaning);
    }
}

#[test]
fn good_texts_as_opt_reads_them() {
    let Some(opt) = peer("opt", "pipeline texts as opt reads them") else { return };
    for (text, meaning) in GOOD {
        let passes = format!("-passes={text}");
        let answer = opt.run(&[&passes, "-print-pipeline-passes", "-disable-output"], b"");
        assert!(answer.ok(), "{text}: {}", answer.stderr);
        // opt appends a verifier, spells out defaults, and keeps the spelling of nested adaptors.
        let theirs = answer.stdout.trim().trim_end_matches("verify").trim_end_matches(',').to_owned();
        let theirs = theirs
            .replace("<header-duplication;no-prepare-for-lto>", "")
            .replace("no-header-duplication;no-prepare-for-lto", "no-header-duplication")
            .replace("header-duplication;prepare-for-lto", "prepare-for-lto")
            .replace(";O2>", ">");
        if *text != "verify" {
            assert_eq!(theirs, *meaning, "{text}");
        }
    }
}

/// Texts, the part that the error marks, and the message.
const BAD: &[(&str, &str, &str)] = &[
    ("loop-rotat", "loop-rotat", "unknown module pass 'loop-rotat'; did you mean 'loop-rotate'?"),
    (
        "lcssa,loop-symplify",
        "loop-symplify",
        "unknown function pass 'loop-symplify'; did you mean 'loop-simplify'?",
    ),
    ("loop-rotate,frobnicate", "frobnicate", "unknown loop pass 'frobnicate'"),
    ("print<loop>", "print", "unknown module pass 'print<loop>'; did you mean 'print<loops>'?"),
    (
        "loop-rotate,lcssa",
        "lcssa",
        "'lcssa' is a function pass and can't run in a loop pipeline; end that before it: 'loop(…),lcssa'",
    ),
    (
        "loop(verify)",
        "verify",
        "'verify' is a function pass and can't run in a loop pipeline; end that before it: 'loop(…),verify'",
    ),
    (
        "loop-rotate,loop-unroll<runtime>",
        "loop-unroll",
        "'loop-unroll<runtime>' is a function pass and can't run in a loop pipeline; end that before it: \
         'loop(…),loop-unroll<runtime>'",
    ),
    ("LICM", "LICM", "unknown module pass 'LICM'; did you mean 'licm'?"),
    ("Loop_Rotate", "Loop_Rotate", "unknown module pass 'Loop_Rotate'; did you mean 'loop-rotate'?"),
    ("unroll", "unroll", "unknown module pass 'unroll'; did you mean 'loop-unroll'?"),
    ("hir-fusion", "hir-fusion", "unknown module pass 'hir-fusion'; did you mean 'hir-fuse'?"),
    ("function(module(lcssa))", "module", "a module pipeline can't be nested in a function pipeline"),
    ("function(loop-simplify", "(", "this parenthesis is never closed"),
    ("lcssa)", ")", "this closing parenthesis has no opening one"),
    ("loop-simplify,,lcssa", ",", "expected the name of a pass here"),
    ("lcssa,", "", "expected the name of a pass here"),
    ("function()", ")", "expected the name of a pass here"),
    ("loop(loop-rotate)lcssa", "l", "expected ',' or the end after ')'"),
    (
        "loop-rotate<x",
        "<x",
        "these parameters are never closed: expected '>' before any ',' (';' separates parameters)",
    ),
    ("loop-rotate()", ")", "expected the name of a pass here"),
    ("lcssa(verify)", "lcssa", "'lcssa' is a pass, not a pipeline: it takes no parentheses"),
    ("function", "function", "'function' is a pipeline: write 'function(…)'"),
    ("lcssa<x>", "x", "'lcssa' has no parameter 'x'; it takes no parameters"),
    (
        "loop-rotate<no-header-duplication;foo>",
        "foo",
        "'loop-rotate' has no parameter 'foo'; it takes 'header-duplication' and 'prepare-for-lto', \
         each with 'no-' in front too, and 'max-header-size=N'",
    ),
    ("require<loop>", "require", "unknown module pass 'require<loop>'"),
    (
        "loop(require<domtree>)",
        "require",
        "'require<domtree>' is a function pass and can't run in a loop pipeline; end that before it: 'loop(…),require<domtree>'",
    ),
    ("verify<loop>", "loop", "'verify' has no parameter 'loop'; it takes no parameters"),
    (
        "function<lazy>(lcssa)",
        "lazy",
        "'function' has no parameter 'lazy'; it takes 'eager-inv' and 'no-rerun'",
    ),
    (
        "loop-unroll<;runtime>",
        "",
        "'loop-unroll' has no parameter ''; it takes 'O0' to 'O3', 'partial', 'peeling', 'profile-peeling', 'runtime', 'upperbound', 'full-unroll-max=N', 'count=N', 'threshold=N', 'rest=prologue', 'rest=epilogue', 'rest=required-epilogue', 'machine=NAME' and 'allow-expensive-trip-count', with 'no-' in front of what is a word",
    ),
    (
        "hir-tile<2;3>",
        "3",
        "'hir-tile' has no parameter '3'; it takes 'N', the iterations of each loop in a tile, and 'force', whatever is gained",
    ),
    ("löp-rotate", "löp-rotate", "unknown module pass 'löp-rotate'; did you mean 'loop-rotate'?"),
];

#[test]
fn bad_texts() {
    for (text, marked, message) in BAD {
        let Err(error) = parse_pipeline(text) else { panic!("{text} is taken") };
        assert_eq!(error.to_string(), *message, "{text}");
        assert_eq!(&text[error.span.clone()], *marked, "{text}: {}", error.render(text));
    }
}

/// Texts that LLVM 22 prints of its own pipelines, and their meaning here.
const PRINTED: &[(&str, &str)] = &[
    (
        "function<eager-inv>(loop-mssa(loop-instsimplify,loop-simplifycfg,licm<no-allowspeculation>,\
         loop-rotate<header-duplication;no-prepare-for-lto>,licm<allowspeculation>,\
         simple-loop-unswitch<nontrivial;trivial>))",
        "function(loop-mssa(loop-instsimplify,loop-simplifycfg,licm<no-allowspeculation>,loop-rotate,licm,\
         simple-loop-unswitch<nontrivial;trivial>))",
    ),
    (
        "simplifycfg<bonus-inst-threshold=1;no-forward-switch-cond;switch-range-to-icmp;switch-to-arithmetic;\
         no-switch-to-lookup;keep-loops;hoist-common-insts;no-hoist-loads-stores-with-cond-faulting;\
         sink-common-insts;speculate-blocks;simplify-cond-branch;no-speculate-unpredictables>",
        "function(simplifycfg)",
    ),
    (
        "loop(loop-idiom,indvars,extra-simple-loop-unswitch-passes,loop-deletion,loop-unroll-full)",
        "function(loop(loop-idiom,indvars,no-op-loop,loop-deletion,loop-unroll-full))",
    ),
    (
        "cgscc(function<eager-inv;no-rerun>(loop-mssa(licm),early-cse<memssa>))",
        "function(loop-mssa(licm),early-cse<memssa>)",
    ),
    ("cgscc(devirt<4>(function<eager-inv>(loop(licm))))", "function(loop(licm))"),
    ("require<globals-aa>,function(invalidate<aa>)", "no-op-module,function(no-op-function)"),
    ("early-cse<>,early-cse<memssa>,loop-unroll<>", "function(early-cse,early-cse<memssa>,loop-unroll)"),
    ("loop-vectorize<no-interleave-forced-only;no-vectorize-forced-only;>", "function(loop-vectorize)"),
    ("require<scalar-evolution>,loop-rotate", "function(no-op-function,loop(loop-rotate))"),
    ("loop(invalidate<all>),verify<loops>", "function(loop(no-op-loop),verify)"),
    ("invalidate<all>,licm", "no-op-module,function(loop(licm))"),
];

#[test]
fn pipelines_printed_by_llvm_are_accepted() {
    for (text, meaning) in PRINTED {
        means(text, meaning);
    }
    let Some(opt) = peer("opt", "texts of LLVM's pipelines as opt reads them") else { return };
    for (text, _) in PRINTED {
        let answer = opt.run(&[&format!("-passes={text}"), "-disable-output"], b"");
        assert!(answer.ok(), "{text}: {}", answer.stderr);
    }
}

#[test]
fn the_analyses_are_those_of_llvm() {
    let Some(opt) = peer("opt", "the names of analyses as opt reads them") else { return };
    for (level, names) in ANALYSES {
        for name in *names {
            let text = format!("{level}(require<{name}>,invalidate<{name}>)");
            parse_pipeline(&text).unwrap_or_else(|e| panic!("{}", e.render(&text)));
            // These two need an input file of their own.
            if !["inline-advisor", "collector-metadata"].contains(name) {
                let answer = opt.run(&[&format!("-passes={text}"), "-disable-output"], b"");
                assert!(answer.ok(), "{text}: {}", answer.stderr);
            }
        }
    }
}

#[test]
fn a_parameter_is_given_once() {
    for (text, at, message) in [
        ("loop-unroll<count=2;runtime;count=3>", 28, "the parameter 'count' of 'loop-unroll' is given twice"),
        ("loop-unroll<runtime;no-runtime>", 20, "the parameter 'runtime' of 'loop-unroll' is given twice"),
        (
            "licm<no-allowspeculation;allowspeculation>",
            25,
            "the parameter 'allowspeculation' of 'licm' is given twice",
        ),
    ] {
        let Err(error) = parse_pipeline(text) else { panic!("{text} is taken") };
        assert_eq!(error.to_string(), message);
        assert_eq!(error.span, at..text.len() - 1, "{}", error.render(text));
    }
}

/// Invalid values of parameters, and the messages.
const BAD_VALUES: &[(&str, &str)] = &[
    (
        "loop-unroll<count=99999999999>",
        "'loop-unroll' can't take 'count=99999999999': expected a number from 1 to 65536",
    ),
    ("loop-unroll<count=>", "'loop-unroll' can't take 'count=': expected a number from 1 to 65536"),
    ("loop-unroll<count=-1>", "'loop-unroll' can't take 'count=-1': expected a number from 1 to 65536"),
    ("loop-unroll<count=0>", "'loop-unroll' can't take 'count=0': expected a number from 1 to 65536"),
    ("loop-peel<count=65537>", "'loop-peel' can't take 'count=65537': expected a number from 0 to 65536"),
    (
        "loop-unroll<machine=foo>",
        "'loop-unroll' can't take 'machine=foo': expected one of 'ooo', 'ooo-loop-predictor', 'in-order'",
    ),
    (
        "loop-unroll<rest=foo>",
        "'loop-unroll' can't take 'rest=foo': expected one of 'required-epilogue', 'epilogue', 'prologue'",
    ),
    ("hir-tile<1>", "'hir-tile' can't take '1': expected a number from 2 to 4294967295"),
    (
        "hir-tile<4,8>",
        "these parameters are never closed: expected '>' before any ',' (';' separates parameters)",
    ),
    ("hir-fuse<forced>", "'hir-fuse' has no parameter 'forced'; it takes 'force', whatever is gained"),
    ("hir-tile<-3>", "'hir-tile' can't take '-3': expected a number from 2 to 4294967295"),
    (
        "iteration-set-split<at=4294967296>",
        "'iteration-set-split' can't take 'at=4294967296': expected a number from 0 to 4294967295",
    ),
    (
        "iteration-set-split<multiple=0>",
        "'iteration-set-split' can't take 'multiple=0': expected a number from 1 to 4294967295",
    ),
    ("repeat<0>(dce)", "'repeat' can't take '0': expected a number from 1 to 10000"),
    ("repeat<2>", "'repeat<2>' is a pipeline: write 'repeat<2>(…)'"),
    ("repeat(dce)", "'repeat' can't take '': expected how often in angle brackets: 'repeat<N>(…)'"),
    ("loop-peel<count=3;last>", "'loop-peel' can't take 'last' beside 'count=3'"),
    ("iteration-set-split<at=3;multiple=2>", "'iteration-set-split' can't take 'multiple=2' beside 'at=3'"),
    ("loop-unroll<O2;O3>", "'loop-unroll' can't take 'O3' beside 'O2'"),
    ("default<O4>", "unknown module pass 'default<O4>'; the levels are O0, O1, O2, O3, Os and Oz"),
    (
        "irce",
        "unknown module pass 'irce'; 'iteration-set-split' splits the iterations of loops, 'bound-restriction' leaves \
         some out",
    ),
];

#[test]
fn invalid_values_list_the_valid_ones() {
    for (text, message) in BAD_VALUES {
        let Err(error) = parse_pipeline(text) else { panic!("{text} is taken") };
        assert_eq!(error.to_string(), *message, "{text}");
    }
}

#[test]
fn bad_texts_that_opt_refuses_too() {
    let Some(opt) = peer("opt", "wrong pipeline texts as opt reads them") else { return };
    for (text, ..) in BAD {
        let answer = opt.run(&[&format!("-passes={text}"), "-disable-output"], b"");
        assert!(!answer.ok(), "opt takes {text}");
    }
}

#[test]
fn passes_of_llvm_alone_are_told_from_unknown_ones() {
    for name in ONLY_IN_LLVM {
        let Err(error) = parse_pipeline(name) else { panic!("{name} is taken") };
        assert!(error.to_string().contains("is a pass of LLVM that is not implemented here"), "{error}");
    }
    let Err(error) = parse_pipeline("dce,gvn<no-pre>") else { panic!("gvn is taken") };
    assert_eq!(error.span, 4..7);
    assert!(
        error.to_string().ends_with("`backedge gate FILE --opt 'opt -passes=gvn<no-pre> -S'`"),
        "{error}"
    );
    let Some(opt) = peer("opt", "the passes that only LLVM has") else { return };
    let answer = opt.run(&["-print-passes"], b"");
    let theirs: Vec<_> = answer.stdout.lines().filter_map(|l| l.trim().split('<').next()).collect();
    for name in ONLY_IN_LLVM {
        assert!(theirs.contains(name), "opt has no pass '{name}'");
    }
}

#[test]
fn an_error_shows_its_place() {
    let text = "lcssa,loop-rotat";
    let Err(error) = parse_pipeline(text) else { panic!("{text} is taken") };
    let shown = "unknown function pass 'loop-rotat'; did you mean 'loop-rotate'?\n  \
                 -passes=lcssa,loop-rotat\n                ^^^^^^^^^^";
    assert_eq!(error.render(text), shown);
}

#[test]
fn nesting_is_limited() {
    let deep = format!("{}lcssa{}", "function(".repeat(100_000), ")".repeat(100_000));
    let Err(error) = parse_pipeline(&deep) else { panic!("a deep text is taken") };
    assert_eq!(error.to_string(), "parentheses nest deeper than 64");
    let long = vec!["lcssa"; 20_000].join(",");
    let Err(error) = parse_pipeline(&long) else { panic!("a long text is taken") };
    assert_eq!(error.to_string(), "the pipeline runs more than 10000 passes");
}

#[test]
fn blanks_around_elements_mean_nothing() {
    for (text, meaning) in [
        ("loop-simplify, lcssa", "function(loop-simplify,lcssa)"),
        (" function( lcssa , loop( loop-rotate ) , lcssa ) ", "function(lcssa,loop(loop-rotate),lcssa)"),
        ("loop-unroll<runtime>\n,dce", "function(loop-unroll<runtime>,dce)"),
        (" ", ""),
    ] {
        let pipeline = parse_pipeline(text).unwrap_or_else(|e| panic!("{}", e.render(text)));
        assert_eq!(pipeline.to_string(), meaning, "{text}");
    }
    let Err(error) = parse_pipeline("lcssa dce") else { panic!("a blank separates") };
    assert_eq!(error.to_string(), "unknown module pass 'lcssa dce'; passes are separated by ','");
}

#[test]
fn llvm_pass_names_suggest_ours() {
    for (text, hint) in [
        ("loop-fusion", "it is 'hir-fuse'"),
        ("loop-unswitch<nontrivial>", "it is 'simple-loop-unswitch'"),
        ("loop-distribute", "it is 'hir-distribute'"),
    ] {
        let Err(error) = parse_pipeline(text) else { panic!("{text} is taken") };
        assert_eq!(error.to_string(), format!("unknown module pass '{text}'; {hint}"));
    }
}

#[test]
fn all_passes_are_listed_with_their_parameters() {
    let listing = listing();
    for pass in PASSES {
        let line = listing.lines().find(|l| l.trim_start().starts_with(pass.name)).expect(pass.name);
        assert!(line.starts_with("  "), "{line}");
        assert!(listing.contains(pass.summary) && listing.contains(pass.params), "{}", pass.name);
    }
    for heading in ["Module passes:\n", "Function passes:\n", "Loop passes:\n", "Pipelines:\n"] {
        assert!(listing.contains(heading), "{heading}");
    }
}

#[test]
fn every_pass_that_is_listed_can_be_named() {
    for pass in PASSES {
        parse_pipeline(pass.name).unwrap_or_else(|e| panic!("{}", e.render(pass.name)));
    }
}

/// Each parameter that a help text lists is accepted, and survives printing: the printed pipeline has it, or its opposite
/// is printed differently. Others change nothing, and are few.
#[test]
fn every_listed_parameter_survives_printing() {
    let (mut seen, mut without_effect) = (0, BTreeSet::new());
    for pass in PASSES {
        let printed = |param: &str| {
            let text =
                if param.is_empty() { pass.name.to_owned() } else { format!("{}<{param}>", pass.name) };
            let pipeline =
                parse_pipeline(&text).unwrap_or_else(|e| panic!("{}", e.render(&text))).to_string();
            means(&pipeline, &pipeline);
            pipeline
        };
        // What follows a semicolon is an explanation.
        let listed = pass.params.split(';').next().unwrap_or_default();
        let mut words: Vec<&str> = listed.split('\'').skip(1).step_by(2).collect();
        let negated = words.iter().position(|word| *word == "no-").map(|at| words.remove(at)).is_some();
        for word in words {
            let param = match word {
                "N" => "2".to_owned(),
                _ => word
                    .replace("=NAME", "=in-order")
                    .replace("=HOW", "=predicate-dont-vectorize")
                    .replace("=N", "=2"),
            };
            let with = printed(&param);
            let has_opposite = negated && !param.contains('=') && !matches!(word, "O0" | "O3");
            let opposite = has_opposite.then(|| printed(&format!("no-{param}")));
            if !with.contains(&param) && opposite.is_none_or(|opposite| opposite == with) {
                without_effect.insert(param);
            }
            seen += 1;
        }
    }
    assert!(seen > 50, "{seen} parameters");
    assert_eq!(Vec::from_iter(without_effect), ["O0", "O3", "allowspeculation"]);
}
