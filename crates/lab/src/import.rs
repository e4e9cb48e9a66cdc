//! Ballots from files: CSV or JSONL with dataset, item, gold, agent, round, answer, confidence.
//!
//! An empty answer means: asked, no usable answer. An empty gold means: the truth is not known. Every flaw is listed with its
//! line; nothing is filled in. To add a form: a reader here that gives [`Row`]s.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;

use crate::sheet::{BallotBook, Dataset, GivenAnswer, RecordedItem};

/// What is wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {wrong}")]
pub struct ImportFlaw {
    /// Counted from 1.
    pub line: usize,
    /// What, and what to write instead.
    pub wrong: String,
}

/// The columns, in the order in which results print them. Only the first, `item`, `agent` and `answer` need to be there.
pub const COLUMNS: [&str; 7] = ["dataset", "item", "gold", "agent", "round", "answer", "confidence"];
const NEEDED: [&str; 3] = ["item", "agent", "answer"];
/// The most different answers to one item: a ballot of the core numbers its options in a byte.
const OPTIONS_MOST: usize = 250;

/// One line as it was read.
#[derive(Debug, Default)]
struct Row {
    line: usize,
    fields: [String; 7],
}

/// Reads ballots. JSONL if the first character is a brace, CSV otherwise.
pub fn ballots(text: &str) -> Result<BallotBook, Vec<ImportFlaw>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut flaws = Vec::new();
    let rows = if text.trim_start().starts_with('{') {
        json_rows(text, &mut flaws)
    } else {
        csv_rows(text, &mut flaws)
    };
    let book = gathered(rows, &mut flaws);
    flaws.sort_by_key(|flaw| flaw.line);
    if flaws.is_empty() && book.sets.is_empty() {
        flaws.push(ImportFlaw { line: 1, wrong: "there is no ballot in this file".into() });
    }
    if flaws.is_empty() { Ok(book) } else { Err(flaws) }
}

fn json_rows(text: &str, flaws: &mut Vec<ImportFlaw>) -> Vec<Row> {
    let mut rows = Vec::new();
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let line_number = at + 1;
        let mut flaw = |wrong: String| flaws.push(ImportFlaw { line: line_number, wrong });
        let Ok(Value::Object(object)) = serde_json::from_str::<Value>(line) else {
            flaw("not a JSON object; write {\"item\": \"1\", \"agent\": \"a\", \"answer\": \"B\"}".into());
            continue;
        };
        let mut row = Row { line: line_number, ..Row::default() };
        for (key, value) in &object {
            let Some(column) = COLUMNS.iter().position(|column| column == key) else {
                flaw(format!("unknown key `{key}`; known are {}", COLUMNS.join(", ")));
                continue;
            };
            row.fields[column] = match value {
                Value::Null => String::new(),
                Value::String(text) => text.clone(),
                Value::Number(number) => number.to_string(),
                Value::Bool(value) => value.to_string(),
                Value::Array(_) | Value::Object(_) => {
                    flaw(format!("`{key}` is not a text or a number"));
                    String::new()
                }
            };
        }
        let missing: Vec<&str> = NEEDED.into_iter().filter(|key| !object.contains_key(*key)).collect();
        if missing.is_empty() {
            rows.push(row)
        } else {
            flaw(format!("`{}` is missing", missing.join("`, `")))
        }
    }
    rows
}

/// The records of a CSV text, each with its line. A field in quotes may hold commas, line breaks and doubled quotes.
fn records(text: &str, flaws: &mut Vec<ImportFlaw>) -> Vec<(usize, Vec<String>)> {
    let mut records = Vec::new();
    let (mut fields, mut field, mut quoted, mut line, mut begun) = (Vec::new(), String::new(), false, 1, 1);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                field.push('"');
                chars.next();
            }
            '"' if quoted || field.is_empty() => quoted = !quoted,
            ',' if !quoted => fields.push(std::mem::take(&mut field)),
            '\r' if !quoted => (),
            '\n' if !quoted => {
                fields.push(std::mem::take(&mut field));
                records.push((begun, std::mem::take(&mut fields)));
                line += 1;
                begun = line;
            }
            c => {
                line += usize::from(c == '\n');
                field.push(c);
            }
        }
    }
    if quoted {
        flaws.push(ImportFlaw { line: begun, wrong: "a quote is opened here and never closed".into() });
    }
    if !field.is_empty() || !fields.is_empty() {
        fields.push(field);
        records.push((begun, fields));
    }
    records.retain(|(_, fields)| fields.len() > 1 || fields.iter().any(|field| !field.trim().is_empty()));
    records
}

