//! The address of the database, and how to connect to it.
//!
//! This module must not show a password, and must not contain SQL.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::super::StoreError;

/// The address of a database, and whether connections to it are encrypted.
#[derive(Clone)]
pub(super) struct Address {
    pub(super) config: Config,
    pub(super) tls: MakeRustlsConnect,
}

/// Without the password.
impl fmt::Display for Address {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let host = match self.config.get_hosts().first() {
            Some(Host::Tcp(name)) => name.clone(),
            #[cfg(unix)]
            Some(Host::Unix(path)) => path.display().to_string(),
            None => "localhost".to_owned(),
        };
        let port = self.config.get_ports().first().copied().unwrap_or(5432);
        let database = self.config.get_dbname().or(self.config.get_user()).unwrap_or_default();
        write!(to, "postgres://{host}:{port}/{database}")
    }
}

impl Address {
    /// Parses an address, `postgres://USER:PASSWORD@HOST:PORT/DATABASE?OPTIONS`. With `sslmode`,
    /// `disable` never encrypts, `prefer` (the default) does if the server supports it, `require`
    /// always does. With `sslrootcert=FILE`, or `verify-full`, which requires it, the certificate
    /// of the server must be signed by one in that file and be valid for the host of the address.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`]: the address is invalid, or the file cannot be read.
    pub(super) fn read(text: &str) -> Result<Self, StoreError> {
        let wrong =
            |why: String| StoreError::Unavailable(format!("the address of the database: {why}"));
        let (start, options) = text.split_once('?').unwrap_or((text, ""));
        let mut left = Vec::new();
        let mut roots = None;
        let mut verified = false;
        for option in options.split('&').filter(|option| !option.is_empty()) {
            match option.split_once('=') {
                Some(("sslrootcert", file)) => roots = Some(file.to_owned()),
                Some(("sslmode", "verify-full" | "verify-ca")) => verified = true,
                _ => left.push(option),
            }
        }
        if verified && roots.is_none() {
            return Err(wrong(
                "sslmode=verify-full requires sslrootcert=FILE, a file of trusted root certificates"
                    .to_owned(),
            ));
        }
        let mut config: Config = format!("{start}?{}", left.join("&"))
            .parse()
            // The error message may quote the address, including the password.
            .map_err(|_| {
                wrong("expected postgres://USER:PASSWORD@HOST:PORT/DATABASE".to_owned())
            })?;
        if verified || (roots.is_some() && config.get_ssl_mode() == SslMode::Prefer) {
            config.ssl_mode(SslMode::Require);
        }
        if config.get_application_name().is_none() {
            config.application_name("umpire");
        }
        // Notice peers that vanish without closing the connection.
        config.keepalives_idle(Duration::from_secs(15));
        config.keepalives_interval(Duration::from_secs(5));
        config.keepalives_retries(3);
        config.tcp_user_timeout(Duration::from_secs(30));
        let tls = MakeRustlsConnect::new(client(roots.as_deref()).map_err(wrong)?);
        Ok(Address { config, tls })
    }

    /// The same with server settings, as `name=value`, for each connection.
    pub(super) fn with(&self, settings: &[&str]) -> Config {
        let mut config = self.config.clone();
        let mut options = config.get_options().unwrap_or_default().to_owned();
        for setting in settings {
            options.push_str(" -c ");
            options.push_str(setting);
        }
        config.options(options);
        config
    }
}

/// The TLS configuration.
fn client(roots: Option<&str>) -> Result<ClientConfig, String> {
    let provider = Arc::new(ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider.clone())
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?;
    let Some(file) = roots else {
        let any = Arc::new(AnyCertificate(provider));
        return Ok(builder.dangerous().with_custom_certificate_verifier(any).with_no_client_auth());
    };
    let mut store = RootCertStore::empty();
    let read = CertificateDer::pem_file_iter(file).map_err(|error| format!("{file}: {error}"))?;
    for certificate in read {
        let certificate = certificate.map_err(|error| format!("{file}: {error}"))?;
        store.add(certificate).map_err(|error| format!("{file}: {error}"))?;
    }
    Ok(builder.with_root_certificates(store).with_no_client_auth())
}

/// Accepts any certificate: the connection is encrypted, but the server is not authenticated, as
/// with other PostgreSQL clients without a file of root certificates.
#[derive(Debug)]
struct AnyCertificate(Arc<CryptoProvider>);

impl ServerCertVerifier for AnyCertificate {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(
            message,
            certificate,
            signed,
            &self.0.signature_verification_algorithms,
        )
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(
            message,
            certificate,
            signed,
            &self.0.signature_verification_algorithms,
        )
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_shown_without_its_password() {
        let address =
            Address::read("postgres://anna:secret@db.example:5433/games?sslmode=require").unwrap();
        assert_eq!(address.to_string(), "postgres://db.example:5433/games");
        assert_eq!(address.config.get_ssl_mode(), SslMode::Require);
        let plain = Address::read("postgresql:///games?host=127.0.0.1").unwrap();
        assert_eq!(plain.to_string(), "postgres://127.0.0.1:5432/games");
        assert_eq!(plain.config.get_ssl_mode(), SslMode::Prefer);
    }

    #[test]
    fn a_wrong_address_is_refused_without_showing_what_it_says() {
        for text in [
            "postgres://anna:secret@host:x/",
            "postgres://h/d?secret=1",
            "postgres://h/d?sslmode=verify-full",
        ] {
            let Err(why) = Address::read(text) else { panic!("{text} was taken") };
            assert!(!why.to_string().contains("secret"), "{why}");
        }
        let Err(why) = Address::read("postgres://h/d?sslrootcert=/nowhere.pem") else { panic!() };
        assert!(why.to_string().contains("/nowhere.pem"), "{why}");
    }

    #[test]
    fn settings_are_added_to_those_of_the_address() {
        let address = Address::read("postgres://h/d?options=-c%20a%3D1").unwrap();
        assert_eq!(address.with(&["b=2", "c=3"]).get_options(), Some("-c a=1 -c b=2 -c c=3"));
    }
}
