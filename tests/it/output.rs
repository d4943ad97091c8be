//! Output files are complete or absent; closed pipes are not an error; JSON output is valid JSON.

use crate::common::{Files, LOOP, PAIRS};
use serde_json::Value;
use std::process::{Command, Stdio};

#[test]
fn failure_leaves_an_old_output_alone() {
    let files = Files::new(&[("bad.ll", b"define i32 @f("), ("out.ll", b"old")]);
    files.backedge("opt -passes=lcssa bad.ll -o out.ll").exits(2);
    assert_eq!(files.read("out.ll"), "old");
    assert_eq!(files.names(), ["bad.ll", "out.ll"]);
}

#[test]
fn success_replaces_it_and_leaves_nothing_else() {
    let files = Files::new(&[("in.ll", LOOP.as_bytes()), ("out.ll", b"old")]);
    files.backedge("opt -passes=lcssa in.ll -S -o out.ll").exits(0);
    assert!(files.read("out.ll").contains("define i32 @f"));
    assert_eq!(files.names(), ["in.ll", "out.ll"]);
    files.backedge("print ir out.ll").exits(0);
}

/// Exceeding the file size limit is an ordinary failure; it does not kill the process.
#[cfg(target_os = "linux")]
#[test]
fn a_limit_on_the_size_of_files_is_told() {
    let many: String = (0..200).map(|n| LOOP.replace("@f", &format!("@f{n}"))).collect();
    let files = Files::new(&[("in.ll", many.as_bytes())]);
    for (line, name) in
        [("-o out.ll", "out.ll can't be written"), ("> out.ll", "standard output can't be written")]
    {
        let exe = env!("CARGO_BIN_EXE_backedge");
        let script = format!("ulimit -f 2; {exe} opt -passes=lcssa -S in.ll {line}");
        let done = Command::new("bash").args(["-c", &script]).current_dir(files.dir()).output().unwrap();
        let said = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(2), "{said}");
        assert!(said.contains(name) && said.contains("File too large"), "{said}");
    }
}

#[test]
fn inputs_are_not_overwritten() {
    let files = Files::new(&[("in.ll", LOOP.as_bytes()), ("pairs.ll", PAIRS.as_bytes())]);
    std::fs::create_dir(files.path("dir")).unwrap();
    std::fs::write(files.path("dir/in.ll"), LOOP).unwrap();
    std::fs::hard_link(files.path("in.ll"), files.path("same.ll")).unwrap();
    std::os::unix::fs::symlink("in.ll", files.path("link.ll")).unwrap();
    for line in [
        "opt -passes=lcssa in.ll -pass-remarks-output=in.ll",
        "gate in.ll --json in.ll",
        "gate dir --json dir/in.ll",
        "gate pairs.ll dir --json dir/in.ll",
        "tv pairs.ll --json pairs.ll",
        "tv in.ll in.ll --json link.ll",
    ] {
        files.backedge(line).exits(2).says("it would overwrite the input");
    }
    assert_eq!(files.read("in.ll"), LOOP);
    assert_eq!(files.read("dir/in.ll"), LOOP);
    assert_eq!(files.read("pairs.ll"), PAIRS);
    assert_eq!(files.names(), ["dir", "in.ll", "link.ll", "pairs.ll", "same.ll"]);
}

#[test]
fn a_module_may_take_the_place_of_what_it_was_made_from() {
    let broken = &LOOP[..LOOP.len() / 2];
    let files = Files::new(&[("in.ll", LOOP.as_bytes()), ("broken.ll", broken.as_bytes())]);
    files.backedge("opt -passes=loop-rotate in.ll -S -o out.ll").exits(0);
    files.backedge("opt -passes=loop-rotate in.ll -S -o in.ll").exits(0);
    assert_eq!(files.read("in.ll"), files.read("out.ll"));
    files.backedge("opt -passes=loop-rotate broken.ll -S -o broken.ll").exits(2);
    assert_eq!(files.read("broken.ll"), broken);
}

