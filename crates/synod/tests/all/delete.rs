//! A matter deleted: its words are nowhere, everything else is where it was.

use rusqlite::{Connection, params};
use serde_json::Value;
use synod_core::kernel::Digest;

use crate::houses::{check, finish};
use crate::world::{Place, Run};

const SECRET: &str = "xyzzy";

/// A house with a matter to delete and one to keep, and the receipt of the first outside of it.
struct Kept {
    place: Place,
    matter: String,
    receipt: Value,
}

fn prepare() -> Kept {
    let place = Place::new();
    place.write(
        "said.txt",
        "@seat ann\n@any\n{\"stance\":\"A\",\"vote\":\"A\",\"position\":\"xyzzy is best\",\"reason\":\"xyzzy\",\"change_if\":\"xyzzy\"}\n\
         ---\n@seat bob\n@any\n{\"stance\":\"B\",\"vote\":\"B\",\"position\":\"no xyzzy\",\"reason\":\"never xyzzy\"}\n",
    );
    let seats =
        ["--seat=ann=script:said.txt", "--seat=bob=script:said.txt", "--seat=cy=exec:echo xyz''zy; exit 1"];
    let options = ["--option", "xyzzy now", "--option", "xyzzy never"];
    place.run(["debate", "Is it xyzzy?"].into_iter().chain(options).chain(seats)).exits(2);
    place.run(["debate", "Is there anything else?", "--quiet", "--rehearse"]);
    let list = place.json(["list"]);
    let matter = list[0]["matter"].as_str().expect("a matter").to_string();
    let receipt = place.run(["receipt", &matter]).exits(0).json();
    Kept { place, matter, receipt }
}

impl Kept {
    fn delete(&self) -> Run {
        self.place.run(["delete", &self.matter, "--yes"])
    }

    fn journal(&self) -> Connection {
        Connection::open(self.place.journal()).expect("the journal")
    }

    /// Changes the file; a change of nothing is an error of the test.
    fn sql(&self, sql: &str) {
        assert!(self.journal().execute(sql, []).expect("an attack") > 0, "{sql} changed nothing");
    }

    /// The last redacted act that holds these words.
    fn redacted(&self, words: &str) -> (i64, String) {
        let sql = "SELECT seq, body FROM acts WHERE redacted AND instr(body, ?1) ORDER BY seq DESC LIMIT 1";
        self.journal().query_row(sql, [words], |row| Ok((row.get(0)?, row.get(1)?))).expect("such an act")
    }

    /// The receipt from before, as somebody outside kept it.
    fn verify_old(&self) -> Run {
        self.place.write("old.json", format!("{}\n", self.receipt));
        let run = self.place.run(["verify", "old.json"]);
        std::fs::remove_file(self.place.dir().join("old.json")).expect("the receipt");
        run
    }

    #[track_caller]
    fn found(self, words: &str) {
        self.place.run(["verify"]).exits(1).prints("WRONG  ").prints(words);
        let told = self.place.json(["verify"]);
        assert!(told["good"] == false && told["wrong"].to_string().contains(words), "{told}");
        self.place.spoil();
    }
}

