//! The caller, for turns and limits: the address at the other end of a connection.
//!
//! This module must not resolve a name, and must not know any limit.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};

/// The caller: an address, or the service itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Peer(IpAddr);

impl Peer {
    /// The service itself.
    pub const SELF: Peer = Peer(IpAddr::V6(Ipv6Addr::UNSPECIFIED));

    /// The peer at the other end of a connection; the service itself if there is none.
    pub fn of(address: Option<SocketAddr>) -> Self {
        address.map_or(Peer::SELF, |address| Peer::at(address.ip()))
    }

    /// The peer at that address. An IPv6 /64 network is one peer, because a caller has all of it.
    pub fn at(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V6(long) => Peer(IpAddr::V6(Ipv6Addr::from_bits(long.to_bits() >> 64 << 64))),
            short => Peer(short),
        }
    }
}

impl fmt::Display for Peer {
    /// Its address, or that of its network.
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_is_one_peer() {
        let peer = |text: &str| Peer::at(text.parse().unwrap());
        assert_eq!(peer("2001:db8::1"), peer("2001:db8::ffff:1"));
        assert_ne!(peer("2001:db8::1"), peer("2001:db8:0:1::1"));
        assert_eq!(peer("::ffff:10.0.0.1"), peer("10.0.0.1"));
        assert_ne!(peer("10.0.0.2"), peer("10.0.0.1"));
    }
}
