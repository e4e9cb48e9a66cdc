//! Whose words a text holds: its author's own, or lines that quote somebody else and code. The one place that knows fences.
//!
//! OpenBlocks are read as CommonMark reads them: inside of list items, by their indent, with `>` before or behind the mark of a list.
//! Two things are read as their authors mean them: a fence that was opened in an item may be closed at any indent, and a text that
//! is indented as a whole is not code.

/// Whose words a line holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineOwner {
    /// The author's.
    Author,
    /// Somebody else's: the line is quoted.
    Quoted,
    /// It is code, the marks of the block included.
    Code,
}

/// A line of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OwnedLine<'a> {
    /// As it was written.
    pub line: &'a str,
    /// Whose words it holds.
    pub owner: LineOwner,
    /// It begins something new: an item of a list, a heading, or what follows a blank line.
    pub begins: bool,
    /// It goes on right below a quoted line without a mark of its own. CommonMark counts it to the quote; many authors do not know that.
    pub trails_quote: bool,
}

/// The lines of a text, each with whose words it holds.
pub fn owned_lines(text: &str) -> impl Iterator<Item = OwnedLine<'_>> {
    let indents = text.lines().filter(|line| !line.trim().is_empty()).map(|line| indent_of(line).0);
    let mut blocks =
        OpenBlocks { base: indents.min().unwrap_or(0), after_blank: true, ..OpenBlocks::default() };
    text.lines().map(move |line| blocks.next(line))
}

/// What the author says: without quoted lines and code blocks.
pub fn own_lines(text: &str) -> impl Iterator<Item = &str> {
    owned_lines(text).filter(|line| line.owner == LineOwner::Author).map(|line| line.line)
}

/// The same without code within a line.
pub fn own_words(text: &str) -> String {
    let mut own = String::with_capacity(text.len());
    for line in own_lines(text) {
        own.push_str(&outside_spans(line).join(" "));
        own.push('\n');
    }
    own
}

/// What the author says in passages: words of one passage follow each other without a code span, a quote, the end of a paragraph or
/// the mark of a list between them.
pub fn own_passages(text: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    for line in owned_lines(text) {
        if line.begins || line.owner != LineOwner::Author {
            found.push(String::new());
        }
        if line.owner != LineOwner::Author {
            continue;
        }
        for (nth, part) in outside_spans(line.line).into_iter().enumerate() {
            match found.last_mut().filter(|_| nth == 0) {
                Some(last) => *last = format!("{last} {part}"),
                None => found.push(part),
            }
        }
    }
    found.retain(|passage| !passage.trim().is_empty());
    found
}

/// OpenBlocks of HTML that hold no prose: how they begin and what ends them.
const HTML: [(&str, &str); 5] = [
    ("<pre", "</pre>"),
    ("<script", "</script>"),
    ("<style", "</style>"),
    ("<textarea", "</textarea>"),
    ("<!--", "-->"),
];

/// A fenced block that is open.
#[derive(Debug, Clone, Copy)]
struct OpenFence {
    mark: char,
    run: usize,
    /// The column that lines need to belong to the same list item.
    column: usize,
    quoted: bool,
}

/// Which blocks are open at a line.
#[derive(Debug, Default)]
struct OpenBlocks {
    /// The indent of the whole text.
    base: usize,
    /// The columns at which the contents of the open list items begin.
    items: Vec<usize>,
    fence: Option<OpenFence>,
    /// What ends the open block of HTML.
    html: Option<&'static str>,
    after_blank: bool,
    /// The line before was indented code.
    indented: bool,
    /// The line before belongs to a paragraph that is quoted.
    in_quote: bool,
}

