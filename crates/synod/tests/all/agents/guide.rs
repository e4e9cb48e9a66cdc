//! The examples of `docs/agents.md`, as they stand there.

use std::path::Path;
use std::process::Command;

use crate::houses::finish;
use crate::service::Served;
use crate::service::redis::Redis;
use crate::world::{Place, Started};

/// The blocks of a guide in one language.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let opening = format!("```{language}\n");
    let cut = |rest: &str| rest.split("\n```").next().map(|block| format!("{block}\n"));
    text.split(&opening).skip(1).filter_map(cut).collect()
}

/// A program in this place that finds `synod` as a user does.
fn shell(place: &Place, args: &[&str]) -> Command {
    let mut command = place.bare("sh");
    let own = Path::new(env!("CARGO_BIN_EXE_synod")).parent().expect("a directory").to_path_buf();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let all = std::env::join_paths(std::iter::once(own).chain(std::env::split_paths(&path))).expect("a path");
    command.env("PATH", all).args(args);
    command
}

fn guide() -> String {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/agents.md");
    std::fs::read_to_string(guide).expect("the guide")
}

#[test]
fn three_agents_in_shell_decide_as_the_guide_says() {
    let blocks = blocks(&guide(), "sh");
    let agent = blocks.iter().find(|block| block.contains("agent.sh")).expect("the agent");
    let place = Place::new();
    place.write("agent.sh", agent);
    Started::of(shell(&place, &["-e", "-c", &blocks[0]]), b"").wait().exits(0);
    let agents = ["ann", "bob", "cy"].map(|name| Started::of(shell(&place, &["agent.sh", name]), b""));
    for agent in agents {
        let run = agent.wait().exits(0);
        assert!(run.err.contains("is over: COMMITTED"), "{run}");
    }
    let shown = place.json(["ring", "status"]);
    let put = &shown["ring"]["proposals"][0];
    assert_eq!(
        (&put["version"], &put["text"]),
        (&2.into(), &"Put Redis in front of the index, with a TTL of 60 s.".into())
    );
    assert_eq!(shown["ring"]["vote"]["voted"], serde_json::json!(["ann", "bob", "cy"]), "{shown}");
    finish(place);
}

#[test]
fn agents_in_python_decide_as_the_guide_says() {
    let place = Place::new();
    let served = Served::start(&place, &[]);
    let url = format!("http://{}", served.address);
    let program = blocks(&guide(), "python").into_iter().find(|block| block.contains("/v1/turns"));
    place.write("agent.py", program.expect("the agent"));
    let invited = ["ann", "bob", "cy"].into_iter().flat_map(|name| ["--invite", name]);
    let convened = ["ring", "open", "Cache the index?", "--charter", "quick", "--rounds", "1"];
    let opened = place.json(convened.into_iter().chain(invited));
    let agents = ["ann", "bob"].map(|name| {
        let token = place.run(["token", "create", name]).exits(0).out.trim().to_string();
        let mut python = place.bare("python3");
        python.env("SYNOD_SERVICE", &url).env("SYNOD_TOKEN", token).arg("agent.py");
        Started::of(python, b"")
    });
    // A third, who wants two changes to the same text: when the first is taken, the second is stale.
    let asked = || place.run(["ring", "turn", "--as", "cy", "--wait", "60s"]).exits(0);
    asked().prints("You are invited");
    place.run(["ring", "join", "--as", "cy"]).exits(0);
    asked().prints("Make a proposal");
    place.run(["ring", "skip", "--as", "cy"]).exits(0);
    asked().prints("You have the floor");
    place.run(["ring", "amend", "--as", "cy", "A", "After an hour.", "--keep"]).exits(0);
    place.run(["ring", "amend", "--as", "cy", "A", "After two hours."]).exits(0);
    asked().prints("After an hour.");
    place.run(["ring", "vote", "--as", "cy", "B", "reject"]).exits(0);
    place.run(["ring", "vote", "--as", "cy", "A", "approve"]).exits(0);

    let matter = opened["matter"].as_str().expect("a matter");
    let mut stale = 0;
    for agent in agents {
        let run = agent.wait().exits(0);
        assert_eq!(run.out.lines().last(), Some(format!("{matter} passed").as_str()), "{run}");
        stale += run.out.matches("table/stale").count();
    }
    assert_eq!(stale, 1, "who proposed A was refused once, said so and went on");
    let shown = place.json(["ring", "status"]);
    assert_eq!(shown["ring"]["phase"], "COMMITTED", "{shown}");
    let [first, second] = shown["ring"]["proposals"].as_array().map(Vec::as_slice).expect("proposals") else {
        panic!("both propose: {shown}");
    };
    assert_eq!((&first["text"], &second["version"]), (&"After an hour.".into(), &1.into()), "{shown}");
    assert_eq!(shown["ring"]["vote"]["voted"], serde_json::json!(["ann", "bob", "cy"]), "{shown}");
    served.end();
    finish(place);
}

#[test]
fn agents_on_redis_decide_as_the_guide_says() {
    let place = Place::new();
    let redis = Redis::start();
    let served = Served::start(&place, &["--redis", &redis.url()]);
    let program = blocks(&guide(), "python").into_iter().find(|block| block.contains("synod_redis"));
    place.write("agent.py", program.expect("the agent"));
    let module = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../integrations/python");
    let names = ["ann", "bob"];
    let tokens = names.map(|name| place.run(["token", "create", name]).exits(0).out.trim().to_string());
    let invited = names.into_iter().flat_map(|name| ["--invite", name]);
    let convened = ["ring", "open", "Cache the index?", "--charter", "quick", "--rounds", "1"];
    let opened = place.json(convened.into_iter().chain(invited));
    // They come after the invitation, as agents do that were restarted.
    let agents = [0, 1].map(|at| {
        let mut python = place.bare("python3");
        python.env("PYTHONPATH", &module).env("SYNOD_REDIS", redis.url()).env("SYNOD_TOKEN", &tokens[at]);
        Started::of(
            {
                python.args(["agent.py", names[at]]);
                python
            },
            b"",
        )
    });
    let matter = opened["matter"].as_str().expect("a matter");
    for agent in agents {
        let run = agent.wait().exits(0);
        assert_eq!(run.out.trim(), format!("{matter} COMMITTED"), "{run}");
    }
    let shown = place.json(["ring", "status"]);
    assert_eq!(shown["ring"]["vote"]["voted"], serde_json::json!(names), "{shown}");
    served.end();
    finish(place);
}
