//! Widths of pointers, block numbers and offsets, and the layout of an encoded byte.

/// Width of a block number in bits.
pub(crate) const BLOCK_BITS: u32 = 16;

/// Bit set in the numbers of blocks that only the function itself can reach.
pub(crate) const LOCAL_BLOCK: u32 = 0x8000;

/// Bit set in the numbers of blocks that are known to the caller or to an external call but not named by the functions.
pub(crate) const UNKNOWN_BLOCK: u32 = 0x4000;

/// Width of a memory offset in bits.
pub(crate) const OFFSET_BITS: u32 = 64;

/// Width of a pointer in bits: a block number above an offset.
pub(crate) const POINTER_BITS: u32 = BLOCK_BITS + OFFSET_BITS;

/// The layout of an encoded byte and of addresses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByteLayout {
    /// Whether bytes can be parts of pointers.
    pub(crate) pointers: bool,
    /// Whether bytes can have undef bits.
    pub(crate) undef: bool,
    /// Width of an address in bits, at most [`OFFSET_BITS`].
    pub(crate) address_bits: u32,
    /// Whether the most significant byte comes first.
    pub(crate) big_endian: bool,
}
