//! Programs as seats: what they print, how they fail, and that they die when they are given up.

use std::path::Path;
use std::time::Duration;

use synod_core::kernel::Nano;

use crate::{Gate, KEY, ask, cast};
use synod_minds::{CallFailure, Cassette, Env, MindKind, Reply, Settings};

async fn run(command: &str) -> Result<Reply, CallFailure> {
    let settings = Settings::read("[exec]\ntime_out_ms = 5000", "").unwrap();
    let mind = cast(settings, Env::of([("OPENAI_API_KEY", KEY)]), Cassette::Off, &format!("exec:{command}"));
    assert_eq!(mind.face().kind, MindKind::CommandLine);
    ask(&*mind, &Gate::open()).await
}

#[tokio::test]
async fn it_reads_the_brief_and_prints_an_answer() {
    assert_eq!(run("cat").await.unwrap().text, "You sit in a \"synod\".\nSo far:\n| nothing\nYou are ann.");
    let reply = run("echo noise >&2; echo '  yes '").await.unwrap();
    assert_eq!((reply.text.as_str(), reply.usage.calls, reply.usage.cost), ("yes", 1, None));
    assert_eq!(run("exec <&-; echo yes").await.unwrap().text, "yes", "it need not read");
}

/// A program gets the variables that its seat names, and the few that every program needs.
#[tokio::test]
async fn it_gets_no_environment_but_what_its_seat_names() {
    let path = std::env::var("PATH").unwrap();
    let env = || {
        let own =
            [("OPENAI_API_KEY", KEY), ("MODE", "chat"), ("AWS_SECRET_ACCESS_KEY", "aws-secret-0123456789")];
        Env::of(own.into_iter().chain([("PATH", path.as_str()), ("HOME", "/home/ann"), ("LANG", "C")]))
    };
    let settings = || Settings::read("[exec]\ntime_out_ms = 5000", "").unwrap();
    let told = async |spec: &str| {
        ask(&*cast(settings(), env(), Cassette::Off, spec), &Gate::open()).await.unwrap().text
    };
    let all = told("exec:env").await;
    let names: Vec<&str> =
        all.lines().filter_map(|line| line.split_once('=')).map(|(name, _)| name).collect();
    // What the shell sets for itself.
    let own = |name: &&str| !["PWD", "OLDPWD", "SHLVL", "_"].contains(name);
    let mut names: Vec<&str> = names.into_iter().filter(own).collect();
    names.sort_unstable();
    assert_eq!(names, ["HOME", "LANG", "PATH"], "{all}");
    assert_eq!(told("exec[MODE]:echo $MODE$AWS_SECRET_ACCESS_KEY").await, "chat");
    // A secret that it gets is known, and taken out of what it says.
    let said =
        told("exec[AWS_SECRET_ACCESS_KEY, OPENAI_API_KEY]:echo $AWS_SECRET_ACCESS_KEY and $OPENAI_API_KEY")
            .await;
    assert_eq!(said, "[secret] and [secret]");
}

/// What answers for a seat is recorded, so a key in it is refused before anything is.
#[test]
fn a_key_in_a_command_is_refused() {
    use synod_minds::{MindFactory, Spec};
    let settings = Settings::read("[openrouter]\nkey_env = \"MINE\"", "").unwrap();
    let env = Env::of([("OPENAI_API_KEY", KEY), ("MINE", "my-own-key-0123456789")]);
    let minds = MindFactory::new(settings, env, Cassette::Off).unwrap();
    for spec in [
        format!("exec:claude --key {KEY}"),
        "exec:claude --key my-own-key-0123456789".into(),
        format!("script:{KEY}.txt"),
        format!("http://127.0.0.1:1/v1#{KEY}"),
    ] {
        let error = minds.mind(&Spec::parse(&spec).unwrap()).unwrap_err();
        assert_eq!(error.code, "backend/key-in-seat", "{spec}");
        assert!(!error.message.contains(KEY) && !error.message.contains("my-own-key"), "{error}");
        assert!(error.message.contains("[secret]"), "{error}");
    }
}

