//! Executes IR: poison, UB, memory, chooser, traces, refinement of two runs.
