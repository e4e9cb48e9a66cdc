//! Requests of seats: each stands or is refused, apart from the statement. One that names a file has the world read it, where
//! the operator allowed that; others wait for the operator (`supply`).

use crate::ask::{self, Of, WorldTask};
use crate::command::Delivered;
use crate::context::{self, FILES_MOST, FileReading, Wrong};
use crate::house::{Case, Flow};
use crate::kernel::{AskId, ContextRequest, Contribution, Passage, text};
use crate::{Event, Refusal, procedure};

impl Flow {
    /// Takes the requests of a statement that was admitted.
    pub(super) fn take_requests(&mut self, said: &Contribution, round: u32) {
        for request in &said.response.context_requests {
            let (matter, who) = (self.case().id, said.who.clone());
            let judged = match &request.file {
                Some(file) => {
                    to_read(self.case(), request, file, round).map(|(required, file)| (required, Some(file)))
                }
                None => to_ask(self.case(), request, round).map(|required| (required, None)),
            };
            match judged {
                Ok((required, file)) => {
                    let request = request.clone();
                    let stands = context::Event::Requested { matter, request, required, round, who };
                    let request = self.put(Event::Context(stands));
                    if let Some(file) = file {
                        self.send(WorldTask::Read { file, request });
                    }
                }
                Err(wrong) => {
                    self.put(Event::Context(context::Event::Refused { matter, round, who, wrong }));
                }
            }
        }
    }

    /// Asks the world for something.
    fn send(&mut self, task: WorldTask) {
        let (matter, until) = (self.case().id, procedure::delivered_until(self.at, &task));
        self.put(Event::Ask(ask::Event::Sent { matter, task, until }));
    }
}

/// Whether a request to the operator stands, and whether it is required.
fn to_ask(case: &Case, request: &ContextRequest, round: u32) -> Result<bool, Wrong> {
    match case.dossier.dealt_with(&request.query) {
        Some(of) => Err(Wrong::Repeated { of }),
        None => context::judge(request, round, case.last_round()),
    }
}

/// Whether a file shall be read: whether it is required, and which it is.
fn to_read(case: &Case, request: &ContextRequest, file: &str, round: u32) -> Result<(bool, Passage), Wrong> {
    let required = context::judge(request, round, case.last_round())?;
    let unnamed = || Wrong::File { said: text::excerpt(&text::one_line(file), 80).into_owned() };
    let file = Passage::parse(file).ok_or_else(unnamed)?;
    match case.dossier.asked_to_read(&file) {
        Some(of) => Err(Wrong::FileRepeated { of }),
        None if case.dossier.files() >= FILES_MOST => Err(Wrong::Files { most: FILES_MOST as u32 }),
        None => Ok((required, file)),
    }
}

/// Takes what the world was asked for; `case` is the matter before it.
pub(crate) fn deliver(flow: &mut Flow, case: &Case, id: AskId, delivered: &Delivered) -> Result<(), Refusal> {
    let ask = case.asks().get(&id).ok_or(ask::Refusal::NotOpen { ask: id })?;
    let event = match (&ask.of, delivered) {
        (Of::Seat { .. }, _) => return Err(ask::Refusal::OtherKind { ask: id }.into()),
        (Of::World(WorldTask::Read { file, request }), Delivered::Read(reading)) => match reading {
            FileReading::Taken(excerpt) if excerpt.is_sound() => {
                let (excerpt, path) = (Box::new(excerpt.clone()), file.path.clone());
                context::Event::Read { ask: id, excerpt, path, request: *request }
            }
            // More than may be taken, or lines that cannot be: whoever reads is not of this build.
            FileReading::Taken(_) => return Err(ask::Refusal::OtherKind { ask: id }.into()),
            FileReading::Unreadable(why) => context::Event::Unread { ask: id, request: *request, why: *why },
        },
        (Of::World(WorldTask::Read { .. } | WorldTask::Check { .. }), _) => {
            return Err(ask::Refusal::OtherKind { ask: id }.into());
        }
    };
    flow.put(Event::Context(event));
    super::advance(flow);
    Ok(())
}
