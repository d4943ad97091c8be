//! Names that tell which process a temporary file belongs to, so that files of killed processes can be removed later.
//!
//! A [`mark`] holds the process id, the start time of the process, and a number for the system: ids are reused, and a
//! folder may be shared by several systems or containers, whose processes are invisible here. A mark of another system
//! is never considered stale, and neither is one on systems without `/proc`.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::LazyLock;

/// The mark of this process: three numbers, separated by dashes.
pub fn mark() -> &'static str {
    static MARK: LazyLock<String> = LazyLock::new(|| {
        let process = std::process::id();
        let start = start_time(process).unwrap_or(0);
        format!("{:08x}-{process}-{start}", system().unwrap_or(0))
    });
    &MARK
}

/// Whether `text` is the mark of a process of this system that has ended.
pub fn is_stale(text: &str) -> bool {
    let mut parts = text.splitn(3, '-');
    let (Some(system_part), Some(process), Some(start)) = (parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    let (Ok(of_system), Ok(process), Ok(start)) =
        (u32::from_str_radix(system_part, 16), process.parse::<u32>(), start.parse::<u64>())
    else {
        return false;
    };
    // Without the start time of this process, that of another one says nothing.
    system() == Some(of_system)
        && start != 0
        && start_time(std::process::id()).is_some()
        && start_time(process) != Some(start)
}

/// A number for this boot of the system and this space of process ids.
fn system() -> Option<u32> {
    static SYSTEM: LazyLock<Option<u32>> = LazyLock::new(|| {
        let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
        let space = fs::read_link("/proc/self/ns/pid").ok()?;
        let mut hasher = DefaultHasher::new();
        (boot.trim(), space).hash(&mut hasher);
        Some(hasher.finish() as u32)
    });
    *SYSTEM
}

/// The time at which a process started, in ticks since the start of the system.
fn start_time(process: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The state, the third field, follows the name, which may contain any characters; the start time is the 22nd.
    stat.rsplit(')').next()?.split_whitespace().nth(19)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{is_stale, mark};
    use std::process::Command;

    #[test]
    fn marks_of_this_process_and_of_strangers_are_kept() {
        assert!(!is_stale(mark()));
        for text in ["", "1-2", "x-1-2", "12345678-1-x", "00000000-1-1", "-1-", "a-b-c"] {
            assert!(!is_stale(text), "{text}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_mark_of_a_process_that_has_ended_is_stale() {
        let [system, own, start] =
            <[&str; 3]>::try_from(mark().split('-').collect::<Vec<_>>()).expect("a mark");
        let mut child = Command::new("true").spawn().expect("true");
        let ended = child.id();
        child.wait().expect("it ends");
        assert!(is_stale(&format!("{system}-{ended}-{start}")));
        // The id of a living process that started at another time.
        assert!(is_stale(&format!("{system}-{own}-1")));
        let other = format!("{:08x}", u32::from_str_radix(system, 16).expect("a number").wrapping_add(1));
        assert!(!is_stale(&format!("{other}-{ended}-{start}")));
    }
}
