//! Rate limits: requests per minute and CPU seconds per minute of each caller.
//!
//! No limit is set by default. A caller is a known token or, without one, an address. Every
//! response says what is left, in the headers `RateLimit` and `RateLimit-Policy` of the IETF draft
//! (draft-ietf-httpapi-ratelimit-headers, version 8 or later). This module must not know a route.

use std::collections::HashMap;
use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::http::peer::Peer;

/// The seconds in which a used-up allowance is fully restored.
const WINDOW: f64 = 60.0;

/// The number of callers that are tracked separately; any further ones share one account.
const MOST_CALLERS: usize = 50_000;

/// The holder of an account. Its text form is the same on every server, so that work that continues
/// on another server is charged there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Holder {
    /// The sender of the token with that hash.
    Token([u8; 32]),
    /// The callers from an address.
    Address(Peer),
}

impl fmt::Display for Holder {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Holder::Token(hash) => write!(to, "token {}", blake3::Hash::from_bytes(*hash)),
            Holder::Address(peer) => write!(to, "address {peer}"),
        }
    }
}

impl FromStr for Holder {
    type Err = ();

    /// # Errors
    /// The text is malformed or of another version.
    fn from_str(text: &str) -> Result<Self, ()> {
        match text.split_once(' ') {
            Some(("token", hash)) => {
                let hash = blake3::Hash::from_hex(hash).map_err(drop)?;
                Ok(Holder::Token(*hash.as_bytes()))
            }
            Some(("address", peer)) => {
                let address: IpAddr = peer.parse().map_err(drop)?;
                Ok(Holder::Address(Peer::at(address)))
            }
            _ => Err(()),
        }
    }
}

/// The rate limit of one caller, per minute.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Quota {
    /// Requests.
    pub requests: Option<u32>,
    /// CPU seconds.
    pub cpu: Option<u32>,
}

/// The accounts of all callers.
#[derive(Debug, Default)]
pub struct Allowances {
    quota: Quota,
    /// What is left to each; `None` is the shared account of the callers for which there was no
    /// room.
    accounts: Mutex<HashMap<Option<Holder>, Arc<Mutex<Buckets>>>>,
}

/// A caller, and what is left to it.
#[derive(Clone, Debug)]
pub struct Account {
    holder: Holder,
    left: Arc<Mutex<Buckets>>,
}

/// A level that refills steadily up to its quota.
#[derive(Clone, Copy, Debug)]
struct Bucket {
    level: f64,
    quota: f64,
}

#[derive(Debug)]
struct Buckets {
    requests: Option<Bucket>,
    cpu: Option<Bucket>,
    at: Instant,
}

/// An allowance is used up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spent {
    /// The quota that is used up.
    pub what: String,
    /// The seconds until a retry can succeed; at least 1.
    pub retry_after: u64,
}

impl Bucket {
    fn full(quota: u32) -> Self {
        Bucket { level: f64::from(quota), quota: f64::from(quota) }
    }

    fn rise(&mut self, seconds: f64) {
        self.level = (self.level + self.quota * seconds / WINDOW).min(self.quota);
    }

    /// The seconds until the level is this high.
    fn until(&self, level: f64) -> f64 {
        ((level - self.level) * WINDOW / self.quota).max(0.0)
    }

    fn is_full(&self) -> bool {
        self.level >= self.quota
    }
}

impl Buckets {
    fn all_of(quota: Quota, now: Instant) -> Self {
        let Quota { requests, cpu } = quota;
        Buckets { requests: requests.map(Bucket::full), cpu: cpu.map(Bucket::full), at: now }
    }

    /// A panic cannot leave these numbers inconsistent.
    fn of(left: &Mutex<Buckets>) -> MutexGuard<'_, Buckets> {
        left.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn rise(&mut self, now: Instant) {
        let seconds = now.saturating_duration_since(self.at).as_secs_f64();
        self.at = self.at.max(now);
        self.requests.iter_mut().chain(&mut self.cpu).for_each(|bucket| bucket.rise(seconds));
    }
}

impl Account {
    /// The holder of the account.
    pub fn holder(&self) -> Holder {
        self.holder
    }

    fn left(&self) -> MutexGuard<'_, Buckets> {
        Buckets::of(&self.left)
    }

    /// Charges the request itself.
    fn take(&self, now: Instant) -> Result<(), Spent> {
        let mut left = self.left();
        left.rise(now);
        // CPU time is known only afterwards, so this level may fall below zero.
        if let Some(cpu) = left.cpu
            && cpu.level <= 0.0
        {
            let what = format!("{} CPU seconds per minute", cpu.quota);
            return Err(Spent { what, retry_after: seconds(cpu.until(0.0)).max(1) });
        }
        if let Some(requests) = &mut left.requests {
            if requests.level < 1.0 {
                let what = format!("{} requests per minute", requests.quota);
                return Err(Spent { what, retry_after: seconds(requests.until(1.0)).max(1) });
            }
            requests.level -= 1.0;
        }
        Ok(())
    }

    /// Charges CPU time.
    pub fn charge(&self, time: Duration) {
        if let Some(cpu) = &mut self.left().cpu {
            cpu.level -= time.as_secs_f64();
        }
    }

    /// The time until the CPU time charged beyond the quota is restored; zero within the quota.
    pub fn debt(&self, now: Instant) -> Duration {
        let mut left = self.left();
        left.rise(now);
        let owed = left.cpu.as_ref().map_or(0.0, |cpu| cpu.until(0.0));
        Duration::from_secs_f64(owed)
    }

    /// What is left, in the format of the header `RateLimit`: `r` is what is left, `t` the seconds
    /// until it is fully restored.
    pub fn header(&self, now: Instant) -> String {
        let mut left = self.left();
        left.rise(now);
        let item = |name: &str, bucket: &Bucket| {
            let (rest, time) = (bucket.level.max(0.0) as u64, seconds(bucket.until(bucket.quota)));
            format!("\"{name}\";r={rest};t={time}")
        };
        let requests = left.requests.iter().map(|bucket| item("requests", bucket));
        let cpu = left.cpu.iter().map(|bucket| item("cpu", bucket));
        requests.chain(cpu).collect::<Vec<_>>().join(", ")
    }
}

