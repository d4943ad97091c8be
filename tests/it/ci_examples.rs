//! The files in `examples/ci`: they are valid YAML or TOML, and their commands that check files work in a repository.

#![cfg(unix)]

use crate::common::{Files, LOOP, TWO};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use yaml_rust2::{Yaml, YamlLoader};

fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/ci").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn yaml(name: &str) -> Yaml {
    let mut documents = YamlLoader::load_from_str(&example(name)).expect(name);
    assert_eq!(documents.len(), 1, "{name}");
    documents.remove(0)
}

/// A repository with one commit, and changes after it: a loop, and a function that `./opt` breaks if it runs.
fn repository() -> Files {
    let files = Files::with_script(TWO, "sed 's/ nsw / /; s/ 20/ 21/' \"$1\"");
    let script = "mkdir tests && mv in.ll tests && git init -q && git add . && \
                  git -c user.name=x -c user.email=x@x commit -q -m one && git branch base";
    let done = Command::new("sh").args(["-c", script]).current_dir(files.dir()).output().expect("a shell");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    std::fs::write(files.path("tests/loop.ll"), LOOP).unwrap();
    files
}

/// Runs `script` in the repository with `shell`, with `backedge` in the path.
fn run(shell: &[&str], script: &str, files: &Files, environment: &[(&str, &str)]) -> Output {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_backedge"));
    let folders = std::iter::once(program.parent().expect("a folder").to_owned());
    let old = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(folders.chain(std::env::split_paths(&old))).expect("a path");
    let mut command = Command::new(shell[0]);
    command.args(&shell[1..]).args(["-c", script]).current_dir(files.dir());
    command.env("PATH", path).env("BACKEDGE_FILES", "tests").env("BACKEDGE_OPT", "./opt");
    command.envs(environment.iter().copied()).output().expect("a shell")
}

/// Runs the script on a change that is right, on one that is wrong, and on the wrong one with a baseline.
fn check(shell: &[&str], script: &str, environment: &[(&str, &str)], outputs: &[&str]) {
    let files = repository();
    let assert_code = |code: i32| {
        let done = run(shell, script, &files, environment);
        let text =
            String::from_utf8_lossy(&done.stdout).into_owned() + &String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(code), "{text}");
        text
    };
    assert_code(0);
    let names = files.names();
    assert!(outputs.iter().all(|output| names.iter().any(|name| name == output)), "{names:?}");
    std::fs::write(files.path("tests/in.ll"), TWO.replace("@bad", "@worse")).unwrap();
    let text = assert_code(1);
    let bucket = text.lines().find_map(|line| line.strip_prefix("bucket: ")).expect("a bucket");
    let baseline = example("backedge-baseline.toml")
        .replace("opt-22-passes-licm-s-value-mismatch-0123456789", bucket)
        .replace("tests/hoist.ll", "tests/in.ll");
    std::fs::write(files.path("backedge-baseline.toml"), baseline).unwrap();
    assert_code(0);
}

#[test]
fn the_workflow_for_github_works() {
    let workflow = yaml("github.yml");
    let steps = workflow["jobs"]["gate"]["steps"].as_vec().expect("steps");
    let script = |name: &str| {
        let step = steps.iter().find(|step| step["name"].as_str() == Some(name)).expect(name);
        step["run"].as_str().expect("a script").to_owned()
    };
    assert!(script("Install backedge").contains("ci/install"));
    assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join("ci/install").is_file());
    let outputs = ["gate.md", "gate.sarif", "gate.jsonl"];
    // GitHub runs scripts with these options.
    let shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail"];
    let script = script("Check changed files").replace("origin/$GITHUB_BASE_REF", "$GITHUB_BASE_REF");
    check(&shell, &script, &[("GITHUB_BASE_REF", "base")], &outputs);
}

#[test]
fn the_job_for_gitlab_works() {
    let job = &yaml("gitlab-ci.yml")["backedge"];
    assert_eq!(job["artifacts"]["reports"]["junit"].as_str(), Some("gate.xml"));
    let script = job["script"][0].as_str().expect("a script");
    let environment = [("CI_MERGE_REQUEST_DIFF_BASE_SHA", "base")];
    check(&["sh", "-e"], script, &environment, &["gate.xml", "gate.sarif", "gate.jsonl"]);
}
