//! Who may move an issue on the ladder, and who may make canon of it.

use imbl::OrdSet;
use synod_core::canon::{Canon, CanonRole, IssueSupport, Mover, Promotion, Rules, may_move};
use synod_core::kernel::{About, Actor, At, Epistemic, MatterId, Who};

use super::{agent, id, promote, promotion, record, user, who};

const AGENTS_PROMOTE: Rules = Rules { agents_promote: true, agent_votes: 3 };

fn matter() -> MatterId {
    MatterId(id(7))
}

fn names(written: &[&str]) -> OrdSet<Who> {
    written.iter().map(|name| who(name)).collect()
}

fn code(result: Result<impl Sized, synod_core::canon::Refusal>) -> &'static str {
    result.err().map_or("ok", |refusal| refusal.code())
}

fn moves(from: Epistemic, to: Epistemic, mover: &Mover, supporters: &[&str]) -> &'static str {
    let (supporters, author) = (names(supporters), who("ann"));
    let support =
        IssueSupport { status: from, author: Some(&author), supporters: &supporters, agents: &supporters };
    code(may_move(to, mover, &support))
}

#[test]
fn agents_climb_one_step_with_the_support_it_needs() {
    use Epistemic::{Agreed, Canon, Draft, Tentative};
    for (from, to, supporters, expected) in [
        (Draft, Tentative, &[][..], "canon/too-little-support"),
        (Draft, Tentative, &["ann"], "canon/too-little-support"),
        (Draft, Tentative, &["bob"], "ok"),
        (Tentative, Agreed, &["ann", "bob"], "canon/too-little-support"),
        (Tentative, Agreed, &["bob", "cy"], "ok"),
        (Draft, Agreed, &["bob", "cy", "dee"], "canon/not-the-next-step"),
        (Agreed, Tentative, &["bob", "cy"], "canon/not-the-next-step"),
        (Agreed, Draft, &["bob", "cy"], "canon/not-the-next-step"),
        (Agreed, Canon, &["bob", "cy", "dee"], "canon/only-by-promotion"),
        (Canon, Draft, &["bob"], "canon/only-by-promotion"),
        (Draft, Draft, &["bob"], "canon/already-there"),
    ] {
        assert_eq!(
            moves(from, to, &agent("bob"), supporters),
            expected,
            "{from:?} to {to:?} by {supporters:?}"
        );
    }
}

#[test]
fn user_and_lead_set_any_step_below_canon() {
    let lead = Mover { by: Actor::Seat(who("lea")), role: CanonRole::Lead };
    for mover in [&user(), &lead] {
        for from in Epistemic::WORDS.map(|(_, step)| step) {
            for to in Epistemic::WORDS.map(|(_, step)| step) {
                let canon = [from, to].contains(&Epistemic::Canon);
                let expected = match (from == to, canon) {
                    (true, _) => "canon/already-there",
                    (false, true) => "canon/only-by-promotion",
                    (false, false) => "ok",
                };
                assert_eq!(moves(from, to, mover, &[]), expected, "{from:?} to {to:?}");
            }
        }
    }
}

fn promotes(rules: &Rules, status: Epistemic, mover: &Mover, agents: &[&str], text: &str) -> &'static str {
    let mut canon = Canon::default();
    promote(&mut canon, 9, "eyes", "Mara's eyes are green.");
    let supporters = names(&["ann", "bob", "cy", "user"]);
    let agents = names(agents);
    let support = IssueSupport { status, author: None, supporters: &supporters, agents: &agents };
    let wanted = Promotion { matter: Some(matter()), ..promotion("new", text) };
    code(canon.promote(At(1), rules, &wanted, mover, &support))
}

#[test]
fn promotion_is_for_user_and_lead_and_for_three_agents_where_the_charter_allows_it() {
    use Epistemic::{Agreed, Draft, Tentative};
    let (bob, three) = (agent("bob"), ["ann", "bob", "cy"]);
    let (fine, bad) = ("The gate is closed.", "Mara's eyes are blue.");
    let lead = Mover { by: Actor::Seat(who("lea")), role: CanonRole::Lead };
    assert_eq!(promotes(&Rules::default(), Draft, &user(), &[], bad), "ok");
    assert_eq!(promotes(&Rules::default(), Draft, &lead, &[], bad), "ok");
    assert_eq!(promotes(&Rules::default(), Agreed, &bob, &three, fine), "canon/agents-may-not-promote");
    assert_eq!(promotes(&AGENTS_PROMOTE, Draft, &bob, &three, fine), "canon/not-agreed");
    assert_eq!(promotes(&AGENTS_PROMOTE, Tentative, &bob, &three, fine), "canon/not-agreed");
    assert_eq!(promotes(&AGENTS_PROMOTE, Agreed, &bob, &three[..2], fine), "canon/too-few-votes");
    assert_eq!(promotes(&AGENTS_PROMOTE, Agreed, &bob, &three, bad), "canon/contradicts");
    assert_eq!(promotes(&AGENTS_PROMOTE, Agreed, &bob, &three, fine), "ok");
}

#[test]
fn an_agent_counts_once_under_any_spelling_and_only_supporters_vote() {
    let supporters: OrdSet<Who> = ["Bob", "BOB ", "bob"].iter().map(|name| who(name)).collect();
    let agents = names(&["bob", "cy", "dee"]);
    let status = Epistemic::Draft;
    let support = IssueSupport { status, author: None, supporters: &supporters, agents: &agents };
    assert_eq!(support.agent_votes(), [who("bob")]);
}

#[test]
fn promotion_records_who_voted() {
    let (mut canon, status) = (Canon::default(), Epistemic::Agreed);
    let supporters = names(&["ann", "bob", "cy"]);
    let support = IssueSupport { status, author: None, supporters: &supporters, agents: &supporters };
    let wanted = Promotion { matter: Some(matter()), ..promotion("gate", "The gate is closed.") };
    let event = canon.promote(At(1), &AGENTS_PROMOTE, &wanted, &agent("bob"), &support).unwrap();
    assert_eq!(event.about(), About::Matter(matter()));
    record(&mut canon, 10, At(1), &[event]);
    assert!(canon.rests_on(matter(), At(1)));
    let version = canon.entry(&wanted.name).unwrap().latest().unwrap();
    assert_eq!(version.votes, [who("ann"), who("bob"), who("cy")]);
    assert_eq!((version.version, version.at, version.matter), (1, At(1), Some(matter())));
    assert_eq!(version.claims.len(), 1);
}

#[test]
fn support_is_given_once_and_taken_back() {
    let mut canon = Canon::default();
    assert_eq!(code(canon.support(matter(), &who("bob"), false)), "canon/nothing-changes");
    let event = canon.support(matter(), &who("bob"), true).unwrap();
    record(&mut canon, 2, At(0), &[event]);
    assert_eq!(code(canon.support(matter(), &who("Bob"), true)), "canon/nothing-changes");
    assert_eq!(canon.supporters(matter()).len(), 1);
    let event = canon.support(matter(), &who("bob"), false).unwrap();
    record(&mut canon, 3, At(0), &[event]);
    assert!(canon.supporters(matter()).is_empty());
}
