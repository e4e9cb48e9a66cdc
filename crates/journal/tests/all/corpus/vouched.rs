//! Who vouched for what: the owner, a token with its code, and a participant who signs.

use synod_core::command::Open;
use synod_core::kernel::{Actor, Digest, Key, SeatKind, Who};
use synod_core::{Command, Vouched};
use synod_journal::vouch::{self, ParticipantKey};

use super::scribe::{Scribe, open, seat};

/// A participant registers a key, signs, and gives the key up again.
pub(super) fn signs(it: &mut Scribe) {
    let who = Who::parse("ulf").expect("a name");
    it.operator(Command::Enrol { seat: seat("ulf", SeatKind::Outside, "outside") });
    let by = Actor::Seat(who.clone());
    let signer = ParticipantKey::from_hex(&"01".repeat(32)).expect("a seed");
    let secret = vouch::mac_secret("synod_token");
    let (house, seen) = (it.house().founded().expect("a house").key.clone(), it.seen());
    let vouched = |key: Option<&Key>, command: &Command, signs: bool| {
        let by_token = format!("token:{}", Digest::of(b"synod_token").short());
        let text = vouch::signed_text(&house, (&by, key, command), &seen).expect("a text");
        let mac = vouch::mac(&secret, "0123456789abcdef".repeat(2), &by_token, (&by, key, command));
        let signature = signs.then(|| signer.sign(&text));
        Vouched { by: by_token, mac: Some(mac.expect("a code")), seen: signs.then_some(seen), signature }
    };
    let key = |nth: u8| Key(format!("signed/{nth}").into());
    let first = Command::Key { key: Some(signer.public_hex()), who: who.clone() };
    it.vouched(Some("roster/unsigned"), by.clone(), Vouched::by_owner(), (None, first.clone()));
    let malformed = Command::Key { key: Some("ab".into()), who: who.clone() };
    let one = Some(&key(1));
    it.vouched(Some("roster/malformed-key"), by.clone(), vouched(one, &malformed, true), (one, malformed));
    it.vouched(Some("roster/repeatable"), by.clone(), vouched(None, &first, true), (None, first.clone()));
    let two = Some(&key(2));
    it.vouched(None, by.clone(), vouched(two, &first, true), (two, first));
    let gives_up = Command::Key { key: None, who };
    let three = Some(&key(3));
    it.vouched(
        Some("roster/unsigned"),
        by.clone(),
        vouched(three, &gives_up, false),
        (three, gives_up.clone()),
    );
    let four = Some(&key(4));
    it.vouched(None, by.clone(), vouched(four, &gives_up, true), (four, gives_up));
    let asked = open(super::chapters::blind_vote(), "Who is asked?", &[], &["ann"]);
    let reaches = vec!["api.example.org".to_string(), "program claude -p".to_string()];
    it.opens(Open { reaches, ..asked });
    it.operator(Command::Stop { matter: it.matter() });
}

/// Names that could be taken for another, and a signature that says which record its author had seen.
pub(super) fn names(it: &mut Scribe) {
    let outside = |name: &str| seat(name, SeatKind::Outside, "outside");
    it.operator(Command::Enrol { seat: outside("ulla") });
    it.refused("roster/reserved-name", Actor::Operator, Command::Enrol { seat: outside("operator") });
    // The last letter is Cyrillic.
    it.refused("roster/look-alike", Actor::Operator, Command::Enrol { seat: outside("ull\u{430}") });
    let who = Who::parse("ulla").expect("a name");
    let by = Actor::Seat(who.clone());
    let signer = ParticipantKey::from_hex(&"04".repeat(32)).expect("a seed");
    let house = it.house().founded().expect("a house").key.clone();
    let seen = it.seen();
    let key = Key("signed/names".into());
    let registers = Command::Key { key: Some(signer.public_hex()), who };
    let text = vouch::signed_text(&house, (&by, Some(&key), &registers), &seen).expect("a text");
    let vouched = Vouched { seen: Some(seen), signature: Some(signer.sign(&text)), ..Vouched::by_owner() };
    it.vouched(None, by, vouched, (Some(&key), registers));
}
