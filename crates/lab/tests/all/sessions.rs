//! Recorded sessions from transcripts, lines and receipts, good and bad.

use std::fs;
use std::path::Path;

use serde_json::json;
use synod_lab::session::{
    ForcedBy, RecordedSession, SESSION_FORM, SessionBook, SideSource, SpokenSide, from_book, from_lines,
    from_receipt, from_transcript, is_transcript, summary,
};

use crate::recorded::say;

/// A file of the recorded parliament, where it is here.
pub(crate) fn conclave(file: &str) -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/conclave").join(file);
    let text = fs::read_to_string(path).ok();
    if text.is_none() {
        say(&format!("skipped: the recorded parliament ({file}) is not here"));
    }
    text
}

const SMALL: &str = "# Archon 72 Conclave Transcript\n\n**Session:** small-1\n\n\
**[10:00:00] Ann:**\nMotion introduced: Motion to Try\n\n\
**[10:00:01] Bob:**\nMotion seconded by Bob\n\n\
**[10:00:02] Ann:**\nSTANCE: FOR\n\nIt helps.\n\n---\n\n# A heading of hers\n\n\
**[10:00:03] Bob:**\nThought: I now can give a great answer\n\n**STANCE: AGAINST**\n\nNo.\n\n\
**[10:00:04] Aim:**\nSTANCE: FORMAL OBJECTION\n\nI object.\n\n\
**[10:00:05] Secretary:**\n## Debate Digest (Entry 3)\n\n**Position Summary:** 1 FOR | 1 AGAINST | 1 NEUTRAL\n\n\
**[10:00:06] [PROCEDURAL]:**\nCONSENSUS ALERT: 85% of speakers share the same stance (0 FOR, 1 AGAINST out of 1). \
To ensure robust deliberation, the Chair directs the next 2 speakers to steelman the FOR position.\n\n\
**[10:00:07] Ann:**\n## STANCE: `FOR`\n\nAgain.\n\n\
**[10:00:07] Ann:**\nVIOLATION: King defined HOW - Timeline\n\n\
**[10:00:08] Bob:**\nSTANCE: FOR\n\nBy order.\n\n\
**[10:00:09] Aim:**\nSTANCE: AGAINST\n\nFreely.\n\n\
**[10:00:10] [PROCEDURAL]:**\nRED TEAM ROUND: Before voting, 1 archons will now steelman the FOR position.\n\n\
**[10:00:11] Aim:**\nSTANCE: FOR\n\nBy order.\n\n\
**[10:00:12] [PROCEDURAL]:**\nThe question has been called. Debate is closed.\n\n\
**[10:00:13] Ann:**\nVote: AYE\n\n**[10:00:14] Bob:**\nVote: NAY\n\n**[10:00:15] Aim:**\nVote: ABSTAIN\n\n\
**[10:00:16] [PROCEDURAL]:**\nVote tally: 1 AYE, 1 NAY, 1 ABSTAIN. Motion FAILED.\n";

#[test]
fn a_transcript_tells_forced_from_free_and_is_compared_with_its_own_counts() {
    assert!(is_transcript(SMALL) && !is_transcript("# Notes\n**bold**\n"));
    let read = from_transcript(SMALL).expect("good");
    let [session] = read.as_slice() else { panic!("{read:?}") };
    assert_eq!((session.name.as_str(), session.motion.as_str()), ("small-1", "Motion to Try"));
    assert_eq!((session.proposer.as_deref(), session.seconder.as_deref()), (Some("Ann"), Some("Bob")));
    let said: Vec<_> = session
        .speeches
        .iter()
        .map(|it| (it.speaker.as_str(), it.round, it.side, it.forced.map(|f| f.why)))
        .collect();
    let (yes, no) = (Some(SpokenSide::For), Some(SpokenSide::Against));
    let (alert, red) = (Some(ForcedBy::ConsensusBreak), Some(ForcedBy::RedTeam));
    assert_eq!(
        said,
        [
            ("Ann", 1, yes, None),
            ("Bob", 1, no, None),
            ("Aim", 1, None, None),
            ("Ann", 2, yes, alert),
            ("Bob", 2, yes, alert),
            ("Aim", 2, no, None),
            ("Aim", 3, yes, red)
        ]
    );
    assert_eq!(session.speeches[2].source, SideSource::None, "a formal objection is not FOR");
    assert!(
        session.speeches[0].text.ends_with("# A heading of hers"),
        "a rule and a heading belong to the speech"
    );
    assert_eq!(session.breaks(), [4]);
    assert_eq!(session.spoken(u32::MAX, false).words(), "4/2/1");
    assert_eq!(session.spoken(u32::MAX, true).words(), "1/2/1");
    assert_eq!(session.voted().words(), "1/1/1");
    let ranks: Vec<_> = session.speakers.iter().map(|it| (it.rank, it.rank_deduced)).collect();
    assert_eq!(ranks, [(Some(1), true), (Some(1), true), (Some(2), true)], "Aim comes after Bob, so below");
    assert!(session.notes.iter().any(|note| note.contains("in digests: 1;")), "{:?}", session.notes);
}

