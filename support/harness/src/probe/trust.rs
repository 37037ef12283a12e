//! Trust anchors of the probes.

use std::ffi::{OsStr, OsString};
use std::sync::Arc;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, RootCertStore};

use super::ProbeError;

/// TLS settings that trust the system's anchors, or those of `SSL_CERT_FILE`,
/// and in addition those of a `NODE_EXTRA_CA_CERTS` that is handed through.
///
/// The anchors are only loaded where TLS is needed: it takes tens of milliseconds.
///
/// # Errors
/// [`ProbeError::Setup`].
pub(super) fn configuration(
    passed: &[(OsString, OsString)],
    tls: bool,
) -> Result<ClientConfig, ProbeError> {
    let mut roots = RootCertStore::empty();
    if tls {
        // This honours SSL_CERT_FILE and SSL_CERT_DIR.
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        for (_, file) in passed
            .iter()
            .filter(|(name, _)| name == "NODE_EXTRA_CA_CERTS")
        {
            roots.add_parsable_certificates(certificates(file)?);
        }
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|_| ProbeError::Setup("no usable TLS version"))?;
    Ok(builder.with_root_certificates(roots).with_no_client_auth())
}

fn certificates(file: &OsStr) -> Result<Vec<CertificateDer<'static>>, ProbeError> {
    let unusable = ProbeError::Setup("NODE_EXTRA_CA_CERTS names no readable PEM file");
    let Ok(certificates) = CertificateDer::pem_file_iter(file) else {
        return Err(unusable);
    };
    certificates.collect::<Result<_, _>>().map_err(|_| unusable)
}
