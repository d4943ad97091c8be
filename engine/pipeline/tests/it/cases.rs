//! Small inputs, one for each transform of a pass and each reason for doing nothing. The first line of a case names the
//! pipeline; the result and the remarks are stored next to it (`INSTA_UPDATE=always` rewrites them).

use backedge_ir::parse::parse_module;
use backedge_ir::print::module_to_string;
use backedge_ir::verify::verify_module;
use backedge_pipeline::{Observer, Options, PassRun, parse_pipeline, run};
use backedge_testkit::files_with_extension;
use std::fmt::Write as _;
use std::path::Path;

#[derive(Default)]
struct Remarks(String);

impl Observer for Remarks {
    fn after_pass(&mut self, run: &PassRun<'_>) {
        for remark in run.remarks {
            writeln!(self.0, "; {remark}").expect("a string takes all");
        }
        // Passes that clean up the whole function have no loop to report a remark on.
        let cleans = ["simplifycfg", "instsimplify", "dce"].iter().any(|p| run.pass.starts_with(p));
        let silent = run.changed && run.remarks.is_empty() && !cleans;
        assert!(!silent, "{} changes something without a remark", run.pass);
    }
}

#[test]
fn cases() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let files = files_with_extension(&dir, "ll");
    assert!(files.len() > 30, "the cases are there");
    for file in files {
        let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
        let source = std::fs::read_to_string(&file).expect("a file");
        let passes = source.lines().next().and_then(|l| l.strip_prefix("; ")).expect("a pipeline");
        let pipeline = parse_pipeline(passes).expect("a pipeline");
        let mut module = parse_module(source.as_bytes()).unwrap_or_else(|e| panic!("{name}: {e}")).module;
        assert!(verify_module(&module).is_empty(), "{name} is valid");
        let mut remarks = Remarks::default();
        let options = Options { verify_each: true, ..Options::default() };
        run(&mut module, &pipeline, options, &mut remarks).unwrap_or_else(|e| panic!("{name}: {e}"));
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path("../cases");
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        let text = format!("{}{}", remarks.0, module_to_string(&module));
        settings.bind(|| insta::assert_snapshot!(name.as_str(), text));
    }
}
