//! The host names that the service answers to.
//!
//! A web page can point its own host name at a loopback address and would then have the same origin
//! as the service (DNS rebinding). Therefore a request must be addressed to this machine or to a
//! name that the service was configured with. This module must not resolve a name.

use std::net::{IpAddr, Ipv6Addr};

use actix_web::dev::ServiceRequest;
use actix_web::http::header;

/// The host names that are accepted besides those of the machine itself.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Hosts {
    names: Vec<String>,
    every: bool,
}

impl Hosts {
    /// Accepts these names, in any case; `*` accepts every name.
    pub fn new(names: &[String]) -> Self {
        let every = names.iter().any(|name| name == "*");
        Hosts { names: names.iter().map(|name| name.to_ascii_lowercase()).collect(), every }
    }

    /// The host name that a request is addressed to, if it is not accepted. A request without a
    /// host name (in HTTP/1.0) is harmless.
    pub fn foreign(&self, request: &ServiceRequest) -> Option<String> {
        if self.every {
            return None;
        }
        // A target in absolute form takes precedence over the header (RFC 9112, 3.2.2).
        let target = request.uri().authority().map(|authority| authority.as_str());
        let header = || request.headers().get(header::HOST).map(|it| it.to_str().unwrap_or("?"));
        let sent = target.or_else(header)?;
        (!self.knows(sent)).then(|| sent.to_owned())
    }

    /// Whether a host name is accepted, with or without a port.
    fn knows(&self, sent: &str) -> bool {
        let name = match sent.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
            _ => sent,
        };
        let name = name.trim_end_matches('.').to_ascii_lowercase();
        let long = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
        let address = match long {
            Some(long) => long.parse::<Ipv6Addr>().is_ok(),
            None => name.parse::<IpAddr>().is_ok(),
        };
        address || name == "localhost" || name.ends_with(".localhost") || self.names.contains(&name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_itself_addresses_and_named_names_are_known() {
        let hosts = Hosts::new(&["Club.example".to_owned()]);
        for known in [
            "localhost",
            "LOCALHOST:8080",
            "umpire.localhost",
            "127.0.0.1:8080",
            "127.0.0.1",
            "[::1]:8080",
            "[::1]",
            "192.168.1.4:80",
            "club.example",
            "club.example.:443",
        ] {
            assert!(hosts.knows(known), "{known}");
        }
        for foreign in [
            "attacker.example",
            "attacker.example:8080",
            "localhost.attacker.example",
            "127.0.0.1.attacker.example",
            "evil-localhost",
            "[attacker]",
            "",
            "?",
            "other.club.example",
        ] {
            assert!(!hosts.knows(foreign), "{foreign}");
        }
    }
}
