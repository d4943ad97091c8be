//! The interpreter's configuration.

use crate::verdict::{Options, Uninit};
use backedge_interp::Config;

/// The interpreter's configuration for `options`.
pub(crate) fn config(options: &Options) -> Config {
    Config {
        fuel: options.fuel,
        max_bytes: 1 << 24,
        uninit_poison: options.uninit == Uninit::Poison,
        ..Config::default()
    }
}
