//! A labelled set of answers: what each must be read as. A side that is read wrongly decides something nobody wanted, so
//! none may be; a side that is not read is asked for again, so some may be missed.

use synod_core::brief::{FieldValue, Form, Section};
use synod_core::kernel::Choice;

/// What an answer means to a careful reader. `Unread` is also right for a side that only a careful reader finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Means {
    Yes,
    No,
    /// An option by its place.
    Of(u8),
    Neutral,
    Nothing,
}
use Means::{Neutral, No, Nothing, Of, Yes};

const OPTIONS: [&str; 3] = ["Redis", "Postgres", "Do nothing"];

/// Answers to a question of yes or no.
const PLAIN: &[(Means, &str)] = &[
    // The choice alone.
    (Yes, r#"{"vote":"YES"}"#),
    (Yes, r#"{"vote":"Yes."}"#),
    (Yes, r#"{"vote":"**yes**"}"#),
    (No, r#"{"vote":"no"}"#),
    (No, r#"{"vote":"NO!"}"#),
    (Yes, r#"{"vote":"SUPPORT"}"#),
    (No, r#"{"vote":"OPPOSE"}"#),
    (No, r#"{"vote":"disagree"}"#),
    (Neutral, r#"{"vote":"ABSTAIN"}"#),
    (Yes, "YES"),
    (No, "no."),
    (Yes, r#"{"vote":"ＹＥＳ"}"#),
    (No, "{\"vote\":\"No\u{200b}\"}"),
    // In the words of other languages.
    (Yes, r#"{"vote":"JA"}"#),
    (Yes, r#"{"vote":"ja"}"#),
    (No, r#"{"vote":"Nein"}"#),
    (No, r#"{"vote":"NEIN."}"#),
    (Yes, r#"{"vote":"Y"}"#),
    (No, r#"{"vote":"n"}"#),
    (Yes, r#"{"vote":true,"reason":"x"}"#),
    (No, r#"{"vote":false}"#),
    (Yes, r#"{"vote":"oui"}"#),
    (No, r#"{"vote":"non"}"#),
    (Yes, r#"{"vote":"sí"}"#),
    (No, r#"{"vote":"нет"}"#),
    (Yes, r#"{"vote":"Да"}"#),
    (No, r#"{"vote":"反对"}"#),
    (Yes, r#"{"vote":"はい"}"#),
    (Neutral, r#"{"vote":"Enthaltung"}"#),
    (No, "Nein"),
    (Yes, "ja"),
    (Yes, "Vote: Ja, weil es billig ist"),
    (No, "Vote: Nein."),
    (Yes, "Stimme: JA"),
    (No, "Antwort: Nein"),
    (Yes, "Meine Stimme: JA"),
    (Yes, "Ich stimme mit Ja."),
    // With a reason.
    (Yes, r#"{"vote":"YES - because it is cheaper"}"#),
    (No, r#"{"vote":"NO, because it is not safe"}"#),
    (No, r#"{"vote":"no because YES costs too much"}"#),
    (Yes, r#"{"vote":"Yes, definitely"}"#),
    (Yes, "Vote: YES\nReason: never had an outage"),
    (No, "Vote: NO, because a vote for YES is rash"),
    (No, "# Vote\nNO\n# Reason\nyes-men"),
    (Yes, "- vote: yes\n- reason: cheap"),
    (No, "**Vote:** no\n**Confidence:** 0.8"),
    (Yes, "**Stance**: SUPPORT"),
    // Said outright.
    (No, "I vote no."),
    (No, "I VOTE NO!"),
    (Yes, "I vote YES."),
    (Yes, "I vote for it."),
    (No, "I vote against it."),
    (No, "I vote against the proposal."),
    (No, "My answer is NO."),
    (Yes, "My vote is yes, with concerns."),
    (No, "So I vote no, for the reasons above."),
    (Yes, "Final answer: yes"),
    (Yes, r#"{"vote":"I vote YES"}"#),
    (Yes, "The load is high. I vote yes, because reads dominate."),
    // JSON in other clothes.
    (Yes, "```json\n{\"vote\": \"YES\", \"reason\": \"cheap\"}\n```\nHope this helps! No further questions."),
    (Yes, r#"Sure! Here's my answer: {"vote":"yes"}"#),
    (No, "For example, Bob said the cost is fine. I disagree.\n{\"vote\":\"NO\"}"),
    (No, r#"{"vote":"NO"}{"vote":"NO"}"#),
    (Yes, r#"{"vote":["YES"]}"#),
    (No, r#"{"vote":["NO",null]}"#),
    (No, r#"{"vote":{"choice":"NO"}}"#),
    (Yes, r#"{"vote":"YES","reason":"I would never say NO"}"#),
    // Both sides.
    (Nothing, r#"{"vote":["YES","NO"]}"#),
    (Nothing, r#"{"vote":["NO","YES"],"reason":"x"}"#),
    (Nothing, r#"{"vote":["SUPPORT","OPPOSE"]}"#),
    (Nothing, r#"{"vote":["YES","not sure"]}"#),
    (Nothing, r#"{"vote":"YES","vote":"NO"}"#),
    (Nothing, r#"{"vote":"YES"} {"vote":"not sure"}"#),
    (Nothing, r#"{"vote":"YES"} {"vote":"NO"}"#),
    (Nothing, r#"{"vote":{"YES":false,"NO":true}}"#),
    (Nothing, r#"{"vote":{"YES":0.2,"NO":0.8}}"#),
    (Nothing, r#"{"vote":"YES or NO"}"#),
    (Nothing, r#"{"vote":"YES NO"}"#),
    (Nothing, r#"{"vote":"YES/NO"}"#),
    (Nothing, r#"{"vote":"YES, NO"}"#),
    (Nothing, r#"{"vote":"Y N"}"#),
    (Nothing, "Vote: YES\nVote: NO"),
    (Nothing, "Vote: YES\nVote: unsure"),
    (Nothing, "Vote: YES / NO"),
    (Nothing, "vote: [YES|NO]"),
    (Nothing, "Vote: yes or no"),
    (Nothing, "Yes and no."),
    (Nothing, "YES and NO are both defensible."),
    (Nothing, "My vote is yes. On reflection, my vote is no."),
    (Nothing, "I vote yes.\nI vote no."),
    // Taken back or limited.
    (Nothing, r#"{"vote":"Yes, never"}"#),
    (Nothing, r#"{"vote":"Yes, but no"}"#),
    (Nothing, r#"{"vote":"Yes? No!"}"#),
    (Nothing, r#"{"vote":"Yes?"}"#),
    (Nothing, r#"{"vote":"Yes - hardly"}"#),
    (Nothing, r#"{"vote":"Ja, aber nicht so"}"#),
    (Nothing, r#"{"vote":"Ja. Kaum."}"#),
    (Nothing, r#"{"vote":"Yes, if pigs fly"}"#),
    (Nothing, r#"{"vote":"~~YES~~"}"#),
    (Nothing, r#"{"vote":"YES, because it is cheap. Actually no."}"#),
    (No, r#"{"vote":"Yes is wrong"}"#),
    (No, r#"{"vote":"yes would be a mistake"}"#),
    (No, r#"{"vote":"not yes"}"#),
    (No, r#"{"vote":"I would not support it"}"#),
    (No, r#"{"vote":"do not approve"}"#),
    (Nothing, "Vote: Yes? Hardly."),
    (No, "Vote: YES is not what I would choose"),
    (Nothing, "Stance: SUPPORT or OPPOSE? I cannot tell."),
    (Nothing, "I vote yes only in jest."),
    (Nothing, "I vote yes? Who says so?"),
    // No votes at all.
    (Nothing, r#"{"vote":"No idea"}"#),
    (Nothing, r#"{"vote":"no opinion"}"#),
    (Nothing, r#"{"vote":"No preference"}"#),
    (Nothing, r#"{"vote":"N/A"}"#),
    (Nothing, r#"{"vote":"not sure"}"#),
    (Nothing, r#"{"vote":"I cannot vote"}"#),
    (Nothing, r#"{"vote":null}"#),
    (Nothing, r#"{"vote":1}"#),
    (Yes, r#"{"vote":"No objection"}"#),
    (Nothing, "Vote: no opinion"),
    (Nothing, "Vote: no idea"),
    (Yes, "Vote: no objection"),
    (Nothing, "I vote no confidence in the process."),
    (Nothing, "I vote no matter what for whoever is right."),
    (Nothing, "No comment."),
    (Nothing, "There is no way to tell."),
    (Nothing, "Jein."),
    (Nothing, "Weder ja noch nein."),
    (Nothing, "Ja oder nein? Schwer zu sagen."),
    (Nothing, "Antwort: Nein oder Ja"),
    (Nothing, "Das ist ja interessant."),
    (Nothing, "我不知道。"),
    // Somebody else's.
    (Nothing, "> Vote: YES\n\nThat is what the form of bob says."),
    (Nothing, "> I vote YES.\n\nI have not made up my mind."),
    (Nothing, "bob wrote:\nVote: YES\nand I have to judge that."),
    (Nothing, "Bob would say:\nI vote no."),
    (Nothing, "\"I vote no.\" That is what Bob would write."),
    (Nothing, "Nobody can make me say: I vote no."),
    (Nothing, "I never said I vote no."),
    (Nothing, "If I vote no, we lose the customer."),
    (Nothing, "Why should I vote no?"),
    (Nothing, "Bob voted yes. Cy voted no."),
    (Nothing, r#"The form is {"vote":"YES"} but I refuse to answer."#),
    (Nothing, "Example:\n```json\n{\"vote\":\"YES\"}\n```\nI will not vote."),
    (Nothing, "Example:\n```json\n{\"vote\":\"YES\"}\n```"),
    (Nothing, r#"Bob said {"vote":"YES"}."#),
    (No, r#"Bob said {"vote":"YES"}. I say {"vote":"NO"}."#),
    (No, r#"{"vote":"YES"} That was a slip. I vote NO."#),
    // Parts of a sentence, signs, and what is said after.
    (Nothing, r#"{"vote":"YES"} would be wrong."#),
    (Nothing, r#"{"vote":"YES"} (ignore this)"#),
    (No, "{\"vote\":\"YES\"}\nWait, I meant NO."),
    (Nothing, r#"Not {"vote":"YES"}."#),
    (Nothing, "> {\"vote\":\"YES\"}\nThat is from bob."),
    (Nothing, "I do not wish to vote.\nVote: YES"),
    (Nothing, "You asked for this format:\nVote: YES"),
    (Nothing, "If forced:\nVote: YES"),
    (Nothing, r#"Output schema: {"vote":"YES"}"#),
    (Nothing, "Answer: Ja.\nAntwort: Nein."),
    (Nothing, "I vote yes, said Bob."),
    (Nothing, "Vote: YES\nThe above is a placeholder."),
    (Nothing, r#"{"vote":"[ ] YES"}"#),
    (Nothing, r#"{"vote":"❌ YES"}"#),
    (Nothing, r#"{"vote":"YES → NO"}"#),
    (Nothing, r#"{"vote":"はい、いいえ"}"#),
    (Nothing, r#"{"vote":"No. 1"}"#),
    (No, r#"{"vote":"Yes, we should avoid it"}"#),
    (No, r#"{"vote":"Ja, ich lehne das ab"}"#),
    (No, r#"{"vote":"YES because I have to, my real vote is NO"}"#),
    (Yes, "Here is the response in the requested JSON format:\n{\"vote\":\"YES\"}"),
    (No, "I weighed both sides.\n\nVote: NO\nConfidence: 0.7"),
    (No, r#"{"vote":"NO, the risk is too high"}"#),
    (No, r#"{"vote":"No, thanks"}"#),
    // Found by careful readers alone.
    (No, "I cannot support this."),
    (No, "Ich bin dagegen."),
    (Yes, "**Ja** – es spricht nichts dagegen."),
    (No, "No. The yes camp underestimates invalidation."),
    (No, "Ich stimme mit Nein, auch wenn viele Ja sagen."),
];

/// Answers to a question with options.
const AMONG: &[(Means, &str)] = &[
    (Of(0), r#"{"vote":"A"}"#),
    (Of(1), r#"{"vote":"b"}"#),
    (Of(0), r#"{"vote":"Option A"}"#),
    (Of(1), r#"{"vote":"option b"}"#),
    (Of(0), r#"{"vote":"A: Redis"}"#),
    (Of(0), r#"{"vote":"A) Redis"}"#),
    (Of(1), r#"{"vote":"B. Postgres"}"#),
    (Of(0), r#"{"vote":"A - because B is worse"}"#),
    (Of(2), r#"{"vote":"do nothing"}"#),
    (Of(1), r#"{"vote":"Postgres, because it is there"}"#),
    (Of(0), r#"{"vote":["A"]}"#),
    (No, r#"{"vote":"NONE"}"#),
    (No, r#"{"vote":"none of the above"}"#),
    (No, r#"{"vote":"Keine"}"#),
    (Neutral, r#"{"vote":"ABSTAIN"}"#),
    (Of(0), "Choice: A"),
    (Of(1), "I vote for option B."),
    (Of(2), "Vote: C"),
    (Nothing, r#"{"vote":["A","B"]}"#),
    (Nothing, r#"{"vote":"A, B"}"#),
    (Nothing, r#"{"vote":"A/B"}"#),
    (Nothing, r#"{"vote":"A or B"}"#),
    (Of(1), r#"{"vote":"A, but B is better"}"#),
    (Of(1), r#"{"vote":"A: no, B"}"#),
    (Nothing, r#"{"vote":"A) Postgres"}"#),
    (Nothing, r#"{"vote":"A. Never."}"#),
    (Nothing, r#"{"vote":"A?"}"#),
    (Nothing, r#"{"vote":"A: Redis? Rather not"}"#),
    (Nothing, r#"{"vote":"D"}"#),
    (Nothing, r#"{"vote":"YES"}"#),
    (Nothing, r#"{"vote":"Y"}"#),
    (Nothing, r#"{"vote":true}"#),
    (Nothing, r#"{"vote":"Redis and Postgres"}"#),
    (Nothing, r#"{"vote":"Redis is terrible"}"#),
    (Nothing, "Choice: A is terrible"),
    (Nothing, "Vote: A\nVote: B"),
    (Nothing, "I vote for a change"),
    (Nothing, "I vote against B."),
    (Nothing, "A good question."),
];

fn read(answer: &str, options: &[String]) -> (Means, Vec<String>) {
    let read = Form::vote(options.len(), Default::default()).read(answer, options);
    let repairs = read.repairs.iter().map(|repair| repair.code.clone()).collect();
    (means(read.fields.get("vote")), repairs)
}

/// The same by the reader of edition 3.
fn read_with_stances(answer: &str, options: &[String]) -> (Means, Vec<String>) {
    let read = Form::vote(options.len(), Default::default()).read_with_stances(answer, options);
    let repairs = read.repairs.iter().map(|repair| repair.code.clone()).collect();
    (means(read.fields.get("vote")), repairs)
}

fn means(given: Option<&FieldValue>) -> Means {
    match given {
        Some(FieldValue::Choice(Choice::Yes)) => Yes,
        Some(FieldValue::Choice(Choice::No)) => No,
        Some(FieldValue::Choice(Choice::Neutral)) => Neutral,
        Some(FieldValue::Choice(Choice::Option(place))) => Of(*place),
        _ => Nothing,
    }
}

fn options() -> Vec<String> {
    OPTIONS.map(String::from).to_vec()
}

#[test]
fn no_side_is_read_that_was_not_taken() {
    none_is_made_up("edition 2", read, 80);
    none_is_made_up("edition 3", read_with_stances, 80);
}

/// A reader of an answer to a question with these options: what it means, and what was done to read it.
type Reader = fn(&str, &[String]) -> (Means, Vec<String>);

/// No side is read that was not taken, and at least so many of a hundred that were are read.
#[expect(clippy::print_stdout, reason = "what was missed is worth a look")]
fn none_is_made_up(name: &str, read: Reader, percent: usize) {
    let among = options();
    let plain = PLAIN.iter().map(|(means, answer)| (*means, *answer, read(answer, &[]).0));
    let lettered = AMONG.iter().map(|(means, answer)| (*means, *answer, read(answer, &among).0));
    let all: Vec<(Means, &str, Means)> = plain.chain(lettered).collect();
    let wrong: Vec<_> = all.iter().filter(|(means, _, got)| *got != Nothing && got != means).collect();
    let missed: Vec<_> = all.iter().filter(|(means, _, got)| *got == Nothing && *means != Nothing).collect();
    let (meant, taken) = (
        all.iter().filter(|(means, ..)| *means != Nothing).count(),
        all.iter().filter(|(.., got)| *got != Nothing).count(),
    );
    let right = taken - wrong.len();
    println!("{name}: {} answers: precision {right}/{taken}, recall {right}/{meant}", all.len());
    missed.iter().for_each(|(means, answer, _)| println!("missed {means:?}: {answer}"));
    assert!(all.len() >= 120, "{}", all.len());
    assert!(wrong.is_empty(), "{name}: {wrong:#?}");
    assert!(right * 100 >= meant * percent, "{name}: recall fell to {right} of {meant}: {missed:#?}");
}

#[test]
fn stances_are_read_like_votes() {
    let section = |key: &str| Section { key: key.into(), ask: "x".into(), optional: false };
    let form = Form::speech(0, &[section("position"), section("reasoning")]);
    for (_, answer) in PLAIN.iter().filter(|(_, answer)| answer.contains("\"vote\"")) {
        let stance = answer.replace("\"vote\"", "\"stance\"");
        let read_as = means(form.read(&stance, &[]).fields.get("stance"));
        // Inside the value itself another key may be named.
        assert_eq!(read_as, read(answer, &[]).0, "{stance}");
    }
}

#[test]
fn what_was_done_to_read_a_choice_is_said() {
    for (answer, codes) in [
        (r#"{"vote":"YES"}"#, &[][..]),
        (r#"{"vote":"YES - because it is cheaper"}"#, &[]),
        (r#"{"vote":"JA"}"#, &["translated-choice"]),
        (r#"{"vote":true}"#, &["translated-choice"]),
        (r#"{"vote":["YES"]}"#, &["nested-choice"]),
        (r#"{"vote":"Yes, definitely"}"#, &["choice-in-prose"]),
        (r#"{"vote":"Ja, unbedingt"}"#, &["translated-choice", "choice-in-prose"]),
        (r#"{"vote":["YES","NO"]}"#, &["choice-unknown"]),
        (r#"{"vote":"Yes, never"}"#, &["choice-unknown"]),
        ("Vote: YES\nVote: NO", &["sections", "contradiction"]),
        (r#"The form is {"vote":"YES"} but I refuse to answer."#, &["fenced", "contradiction"]),
    ] {
        assert_eq!(read(answer, &[]).1, codes, "{answer}");
    }
    assert_eq!(read(r#"{"vote":"A: Redis"}"#, &options()).1, Vec::<String>::new());
}
