//! A debate that is disturbed once, and what must hold whatever disturbed it: it ends as an undisturbed one does, no answer that
//! was kept is asked for again, no act is lost, the chain holds and replays, and no fault ever decides.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use serde_json::{Value, json};

use crate::form::Counts;
use crate::server::{Request, Server, on_stage, say};
use crate::shim::Shimmed;
use crate::world::{Place, Run, each};

/// How the debate goes when nothing disturbs it.
pub(crate) struct Calm {
    gist: Value,
    /// One letter per call that changed a file of the house.
    pub(crate) calls: Vec<u8>,
}

/// Ann and Bob stay where they are; Cid goes over in the first round of debate, so that every stage is held.
fn divided(request: &Request) -> String {
    let early = matches!(request.stage(), "drafts" | "first-vote");
    match request.seat().as_str() {
        "ann" => on_stage(request, "YES"),
        "cid" if early => on_stage(request, "YES"),
        _ => on_stage(request, "NO"),
    }
}

pub(crate) fn server() -> Server {
    Server::start(|request: &Request| say(divided(request)))
}

/// The same, and tells somebody the number of each request before it is answered.
pub(crate) fn server_with(told: impl Fn(usize) + Send + Sync + 'static) -> Server {
    Server::start(move |request: &Request| {
        told(request.nth);
        say(divided(request))
    })
}

/// The debate under a key, so that giving the command again never opens a second matter.
pub(crate) fn debate(server: &Server) -> Vec<String> {
    let mut args: Vec<String> =
        ["debate", "Should we cache the index?", "--key=chaos", "--no-synthesis"].map(String::from).into();
    args.extend(server.seats(&["ann", "bob", "cid"]));
    args
}

pub(crate) fn calm() -> &'static Calm {
    static CALM: OnceLock<Calm> = OnceLock::new();
    CALM.get_or_init(|| {
        let (place, server) = (Place::new(), server());
        let (run, calls) = Shimmed::new(&place, "count", &debate(&server)).run();
        let run = run.exits(1).prints("REJECTED: 1 of 3 votes");
        assert!(calls.len() > 50, "the shim saw only {} calls\n{run}", calls.len());
        let gist = gist(&place.report());
        assert!(asked(&server).values().all(|times| *times == 1), "an ask was repeated without a fault");
        sound(&place);
        place.spoil();
        Calm { gist, calls }
    })
}

/// What two runs of the same debate have in common.
fn gist(report: &Value) -> Value {
    let mut ballots = report["ballots"].clone();
    for ballot in ballots.as_array_mut().into_iter().flatten() {
        // Votes stand in the order they came, and statements have their ids by it.
        let votes = ballot["votes"].as_array_mut().expect("votes");
        votes.sort_by_key(|vote| vote["who"].to_string());
        for vote in votes.iter_mut().filter_map(Value::as_object_mut) {
            vote.remove("stated");
        }
    }
    json!({ "decision": report["decision"], "ballots": ballots, "dissent": report["dissent"] })
}

/// An ask as both sides can name it: the seat and the stage.
type Ask = (String, String);

/// How often the server was asked what.
fn asked(server: &Server) -> BTreeMap<Ask, usize> {
    let mut asked = BTreeMap::new();
    for seen in server.log() {
        *asked.entry((seen.request.seat(), seen.request.stage().to_string())).or_insert(0) += 1;
    }
    asked
}

/// The asks that are answered in a journal, read past synod.
fn answered(acts: &[Value]) -> BTreeSet<Ask> {
    let (mut open, mut answered, mut ballots) = (BTreeMap::<String, Ask>::new(), BTreeSet::new(), 0);
    for act in acts {
        for (nth, event) in act["outcome"]["done"].as_array().into_iter().flatten().enumerate() {
            let id = if nth == 0 { act["seq"].to_string() } else { format!("{}.{nth}", act["seq"]) };
            ballots += usize::from(event["ballot"].get("opened").is_some());
            let who = |event: &Value| event["who"].as_str().unwrap_or_default().to_string();
            if let Some(called) = event["floor"].get("called") {
                let round = called["round"].as_u64().expect("a round") as usize;
                let stage = ["drafts", "debate-1", "debate-2"][round - 1];
                open.insert(id, (who(called), stage.into()));
            } else if let Some(called) = event["ballot"].get("asked") {
                open.insert(id, (who(called), ["first-vote", "final-vote"][ballots - 1].into()));
            } else if let Some(ask) =
                event["gate"]["admitted"]["ask"].as_str().or(event["ballot"]["cast"]["ask"].as_str())
            {
                answered.insert(open[ask].clone());
            }
        }
    }
    answered
}

