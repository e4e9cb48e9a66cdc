//! Fetching a page for a seat, from hosts that the operator named and no others.
//!
//! Only `https`, or `http` to this machine where it is named. A name that points to a private address is refused unless the
//! operator named the address itself, so a page cannot be used to look around in a network. The address that was
//! checked is the one that is called. Redirects are followed only within the named hosts.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, LOCATION};
use reqwest::{Client, Url, redirect};
use synod_core::kernel::{Digest, text};

use crate::http::is_loopback;

/// The most bytes of a page that are read.
const BYTES_MOST: usize = 512 * 1024;
/// The most characters of it that are given.
const CHARS_MOST: usize = 12_000;
/// How long one fetch may take, redirects included.
const TIME_OUT: Duration = Duration::from_secs(20);
const REDIRECTS_MOST: usize = 3;

/// Fetches pages from named hosts.
#[derive(Debug, Clone, Default)]
pub struct Fetcher {
    hosts: Vec<String>,
}

/// What was fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    /// The page as text.
    pub text: String,
    /// SHA-256 of what came, as it came.
    pub digest: Digest,
}

/// Why nothing was: a stable code, and words for the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfetched {
    /// The code.
    pub code: &'static str,
    /// The words.
    pub what: String,
}

fn no<T>(code: &'static str, what: impl Into<String>) -> Result<T, Unfetched> {
    Err(Unfetched { code, what: what.into() })
}

impl Fetcher {
    /// For these hosts, each `example.org` or `127.0.0.1:8080`. Says which is none.
    pub fn new(hosts: &[String]) -> Result<Self, String> {
        let read = |written: &String| {
            let host = written.trim().trim_end_matches('.').to_ascii_lowercase();
            let url = Url::parse(&format!("https://{host}/")).ok();
            let sound = url.is_some_and(|url| {
                url.path() == "/"
                    && url.host_str().is_some()
                    && url.username().is_empty()
                    && url.password().is_none()
            });
            match sound && !host.contains(['*', '/', '?', '#', '@']) {
                true => Ok(host),
                false => Err(format!("`{written}` is not a host: write example.org or 127.0.0.1:8080")),
            }
        };
        Ok(Self { hosts: hosts.iter().map(read).collect::<Result<_, _>>()? })
    }

    /// The hosts.
    pub fn hosts(&self) -> &[String] {
        &self.hosts
    }

    /// Fetches a page.
    pub async fn fetch(&self, written: &str) -> Result<Fetched, Unfetched> {
        match tokio::time::timeout(TIME_OUT, self.follow(written)).await {
            Ok(outcome) => outcome,
            Err(_) => no("fetch/time-out", format!("no answer within {} s", TIME_OUT.as_secs())),
        }
    }

    async fn follow(&self, written: &str) -> Result<Fetched, Unfetched> {
        let mut url = match Url::parse(written.trim()) {
            Ok(url) => url,
            Err(_) => return no("fetch/url", "this is not a URL"),
        };
        for _ in 0..=REDIRECTS_MOST {
            let address = self.check(&url).await?;
            let response = call(&url, address).await?;
            if !response.status().is_redirection() {
                return read(response).await;
            }
            let to = response.headers().get(LOCATION).and_then(|value| value.to_str().ok());
            url = match to.and_then(|to| url.join(to).ok()) {
                Some(next) => next,
                None => return no("fetch/redirect", "the server redirects to nowhere"),
            };
        }
        no("fetch/redirect", "the server redirects too often")
    }

    /// The address that a URL may be fetched from.
    async fn check(&self, url: &Url) -> Result<SocketAddr, Unfetched> {
        let host = url.host_str().unwrap_or_default().trim_end_matches('.').to_ascii_lowercase();
        let with_port = url.port().map(|port| format!("{host}:{port}"));
        // A host is named with its port, unless that is the usual one.
        let named = match &with_port {
            Some(full) => self.hosts.contains(full),
            None => self.hosts.contains(&host),
        };
        if !named {
            let allowed = self.hosts.join(", ");
            return no("fetch/host", format!("this host is not allowed; allowed: {allowed}"));
        }
        if url.scheme() != "https" && !(url.scheme() == "http" && is_loopback(url)) {
            return no("fetch/scheme", "only https is allowed");
        }
        if !url.username().is_empty() || url.password().is_some() {
            return no("fetch/url", "the URL holds a user name or password");
        }
        let bare = host.trim_matches(['[', ']']);
        let port = url.port_or_known_default().unwrap_or(443);
        let mut addresses = match tokio::net::lookup_host((bare, port)).await {
            Ok(addresses) => addresses,
            Err(_) => return no("fetch/unreachable", "the host is not known"),
        };
        let own = bare.parse::<IpAddr>().is_ok() || is_loopback(url);
        match addresses.find(|address| own || is_public(address.ip())) {
            Some(address) => Ok(address),
            None => no("fetch/private", "the host has a private address"),
        }
    }
}

