//! How much may be said in a thread, and how early it may be resolved.

use super::{CommentLimits, OfferedComment, ThreadFacts};
use crate::gate::Breach;
use crate::kernel::CommentKind;

/// The author has used up what they may write of this kind.
pub(super) fn exceeded(
    limits: &CommentLimits,
    offered: &OfferedComment<'_>,
    thread: &ThreadFacts<'_>,
) -> Option<Breach> {
    let most = match offered.kind {
        CommentKind::Comment => limits.comments_each,
        CommentKind::Question | CommentKind::Acknowledgement => limits.short_each,
    };
    let used = thread.own;
    (offered.uses_budget && used >= most).then_some(Breach::CommentBudgetExceeded {
        kind: offered.kind,
        most,
        used,
    })
}

/// The issue has as many comments as it may have.
pub(super) fn full(
    limits: &CommentLimits,
    offered: &OfferedComment<'_>,
    thread: &ThreadFacts<'_>,
) -> Option<Breach> {
    let (most, used) = (limits.comments_total, thread.counted);
    (offered.uses_budget && used >= most).then_some(Breach::IssueCommentLimit { most, used })
}

/// The comment would resolve the issue before enough was said. It counts itself, and acknowledgements count as nothing. Where a
/// charter wants any comment before, one of them is by somebody else.
pub(super) fn premature(
    limits: &CommentLimits,
    offered: &OfferedComment<'_>,
    thread: &ThreadFacts<'_>,
) -> Option<Breach> {
    let (turn, least) = (thread.said + 1, limits.resolution_from);
    let alone = least > 1 && turn >= least && thread.others == 0;
    (offered.resolves && (turn < least || alone)).then_some(Breach::PrematureResolution {
        alone,
        least,
        turn,
    })
}
