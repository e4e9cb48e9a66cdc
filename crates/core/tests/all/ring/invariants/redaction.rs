//! A redacted ring leaves no word behind, in the record or in the house, and folds from what is left to the same.

use super::super::sessions::{IN_VOTES, WORD, folded};
use crate::world::World;

pub(in crate::ring) fn leaves_no_word(world: &mut World, seed: u64) {
    let matter = world.matter();
    let decided = world.house.case(matter).unwrap().status();
    world.redact(matter);
    let of_matter: Vec<_> = world.acts.iter().filter(|act| act.seq >= matter.0.act).collect();
    let record = serde_json::to_string(&of_matter).unwrap();
    let house = format!("{:?}", world.house.case(matter).unwrap());
    for word in [WORD, IN_VOTES] {
        assert!(!record.contains(word), "seed {seed}: `{word}` is left in the record");
        assert!(!house.contains(word), "seed {seed}: `{word}` is left in the house");
    }
    assert!(folded(&world.acts) == world.house, "seed {seed}: the redacted record folds otherwise");
    assert_eq!(world.house.case(matter).unwrap().status(), decided, "seed {seed}: the decision stands");
}
