//! Everything people, files, disks and models can get wrong: one clear message that says what, where and
//! what to do; no panic; and a house that was there before is exactly as it was.

mod disks;
mod minds;

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;

use crate::houses::finish;
use crate::world::{Place, Run};

/// A house that holds something to lose.
struct Treasure {
    place: Place,
    rows: Vec<(i64, Vec<u8>, String)>,
}

impl Treasure {
    fn new() -> Self {
        let place = Place::new();
        place.run(["debate", "Is this what was here before?", "--quiet", "--rehearse"]);
        let rows = place.rows();
        assert!(!rows.is_empty());
        Self { place, rows }
    }

    /// The command is refused with this code, and the message holds all these words; as JSON too.
    #[track_caller]
    fn refuses<A: Into<OsString> + Clone>(&self, args: &[A], code: i32, words: &[&str]) {
        let args: Vec<OsString> = args.iter().cloned().map(Into::into).collect();
        told(self.place.run(&args), code, words);
        let mut with_json = args;
        with_json.push("--json".into());
        told_as_json(&self.place.run(&with_json), code, words);
        self.intact();
    }

    #[track_caller]
    fn intact(&self) {
        assert_eq!(self.place.rows(), self.rows, "the house was changed");
    }

    fn finish(self) {
        self.intact();
        finish(self.place);
    }
}

/// It ended with this code and a message on stderr alone that holds all these words.
#[track_caller]
fn told(run: Run, code: i32, words: &[&str]) {
    assert!(code >= 64, "a fault has a code from 64 on");
    let run = words.iter().fold(run.exits(code), |run, words| run.tells(words));
    assert!(run.out.is_empty(), "a fault prints no result\n{run}");
    let first = run.err.lines().next().unwrap_or_default();
    assert!(first.starts_with("synod: ") || first.starts_with("error: "), "{run}");
    assert!(!run.err.contains('\u{1b}'), "no colours where nobody sees them\n{run}");
    assert!(!run.err.contains("Error {") && !run.err.contains("unwrap"), "not in our words\n{run}");
}

/// The same as an object on stdout.
#[track_caller]
fn told_as_json(run: &Run, code: i32, words: &[&str]) {
    let error = &run.json()["error"];
    assert_eq!((run.code, &error["exit"]), (code, &code.into()), "{run}");
    assert!(error["code"].as_str().is_some_and(|code| !code.is_empty()), "{run}");
    let message = error["message"].as_str().unwrap_or_default();
    words.iter().for_each(|words| assert!(message.contains(words), "the message lacks `{words}`\n{run}"));
}