#[test]
fn its_words_are_nowhere_and_all_commands_go_on() {
    let kept = prepare();
    let (place, matter) = (&kept.place, kept.matter.as_str());
    let before = place.json(["show", matter]);
    kept.delete()
        .exits(0)
        .prints("is deleted: its words are gone from ")
        .prints(&format!("removed: .synod/receipts/{matter}.json"))
        .prints("not changed: receipts given away, exports, backups, cassettes");
    std::fs::remove_file(place.dir().join("said.txt")).expect("the script");
    place.holds_nowhere(SECRET);
    check(place);

    let list = place.json(["list"]);
    assert_eq!((&list[0]["redacted"], &list[0]["topic"]), (&true.into(), &"[redacted]".into()));
    assert_eq!((&list[1]["redacted"], &list[1]["topic"]), (&false.into(), &"Is there anything else?".into()));
    assert_eq!(list[0]["status"], before["status"]);
    let after = place.json(["show", matter]);
    for same in ["decision", "charter", "moved", "opened", "spent", "limits", "caveats"] {
        assert_eq!(before[same], after[same], "{same}");
    }
    assert_eq!(before["ballots"][0]["tally"], after["ballots"][0]["tally"]);
    assert_eq!(after["redacted"], true);
    place.run(["show", matter]).exits(0).prints("[redacted: its text was deleted]");
    for format in ["md", "html", "json"] {
        place.run(["export", matter, "--format", format]).exits(0).prints("redacted").hides(SECRET);
    }
    place.run(["replay"]).exits(0).prints(" deleted acts taken as recorded, same final hash ");
    place.run(["verify"]).exits(0).prints("each as a later act declares it").hides("note ");
    place.run(["doctor"]).hides("deletion");

    kept.delete().exits(0).prints("was deleted before; none of its words are left");
    let told = place.json(["delete", matter]);
    assert_eq!((&told["acts"], &told["by"], &told["receipt_file"]), (&0.into(), &Value::Null, &Value::Null));
    place.run(["debate", "Is that all?", "--quiet", "--rehearse"]);
    finish(kept.place);
}

#[test]
fn receipts_from_before_and_after_are_those_of_the_settling_act() {
    let kept = prepare();
    kept.delete().exits(0);
    kept.verify_old().exits(0).prints("act ").prints(
        "the matter was deleted since: its words cannot be compared, everything else matches the journal",
    );
    let run = kept.place.run(["receipt", &kept.matter]).exits(0).hides(SECRET);
    let (before, after) = (&kept.receipt["body"], &run.json()["body"]);
    for same in ["settled", "journal", "decision", "tally", "seats", "margin"] {
        assert_eq!(before[same], after[same], "{same}");
    }
    assert_eq!((before.get("redacted"), &after["redacted"]), (None, &true.into()));
    kept.place.write("new.json", &run.out);
    kept.place.run(["verify", "new.json"]).exits(0).prints("everything else match the journal");
    finish(kept.place);
}

#[test]
fn it_is_not_done_by_accident() {
    let kept = prepare();
    let place = &kept.place;
    let refused = place.run(["delete", &kept.matter]).exits(64);
    refused.tells("Is it xyzzy?").tells("to be deleted: its words in ").tells("pass --yes to confirm");
    place.run(["delete", "--yes"]).exits(64);
    place.run(["delete", "9999", "--yes"]).exits(66).tells("there is no matter 9999");
    let mut waiting = place.start(["debate", "Not over?", "--seat=ann=exec:sleep 600"]);
    while place.json(["list"])[2]["matter"].is_null() {
        assert!(!waiting.is_over());
    }
    let open = place.json(["list"])[2]["matter"].as_str().expect("a matter").to_string();
    let refused = || {
        let run = place.run(["delete", &open, "--yes"]).exits(64);
        run.tells("stop it first: synod stop 3");
    };
    refused();
    waiting.kill();
    refused();
    place.run(["stop"]).exits(0);
    place.run(["delete", &open, "--yes"]).exits(0).prints("the decision (undecided)");
    assert_eq!(place.json(["show", &kept.matter])["redacted"], false);
    finish(kept.place);
}

#[test]
fn a_crash_between_the_act_and_the_deed_is_told_and_finished() {
    let kept = prepare();
    let rows = kept.place.rows();
    kept.delete().exits(0);
    // As it would lie on the disk: the act is there, the bodies are the old ones.
    for (seq, _, body) in rows {
        let back = "UPDATE acts SET body = ?2, redacted = 0 WHERE seq = ?1";
        kept.journal().execute(back, params![seq, body]).expect("the old body");
    }
    let matter = &kept.matter;
    let told = "run `synod delete 1`";
    kept.place.run(["verify"]).exits(0).prints("note   ").prints(told);
    kept.place.run(["doctor"]).exits(65).prints(told);
    kept.place.run(["show", matter]).exits(0).hides(SECRET);
    kept.place.run(["receipt", matter]).exits(0).hides(SECRET);
    check(&kept.place);
    // Nobody is asked again.
    kept.place.run(["delete", matter]).exits(0).prints("is deleted");
    std::fs::remove_file(kept.place.dir().join("said.txt")).expect("the script");
    kept.place.holds_nowhere(SECRET);
    kept.place.run(["verify"]).exits(0).hides("note ");
    finish(kept.place);
}

