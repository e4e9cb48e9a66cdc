//! A TOML file as a tree whose leaves are the lines as they were written, comments included.
//!
//! It knows which lines belong to which key, never what a value means.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The file and line where a line was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LineOrigin {
    /// Which of the files that were joined.
    pub(super) file: usize,
    /// Counted from 1.
    pub(super) line: usize,
}

/// A file that is being read.
pub(super) struct SourceText<'s> {
    source: &'s str,
    file: usize,
    lines: Vec<&'s str>,
    /// The byte after each end of line.
    starts: Vec<usize>,
}

impl<'s> SourceText<'s> {
    pub(super) fn new(source: &'s str, file: usize) -> Self {
        let starts = source.match_indices('\n').map(|(at, _)| at + 1).collect();
        Self { source, file, lines: source.lines().collect(), starts }
    }

    /// The place of a byte.
    fn origin(&self, at: usize) -> LineOrigin {
        LineOrigin { file: self.file, line: 1 + self.starts.partition_point(|start| *start <= at) }
    }

    fn begins(&self, at: usize, with: char) -> bool {
        self.source.get(at..).is_some_and(|rest| rest.starts_with(with))
    }

    /// What stands on the line behind a byte: a comment, or nothing.
    fn behind(&self, at: usize) -> &'s str {
        let rest = self.source.get(at..).unwrap_or_default();
        rest.lines().next().unwrap_or_default().trim_end()
    }

    /// The comments above a line. Those that open the file are about the file.
    fn above(&self, origin: LineOrigin) -> Vec<SourceLine> {
        let above = self.lines.iter().enumerate().take(origin.line - 1);
        let comments: Vec<(usize, &str)> = above
            .rev()
            .map(|(at, line)| (at, line.trim()))
            .take_while(|(_, line)| is_comment(line))
            .collect();
        if comments.len() == origin.line - 1 {
            return Vec::new();
        }
        self.comments(comments.into_iter().rev())
    }

    /// The comments the file opens with.
    fn opening(&self) -> Vec<SourceLine> {
        let lines = self.lines.iter().map(|line| line.trim()).enumerate();
        self.comments(lines.take_while(|(_, line)| is_comment(line)))
    }

    fn comments<'l>(&self, lines: impl Iterator<Item = (usize, &'l str)>) -> Vec<SourceLine> {
        let line = |(at, text): (usize, &str)| SourceLine {
            text: text.into(),
            origin: LineOrigin { file: self.file, line: at + 1 },
        };
        lines.filter(|(_, text)| !text.is_empty()).map(line).collect()
    }
}

fn is_comment(line: &str) -> bool {
    line.is_empty() || line.starts_with('#')
}

/// A line of the flat text.
#[derive(Debug)]
struct SourceLine {
    text: String,
    origin: LineOrigin,
}

/// The header of a table.
#[derive(Debug)]
struct TableHeader {
    above: Vec<SourceLine>,
    behind: String,
    origin: LineOrigin,
}

#[derive(Debug)]
enum Node {
    /// Replaced whole: comments above, `key = value`, and the comment behind it.
    Value(Vec<SourceLine>),
    /// Merged key by key.
    Table(Branch),
    /// Replaced whole: every `[[key]]`.
    List(Vec<Branch>),
}

/// A table.
#[derive(Debug, Default)]
pub(super) struct Branch {
    /// None for a table that only its parts name, and for the file itself.
    head: Option<TableHeader>,
    /// The comments the file opens with.
    opening: Vec<SourceLine>,
    entries: Vec<(String, Node)>,
}

impl Branch {
    /// The tree of a whole file.
    pub(super) fn read(text: &SourceText<'_>, root: &DeTable<'_>) -> Self {
        Self { opening: text.opening(), ..Self::of(text, root, None) }
    }

    fn of(text: &SourceText<'_>, table: &DeTable<'_>, head: Option<TableHeader>) -> Self {
        let mut found: Vec<_> = table.iter().collect();
        found.sort_by_key(|(key, _)| key.span().start);
        let entries = found.into_iter().map(|(key, value)| {
            let name = key.get_ref().to_string();
            let node = Node::of(text, &name, key.span().start, value);
            (name, node)
        });
        Self { head, opening: Vec::new(), entries: entries.collect() }
    }

    /// This table with everything that another says instead.
    pub(super) fn overridden_by(self, mut child: Self) -> Self {
        let mut entries = Vec::new();
        for (key, own) in self.entries {
            let at = child.entries.iter().position(|(other, _)| *other == key);
            let node = match (own, at.map(|at| child.entries.remove(at).1)) {
                (Node::Table(own), Some(Node::Table(other))) => Node::Table(own.overridden_by(other)),
                (Node::Table(_) | Node::Value(_) | Node::List(_), Some(other)) => other,
                (own, None) => own,
            };
            entries.push((key, node));
        }
        entries.append(&mut child.entries);
        Self { head: child.head.or(self.head), opening: child.opening, entries }
    }

    pub(super) fn remove(&mut self, keys: &[&str]) {
        self.entries.retain(|(key, _)| !keys.contains(&key.as_str()));
    }

