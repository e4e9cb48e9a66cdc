//! Messages of strangers on Redis: any bytes on a channel, and any body that a participant signs or seals.

use serde_json::json;
use synod_core::House;
use synod_core::kernel::{At, Who};

use super::inbound::Received;
use super::seal::{self, Direction, SealedMessage};
use crate::mutate::{Grammar, fuzz};

const KNOWN: &[&str] = &[
    "body",
    "signature",
    "version",
    "token",
    "nonce",
    "sealed",
    "type",
    "from",
    "key",
    "at",
    "matter",
    "data",
    "ann",
    "VOTE",
    "PROPOSAL",
    "CONTRIBUTION",
    "QUESTION",
    "REACTION",
    "AMENDMENT",
    "TOKEN_GRANT",
    "TOKEN_RELEASE",
    "TOKEN_SKIP",
    "CONSENSUS_START",
    "CONSENSUS_END",
    "CONSENSUS_TRIGGER",
    "INSIGHT",
    "OBSERVATION",
    "STATE",
    "ask",
    "text",
    "title",
    "grade",
    "proposal",
    "amendment",
    "reaction",
    "m1",
];

fn ann() -> Who {
    Who::parse("ann").expect("a name")
}

/// What came of a message goes as far as an order, or ends with a code and words.
fn acted_on(received: Received, secrets: &[(String, synod_core::kernel::Digest)]) {
    let Ok(who) = received.who() else { return };
    let Ok(body) = received.proven(&who, secrets) else { return };
    let _ = body.is_timely(At(1_800_000_000_000));
    let _ = body.is_where_it_belongs();
    if let Err(refused) = body.command(&House::default(), &who) {
        assert!(refused.code.contains('/') && !refused.message.is_empty(), "{refused:?}");
    }
}

#[test]
fn any_bytes_on_a_channel() {
    fuzz("redis", Grammar::Json, KNOWN, |bytes| {
        for received in [Received::signed(bytes), Received::sealed("ann", bytes)] {
            match received {
                Ok(Some(received)) => acted_on(received, &[]),
                Ok(None) => (),
                Err(refused) => assert!(refused.code.starts_with("redis/"), "{refused:?}"),
            }
        }
    });
}

#[test]
fn any_body_that_a_participant_proves() {
    let secret = seal::secret("synod_ann");
    let secrets = [("t1".to_string(), secret)];
    fuzz("redis-body", Grammar::Json, KNOWN, |bytes| {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let signed = json!({ "body": text, "signature": seal::sign(&secret, &text).to_string() });
        if let Ok(Some(received)) = Received::signed(signed.to_string().as_bytes()) {
            acted_on(received, &secrets);
        }
        if let Some(sealed) = SealedMessage::new("t1", &secret, Direction::ToHouse, &ann(), &text) {
            let sealed = serde_json::to_vec(&sealed).expect("a message");
            if let Ok(Some(received)) = Received::sealed("ann", &sealed) {
                acted_on(received, &secrets);
            }
        }
    });
}
