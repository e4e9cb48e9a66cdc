//! A connection that comes back.

use std::time::Duration;

use redis::aio::MultiplexedConnection;

use super::{FIRST, LONGEST};
use crate::out;

/// Waits between tries, longer and longer, and says once that there is trouble and once that it is over.
#[derive(Debug, Default)]
pub(super) struct Pauses {
    wait: Option<Duration>,
    told: bool,
}

impl Pauses {
    /// Redis failed. Waits before the next try.
    pub(super) async fn wait(&mut self, doing: &str, failed: Option<&str>) {
        if !self.told {
            let why = failed.unwrap_or("the connection ended");
            out::error(&out::clean(&format!("redis: cannot {doing}: {why}; trying again, all else goes on")));
            self.told = true;
        }
        let wait = self.wait.map_or(FIRST, |wait| (wait * 2).min(LONGEST));
        self.wait = Some(wait);
        tokio::time::sleep(wait).await;
    }

    /// Redis is there.
    pub(super) fn over(&mut self, doing: &str) {
        if self.told {
            out::error(&format!("redis: can {doing} again"));
        }
        *self = Self::default();
    }
}

/// The connection that messages are sent through.
#[derive(Debug)]
pub(super) struct RedisLink {
    url: String,
    doing: &'static str,
    open: Option<MultiplexedConnection>,
    pauses: Pauses,
}

impl RedisLink {
    pub(super) fn new(url: &str, doing: &'static str) -> Self {
        Self { url: url.into(), doing, open: None, pauses: Pauses::default() }
    }

    /// Sends messages, in order, however long Redis is away. One that may have been sent when the connection
    /// broke is sent again: each carries its id. Says whether the connection is a new one.
    pub(super) async fn send_all(&mut self, messages: &[(String, String)]) -> bool {
        let mut renewed = self.connect().await;
        for (channel, text) in messages {
            while let Err(error) = self.send(channel, text).await {
                self.open = None;
                self.pauses.wait(self.doing, Some(&error.to_string())).await;
                renewed |= self.connect().await;
            }
        }
        renewed
    }

    /// Makes sure there is a connection. Says whether it is a new one.
    async fn connect(&mut self) -> bool {
        if self.open.is_some() {
            return false;
        }
        loop {
            match self.dial().await {
                Ok(open) => {
                    self.open = Some(open);
                    self.pauses.over(self.doing);
                    return true;
                }
                Err(error) => self.pauses.wait(self.doing, Some(&error.to_string())).await,
            }
        }
    }

    async fn dial(&self) -> redis::RedisResult<MultiplexedConnection> {
        redis::Client::open(self.url.as_str())?.get_multiplexed_async_connection().await
    }

    async fn send(&mut self, channel: &str, text: &str) -> redis::RedisResult<()> {
        let Some(open) = &mut self.open else { return Ok(()) };
        redis::cmd("PUBLISH").arg(channel).arg(text).query_async::<()>(open).await
    }
}