#[test]
fn a_link_is_written_through_and_permissions_stay() {
    use std::os::unix::fs::PermissionsExt;
    let files = Files::new(&[("in.ll", LOOP.as_bytes()), ("real.ll", b"old")]);
    std::os::unix::fs::symlink("real.ll", files.path("link.ll")).unwrap();
    std::fs::set_permissions(files.path("real.ll"), std::fs::Permissions::from_mode(0o600)).unwrap();
    files.backedge("opt -passes=lcssa in.ll -o link.ll").exits(0);
    assert!(files.read("real.ll").contains("define i32 @f"));
    assert!(std::fs::symlink_metadata(files.path("link.ll")).unwrap().is_symlink());
    assert_eq!(std::fs::metadata(files.path("real.ll")).unwrap().permissions().mode() & 0o777, 0o600);
    std::fs::set_permissions(files.path("real.ll"), std::fs::Permissions::from_mode(0o444)).unwrap();
    files
        .backedge("opt -passes=lcssa in.ll -o real.ll")
        .exits(2)
        .says("real.ll can't be written: it is read-only");
}

#[test]
fn a_full_disk_is_an_error() {
    if !std::path::Path::new("/dev/full").exists() {
        return backedge_testkit::skip("output to a full disk", "there is no /dev/full");
    }
    let files = Files::new(&[("in.ll", LOOP.as_bytes()), ("pairs.ll", PAIRS.as_bytes())]);
    for line in [
        "opt -passes=lcssa in.ll -o /dev/full",
        "gate in.ll --json /dev/full",
        "tv pairs.ll --json /dev/full",
    ] {
        files.backedge(line).exits(2).says("/dev/full can't be written").says("No space left");
    }
    for line in ["print ir in.ll", "opt -passes=lcssa in.ll", "gate in.ll", "run in.ll --args 1,1"] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let answer = Command::new(env!("CARGO_BIN_EXE_backedge"))
            .args(line.split(' '))
            .current_dir(files.dir())
            .stdin(Stdio::null())
            .stdout(full)
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&answer.stderr);
        assert_eq!(answer.status.code(), Some(2), "{line}: {stderr}");
        assert!(stderr.contains("standard output can't be written"), "{line}: {stderr}");
    }
    assert_eq!(files.names(), ["in.ll", "pairs.ll"]);
}

#[test]
fn what_cannot_be_written_is_an_error() {
    let files = Files::new(&[("in.ll", LOOP.as_bytes())]);
    files.backedge("opt -passes=lcssa in.ll -o .").exits(2).says("directory");
    files.backedge("opt -passes=lcssa in.ll -o no/such/dir.ll").exits(2).says("can't be written");
    files.backedge("opt -passes=lcssa in.ll -o /dev/null").exits(0);
    files.backedge("gate in.ll --json no/such/dir.json").exits(2).says("can't be written");
    files.backedge("opt -passes=lcssa in.ll -disable-output -o out.ll").exits(0);
    assert_eq!(files.names(), ["in.ll"]);
}

#[test]
fn a_closed_pipe_is_no_panic() {
    let text: String = (0..4000).map(|i| LOOP.replace("@f", &format!("@f{i}"))).collect();
    let files = Files::new(&[("in.ll", text.as_bytes())]);
    let mut child = Command::new(env!("CARGO_BIN_EXE_backedge"))
        .args(["print", "ir", "in.ll"])
        .current_dir(files.dir())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let answer = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&answer.stderr), "");
    assert_eq!(answer.status.code(), Some(0));
}

#[test]
fn records_are_json_lines() {
    let files =
        Files::new(&[("in.ll", LOOP.as_bytes()), ("pairs.ll", PAIRS.as_bytes()), ("bad.ll", b"define")]);
    files.backedge("gate in.ll bad.ll --json gate.json").exits(2);
    files.backedge("tv pairs.ll --json tv.json").exits(1);
    for (name, kinds) in [("gate.json", ["validation", "bad-input"]), ("tv.json", ["validation"; 2])] {
        let text = files.read(name);
        let lines: Vec<Value> = text.lines().map(|l| serde_json::from_str(l).expect(l)).collect();
        assert!(text.ends_with('\n'));
        let (last, records) = lines.split_last().unwrap();
        assert_eq!(last["kind"], "summary");
        assert_eq!(last["interrupted"], false);
        for record in records {
            assert_eq!(record["schema"], 1);
            assert!(kinds.contains(&record["kind"].as_str().unwrap()), "{record}");
        }
        for kind in kinds {
            assert!(records.iter().any(|r| r["kind"] == kind), "no {kind} in {text}");
        }
    }
    let refuted = files.read("tv.json");
    let refuted: Value = refuted
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .find(|r: &Value| r["function"] == "src_wrong")
        .unwrap();
    assert_eq!(refuted["verdict"]["kind"], "refuted");
    assert_eq!(refuted["verdict"]["failure"], "more-poisonous");
    assert_eq!(refuted["verdict"]["witness"]["arguments"][0]["name"], "%x");
}