/// Calls the address that was checked, through no proxy: a proxy would look the name up again.
async fn call(url: &Url, address: SocketAddr) -> Result<reqwest::Response, Unfetched> {
    // Fails when a provider is installed already, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = Client::builder()
        .redirect(redirect::Policy::none())
        .no_proxy()
        .resolve(url.host_str().unwrap_or_default(), address)
        .user_agent(concat!("synod/", env!("CARGO_PKG_VERSION")));
    let builder = if url.scheme() == "http" { builder.tls_certs_only([]) } else { builder };
    let sent = match builder.build() {
        Ok(client) => client.get(url.clone()).send().await,
        Err(error) => Err(error),
    };
    sent.map_err(|_| Unfetched { code: "fetch/unreachable", what: "the host cannot be reached".into() })
}

async fn read(mut response: reqwest::Response) -> Result<Fetched, Unfetched> {
    let status = response.status();
    if !status.is_success() {
        return no("fetch/status", format!("the server answered {}", status.as_u16()));
    }
    let kind = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let kind = kind.unwrap_or("text/plain").to_ascii_lowercase();
    let is_text =
        kind.starts_with("text/") || ["json", "xml", "yaml", "toml"].iter().any(|word| kind.contains(word));
    if !is_text {
        return no("fetch/binary", "this is not text");
    }
    let mut bytes = Vec::new();
    loop {
        match response.chunk().await {
            Ok(Some(chunk)) if bytes.len() + chunk.len() > BYTES_MOST => {
                return no("fetch/too-large", format!("the page has more than {BYTES_MOST} bytes"));
            }
            Ok(Some(chunk)) => bytes.extend_from_slice(&chunk),
            Ok(None) => break,
            Err(_) => return no("fetch/unreachable", "the answer broke off"),
        }
    }
    let digest = Digest::of(&bytes);
    let page = String::from_utf8_lossy(&bytes);
    let page = if kind.contains("html") { without_tags(&page) } else { page.into_owned() };
    Ok(Fetched { text: text::excerpt(&page, CHARS_MOST).into_owned(), digest })
}

/// Whether an address is of the public network.
fn is_public(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => {
            let [a, b, ..] = ip.octets();
            let shared = a == 100 && (64..128).contains(&b);
            let special = a == 0 || a >= 240 || (a == 192 && b == 0) || (a == 198 && (b == 18 || b == 19));
            !(ip.is_private()
                || ip.is_loopback()
                || ip.is_link_local()
                || ip.is_multicast()
                || shared
                || special)
        }
        IpAddr::V6(ip) => match ip.to_ipv4() {
            Some(inner) => is_public(IpAddr::V4(inner)),
            None => {
                let first = ip.segments()[0];
                // Only the global unicast addresses, without those that carry an IPv4 address inside.
                (0x2000..0x4000).contains(&first) && first != 0x2002 && ip.segments()[..2] != [0x2001, 0]
            }
        },
    }
}

/// The text of a page of HTML, crudely: enough to read, nothing to run.
fn without_tags(page: &str) -> String {
    let mut out = String::with_capacity(page.len() / 2);
    let mut rest = page;
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let head: String = rest.chars().take(8).collect::<String>().to_ascii_lowercase();
        let close = match head.as_str() {
            head if head.starts_with("<script") => "</script",
            head if head.starts_with("<style") => "</style",
            head if head.starts_with("<!--") => "-->",
            _ => "",
        };
        // ASCII lower case keeps every byte in its place.
        let lower = rest.to_ascii_lowercase();
        let end = if close.is_empty() { Some(0) } else { lower.find(close) };
        rest = end.and_then(|end| rest[end..].find('>').map(|gt| &rest[end + gt + 1..])).unwrap_or_default();
        out.push(' ');
    }
    out.push_str(rest);
    let lines = out.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_addresses() {
        for private in [
            "10.0.0.1",
            "127.0.0.1",
            "169.254.169.254",
            "192.168.1.1",
            "172.16.0.1",
            "100.64.0.1",
            "0.0.0.0",
            "::1",
            "fe80::1",
            "fc00::1",
            "::ffff:10.0.0.1",
            "2002:a00:1::",
            "255.255.255.255",
            "224.0.0.1",
        ] {
            assert!(!is_public(private.parse().unwrap()), "{private}");
        }
        for public in ["93.184.216.34", "2606:2800:220:1::1", "8.8.8.8"] {
            assert!(is_public(public.parse().unwrap()), "{public}");
        }
    }

    #[test]
    fn pages_become_text() {
        let page =
            "<html><style>p{}</style><body><p>One &amp; <b>two</b></p><!-- <x> -->\n<script>a<b</script>end";
        assert_eq!(without_tags(page), "One &amp; two\nend");
    }

    #[test]
    fn hosts_are_hosts() {
        assert!(Fetcher::new(&["example.org".into(), "127.0.0.1:8080".into(), "[::1]:80".into()]).is_ok());
        for wrong in ["https://example.org", "*.example.org", "a/b", "", "u@h"] {
            assert!(Fetcher::new(&[wrong.into()]).is_err(), "{wrong}");
        }
    }
}
