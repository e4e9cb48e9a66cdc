//! What words mean: stances and reasons.

use synod_core::kernel::Reading;
use synod_core::kernel::prose::{Stance, stance};
use synod_core::regulation::Regulation;
use synod_core::trigger::agent;

#[test]
fn stances_of_prose() {
    use Stance::{Against, For, Neutral};
    for (text, expected) in [
        ("I disagree", Against),
        ("I disagree.", Against),
        ("We should not merge this", Against),
        ("we shouldn’t do that", Against),
        ("should not", Against),
        ("I know nothing", Neutral),
        ("I know nothing about it.", Neutral),
        ("I agree", For),
        ("We should merge this", For),
        ("I do not agree", Against),
        ("I don't think we should do it", Against),
        ("I do not disagree", For),
        ("No objections", For),
        ("I object to the new schema", Against),
        ("The object store is full", Neutral),
        ("Should we merge this?", Neutral),
        ("I am not sure we should", Neutral),
        ("No, we should keep it", Against),
        ("Yes, go", For),
        ("I like the goal, but we should not merge it", Against),
        ("I had doubts and disagreed, but now I support it", For),
        ("Do not merge this", Against),
        ("Never deploy on Friday", Against),
        ("Not only should we merge, we should ship", For),
        ("That's a bad idea", Against),
        ("Not a bad idea", For),
        ("Wir sollten das nicht tun", Against),
        ("Wir sollten das tun", For),
        ("Ich stimme dem nicht zu", Against),
        ("Ich stimme zu", For),
        ("Ich bin dagegen", Against),
        ("Ich lehne das ab", Against),
        ("Ich weiß nichts darüber", Neutral),
        ("我不同意", Against),
        ("我同意", For),
        ("The build took five minutes", Neutral),
        ("", Neutral),
    ] {
        assert_eq!(stance(text, Reading::Close), expected, "{text}");
    }
}

#[test]
fn reasons_in_words() {
    let rules = Regulation::shipped().trigger.agent;
    for (said, expected) in [
        ("Conflicting design patterns detected", Some("conflicting_designs")),
        ("conflicting_designs", Some("conflicting_designs")),
        ("Conflicting Designs", Some("conflicting_designs")),
        ("I see a security risk in the login", Some("security_concern")),
        ("There is no security risk", None),
        ("This would not be a breaking change", None),
        ("there are several valid approaches and multiple solutions", Some("multiple_solutions")),
        ("The requirements are unclear", Some("unclear_requirements")),
        ("need help", None),
        ("I need help with this", None),
        ("", None),
    ] {
        assert_eq!(agent::listed(&rules, said, Reading::Close), expected, "{said}");
    }
}
