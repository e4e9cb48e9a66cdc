//! RFC 3161 time stamps: an authority says that a checkpoint was there at a time. A request and the parts of an answer that we need, in
//! DER; whether the authority's own signature holds is checked with `openssl ts -verify`, by the reader or by `synod verify`.

use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use synod_core::kernel::Digest;
use synod_journal::checkpoints::TimeStamp;
use synod_journal::tlog::{from_base64, to_base64};

const PATIENCE: std::time::Duration = std::time::Duration::from_secs(30);
const SEQUENCE: u8 = 0x30;
const INTEGER: u8 = 0x02;
const OCTETS: u8 = 0x04;
const TIME: u8 = 0x18;
const EXPLICIT: u8 = 0xa0;
/// The algorithm SHA-256, with its NULL.
const SHA_256: [u8; 15] = [0x30, 13, 6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1, 5, 0];

/// What an answer says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stamped {
    /// What was stamped.
    pub(crate) imprint: Digest,
    /// When, as the authority writes it: `20260714101112Z`.
    pub(crate) time: String,
}

/// A request for a stamp of a hash, with the certificate of the authority in the answer.
pub(crate) fn request(of: &Digest, nonce: u64) -> Vec<u8> {
    let imprint = wrapped(SEQUENCE, &[&SHA_256[..], &wrapped(OCTETS, &of.0)].concat());
    // Positive: the first bit of an integer is its sign.
    let nonce = (nonce >> 1 | 1 << 62).to_be_bytes();
    let body = [&[INTEGER, 1, 1][..], &imprint, &wrapped(INTEGER, &nonce), &[1, 1, 0xff]].concat();
    wrapped(SEQUENCE, &body)
}

fn wrapped(tag: u8, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let mut der = vec![tag];
    match u8::try_from(length) {
        Ok(short @ 0..=127) => der.push(short),
        Ok(long) => der.extend([0x81, long]),
        Err(_) => der.extend([0x82, (length >> 8) as u8, length as u8]),
    }
    der.extend_from_slice(body);
    der
}

/// The next value of this kind, and what follows it.
fn next(der: &[u8], wanted: u8) -> Option<(&[u8], &[u8])> {
    let (tag, body, rest) = any(der)?;
    (tag == wanted).then_some((body, rest))
}

fn any(der: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (tag, rest) = der.split_first()?;
    let (first, rest) = rest.split_first()?;
    let (length, rest) = match first {
        0..=127 => (usize::from(*first), rest),
        0x81..=0x84 => {
            let (digits, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
            (digits.iter().fold(0, |length, digit| length << 8 | usize::from(*digit)), rest)
        }
        _ => return None,
    };
    let (body, rest) = rest.split_at_checked(length)?;
    Some((*tag, body, rest))
}

/// Reads an answer. An error is what the authority said, or that it cannot be read.
pub(crate) fn read(answer: &[u8]) -> Result<Stamped, String> {
    let unreadable = || "the answer is not a time stamp".to_string();
    let (answer, _) = next(answer, SEQUENCE).ok_or_else(unreadable)?;
    let (status, token) = next(answer, SEQUENCE).ok_or_else(unreadable)?;
    match next(status, INTEGER).ok_or_else(unreadable)?.0 {
        [0 | 1] => (),
        refused => return Err(format!("the authority did not stamp it (status {refused:?})")),
    }
    stamped(token).ok_or_else(unreadable)
}

fn stamped(token: &[u8]) -> Option<Stamped> {
    // ContentInfo, SignedData, its content, and in it the statement of the authority.
    let (info, _) = next(token, SEQUENCE)?;
    let (_, _, content) = any(info)?;
    let (signed, _) = next(next(content, EXPLICIT)?.0, SEQUENCE)?;
    let (_, _, rest) = any(signed)?;
    let (_, _, rest) = any(rest)?;
    let (holder, _) = next(rest, SEQUENCE)?;
    let (_, _, content) = any(holder)?;
    let (statement, _) = next(next(content, EXPLICIT)?.0, OCTETS)?;
    let (statement, _) = next(statement, SEQUENCE)?;
    let (_, _, rest) = any(statement)?;
    let (_, _, rest) = any(rest)?;
    let (imprint, rest) = next(rest, SEQUENCE)?;
    let hash = imprint.strip_prefix(&SHA_256[..])?;
    let imprint = Digest(next(hash, OCTETS)?.0.try_into().ok()?);
    let (_, _, rest) = any(rest)?;
    let time = String::from_utf8(next(rest, TIME)?.0.to_vec()).ok()?;
    let plain = time.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'Z' | b'.'));
    plain.then_some(Stamped { imprint, time })
}

