//! Runs a stand-in deployment with a real Claude Code in a network of its own.
//!
//! `standin-enclosure CLAUDE` expects to be started in a network namespace in
//! which nothing is up, with a `resolv.conf` that names 127.0.0.1. It brings the
//! loopback interface up, counts the names that are asked for and the
//! connections that have no route or no listener, and prints as JSON what it
//! saw of an attempt of its own and of the run.

use std::error::Error;

#[cfg(target_os = "linux")]
fn main() -> Result<(), Box<dyn Error>> {
    linux::main()
}

#[cfg(not(target_os = "linux"))]
fn main() -> Result<(), Box<dyn Error>> {
    Err("only Linux has such networks".into())
}

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::BTreeSet;
    use std::error::Error;
    use std::io::{self, Write as _};
    use std::net::{Ipv4Addr, TcpStream, UdpSocket};
    use std::os::fd::AsRawFd as _;
    use std::path::PathBuf;
    use std::sync::{Arc, Mutex, PoisonError};
    use std::time::Duration;
    use std::{env, fs, thread};

    use harness::deployment::{Deployment, Limits};
    use harness::environment::Environment;
    use harness::environment::runner::Runner;
    use harness::executables;
    use harness::interrupt::Interrupt;
    use harness::process::Supervisor;
    use harness::run;
    use nix::sys::socket::{
        AddressFamily, MsgFlags, NetlinkAddr, SockFlag, SockProtocol, SockType, recv, sendto,
        socket,
    };
    use serde_json::{Value, json};
    use standin::client::RealClient;
    use standin::deployment::{Parts, Standin};

    type Outcome<T = ()> = Result<T, Box<dyn Error>>;

    /// Bound on the clean-up after a signal.
    const CLEAN_UP: Duration = Duration::from_secs(5);

    pub(super) fn main() -> Outcome {
        let claude = env::args_os().nth(1).ok_or("the CLI is not named")?;
        raise_loopback()?;
        let resolver = Resolver::start()?;

        let untouched = Counters::read()?;
        // A name reserved for documentation, by RFC 2606.
        if TcpStream::connect("canary.example:443").is_ok() {
            return Err("this network is not closed".into());
        }
        let before = Counters::read()?;
        let canary = json!({
            "names": resolver.take(),
            "unroutable": before.unroutable > untouched.unroutable,
        });

        let run = run_once(claude.into())?;
        let after = Counters::read()?;
        let mut seen = json!({
            "names": resolver.take(),
            "unroutable": after.unroutable - before.unroutable,
            "failed_connections": after.failed_connections - before.failed_connections,
            "unheard_datagrams": after.unheard_datagrams - before.unheard_datagrams,
        });
        for (name, value) in run {
            seen[name] = value;
        }
        let seen = json!({"canary": canary, "run": seen});
        writeln!(io::stdout(), "{seen}")?;
        Ok(())
    }

    /// One run of a deployment that passes.
    fn run_once(claude: PathBuf) -> Outcome<[(&'static str, Value); 2]> {
        let caller = Environment::of_process();
        let runner = Runner::of(&caller);
        let parts = Parts::built(&caller, &runner)?;
        let facts = parts.executables.claude.with_extension("real-cli.json");
        let real_claude = Some(RealClient {
            executable: claude,
            facts,
        });
        let standin = Standin::start(&Parts {
            real_claude,
            ..parts
        })?;
        let mut deployment = Deployment::new(
            standin.environment().clone(),
            &runner,
            Supervisor::at(executables::supervisor()?),
            Interrupt::install(CLEAN_UP)?,
        );
        deployment.host.managed_settings = vec![standin.managed_settings()];
        deployment.limits = Limits {
            probe: Duration::from_secs(20),
            command: Duration::from_secs(20),
            settle: Duration::from_secs(20),
            ..deployment.limits
        };
        let code = match run::single_request(&deployment) {
            Ok(_) => "passes".to_owned(),
            Err(refusal) => refusal.code(),
        };
        let posts = standin.edge.seen().messages;
        Ok([("code", code.into()), ("posts", posts.into())])
    }

    /// Brings the loopback interface up, as rtnetlink(7) describes.
    fn raise_loopback() -> Outcome {
        const NEW_LINK: u16 = 16;
        const REQUEST_AND_ACKNOWLEDGE: u16 = 5;
        // The first interface of every network.
        const LOOPBACK: i32 = 1;
        const UP: u32 = 1;
        let socket = socket(
            AddressFamily::Netlink,
            SockType::Raw,
            SockFlag::SOCK_CLOEXEC,
            SockProtocol::NetlinkRoute,
        )?;
        let mut message = Vec::new();
        message.extend(32_u32.to_ne_bytes());
        message.extend(NEW_LINK.to_ne_bytes());
        message.extend(REQUEST_AND_ACKNOWLEDGE.to_ne_bytes());
        // Sequence number, sender; family and type of the interface.
        message.extend([0; 12]);
        message.extend(LOOPBACK.to_ne_bytes());
        message.extend(UP.to_ne_bytes());
        message.extend(UP.to_ne_bytes());
        let kernel = NetlinkAddr::new(0, 0);
        sendto(socket.as_raw_fd(), &message, &kernel, MsgFlags::empty())?;
        let mut answer = [0; 64];
        let length = recv(socket.as_raw_fd(), &mut answer, MsgFlags::empty())?;
        // The error number behind the header, 0 for none.
        match answer.get(16..20) {
            Some([0, 0, 0, 0]) if length >= 20 => Ok(()),
            _ => Err("the loopback interface stays down".into()),
        }
    }

    /// What every name resolves to: an address reserved for documentation, by RFC 5737.
    const ELSEWHERE: Ipv4Addr = Ipv4Addr::new(192, 0, 2, 1);

    /// A resolver that knows every name, and keeps those that it is asked for.
    struct Resolver(Arc<Mutex<BTreeSet<String>>>);

    impl Resolver {
        fn start() -> io::Result<Self> {
            let socket = UdpSocket::bind("127.0.0.1:53")?;
            let names = Arc::new(Mutex::new(BTreeSet::new()));
            let asked = Arc::clone(&names);
            thread::spawn(move || {
                let mut question = [0; 512];
                while let Ok((length, client)) = socket.recv_from(&mut question) {
                    let question = &question[..length];
                    asked
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .insert(name_of(question));
                    // A client that has gone wants no answer.
                    let _ = socket.send_to(&answer(question), client);
                }
            });
            Ok(Self(names))
        }

        fn take(&self) -> BTreeSet<String> {
            std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
        }
    }

    /// The answer to a question, as in RFC 1035: one address, or none of another kind.
    fn answer(question: &[u8]) -> Vec<u8> {
        // Behind the header, the name with its last, empty label, and type and class.
        let name = question.get(12..).unwrap_or_default();
        let name = name.iter().position(|&byte| byte == 0).unwrap_or(0) + 1;
        let asked = question.get(12..12 + name + 4).unwrap_or_default();
        let is_address = asked.get(name..name + 2) == Some(&[0, 1]);
        let mut answer = question.get(..2).unwrap_or_default().to_vec();
        answer.extend([0x81, 0x80, 0, 1, 0, u8::from(is_address), 0, 0, 0, 0]);
        answer.extend(asked);
        if is_address {
            // That name, type and class, a minute, and the length of an address.
            answer.extend([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4]);
            answer.extend(ELSEWHERE.octets());
        }
        answer
    }

    /// The name that a question asks for.
    fn name_of(question: &[u8]) -> String {
        let mut labels = Vec::new();
        let mut rest = question.get(12..).unwrap_or_default();
        while let [length @ 1..=63, tail @ ..] = rest {
            let Some((label, tail)) = tail.split_at_checked(usize::from(*length)) else {
                break;
            };
            labels.push(String::from_utf8_lossy(label).into_owned());
            rest = tail;
        }
        labels.join(".")
    }

    /// Counters of this network, as in RFC 4293, RFC 4022 and RFC 4113.
    struct Counters {
        unroutable: u64,
        failed_connections: u64,
        unheard_datagrams: u64,
    }

    impl Counters {
        fn read() -> Outcome<Self> {
            let text = fs::read_to_string("/proc/net/snmp")?;
            let counter = |protocol: &str, name: &str| -> Outcome<u64> {
                let mut lines = text.lines().filter_map(|line| line.strip_prefix(protocol));
                let (names, values) = lines.next().zip(lines.next()).ok_or("no counters")?;
                let at = names.split_whitespace().position(|found| found == name);
                let value = at.and_then(|at| values.split_whitespace().nth(at));
                Ok(value.ok_or("no such counter")?.parse()?)
            };
            let text6 = fs::read_to_string("/proc/net/snmp6").unwrap_or_default();
            let unroutable6 = text6
                .lines()
                .find_map(|line| line.strip_prefix("Ip6OutNoRoutes"))
                .and_then(|value| value.trim().parse::<u64>().ok());
            Ok(Self {
                // A host without IPv6 has no such counter.
                unroutable: counter("Ip:", "OutNoRoutes")? + unroutable6.unwrap_or(0),
                failed_connections: counter("Tcp:", "AttemptFails")?,
                unheard_datagrams: counter("Udp:", "NoPorts")?,
            })
        }
    }
}
