//! The crash matrix: the process is killed at many points and in many ways, and goes on. Nothing that was
//! answered is asked again, and the end is that of a run nobody disturbed.
//!
//! To add a point: a [`Moment`] in one of the sweeps.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::houses::finish;
use crate::http::{divided, gist};
use crate::server::{Reply, Request, Server, say};
use crate::world::{Place, Started, each};

/// Three seats through drafts, which are the first vote, two rounds of debate and final vote.
const ASKS: usize = 12;

/// When a process is killed.
#[derive(Debug, Clone, Copy)]
enum Moment {
    /// When the server has got so many requests from it.
    Asked(usize),
    /// When the server has answered so many.
    Answered(usize),
    /// So long after its start.
    After(Duration),
}

impl Moment {
    /// Waits for the moment, or for the end of the process if that comes first.
    fn wait(self, server: &Server, process: &mut Started) {
        let (had, had_answered) = (server.count(), answered_by(server));
        let slice = Duration::from_millis(2);
        match self {
            Self::After(time) => std::thread::sleep(time),
            Self::Asked(count) => {
                while !server.wait_for(slice, |log| log.len() >= had + count) && !process.is_over() {}
            }
            Self::Answered(count) => {
                let enough = |log: &[crate::server::Seen]| {
                    log.iter().filter(|seen| seen.answered).count() >= had_answered + count
                };
                while !server.wait_for(slice, enough) && !process.is_over() {}
            }
        }
    }
}

fn answered_by(server: &Server) -> usize {
    server.log().iter().filter(|seen| seen.answered).count()
}

/// A server that gives the same answer to the same ask, after a few milliseconds that differ by seat.
fn server() -> Server {
    Server::start(|request: &Request| {
        let pause = match request.seat().as_str() {
            "ann" => 2,
            "bob" => 5,
            _ => 8,
        };
        Reply::Say(divided(request), Duration::from_millis(pause))
    })
}

/// The debate under a key, so that giving the command again never opens a second matter.
fn debate(server: &Server) -> Vec<String> {
    let mut args = vec![
        "debate".to_string(),
        "Should we cache the index?".to_string(),
        "--key=crash".to_string(),
        "--no-synthesis".to_string(),
    ];
    args.extend(server.seats(&["ann", "bob", "cid"]));
    args
}

/// How it goes when nobody is killed.
struct Calm {
    gist: Value,
    took: Duration,
}

fn calm() -> &'static Calm {
    static CALM: OnceLock<Calm> = OnceLock::new();
    CALM.get_or_init(|| {
        let (place, server) = (Place::new(), server());
        let begun = Instant::now();
        place.run(debate(&server)).exits(1).prints("REJECTED: 1 of 3 votes");
        let took = begun.elapsed();
        let asked: BTreeSet<_> = asked(&server).into_keys().collect();
        assert_eq!((server.count(), asked.len()), (ASKS, ASKS), "every ask once, and all stages: {asked:?}");
        let gist = gist(&place.report());
        finish(place);
        Calm { gist, took }
    })
}

