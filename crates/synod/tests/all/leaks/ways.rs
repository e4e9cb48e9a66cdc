//! The list of every way out. What is added to the program and not to this list fails the test.

use std::collections::BTreeSet;

use serde_json::Value;

use super::ledger::Carries::{self, Answers, Nothing, Words};
use crate::world::Place;

/// The routes, by the names of the OpenAPI document.
pub(super) const ROUTES: &[(&str, Carries)] = &[
    ("showHouse", Words),
    ("listMatters", Words),
    ("openMatter", Answers),
    ("showMatter", Words),
    ("pauseMatter", Answers),
    ("resumeMatter", Answers),
    ("stopMatter", Answers),
    ("answerRequest", Answers),
    ("waiveRequest", Answers),
    ("continueMatter", Answers),
    ("forkMatter", Answers),
    ("synthesizeMatter", Answers),
    ("judgeRound", Answers),
    ("secondMotion", Answers),
    ("withdrawMotion", Answers),
    ("tableMotion", Answers),
    ("learnOutcome", Answers),
    ("listRecords", Words),
    ("startMatter", Answers),
    ("removeParticipant", Answers),
    ("joinMatter", Answers),
    ("leaveMatter", Answers),
    ("contribute", Answers),
    ("propose", Answers),
    ("amend", Answers),
    ("rule", Answers),
    ("react", Answers),
    ("release", Answers),
    ("skip", Answers),
    ("vote", Answers),
    ("acknowledgeTurn", Answers),
    // There is no issue on the stage of this test: nothing of its matters shows there.
    ("listIssues", Nothing),
    ("openIssue", Answers),
    ("showIssue", Nothing),
    ("commentOnIssue", Answers),
    ("closeIssue", Answers),
    ("reopenIssue", Answers),
    ("changeIssue", Answers),
    ("unfreezeIssue", Answers),
    ("forceIssue", Answers),
    ("escalateIssue", Answers),
    ("challengeIssue", Answers),
    ("markIssue", Answers),
    ("tellOutcome", Answers),
    ("consolidateIssues", Answers),
    ("configureIssues", Answers),
    ("openPeriod", Answers),
    ("closePeriod", Answers),
    ("freezeTag", Answers),
    ("thawTag", Answers),
    ("setFreedom", Answers),
    ("appointAgent", Answers),
    ("listNotices", Nothing),
    ("observe", Answers),
    ("listTriggers", Words),
    ("trigger", Answers),
    ("listCharters", Nothing),
    ("showCharter", Nothing),
    ("showReceipt", Words),
    ("listTurns", Words),
    ("followFeed", Words),
    ("health", Nothing),
    ("ready", Nothing),
    ("registerKey", Nothing),
    ("removeKey", Nothing),
    // No issue is opened on this stage: canon and leases hold nothing of its matters.
    ("listCanon", Nothing),
    ("showCanonEntry", Nothing),
    ("listProposedClaims", Nothing),
    ("checkCanon", Nothing),
    ("listCanonConflicts", Nothing),
    ("promoteToCanon", Nothing),
    ("endCanonEntry", Nothing),
    ("decideCanonConflict", Nothing),
    ("setEpistemicStatus", Nothing),
    ("supportIssue", Nothing),
    ("proposeClaims", Nothing),
    ("decideClaims", Nothing),
    ("listLeases", Nothing),
    ("takeLeases", Nothing),
    ("renewLeases", Nothing),
    ("releaseLeases", Nothing),
    ("askForLease", Nothing),
    // Balances, roles and counts; no words of a matter.
    ("listAgents", Nothing),
    ("changeAgentModel", Nothing),
    ("showLedger", Nothing),
    ("listCreditAttempts", Nothing),
    ("showLeaderboard", Nothing),
    ("listModelRecords", Nothing),
    ("giveAward", Nothing),
    ("rateAgent", Nothing),
    ("listGoals", Nothing),
    ("setGoal", Nothing),
    ("dropGoal", Nothing),
    ("listPeriods", Nothing),
    ("checkWorkshop", Nothing),
    ("reportWorkshop", Nothing),
    ("inviteSeat", Answers),
    ("checkCitation", Nothing),
];

