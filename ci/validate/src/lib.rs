//! One verdict out of interp and smt: portfolio, witness, reports.
