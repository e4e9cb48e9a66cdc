//! Limits hold however many wait. The clock is tokio's, and stands still but for sleeps.

use std::sync::Arc;
use std::time::Duration;

use synod_minds::Limiter;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

/// When each of `count` waiters got its turn.
async fn turns(limiter: Arc<Limiter>, count: u64, tokens: u64, work: Duration) -> Vec<Duration> {
    let start = Instant::now();
    let mut waiters = JoinSet::new();
    for _ in 0..count {
        let limiter = limiter.clone();
        waiters.spawn(async move {
            let turn = limiter.turn(tokens).await;
            let at = start.elapsed();
            sleep(work).await;
            drop(turn);
            at
        });
    }
    let mut at = waiters.join_all().await;
    at.sort();
    at
}

/// The most turns in any span of a minute.
fn most_in_a_minute(at: &[Duration]) -> usize {
    let within = |start: &Duration| {
        at.iter().filter(|t| *t >= start && **t < *start + Duration::from_secs(60)).count()
    };
    at.iter().map(within).max().unwrap_or(0)
}

#[tokio::test(start_paused = true)]
async fn a_hundred_waiters_at_sixty_a_minute() {
    let limiter = Arc::new(Limiter::new(Some(60), None, 1000));
    let at = turns(limiter.clone(), 100, 0, Duration::ZERO).await;
    assert!(most_in_a_minute(&at) <= 60);
    assert!(at[0] < Duration::from_millis(5), "the first does not wait");
    let last = at[99];
    assert!(
        last >= Duration::from_secs(99) && last < Duration::from_secs(100),
        "and nothing is wasted: {last:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn slow_answers_do_not_save_up_slots() {
    let at = turns(Arc::new(Limiter::new(Some(60), None, 4)), 30, 0, Duration::from_secs(20)).await;
    assert!(at.windows(2).all(|pair| pair[1] - pair[0] >= Duration::from_millis(990)), "{at:?}");
}

#[tokio::test(start_paused = true)]
async fn tokens_count_too() {
    let at = turns(Arc::new(Limiter::new(None, Some(6000), 1000)), 10, 1000, Duration::ZERO).await;
    assert_eq!(most_in_a_minute(&at), 6);
}

#[tokio::test(start_paused = true)]
async fn only_so_many_at_once() {
    let at = turns(Arc::new(Limiter::new(None, None, 3)), 9, 0, Duration::from_secs(1)).await;
    let seconds: Vec<u64> = at.iter().map(Duration::as_secs).collect();
    assert_eq!(seconds, [0, 0, 0, 1, 1, 1, 2, 2, 2]);
}

#[tokio::test(start_paused = true)]
async fn a_pause_holds_everyone() {
    let limiter = Arc::new(Limiter::new(Some(600), None, 100));
    limiter.pause(Duration::from_secs(10));
    limiter.pause(Duration::from_secs(1)); // does not shorten it
    let later = limiter.clone();
    tokio::spawn(async move {
        sleep(Duration::from_secs(5)).await;
        later.pause(Duration::from_secs(20));
    });
    let at = turns(limiter, 20, 0, Duration::ZERO).await;
    assert!(at[0] >= Duration::from_secs(25), "a pause that comes while waiting holds too: {:?}", at[0]);
    assert!(
        at.windows(2).all(|pair| pair[1] - pair[0] >= Duration::from_millis(98)),
        "no rush after it: {at:?}"
    );
}
