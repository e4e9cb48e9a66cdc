//! A key must not be found in anything that is shown, recorded or answered.

use crate::fake::{Act, Fake};
use crate::{Gate, KEY, ask, completion, openai, quick};
use synod_minds::{Cassette, Env, MindFactory, Scrubber, Secret, Settings, Spec};

#[tokio::test]
async fn no_key_in_causes_answers_or_debug() {
    let echo = |status| {
        Act::Answer(status, "", format!("{{\"error\": \"bad key {}{KEY} given\"}}", "x".repeat(180)))
    };
    let acts = [echo(500), echo(401), Act::Answer(200, "", completion(&format!("my key is {KEY}")))];
    let fake = Fake::start(acts).await;
    let mind = openai(&fake.url, quick(""), Cassette::Off);
    let failure = ask(&*mind, &Gate::open()).await.unwrap_err();
    let reply = ask(&*mind, &Gate::open()).await.unwrap();
    assert_eq!(reply.text, "my key is [secret]");
    assert!(
        failure.cause.detail.contains("bad key") && failure.cause.detail.len() < 300,
        "{}",
        failure.cause.detail
    );
    let shown = format!("{failure:?} {failure} {reply:?} {mind:?} {:?}", mind.face());
    assert!(!shown.contains("sk-test"), "not even the beginning of it: {shown}");
}

#[tokio::test]
async fn no_key_in_a_cassette() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tape.jsonl");
    let answer = Act::Answer(200, "retry-after: sk\r\n", completion(&format!("{KEY} and more")));
    let fake = Fake::start([Act::Break, answer]).await;
    let mind = openai(&fake.url, quick(""), Cassette::Record(file.clone()));
    let mut brief = crate::brief();
    brief.own = format!("Someone pasted {KEY} here.");
    mind.ask(&crate::question(synod_minds::MindTask::Vote, 1, 1), &brief, &Gate::open()).await.unwrap();
    let text = std::fs::read_to_string(&file).unwrap();
    assert_eq!(text.lines().count(), 2);
    assert!(text.contains("[secret] and more") && text.contains("pasted [secret] here"), "{text}");
    assert!(!text.contains(KEY) && !text.to_lowercase().contains("bearer"), "{text}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[test]
fn secrets_do_not_print() {
    let secret = Secret::new(KEY);
    assert_eq!(format!("{secret} {secret:?} {:?}", Some(&secret)), "[secret] [secret] Some([secret])");
    let scrubber = Scrubber::default();
    scrubber.learn(&secret);
    scrubber.learn(&Secret::new(&KEY[..12]));
    scrubber.learn(&Secret::new("quo\"ted-key"));
    scrubber.learn(&Secret::new("ollama"));
    let text = format!("{KEY}, {}, {}, ollama", &KEY[..12], r#"quo\"ted-key"#);
    assert_eq!(scrubber.scrub(&text), "[secret], [secret], [secret], ollama");
    assert!(!format!("{scrubber:?}").contains("sk-"));
}

#[cfg(unix)]
#[test]
fn key_files_are_for_their_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let house = tempfile::tempdir().unwrap();
    let file = house.path().join("key");
    std::fs::write(&file, format!("\n{KEY}\n")).unwrap();
    std::fs::write(house.path().join("providers.toml"), "[openai]\nkey_file = \"key\"\n").unwrap();
    let make = |mode| {
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
        let minds =
            MindFactory::new(Settings::load(house.path()).unwrap(), Env::of([]), Cassette::Off).unwrap();
        minds.mind(&Spec::parse("openai:gpt-4o").unwrap()).map(|_| minds.scrubber().scrub(KEY).into_owned())
    };
    assert_eq!(make(0o600).unwrap(), "[secret]", "a key from a file is known too");
    let error = make(0o640).unwrap_err();
    assert_eq!(error.code, "backend/no-key");
    assert!(error.message.contains("chmod 600"), "{error}");
}
