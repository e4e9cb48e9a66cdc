//! The tree, its proofs, notes, checkpoints, cosignatures and policies. Trees are held against the definition in RFC 6962, and the
//! formats against examples that others published.

use proptest::prelude::*;
use synod_core::kernel::Digest;
use synod_journal::HouseKey;
use synod_journal::tlog::{
    Algorithm, Checkpoint, Frontier, Growth, Note, Policy, Proof, TlogError, VerifierKey, consistency,
    cosign, cosigned_at, from_base64, inclusion, root_of, to_base64, verify_consistency, verify_inclusion,
};

use crate::sample::quick_dir;

fn records(count: usize) -> Vec<Digest> {
    (0..count).map(|nth| Digest::of(&nth.to_be_bytes())).collect()
}

/// The hash of a tree, word by word from RFC 6962, section 2.1.
fn by_definition(records: &[Digest]) -> Digest {
    match records {
        [] => Digest::of(b""),
        [one] => Digest::of(&[&[0][..], &one.0].concat()),
        many => {
            let mut half = 1;
            while half * 2 < many.len() {
                half *= 2;
            }
            let (left, right) = many.split_at(half);
            Digest::of(&[&[1][..], &by_definition(left).0, &by_definition(right).0].concat())
        }
    }
}

#[test]
fn the_frontier_and_the_recursion_give_the_tree_of_the_definition() {
    let records = records(130);
    let mut frontier = Frontier::default();
    for size in 0..=records.len() {
        let root = by_definition(&records[..size]);
        assert_eq!(frontier.root(), root, "size {size}");
        assert_eq!(root_of(&records[..size], 0..size as u64), Some(root));
        assert_eq!(Frontier::of(frontier.size(), frontier.roots().to_vec()).as_ref(), Some(&frontier));
        if let Some(next) = records.get(size) {
            frontier.push(next);
        }
    }
    assert_eq!(Frontier::of(3, vec![Digest::default()]), None, "two roots make a tree of three");
}

#[test]
fn every_act_is_proven_in_every_tree_and_nothing_else_is() {
    let records = records(40);
    for size in 1..=records.len() as u64 {
        let tree = &records[..size as usize];
        let root = by_definition(tree);
        for index in 0..size {
            let path = inclusion(tree, index, size).unwrap();
            let record = &records[index as usize];
            assert!(verify_inclusion(record, index, size, &path, &root), "{index} in {size}");
            assert!(!verify_inclusion(&Digest::of(b"other"), index, size, &path, &root));
            assert!(!verify_inclusion(record, index + 1, size, &path, &root) || size == 1);
            assert!(!verify_inclusion(record, index, size, &path, &Digest::of(b"other")));
            let mut longer = path.clone();
            longer.push(root);
            assert!(!verify_inclusion(record, index, size, &longer, &root));
            if !path.is_empty() {
                assert!(!verify_inclusion(record, index, size, &path[1..], &root));
            }
        }
        assert_eq!(inclusion(tree, size, size), None);
    }
}

#[test]
fn growth_is_proven_and_a_rewritten_past_is_not() {
    let records = records(40);
    let mut rewritten = records.clone();
    rewritten[3] = Digest::of(b"another vote");
    for new in 1..=records.len() as u64 {
        let tree = &records[..new as usize];
        let now = (new, by_definition(tree));
        for old in 1..=new {
            let before = (old, by_definition(&records[..old as usize]));
            let path = consistency(tree, old, new).unwrap();
            assert!(verify_consistency(before, now, &path), "{old} to {new}");
            if old < new {
                assert!(!verify_consistency(now, before, &path), "a tree does not shrink");
                assert!(!verify_consistency((old, Digest::of(b"other")), now, &path));
                assert!(!verify_consistency(before, (new, Digest::of(b"other")), &path));
                assert!(path.is_empty() || !verify_consistency(before, now, &path[1..]));
            }
            if old > 3 {
                let forged = &rewritten[..new as usize];
                let path = consistency(forged, old, new).unwrap();
                assert!(!verify_consistency(before, (new, by_definition(forged)), &path), "{old} to {new}");
            }
        }
    }
    assert!(verify_consistency((0, Digest::of(b"")), (5, by_definition(&records[..5])), &[]));
}