#[test]
fn what_does_not_hang_together_in_a_transcript_is_said_with_its_line() {
    let line = |needle: &str| SMALL.lines().position(|line| line.contains(needle)).expect("the line") + 1;
    let notes = |text: &str| from_transcript(text).expect("it is read").remove(0).notes.join("\n");
    let found = notes(&SMALL.replace("(Entry 3)", "(Entry 4)"));
    assert!(
        found.contains(&format!("line {}: this digest follows entry 4, but 3", line("Secretary"))),
        "{found}"
    );
    let found = notes(&SMALL.replace("1 FOR | 1 AGAINST | 1", "2 FOR | 1 AGAINST | 0"));
    assert!(found.contains("the speeches before it come to 1/1/1"), "{found}");
    let found = notes(&SMALL.replace("tally: 1 AYE", "tally: 2 AYE"));
    assert!(found.contains("says 2/1/1, the votes above come to 1/1/1"), "{found}");
    let found = notes(&SMALL.replace("Vote: NAY", "I vote no."));
    assert!(found.contains("`Bob` says after the question was called is left out"), "{found}");
    let early = SMALL.replace(
        "**[10:00:00] Ann:**\nMotion",
        "**[09:59:00] Ann:**\nGood morning.\n\n**[10:00:00] Ann:**\nMotion",
    );
    assert!(notes(&early).contains("before the first motion"), "{}", notes(&early));
    let wrong = |text: &str| {
        let flaws = from_transcript(text).expect_err("it has flaws");
        flaws.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    };
    let found =
        wrong(&SMALL.replace("the next 2 speakers to steelman the FOR position", "everybody to think"));
    assert!(
        found.contains(&format!("line {}: this alert does not say how many", line("CONSENSUS ALERT") - 1)),
        "{found}"
    );
    assert!(wrong(&SMALL.replace("Bob:**\nVote: NAY", "Ann:**\nVote: NAY")).contains("`Ann` votes twice"));
    assert!(wrong("**[10:00:02] Ann:**\nSTANCE: FOR\n").contains("there is no motion here"));
    assert!(wrong("nothing at all").contains("there is no motion here"));
}

#[test]
fn a_transcript_may_hold_several_motions() {
    let second = SMALL.split_once("**[10:00:00]").expect("a head").1;
    let read = from_transcript(&format!("{SMALL}\n**[10:00:00]{second}")).expect("good");
    assert_eq!(read.iter().map(|it| it.name.as_str()).collect::<Vec<_>>(), ["small-1", "small-1-2"]);
    for session in &read {
        // An order of the first never reaches into the second.
        assert_eq!((session.breaks(), session.speeches.len(), session.votes.len()), (vec![4], 7, 3));
        assert_eq!(session.stated.map(|it| it.count.words()), Some("1/1/1".into()));
    }
}

#[test]
fn the_recorded_parliament_comes_to_221_speeches_and_both_of_its_files_agree() {
    let (Some(transcript), Some(speeches), Some(votes)) =
        (conclave("transcript.md"), conclave("speeches.jsonl"), conclave("votes.jsonl"))
    else {
        return;
    };
    let from_text = from_transcript(&transcript).expect("good");
    let from_rows = from_lines(&format!("{speeches}\n{votes}")).expect("good");
    for read in [&from_text, &from_rows] {
        let [session] = read.as_slice() else { panic!("{} sessions", read.len()) };
        assert_eq!((session.speeches.len(), session.votes.len(), session.speakers.len()), (221, 72, 72));
        assert_eq!(session.breaks(), [41, 61, 108, 128, 161, 181, 201]);
        assert_eq!(session.before_red_team(), 216);
        assert_eq!(session.spoken(216, false).words(), "32/181/3");
        assert_eq!(session.spoken(u32::MAX, false).words(), "37/181/3");
        assert_eq!(session.spoken(u32::MAX, true).words(), "11/181/3");
        assert_eq!(session.voted().words(), "11/61/0");
        let forced = session.speeches.iter().filter(|said| said.forced.is_some()).count();
        assert_eq!(forced, 26);
    }
    let brief = |session: &RecordedSession| -> Vec<_> {
        let said = session.speeches.iter();
        said.map(|it| (it.speaker.clone(), it.round, it.forced, it.side.unwrap_or(SpokenSide::Neutral)))
            .collect()
    };
    assert_eq!(brief(&from_text[0]), brief(&from_rows[0]));
    let ranks = |session: &RecordedSession| -> Vec<_> { session.speakers.iter().map(|it| it.rank).collect() };
    assert_eq!(
        ranks(&from_text[0]),
        ranks(&from_rows[0]),
        "ranks worked out from the order are those that are given"
    );
}

