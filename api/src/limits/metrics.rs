//! Metrics in the Prometheus text format.
//!
//! This module must not use labels that a caller can choose freely.

use std::time::Duration;

use prometheus::{
    Counter, HistogramOpts, HistogramVec, IntCounterVec, IntGauge, Opts, Registry, TextEncoder,
};

/// All metrics of one service.
#[derive(Clone, Debug)]
pub struct Metrics {
    registry: Registry,
    requests: IntCounterVec,
    seconds: HistogramVec,
    running: IntGauge,
    verdicts: IntCounterVec,
    stored: IntCounterVec,
    connections: IntGauge,
    shed: IntGauge,
    working: IntGauge,
    worked: Counter,
    damaged: IntGauge,
}

impl Metrics {
    /// New metrics, all zero.
    pub fn new() -> Result<Self, prometheus::Error> {
        let requests = IntCounterVec::new(
            Opts::new("umpire_http_requests_total", "Requests answered."),
            &["method", "route", "status"],
        )?;
        let seconds = HistogramVec::new(
            HistogramOpts::new("umpire_http_request_seconds", "Time until the response started.")
                .buckets(vec![
                    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 20.0,
                ]),
            &["route"],
        )?;
        let running = IntGauge::new("umpire_http_requests_running", "Requests in progress.")?;
        let verdicts = IntCounterVec::new(
            Opts::new("umpire_verdicts_total", "Records validated."),
            &["game", "status"],
        )?;
        let stored = IntCounterVec::new(
            Opts::new("umpire_records_submitted_total", "Records submitted to the store."),
            &["result"],
        )?;
        let connections = IntGauge::new("umpire_connections_open", "Open connections.")?;
        let shed = IntGauge::new(
            "umpire_connections_shed",
            "Connections closed to make room for others.",
        )?;
        let working = IntGauge::new("umpire_work_running", "Jobs running on the CPU.")?;
        let worked = Counter::new("umpire_work_cpu_seconds_total", "CPU time used by requests.")?;
        let registry = Registry::new();
        registry.register(Box::new(working.clone()))?;
        registry.register(Box::new(worked.clone()))?;
        let damaged = IntGauge::new(
            "umpire_store_damaged_records",
            "Damaged records skipped by lists and exports.",
        )?;
        registry.register(Box::new(damaged.clone()))?;
        registry.register(Box::new(connections.clone()))?;
        registry.register(Box::new(shed.clone()))?;
        registry.register(Box::new(requests.clone()))?;
        registry.register(Box::new(seconds.clone()))?;
        registry.register(Box::new(running.clone()))?;
        registry.register(Box::new(verdicts.clone()))?;
        registry.register(Box::new(stored.clone()))?;
        Ok(Metrics {
            registry,
            requests,
            seconds,
            running,
            verdicts,
            stored,
            connections,
            shed,
            working,
            worked,
            damaged,
        })
    }

    /// Counts a request that starts; it ends when the guard is dropped.
    pub fn begin(&self) -> Running {
        self.running.inc();
        Running(self.running.clone())
    }

    /// Counts a request that was answered.
    pub fn answered(&self, method: &str, route: &str, status: &str, took: Duration) {
        self.requests.with_label_values(&[method, route, status]).inc();
        self.seconds.with_label_values(&[route]).observe(took.as_secs_f64());
    }

    /// Sets the number of open connections, and of those closed to make room.
    pub fn connected(&self, open: usize, shed: u64) {
        self.connections.set(i64::try_from(open).unwrap_or(i64::MAX));
        self.shed.set(i64::try_from(shed).unwrap_or(i64::MAX));
    }

    /// Counts a job that starts; it ends when the guard is dropped.
    pub fn work(&self) -> Running {
        self.working.inc();
        Running(self.working.clone())
    }

    /// Counts the CPU time of a job.
    pub fn worked(&self, took: Duration) {
        self.worked.inc_by(took.as_secs_f64());
    }

    /// Counts damaged records that were skipped.
    pub fn damaged(&self, records: u64) {
        self.damaged.set(i64::try_from(records).unwrap_or(i64::MAX));
    }

    /// Counts a validated record.
    pub fn judged(&self, game: &str, status: &str) {
        self.verdicts.with_label_values(&[game, status]).inc();
    }

    /// Counts a submitted record: `new`, `existing`, `refused` or `unreadable`.
    pub fn submitted(&self, result: &str) {
        self.stored.with_label_values(&[result]).inc();
    }

    /// All metrics as text.
    pub fn text(&self) -> Result<String, prometheus::Error> {
        TextEncoder::new().encode_to_string(&self.registry.gather())
    }
}

/// A request or a job in progress.
#[derive(Debug)]
pub struct Running(IntGauge);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.dec();
    }
}
