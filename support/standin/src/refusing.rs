//! An address at which connections are refused.

use std::net::{Ipv4Addr, SocketAddr};
use std::{io, mem};

use socket2::{Domain, Socket, Type};

/// A port of the loopback interface that is taken, so that nobody else is given it, and at which
/// nobody listens: dropping it frees the port.
#[derive(Debug)]
pub struct Refusing(Socket);

impl Refusing {
    /// Takes a free port.
    ///
    /// # Errors
    /// There is none.
    pub fn new() -> io::Result<Self> {
        Self::at((Ipv4Addr::LOCALHOST, 0).into())
    }

    /// Takes a port at which a listener was just closed.
    ///
    /// # Errors
    /// Somebody has it, be it the listener itself.
    pub fn at(address: SocketAddr) -> io::Result<Self> {
        let socket = Socket::new(Domain::for_address(address), Type::STREAM, None)?;
        // Connections of the listener before may not have ended yet.
        socket.set_reuse_address(true)?;
        socket.bind(&address.into())?;
        Ok(Self(socket))
    }

    /// Its origin.
    ///
    /// # Errors
    /// The system does not tell the port.
    pub fn origin(&self) -> io::Result<String> {
        let address = self.0.local_addr()?.as_socket();
        let address = address.ok_or(io::ErrorKind::AddrNotAvailable)?;
        Ok(format!("http://{address}"))
    }

    /// The origin of a port that stays taken until this process ends.
    ///
    /// # Errors
    /// As for [`Refusing::new`].
    pub fn for_good() -> io::Result<String> {
        let refusing = Self::new()?;
        let origin = refusing.origin()?;
        mem::forget(refusing);
        Ok(origin)
    }
}