#[test]
fn what_people_type() {
    let treasure = Treasure::new();
    let long = "x".repeat(100_000);
    let options: Vec<String> = (1..=27).map(|nth| format!("--option=o{nth}")).collect();
    let mut many = vec!["debate", "Which?"];
    many.extend(options.iter().map(String::as_str));
    let ask = |more: &[&'static str]| [&["debate", "Should we?"], more].concat();

    treasure.refuses(&["debate", "", "--rehearse"], 64, &["the topic is empty: say what is to be decided"]);
    treasure.refuses(&["debate", " \n\t ", "--rehearse"], 64, &["the topic is empty"]);
    treasure.refuses(
        &["debate", &long, "--rehearse"],
        64,
        &["the topic has 100000 characters, at most 16000 are allowed", "refer to files"],
    );
    treasure.refuses(&["debate"], 64, &["<TOPIC>"]);

    treasure.refuses(
        &ask(&["--charter=blind-vot"]),
        64,
        &["no charter `blind-vot`", "Did you mean `blind-vote`?", "Known: blind-vote, collaborative"],
    );
    treasure.refuses(
        &ask(&["--charter=parliament"]),
        64,
        &["Known: blind-vote, collaborative", "A file is named by its path"],
    );
    treasure.refuses(
        &ask(&["--charter=none.toml"]),
        66,
        &["the charter file none.toml cannot be read: No such file"],
    );
    treasure.refuses(&ask(&["--rounds=0"]), 64, &["rounds` can be 1 to 6, not 0"]);
    treasure.refuses(&ask(&["--rounds=99"]), 64, &["not 99"]);
    treasure.refuses(&ask(&["--rounds", "-1"]), 64, &["invalid value '-1' for '--rounds <N>'"]);
    treasure.refuses(
        &ask(&["--set=rounds"]),
        64,
        &["write --set SETTING=NUMBER", "`synod charter show` lists the settings"],
    );
    treasure.refuses(
        &ask(&["--set=speed=3"]),
        64,
        &["the charter has no setting `speed`; you can change ballot.pass"],
    );
    treasure.refuses(&ask(&["--set=drafts.rounds=3"]), 64, &["the charter fixes `drafts.rounds` at 1"]);

    treasure.refuses(
        &ask(&["--seat=ann"]),
        64,
        &["`ann` does not say what answers for the seat", "--seat ann=openai:gpt-4.1-mini"],
    );
    treasure.refuses(&ask(&["--seat=ann="]), 64, &["needs what answers for the seat"]);
    treasure.refuses(&ask(&["--seat==rehearsal"]), 64, &["needs what answers for the seat"]);
    treasure.refuses(
        &ask(&["--seat=ann=opnai:gpt"]),
        64,
        &["seat `ann`: unknown seat type `opnai`; did you mean `openai:MODEL`?"],
    );
    treasure.refuses(&ask(&["--seat=ann=gpt"]), 64, &["unknown seat type `gpt`: write one of `rehearsal`"]);
    treasure.refuses(&ask(&["--seat=ann=openai:gpt-5"]), 65, &["openai has no key: set OPENAI_API_KEY"]);
    treasure.refuses(
        &ask(&["--seat=ann=http://127.0.0.1:1/v1"]),
        64,
        &["names no model: write `http://127.0.0.1:1/v1#MODEL`"],
    );
    treasure.refuses(
        &ask(&["--seat=ann=http://me:pass@127.0.0.1:1/v1#m"]),
        64,
        &["the URL holds a user name or password", "SYNOD_API_KEY"],
    );
    treasure.refuses(
        &ask(&["--seat=Ann=rehearsal", "--seat= ANN =rehearsal"]),
        64,
        &["`ann` is named twice: two spellings of a name are one participant"],
    );
    treasure.refuses(&ask(&["--seat=ß=rehearsal", "--seat=SS=rehearsal"]), 64, &["`ss` is named twice"]);
    treasure.refuses(&ask(&["--seat=a/b=rehearsal"]), 64, &["the name `a/b` holds '/': use letters, digits"]);
    treasure.refuses(
        &ask(&["--seat=me=person"]),
        64,
        &["seat `me` is a person, but standard input is not a terminal", "run this in a terminal"],
    );
    treasure.refuses(&ask(&["--seat=ann=script:none.txt"]), 65, &["seat `ann`", "none.txt", "No such file"]);
    treasure.refuses(&ask(&["--seats=none.toml"]), 66, &["the seats file none.toml cannot be read"]);
    treasure.refuses(
        &ask(&["--playback=none.jsonl", "--rehearse"]),
        65,
        &["cassette none.jsonl", "No such file"],
    );

    treasure.refuses(
        &ask(&["--option=only"]),
        64,
        &["1 option given: give none for a yes-or-no question, or 2 to 26"],
    );
    treasure.refuses(&ask(&["--option=Tea", "--option= tea "]), 64, &["the option `tea` is given twice"]);
    treasure.refuses(&ask(&["--option=Tea", "--option="]), 64, &["option 2 is empty"]);
    treasure.refuses(&many, 64, &["27 options given", "2 to 26"]);
    treasure.refuses(
        &ask(&["--budget-usd=lots"]),
        64,
        &["--budget-usd: `lots` is not an amount of dollars: write a number such as 0.50"],
    );
    treasure.refuses(&ask(&["--budget-usd", "-1"]), 64, &["`-1` is not an amount of dollars"]);
    treasure.refuses(&ask(&["--max-calls=many"]), 64, &["invalid value 'many' for '--max-calls <N>'"]);

    treasure.refuses(&["frobnicate"], 64, &["unknown command `synod frobnicate`"]);
    treasure.refuses(&["show", "9999"], 66, &["there is no matter 9999 in this house", "`synod list`"]);
    treasure.refuses(
        &["show", "first"],
        64,
        &["`first` is not a matter: write its number (3), its id (m57) or `last`"],
    );
    treasure.refuses(&["resume"], 66, &["no matter is open in this house"]);
    treasure.refuses(&["verify", "none.json"], 66, &["the receipt file none.json cannot be read"]);
    treasure.refuses(
        &["list", "--house=nowhere"],
        66,
        &["no house in nowhere", "`synod debate` creates one"],
    );
    treasure.finish();
}

#[test]
fn nothing_typed() {
    let run = Place::new().run([] as [&str; 0]);
    run.exits(64).tells("Usage: synod").tells("synod debate \"");
}

#[test]
fn not_utf8() {
    let treasure = Treasure::new();
    let words = OsString::from_vec(b"Should we use \xff\xfe?".to_vec());
    treasure.refuses(&["debate".into(), words], 64, &["UTF-8"]);
    let run = treasure.place.feed(["debate", "-", "--rehearse"], b"Should we use \xff\xfe?");
    told(run, 65, &["the topic on standard input is not UTF-8 text"]);
    treasure.place.write("latin.toml", b"name = \"caf\xe9\"\n");
    treasure.refuses(
        &["debate", "Should we?", "--charter=latin.toml", "--rehearse"],
        65,
        &["latin.toml is not UTF-8 text; save it as UTF-8"],
    );
    treasure.finish();
}

#[test]
fn a_topic_of_ten_megabytes() {
    let treasure = Treasure::new();
    let run = treasure.place.feed(["debate", "-", "--rehearse"], &[b'x'; 10 << 20]);
    told(
        run,
        64,
        &["the topic on standard input has more than 16000 characters: shorten it and refer to files"],
    );
    let run = treasure.place.feed(["debate", "-", "--rehearse"], "ü".repeat(16_001).as_bytes());
    told(run, 64, &["the topic has 16001 characters, at most 16000 are allowed"]);
    told(treasure.place.feed(["debate", "-", "--rehearse"], b" \n"), 64, &["the topic is empty"]);
    treasure.intact();
    let run = treasure.place.feed(["debate", "-", "--quiet", "--rehearse"], "ü".repeat(16_000).as_bytes());
    assert!(run.code <= 2, "the longest topic is welcome\n{run}");
    finish(treasure.place);
}

#[test]
fn a_charter_with_three_mistakes() {
    let treasure = Treasure::new();
    let good = treasure.place.run(["charter", "show", "blind-vote"]).exits(0).out;
    let line =
        |words: &str| good.lines().position(|line| line.contains(words)).map(|at| at + 1).expect("a line");
    let mistakes = [
        ("basis = \"cast\"", "basis = \"vibes\""),
        ("floor = \"parallel\"", "floor = \"paralel\""),
        ("chars_most = 20_000", "chars_most = \"many\""),
    ];
    let bad = mistakes.iter().fold(good.clone(), |text, (right, wrong)| text.replacen(right, wrong, 1));
    treasure.place.write("bad.toml", bad);
    let lines: Vec<String> =
        mistakes.iter().map(|(right, _)| format!("bad.toml:{}: `", line(right))).collect();
    let words =
        ["the charter has 3 errors:", &lines[0], &lines[1], &lines[2], "\"parallel\"", "\"cast\", \"votes\""];
    treasure.refuses(&["debate", "Should we?", "--charter=./bad.toml", "--rehearse"], 65, &words);

    let run = treasure.place.run(["charter", "check", "bad.toml"]).exits(65).prints("bad.toml: 3 errors");
    lines.iter().for_each(|line| assert!(run.out.contains(line), "{run}"));
    let told = treasure.place.json(["charter", "check", "bad.toml"]);
    assert_eq!((&told["good"], told["flaws"].as_array().map(Vec::len)), (&false.into(), Some(3)));
    treasure.finish();
}

#[test]
fn files_with_flaws() {
    let treasure = Treasure::new();
    let seats = "[[seat]]\nname = \"ann\"\nbackend = \"rehersal\"\n[[seat]]\nbackend = \"rehearsal\"\n[[seat]]\nname = \"bob\"\nbackend = \"rehearsal\"\ncolour = \"red\"\n";
    treasure.place.write("seats.toml", seats);
    let words = [
        "the seats have 2 errors:",
        "seats.toml:3: `seat.backend`: unknown seat type `rehersal`; did you mean `rehearsal`?",
        "seats.toml:9: `seat.colour`",
    ];
    treasure.refuses(&["debate", "Should we?", "--seats=seats.toml"], 65, &words);
    treasure.place.write("seats.toml", "");
    treasure.refuses(
        &["debate", "Should we?", "--seats=seats.toml"],
        65,
        &["seats.toml:1: ", "write at least one [[seat]]"],
    );
    treasure.place.write("seats.toml", "[[seat]]\nname = \"ann\n");
    treasure.refuses(
        &["debate", "Should we?", "--seats=seats.toml"],
        65,
        &["seats.toml:2: ", "this is not TOML"],
    );

    treasure.place.write(".synod/providers.toml", "[openai]\ntries = 0\n\n[opnai]\ntries = 2\n");
    treasure.place.write(".synod/prices.toml", "[openai]\n\"gpt-x\" = { in = \"1\" }\n");
    let words =
        ["the settings have 3 errors:", "providers.toml:2: ", "providers.toml:4: ", "prices.toml:2: "];
    treasure.refuses(&["debate", "Should we?", "--rehearse"], 65, &words);
    treasure.place.run(["doctor"]).exits(65).prints("BAD   settings  providers.toml:2: ");
    treasure.place.run(["list"]).exits(0);

    treasure.place.write("talk.txt", "@speek\nhello\n---\n@vote\n");
    std::fs::remove_file(treasure.place.house().join("providers.toml")).unwrap();
    std::fs::remove_file(treasure.place.house().join("prices.toml")).unwrap();
    let words = [
        "seat `ann`: talk.txt:1: `@speek` is not known: write @speak",
        "talk.txt:4: this block has no answer",
    ];
    treasure.refuses(&["debate", "Should we?", "--seat=ann=script:talk.txt"], 65, &words);
    treasure.finish();
}
