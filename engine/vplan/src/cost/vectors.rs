//! Costs of vector operations per machine; [`Machine`] has the costs of branches and caches.

use backedge_transform::cost::Machine;

/// The vector unit of a machine. Costs are in tenths of an instruction.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Vectors {
    /// The machine's name.
    pub machine: &'static str,
    /// The size of a register in bits.
    pub bits: u32,
    /// The number of registers.
    pub registers: u32,
    /// The number of operations that can be in flight before the first completes; interleaved parts hide this latency.
    pub latency: u32,
    /// A floating-point addition that waits for the previous one, as the amount of other work in that time.
    pub wait: u32,
    /// Inserting or extracting one lane.
    pub lane: u32,
    /// Permuting the lanes of one register.
    pub shuffle: u32,
    /// The additional cost of a masked load or store over an unmasked one; `None` if the machine has no such
    /// instruction.
    pub masked: Option<u32>,
    /// An integer division of one lane; no machine divides integer vectors.
    pub divide: u32,
    /// A floating-point division or square root, per register.
    pub float_divide: u32,
}

/// The vector unit of an out-of-order machine; it does not depend on branch prediction.
const OUT_OF_ORDER: Vectors = Vectors {
    machine: "ooo",
    bits: 256,
    registers: 16,
    latency: 4,
    wait: 160,
    lane: 10,
    shuffle: 10,
    masked: Some(10),
    divide: 100,
    float_divide: 80,
};

/// The vector units, one for each of [`backedge_transform::cost::MACHINES`].
pub const VECTORS: &[Vectors] = &[
    OUT_OF_ORDER,
    Vectors { machine: "ooo-loop-predictor", ..OUT_OF_ORDER },
    Vectors {
        machine: "in-order",
        bits: 128,
        registers: 16,
        latency: 3,
        wait: 60,
        lane: 20,
        shuffle: 20,
        masked: None,
        divide: 200,
        float_divide: 160,
    },
];

impl Vectors {
    /// The vector unit of `machine`, or that of the default machine if there is no model.
    pub fn of(machine: &Machine) -> &'static Self {
        VECTORS.iter().find(|v| v.machine == machine.name).unwrap_or(&VECTORS[0])
    }
    /// The number of registers for `lanes` values of `bits` bits.
    pub fn parts(&self, lanes: u32, bits: u32) -> u32 {
        // A lane has at least one byte, also for i1 and for the results of comparisons.
        let bits = u64::from(bits.max(8).next_power_of_two());
        let all = u64::from(lanes) * bits;
        u32::try_from(all.div_ceil(u64::from(self.bits))).unwrap_or(u32::MAX).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use backedge_transform::cost::MACHINES;

    #[test]
    fn every_machine_has_one() {
        for machine in MACHINES {
            assert_eq!(Vectors::of(machine).machine, machine.name);
        }
        assert_eq!(MACHINES.len(), VECTORS.len());
    }

    #[test]
    fn parts_are_registers() {
        let v = &VECTORS[0];
        assert_eq!([v.parts(8, 32), v.parts(16, 32), v.parts(2, 64), v.parts(16, 1)], [1, 2, 1, 1]);
    }
}