/// The words are replaced, and the process died before the file was cleared of them.
#[test]
fn a_crash_before_the_file_is_cleared_is_told_and_finished_by_the_next_that_writes() {
    let kept = prepare();
    kept.delete().exits(0);
    let mark = kept.place.house().join("scrub-due");
    assert!(!mark.exists(), "nothing is due any more");
    std::fs::remove_file(kept.place.dir().join("said.txt")).expect("the script");
    // A page that SQLite has let go of still holds the words.
    let journal = kept.journal();
    journal.execute_batch("PRAGMA secure_delete = OFF; CREATE TABLE old (words TEXT)").expect("a table");
    let old = format!("{SECRET} ").repeat(2000);
    journal.execute("INSERT INTO old VALUES (?1)", [old]).expect("old words");
    journal.execute_batch("DROP TABLE old").expect("gone for SQLite");
    drop(journal);
    std::fs::write(&mark, b"").expect("the mark");
    let told = "deleted words may still lie in the journal file";
    kept.place.run(["verify"]).exits(0).prints("note   ").prints(told);
    kept.place.run(["doctor"]).exits(65).prints(told);
    kept.place.run(["debate", "Something else?", "--quiet", "--rehearse"]);
    assert!(!mark.exists());
    kept.place.holds_nowhere(SECRET);
    kept.place.run(["verify"]).exits(0).hides("note ");
    finish(kept.place);
}

#[test]
fn words_taken_away_by_hand() {
    let kept = prepare();
    let seq = kept.place.rows().iter().find(|(_, _, body)| body.contains("never xyzzy")).expect("an act").0;
    kept.sql(&format!("UPDATE acts SET body = replace(body, 'never xyzzy', '[redacted]') WHERE seq = {seq}"));
    kept.place.run(["verify"]).exits(1).prints(&format!("act {seq} was edited"));
    kept.sql(&format!("UPDATE acts SET redacted = 1 WHERE seq = {seq}"));
    kept.found(&format!("act {seq} was redacted, and no later act declares that"));
}

#[test]
fn a_redacted_act_edited() {
    let kept = prepare();
    kept.delete().exits(0);
    let (seq, body) = kept.redacted("\"choice\":{\"option\":0}");
    let forged = body.replace("\"choice\":{\"option\":0}", "\"choice\":{\"option\":1}");
    kept.journal()
        .execute("UPDATE acts SET body = ?2 WHERE seq = ?1", params![seq, forged])
        .expect("an edit");
    kept.found(&format!("redacted act {seq} was edited: its bytes have the hash "));
}

#[test]
fn a_redacted_act_without_its_mark() {
    let kept = prepare();
    kept.delete().exits(0);
    let (seq, _) = kept.redacted("\"cast\"");
    kept.sql(&format!("UPDATE acts SET redacted = 0 WHERE seq = {seq}"));
    kept.found(&format!("act {seq} was edited: its bytes have the hash "));
}