/// Whole seconds, rounded up.
fn seconds(time: f64) -> u64 {
    time.ceil() as u64
}

impl Allowances {
    /// The same quota per minute for each caller.
    pub fn new(quota: Quota) -> Self {
        Allowances { quota, accounts: Mutex::default() }
    }

    /// Whether there is any limit.
    pub fn is_set(&self) -> bool {
        self.quota != Quota::default()
    }

    /// The quota, in the format of the header `RateLimit-Policy`.
    pub fn policy(&self) -> String {
        let requests = self.quota.requests.map(|quota| format!("\"requests\";q={quota};w=60"));
        let cpu = self.quota.cpu.map(|quota| format!("\"cpu\";q={quota};w=60;qu=\"seconds\""));
        requests.into_iter().chain(cpu).collect::<Vec<_>>().join(", ")
    }

    /// The account of a caller that makes a request now.
    ///
    /// # Errors
    /// [`Spent`], beside the account, if nothing is left.
    pub fn ask(&self, holder: Holder, now: Instant) -> (Account, Result<(), Spent>) {
        let account = self.account(holder, now);
        let taken = account.take(now);
        (account, taken)
    }

    /// The account of a holder that need not make a request.
    pub fn account(&self, holder: Holder, now: Instant) -> Account {
        let mut accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        let known = accounts.contains_key(&Some(holder));
        if accounts.len() >= MOST_CALLERS && !known {
            // A full account need not be remembered.
            accounts.retain(|_, left| {
                let mut left = Buckets::of(left);
                left.rise(now);
                !left.requests.iter().chain(&left.cpu).all(Bucket::is_full)
            });
        }
        let full = accounts.len() >= MOST_CALLERS && !known;
        let left = accounts.entry((!full).then_some(holder));
        let left = left.or_insert_with(|| Arc::new(Mutex::new(Buckets::all_of(self.quota, now))));
        Account { holder, left: left.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_holder_is_read_as_it_is_said() {
        let peers =
            ["10.0.0.1", "2001:db8::7"].map(|it| Holder::Address(Peer::at(it.parse().unwrap())));
        for holder in [Holder::Token([7; 32]), peers[0], peers[1]] {
            assert_eq!(holder.to_string().parse(), Ok(holder));
        }
        assert_eq!(peers[1].to_string(), "address 2001:db8::");
        for other in ["", "token", "token 7", "address", "address here", "rest 1"] {
            assert_eq!(other.parse::<Holder>(), Err(()), "{other}");
        }
    }

    fn caller(number: u32) -> Holder {
        Holder::Address(Peer::at(std::net::Ipv4Addr::from_bits(number).into()))
    }

    #[test]
    fn requests_come_back_over_a_minute_and_each_caller_has_its_own() {
        let allowances = Allowances::new(Quota { requests: Some(60), cpu: None });
        let start = Instant::now();
        for _ in 0..60 {
            assert_eq!(allowances.ask(caller(1), start).1, Ok(()));
        }
        let (account, refused) = allowances.ask(caller(1), start);
        let what = "60 requests per minute".to_owned();
        assert_eq!(refused, Err(Spent { what, retry_after: 1 }));
        assert_eq!(account.header(start), "\"requests\";r=0;t=60");
        assert_eq!(allowances.ask(caller(2), start).1, Ok(()));
        let later = start + Duration::from_millis(2500);
        assert_eq!(account.header(later), "\"requests\";r=2;t=58");
        let taken = (0..9).filter(|_| allowances.ask(caller(1), later).1.is_ok()).count();
        assert_eq!(taken, 2);
        assert_eq!(allowances.policy(), "\"requests\";q=60;w=60");
    }

    #[test]
    fn work_is_charged_afterwards_and_paid_back() {
        let allowances = Allowances::new(Quota { requests: None, cpu: Some(30) });
        let start = Instant::now();
        let (account, _) = allowances.ask(caller(1), start);
        account.charge(Duration::from_secs(40));
        let (_, refused) = allowances.ask(caller(1), start);
        assert_eq!(refused.unwrap_err().retry_after, 20);
        assert!(allowances.ask(caller(1), start + Duration::from_secs(19)).1.is_err());
        assert!(allowances.ask(caller(1), start + Duration::from_secs(21)).1.is_ok());
        assert_eq!(allowances.policy(), "\"cpu\";q=30;w=60;qu=\"seconds\"");
    }

    #[test]
    fn accounts_are_bounded_and_who_finds_no_room_shares_one() {
        let allowances = Allowances::new(Quota { requests: Some(2), cpu: None });
        let start = Instant::now();
        for number in 0..MOST_CALLERS as u32 {
            assert!(allowances.ask(caller(number), start).1.is_ok());
        }
        let more = MOST_CALLERS as u32;
        let taken = (more..more + 10).filter(|&it| allowances.ask(caller(it), start).1.is_ok());
        assert_eq!(taken.count(), 2, "one account for all of them");
        // Known callers keep their own accounts.
        assert!(allowances.ask(caller(0), start).1.is_ok());
        // After a minute the others are full again, and forgotten.
        let later = start + Duration::from_secs(61);
        assert!(allowances.ask(caller(more + 20), later).1.is_ok());
        assert!(allowances.accounts.lock().unwrap().len() < 10);
    }
}
