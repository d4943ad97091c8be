//! The commands of the README have the documented results.

use crate::common::{backedge, needs_opt};

fn readme() -> String {
    std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).expect("the README")
}

/// The code blocks with the language `language`.
fn blocks(language: &str) -> Vec<String> {
    let (mut found, mut inside) = (Vec::new(), None);
    for line in readme().lines() {
        match &mut inside {
            None if line == format!("```{language}") => inside = Some(String::new()),
            Some(block) if line == "```" => {
                found.push(std::mem::take(block));
                inside = None;
            }
            Some(block) => {
                block.push_str(line);
                block.push('\n');
            }
            None => {}
        }
    }
    found
}

#[test]
fn commands_that_are_shown_succeed() {
    let mut count = 0;
    for block in blocks("sh") {
        for line in block.lines() {
            let Some(args) = line.strip_prefix("backedge ") else { continue };
            let args = args.split('#').next().unwrap_or_default();
            if needs_opt(args) {
                continue;
            }
            let answer = backedge(args);
            assert_eq!(answer.code, Some(0), "{line}\n{}\n{}", answer.stdout, answer.stderr);
            count += 1;
        }
    }
    assert!(count >= 5, "the README's commands were not found");
}

#[test]
fn output_that_is_shown_is_what_is_printed() {
    let blocks = blocks("console");
    assert_eq!(blocks.len(), 6);
    for block in blocks {
        // A command may continue on the next line.
        let block = block.replace("\\\n", "");
        let (command, shown) = block.split_once('\n').expect("a command and its output");
        let args = command.strip_prefix("$ backedge ").expect("a command");
        if needs_opt(args) {
            continue;
        }
        let answer = backedge(args);
        for line in shown.lines().filter(|l| !l.contains("...")) {
            assert!(answer.stdout.contains(line), "{command} does not print\n{line}\nbut\n{}", answer.stdout);
        }
    }
}
