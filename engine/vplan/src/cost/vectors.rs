//! What vectors cost on the machines that there are models of, beside what [`Machine`] says of branches and caches.

use backedge_transform::cost::Machine;

/// The vector unit of a machine. Costs are in tenths of an instruction.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Vectors {
    /// The machine's name.
    pub machine: &'static str,
    /// How many bits a register has.
    pub bits: u32,
    /// How many registers there are.
    pub registers: u32,
    /// How many operations can be begun before the first has its result: parts that are interleaved hide that.
    pub latency: u32,
    /// An addition of floating-point numbers that waits for the one before it: what is done meanwhile elsewhere.
    pub wait: u32,
    /// Putting one lane into a vector, or taking it out.
    pub lane: u32,
    /// Moving lanes of one register.
    pub shuffle: u32,
    /// What a load or store of some lanes costs beyond one of all; `None` if there is no such instruction.
    pub masked: Option<u32>,
    /// A division of integers, of one lane: no machine has one of vectors.
    pub divide: u32,
    /// A division or root of floating-point numbers, per register.
    pub float_divide: u32,
}

/// That of an out-of-order machine; how it predicts branches is no matter.
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
    /// The vector unit of `machine`; that of the default one, if there is no model of it.
    pub fn of(machine: &Machine) -> &'static Self {
        VECTORS.iter().find(|v| v.machine == machine.name).unwrap_or(&VECTORS[0])
    }
    /// How many registers `lanes` values of `bits` bits take.
    pub fn parts(&self, lanes: u32, bits: u32) -> u32 {
        // Of bits and the like each lane takes a byte, as what is compared does.
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
