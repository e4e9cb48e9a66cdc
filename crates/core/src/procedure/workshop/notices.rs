//! What somebody is told of issues, and whether it still needs them. Everything that shows notices asks this: the list of them, the
//! report, and what an agent reads when its session starts.

use super::challenge::BLIND_READERS;
use crate::house::{House, Reader};
use crate::issue::{IssueNotice, IssueStatus, NoticeKind, NoticeTo};
use crate::kernel::At;
use crate::roster::WorkRole;

/// Whether a reader is told what moderators are told, and with it how the workshop is doing.
pub fn is_told_what_moderators_are(house: &House, reader: Reader<'_>) -> bool {
    is_told_as(house, reader, NoticeTo::Moderator)
}

/// Whether a reader is told of this. A freeze needs whoever may end it, so moderators are told of it as the user is.
pub fn is_told(house: &House, reader: Reader<'_>, notice: &IssueNotice) -> bool {
    let to = match notice.what {
        NoticeKind::Frozen { .. } => NoticeTo::Moderator,
        _ => notice.to, // to whom it was said
    };
    is_told_as(house, reader, to)
}

fn is_told_as(house: &House, reader: Reader<'_>, to: NoticeTo) -> bool {
    match reader {
        Reader::Operator => true,
        Reader::Participant(who) => match house.roster().appointment(who).role {
            Some(WorkRole::Lead) => true,
            Some(WorkRole::Moderator) => to == NoticeTo::Moderator,
            Some(WorkRole::Assistant | WorkRole::Critic | WorkRole::Continuity | WorkRole::Writer) | None => {
                false
            }
        },
        Reader::Public | Reader::Channel | Reader::Speaker { .. } | Reader::Watcher(_) => false,
    }
}

/// Whether it still needs somebody at a moment: a notice of what is settled, or was seen to since, is history.
pub fn still_needs_somebody(house: &House, notice: &IssueNotice, at: At) -> bool {
    house.docket().row(notice.matter).is_some_and(|row| match &notice.what {
        // An earlier freeze is over, also where the issue was frozen again.
        NoticeKind::Frozen { .. } => {
            let rests = row.stands(at) == IssueStatus::Frozen;
            rests && row.frozen.is_some_and(|since| notice.at >= since)
        }
        NoticeKind::Escalated | NoticeKind::NoDevilsAdvocate | NoticeKind::Leech => !row.status.is_over(),
        NoticeKind::NoBlindReader => !row.status.is_over() && !missing_readers(house).is_empty(),
        NoticeKind::CanonConflict => {
            let canon = house.canon();
            canon.found().any(|found| found.matter == notice.matter && canon.is_open(found, at))
        }
        NoticeKind::AgentWatched { .. } | NoticeKind::AgentFlagged { .. } => true,
    })
}

/// The roles that read a large change blind and that nobody has.
pub fn missing_readers(house: &House) -> Vec<WorkRole> {
    let held = |role: &WorkRole| house.roster().active().any(|(_, held)| held.role == Some(*role));
    BLIND_READERS.into_iter().filter(|role| !held(role)).collect()
}

/// What a large change lacks, in words: `a critic and a continuity reviewer`.
pub fn readers_in_words(roles: &[WorkRole]) -> String {
    let one = |role: &WorkRole| match role {
        WorkRole::Continuity => "a continuity reviewer".to_string(),
        other => format!("a {}", other.word()),
    };
    roles.iter().map(one).collect::<Vec<_>>().join(" and ")
}
