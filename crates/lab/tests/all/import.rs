//! Files of ballots, good and bad.

use synod_lab::import::ballots;

fn wrong(text: &str) -> Vec<String> {
    ballots(text).expect_err("it has flaws").iter().map(ToString::to_string).collect()
}

#[test]
fn csv_and_jsonl_come_to_the_same() {
    let csv = "dataset,item,gold,agent,round,answer,confidence\n\
               a,1,B,ann,0,B,0.9\na,1,B,bob,0,\"C, or D\",85%\na,1,B,cy,0,,\n";
    let jsonl = r#"{"dataset":"a","item":1,"gold":"B","agent":"ann","round":0,"answer":"B","confidence":0.9}
{"dataset":"a","item":"1","gold":"B","agent":"bob","answer":"C, or D","confidence":"85%"}

{"dataset":"a","item":"1","gold":"B","agent":"cy","round":null,"answer":""}"#;
    let (one, other) = (ballots(csv).expect("good"), ballots(jsonl).expect("good"));
    assert_eq!(format!("{one:?}"), format!("{other:?}"));
    let set = &one.sets[0];
    assert_eq!(set.agents, ["ann", "bob", "cy"]);
    assert_eq!(set.items[0].options, ["B", "C, or D"]);
    assert_eq!(
        (set.items[0].right(0, 0), set.items[0].right(0, 1), set.items[0].right(0, 2)),
        (Some(true), Some(false), None)
    );
    assert_eq!(set.items[0].answer(0, 1).and_then(|given| given.confidence), Some(850));
}

#[test]
fn every_flaw_is_listed_with_its_line() {
    let csv = "dataset,item,gold,agent,round,answer,confidence\n\
               a,1,B,ann,0,B,0.9\n\
               a,1,C,bob,0,B,0.9\n\
               a,1,B,ann,0,C,0.9\n\
               a,1,B,cy,zero,C,0.9\n\
               a,1,B,dee,0,C,1.5\n\
               a,,B,dee,0,C,\n\
               a,1,B\n\
               a,1,B,eve,0,A > B > A,\n";
    let found = wrong(csv);
    let lines: Vec<&str> = found.iter().filter_map(|flaw| flaw.split(':').next()).collect();
    assert_eq!(lines, ["line 3", "line 4", "line 5", "line 6", "line 7", "line 8", "line 9"], "{found:#?}");
    assert!(found[1].contains("twice in round 0"), "{found:#?}");
    assert!(found[6].contains("names `A` twice"), "{found:#?}");
}

#[test]
fn what_is_no_file_of_ballots_says_so() {
    assert!(wrong("")[0].contains("no ballot"));
    assert!(
        wrong("name,vote\nann,yes\n")[0].contains("`item`, `agent`, `answer` is missing"),
        "{:?}",
        wrong("name,vote\n")
    );
    assert!(wrong("item,agent,answer\n1,ann,\"B\n")[0].contains("never closed"));
    assert!(wrong("{\"item\":1}\n{]\n").iter().any(|flaw| flaw.starts_with("line 2: not a JSON object")));
    assert!(wrong("{\"item\":1,\"agent\":\"a\",\"answer\":[1]}")[0].contains("`answer` is not a text"));
}

#[test]
fn rankings_are_read_and_a_plain_answer_may_hold_an_equals_sign() {
    let book = ballots("item,agent,answer\n1,ann,B > A = C\n1,bob,x=3\n").expect("good");
    let item = &book.sets[0].items[0];
    assert_eq!(item.options, ["B", "A", "C", "x=3"]);
    assert_eq!(item.answer(0, 0).map(|given| given.groups.clone()), Some(vec![vec![0], vec![1, 2]]));
    assert!(book.sets[0].ranked);
}

#[test]
fn a_tie_alone_names_each_of_its_options() {
    let book = ballots("item,agent,answer\n1,ann,A = B\n1,bob,A\n").expect("good");
    let item = &book.sets[0].items[0];
    assert_eq!(item.options, ["A", "B"]);
    assert_eq!(item.answer(0, 0).map(|given| given.groups.clone()), Some(vec![vec![0, 1]]));
}
