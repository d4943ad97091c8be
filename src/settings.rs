//! Settings of the whole process: flags that every command has.
//!
//! They are set once, from the command line; before that, and in worker processes, the defaults hold.

use clap::ColorChoice;
use std::io::IsTerminal;
use std::sync::OnceLock;

/// Flags of every command.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Flags of every command")]
pub(crate) struct Settings {
    /// Colors in messages, help and tables; auto: on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t)]
    pub(crate) color: When,
    /// Also say which configuration file and which foreign commands are used; `fuzz` prints how often it drew each feature
    /// of programs
    #[arg(long, short = 'v', global = true, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
    /// Print results and errors only: no progress, no announcements; `tv` and `gate` print what is not accepted and the
    /// summary, `fuzz` the summary
    #[arg(long, short = 'q', global = true)]
    pub(crate) quiet: bool,
    /// Don't show progress bars
    #[arg(long, global = true)]
    pub(crate) no_progress: bool,
    /// Don't read backedge.toml
    #[arg(long, global = true)]
    pub(crate) no_config: bool,
}

/// When messages have colors.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub(crate) enum When {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

static SETTINGS: OnceLock<Settings> = OnceLock::new();

/// The settings of this process.
pub(crate) fn settings() -> &'static Settings {
    static DEFAULT: OnceLock<Settings> = OnceLock::new();
    SETTINGS.get().unwrap_or_else(|| DEFAULT.get_or_init(Settings::default))
}

/// Sets the settings of this process, once.
pub(crate) fn set(settings: Settings) {
    // A second call would be an error of this program without consequence.
    let _ = SETTINGS.set(settings);
}

impl Settings {
    /// Whether messages on standard error are colored; `None` leaves it to the renderer, on a terminal.
    pub(crate) fn colored(&self) -> Option<bool> {
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        match self.color {
            When::Always => Some(true),
            When::Never => Some(false),
            When::Auto if plain || !std::io::stderr().is_terminal() => Some(false),
            When::Auto => None,
        }
    }

    /// Whether progress may be shown on a terminal.
    pub(crate) fn shows_progress(&self) -> bool {
        !self.quiet && !self.no_progress
    }
}

/// The choice of --color in `args`, for messages of the argument parser itself.
pub(crate) fn color_of(args: &[std::ffi::OsString]) -> ColorChoice {
    let words = args.iter().map(|word| word.to_string_lossy()).take_while(|word| word != "--");
    let words: Vec<_> = words.collect();
    let attached = words.iter().find_map(|word| word.strip_prefix("--color=").map(str::to_owned));
    let next = || words.iter().skip_while(|word| *word != "--color").nth(1).map(ToString::to_string);
    match attached.or_else(next).as_deref() {
        Some("always") => ColorChoice::Always,
        Some("never") => ColorChoice::Never,
        _ => ColorChoice::Auto,
    }
}
