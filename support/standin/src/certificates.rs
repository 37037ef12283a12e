//! Certificates for listeners, made up for one test.

use std::io;
use std::sync::Arc;

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, date_time_ymd,
};
use rustls::ServerConfig;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// A certificate authority that nobody trusts unless told to.
pub struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    /// A new one.
    ///
    /// # Errors
    /// A key or certificate could not be made.
    pub fn new() -> io::Result<Self> {
        let mut params = params(&[], "stand-in authority")?;
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().map_err(io::Error::other)?;
        CertifiedIssuer::self_signed(params, key)
            .map(Self)
            .map_err(io::Error::other)
    }

    /// Its certificate, as `NODE_EXTRA_CA_CERTS` wants it.
    pub fn pem(&self) -> String {
        self.0.pem()
    }

    /// A listener's settings with a certificate of this authority for a host.
    ///
    /// # Errors
    /// A key or certificate could not be made.
    pub fn server(&self, host: &str) -> io::Result<ServerConfig> {
        self.sign(params(&[host], host)?)
    }

    /// The same with a certificate that has expired.
    ///
    /// # Errors
    /// A key or certificate could not be made.
    pub fn expired_server(&self, host: &str) -> io::Result<ServerConfig> {
        let mut params = params(&[host], host)?;
        params.not_before = date_time_ymd(2020, 1, 1);
        params.not_after = date_time_ymd(2021, 1, 1);
        self.sign(params)
    }

    fn sign(&self, params: CertificateParams) -> io::Result<ServerConfig> {
        let key = KeyPair::generate().map_err(io::Error::other)?;
        let certificate = params.signed_by(&key, &self.0).map_err(io::Error::other)?;
        let chain = vec![certificate.der().clone(), self.0.der().clone()];
        config(chain, &key)
    }
}

/// A listener's settings with a certificate for a host that signs itself.
///
/// # Errors
/// A key or certificate could not be made.
pub fn self_signed_server(host: &str) -> io::Result<ServerConfig> {
    let key = KeyPair::generate().map_err(io::Error::other)?;
    let certificate = params(&[host], host)?
        .self_signed(&key)
        .map_err(io::Error::other)?;
    config(vec![certificate.der().clone()], &key)
}

fn params(hosts: &[&str], name: &str) -> io::Result<CertificateParams> {
    let hosts: Vec<String> = hosts.iter().map(|&host| host.to_owned()).collect();
    let mut params = CertificateParams::new(hosts).map_err(io::Error::other)?;
    params.distinguished_name.push(DnType::CommonName, name);
    Ok(params)
}

fn config(chain: Vec<CertificateDer<'static>>, key: &KeyPair) -> io::Result<ServerConfig> {
    let key = PrivateKeyDer::try_from(key.serialize_der()).map_err(io::Error::other)?;
    ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .map_err(io::Error::other)
}
