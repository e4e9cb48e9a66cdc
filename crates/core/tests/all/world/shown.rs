//! What happened, in a line for each event.

use std::fmt::Write as _;

use synod_core::ask::WorldTask;
use synod_core::kernel::{At, Choice, ContributionKind};
use synod_core::{
    Act, Event, Outcome, Task, ask, ballot, context, floor, gate, matter, meter, rejections, table, watch,
};

use super::{START, World};

pub(crate) fn show(log: &mut String, world: &World, act: &Act) {
    match &act.outcome {
        Outcome::Refused { code, message } => {
            let _ = writeln!(log, "refused {code}: {message}");
        }
        Outcome::Done(events) => {
            for event in events {
                if let Some(line) = line(world, event) {
                    let _ = writeln!(log, "{line}");
                }
            }
        }
    }
}

pub(crate) fn after(at: At) -> String {
    let seconds = at.since(START) / 1000;
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

fn line(world: &World, event: &Event) -> Option<String> {
    Some(match event {
        Event::House(_) => "founded".into(),
        Event::Charter(adopted) => format!("adopted {}", adopted.rules.name),
        Event::Roster(_) => "enrolled".into(),
        Event::Matter(event) => match event {
            matter::Event::Opened(opening) => format!("opened for {} seats", opening.seats.len()),
            matter::Event::StageEntered { stage, matter } => {
                let case = world.house.case(*matter).unwrap();
                format!("stage {}", case.stage_name(usize::from(*stage)))
            }
            matter::Event::Paused { why, .. } => format!("paused {why:?}"),
            matter::Event::Resumed { .. } => "resumed".into(),
            matter::Event::Stepped { stepwise, .. } => format!("stepwise {stepwise}"),
            matter::Event::Settled { decision, .. } => format!("settled {decision:?}"),
            matter::Event::Seconded { who, .. } => format!("seconded by {who}"),
            matter::Event::Reopened { .. } => "reopened".into(),
            matter::Event::Redacted { .. } => "redacted".into(),
        },
        Event::Floor(event) => match event {
            floor::Event::RoundOpened { round, .. } => format!("round {round} opened"),
            floor::Event::Called { who, until, matter, .. } => {
                let ring = world.house.case(*matter).is_some_and(|case| case.ring().is_some());
                let until = if ring { format!(" until {}", after(*until)) } else { String::new() };
                format!("called {who}{until}")
            }
            floor::Event::Joined { who, from_round, .. } => format!("{who} joined from round {from_round}"),
            floor::Event::Gone { who, cause, .. } => format!("{who} gone: {}", cause.code),
            floor::Event::Released { .. } => "released".into(),
            floor::Event::Skipped { .. } => "skipped".into(),
            floor::Event::Impanelled { seats, .. } => format!("panel of {seats}"),
            floor::Event::PartTaken { who, part, from, .. } => {
                format!("{who} takes the part {part} of {from}")
            }
            floor::Event::Absent { who, cause, .. } => format!("absent {who}: {}", cause.code),
            floor::Event::RoundClosed { round, answered, lapsed, .. } => {
                format!("round {round} closed: {answered} answered, {lapsed} lapsed")
            }
        },
        Event::Gate(event) => match event {
            gate::Event::Admitted(said) => {
                let who = &said.who;
                match &said.kind {
                    ContributionKind::Statement => (),
                    ContributionKind::Answer | ContributionKind::Estimate => {
                        let given = said.response.position.as_deref().unwrap_or("nothing readable");
                        return Some(format!("{who} gave the {}: {given}", said.kind.word()));
                    }
                    ContributionKind::Opinion | ContributionKind::Question | ContributionKind::Synthesis => {
                        let before = if said.repeats { ", said before" } else { "" };
                        return Some(format!("{who} said {}{before}", said.kind.word()));
                    }
                    ContributionKind::Proposal { number, title } => {
                        return Some(format!("{who} proposed {number}: {title}"));
                    }
                    ContributionKind::Amendment { version, .. } => {
                        return Some(format!("{who} would change version {version}"));
                    }
                    ContributionKind::Reaction(reaction) => {
                        return Some(format!("{who} reacted {}", reaction.word()));
                    }
                    ContributionKind::Comment(_) => return Some(format!("{who} commented")),
                }
                let stance = said.response.stance.map_or("no stance".into(), |stance| stance.to_string());
                let marks: Vec<_> = said.violations.iter().map(|mark| mark.code.as_str()).collect();
                let marks =
                    if marks.is_empty() { String::new() } else { format!(", marked {}", marks.join(" ")) };
                format!("admitted {} {stance}{marks}", said.who)
            }
            gate::Event::Held { .. } | gate::Event::Posted { .. } | gate::Event::Refused { .. } => {
                return crate::workshop::line(&Event::Gate(event.clone()));
            }
            gate::Event::Rejected { breaches, .. } => {
                format!("rejected {}", breaches.iter().map(gate::Breach::code).collect::<Vec<_>>().join(" "))
            }
        },
        Event::Ballot(event) => match event {
            ballot::Event::Opened { rule, .. } => format!("ballot opened: {} of {}", rule.pass, rule.basis),
            ballot::Event::Asked { who, attempt, .. } => match attempt {
                1 => format!("asked {who} to vote"),
                again => format!("asked {who} to vote, attempt {again}"),
            },
            ballot::Event::Cast { vote, .. } => {
                let changed = vote.changed_from.map(|from| format!(", was {from}")).unwrap_or_default();
                let word =
                    if vote.choice == Choice::Neutral { "ABSTAIN".into() } else { vote.choice.to_string() };
                let word = vote.marks.as_ref().map_or(word, ToString::to_string);
                let along = if vote.conformity { ", conformity" } else { "" };
                format!("cast {} {word}{changed}{along}", vote.who)
            }
            ballot::Event::Stated { vote, .. } => format!("stated {} {}", vote.who, vote.choice),
            ballot::Event::Graded { vote, .. } => {
                let changed = vote.changed_from.map(|from| format!(", was {from}")).unwrap_or_default();
                format!("{} graded {}{changed}", vote.who, vote.grade)
            }
            ballot::Event::Counted { standings, tied, .. } => {
                let one =
                    |standing: &ballot::GradeCount| format!("{:?} {:?}", standing.grades, standing.decision);
                let lines: Vec<String> = standings.iter().map(one).collect();
                let tied = if tied.is_empty() { String::new() } else { format!(", {} tied", tied.len()) };
                format!("counted {}{tied}", lines.join("; "))
            }
            ballot::Event::Delegated { delegation, .. } => {
                format!("{} passes its vote to {}", delegation.who, delegation.to)
            }
            ballot::Event::Unparsed { again, .. } => format!("unparsed, asked again: {again}"),
            ballot::Event::Closed { tally, decision, settles, count, .. } => {
                let mut line = format!(
                    "ballot closed: yes {} no {} abstain {} options {:?} unparsed {} missing {}: {decision:?}, settles {settles}",
                    tally.yes, tally.no, tally.neutral, tally.options, tally.unparsed, tally.missing
                );
                if let Some(count) = count {
                    let _ = write!(line, "\n  counted {}", serde_json::to_string(count).unwrap());
                }
                line
            }
        },
        Event::Meter(event) => match event {
            meter::Event::Limited { .. } | meter::Event::Spent { .. } => return None,
            meter::Event::Reserved { worst, .. } => {
                format!("reserved {}", worst.cost.map_or("price unknown".into(), |cost| cost.to_string()))
            }
        },
        Event::Ask(event) => match event {
            ask::Event::Opened { who, task: Task::Clerk(chore), .. } => format!("asked {who} for {chore:?}"),
            ask::Event::Opened { who, task, until, .. } => {
                format!("asked {who} to {task:?} until {}", after(*until))
            }
            ask::Event::Sent { task: WorldTask::Read { file, .. }, until, .. } => {
                format!("the world is asked to read {file} until {}", after(*until))
            }
            ask::Event::Sent { task: WorldTask::Check { files, .. }, until, .. } => {
                format!("the world is asked to check {} until {}", files.len(), after(*until))
            }
            ask::Event::Met { .. } => return None,
            ask::Event::Begun { until, .. } => format!("begun until {}", after(*until)),
            ask::Event::Lapsed { cause, .. } => format!("lapsed: {} ({})", cause.code, cause.detail),
            ask::Event::Renewed { until, .. } => format!("renewed until {}", after(*until)),
        },
        Event::Table(event) => match event {
            table::Event::PhaseEntered { phase, .. } => format!("stage {}", phase.word().to_lowercase()),
            table::Event::Ruled { accepted, .. } => format!("change accepted: {accepted}"),
        },
        Event::Context(event) => match event {
            context::Event::Given { material, .. } => format!("given {}", material.name),
            context::Event::Focused { round, focus, .. } => format!("round {round} turns to: {focus}"),
            context::Event::Requested { who, required, request, .. } => {
                let kind = if *required { "needs" } else { "would like" };
                format!("{who} {kind}: {}", request.query)
            }
            context::Event::Refused { who, wrong, .. } => {
                format!("request of {who} refused {}: {}", wrong.code(), wrong.words())
            }
            context::Event::Answered { text, .. } => format!("answered: {text}"),
            context::Event::Waived { .. } => "waived".into(),
            context::Event::Read { path, excerpt, .. } => format!("read {path}, {}", excerpt.lines()),
            context::Event::Unread { why, .. } => format!("not read: {}", why.code()),
            context::Event::Perspectives { perspectives, .. } => {
                let names: Vec<_> = perspectives.iter().map(|field| field.name.as_str()).collect();
                format!("perspectives {}", names.join(", "))
            }
            context::Event::Digested { round, sides, .. } => {
                format!("digested up to round {round}: {sides:?}")
            }
            context::Event::Compared { groups, .. } => format!("compared: {groups:?}"),
            context::Event::Listed { answers, left_out, .. } => {
                let row = |answer: &context::AnswerOption| {
                    let by: Vec<&str> = answer.proposers.iter().map(|who| who.as_str()).collect();
                    format!("{} ({})", answer.text, by.join(" "))
                };
                let rows: Vec<String> = answers.iter().map(row).collect();
                format!("listed {}, {} left out", rows.join(" | "), left_out.len())
            }
            context::Event::Synthesised { synthesis, .. } => {
                format!("synthesised: {}", synthesis.summary.as_deref().unwrap_or("nothing"))
            }
        },
        Event::Watch(event) => match event {
            watch::Event::Analysed { round, analysis, .. } => {
                let agreement =
                    analysis.agreement.map_or("unknown".into(), |it| format!("{}/{}", it.part, it.whole));
                let ordered = if analysis.ordered.is_empty() {
                    String::new()
                } else {
                    format!(", {} ordered", analysis.ordered.len())
                };
                let signs = if analysis.groupthink.is_empty() {
                    String::new()
                } else {
                    format!(", {} signs", analysis.groupthink.len())
                };
                format!("round {round} analysed: agreement {agreement}{ordered}{signs}")
            }
            watch::Event::Judged { round, opinion, repairs, .. } => {
                let agreement = opinion.agreement.map_or("unknown".into(), |it| it.to_string());
                let codes: Vec<&str> = repairs.iter().map(|repair| repair.code.as_str()).collect();
                let mended =
                    if codes.is_empty() { String::new() } else { format!(", mended {}", codes.join(" ")) };
                format!("round {round} judged: agreement {agreement}{mended}")
            }
            watch::Event::Left { why, .. } => format!("left: {}", why.words()),
        },
        Event::Monitor(event) => return crate::calls::seeing(event),
        Event::Trigger(event) => crate::calls::calling(event, after),
        Event::Track(event) => crate::track::told(event),
        Event::Issue(_) | Event::Dissent(_) | Event::Period(_) => return crate::workshop::line(event),
        Event::Evidence(_) | Event::Ledger(_) => return None,
        Event::Canon(_) | Event::Lease(_) => return crate::workshop::line(event),
        Event::Rejections(rejections::Event::Rejected(turned)) => format!("turned away: {}", turned.code),
    })
}
