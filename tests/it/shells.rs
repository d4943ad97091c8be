//! Completions and manual pages name the commands and flags of the help.

use crate::common::{Files, backedge};
use std::process::Command;

/// The visible commands, from the help.
fn commands() -> Vec<String> {
    let help = backedge("--help").exits(0).stdout;
    let (_, list) = help.split_once("Commands:\n").expect("a list of commands");
    let lines = list.lines().take_while(|line| !line.is_empty());
    let names = lines.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    names.filter(|name| !name.is_empty() && *name != "help").map(str::to_owned).collect()
}

#[test]
fn completions_name_every_command_and_are_scripts() {
    let commands = commands();
    assert!(commands.len() > 10, "{commands:?}");
    for (shell, flag) in [("bash", "--certificate"), ("zsh", "--certificate"), ("fish", "-l certificate")] {
        let script = backedge(&format!("completions {shell}")).exits(0).prints(flag).stdout;
        for command in &commands {
            assert!(script.contains(command), "{shell} does not know {command}");
        }
        // So the scripts of the three shells name a command.
        for hidden in ["__worker", "'worker:", "-a \"worker\""] {
            assert!(!script.contains(hidden), "{shell} names a hidden command: {hidden}");
        }
        // Only bash is everywhere; it reads the script without running it.
        if shell == "bash" {
            let files = Files::new(&[("script", script.as_bytes())]);
            let read = Command::new("bash").arg("-n").arg(files.path("script")).output().expect("bash");
            assert!(read.status.success(), "{}", String::from_utf8_lossy(&read.stderr));
        }
    }
    backedge("completions nosuchshell").exits(2).says("bash");
}

#[test]
fn each_command_has_a_manual_page() {
    let files = Files::new(&[]);
    files.backedge("man --dir pages").exits(0);
    for command in commands() {
        let page = files.read(&format!("pages/backedge-{command}.1"));
        assert!(page.contains(".TH") && page.contains(".SH OPTIONS"), "{page}");
        assert_eq!(backedge(&format!("man {command}")).exits(0).stdout, page);
    }
    let pages = std::fs::read_dir(files.path("pages")).unwrap();
    let names: Vec<_> = pages.map(|page| page.unwrap().file_name().into_string().unwrap()).collect();
    assert!(names.contains(&"backedge.1".to_owned()), "{names:?}");
    assert!(!names.iter().any(|name| name.contains("help") || name.contains("worker")), "{names:?}");
    backedge("man nosuchcommand").exits(2).says("nosuchcommand");
    backedge("man worker").exits(2);
    files.backedge("man --dir pages/backedge.1").exits(2).says("pages/backedge.1");
}