/// Who may append can also declare: the chain holds. A vote that does not fit its count is found by counting
/// again, and what else they can change the receipt still knows.
#[test]
fn another_vote_under_the_name_of_a_redaction() {
    let kept = prepare();
    kept.delete().exits(0);
    let (seq, body) = kept.redacted("\"choice\":{\"option\":0}");
    let forged = body.replace("\"choice\":{\"option\":0}", "\"choice\":{\"option\":1}");
    let digest = |body: &str| Digest::of(body.as_bytes());
    let (last, _, declares) = kept.place.rows().pop().expect("the act that declares it");
    let declares = declares.replace(&digest(&body).to_string(), &digest(&forged).to_string());
    for (seq, body) in [(seq, &forged), (last, &declares)] {
        kept.journal()
            .execute("UPDATE acts SET body = ?2 WHERE seq = ?1", params![seq, body])
            .expect("an edit");
    }
    let hash = "UPDATE acts SET hash = ?2 WHERE seq = ?1";
    kept.journal().execute(hash, params![last, digest(&declares).0]).expect("a hash");
    kept.place.run(["verify"]).exits(1).prints("a recount gives another result");
    kept.verify_old().exits(1).prints("the journal gives a different receipt for this matter");
    // Words put in their mouths are found without a receipt.
    let spoken = forged.replacen("[redacted]", "plugh", 1);
    let declares = declares.replace(&digest(&forged).to_string(), &digest(&spoken).to_string());
    for (seq, body) in [(seq, &spoken), (last, &declares)] {
        kept.journal()
            .execute("UPDATE acts SET body = ?2 WHERE seq = ?1", params![seq, body])
            .expect("an edit");
    }
    kept.journal().execute(hash, params![last, digest(&declares).0]).expect("a hash");
    kept.found(&format!("act {seq} was declared redacted for matter "));
}

const SEATS: [&str; 2] = ["--seat=ann=script:said.txt", "--seat=bob=script:said.txt"];

/// Seats of one script that differ and say this word.
fn say(place: &Place, word: &str) {
    let side = |seat: &str, side: &str| {
        format!(
            "@seat {seat}\n@any\n{{\"stance\":\"{side}\",\"vote\":\"{side}\",\"position\":\"{word} makes it {side}\",\
             \"key_points\":[\"because of {word} it is {side}\"],\"reason\":\"{word}\",\"change_if\":\"no {word}\",\
             \"new_argument\":\"{word} was not known before\"}}\n"
        )
    };
    place.write("said.txt", [side("ann", "YES"), side("bob", "NO")].join("---\n"));
}

fn last(place: &Place) -> String {
    let list = place.json(["list"]);
    list.as_array().and_then(|rows| rows.last()).and_then(|row| row["matter"].as_str()).expect("one").into()
}

/// A matter whose seats say the secret, and branches whose seats say something else.
fn forked(charter: &str, forks: &[&[&str]]) -> (Place, String, Vec<String>) {
    let place = Place::new();
    say(&place, SECRET);
    let charter = format!("--charter={charter}");
    let long: &[&str] =
        if charter.ends_with("collaborative") { &["--set=watch.early=0", "--rounds=3"] } else { &[] };
    place.run([&["debate", "Is it good?", &charter, "--quiet"], &SEATS[..], long].concat()).exits(2);
    let origin = last(&place);
    say(&place, "plugh");
    let mut branches: Vec<String> = Vec::new();
    for fork in forks {
        // A number is the place of an earlier branch.
        let from = fork[0].parse::<usize>().map_or(&origin, |nth| &branches[nth]).clone();
        place.run([&["fork", &from], &fork[1..]].concat());
        branches.push(last(&place));
    }
    check(&place);
    (place, origin, branches)
}

/// Everything that shows a matter shows none of the words.
fn shows_no_word(place: &Place, matter: &str) {
    place.run(["show", matter]).exits(0).hides(SECRET);
    for format in ["md", "html", "json"] {
        place.run(["export", matter, "--format", format]).exits(0).hides(SECRET);
    }
    for seat in ["ann", "bob"] {
        place.run(["thoughts", matter, seat]).exits(0).hides(SECRET);
    }
    place.run(["round", matter, "1"]).hides(SECRET);
    place.run(["receipt", matter]).hides(SECRET);
}

