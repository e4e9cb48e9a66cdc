//! Settings: what holds when nothing is written, and every flaw with its line.

use expect_test::expect;
use std::path::PathBuf;
use synod_core::kernel::Nano;
use synod_minds::{Pace, Provider, Settings, Structured};

fn told(minds: &str, prices: &str) -> String {
    let flaws = Settings::read(minds, prices).unwrap_err();
    flaws.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

#[test]
fn everything_can_be_set() {
    let text = r#"
        [openai]
        base_url = "https://gateway.example/v1/"
        key_env = "MY_KEY"
        key_file = "keys/openai"
        requests_per_minute = 60
        tokens_per_minute = 100_000
        at_once = 2
        time_out_ms = 5000
        tries = 1
        max_output_tokens = 0x400
        window = 8192
        temperature = "0.20"
        structured = "object"
        reasoning_effort = "high"
        stream = false
        tools = false
        [retries]
        first_wait_ms = 7
        longest_wait_ms = 8
        retry_after_most_ms = 9
        ["http://127.0.0.1:8080/v1"]
        structured = "off"
        [exec]
        time_out_ms = 9
    "#;
    let settings = Settings::read(text, "[openai]\n\"m\" = { in = 1, out = \"2.5\" }").unwrap();
    let expected = Provider {
        base_url: Some("https://gateway.example/v1".into()),
        key_env: Some("MY_KEY".into()),
        key_file: Some(PathBuf::from("keys/openai")),
        requests_per_minute: Some(60),
        tokens_per_minute: Some(100_000),
        at_once: 2,
        time_out_ms: 5000,
        tries: 1,
        max_output_tokens: Some(1024),
        window: Some(8192),
        temperature: Some("0.20".into()),
        structured: Structured::Object,
        reasoning_effort: Some("high".into()),
        stream: false,
        tools: false,
    };
    assert_eq!(settings.provider("openai"), expected);
    assert_eq!(settings.pace, Pace { base_ms: 7, cap_ms: 8, retry_after_cap_ms: 9 });
    assert_eq!(settings.provider("http://127.0.0.1:8080/v1").structured, Structured::Off);
    assert_eq!(settings.provider("gemini"), Provider::default());
    let price = settings.prices.of("openai", "m").unwrap();
    assert_eq!(
        (price.input, price.cached, price.output),
        (Nano(1_000_000), Nano(1_000_000), Nano(2_500_000))
    );
    assert_eq!(Settings::read("", "").unwrap(), Settings::default());
}

#[test]
fn every_flaw_is_told() {
    let text = "[openai]\nat_onec = 3\ntries = 0\nstructured = \"json\"\n\n[opanai]\n[ollama]\nbase_url = \"http://a:b@host\"\n\
                temperature = 2.5\n[exec]\ntries = 2\n[gemini]\nkey_env = 7\n[\"http://a:b@host/v1\"]\n";
    expect![[r#"
        providers.toml:2: `openai.at_onec`: this key is not known; did you mean `at_once`?
        providers.toml:3: `openai.tries`: 0 is out of range; write a whole number from 1 to 100
        providers.toml:4: `openai.structured`: "json" is not known; write one of "auto", "schema", "object", "off"
        providers.toml:6: `opanai`: no provider has this name; did you mean `openai`?
        providers.toml:8: `ollama.base_url`: the URL holds a user name or password, which would be recorded: take it out and give the key in SYNOD_API_KEY, or name `key_env` or `key_file` in providers.toml
        providers.toml:9: `ollama.temperature`: `2.5` is no temperature; write a decimal from 0 to 2, such as 0.7
        providers.toml:11: `exec.tries`: this key is not known; known here: at_once, time_out_ms
        providers.toml:13: `gemini.key_env`: this is an integer; write a text in quotes
        providers.toml:14: the URL holds a user name or password, which would be recorded: take it out and give the key in SYNOD_API_KEY, or name `key_env` or `key_file` in providers.toml"#]].assert_eq(&told(text, ""));
}

#[test]
fn prices_have_flaws_too() {
    expect![[r#"
        prices.toml:2: `openai.a.out`: `free` is not an amount of dollars: write a number such as 0.50
        prices.toml:3: `openai.b`: it needs both `in` and `out`; write { in = "2.50", out = "10" }, in dollars for a million tokens
        prices.toml:4: `openai.c`: this is not a table; write [openai] and below it lines such as "MODEL" = { in = "2.50", out = "10" }
        prices.toml:5: `openai.d.cahced`: this key is not known; did you mean `cached`?"#]].assert_eq(&told(
        "",
        "[openai]\na = { in = \"1\", out = \"free\" }\nb = { in = 1 }\nc = 3\nd = { in = 1, out = 2, cahced = 1 }\n",
    ));
}

#[test]
fn what_should_be_a_table() {
    expect![[r#"
        providers.toml:1: `openai`: this is not a table; write [openai] and its settings below
        providers.toml:2: this is not a table; write [openai] and its settings below
        prices.toml:1: `openai`: this is not a table; write [openai] and below it lines such as "MODEL" = { in = "2.50", out = "10" }"#]].assert_eq(&told("openai = 3\n\"http://ann:secret@host/v1\" = 3\n", "openai = \"free\"\n"));
}

#[test]
fn what_is_not_toml() {
    expect![[r#"
        providers.toml:1: this is not TOML: unclosed table, expected `]`
        prices.toml:1: this is not TOML: extra `=`, expected nothing
        prices.toml:1: this is not TOML: unexpected key or value, expected newline, `#`"#]]
    .assert_eq(&told("[openai\ntries = 1\n", "x = = 1"));
}

#[test]
fn a_house_without_settings_is_fine() {
    let house = tempfile::tempdir().unwrap();
    assert_eq!(Settings::load(house.path()).unwrap(), Settings::default());
}

#[test]
fn settings_are_regular_files_with_an_end() {
    let house = tempfile::tempdir().unwrap();
    let (minds, prices) = (house.path().join("providers.toml"), house.path().join("prices.toml"));
    assert!(std::process::Command::new("mkfifo").arg(&minds).status().unwrap().success());
    std::fs::write(&prices, "#".repeat((1 << 20) + 1)).unwrap();
    let flaws: Vec<String> =
        Settings::load(house.path()).unwrap_err().iter().map(ToString::to_string).collect();
    assert!(flaws[0].contains(&format!("{}", minds.display())), "{flaws:?}");
    assert!(flaws[0].contains("it is not a regular file"), "{flaws:?}");
    assert!(flaws[1].contains("at most 1048576 bytes are read"), "{flaws:?}");
    // A key and a script that such settings name hold nobody up either.
    assert!(synod_minds::Secret::read(&minds).unwrap_err().contains("it is not a regular file"));
    assert!(
        synod_minds::Script::load(&minds).unwrap_err()[0].to_string().contains("it is not a regular file")
    );
}