proptest! {
    /// The frontier before a batch is all that is needed to prove every act of it.
    #[test]
    fn a_batch_is_proven_from_the_frontier_before_it(before in 0_usize..300, added in 1_usize..70) {
        let records = records(before + added);
        let mut frontier = Frontier::default();
        records[..before].iter().for_each(|record| frontier.push(record));
        let batch = Growth::new(frontier.clone(), records[before..].to_vec());
        let size = records.len() as u64;
        let root = by_definition(&records);
        prop_assert_eq!((batch.root(), batch.size()), (root, size));
        prop_assert_eq!(root_of(&batch, 0..size), Some(root));
        for index in before as u64..size {
            let path = inclusion(&batch, index, size).unwrap();
            prop_assert_eq!(&path, &inclusion(&records[..], index, size).unwrap());
            prop_assert!(verify_inclusion(&records[index as usize], index, size, &path, &root));
            let lines: String = path.iter().map(|hash| format!("\n{}", to_base64(&hash.0))).collect();
            prop_assert_eq!(batch.path_lines(index), Some(lines));
        }
        prop_assert_eq!(batch.path_lines(size), None);
        let path = consistency(&batch, before as u64, size);
        // The old tree is not one complete subtree, and what is within it is not known any more.
        if let Some(path) = path {
            prop_assert!(verify_consistency((before as u64, frontier.root()), (size, root), &path));
        }
    }

    #[test]
    fn base_64_has_one_spelling(bytes in proptest::collection::vec(any::<u8>(), 0..80), at in any::<usize>(), to in any::<char>()) {
        let text = to_base64(&bytes);
        prop_assert_eq!(from_base64(&text), Some(bytes.clone()));
        let mut changed: Vec<char> = text.chars().collect();
        if !changed.is_empty() {
            let at = at % changed.len();
            changed[at] = to;
            let changed: String = changed.into_iter().collect();
            prop_assert!(changed == text || from_base64(&changed) != Some(bytes));
        }
    }

    /// Whatever a stranger sends: an error or a value that is written again as it was read, never a panic.
    #[test]
    fn parsers_take_any_text(text in "[\\PC\n\u{2014} +=]{0,200}") {
        if let Ok(note) = Note::parse(&text) {
            prop_assert_eq!(note.to_string(), text.clone());
        }
        if let Ok(proof) = Proof::parse(&text) {
            prop_assert_eq!(proof.to_string(), text.clone());
        }
        let _ = (Checkpoint::parse(&text), Policy::parse(&text), VerifierKey::parse(&text));
    }
}

/// The example in the documentation of Go's `note` package.
const NEUMANN: &str = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
const NEUMANN_NOTE: &str = "If you think cryptography is the answer to your problem,\n\
    then you don't know what your problem is.\n\n\
    \u{2014} PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n";

#[test]
fn a_note_that_go_signed_is_read_and_checked() {
    let key = VerifierKey::parse(NEUMANN).unwrap();
    assert_eq!(key.to_string(), NEUMANN);
    let note = Note::parse(NEUMANN_NOTE).unwrap();
    assert_eq!(note.to_string(), NEUMANN_NOTE);
    note.check(&key).unwrap();
    let changed = Note::parse(&NEUMANN_NOTE.replace("answer", "solution")).unwrap();
    assert_eq!(changed.check(&key), Err(TlogError::Forged { name: "PeterNeumann".into() }));
    let renamed = Note::parse(&NEUMANN_NOTE.replace("\u{2014} Peter", "\u{2014} Paul")).unwrap();
    assert_eq!(renamed.check(&key), Err(TlogError::Unsigned { name: "PeterNeumann".into() }));
    let typo = NEUMANN.replace("c74f20a3", "c74f20a4");
    assert!(VerifierKey::parse(&typo).is_err());
}

#[test]
fn the_public_key_of_the_go_checksum_database_is_read() {
    let text = "sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8";
    let key = VerifierKey::parse(text).unwrap();
    assert_eq!((key.to_string().as_str(), key.algorithm()), (text, Algorithm::Ed25519));
}

fn house() -> (tempfile::TempDir, HouseKey, Vec<Digest>) {
    let dir = quick_dir();
    let key = HouseKey::load_or_create(dir.path()).unwrap();
    (dir, key, records(9))
}

fn checkpoint(records: &[Digest]) -> Checkpoint {
    let origin = Checkpoint::origin_of(&records[0]);
    Checkpoint { origin, size: records.len() as u64, root: by_definition(records) }
}

#[test]
fn a_proof_stands_alone_and_breaks_when_anything_in_it_changes() {
    let (_dir, key, records) = house();
    let head = checkpoint(&records);
    let note = head.sign(&key).unwrap();
    let path = inclusion(&records[..], 4, 9).unwrap();
    let proof = Proof { extra: Some(records[4].0.to_vec()), index: 4, path, note };
    let text = proof.to_string();
    assert!(text.len() < 1000, "{}", text.len());
    let read = Proof::parse(&text).unwrap();
    assert_eq!(read, proof);
    assert_eq!((read.act(), read.claimed()), (5, Some(records[4])));
    assert_eq!(read.check(&records[4]).unwrap(), head);
    assert!(read.check(&records[5]).is_err());
    let log = VerifierKey::new(&head.origin, Algorithm::Ed25519, key.public()).unwrap();
    read.note.check(&log).unwrap();
    // Every byte of it counts, but for what is said beside it.
    for (at, _) in text.char_indices().filter(|(at, _)| !text[..*at].ends_with("extra ")) {
        let mut changed = text.clone().into_bytes();
        changed[at] ^= 1;
        let Ok(changed) = String::from_utf8(changed) else { continue };
        let holds = Proof::parse(&changed)
            .is_ok_and(|proof| proof.check(&records[4]).is_ok() && proof.note.check(&log).is_ok());
        let extra = text.find("extra ").unwrap()..text.find("index").unwrap();
        assert!(!holds || extra.contains(&at), "byte {at}");
    }
}

