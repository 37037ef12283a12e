//! Durations as people read them.

/// A duration of so many milliseconds: `560 ms`, `12.34 s`, `4 min 05 s`, `1 h 02 min`.
pub fn duration(ms: u64) -> String {
    let seconds = ms / 1000;
    match seconds {
        0 => format!("{ms} ms"),
        1..=99 => format!("{seconds}.{:02} s", ms % 1000 / 10),
        100..=5999 => format!("{} min {:02} s", seconds / 60, seconds % 60),
        _ => format!("{} h {:02} min", seconds / 3600, seconds / 60 % 60),
    }
}

/// The unit that the durations of one table have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// Whole milliseconds.
    Milliseconds,
    /// Seconds with two decimals.
    Seconds,
}

impl Unit {
    /// The unit for durations up to this many milliseconds.
    pub(crate) fn up_to(most_ms: u64) -> Self {
        if most_ms < 10_000 {
            Self::Milliseconds
        } else {
            Self::Seconds
        }
    }

    /// Its name.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Milliseconds => "milliseconds",
            Self::Seconds => "seconds",
        }
    }

    /// A duration without its unit.
    pub(crate) fn figure(self, ms: u64) -> String {
        match self {
            Self::Milliseconds => ms.to_string(),
            Self::Seconds => format!("{}.{:02}", ms / 1000, ms % 1000 / 10),
        }
    }
}

/// The least, the middle and the greatest of some values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Spread {
    /// The least.
    pub(crate) least: u64,
    /// The middle one, or half way between the two in the middle.
    pub(crate) median: u64,
    /// The greatest.
    pub(crate) most: u64,
}

impl Spread {
    /// The spread of some values; all 0 if there are none.
    pub(crate) fn of(values: &[u64]) -> Self {
        let mut sorted = values.to_vec();
        sorted.sort_unstable();
        let (Some(&least), Some(&most)) = (sorted.first(), sorted.last()) else {
            return Self::default();
        };
        let [low, high] = [(sorted.len() - 1) / 2, sorted.len() / 2].map(|at| sorted[at]);
        Self {
            least,
            median: low + (high - low) / 2,
            most,
        }
    }
}
