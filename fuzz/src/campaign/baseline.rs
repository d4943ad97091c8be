//! Findings that are accepted for a time.
