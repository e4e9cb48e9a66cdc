//! What can be shown of an answer while it is being written.
//!
//! Nothing here is kept or counted: the answer is read when it is whole.

use synod_core::kernel::text;

/// The longest line that is shown.
const LINE_MOST: usize = 160;

/// The first line of what was written so far: of prose its first line, of a form the first text in it.
pub(crate) fn first_line(written: &str) -> Option<String> {
    let written = written.trim_start();
    let line = match written.strip_prefix("```json").unwrap_or(written).trim_start().strip_prefix('{') {
        Some(form) => first_text(form)?,
        None => written.lines().next().unwrap_or_default().to_string(),
    };
    let line = text::one_line(&line);
    let line = line.trim();
    (!line.is_empty()).then(|| text::excerpt(line, LINE_MOST).into_owned())
}

/// The first value of an unfinished JSON object that is a text, as far as it goes.
fn first_text(form: &str) -> Option<String> {
    let at = form.find("\":")?;
    let value = form.get(at + 2..)?.trim_start();
    match value.strip_prefix('"') {
        Some(value) => Some(unescaped(value)),
        None => first_text(value.get(value.find(',')?..)?),
    }
}

/// A JSON string up to its end, or as far as it goes.
fn unescaped(value: &str) -> String {
    let mut chars = value.chars();
    let mut out = String::new();
    while let Some(c) = chars.next() {
        match c {
            '"' => break,
            '\\' => match chars.next() {
                Some('n') => break, // the first line ends here
                Some('t' | 'r' | 'u') | None => out.push(' '),
                Some(other) => out.push(other),
            },
            other => out.push(other),
        }
        if out.len() > 4 * LINE_MOST {
            break;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::first_line;

    #[test]
    fn lines_of_prose_and_of_forms() {
        let line = |written: &str| first_line(written).unwrap_or_default();
        assert_eq!(line("Yes, because\nit works"), "Yes, because");
        assert_eq!(line("{\"reasoning\": \"It \\\"works\\\" because"), "It \"works\" because");
        assert_eq!(line("{\"confidence\": 0.5, \"reason\": \"so\\nand"), "so");
        assert_eq!(line("```json\n{ \"a\": \"x\" }"), "x");
        for nothing in ["", " \n", "{", "{\"rea", "{\"a\": [1", "{\"a\":"] {
            assert_eq!(first_line(nothing), None, "{nothing:?}");
        }
    }
}