    /// Removes what a path such as `gate.moved_by` names. False if there is nothing of that name.
    pub(super) fn remove_path(&mut self, path: &str) -> bool {
        if let Some(at) = self.entries.iter().position(|(key, _)| key == path) {
            self.entries.remove(at);
            return true;
        }
        let Some((first, rest)) = path.split_once('.') else { return false };
        self.entries.iter_mut().any(|(key, node)| match node {
            Node::Table(inner) if key == first => inner.remove_path(rest),
            Node::Table(_) | Node::Value(_) | Node::List(_) => false,
        })
    }

    /// Everything that `remove_path` could remove.
    pub(super) fn paths(&self) -> Vec<String> {
        let mut paths = Vec::new();
        for (key, node) in &self.entries {
            paths.push(key.clone());
            match node {
                Node::Table(inner) => {
                    paths.extend(inner.paths().into_iter().map(|path| format!("{key}.{path}")))
                }
                Node::Value(_) | Node::List(_) => (),
            }
        }
        paths
    }

    /// Where the table begins, as far as anything says so.
    fn origin(&self) -> Option<LineOrigin> {
        let first = self.entries.iter().find_map(|(_, node)| match node {
            Node::Value(lines) => lines.first().map(|line| line.origin),
            Node::Table(_) | Node::List(_) => None,
        });
        self.head.as_ref().map(|head| head.origin).or(first)
    }
}

impl Node {
    fn of(text: &SourceText<'_>, name: &str, at: usize, value: &Spanned<DeValue<'_>>) -> Self {
        let span = value.span();
        // A header begins with a bracket, an inline table with a brace, a table named by dotted keys with neither.
        let head = |start: usize, end: usize| {
            let origin = text.origin(start);
            let behind = text.behind(end).to_string();
            text.begins(start, '[').then(|| TableHeader { above: text.above(origin), behind, origin })
        };
        let by_header = |item: &Spanned<DeValue<'_>>| {
            let span = item.span();
            Some(Branch::of(text, item.get_ref().as_table()?, Some(head(span.start, span.end)?)))
        };
        match value.get_ref() {
            DeValue::Table(table) if !text.begins(span.start, '{') => {
                return Self::Table(Branch::of(text, table, head(span.start, span.end)));
            }
            DeValue::Array(items) => {
                let tables: Option<Vec<Branch>> = items.iter().map(by_header).collect();
                if let Some(tables) = tables.filter(|tables| !tables.is_empty()) {
                    return Self::List(tables);
                }
            }
            // A value of TOML, not an enum of ours.
            _ => (),
        }
        let origin = text.origin(at);
        let mut lines = text.above(origin);
        let written = text.source.get(span.clone()).unwrap_or_default();
        let whole = format!("{} = {written}{}", bare(name), text.behind(span.end));
        let places = (origin.line..).map(|line| LineOrigin { line, ..origin });
        lines
            .extend(whole.lines().zip(places).map(|(text, origin)| SourceLine { text: text.into(), origin }));
        Self::Value(lines)
    }
}

/// A key as it can be written.
fn bare(key: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let is_bare = !key.is_empty() && key.chars().all(plain);
    if is_bare { key.into() } else { serde_json::Value::from(key).to_string() }
}

/// The flat text as it grows, with the origin of each line.
#[derive(Default)]
pub(super) struct Out {
    pub(super) text: String,
    pub(super) origins: Vec<LineOrigin>,
}

impl Out {
    pub(super) fn line(&mut self, text: &str, origin: LineOrigin) {
        self.text.push_str(text);
        self.text.push('\n');
        self.origins.push(origin);
    }

    fn lines(&mut self, lines: &[SourceLine]) {
        lines.iter().for_each(|line| self.line(&line.text, line.origin));
    }

    /// A whole file.
    pub(super) fn root(&mut self, root: &Branch) {
        self.lines(&root.opening);
        self.inside(root, "");
    }

    /// What a table holds: values first, since a header would take them over.
    fn inside(&mut self, branch: &Branch, path: &str) {
        for (_, node) in &branch.entries {
            match node {
                Node::Value(lines) => self.lines(lines),
                Node::Table(_) | Node::List(_) => (),
            }
        }
        for (key, node) in &branch.entries {
            let path = if path.is_empty() { bare(key) } else { format!("{path}.{}", bare(key)) };
            match node {
                Node::Value(_) => (),
                Node::Table(inner) => {
                    self.header(inner, &format!("[{path}]"));
                    self.inside(inner, &path);
                }
                Node::List(items) => {
                    for item in items {
                        self.header(item, &format!("[[{path}]]"));
                        self.inside(item, &path);
                    }
                }
            }
        }
    }

    fn header(&mut self, branch: &Branch, written: &str) {
        let Some(origin) = branch.origin() else { return };
        self.line("", origin);
        let behind = branch.head.as_ref().map_or("", |head| head.behind.as_str());
        branch.head.iter().for_each(|head| self.lines(&head.above));
        self.line(&format!("{written}{behind}"), origin);
    }
}