#[test]
fn lines_say_what_is_wrong_and_where() {
    let text = "{\"speaker\":\"ann\",\"stance\":\"FOR\",\"round\":2}\n\
                {\"speaker\":\"bob\",\"stance\":\"MAYBE\"}\n\
                {\"stance\":\"FOR\"}\n\
                {\"speaker\":\"bob\",\"stance\":\"FOR\",\"forced\":true}\n\
                {\"speaker\":\"bob\",\"stance\":\"FOR\",\"round\":1}\n\
                {\"speaker\":\"bob\"}\n\
                [1]\n{]\n\
                {\"speaker\":\"ann\",\"vote\":\"AYE\"}\n\
                {\"speaker\":\"ann\",\"vote\":\"NAY\"}\n\
                {\"speaker\":\"ann\",\"stance\":\"FOR\",\"order\":7}\n";
    let flaws = from_lines(text).expect_err("it has flaws");
    let lines: Vec<usize> = flaws.iter().map(|flaw| flaw.line).collect();
    assert_eq!(lines, [2, 3, 4, 5, 6, 7, 8, 10, 11], "{flaws:#?}");
    assert!(flaws[3].wrong.contains("round 1 comes after round 2"), "{flaws:#?}");
    assert!(from_lines("").expect_err("nothing")[0].wrong.contains("no speech and no vote"));
}

#[test]
fn what_is_written_is_read_again_and_a_broken_file_is_refused() {
    let sessions = from_transcript(SMALL).expect("good");
    let book = SessionBook { format: SESSION_FORM.into(), sessions };
    let text = serde_json::to_string_pretty(&book).expect("it can be written");
    assert_eq!(from_book(&text).expect("it can be read"), book);
    assert!(
        from_book(&text.replace("\"order\": 3", "\"order\": 9"))
            .expect_err("a gap")
            .wrong
            .contains("stands at place 3")
    );
    assert!(
        from_book(&text.replace("session/1", "session/9"))
            .expect_err("another form")
            .wrong
            .contains("session/9")
    );
    let broken = from_book(&text.replacen("\"round\": 2", "\"round\": two", 1)).expect_err("no number");
    assert!(broken.line > 20, "{broken}");
    let report = summary(&book.sessions);
    assert!(report.text().contains("4/2/1") && report.csv().contains("recorded"), "{}", report.text());
    let page = report.page();
    assert!(page.contains("<svg") && page.contains("shaded: forced") && !page.contains("://"), "{page}");
}

#[test]
fn a_receipt_gives_votes_and_no_speeches() {
    let body = json!({
        "format": "synod-receipt/1", "matter": "12.0", "question": { "topic": "Shall we?", "options": [] },
        "charter": { "digest": "ab" }, "decision": "rejected", "unparsed": ["cy"],
        "tally": { "yes": 1, "no": 1, "neutral": 0, "unparsed": 1 },
        "seats": [{ "who": "ann", "vote": "yes", "model": "m" }, { "who": "bob", "vote": "no" }, { "who": "cy", "vote": null }],
    });
    let session = from_receipt(&body).expect("good");
    assert_eq!(
        (session.speeches.len(), session.voted().yes, session.voted().no, session.voted().unknown),
        (0, 1, 1, 1)
    );
    assert_eq!(session.stated.and_then(|it| it.passed), Some(false));
    let mut other = body.clone();
    other["question"]["options"] = json!([{ "text": "a" }]);
    assert!(from_receipt(&other).expect_err("options").contains("yes-or-no"));
    assert!(from_receipt(&json!({ "format": "x" })).expect_err("a form").contains("`x`"));
}
