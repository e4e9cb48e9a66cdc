//! Pieces that a matter can be given: each short enough, and not too many. A long text becomes several parts; many small
//! texts are put together, each under a line with its name.

use synod_core::context::{MATERIAL_MOST, MATERIALS_MOST, Material};

use super::NamedText;

/// One place is left for the list of files that seats can ask for.
const PIECES_MOST: usize = MATERIALS_MOST - 1;
/// A piece is cut at the end of a line, unless that wastes more than this.
const WASTE_MOST: usize = 4000;

/// Makes the pieces.
pub(super) fn pack(texts: Vec<NamedText>) -> Vec<Material> {
    let parts: usize = texts.iter().map(|text| cut(&text.text).len()).sum();
    if parts > PIECES_MOST {
        return together(&texts);
    }
    let mut pieces = Vec::new();
    for NamedText { name, text } in texts {
        let parts = cut(&text);
        let of = parts.len();
        for (nth, part) in parts.into_iter().enumerate() {
            let name = if of > 1 { format!("{name} (part {} of {of})", nth + 1) } else { name.clone() };
            pieces.push(Material { name, text: part });
        }
    }
    pieces
}

/// All texts one after another, cut into pieces.
fn together(texts: &[NamedText]) -> Vec<Material> {
    let all: String = texts
        .iter()
        .map(|NamedText { name, text }| format!("===== {name} =====\n{}\n\n", text.trim_end()))
        .collect();
    let parts = cut(&all);
    let of = parts.len();
    let name = |nth: usize| format!("{} files (part {} of {of})", texts.len(), nth + 1);
    parts.into_iter().enumerate().map(|(nth, text)| Material { name: name(nth), text }).collect()
}

/// Cuts a text into parts that fit.
fn cut(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.trim_end().chars().collect();
    let (mut parts, mut from) = (Vec::new(), 0);
    while from < chars.len() {
        let most = (from + MATERIAL_MOST).min(chars.len());
        let line = chars[from..most].iter().rposition(|c| *c == '\n').map(|at| from + at + 1);
        let to = match line {
            Some(line) if most < chars.len() && most - line <= WASTE_MOST && line > from => line,
            Some(_) | None => most,
        };
        let part: String = chars[from..to].iter().collect();
        // A part of nothing but blanks is no piece.
        if !part.trim().is_empty() {
            parts.push(part);
        }
        from = to;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(name: &str, text: String) -> NamedText {
        NamedText { name: name.into(), text }
    }

    #[test]
    fn a_long_text_becomes_parts_at_the_ends_of_lines() {
        let long: String = (0..4000).map(|nth| format!("line {nth}\n")).collect();
        let pieces = pack(vec![text("diff", long.clone()), text("note", "short".into())]);
        assert_eq!(pieces[0].name, "diff (part 1 of 3)");
        assert_eq!(pieces.last().map(|piece| piece.name.as_str()), Some("note"));
        let whole: String = pieces[..3].iter().map(|piece| piece.text.as_str()).collect();
        assert_eq!(whole, long.trim_end(), "nothing is lost");
        assert!(pieces[0].text.ends_with('\n') && synod_core::context::fit(&pieces, 0).is_ok());
    }

    #[test]
    fn many_small_texts_are_put_together_and_everything_allowed_fits() {
        let small = (0..300).map(|nth| text(&format!("src/{nth}.rs"), format!("fn f{nth}() {{}}"))).collect();
        let pieces = pack(small);
        assert!(pieces.len() == 1 && pieces[0].text.contains("===== src/299.rs =====\nfn f299() {}"));
        // Lines of any length, at the most that is allowed.
        for line in [10, 3000, 9000, 50_000] {
            let one = format!("{}\n", "x".repeat(line)).repeat(5000_usize.div_ceil(line));
            let count = 199_000 / (one.len() + 20);
            let texts = (0..count).map(|nth| text(&nth.to_string(), one.clone())).collect::<Vec<_>>();
            let pieces = pack(texts);
            assert!(synod_core::context::fit(&pieces, 1).is_ok(), "{line}: {}", pieces.len());
        }
    }
}
