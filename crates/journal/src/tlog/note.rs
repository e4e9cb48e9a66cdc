//! Signed notes: a text, a blank line, and one line for each signature.

use std::fmt;

use super::vkey::is_name;
use super::{Algorithm, TlogError, VerifierKey, base64};
use crate::HouseKey;

const WHAT: &str = "not a signed note";
/// More than any note of ours needs, and little enough for a stranger's.
const LENGTH_MOST: usize = 64 << 10;
const SIGNATURES_MOST: usize = 64;

/// A text and its signatures. Nothing in it is to be believed before a signature of a known key was checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    text: String,
    signatures: Vec<SignatureLine>,
}

/// One signature line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignatureLine {
    /// The name of the key.
    pub name: String,
    /// The id of the key.
    pub id: [u8; 4],
    /// What the key made of the text.
    pub signature: Vec<u8>,
}

impl SignatureLine {
    /// Reads a line without its newline.
    pub fn parse(line: &str) -> Result<Self, TlogError> {
        let wrong = |why: &str| TlogError::malformed("not a signature line", why);
        let rest = line.strip_prefix("\u{2014} ").ok_or_else(|| wrong("it does not begin with a dash"))?;
        let (name, signature) = rest.split_once(' ').ok_or_else(|| wrong("it has no signature"))?;
        let bytes = base64::decode(signature).ok_or_else(|| wrong("the signature is not base 64"))?;
        match bytes.split_first_chunk::<4>() {
            Some((id, signature)) if is_name(name) && !signature.is_empty() => {
                Ok(Self { name: name.into(), id: *id, signature: signature.into() })
            }
            Some(_) | None => Err(wrong("the name or the signature is not one")),
        }
    }

    /// Whether a key is the one that this line names.
    pub fn is_of(&self, key: &VerifierKey) -> bool {
        self.name == key.name() && self.id == key.id()
    }
}

impl fmt::Display for SignatureLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = [&self.id[..], &self.signature].concat();
        write!(f, "\u{2014} {} {}", self.name, base64::encode(&bytes))
    }
}

impl Note {
    /// A text that nobody has signed yet. It must end with a newline.
    pub fn new(text: String) -> Result<Self, TlogError> {
        let strange = text.chars().any(|c| c < ' ' && c != '\n');
        match text.ends_with('\n') && !strange && text.len() <= LENGTH_MOST {
            true => Ok(Self { text, signatures: Vec::new() }),
            false => Err(TlogError::malformed(
                WHAT,
                "the text does not end with a newline, is too long, or holds control characters",
            )),
        }
    }

    /// Reads a note.
    pub fn parse(note: &str) -> Result<Self, TlogError> {
        let wrong = |why: &str| TlogError::malformed(WHAT, why);
        if note.len() > LENGTH_MOST {
            return Err(wrong("it is too long"));
        }
        let cut = note.rfind("\n\n").ok_or_else(|| wrong("it has no blank line before its signatures"))?;
        let mut read = Self::new(note[..=cut].into())?;
        let lines =
            note[cut + 2..].strip_suffix('\n').ok_or_else(|| wrong("it does not end with a newline"))?;
        for line in lines.split('\n') {
            read.signatures.push(SignatureLine::parse(line)?);
        }
        match read.signatures.len() <= SIGNATURES_MOST {
            true => Ok(read),
            false => Err(wrong("it has too many signatures")),
        }
    }

    /// What is signed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The signatures, known or not.
    pub fn signatures(&self) -> &[SignatureLine] {
        &self.signatures
    }

    /// Adds a signature, unless it is there.
    pub fn add(&mut self, line: SignatureLine) {
        if !self.signatures.contains(&line) {
            self.signatures.push(line);
        }
    }

    /// Signs the text with the key of a log.
    pub fn sign(&mut self, name: &str, key: &HouseKey) -> Result<(), TlogError> {
        let known = VerifierKey::new(name, Algorithm::Ed25519, key.public())?;
        let signature = key.sign(self.text.as_bytes()).to_vec();
        self.add(SignatureLine { name: name.into(), id: known.id(), signature });
        Ok(())
    }

    /// Checks that a log's key signed it. A line that names the key and does not fit is worse than none.
    pub fn check(&self, key: &VerifierKey) -> Result<(), TlogError> {
        let mut lines = self.signatures.iter().filter(|line| line.is_of(key)).peekable();
        if lines.peek().is_none() {
            return Err(TlogError::Unsigned { name: key.name().into() });
        }
        match lines.all(|line| key.has_signed(self.text.as_bytes(), &line.signature)) {
            true => Ok(()),
            false => Err(TlogError::Forged { name: key.name().into() }),
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.text)?;
        self.signatures.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}