fn csv_rows(text: &str, flaws: &mut Vec<ImportFlaw>) -> Vec<Row> {
    let mut records = records(text, flaws).into_iter();
    let Some((head, names)) = records.next() else { return Vec::new() };
    let column = |name: &String| COLUMNS.iter().position(|column| *column == name.trim().to_lowercase());
    let places: Vec<Option<usize>> = names.iter().map(column).collect();
    let found = |name: &&str| places.contains(&COLUMNS.iter().position(|column| column == name));
    let missing: Vec<&str> = NEEDED.into_iter().filter(|name| !found(name)).collect();
    if !missing.is_empty() {
        let wrong = format!(
            "the first line must name the columns; `{}` is missing ({})",
            missing.join("`, `"),
            COLUMNS.join(",")
        );
        flaws.push(ImportFlaw { line: head, wrong });
        return Vec::new();
    }
    let mut rows = Vec::new();
    for (line, fields) in records {
        if fields.len() != places.len() {
            let wrong = format!("{} fields where the first line names {}", fields.len(), places.len());
            flaws.push(ImportFlaw { line, wrong });
            continue;
        }
        let mut row = Row { line, ..Row::default() };
        for (place, field) in places.iter().zip(fields) {
            if let Some(place) = place {
                row.fields[*place] = field;
            }
        }
        rows.push(row);
    }
    rows
}

/// A set while its lines come in.
#[derive(Default)]
struct Gathering {
    agents: Vec<String>,
    agent_of: HashMap<String, usize>,
    items: Vec<GatheredItem>,
    item_of: HashMap<String, usize>,
    answers: BTreeMap<String, ()>,
    ranked: bool,
}

#[derive(Default)]
struct GatheredItem {
    name: String,
    gold: String,
    options: Vec<String>,
    rounds: BTreeMap<u32, HashMap<usize, GivenAnswer>>,
}

impl GatheredItem {
    /// The places of named options, new ones among them.
    fn placed(&mut self, named: Vec<Vec<String>>, answer: &str) -> Result<Vec<Vec<u8>>, String> {
        let mut groups: Vec<Vec<u8>> = Vec::new();
        for group in named {
            groups.push(Vec::new());
            for option in group {
                let place =
                    self.options.iter().position(|known| *known == option).unwrap_or(self.options.len());
                if place >= OPTIONS_MOST {
                    return Err(format!(
                        "item `{}` has more than {OPTIONS_MOST} different answers",
                        self.name
                    ));
                }
                if groups.iter().flatten().any(|known| usize::from(*known) == place) {
                    return Err(format!("`{answer}` names `{option}` twice"));
                }
                if place == self.options.len() {
                    self.options.push(option);
                }
                if let Some(last) = groups.last_mut() {
                    last.push(place as u8);
                }
            }
        }
        Ok(groups)
    }
}

fn gathered(rows: Vec<Row>, flaws: &mut Vec<ImportFlaw>) -> BallotBook {
    let mut sets: Vec<(String, Gathering)> = Vec::new();
    let mut set_of: HashMap<String, usize> = HashMap::new();
    for Row { line, fields } in rows {
        let [set, item, gold, agent, round, answer, confidence] =
            fields.map(|field| field.trim().to_string());
        let mut flaw = |wrong: String| flaws.push(ImportFlaw { line, wrong });
        if item.is_empty() || agent.is_empty() {
            flaw("`item` and `agent` must not be empty".into());
            continue;
        }
        let round = match round.as_str() {
            "" => 0,
            written => match written.parse() {
                Ok(round) => round,
                Err(_) => {
                    flaw(format!(
                        "`{written}` is not a round; write 0 for answers given before any exchange, then 1, 2"
                    ));
                    continue;
                }
            },
        };
        let confidence = match sure(&confidence) {
            Ok(confidence) => confidence,
            Err(wrong) => {
                flaw(wrong);
                continue;
            }
        };
        let at = *set_of.entry(set.clone()).or_insert_with(|| {
            sets.push((set, Gathering::default()));
            sets.len() - 1
        });
        if let Err(wrong) = sets[at].1.take((&item, &gold, &agent), round, &answer, confidence) {
            flaw(wrong);
        }
    }
    BallotBook { sets: sets.into_iter().map(|(name, set)| set.finish(name)).collect() }
}

