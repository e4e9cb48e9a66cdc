//! What may be written for a mind, and what is said of anything else.

use expect_test::{Expect, expect};
use synod_minds::Spec;

fn check(written: &str, expected: Expect) {
    let read = match Spec::parse(written) {
        Ok(spec) => {
            assert_eq!(Spec::parse(&spec.to_string()).as_ref(), Ok(&spec), "written back");
            spec.to_string()
        }
        Err(what) => format!("! {what}"),
    };
    expected.assert_eq(&read);
}

#[test]
fn good_ones_come_back() {
    for written in [
        "rehearsal",
        "person",
        "openai:gpt-4.1-mini",
        "anthropic:claude-haiku-4-5",
        "gemini:gemini-2.5-pro",
        "ollama:llama3.2:3b",
        "http://127.0.0.1:8080/v1#qwen3-max",
        "https://openrouter.ai/api/v1#meta/llama-3:free",
        "exec:claude -p --model x",
        "script:plays/a b.txt",
    ] {
        assert_eq!(Spec::parse(written).unwrap().to_string(), written);
    }
    check(" https://host/v1/# m ", expect!["https://host/v1#m"]);
}

#[test]
fn bad_ones_are_told_what_to_write() {
    check(
        "",
        expect![
            "! nothing is written; write one of `rehearsal`, `openai:MODEL`, `anthropic:MODEL`, `gemini:MODEL`, `openrouter:MODEL`, `ollama:MODEL`, `https://HOST/v1#MODEL`, `exec:COMMAND`, `script:FILE`, `person`"
        ],
    );
    check(
        "opnai:gpt-4o",
        expect![
            "! unknown seat type `opnai`; did you mean `openai:MODEL`? Otherwise write one of `rehearsal`, `openai:MODEL`, `anthropic:MODEL`, `gemini:MODEL`, `openrouter:MODEL`, `ollama:MODEL`, `https://HOST/v1#MODEL`, `exec:COMMAND`, `script:FILE`, `person`"
        ],
    );
    check(
        "claude",
        expect![
            "! unknown seat type `claude`: write one of `rehearsal`, `openai:MODEL`, `anthropic:MODEL`, `gemini:MODEL`, `openrouter:MODEL`, `ollama:MODEL`, `https://HOST/v1#MODEL`, `exec:COMMAND`, `script:FILE`, `person`"
        ],
    );
    check("gpt-4.1", expect!["! unknown seat type `gpt-4.1`; did you mean `openai:gpt-4.1`?"]);
    check("qwen3:8b", expect!["! unknown seat type `qwen3`; did you mean `ollama:qwen3:8b`?"]);
    check("openai:", expect!["! `openai:` lacks its model: write `openai:MODEL`"]);
    check("openai:gpt 4", expect!["! `gpt 4` holds a blank: write one model, as `openai:MODEL`"]);
    check("exec:", expect!["! `exec:` lacks its command: write `exec:COMMAND`"]);
    check("person:ann", expect!["! `person` takes nothing after it: write `person`"]);
    check("https://host/v1", expect!["! `https://host/v1` names no model: write `https://host/v1#MODEL`"]);
    check("https://host/v1#", expect!["! `https://host/v1` names no model: write `https://host/v1#MODEL`"]);
    check(
        "https://ann:hunter2@host/v1#m",
        expect![
            "! the URL holds a user name or password, which would be recorded: take it out and give the key in SYNOD_API_KEY, or name `key_env` or `key_file` in providers.toml"
        ],
    );
    check(
        "https://host/v1?key=hunter2#m",
        expect!["! the URL should end before any `?` or `#`: it is recorded, and paths are added to it"],
    );
    check("http://#m", expect!["! this is not a URL: write something like http://127.0.0.1:8080/v1"]);
}
