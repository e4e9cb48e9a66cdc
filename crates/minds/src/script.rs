//! Scripted seats: answers from a text file, for tests and demonstrations.
//!
//! A script is a row of blocks, parted by lines of `---`. A block may begin with lines that say what it
//! answers; the rest is the answer, as it stands:
//!
//! ```text
//! @speak 1
//! @seat ann
//! I would rather have REST.
//! ---
//! @vote
//! {"vote": "YES"}
//! ```
//!
//! `@speak`, `@vote`, `@judge`, `@digest`, `@perspectives`, `@synthesize`, `@compare` and `@any` name the task, with a round after it if it is for one round only;
//! `@seat NAME` and `@topic WORDS` narrow it; `@delay MS` makes it late; `@fail CODE: DETAIL` makes it a
//! fault. A block without a task answers anything.
//!
//! Which block answers is a function of the question alone, never of what was asked before, so a resumed
//! run hears the same. Blocks that do not fit seat and topic are left out. Then:
//!
//! 1. if some name this task and this round, the first answers the first attempt, the second the second,
//!    and when they run out the script is exhausted;
//! 2. else, of those that name the task alone, the first answers round 1, the second round 2, and the last
//!    all later rounds;
//! 3. else the same holds for those that answer anything.

use std::path::Path;
use std::time::Duration;

use synod_core::brief::Brief;
use synod_core::kernel::{Cause, Who};

use crate::mind::{
    Answering, AskContext, CallFailure, Face, Mind, MindKind, MindTask, NOTHING_USED, Pass, Reply,
};
use crate::settings::SettingsFlaw;

/// A script that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Script {
    blocks: Vec<ScriptBlock>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct ScriptBlock {
    task: Option<MindTask>,
    round: Option<u32>,
    seat: Option<Who>,
    topic: Option<String>,
    delay: Duration,
    fail: Option<Cause>,
    text: String,
}

/// Longer than any script of a test.
const SIZE_MOST: u64 = 1 << 24;

impl Script {
    /// Reads a file.
    pub fn load(file: &Path) -> Result<Self, Vec<SettingsFlaw>> {
        let name = file.display().to_string();
        match crate::file::open(file).and_then(|open| crate::file::read(open, SIZE_MOST)) {
            Ok(text) => Self::parse(&name, &text),
            Err(error) => Err(vec![SettingsFlaw {
                file: name,
                line: 0,
                what: format!("the script cannot be read: {error}"),
            }]),
        }
    }

    /// Reads a script; `file` is what flaws are told of.
    pub fn parse(file: &str, text: &str) -> Result<Self, Vec<SettingsFlaw>> {
        let (mut blocks, mut flaws) = (Vec::new(), Vec::new());
        let lines: Vec<&str> = text.lines().collect();
        let mut at = 1;
        for lines in lines.split(|line| line.trim_end() == "---") {
            match ScriptBlock::parse(lines) {
                Ok(Some(block)) => blocks.push(block),
                Ok(None) => {}
                Err(wrong) => {
                    let flaw = |(line, what)| SettingsFlaw { file: file.into(), line: at + line, what };
                    flaws.extend(wrong.into_iter().map(flaw));
                }
            }
            at += lines.len() + 1;
        }
        if blocks.is_empty() && flaws.is_empty() {
            flaws.push(SettingsFlaw {
                file: file.into(),
                line: 0,
                what: "the script holds no answer".into(),
            });
        }
        if flaws.is_empty() { Ok(Self { blocks }) } else { Err(flaws) }
    }

    fn answer(&self, question: &AskContext) -> Option<&ScriptBlock> {
        let fitting: Vec<&ScriptBlock> = self.blocks.iter().filter(|block| block.fits(question)).collect();
        let pick = |wanted: &dyn Fn(&ScriptBlock) -> bool| -> Vec<&ScriptBlock> {
            fitting.iter().copied().filter(|block| wanted(block)).collect()
        };
        let exact = pick(&|block| block.round.is_some());
        if !exact.is_empty() {
            return exact.get(question.attempt.saturating_sub(1) as usize).copied();
        }
        let standing = [pick(&|block| block.task.is_some()), pick(&|block| block.task.is_none())];
        let row = standing.into_iter().find(|row| !row.is_empty())?;
        let nth = (question.round.saturating_sub(1) as usize).min(row.len() - 1);
        row.get(nth).copied()
    }
}