/// Whether a stamp is of this text, and when it was made. The signature of the authority is not looked at.
pub(crate) fn of_text(stamp: &TimeStamp, text: &str) -> Result<Stamped, String> {
    let answer = from_base64(&stamp.answer).ok_or("the time stamp is not base 64")?;
    let stamped = read(&answer)?;
    match stamped.imprint == Digest::of(text.as_bytes()) {
        true => Ok(stamped),
        false => Err("the time stamp is of something else".into()),
    }
}

/// Lets OpenSSL check the signature of the authority by the certificates that the reader trusts. An error is why it could
/// not be checked, which says nothing about the stamp.
pub(crate) fn check_with_openssl(stamp: &TimeStamp, ca: &Path) -> Result<bool, String> {
    let answer = from_base64(&stamp.answer).ok_or("the time stamp is not base 64")?;
    let digest = read(&answer)?.imprint.to_string();
    std::fs::File::open(ca).map_err(|error| format!("{}: {error}", ca.display()))?;
    // The name is random, and nobody else may look in: others can write to the folder for such files.
    let mut random = [0; 16];
    getrandom::fill(&mut random).map_err(|error| error.to_string())?;
    let dir = std::env::temp_dir().join(format!("synod-stamp-{:032x}", u128::from_be_bytes(random)));
    let cannot = |error: std::io::Error| format!("openssl cannot be run: {error}");
    std::fs::DirBuilder::new().mode(0o700).create(&dir).map_err(cannot)?;
    let file = dir.join("answer.tsr");
    let ran = std::fs::write(&file, &answer).and_then(|()| {
        Command::new("openssl")
            .args(["ts", "-verify", "-digest", &digest, "-in"])
            .arg(&file)
            .arg("-CAfile")
            .arg(ca)
            .stdin(Stdio::null())
            .output()
    });
    let _ = std::fs::remove_dir_all(&dir);
    Ok(ran.map_err(cannot)?.status.success())
}

/// A stamp with its certificates has a few kilobytes.
const ANSWER_MOST: usize = 1 << 20;

/// Asks an authority for a stamp of this text.
pub(crate) async fn ask(url: &str, text: &str) -> Result<TimeStamp, String> {
    let mut nonce = [0; 8];
    getrandom::fill(&mut nonce).map_err(|error| error.to_string())?;
    let body = request(&Digest::of(text.as_bytes()), u64::from_be_bytes(nonce));
    let client = crate::client::plain(url).map_err(|fail| fail.message().to_string())?;
    let sent = client
        .post(url)
        .timeout(PATIENCE)
        .header("content-type", "application/timestamp-query")
        .body(body)
        .send()
        .await;
    let answer = sent.map_err(|error| format!("{url} cannot be reached: {}", error.without_url()))?;
    if !answer.status().is_success() {
        return Err(format!("{url} answered {}", answer.status()));
    }
    let answer = crate::client::bounded(answer, ANSWER_MOST).await?;
    let stamp = TimeStamp { authority: url.into(), answer: to_base64(&answer) };
    of_text(&stamp, text).map(|_| stamp)
}
