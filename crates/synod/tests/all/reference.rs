//! The reference pages are what the code says.

use std::path::Path;

use crate::world::Place;

#[test]
fn the_committed_pages_are_those_the_binary_writes() {
    let place = Place::new();
    let run = place.run(["reference", "pages"]);
    assert_eq!(run.code, 0, "{run}");
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference");
    for page in ["commands.md", "charters.md", "refusals.md", "openapi.json"] {
        let written =
            std::fs::read_to_string(place.dir().join("pages").join(page)).expect("the page is written");
        let kept = std::fs::read_to_string(committed.join(page)).unwrap_or_default();
        assert!(
            written == kept,
            "{page} is out of date: run `cargo run -p synod -- reference docs/reference`"
        );
    }
}
