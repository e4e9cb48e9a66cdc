//! The names of commands and events as they are written, without writing all of them.

use std::io::{self, Write};

use serde::Serialize;
use synod_core::event::HouseEvent;
use synod_core::kernel::ContributionKind;
use synod_core::procedure::ring;
use synod_core::{Command, Event, gate};

/// The kind of an event: organ and event, such as `matter/opened`.
pub(crate) fn kind(event: &Event) -> String {
    match event {
        Event::House(HouseEvent::Founded(_)) => "house/founded".into(),
        // What a participant contributed is known by what it is, such as `contribution/proposal`.
        Event::Gate(gate::Event::Admitted(said)) if said.kind != ContributionKind::Statement => {
            format!("contribution/{}", said.kind.word())
        }
        Event::Charter(_) => "charter/adopted".into(),
        other => {
            let beginning = Beginning::of(other);
            let mut names = beginning.names();
            let organ = names.next().unwrap_or_default();
            names.next().map_or_else(|| organ.into(), |inner| format!("{organ}/{inner}"))
        }
    }
}

/// What a command is called; of a participant's part, what it is.
pub(crate) fn command(command: &Command) -> String {
    let beginning = match command {
        Command::Ring(ring::Command::Participate { action, .. }) => Beginning::of(action),
        Command::Ring(command) => Beginning::of(command),
        Command::Workshop(command) => Beginning::of(command),
        Command::Council(command) => Beginning::of(command),
        other => Beginning::of(other),
    };
    beginning.names().next().unwrap_or_default().into()
}

/// What a command is called, however much is inside.
pub(crate) fn command_name(command: &Command) -> String {
    Beginning::of(command).names().next().unwrap_or_default().into()
}

/// The first bytes of a value as JSON. Names stand first, so that nothing else need be written.
struct Beginning {
    bytes: [u8; 96],
    length: usize,
}

impl Beginning {
    fn of(value: &impl Serialize) -> Self {
        let mut beginning = Self { bytes: [0; 96], length: 0 };
        let _ = serde_json::to_writer(&mut beginning, value); // it ends early, which is no fault
        beginning
    }

    /// The texts in it.
    fn names(&self) -> impl Iterator<Item = &str> {
        let text = str::from_utf8(&self.bytes[..self.length]).unwrap_or_default();
        text.split('"').skip(1).step_by(2)
    }
}

impl Write for Beginning {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = &mut self.bytes[self.length..];
        if bytes.len() > room.len() {
            return Err(io::ErrorKind::WriteZero.into());
        }
        room[..bytes.len()].copy_from_slice(bytes);
        self.length += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
