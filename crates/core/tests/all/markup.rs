//! Whose words a line holds, as CommonMark reads blocks.

use synod_core::kernel::markup::{LineOwner, own_lines, own_passages, own_words, owned_lines};

/// One letter for each line: the author's, quoted, code.
fn owners(text: &str) -> String {
    let letter = |owner| match owner {
        LineOwner::Author => 'a',
        LineOwner::Quoted => 'q',
        LineOwner::Code => 'c',
    };
    owned_lines(text).map(|line| letter(line.owner)).collect()
}

#[test]
fn fences_and_quotes_are_found_inside_of_lists() {
    for (text, expected) in [
        ("1. ```sh\n   make\n   ```\nprose\n", "ccca"),
        ("- ```\n  code\n  ```\n\nprose", "cccaa"),
        ("* item\n  ```\n  code\n  ```\n* item", "accca"),
        ("- a\n  - b\n    ~~~\n    code\n    ~~~\n- c", "aaccca"),
        ("1) ```\n   code\n```\nprose", "ccca"),
        ("- ```\n  code\nprose ends the item", "cca"),
        ("- > quoted\n- own", "qa"),
        ("1. > quoted\n   > more\n2. own", "qqa"),
        ("> - quoted\n> - more\nown", "qqa"),
        ("> ```\n> code\n> ```\nown\n\nown", "qqqaaa"),
        ("> ```\n> code\nown", "qqa"),
        ("  > quoted\n>> twice\nown", "qqa"),
        ("text > not quoted", "a"),
        ("-> an arrow\n-5 degrees\n1.5 m", "aaa"),
    ] {
        assert_eq!(owners(text), expected, "{text}");
    }
}

#[test]
fn fences_close_as_they_open() {
    for (text, expected) in [
        ("```\ncode\n```\nown", "ccca"),
        ("````\n```\ncode\n```\n````\nown", "ccccca"),
        ("~~~ text\n```\ncode\n~~~\nown", "cccca"),
        ("```\nopen to the end\n\nstill", "cccc"),
        ("``` a span ``` in a line\nown", "aa"),
        ("```rust\ncode\n``` behind\nstill code\n```\nown", "ccccca"),
    ] {
        assert_eq!(owners(text), expected, "{text}");
    }
}

#[test]
fn indented_code_and_html_blocks_are_code() {
    for (text, expected) in [
        ("Output:\n\n    code\n\n    code\nown", "aacaca"),
        ("Output:\n\n\tcode\nown", "aaca"),
        ("A paragraph\n    that goes on", "aa"),
        ("- item\n\n  its second paragraph\n\n      code\n\nown", "aaaacaa"),
        ("- item\n\n    a paragraph of the item", "aaa"),
        ("    all of it\n    is indented\n\n    by somebody's editor", "aaaa"),
        ("<pre>\ncode\n\ncode\n</pre>\nown", "ccccca"),
        ("<PRE class=x>code</PRE>\nown", "ca"),
        ("<!-- hidden\nhidden -->\nown", "cca"),
        ("<preview>\nown", "aa"),
        ("<b>own</b>", "a"),
    ] {
        assert_eq!(owners(text), expected, "{text}");
    }
}

#[test]
fn what_goes_on_below_a_quote_is_known() {
    let trails = |text| owned_lines(text).map(|line| line.trails_quote).collect::<Vec<_>>();
    assert_eq!(trails("> quoted\nlazy\nlazy\n\nown"), [false, true, true, false, false]);
    assert_eq!(trails("> quoted\n- item"), [false, false]);
    assert_eq!(trails("> quoted\n>\nown"), [false, false, false]);
    assert_eq!(trails("> # heading\nown"), [false, false]);
    assert_eq!(own_lines("> quoted\nlazy").collect::<Vec<_>>(), ["lazy"]);
}

#[test]
fn passages_end_where_something_was_left_out() {
    let trimmed = |text: &str| -> Vec<String> {
        own_passages(text).iter().map(|passage| passage.trim().to_string()).collect()
    };
    assert_eq!(trimmed("one\ntwo `code` three\n\nfour"), ["one two", "three", "four"]);
    assert_eq!(trimmed("one\n> quoted\ntwo\n- three\n- four"), ["one", "two", "- three", "- four"]);
    assert_eq!(trimmed("one\n```\ncode\n```\ntwo"), ["one", "two"]);
    assert_eq!(own_words("one `code` two\n> no\nthree ` four"), "one   two\nthree ` four\n");
}