#[test]
fn a_matter_others_branch_off_from() {
    let other = ["origin", "--at-round=2", "--charter=delphi", "--quiet"];
    let (place, origin, branches) = forked(
        "collaborative",
        &[&["origin", "--at-round=1", "--quiet"], &other, &["0", "--at-round=2", "--quiet"]],
    );
    let [same, _, twig] = &branches[..] else { panic!("three branches") };
    let told = "matters 2, 3, 4 are forks of it: they lose the rounds they share and keep their own copies of the question; `synod replay` takes their acts so far as recorded";
    place.run(["delete", &origin]).exits(64).tells(told).tells("pass --yes to confirm");
    let acts = place.rows().len();
    let done = place.run(["delete", &origin, "--yes"]).exits(0);
    let done = done.prints(&format!("removed: .synod/receipts/{origin}.json")).prints(told);
    assert_eq!(done.out.matches("removed: ").count(), 1, "{done}");
    std::fs::remove_file(place.dir().join("said.txt")).expect("the script");
    place.holds_nowhere(SECRET);
    check(&place);

    let replayed = place.json(["replay"]);
    let count = |key: &str| replayed[key].as_u64().expect(key);
    let first: usize = same.trim_start_matches('m').parse().expect("an id is the number of an act");
    assert_eq!(
        count("branch_of_redacted"),
        (acts - first) as u64,
        "all from the first fork on but the charter"
    );
    assert_eq!(count("judged") + count("redacted") + count("branch_of_redacted"), count("acts"));
    place.run(["replay"]).exits(0).prints(&format!(
        "{} acts re-executed, {} deleted acts and {} acts of forks of a deleted matter taken as recorded, ",
        count("judged"),
        count("redacted"),
        count("branch_of_redacted")
    ));
    for matter in branches.iter().chain([&origin]) {
        shows_no_word(&place, matter);
        place.run(["compare", &origin, matter]).exits(0).hides(SECRET);
    }
    for branch in &branches {
        let shown = place.json(["show", branch]);
        assert_eq!(shown["question"]["topic"], "Is it good?");
        let said = |round: usize| shown["rounds"][round]["said"][0]["response"]["position"].clone();
        assert_eq!(said(0), "[redacted]", "{shown}");
        assert_eq!(said(2), "plugh makes it YES", "{shown}");
        place.run(["verify", &format!(".synod/receipts/{branch}.json")]).exits(0);
    }
    // Life goes on, and what comes is judged again.
    say(&place, "plugh");
    place.run(["fork", twig, "--at-round=1", "--quiet"]);
    place.run(["fork", &origin, "--at-round=1", "--quiet"]);
    assert_eq!(place.json(["replay"])["branch_of_redacted"], replayed["branch_of_redacted"]);
    place.run(["delete", twig, "--yes"]).exits(0).prints(" is a fork of it: it loses the rounds they share ");
    finish(place);
}

#[test]
fn a_branch_deleted_leaves_where_it_came_from() {
    let (place, origin, branches) = forked("collaborative", &[&["origin", "--at-round=1", "--quiet"]]);
    let before = place.json(["show", &origin]);
    place.run(["delete", &branches[0], "--yes"]).exits(0).hides("branches off");
    assert_eq!(place.json(["show", &origin]), before);
    place.run(["verify", &format!(".synod/receipts/{origin}.json")]).exits(0);
    assert_eq!(place.json(["replay"])["branch_of_redacted"], 0);
    finish(place);
}

/// A branch that ended before a vote of its own has the vote of the rounds it shares on its receipt.
#[test]
fn a_receipt_of_a_branch_that_quotes_it() {
    let silent = ["--seat=ann=exec:sleep 600", "--seat=bob=exec:sleep 600", "--max-time=1s", "--quiet"];
    let silent = [&["origin", "--at-round=2"], &silent[..]].concat();
    let (place, origin, branches) = forked("blind-vote", &[&silent, &["origin", "--at-round=1", "--quiet"]]);
    let branch = &branches[0];
    let receipt = format!(".synod/receipts/{branch}.json");
    let old = std::fs::read_to_string(place.dir().join(&receipt)).expect("a receipt");
    assert!(old.contains(SECRET), "{old}");
    place.run(["delete", &origin]).exits(64).tells(&format!(", and {receipt}"));
    place.run(["delete", &origin, "--yes"]).exits(0).prints(&format!("removed: {receipt}"));
    assert!(place.dir().join(format!(".synod/receipts/{}.json", branches[1])).exists());
    std::fs::remove_file(place.dir().join("said.txt")).expect("the script");
    place.holds_nowhere(SECRET);
    place.write("old.json", &old);
    place.run(["verify", "old.json"]).exits(0).prints(
        "the matter it was forked from was deleted since: words of the shared rounds cannot be compared",
    );
    place.write("new.json", place.run(["receipt", branch]).exits(0).hides(SECRET).out);
    place.run(["verify", "new.json"]).exits(0).prints("everything else match the journal");
    finish(place);
}

