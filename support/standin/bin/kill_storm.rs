//! Kills the smoke at random moments, and counts what is left.
//!
//! `standin-kill-storm COUNT SEED START` does so for the repetitions from START up to COUNT, in a
//! stand-in deployment of its own. What a repetition does follows from the seed and its number
//! alone, so a storm can be resumed, and one repetition repeated. Fails if anything is left.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "an executable of its own reads its variables and prints what it counts"
)]

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};
use std::{env, fmt, fs, io, thread};

use harness::executables;
use harness::manifest::validate::validate;
use harness::schema::ManifestSchema;
use script::Printed;
use standin::deployment::{Parts, Standin};
use standin::{observations, processes};

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

/// The smoke's grace and quiet period, in milliseconds.
const LIMITS: [&str; 2] = ["200", "50"];

/// Longest time that the supervisors may take to clean up behind a smoke that was killed.
const CLEAN_UP: Duration = Duration::from_secs(10);

/// Runs by which the usual duration is measured.
const SAMPLES: u32 = 5;

/// Repetitions between two lines of progress.
const PROGRESS: u64 = 50;

fn main() -> Outcome<ExitCode> {
    let mut arguments = env::args().skip(1);
    let mut number = || -> Outcome<u64> {
        let argument = arguments.next().ok_or("usage: COUNT SEED START")?;
        Ok(argument.parse()?)
    };
    let (count, seed, start) = (number()?, number()?, number()?);
    println!("seed {seed}, repetitions {start} to {count}");
    let path = env::var_os("PATH").unwrap_or_default();
    let storm = Storm::new(&path)?;
    let mut counts = Counts::default();
    for repetition in start..count {
        if repetition % PROGRESS == 0 && repetition > start {
            println!("resume with SEED={seed} START={repetition}; so far: {counts}");
        }
        let random = |purpose| random(seed, 2 * repetition + purpose);
        let manner = Manner::ALL[usize::try_from(random(0) % 4)?];
        storm.repeat(manner, random(1), &mut counts)?;
    }
    println!("seed {seed}: {counts}");
    Ok(if counts.is_clean() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// What the CLI does in a repetition.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Manner {
    /// It speaks to the Edge and all goes well.
    Passing,
    /// It leaves processes that do not end when asked to.
    Leaving,
}

impl Manner {
    /// One is taken at random.
    const ALL: [Self; 4] = [Self::Passing, Self::Passing, Self::Passing, Self::Leaving];
}

/// What came of the repetitions.
#[derive(Default)]
struct Counts {
    repetitions: u64,
    ended_before: u64,
    whole: u64,
    processes: usize,
    partial: u64,
    homes: usize,
}

impl Counts {
    fn is_clean(&self) -> bool {
        (self.processes, self.partial, self.homes) == (0, 0, 0)
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} repetitions ({} had ended before the kill, {} left a whole manifest): \
             {} processes left, {} partial outputs, {} private homes left",
            self.repetitions,
            self.ended_before,
            self.whole,
            self.processes,
            self.partial,
            self.homes
        )
    }
}

/// The deployment that the smoke is killed in.
struct Storm {
    standin: Standin,
    schema: ManifestSchema,
    smoke: PathBuf,
    /// How long a run takes that is left alone, by manner.
    passing: Duration,
    leaving: Duration,
}

impl Storm {
    fn new(path: &std::ffi::OsStr) -> Outcome<Self> {
        let standin = Standin::start(&Parts::under(Path::new("."), path)?)?;
        let schema = ManifestSchema::parse(&fs::read(standin.path("schema.json"))?)?;
        let mut storm = Self {
            standin,
            schema,
            smoke: executables::find("standin-smoke")?,
            passing: Duration::ZERO,
            leaving: Duration::ZERO,
        };
        storm.passing = storm.duration(Manner::Passing)?;
        if !storm.standin.path("out/manifest.json").exists() {
            return Err("the run does not pass when left alone".into());
        }
        storm.leaving = storm.duration(Manner::Leaving)?;
        Ok(storm)
    }

    /// How long it takes when left alone; the shortest of a few times, for the first is slow.
    fn duration(&self, manner: Manner) -> Outcome<Duration> {
        let mut shortest = Duration::MAX;
        for _ in 0..SAMPLES {
            self.reset(manner)?;
            let started = Instant::now();
            let mut smoke = self.start()?;
            if processes::of(self.standin.root()).is_empty() {
                return Err("a process that is there is not seen".into());
            }
            smoke.wait()?;
            shortest = shortest.min(started.elapsed());
        }
        Ok(shortest)
    }

    /// Kills one run at a moment between its start and some time after its shortest end.
    fn repeat(&self, manner: Manner, random: u64, counts: &mut Counts) -> Outcome {
        self.reset(manner)?;
        let shortest = match manner {
            Manner::Passing => self.passing,
            Manner::Leaving => self.leaving,
        };
        let longest = u64::try_from(shortest.as_micros())? * 3 / 2;
        let mut smoke = self.start()?;
        // The moment is what this is about: there is no event to wait for.
        thread::sleep(Duration::from_micros(random % longest.max(1)));
        smoke.kill()?;
        counts.ended_before += u64::from(smoke.wait()?.code().is_some());
        counts.repetitions += 1;
        counts.processes += self.processes_left();
        counts.homes += names(&self.standin.path("tmp"))?.len();
        match &names(&self.standin.path("out"))?[..] {
            [] => {}
            [name] if name == "manifest.json" => {
                let bytes = fs::read(self.standin.path("out/manifest.json"))?;
                match validate(&bytes, &self.schema) {
                    Ok(_) => counts.whole += 1,
                    Err(_) => counts.partial += 1,
                }
            }
            _ => counts.partial += 1,
        }
        Ok(())
    }

    /// The deployment as it was before the first run.
    fn reset(&self, manner: Manner) -> Outcome {
        for folder in ["out", "tmp", "workspace"] {
            let folder = self.standin.path(folder);
            fs::remove_dir_all(&folder)?;
            fs::create_dir(&folder)?;
        }
        fs::write(self.standin.path("edge.log"), observations::startup())?;
        self.standin.script_claude(|script| {
            script.after_run = (manner == Manner::Leaving).then(|| self.leaving_processes());
        })?;
        Ok(())
    }

    fn leaving_processes(&self) -> Printed {
        let steps = "start [ session hold wait ] orphan [ session hold wait ] exit 0";
        let program = self.smoke.with_file_name("standin-process");
        // It needs no socket, but names the deployment's folder in every command line.
        let mut execute = vec![program, self.standin.path("no-socket")];
        execute.extend(steps.split(' ').map(PathBuf::from));
        Printed {
            execute,
            ..Printed::default()
        }
    }

    fn start(&self) -> io::Result<Child> {
        Command::new(&self.smoke)
            .arg(self.standin.managed_settings())
            .args(LIMITS)
            .env_clear()
            .envs(self.standin.environment().iter())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
    }

    /// Processes that are there when the supervisors had their time.
    fn processes_left(&self) -> usize {
        let until = Instant::now() + CLEAN_UP;
        loop {
            let left = processes::of(self.standin.root());
            if left.is_empty() || Instant::now() >= until {
                for line in &left {
                    println!("left: {line}");
                }
                return left.len();
            }
            thread::sleep(Duration::from_millis(2));
        }
    }
}

fn names(folder: &Path) -> io::Result<Vec<std::ffi::OsString>> {
    fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.file_name()))
        .collect()
}

/// A number that follows from the seed and an index: splitmix64.
fn random(seed: u64, index: u64) -> u64 {
    let mut value = seed.wrapping_add(index.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}
