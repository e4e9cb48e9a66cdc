//! A witness for one log: `interop DIR LOG-VKEY`, with an `add-checkpoint` body on standard input. Notes are checked by `signed_note`, checkpoints and
//! consistency by `tlog_tiles`; only the cosignature is put together here. Prints the cosignature, or `refused STATUS why`.

use std::io::Read as _;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::{Signer as _, SigningKey};
use sha2::{Digest as _, Sha256};
use signed_note::{Note, StandardVerifier, VerifierList};
use tlog_tiles::{Checkpoint, Hash, check_tree};

const NAME: &str = "interop.example/w";

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (dir, log) = (arguments.next().expect("a folder"), arguments.next().expect("a key"));
    if log == "key" {
        return println!("{}", verifier());
    }
    let mut body = String::new();
    std::io::stdin().read_to_string(&mut body).expect("a request");
    match witness(Path::new(&dir), &log, &body) {
        Ok(line) => println!("{line}"),
        Err(why) => {
            println!("refused {why}");
            std::process::exit(1);
        }
    }
}

fn key() -> SigningKey {
    SigningKey::from_bytes(&[7; 32])
}

fn id() -> [u8; 4] {
    let named = [NAME.as_bytes(), b"\n\x04", key().verifying_key().as_bytes()].concat();
    Sha256::digest(named)[..4].try_into().expect("four bytes")
}

fn verifier() -> String {
    let id: String = id().iter().map(|byte| format!("{byte:02x}")).collect();
    let typed = [&[4][..], key().verifying_key().as_bytes()].concat();
    format!("{NAME}+{id}+{}", STANDARD.encode(typed))
}

fn witness(dir: &Path, log: &str, body: &str) -> Result<String, String> {
    let (head, note) = body.split_once("\n\n").ok_or("400 no checkpoint")?;
    let mut lines = head.lines();
    let old: u64 = lines.next().and_then(|line| line.strip_prefix("old ")?.parse().ok()).ok_or("400 no size")?;
    let proof: Vec<Hash> = lines.map(|line| Hash::parse_hash(line).expect("a hash")).collect();
    let note = Note::from_bytes(note.as_bytes()).map_err(|error| format!("400 {error}"))?;
    let verifier = StandardVerifier::new(log).map_err(|error| format!("400 {error}"))?;
    let known = VerifierList::new(vec![Box::new(verifier)]);
    note.verify(&known).map_err(|error| format!("403 {error}"))?;
    let now = Checkpoint::from_bytes(note.text()).map_err(|_| "400 not a checkpoint")?;
    let path = dir.join("seen");
    let seen = std::fs::read_to_string(&path).ok();
    let seen = seen.as_deref().and_then(|seen| seen.split_once(' '));
    let (size, root) = seen.map_or((0, None), |(size, root)| {
        (size.parse().expect("a size"), Some(Hash::parse_hash(root).expect("a hash")))
    });
    if old != size {
        return Err(format!("409 {size}\nanother size was seen"));
    }
    if let Some(root) = root {
        let same = now.size() == size && *now.hash() == root;
        let grown = now.size() > size && check_tree(&proof, now.size(), *now.hash(), size, root).is_ok();
        if !same && !grown {
            return Err("422 the history was rewritten".into());
        }
    }
    std::fs::write(&path, format!("{} {}", now.size(), STANDARD.encode(now.hash().0))).expect("it is kept");
    let time = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("a clock").as_secs();
    let text = std::str::from_utf8(note.text()).expect("text");
    let signature = key().sign(format!("cosignature/v1\ntime {time}\n{text}").as_bytes());
    let bytes = [&id()[..], &time.to_be_bytes(), &signature.to_bytes()].concat();
    Ok(format!("\u{2014} {NAME} {}", STANDARD.encode(bytes)))
}