#[test]
fn a_crash_between_the_act_and_the_deed_with_a_branch() {
    let (place, origin, branches) = forked("collaborative", &[&["origin", "--at-round=1", "--quiet"]]);
    let rows = place.rows();
    place.run(["delete", &origin, "--yes"]).exits(0);
    let journal = Connection::open(place.journal()).expect("the journal");
    for (seq, _, body) in rows {
        let back = "UPDATE acts SET body = ?2, redacted = 0 WHERE seq = ?1";
        journal.execute(back, params![seq, body]).expect("the old body");
    }
    drop(journal);
    let replayed = place.json(["replay"]);
    assert_eq!(
        (&replayed["redacted"], &replayed["branch_of_redacted"]),
        (&0.into(), &0.into()),
        "{replayed}"
    );
    place.run(["verify"]).exits(0).prints("note   ");
    check(&place);
    [&origin, &branches[0]].into_iter().for_each(|matter| shows_no_word(&place, matter));
    // What happens to the branch now is judged by what is left, before and after.
    place.run(["fork", &branches[0], "--at-round=1", "--quiet"]);
    check(&place);
    place.run(["delete", &origin]).exits(0).prints("is deleted").prints("are forks of it");
    std::fs::remove_file(place.dir().join("said.txt")).expect("the script");
    place.holds_nowhere(SECRET);
    assert_ne!(place.json(["replay"])["branch_of_redacted"], 0);
    finish(place);
}

/// Words that have to be kept are not deleted early, whatever is typed.
#[test]
fn a_retention_rule_refuses_to_delete_early() {
    let place = Place::new();
    place.run(["debate", "Should we cache the index?", "--quiet", "--rehearse"]);
    place.write(".synod/retention.toml", "# the law\nkeep_days = 183\n");
    place.run(["delete", "1", "--yes"]).exits(64).tells("has to be kept until 20").tells("keep_days = 183");
    place.write(".synod/retention.toml", "keep_days = many\n");
    place.run(["delete", "1", "--yes"]).exits(65).tells("line 1").tells("nothing is deleted meanwhile");
    place.run(["show", "1"]).exits(0).prints("Should we cache the index?");
    // The user's own rule holds too, and the longer one wins.
    place.write(".synod/retention.toml", "keep_days = 0\n");
    place.write(".config/synod/retention.toml", "keep_days = 1\n");
    place.run(["delete", "1", "--yes"]).exits(64).tells("keep_days = 1");
    place.write(".config/synod/retention.toml", "keep_days = 0\n");
    place.run(["delete", "1", "--yes"]).exits(0).prints("is deleted");
    finish(place);
}

#[test]
fn canon_from_a_deleted_issue_ends_and_is_named_everywhere() {
    let place = Place::new();
    place.run(["issue", "open", "The gate", "--body", "The gate is made of quokkawood."]).exits(0);
    place.run(["canon", "promote", "fact", "--issue", "1"]).exits(0);
    place.run(["issue", "close", "1"]).exits(0);
    place.run(["delete", "1"]).exits(64).tells("ends as canon, for its words come from it: canon:fact@1");
    place.run(["delete", "--help"]).exits(0).prints("Canon that was promoted from an issue loses its text");
    place.run(["delete", "1", "--yes"]).exits(0).prints("ends as canon").prints("canon:fact@1");
    let history = place.run(["canon", "history", "fact"]).exits(0);
    history.prints("ended");
    let listed = place.run(["canon", "list"]).exits(0);
    assert!(!listed.out.contains("fact@1"), "{}", listed.out);
    place.run(["verify"]).exits(0);
    place.run(["replay"]).exits(0);
    finish(place);
}