impl OpenBlocks {
    fn next<'a>(&mut self, line: &'a str) -> OwnedLine<'a> {
        let (owner, begins, trails_quote) = self.read(line);
        self.after_blank = line.trim().is_empty();
        OwnedLine { line, owner, begins, trails_quote }
    }

    fn read(&mut self, line: &str) -> (LineOwner, bool, bool) {
        if let Some(end) = self.html {
            self.html = Some(end).filter(|end| !line.to_ascii_lowercase().contains(end));
            return (LineOwner::Code, false, false);
        }
        if let Some(owner) = self.fenced(line) {
            return (owner, false, false);
        }
        let (indent, bare) = indent_of(line);
        if bare.is_empty() {
            self.in_quote = false;
            return (LineOwner::Author, true, false);
        }
        let column = |blocks: &Self| blocks.items.last().copied().unwrap_or(blocks.base);
        if self.after_blank || list_mark(bare).is_some() {
            self.items.retain(|column| *column <= indent);
        }
        if (self.after_blank || self.indented) && indent >= column(self) + 4 {
            self.indented = true;
            return (LineOwner::Code, true, false);
        }
        self.indented = false;
        let (inner, quoted, is_item) = self.inside(indent, bare);
        if let Some(owner) = self.opened(inner, quoted) {
            return (owner, true, false);
        }
        let starts = is_item || inner.starts_with('#');
        if quoted {
            self.in_quote = !inner.is_empty() && !inner.starts_with('#');
            return (LineOwner::Quoted, starts, false);
        }
        self.in_quote &= !starts;
        (LineOwner::Author, starts || self.after_blank, self.in_quote)
    }

    /// A line while a fence is open; `None` if none is, or if this line ends what the fence stands in.
    fn fenced(&mut self, line: &str) -> Option<LineOwner> {
        let fence = self.fence?;
        let (indent, bare) = indent_of(line);
        let inner = if fence.quoted { bare.trim_start_matches(['>', ' ']) } else { bare };
        let run = inner.chars().take_while(|c| *c == fence.mark).count();
        // Only as long a run of the same mark, with nothing behind it, closes what a run opened.
        let closes = run >= fence.run && inner.trim_end().len() == run;
        let left = match fence.quoted {
            true => !bare.starts_with('>'),
            false => !bare.is_empty() && indent < fence.column && !closes,
        };
        if left || closes {
            self.fence = None;
        }
        let owner = if fence.quoted { LineOwner::Quoted } else { LineOwner::Code };
        (!left).then_some(owner)
    }

    /// A line without the marks of lists and quotes before it, whether it is quoted, and whether it begins an item.
    fn inside<'a>(&mut self, indent: usize, bare: &'a str) -> (&'a str, bool, bool) {
        let (mut inner, mut column) = (bare, indent);
        let (mut quoted, mut is_item) = (false, false);
        loop {
            if let Some(rest) = inner.strip_prefix('>') {
                quoted = true;
                inner = rest.trim_start();
            } else if let Some(length) = list_mark(inner) {
                let (blanks, rest) = indent_of(&inner[length..]);
                is_item = true;
                // Five blanks or more behind the mark are code inside of the item.
                column += length + if (1..=4).contains(&blanks) { blanks } else { 1 };
                if !quoted {
                    self.items.push(column);
                }
                inner = rest;
            } else {
                return (inner, quoted, is_item);
            }
        }
    }

    /// Whose words a line holds that opens a block of code.
    fn opened(&mut self, inner: &str, quoted: bool) -> Option<LineOwner> {
        let owner = if quoted { LineOwner::Quoted } else { LineOwner::Code };
        let mark = inner.chars().next()?;
        let run = inner.chars().take_while(|c| *c == mark).count();
        // Behind three backticks, another one closes a span of code within the line.
        if matches!(mark, '`' | '~') && run >= 3 && !(mark == '`' && inner[run..].contains('`')) {
            let column = self.items.last().copied().unwrap_or(0);
            self.fence = Some(OpenFence { mark, run, column, quoted });
            self.in_quote = false;
            return Some(owner);
        }
        let lower = if mark == '<' { inner.to_ascii_lowercase() } else { String::new() };
        let (_, end) = HTML.iter().find(|(start, _)| {
            // `<preview>` is another tag.
            lower.strip_prefix(start).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))
        })?;
        if !quoted {
            self.html = Some(*end).filter(|end| !lower.contains(end));
        }
        Some(owner)
    }
}

/// The columns before a line, and the line without them. A tab goes to the next column that four divides.
fn indent_of(line: &str) -> (usize, &str) {
    let mut column = 0;
    for (at, c) in line.char_indices() {
        match c {
            '\t' => column += 4 - column % 4,
            _ if c.is_whitespace() => column += 1,
            _ => return (column, &line[at..]),
        }
    }
    (column, "")
}

/// The length of the mark that begins an item of a list: `-`, `*`, `+`, `12.`, `3)`.
fn list_mark(line: &str) -> Option<usize> {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let signs: &[char] = if (1..=9).contains(&digits) { &['.', ')'] } else { &['-', '*', '+'] };
    let behind = line[digits..].strip_prefix(signs).filter(|_| digits <= 9)?;
    (behind.is_empty() || behind.starts_with([' ', '\t'])).then_some(digits + 1)
}

/// The parts of a line outside of code spans. A mark that nothing closes is an ordinary character.
fn outside_spans(line: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut put = |text: &str, starts: bool| {
        if starts {
            parts.push(String::new());
        }
        parts.last_mut().into_iter().for_each(|last| last.push_str(text));
    };
    let mut rest = line;
    while let Some(start) = rest.find('`') {
        let (before, from) = rest.split_at(start);
        put(before, false);
        let run = from.chars().take_while(|c| *c == '`').count();
        let (mark, inside) = from.split_at(run);
        match closing(inside, run) {
            Some(end) => {
                put("", true);
                rest = &inside[end + run..];
            }
            None => {
                put(mark, false);
                rest = inside;
            }
        }
    }
    put(rest, false);
    parts
}

/// Where a run of exactly so many marks begins.
fn closing(inside: &str, run: usize) -> Option<usize> {
    let mut at = 0;
    while let Some(start) = inside[at..].find('`') {
        let found = inside[at + start..].chars().take_while(|c| *c == '`').count();
        if found == run {
            return Some(at + start);
        }
        at += start + found;
    }
    None
}
