//! The library functions that a target has, according to LLVM's `TargetLibraryInfo`. A test compares both.

use crate::module::Env;

/// Whether a target's library has a function.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Presence {
    There,
    /// Not decided here; LLVM may or may not know the function.
    Unsure,
    Missing,
}

/// Architectures for which LLVM knows no library functions.
const WITHOUT_LIBRARY: [&str; 3] = ["amdgcn", "dxil", "r600"];
/// Architectures with an `int` of 16 bits.
const WITH_SHORT_INT: [&str; 2] = ["avr", "msp430"];
/// The only functions of NVPTX.
const OF_NVPTX: [&str; 2] = ["free", "malloc"];
/// POSIX functions that Windows lacks.
const NOT_OF_WINDOWS: [&str; 11] = [
    "bcmp",
    "bcopy",
    "bzero",
    "ffs",
    "ffsl",
    "ffsll",
    "memccpy",
    "stpcpy",
    "stpncpy",
    "strcasecmp",
    "strncasecmp",
];
/// Functions that PlayStations lack.
const NOT_OF_PLAYSTATION: [&str; 7] = ["bzero", "ffs", "isascii", "mempcpy", "stpcpy", "strnlen", "toascii"];
/// Functions that only few systems have, with those systems.
const OF_FEW_SYSTEMS: [(&str, &[&str]); 4] = [
    ("bcmp", &["linux", "freebsd", "solaris"]),
    ("ffsl", &["linux", "freebsd", "darwin", "macos", "ios", "tvos", "watchos", "xros"]),
    ("ffsll", &["linux", "freebsd", "darwin", "macos", "ios", "tvos", "watchos", "xros"]),
    ("memalign", &["linux", "freebsd", "ps4", "ps5"]),
];

/// Whether the library of the module's target has the function `name`. A module without a triple has all functions.
pub(super) fn presence(env: &Env, name: &str) -> Presence {
    let Some(triple) = env.target_triple().filter(|triple| !triple.is_empty()) else {
        return Presence::There;
    };
    let mut parts = triple.split('-');
    let (arch, system, environment) = (
        parts.next().unwrap_or_default(),
        parts.nth(1).unwrap_or_default(),
        parts.next().unwrap_or_default(),
    );
    let is_windows = ["windows", "win32"].iter().any(|windows| system.starts_with(windows))
        && !environment.starts_with("cygnus");
    let is_playstation = ["ps4", "ps5"].iter().any(|station| system.starts_with(station));
    let has = |systems: &[&str]| systems.iter().any(|of| system.starts_with(of));
    let is_missing = WITHOUT_LIBRARY.contains(&arch)
        || ["nvptx", "nvptx64"].contains(&arch) && !OF_NVPTX.contains(&name)
        || OF_FEW_SYSTEMS.iter().any(|(function, systems)| *function == name && !has(systems))
        || is_windows && (NOT_OF_WINDOWS.contains(&name) || name.starts_with("_Zn"))
        || is_playstation && NOT_OF_PLAYSTATION.contains(&name);
    if is_missing {
        Presence::Missing
    } else if WITH_SHORT_INT.contains(&arch) || is_windows && name.starts_with("_Zd") {
        Presence::Unsure
    } else {
        Presence::There
    }
}