/// An ask as both sides can name it.
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
    let mut open: BTreeMap<String, Ask> = BTreeMap::new();
    let (mut answered, mut ballots) = (BTreeSet::new(), 0);
    for act in acts {
        for (nth, event) in act["outcome"]["done"].as_array().into_iter().flatten().enumerate() {
            let id = if nth == 0 { act["seq"].to_string() } else { format!("{}.{nth}", act["seq"]) };
            ballots += usize::from(event["ballot"].get("opened").is_some());
            let who = |event: &Value| event["who"].as_str().unwrap_or_default().to_string();
            if let Some(called) = event["floor"].get("called") {
                let stages = ["drafts", "debate-1", "debate-2"];
                let round = called["round"].as_u64().expect("a round") as usize;
                open.insert(id, (who(called), stages[round - 1].into()));
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

/// The next command a user would give: the debate again if nothing was opened, else what goes on with it;
/// none when it is over.
fn next(place: &Place, server: &Server) -> Option<Vec<String>> {
    let listed = place.run(["list", "--json"]);
    if listed.code == 66 {
        return Some(debate(server));
    }
    let list = listed.exits(0).json();
    match each(&list, "status").as_slice() {
        [] => Some(debate(server)),
        ["interrupted" | "paused"] => Some(vec!["resume".into()]),
        ["rejected"] => None,
        other => panic!("after a crash the house lists {other:?}"),
    }
}

/// What a kill left behind.
struct Wreck {
    moment: Moment,
    acts: Vec<Value>,
    /// Asks whose answers are in the journal.
    kept: BTreeSet<Ask>,
    /// What the server had been asked by then.
    asked: BTreeMap<Ask, usize>,
    /// Answers the server had given that did not reach the journal: these may be asked for again.
    lost: usize,
}

/// Starts what comes next and kills it at that moment; none if the matter is over.
fn wreck(place: &Place, server: &Server, moment: Moment) -> Option<Wreck> {
    let mut process = place.start(next(place, server)?);
    moment.wait(server, &mut process);
    process.kill();
    let acts = place.acts();
    let kept = answered(&acts);
    let lost = answered_by(server).saturating_sub(kept.len());
    Some(Wreck { moment, acts, kept, asked: asked(server), lost })
}

/// Kills the debate at each of these moments in turn, then lets it end. Returns what the first kill left.
fn survive(moments: &[Moment]) -> Wreck {
    let (place, server) = (Place::new(), server());
    let wrecks: Vec<Wreck> = moments.iter().map_while(|moment| wreck(&place, &server, *moment)).collect();
    end(&place, &server);

    let (acts, asked) = (place.acts(), asked(&server));
    for Wreck { moment, acts: kept_acts, kept, asked: before, .. } in &wrecks {
        assert_eq!(acts[..kept_acts.len()], *kept_acts, "{moment:?}: an act that was there is gone");
        for ask in kept {
            assert_eq!(asked[ask], before[ask], "{moment:?}: {ask:?} was answered and is asked again");
        }
    }
    assert!(asked.values().all(|count| *count <= 1 + wrecks.len()), "asked too often: {asked:?}");
    same_words_for_the_same_ask(&server);
    finish(place);
    wrecks.into_iter().next().expect("one kill at least")
}

/// Lets it go on to its end, and compares that with an undisturbed run's.
fn end(place: &Place, server: &Server) {
    // Twice where the key finds a matter that was opened and never ran: it then says how to go on.
    for _ in 0..2 {
        if let Some(command) = next(place, server) {
            place.run(command);
        }
    }
    let report = place.report();
    assert_eq!(report["status"], "rejected", "{report}");
    assert_eq!(gist(&report), calm().gist, "another end than without a crash");
    let receipt = place.run(["receipt"]).exits(0).out;
    place.write("receipt.json", receipt);
    place.run(["verify", "receipt.json"]).exits(0).prints("everything else match the journal");
}

/// A resumed ask is the same ask, to the byte: a brief is made from the journal alone.
fn same_words_for_the_same_ask(server: &Server) {
    let mut bodies: BTreeMap<Ask, BTreeSet<String>> = BTreeMap::new();
    for seen in server.log() {
        let ask = (seen.request.seat(), seen.request.stage().to_string());
        bodies.entry(ask).or_default().insert(seen.request.body);
    }
    for (ask, bodies) in bodies {
        assert_eq!(bodies.len(), 1, "{ask:?} was put in different words: {bodies:#?}");
    }
}

/// How many asks were answered when each was killed.
fn states(wrecks: &[Wreck]) -> BTreeSet<usize> {
    wrecks.iter().map(|wreck| wreck.kept.len()).collect()
}

/// Fails unless the kills of a sweep hit many different states, some of them between answer and journal.
fn diverse(wrecks: &[Wreck], least: usize) {
    let states = states(wrecks);
    assert!(states.len() >= least, "the kills met only {states:?} answered asks");
}

#[test]
fn killed_after_each_answer() {
    // Which moments are hit depends on the machine: a sweep that hit too few is repeated.
    let mut wrecks = Vec::new();
    for _ in 0..4 {
        wrecks.extend((1..=ASKS).map(|count| survive(&[Moment::Answered(count)])));
        if wrecks.iter().any(|wreck: &Wreck| wreck.lost > 0) && states(&wrecks).len() >= 8 {
            break;
        }
    }
    diverse(&wrecks, 8);
    let torn = wrecks.iter().filter(|wreck| wreck.lost > 0).count();
    assert!(torn > 0, "no kill fell between an answer and its record");
}

#[test]
fn killed_at_each_request() {
    let mut wrecks = Vec::new();
    for _ in 0..4 {
        wrecks.extend((1..=ASKS).map(|count| survive(&[Moment::Asked(count)])));
        if states(&wrecks).len() >= 4 {
            break;
        }
    }
    diverse(&wrecks, 4);
}

#[test]
fn killed_after_a_while() {
    let took = calm().took;
    let moments = (1..=14).map(|nth| Moment::After(took * nth / 14));
    moments.for_each(|moment| drop(survive(&[moment])));
}

#[test]
fn killed_again_and_again() {
    survive(&[Moment::Answered(2), Moment::Answered(3), Moment::Asked(4), Moment::Answered(1)]);
    survive(&[Moment::Asked(1); 5]);
    survive(&[Moment::After(Duration::from_millis(30)); 4]);
    survive(&[Moment::Answered(11), Moment::Asked(1), Moment::Answered(1)]);
}

/// Where there is a budget, a call is on the books before it leaves: one whose end nobody knows is counted.
#[test]
fn no_call_escapes_the_budget() {
    for moment in
        [Moment::Asked(1), Moment::Asked(3), Moment::Asked(8), Moment::Answered(4), Moment::Answered(10)]
    {
        let (place, server) = (Place::new(), server());
        let mut args = debate(&server);
        args.push("--max-calls=100".into());
        let mut process = place.start(args);
        moment.wait(&server, &mut process);
        process.kill();
        end(&place, &server);
        let report = place.report();
        let calls = |of: &str| report[of]["calls"].as_u64().expect("a number") as usize;
        let counted = calls("spent") + calls("lost");
        assert!(
            counted >= server.count(),
            "{moment:?}: {counted} of {} calls are on the books",
            server.count()
        );
        finish(place);
    }
}

/// The log of the database is cut at any byte, or its end is garbage: what is left is a valid beginning.
#[test]
fn a_torn_log_is_a_valid_beginning() {
    let (place, server) = (Place::new(), server());
    let whole = wreck(&place, &server, Moment::Answered(ASKS - 2)).expect("a debate");
    let rows = place.rows();
    assert!(whole.kept.len() >= 9, "late enough for the log to hold something");
    let log = std::fs::read(place.house().join("journal.db-wal")).expect("a log");
    let frame = 24 + 4096;
    let mut cuts =
        vec![0, 1, 31, 32, 32 + frame - 1, 32 + frame, 32 + 3 * frame + 7, log.len() - 1, log.len()];
    let mut seed = 20_261_115_u64;
    cuts.extend((0..7).map(|_| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % log.len()
    }));
    let mut lengths = BTreeSet::new();
    for cut in cuts {
        let torn = place.copy();
        let path = torn.house().join("journal.db-wal");
        std::fs::write(&path, &log[..cut]).expect("a log");
        if cut % 2 == 1 {
            // A disk that lost power may also leave something else than nothing.
            std::fs::write(&path, [&log[..cut], &[0xa5; 5000]].concat()).expect("a log");
        }
        // The mark would tell that acts are gone, and nothing could be written: see `a_lost_end_is_found`. Here it is lost too.
        let _ = std::fs::remove_file(torn.house().join("mark"));
        let left = torn.rows();
        assert_eq!(left[..], rows[..left.len()], "cut at {cut}: not a beginning of what was there");
        lengths.insert(left.len());
        let verified = torn.run(["verify"]);
        assert!(verified.code == 0 || (verified.code == 66 && left.is_empty()), "cut at {cut}\n{verified}");
        end(&torn, &server);
        finish(torn);
    }
    assert!(lengths.len() >= 5, "the cuts left only {lengths:?} acts");
    end(&place, &server);
    finish(place);
}

/// The mark beside the journal knows what was on the disk: nobody goes on behind a log that lost its end.
#[test]
fn a_lost_end_is_found() {
    let (place, server) = (Place::new(), server());
    wreck(&place, &server, Moment::Answered(ASKS - 2)).expect("a debate");
    let whole = place.rows().len();
    let path = place.house().join("journal.db-wal");
    let log = std::fs::read(&path).expect("a log");
    std::fs::write(&path, &log[..log.len() / 2]).expect("half a log");
    let left = place.rows();
    assert!(left.len() < whole, "half of the log holds less than all of it");
    place
        .run(["debate", "Again?", "--quiet", "--rehearse"])
        .exits(65)
        .tells("acts are gone")
        .tells("nothing was written");
    assert_eq!(place.rows(), left);
    place.spoil();
}

/// A server where Bob does not answer the first round of debate until he is let.
fn waiting_for_bob() -> (Server, std::sync::Arc<AtomicBool>) {
    let let_go = std::sync::Arc::new(AtomicBool::new(false));
    let may = let_go.clone();
    let server = Server::start(move |request: &Request| {
        let waits = request.seat() == "bob" && request.stage() == "debate-1" && !may.load(Ordering::SeqCst);
        if waits { Reply::Hang } else { say(divided(request)) }
    });
    (server, let_go)
}

/// Waits until everybody but Bob has answered.
fn all_but_bob(place: &Place, server: &Server) {
    assert!(server.wait(|log| log.len() == 6 && log.iter().filter(|seen| seen.answered).count() == 5));
    let patience = Instant::now();
    while answered(&place.acts()).len() < 5 {
        assert!(patience.elapsed() < Duration::from_secs(20), "it was answered and not recorded");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn ctrl_c_leaves_a_matter_that_goes_on() {
    let (server, let_go) = waiting_for_bob();
    let place = Place::new();
    let process = place.start(debate(&server));
    all_but_bob(&place, &server);
    process.signal("INT");
    let run =
        process.wait().exits(130).tells("paused; every answer so far is saved. Resume with: synod resume ");
    place.run(["list"]).exits(0).prints("paused");
    place.run(["show"]).exits(0).prints("NOT DECIDED YET: paused");
    place.run(["doctor"]).exits(0).prints("resume with `synod resume`");
    place.run(["receipt"]).exits(64).tells("a receipt is made once it is over");

    let_go.store(true, Ordering::SeqCst);
    let line = run.err.lines().find_map(|line| line.split("Resume with: synod ").nth(1)).expect("a command");
    place.run(line.split(' ')).exits(1).prints("REJECTED: 1 of 3 votes").tells("── resumed");
    assert_eq!(gist(&place.report()), calm().gist);
    let twice: Vec<Ask> =
        asked(&server).into_iter().filter(|(_, count)| *count > 1).map(|(ask, _)| ask).collect();
    assert_eq!(twice, [("bob".to_string(), "debate-1".to_string())], "only what was open is asked again");
    place.run(["resume"]).exits(66).tells("no matter is open in this house");
    finish(place);
}

#[test]
fn ctrl_c_as_json() {
    let (server, _let_go) = waiting_for_bob();
    let place = Place::new();
    let mut args = debate(&server);
    args.push("--json".into());
    let process = place.start(args);
    all_but_bob(&place, &server);
    process.signal("INT");
    let told = process.wait().exits(130).json();
    assert_eq!(told["status"], "paused");
    assert_eq!(told["resume"], format!("synod resume {}", told["number"]));
    place.run(["stop", "--json"]).exits(0);
    assert_eq!(place.report()["status"], "undecided");
    finish(place);
}

/// The same command under the same key, after a crash: no second matter, and a word on how to go on.
#[test]
fn the_same_key_after_a_crash() {
    let (place, server) = (Place::new(), server());
    wreck(&place, &server, Moment::Answered(4)).expect("a debate");
    place.run(debate(&server)).exits(130).tells("Resume with: synod resume ");
    assert_eq!(place.json(["list"]).as_array().map(Vec::len), Some(1));
    end(&place, &server);
    finish(place);
}

#[test]
fn readers_and_other_commands_beside_a_debate() {
    let (server, let_go) = waiting_for_bob();
    let place = Place::new();
    let process = place.start(debate(&server));
    all_but_bob(&place, &server);

    place.run(["resume"]).exits(64).tells("is running");
    place.run(["list"]).exits(0).prints("running");
    place.run(["show"]).exits(0).prints("NOT DECIDED YET: running");
    place.run(["export"]).exits(0);
    place.run(["doctor"]).exits(0).prints(&format!("held by `synod debate` (pid {}", process.pid()));
    crate::houses::check(&place);

    // Bob's connection is still open; a second chance comes with the pause.
    let_go.store(true, Ordering::SeqCst);
    process.signal("INT");
    process.wait().exits(130);
    place.run(["resume", "--quiet"]).exits(1);
    assert_eq!(gist(&place.report()), calm().gist);
    finish(place);
}

/// A matter that runs in one terminal is laid to rest, or ended, from another.
#[test]
fn paused_and_stopped_from_another_terminal() {
    let (server, let_go) = waiting_for_bob();
    let place = Place::new();
    let process = place.start(debate(&server));
    all_but_bob(&place, &server);
    place.run(["pause"]).exits(0).prints("is paused; resume with: synod resume");
    process.wait().exits(130).tells("paused; every answer so far is saved");
    place.run(["list"]).exits(0).prints("paused");

    let process = place.start(["resume"]);
    let begun = std::time::Instant::now();
    while place.json(["list"])[0]["status"] != "running" {
        assert!(begun.elapsed().as_secs() < 30, "the matter goes on in time");
    }
    place.run(["stop"]).exits(0).prints("is stopped (undecided)");
    let run = process.wait().exits(2).tells("stopped from another terminal").hides("synod resume");
    run.prints("UNDECIDED: stopped by the operator").prints("Record   matter ");
    let report = place.report();
    let stopped: Vec<_> =
        report["missing"].as_array().into_iter().flatten().map(|row| row["cause"]["code"].clone()).collect();
    assert_eq!(stopped, ["matter/stopped"], "who had not answered is missing");
    let_go.store(true, Ordering::SeqCst);
    finish(place);
}

/// Scripts learn how it ended, too, and not that it could go on.
#[test]
fn stopped_from_another_terminal_as_scripts_see_it() {
    let (server, let_go) = waiting_for_bob();
    let place = Place::new();
    let mut args = debate(&server);
    args.push("--json".into());
    let process = place.start(args);
    all_but_bob(&place, &server);
    place.run(["stop"]).exits(0);
    let run = process.wait().exits(2);
    let told = run.json();
    assert_eq!((&told["report"]["status"], &told["status"]), (&"undecided".into(), &Value::Null), "{run}");
    assert!(told["receipt"].is_object() && !run.err.contains("resume"), "{run}");
    let_go.store(true, Ordering::SeqCst);
    finish(place);
}

/// Whoever looks at a matter whose process was killed is told so, whichever way they look, and what to type.
#[test]
fn a_killed_matter_is_called_interrupted_everywhere() {
    let (server, let_go) = waiting_for_bob();
    let place = Place::new();
    let mut process = place.start(debate(&server));
    all_but_bob(&place, &server);
    assert_eq!(place.report()["status"], "running");
    place.run(["show"]).exits(0).prints("NOT DECIDED YET: running").hides("synod resume");
    process.kill();
    let list = place.json(["list"]);
    let matter = list[0]["matter"].as_str().expect("an id").to_string();
    let export = place.run(["export", "--format=json"]).exits(0).json();
    let compared = place.json(["compare", &matter, &matter]);
    let (thoughts, round) = (place.json(["thoughts", "ann"]), place.json(["round", "1"]));
    for told in [&list[0], &place.report(), &export, &compared["one"], &thoughts, &round] {
        assert_eq!(told["status"], "interrupted", "{told}");
    }
    let resume = "Resume with: synod resume 1";
    place.run(["show"]).exits(0).prints("NOT DECIDED YET: interrupted").prints(resume);
    place.run(["export"]).exits(0).prints("NOT DECIDED YET: interrupted");
    let_go.store(true, Ordering::SeqCst);
    place.run(["resume", "--quiet"]).exits(1);
    finish(place);
}

#[test]
fn asked_to_end_by_a_service_manager() {
    let (server, let_go) = waiting_for_bob();
    let place = Place::new();
    let process = place.start(debate(&server));
    all_but_bob(&place, &server);
    process.signal("TERM");
    process.wait().exits(130).tells("Resume with: synod resume ");
    let_go.store(true, Ordering::SeqCst);
    place.run(["resume", "--quiet"]).exits(1);
    assert_eq!(gist(&place.report()), calm().gist);
    finish(place);
}
