//! How people write references, as an option and in a text.

use proptest::prelude::*;
use synod_core::evidence::{
    CanonReference, FileReference, LineRange, MalformedReference, Reference, references_in,
};

fn file(path: &str, lines: Option<(i64, Option<i64>)>, quote: Option<&str>) -> Reference {
    let lines = lines.map(|(start, end)| LineRange { end, start });
    Reference::File(FileReference { lines, path: path.into(), quote: quote.map(str::to_string) })
}

fn canon(entry: &str, version: Option<u32>) -> Reference {
    Reference::Canon(CanonReference { entry: entry.into(), version })
}

#[test]
fn an_option_is_one_reference() {
    for (written, reference) in [
        ("src/api.rs", file("src/api.rs", None, None)),
        ("src/api.rs:10", file("src/api.rs", Some((10, None)), None)),
        ("src/api.rs:10-14", file("src/api.rs", Some((10, Some(14))), None)),
        ("src/api.rs:10–14", file("src/api.rs", Some((10, Some(14))), None)),
        ("src/api.rs:L10-L14", file("src/api.rs", Some((10, Some(14))), None)),
        ("src/api.rs#L10-L14", file("src/api.rs", Some((10, Some(14))), None)),
        ("src/api.rs:10:5", file("src/api.rs", Some((10, None)), None)),
        ("`src/api.rs:10`", file("src/api.rs", Some((10, None)), None)),
        (" src/api.rs:10-14 \"let x = 1;\" ", file("src/api.rs", Some((10, Some(14))), Some("let x = 1;"))),
        (r#"a.rs "say \"hi\" \\ now""#, file("a.rs", None, Some(r#"say "hi" \ now"#))),
        ("notes.md „Größe zählt“", file("notes.md", None, Some("Größe zählt"))),
        ("notes.md «c’est ça»", file("notes.md", None, Some("c’est ça"))),
        ("my notes.md:3 “curly”", file("my notes.md", Some((3, None)), Some("curly"))),
        ("Makefile:3", file("Makefile", Some((3, None)), None)),
        ("a.md:2 \"two\nlines\"", file("a.md", Some((2, None)), Some("two\nlines"))),
        ("#34", Reference::Issue(34)),
        ("#123456", Reference::Issue(123_456)),
        ("TCP/IP:80", file("TCP/IP", Some((80, None)), None)),
        (" #1 ", Reference::Issue(1)),
        ("canon:eyes", canon("eyes", None)),
        ("canon:eyes@2", canon("eyes", Some(2))),
        ("Canon:reactor/failure@10", canon("reactor/failure", Some(10))),
    ] {
        assert_eq!(Reference::parse(written), Ok(reference), "{written}");
    }
}

#[test]
fn what_is_wrong_is_said() {
    let code = |written: &str| match Reference::parse(written) {
        Err(MalformedReference::Empty) => "empty",
        Err(MalformedReference::Issue { .. }) => "issue",
        Err(MalformedReference::Canon { .. }) => "canon",
        Err(MalformedReference::Path { .. }) => "path",
        Err(MalformedReference::Lines { .. }) => "lines",
        Err(MalformedReference::Word { .. }) => "word",
        Err(MalformedReference::Quote) => "quote",
        Ok(reference) => panic!("{written} was read as {reference:?}"),
    };
    for (written, wrong) in [
        ("garbage", "word"),
        ("none", "word"),
        ("", "empty"),
        ("  ", "empty"),
        ("#", "issue"),
        ("#x", "issue"),
        ("#-3", "issue"),
        ("#99999999999999999999", "issue"),
        ("canon:", "canon"),
        ("canon:eyes@", "canon"),
        ("canon:eyes@0", "canon"),
        ("canon:eyes@two", "canon"),
        ("canon:two words", "canon"),
        ("a.rs:0", "lines"),
        ("a.rs:14-10", "lines"),
        ("a.rs:-3", "lines"),
        ("a.rs:10-", "lines"),
        ("a.rs:99999999999", "lines"),
        ("a.rs:10 \"open", "quote"),
        ("a.rs:10 \"closed\" and more", "quote"),
        ("../a.rs:10", "path"),
        ("/etc/passwd", "path"),
        ("C:\\a.rs", "path"),
        ("%2e%2e/a.rs", "path"),
        ("a.rs:", "path"),
        ("https://example.org/a.rs", "path"),
    ] {
        assert_eq!(code(written), wrong, "{written}");
        assert!(!Reference::parse(written).unwrap_err().to_string().is_empty());
    }
}

#[test]
fn references_are_found_in_a_comment() {
    let text = "I support this direction. Looking at `chapter-3/scene-2.txt` (lines 45-67), the pacing\n\
        already establishes tension: src/engine.rs:10-14 \"fn run(\n    &self)\" says so.\n\n\
        > Somebody else cited old.rs:1 and #7.\n\
        ```\nlet x = \"code.rs:3\"; // #8\n```\n\
        We should update Issue #34 (see canon:eyes@2, and #35).\n\
        **Evidence:** `chapter-3/scene-4.txt:1`, docs/plan.md, Issue #34\n";
    assert_eq!(
        references_in(text),
        [
            file("chapter-3/scene-2.txt", Some((45, Some(67))), None),
            file("src/engine.rs", Some((10, Some(14))), Some("fn run(\n    &self)")),
            Reference::Issue(34),
            canon("eyes", Some(2)),
            Reference::Issue(35),
            file("chapter-3/scene-4.txt", Some((1, None)), None),
            file("docs/plan.md", None, None),
        ]
    );
}

#[test]
fn ordinary_prose_cites_nothing() {
    for text in [
        "At 10:30 we met, see John 3:16 and ratio 3:1.",
        "The server is at localhost:8080, 127.0.0.1:80 and example.com:443.",
        "See https://example.org/a.rs:10 \"for more\".",
        "I read src/api.rs yesterday. \"Not bad\" was all I said.",
        "e.g. \"this\" and i.e. \"that\", and/or \"both\"",
        "The colour is #34a1ff, the tag #urgent, the heading # 12, and &#34; is a mark.",
        "We change main.rs and lib.rs.",
        "canonical: nothing; canon: neither",
        "v1.2:3 and 3.14:2",
        "> quoted src/a.rs:1",
        "Node.js \"is a good choice\" here, and Next.js:14 too; next.js:15 is out.",
        "As example.com \"says plainly\" and ASP.NET \"does as well\".",
        "plan.md \"so be\" it",
        "Merged in PR #12, pull request #13, MR #14 and PRs: #15; the colour #000, case #0.",
        "````\n```\nsrc/a.rs:1\n```\nsrc/b.rs:1\n````",
        "~~~ text\n```\nsrc/a.rs:1\n~~~",
        "~~~\nsrc/a.rs:1\n~~~",
        "- ```\n  src/a.rs:1 and #2\n  ```",
        "- > src/a.rs:1 and #2",
        "Output:\n\n    src/a.rs:1\n",
        "TCP/IP:80 is open, and and/or:2 is not.",
        "At km/h:30 or km/h:30-50 it is slow, w/o:3 it is not.",
        "See github.com/a/b/plan.md:3 and github.com/a/b/plan.md:3 \"the words of a page\".",
        "See www.example.museum/a/b.md:3, bob@example.museum/a.md:3 and localhost/a.md:3.",
        "The background is #123456, the text #000000 and the mark #1234567.",
        "Evidence: the colour #123456",
        "",
    ] {
        assert_eq!(references_in(text), [], "{text}");
    }
}

#[test]
fn forms_that_people_use_in_a_text() {
    for (text, reference) in [
        ("(src/api.rs:10)", file("src/api.rs", Some((10, None)), None)),
        ("see src/api.rs:10.", file("src/api.rs", Some((10, None)), None)),
        (
            "In src/a.rs:3 steht „ganz andere Worte“.",
            file("src/a.rs", Some((3, None)), Some("ganz andere Worte")),
        ),
        ("src/a.rs line 12 says \"no retry\"", file("src/a.rs", Some((12, None)), Some("no retry"))),
        ("src/a.rs clearly states that «all is lost»", file("src/a.rs", None, Some("all is lost"))),
        ("src/a.rs:3 and \"other words\" too", file("src/a.rs", Some((3, None)), None)),
        ("src/a.rs:99999999999", file("src/a.rs", Some((99_999_999_999, None)), None)),
        ("src/a.rs:99999999999999999999", file("src/a.rs", Some((i64::MAX, None)), None)),
        ("src/api.rs:10: here it is", file("src/api.rs", Some((10, None)), None)),
        ("`src/api.rs`:10-12", file("src/api.rs", Some((10, Some(12))), None)),
        ("api.rs \"let it be\"", file("api.rs", None, Some("let it be"))),
        ("api.rs: \"let it be\"", file("api.rs", None, Some("let it be"))),
        ("`my notes.txt:4` says", file("my notes.txt", Some((4, None)), None)),
        ("plan.md, line 12", file("plan.md", Some((12, None)), None)),
        ("plan.md (Zeilen 3–5)", file("plan.md", Some((3, Some(5))), None)),
        ("**#12**", Reference::Issue(12)),
        ("#12.", Reference::Issue(12)),
        ("canon:eyes.", canon("eyes", None)),
        ("\"canon:eyes@3\"", canon("eyes", Some(3))),
        ("src/Makefile:3", file("src/Makefile", Some((3, None)), None)),
        ("./run/it:3", file("./run/it", Some((3, None)), None)),
        ("bin/run:3 \"the words of it\"", file("bin/run", Some((3, None)), Some("the words of it"))),
        ("Evidence: bin/run:3", file("bin/run", Some((3, None)), None)),
        ("- ```\n  x\n  ```\n\nSee #2.", Reference::Issue(2)),
        ("1. ```sh\n   x\n   ```\n2. See src/a.rs:1", file("src/a.rs", Some((1, None)), None)),
        ("#99999", Reference::Issue(99_999)),
        // False claims are claims: they are found false later, not overlooked.
        ("../../etc/passwd:1", file("../../etc/passwd", Some((1, None)), None)),
        ("/etc/passwd:1", file("/etc/passwd", Some((1, None)), None)),
        ("src/a.rs:0", file("src/a.rs", Some((0, None)), None)),
        ("src/a.rs:9-3", file("src/a.rs", Some((9, Some(3))), None)),
    ] {
        assert_eq!(references_in(text), [reference], "{text}");
    }
}

#[test]
fn the_same_citation_in_another_spelling_is_the_same() {
    let same = |a: &str, b: &str| {
        Reference::parse(a).unwrap().normal_form() == Reference::parse(b).unwrap().normal_form()
    };
    assert!(same("src/api.rs:10", "./src/./api.rs:10-10"));
    assert!(same("a.rs:1 \"Let  it\nbe\"", "a.rs:1 “let it BE”"));
    assert!(same("canon:Eyes@2", "canon:eyes@2"));
    assert!(same("#7", "#07"));
    assert!(!same("a.rs:1", "a.rs:2") && !same("a.rs", "a.rs:1") && !same("a.rs \"x\"", "a.rs \"y\""));
    assert!(!same("a.rs", "A.rs"), "names of files differ by case");
    assert!(!same("canon:eyes", "canon:eyes@2"));
    let twice = references_in("src/a.rs:3 and again `src/a.rs:3-3` and #4, #4");
    assert_eq!(twice, [file("src/a.rs", Some((3, None)), None), Reference::Issue(4)]);
}

#[test]
fn references_survive_the_journal() {
    for written in ["src/api.rs:10-14 \"q\"", "src/api.rs", "#34", "canon:eyes@2", "canon:eyes"] {
        let reference = Reference::parse(written).unwrap();
        let kept = serde_json::to_string(&reference).unwrap();
        assert_eq!(serde_json::from_str::<Reference>(&kept).unwrap(), reference, "{kept}");
    }
    let given = r#"{"file":{"path":"../x","lines":{"start":-4},"quote":"q"}}"#;
    let reference: Reference = serde_json::from_str(given).unwrap();
    assert_eq!(reference, file("../x", Some((-4, None)), Some("q")), "what is claimed can be wrong");
}

proptest! {
    /// Whatever is shown is read back as the same.
    #[test]
    fn shown_references_are_read_back(
        path in "[a-z]{1,6}(/[a-z ]{0,3}[a-z.]{1,4}[a-z])?",
        lines in prop::option::of((1i64..2000, prop::option::of(0i64..50))),
        quote in prop::option::of("[ -~äж“]{0,20}[a-z]"),
    ) {
        prop_assume!(!path.contains("..") && !path.contains("/ ") );
        prop_assume!(path.contains(['/', '.']) || lines.is_some() || quote.is_some());
        let lines = lines.map(|(start, more)| LineRange { end: more.map(|more| start + more).filter(|end| *end != start), start });
        let reference = Reference::File(FileReference { lines, path, quote });
        let shown = reference.to_string();
        prop_assert_eq!(Reference::parse(&shown), Ok(reference), "{}", shown);
    }

    /// No text makes the reader panic, and what it finds is found again in the same text.
    #[test]
    fn any_text_can_be_read(text in "[a-z./:0-9\"“”„«»`#@() \\n\\-L>~äж\\\\]{0,120}", any in "\\PC{0,80}") {
        for text in [&text, &any] {
            let found = references_in(text);
            prop_assert_eq!(&references_in(text), &found);
            for reference in found {
                prop_assert!(!reference.normal_form().is_empty());
            }
            let _ = Reference::parse(text);
        }
    }
}