/// A confidence in permille: 0.85, or 85%.
fn sure(written: &str) -> Result<Option<u32>, String> {
    if written.is_empty() {
        return Ok(None);
    }
    let (number, scale) =
        written.strip_suffix('%').map_or((written, 1.0), |number| (number.trim_end(), 100.0));
    let share =
        number.parse::<f64>().ok().map(|number| number / scale).filter(|share| (0.0..=1.0).contains(share));
    share.map(|share| Some((share * 1000.0).round() as u32)).ok_or_else(|| {
        format!("`{written}` is not a confidence; write a number from 0 to 1, or leave it empty")
    })
}

impl Gathering {
    fn take(
        &mut self,
        (item, gold, agent): (&str, &str, &str),
        round: u32,
        answer: &str,
        confidence: Option<u32>,
    ) -> Result<(), String> {
        let agents = &mut self.agents;
        let agent_at = *self.agent_of.entry(agent.into()).or_insert_with(|| {
            agents.push(agent.into());
            agents.len() - 1
        });
        let items = &mut self.items;
        let at = *self.item_of.entry(item.into()).or_insert_with(|| {
            items.push(GatheredItem { name: item.into(), gold: gold.into(), ..GatheredItem::default() });
            items.len() - 1
        });
        let known = &mut self.items[at];
        if known.gold != gold {
            return Err(format!("item `{item}` has gold `{gold}` here and `{}` before", known.gold));
        }
        let named = groups(answer);
        self.ranked |= named.iter().map(Vec::len).sum::<usize>() > 1;
        let groups = known.placed(named, answer)?;
        self.answers
            .extend(groups.iter().flatten().map(|place| (known.options[usize::from(*place)].clone(), ())));
        let round_of = known.rounds.entry(round).or_default();
        match round_of.insert(agent_at, GivenAnswer { groups, confidence }) {
            None => Ok(()),
            Some(_) => Err(format!("agent `{agent}` answers item `{item}` twice in round {round}")),
        }
    }

    fn finish(self, name: String) -> Dataset {
        let size = self.agents.len();
        let finished = |item: GatheredItem| {
            let mut options = item.options;
            let gold = (!item.gold.is_empty()).then(|| {
                // What nobody answered can be true, too.
                options.iter().position(|option| *option == item.gold).unwrap_or_else(|| {
                    options.push(item.gold.clone());
                    options.len() - 1
                }) as u8
            });
            let rounds = item
                .rounds
                .into_iter()
                .map(|(round, mut given)| (round, (0..size).map(|agent| given.remove(&agent)).collect()));
            RecordedItem { name: item.name, gold, options, rounds: rounds.collect() }
        };
        let items = self.items.into_iter().map(finished).collect();
        Dataset {
            name,
            agents: self.agents,
            items,
            answers: self.answers.len(),
            ranked: self.ranked,
            prices: Vec::new(),
        }
    }
}

/// What an answer names: `B > A = C` in groups, anything else as one option. A tie alone needs spaces (`A = B`), as `x=1` may be the name of an option.
fn groups(answer: &str) -> Vec<Vec<String>> {
    if !answer.contains('>') && !answer.contains(" = ") {
        return if answer.is_empty() { Vec::new() } else { vec![vec![answer.into()]] };
    }
    let joint = if answer.contains('>') { "=" } else { " = " };
    let group = |group: &str| {
        group.split(joint).map(|it| it.trim().to_string()).filter(|it| !it.is_empty()).collect()
    };
    let groups = answer.split('>').map(group);
    groups.filter(|group: &Vec<String>| !group.is_empty()).collect()
}
