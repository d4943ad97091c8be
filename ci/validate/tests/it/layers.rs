//! The rooms of the crate: a room imports only rooms below it.

use backedge_testkit::{crate_paths, files_with_extension, without_comments};
use std::fs;
use std::path::Path;

/// The rooms, the lowest one first.
const ROOMS: [&str; 6] = ["pair", "verdict", "admit", "replay", "stages", "judge"];

/// The position of a room in [`ROOMS`].
fn rank(room: &str) -> Option<usize> {
    ROOMS.iter().position(|known| *known == room)
}

/// The length of the longest path of only `super::` in `code`.
fn longest_way_up(code: &str) -> usize {
    let ways = code.match_indices("super::").map(|(at, _)| {
        let mut rest = &code[at..];
        let mut length = 0;
        while let Some(next) = rest.strip_prefix("super::") {
            (rest, length) = (next, length + 1);
        }
        length
    });
    ways.max().unwrap_or(0)
}

#[test]
fn a_room_imports_only_lower_rooms() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut imports = 0;
    for file in files_with_extension(&src, "rs") {
        let name = file.strip_prefix(&src).expect("a file of the crate");
        let folders: Vec<&str> = name.parent().expect("a folder").iter().filter_map(|f| f.to_str()).collect();
        let Some(room) = folders.first() else {
            assert_eq!(name, Path::new("lib.rs"), "each file belongs to a room");
            continue;
        };
        let own = rank(room).unwrap_or_else(|| panic!("{room} is no known room"));
        let text = fs::read_to_string(&file).expect("a source file");
        let code = without_comments(&text);
        for path in crate_paths(&code) {
            let shown = path.join("::");
            // Names that the crate exports for its users are no rooms.
            let imported = rank(&path[0]);
            let imported = imported.unwrap_or_else(|| panic!("{} imports crate::{shown}", name.display()));
            assert!(imported <= own, "{} imports the higher room's crate::{shown}", name.display());
            imports += usize::from(imported < own);
        }
        let modules = folders.len() + usize::from(!name.ends_with("mod.rs"));
        let (code, tests) = code.split_once("#[cfg(test)]").unwrap_or((&code, ""));
        let leaves = longest_way_up(code) >= modules || longest_way_up(tests) > modules;
        assert!(!leaves, "{} imports from outside of its room by `super`", name.display());
    }
    assert!(imports > 100, "the imports are misread");
}