#[tokio::test]
async fn it_fails() {
    for (command, code, detail, lasting) in [
        ("echo a >&2; echo 'no model' >&2; exit 3", "backend/exec-failed", "exit code 3: no model", false),
        ("no-such-program-here", "backend/exec-failed", "cannot be run (exit code 127)", true),
        ("kill -9 $$", "backend/exec-failed", "was killed", false),
        ("true", "backend/bad-answer", "printed nothing", false),
        ("yes", "backend/too-large", "more than 1 MiB", false),
    ] {
        let cause = run(command).await.unwrap_err().cause;
        assert_eq!((cause.code.as_str(), cause.lasting), (code, lasting), "{command}: {}", cause.detail);
        assert!(cause.detail.contains(detail), "{command}: {}", cause.detail);
    }
    let spec = "exec[OPENAI_API_KEY]:echo bad $OPENAI_API_KEY >&2; false";
    let mind = cast(Settings::default(), Env::of([("OPENAI_API_KEY", KEY)]), Cassette::Off, spec);
    let failure = ask(&*mind, &Gate::open()).await.unwrap_err();
    assert!(failure.cause.detail.contains("bad [secret]"), "{failure:?}");
    assert!(!format!("{failure:?}").contains(KEY));
}

/// What never ran cost nothing. What a shell made of a longer line, nobody knows.
#[tokio::test]
async fn a_program_that_does_not_exist_is_no_call() {
    let path = std::env::var("PATH").unwrap();
    for (command, calls, cost) in [
        ("no-such-program-here --now", 0, Some(Nano(0))),
        ("/no/such/program", 0, Some(Nano(0))),
        ("echo yes; no-such-program-here", 1, None),
        ("sh no-such-script-here", 1, None),
    ] {
        let env = Env::of([("PATH", path.as_str())]);
        let mind = cast(Settings::default(), env, Cassette::Off, &format!("exec:{command}"));
        let usage = ask(&*mind, &Gate::open()).await.unwrap_err().usage;
        assert_eq!((usage.calls, usage.cost), (calls, cost), "{command}");
    }
}

#[tokio::test]
async fn the_budget_comes_first() {
    let mind = cast(Settings::default(), Env::of([]), Cassette::Off, "exec:echo yes");
    let failure = ask(&*mind, &Gate::of(0)).await.unwrap_err();
    assert_eq!((failure.cause.code.as_str(), failure.usage.calls), ("backend/refused-by-budget", 0));
}

fn is_alive(id: &str) -> bool {
    // A process that was killed and not yet collected is as good as gone.
    let state = std::fs::read_to_string(format!("/proc/{id}/stat"));
    state.is_ok_and(|state| !state.contains(") Z "))
}

async fn ids(file: &Path) -> Vec<String> {
    for _ in 0..500 {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        if text.lines().count() == 2 {
            return text.lines().map(str::to_string).collect();
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the program did not start");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn it_dies_with_all_it_started() {
    for given_up in [true, false] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ids");
        let command = format!("exec:sleep 300 & echo $! >> {0}; echo $$ >> {0}; wait", file.display());
        let time_out = if given_up { 60_000 } else { 400 };
        let settings = Settings::read(&format!("[exec]\ntime_out_ms = {time_out}"), "").unwrap();
        let mind = cast(settings, Env::of([]), Cassette::Off, &command);
        let gate = Gate::open();
        let mut asking = Box::pin(ask(&*mind, &gate));
        let ids = tokio::select! {
            ids = ids(&file) => ids,
            outcome = &mut asking => panic!("{outcome:?}"),
        };
        assert!(ids.iter().all(|id| is_alive(id)));
        if given_up {
            drop(asking);
        } else {
            assert_eq!(asking.await.unwrap_err().cause.code, "backend/time-out");
        }
        for _ in 0..200 {
            if !ids.iter().any(|id| is_alive(id)) {
                break;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        assert!(!ids.iter().any(|id| is_alive(id)), "{ids:?}");
    }
}
