//! A real PostgreSQL that encrypts, with a certificate of its own authority.

use std::path::Path;
use std::process::Command;

use tempfile::TempDir;
use umpire_api::store::postgres::PostgresStore;
use umpire_api::store::{Filter, Store};

use crate::postgres;

/// Makes an authority of that name, and a certificate that it has signed for a server at 127.0.0.1.
fn certificates(folder: &Path, authority: &str) {
    let made = |arguments: &[&str]| {
        let made = Command::new("openssl").args(arguments).current_dir(folder).output().unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    };
    let name = |end: &str| format!("{authority}{end}");
    let (key, pem) = (name(".key"), name(".pem"));
    let (server_key, asked) = (name("-server.key"), name("-server.csr"));
    let (signed, about) = (name("-server.pem"), name("-server.ext"));
    let subject = format!("/CN={authority}");
    let fresh = ["req", "-newkey", "rsa:2048", "-nodes"];
    made(
        &[
            &fresh[..],
            &["-x509", "-days", "36500", "-subj", &subject, "-keyout", &key, "-out", &pem],
        ]
        .concat(),
    );
    made(
        &[&fresh[..], &["-subj", "/CN=database", "-keyout", &server_key, "-out", &asked]].concat(),
    );
    std::fs::write(folder.join(&about), "subjectAltName=IP:127.0.0.1\n").unwrap();
    made(&[
        "x509",
        "-req",
        "-days",
        "36500",
        "-in",
        &asked,
        "-CA",
        &pem,
        "-CAkey",
        &key,
        "-CAcreateserial",
        "-extfile",
        &about,
        "-out",
        &signed,
    ]);
}

/// What a server is told that cannot use a database.
fn refused(address: &str) -> String {
    let Err(why) = PostgresStore::open(address) else { panic!("it was opened") };
    let why = why.to_string();
    assert!(!why.contains("secret"), "{why}");
    why
}

#[test]
fn a_database_is_reached_encrypted_and_only_by_whom_it_can_be_trusted() {
    let Some(bin) = postgres::bin() else {
        // This says that it is left out.
        assert!(postgres::database("a database that encrypts").is_none());
        return;
    };
    let folder = TempDir::new().unwrap();
    certificates(folder.path(), "ours");
    certificates(folder.path(), "others");
    // Everything but the making of databases must be encrypted.
    let rules = "host postgres umpire 127.0.0.1/32 trust\nhostssl all all 127.0.0.1/32 trust\n";
    std::fs::write(folder.path().join("hba"), rules).unwrap();
    postgres::give(folder.path());
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let server = postgres::Server::start(
        &bin,
        &[
            "ssl=on",
            &format!("ssl_cert_file={}", file("ours-server.pem")),
            &format!("ssl_key_file={}", file("ours-server.key")),
            &format!("hba_file={}", file("hba")),
        ],
    );
    let database = server.database().replacen("umpire@", "umpire:secret@", 1);
    let (ours, others) = (file("ours.pem"), file("others.pem"));
    let encrypted = || {
        let asked = "SELECT count(*) FILTER (WHERE s.ssl) || ' of ' || count(*) FROM pg_stat_ssl s \
                     JOIN pg_stat_activity a USING (pid) WHERE a.application_name = 'umpire'";
        postgres::ask(&server.address("postgres"), asked).unwrap().pop().unwrap()
    };
    for options in [
        "sslmode=require".to_owned(),
        format!("sslmode=verify-full&sslrootcert={ours}"),
        format!("sslrootcert={ours}"),
        String::new(),
    ] {
        let store = PostgresStore::open(&format!("{database}?{options}")).unwrap();
        assert_eq!(store.count(&Filter::default()), Ok(0));
        let found = encrypted();
        let (some, all) = found.split_once(" of ").unwrap();
        assert!(some == all && some != "0", "{options}: {found}");
    }
    let why = refused(&format!("{database}?sslmode=verify-full&sslrootcert={others}"));
    assert!(why.contains("certificate") && why.contains("UnknownIssuer"), "{why}");
    let elsewhere = database.replacen("127.0.0.1", "localhost", 1);
    let why = refused(&format!("{elsewhere}?sslmode=verify-full&sslrootcert={ours}"));
    assert!(why.contains("certificate") && why.contains("localhost"), "{why}");
    let why = refused(&format!("{database}?sslmode=disable"));
    assert!(why.contains("no encryption"), "{why}");
    // Where the database cannot encrypt, who asks for it is not served in the clear.
    let plain = postgres::database("a database that does not encrypt").unwrap();
    let why = refused(&format!("{plain}?sslmode=require"));
    assert!(why.to_lowercase().contains("tls"), "{why}");
}