/// How a process was disturbed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It is killed at some call.
    Kill,
    /// It is told of an error and ends as it likes.
    Error,
}

/// Runs the debate with this plan, then lets it go on without faults, and checks everything.
pub(crate) fn survive(plan: &str, fault: Fault) -> Counts {
    let (place, server) = (Place::new(), server());
    let (run, _) = Shimmed::new(&place, plan, &debate(&server)).run();
    if fault == Fault::Kill {
        // Threads take turns as they like: the last calls of one run may not come in another.
        assert!(matches!(run.code, -9 | 1), "neither killed nor at its end\n{run}");
    }
    let (acts, asked_before) = (place.acts(), asked(&server));
    let kept = answered(&acts);
    let restarts = ends_calmly(&place, &server, &run);
    let after = place.acts();
    assert!(after.len() >= acts.len() && after[..acts.len()] == acts[..], "an act that was there is gone");
    let asked_after = asked(&server);
    for ask in &kept {
        assert_eq!(asked_after[ask], asked_before[ask], "{ask:?} was answered and is asked again\n{run}");
    }
    place.spoil();
    Counts::of([("acts kept", acts.len()), ("answers kept", kept.len()), ("restarts", restarts)])
}

/// After a disturbed run: nothing was decided by the disturbance, the debate comes to the end it has without one, and the record
/// holds. Gives how many commands that took.
pub(crate) fn ends_calmly(place: &Place, server: &Server, run: &Run) -> usize {
    no_decision_of_a_fault(place, run);
    let restarts = end(place, server);
    let report = place.report();
    assert_eq!(report["status"], "rejected", "another end than without the fault\n{run}\n{report}");
    assert_eq!(gist(&report), calm().gist, "another end than without the fault\n{run}");
    sound(place);
    restarts
}

/// Right after the fault, the matter is at its true end, or waits to be gone on with, or was never opened.
fn no_decision_of_a_fault(place: &Place, run: &Run) {
    let listed = place.run(["list", "--json"]);
    if listed.code == 66 {
        assert_ne!(run.code, 1, "a result was printed, and there is no house\n{run}");
        return;
    }
    let list = listed.exits(0).json();
    let status = each(&list, "status");
    match status.as_slice() {
        ["rejected"] => assert_eq!(gist(&place.report()), calm().gist, "a decision made by a fault\n{run}"),
        [] | ["interrupted" | "paused"] => {
            assert!(!run.out.contains("REJECTED"), "a result was printed that is not kept\n{run}");
        }
        other => panic!("a decision made by a fault: {other:?}\n{run}"),
    }
}

/// Gives the commands a user would give until the debate is over; how many that took.
fn end(place: &Place, server: &Server) -> usize {
    for restarts in 0..6 {
        let listed = place.run(["list", "--json"]);
        let command = match listed.code {
            66 => debate(server),
            _ => match each(&listed.exits(0).json(), "status").as_slice() {
                [] => debate(server),
                ["interrupted" | "paused"] => vec!["resume".into()],
                _ => return restarts,
            },
        };
        place.run(command);
    }
    panic!("the debate does not come to its end: {}", place.json(["list"]));
}

/// The chain holds, and judging every command again gives the same head.
#[track_caller]
pub(crate) fn sound(place: &Place) {
    let verified = place.json(["verify"]);
    // The user's own list of known houses lies outside of the house, and may be lost with the power, too.
    // A fault may come between acts and the next signature; what is here then fits, and nobody has signed its end.
    let unknown = ["signed by an unknown key", "unsigned"].iter().any(|word| verified["verdict"] == *word)
        && verified["wrong"] == json!([]);
    assert!(verified["good"] == true || unknown, "verify: {verified}");
    let replayed = place.json(["replay"]);
    assert_eq!(replayed["same"], true, "replay: {replayed}");
}
