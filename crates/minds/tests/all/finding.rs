//! What is found: keys in the environment, and servers that answer.

use crate::KEY;
use crate::fake::{Act, Fake};
use synod_minds::{Env, find};

#[tokio::test]
async fn keys_and_a_local_ollama() {
    let tags = r#"{"models": [{"name": "llama3.2:3b"}, {"name": "qwen3:8b"}]}"#;
    let fake = Fake::start([Act::Answer(200, "", tags.into())]).await;
    let address = fake.url.strip_prefix("http://").unwrap();
    let env = Env::of([("OPENAI_API_KEY", KEY), ("GOOGLE_API_KEY", KEY), ("OLLAMA_HOST", address)]);
    let found = find(&env).await;
    let told: Vec<String> =
        found.iter().map(|one| format!("{} by {}", one.spec.as_ref().unwrap(), one.how)).collect();
    let expected = [
        "openai:gpt-4.1-mini by OPENAI_API_KEY is set".to_string(),
        "gemini:gemini-3.1-flash-lite by GOOGLE_API_KEY is set".to_string(),
        format!("ollama:llama3.2:3b by Ollama answers at {}", fake.url),
    ];
    assert_eq!(told, expected);
    assert_eq!(found[2].models, ["llama3.2:3b", "qwen3:8b"]);
    assert_eq!(fake.seen()[0].line, "GET /api/tags HTTP/1.1");
}

#[tokio::test]
async fn an_endpoint_lists_its_models() {
    let fake = Fake::start([Act::Answer(200, "", r#"{"data": [{"id": "local-model"}]}"#.into())]).await;
    let base = format!("{}/v1", fake.url);
    let env = Env::of([
        ("OPENAI_BASE_URL", base.as_str()),
        ("OPENAI_API_KEY", KEY),
        ("OLLAMA_HOST", "127.0.0.1:1"),
    ]);
    let found = find(&env).await;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].spec.as_ref().unwrap().to_string(), "openai:local-model");
}

#[tokio::test]
async fn a_silent_server_is_not_waited_for() {
    let fake = Fake::start([Act::Hang]).await;
    let start = std::time::Instant::now();
    assert!(find(&Env::of([("OLLAMA_HOST", fake.url.as_str())])).await.is_empty());
    assert!(start.elapsed() < std::time::Duration::from_secs(3));
}
