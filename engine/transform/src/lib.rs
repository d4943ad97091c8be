//! Loop canonical forms and optimizations, and their remarks.