/// What shows a matter on the command line: a name for it, and the words after `synod`. `M` stands for the matter, `S`
/// for one of its seats.
pub(super) const COMMANDS: &[(&str, &[&str])] = &[
    ("synod show", &["show", "M"]),
    ("synod show --json", &["show", "M", "--json"]),
    ("synod export md", &["export", "M", "--format", "md"]),
    ("synod export json", &["export", "M", "--format", "json"]),
    ("synod export html", &["export", "M", "--format", "html"]),
    ("synod export adr", &["export", "M", "--format", "adr"]),
    ("synod thoughts", &["thoughts", "M", "S"]),
    ("synod thoughts --json", &["thoughts", "M", "S", "--json"]),
    ("synod round", &["round", "M", "1"]),
    ("synod round --json", &["round", "M", "1", "--json"]),
    ("synod compare", &["compare", "M", "1"]),
    ("synod compare --json", &["compare", "M", "1", "--json"]),
    ("synod citations", &["citations", "M"]),
    ("synod citations --json", &["citations", "M", "--json"]),
    ("synod refusals", &["refusals", "--all"]),
    ("synod refusals --json", &["refusals", "--all", "--json"]),
    ("synod list", &["list"]),
    ("synod list --json", &["list", "--json"]),
    ("synod receipt", &["receipt", "M"]),
    ("synod receipt --json", &["receipt", "M", "--json"]),
    ("synod receipt dsse", &["receipt", "M", "--format", "dsse"]),
    ("synod receipt odr", &["receipt", "M", "--format", "odr"]),
    ("synod ring status", &["ring", "status", "M"]),
    ("synod ring status --json", &["ring", "status", "M", "--json"]),
];

/// Commands that show nothing of what anybody said: they act, or are about the house, its rules and its files.
const OTHERS: &[&str] = &[
    "answer",
    "ballot",
    "bench",
    "canon",
    "charter",
    "completions",
    "continue",
    "debate",
    "backup",
    "delete",
    "key",
    "repair",
    "restore",
    "demo",
    "doctor",
    "evidence",
    "agents",
    "health",
    "issue",
    "period",
    "workshop",
    // Balances and reasons; no words of a matter.
    "ledger",
    "leaderboard",
    "goals",
    "award",
    "rate",
    "trust",
    "fork",
    "help",
    "hook",
    "init",
    "judge",
    // Counts and rules; no words of a matter.
    "lab",
    "lease",
    // It asks the lens as `show` does; no motion is on the stage of this test.
    "motion",
    "outcome",
    "pause",
    "proof",
    "replay",
    "resume",
    "seats",
    "serve",
    "stop",
    "synthesize",
    "token",
    "trigger",
    "verify",
    "waive",
    "watch",
    "witness",
];

/// Ways out besides.
const BESIDES: &[(&str, Carries)] = &[
    ("brief", Words),
    ("feed, live", Words),
    ("redis", Words),
    ("terminal of a person", Words),
    ("terminal of the operator", Words),
    ("receipt file", Words),
    ("a request that fails", Answers),
];

/// All of them, by name; without those that need a terminal where there is no tool for one.
pub(super) fn all(terminals: bool) -> Vec<(String, Carries)> {
    let there = BESIDES.iter().filter(|(name, _)| terminals || !name.starts_with("terminal"));
    let routes = ROUTES.iter().chain(there).map(|(name, carries)| (name.to_string(), *carries));
    routes.chain(COMMANDS.iter().map(|(name, _)| (name.to_string(), Words))).collect()
}

/// Fails if the program has a route that is not on the list.
#[track_caller]
pub(super) fn lists_every_route(document: &Value) {
    let paths = document["paths"].as_object().expect("paths").values();
    let named = paths.flat_map(|path| path.as_object().expect("methods").values());
    let named: BTreeSet<&str> = named.filter_map(|route| route["operationId"].as_str()).collect();
    let listed: BTreeSet<&str> = ROUTES.iter().map(|(name, _)| *name).collect();
    assert_eq!(named, listed, "a route is a way out: put it on the list of the leak test");
}

/// Fails if the program has a form of export or a command that is not on the list.
#[track_caller]
pub(super) fn lists_every_command(place: &Place) {
    let told = place.run(["export", "--format", "none"]).err;
    let forms = told.split("possible values: ").nth(1).and_then(|rest| rest.split(']').next());
    for form in forms.expect("forms of export").split(", ") {
        let name = format!("synod export {form}");
        assert!(COMMANDS.iter().any(|(known, _)| *known == name), "{name} is a way out: put it on the list");
    }
    let listed: BTreeSet<&str> =
        COMMANDS.iter().map(|(_, words)| words[0]).chain(OTHERS.iter().copied()).collect();
    let commands = commands(place);
    assert!(commands.len() > 20, "{commands:?}");
    let commands: BTreeSet<&str> = commands.iter().map(String::as_str).collect();
    assert_eq!(commands, listed, "a command may be a way out: put it on a list of the leak test");
}

/// The commands of the program, as its help lists them.
fn commands(place: &Place) -> Vec<String> {
    let help = place.run(["help"]).out;
    let rows = help.lines().filter_map(|line| line.strip_prefix("  "));
    let is_command =
        |row: &&str| row.starts_with(|c: char| c.is_ascii_lowercase()) && !row.starts_with("synod ");
    let names = rows.filter(is_command);
    names.filter_map(|row| row.split_whitespace().next()).map(str::to_string).collect()
}
