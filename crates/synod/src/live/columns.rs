//! How many columns text takes on a terminal. Where terminals differ the larger number is taken: a line that is cut too
//! early is still one line, and one that wraps would spoil whatever is redrawn.

/// The columns of one character.
fn of(c: char) -> usize {
    match c as u32 {
        // Marks that stand on the character before them, and characters without width.
        0x0300..=0x036f | 0x0483..=0x0489 | 0x0591..=0x05bd | 0x0610..=0x061a | 0x064b..=0x065f => 0,
        0x1ab0..=0x1aff | 0x1dc0..=0x1dff | 0x200b..=0x200f | 0x20d0..=0x20ff | 0xfe20..=0xfe2f => 0,
        // Turns the character before it into a picture, which is wider.
        0xfe0f => 1,
        0x1100..=0x115f | 0x231a..=0x231b | 0x2329..=0x232a | 0x23e9..=0x23f3 | 0x25fd..=0x25fe => 2,
        0x2614..=0x2615 | 0x2648..=0x2653 | 0x267f | 0x2693 | 0x26a1 | 0x26aa..=0x26ab => 2,
        0x26bd..=0x26be | 0x26c4..=0x26c5 | 0x26ce | 0x26d4 | 0x26ea | 0x26f2..=0x26fd => 2,
        0x2705 | 0x270a..=0x270b | 0x2728 | 0x274c | 0x274e | 0x2753..=0x2757 | 0x2795..=0x2797 => 2,
        0x27b0 | 0x27bf | 0x2b1b..=0x2b1c | 0x2b50 | 0x2b55 => 2,
        // Chinese, Japanese, Korean and their full-width forms.
        0x2e80..=0x303e | 0x3041..=0xa4cf | 0xa960..=0xa97f | 0xac00..=0xd7a3 | 0xf900..=0xfaff => 2,
        0xfe10..=0xfe19 | 0xfe30..=0xfe6f | 0xff00..=0xff60 | 0xffe0..=0xffe6 => 2,
        // Pictures, and ideographs beyond the first plane.
        0x1f000..=0x1faff | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

/// The columns of a text.
pub(super) fn width(text: &str) -> usize {
    text.chars().map(of).sum()
}

/// The beginning of a text that fits into so many columns; what is cut is said by `…`.
pub(super) fn cut(text: &str, most: usize) -> String {
    if width(text) <= most {
        return text.to_string();
    }
    let mut left = most.saturating_sub(1);
    let fits = |c: &char| {
        let columns = of(*c);
        let fits = columns <= left;
        left = if fits { left - columns } else { 0 };
        fits
    };
    let mut out: String = text.chars().take_while(fits).collect();
    if most > 0 {
        out.push('…');
    }
    out
}

/// A line in lines of at most so many columns, broken at blanks. What follows is indented a little more than the line
/// itself. Colours take no columns. A word that is longer than a line is left to the terminal.
pub(super) fn wrapped(line: &str, most: usize) -> String {
    if seen(line) <= most {
        return line.to_string();
    }
    let indent = line.len() - line.trim_start_matches(' ').len();
    let more = (indent + 2).min(most / 2);
    let mut out = " ".repeat(indent);
    let mut used = indent;
    for (nth, word) in line[indent..].split(' ').enumerate() {
        let columns = seen(word);
        if nth > 0 && used + 1 + columns > most {
            out.truncate(out.trim_end_matches(' ').len());
            out.push('\n');
            out.push_str(&" ".repeat(more));
            used = more;
        } else if nth > 0 {
            out.push(' ');
            used += 1;
        }
        out.push_str(word);
        used += columns;
    }
    out
}

/// The columns of a text that may hold colours.
fn seen(text: &str) -> usize {
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().map_or(0, width);
    // A colour ends with its `m`.
    first + parts.map(|part| part.split_once('m').map_or(0, |(_, after)| width(after))).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::{cut, width, wrapped};

    #[test]
    fn a_line_breaks_between_words() {
        let line = "   ann YES 0.90: because it is cheap and fast";
        assert_eq!(wrapped(line, 60), line);
        assert_eq!(wrapped(line, 25), "   ann YES 0.90: because\n     it is cheap and fast");
        assert_eq!(
            wrapped("ab \u{1b}[1mcd ef\u{1b}[0m", 5),
            "ab \u{1b}[1mcd\n  ef\u{1b}[0m",
            "colours take no room"
        );
        assert_eq!(
            wrapped("see https://example.org/a/long/path now", 12),
            "see\n  https://example.org/a/long/path\n  now"
        );
        assert_eq!(wrapped("議会は 決めた", 8), "議会は\n  決めた");
    }

    #[test]
    fn wide_characters_count_twice() {
        assert_eq!(width("größer"), 6);
        assert_eq!(width("議会"), 4);
        assert_eq!(width("⚖\u{fe0f} 🚀"), 5);
        assert_eq!(width("e\u{301}"), 1, "an accent stands on its letter");
    }

    #[test]
    fn a_cut_never_exceeds_its_columns() {
        let texts = ["plain words", "議会は決めた", "a議b会c", "🚀🚀🚀", "e\u{301}e\u{301}e\u{301}", ""];
        for text in texts {
            for most in 0..14 {
                let cut = cut(text, most);
                assert!(width(&cut) <= most, "{text} in {most} is {cut}");
                assert!(cut == text || cut.ends_with('…') || most == 0, "{text} in {most} is {cut}");
            }
        }
        assert_eq!(cut("議会は", 4), "議…", "half a character is none");
        assert_eq!(cut("plain", 5), "plain");
    }
}