impl ScriptBlock {
    /// Reads one block; flaws come with the number of their line, counted from 0.
    fn parse(lines: &[&str]) -> Result<Option<Self>, Vec<(usize, String)>> {
        let mut block = Self::default();
        let mut flaws = Vec::new();
        let blank = lines.iter().take_while(|line| line.trim().is_empty()).count();
        let heads = lines[blank..].iter().take_while(|line| line.starts_with('@')).count();
        for (index, line) in lines.iter().enumerate().skip(blank).take(heads) {
            if let Err(what) = block.head(&line[1..]) {
                flaws.push((index, what));
            }
        }
        block.text = lines[blank + heads..].join("\n").trim().to_string();
        let empty = block.text.is_empty() && block.fail.is_none();
        if empty && heads > 0 {
            flaws.push((blank, "this block has no answer: write it below, or `@fail CODE: DETAIL`".into()));
        }
        if !flaws.is_empty() {
            return Err(flaws);
        }
        Ok((!empty).then_some(block))
    }

    fn head(&mut self, line: &str) -> Result<(), String> {
        let (word, rest) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
        let rest = rest.trim();
        match word {
            _ if word == "any" || MindTask::ALL.iter().any(|task| task.word() == word) => {
                self.task = MindTask::ALL.into_iter().find(|task| task.word() == word);
                self.round = match rest {
                    "" => None,
                    round => Some(
                        round.parse().map_err(|_| format!("`{round}` is not a round: write `@{word} 1`"))?,
                    ),
                };
            }
            "seat" => self.seat = Some(Who::parse(rest)?),
            "topic" if !rest.is_empty() => self.topic = Some(rest.to_lowercase()),
            "delay" => {
                let ms = rest.trim_end_matches("ms").trim().parse();
                self.delay =
                    Duration::from_millis(ms.map_err(|_| "write a delay as `@delay 50`, in ms".to_string())?);
            }
            "fail" => {
                let (code, detail) = rest.split_once(':').unwrap_or((rest, "so it is written in the script"));
                if code.trim().is_empty() {
                    return Err("write a fault as `@fail backend/time-out: what happened`".into());
                }
                self.fail = Some(Cause::passing(code.trim(), detail.trim()));
            }
            _ => {
                return Err(format!(
                    "`@{word}` is not known: write @speak, @vote, @judge, @digest, @perspectives, @synthesize, @compare or @any \
                     with a round or without, @seat NAME, \
                     @topic WORDS, @delay MS or @fail CODE: DETAIL"
                ));
            }
        }
        Ok(())
    }

    fn fits(&self, question: &AskContext) -> bool {
        self.task.is_none_or(|task| task == question.task)
            && self.round.is_none_or(|round| round == question.round)
            && self.seat.as_ref().is_none_or(|seat| *seat == question.seat)
            && self.topic.as_ref().is_none_or(|words| question.topic.to_lowercase().contains(words))
    }

    fn outcome(&self) -> Result<Reply, CallFailure> {
        match &self.fail {
            Some(cause) => Err(CallFailure::unspent(cause.clone())),
            None => {
                Ok(Reply { text: self.text.clone(), model: None, usage: NOTHING_USED, retries: Vec::new() })
            }
        }
    }
}

/// A seat that a script answers.
#[derive(Debug)]
pub struct Scripted {
    face: Face,
    script: Script,
}

impl Scripted {
    /// A seat of this script; `spec` is how it was asked for.
    pub fn new(spec: String, script: Script) -> Self {
        let kind = MindKind::Scripted;
        let face = Face {
            kind,
            spec,
            model: None,
            provider: None,
            reaches: None,
            price: None,
            metered: false,
            output_most: 0,
            window: None,
        };
        Self { face, script }
    }

    fn exhausted(&self, question: &AskContext) -> CallFailure {
        let AskContext { seat, task, round, attempt, .. } = question;
        let detail = format!(
            "{} has no answer for {seat} to {task} in round {round}, attempt {attempt}",
            self.face.spec
        );
        CallFailure::unspent(Cause::lasting("backend/script-exhausted", detail))
    }
}

impl Mind for Scripted {
    fn ask<'a>(&'a self, question: &'a AskContext, _brief: &'a Brief, _pass: &'a dyn Pass) -> Answering<'a> {
        Box::pin(async move {
            let block = self.script.answer(question).ok_or_else(|| self.exhausted(question))?;
            tokio::time::sleep(block.delay).await;
            block.outcome()
        })
    }

    fn at_once(&self, question: &AskContext, _brief: &Brief) -> Option<Result<Reply, CallFailure>> {
        match self.script.answer(question) {
            Some(block) if !block.delay.is_zero() => None,
            Some(block) => Some(block.outcome()),
            None => Some(Err(self.exhausted(question))),
        }
    }

    fn face(&self) -> &Face {
        &self.face
    }
}