#[test]
fn a_witness_says_when() {
    let (_dir, key, records) = house();
    let other = quick_dir();
    let witness = HouseKey::load_or_create(other.path()).unwrap();
    let mut note = checkpoint(&records).sign(&key).unwrap();
    let name = "witness.example/w1";
    let line = cosign(&note, name, &witness, 1_679_315_147).unwrap();
    note.add(line.clone());
    note.add(line);
    assert_eq!(note.signatures().len(), 2, "the same line is kept once");
    let known = VerifierKey::new(name, Algorithm::Cosignature, witness.public()).unwrap();
    let read = Note::parse(&note.to_string()).unwrap();
    assert_eq!(cosigned_at(&read, &known), Ok(1_679_315_147));
    // The time is signed, and so is the text.
    let mut later = note.signatures()[1].clone();
    later.signature[7] ^= 1;
    let mut moved = checkpoint(&records).sign(&key).unwrap();
    moved.add(later);
    assert_eq!(cosigned_at(&moved, &known), Err(TlogError::Forged { name: name.into() }));
}

fn witness(name: &str) -> (HouseKey, String) {
    let dir = quick_dir();
    let key = HouseKey::load_or_create(dir.path()).unwrap();
    let known = VerifierKey::new(name, Algorithm::Cosignature, key.public()).unwrap().to_string();
    (key, known)
}

#[test]
fn a_policy_counts_witnesses_by_group() {
    let (_dir, key, records) = house();
    let head = checkpoint(&records);
    let log = VerifierKey::new(&head.origin, Algorithm::Ed25519, key.public()).unwrap();
    let (one, two, three) = (witness("w/1"), witness("w/2"), witness("w/3"));
    let text = format!(
        "# mine\nlog {log} https://example.org\n\nwitness a {}\n\twitness b {} https://w.example\nwitness c {}\ngroup two 2 a b c\nquorum two\n",
        one.1, two.1, three.1
    );
    let policy = Policy::parse(&text).unwrap();
    let mut note = head.sign(&key).unwrap();
    assert_eq!(policy.log(&note, &head.origin).unwrap(), &log);
    assert!(policy.log(&note, "another/house").is_err());
    for (nth, (signer, name)) in [(&one.0, "w/1"), (&three.0, "w/3")].into_iter().enumerate() {
        let witnessed = policy.witnessed(&note).unwrap();
        assert_eq!((witnessed.by.len(), witnessed.of, witnessed.enough), (nth, 3, false));
        note.add(cosign(&note, name, signer, 7).unwrap());
    }
    let witnessed = policy.witnessed(&note).unwrap();
    assert!(witnessed.enough);
    assert_eq!(witnessed.by, [("a".to_string(), 7), ("c".to_string(), 7)]);
}

#[test]
fn policies_that_would_count_one_witness_twice_are_refused() {
    let (_, known) = witness("w/1");
    let (_, other) = witness("w/2");
    let log = NEUMANN;
    for (text, said) in [
        (format!("witness a {known}\n"), "no quorum"),
        (format!("witness a {known}\nwitness b {known}\nquorum a\n"), "named twice"),
        (format!("witness a {known}\nwitness a {other}\nquorum a\n"), "taken"),
        (format!("witness none {known}\nquorum none\n"), "taken"),
        (format!("witness a {known}\ngroup g all a a\nquorum g\n"), "member twice"),
        (format!("witness a {known}\ngroup g any a\ngroup h any a\nquorum h\n"), "member twice"),
        (format!("witness a {known}\ngroup g 2 a\nquorum g\n"), "1 to the number"),
        (format!("witness a {known}\ngroup g 0 a\nquorum g\n"), "1 to the number"),
        (format!("witness a {known}\ngroup g any b\nquorum g\n"), "not defined"),
        (format!("log {known}\nquorum none\n"), "another kind"),
        (format!("witness a {log}\nquorum a\n"), "another kind"),
        (format!("log {log}\nlog {log}\nquorum none\n"), "named twice"),
        ("quorum none\nquorum none\n".into(), "already"),
        ("quorum none\r\n".into(), "control"),
        ("witnesses 3\n".into(), "line 1"),
    ] {
        let flaw = Policy::parse(&text).unwrap_err().to_string();
        assert!(flaw.contains(said), "{text}: {flaw}");
    }
    assert!(!Policy::parse("quorum none\n").unwrap().asks_for_witnesses());
}

#[test]
fn what_is_not_a_checkpoint_is_refused() {
    let root = to_base64(&[7; 32]);
    for text in [
        "",
        "a\n1\n",
        &format!("\n1\n{root}\n"),
        &format!("a\n01\n{root}\n"),
        &format!("a\n+1\n{root}\n"),
        "a\n1\nAAAA\n",
    ] {
        assert!(Checkpoint::parse(text).is_err(), "{text:?}");
    }
    let extended = Checkpoint::parse(&format!("a\n12\n{root}\nmore\n")).unwrap();
    assert_eq!((extended.origin.as_str(), extended.size), ("a", 12));
}
