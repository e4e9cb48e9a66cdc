//! One small call, to find out whether a backend answers. Nothing is recorded in any house.

use std::sync::Arc;
use std::time::{Duration, Instant};

use synod_core::brief::{Brief, Form, Layer, VoteForm};
use synod_core::kernel::Who;
use synod_minds::{AskContext, CallEstimate, Granting, Mind, MindKind, MindTask, Pass, Permit};

/// How long a model may take; one on this machine may have to be loaded first.
const MODEL: Duration = Duration::from_secs(60);
/// How long a program may take: it may start an agent that thinks.
const PROGRAM: Duration = Duration::from_secs(120);

/// Lets every call be made: there is no budget to keep.
struct Freely;

impl Pass for Freely {
    fn begin<'a>(&'a self, _estimate: CallEstimate) -> Granting<'a> {
        Box::pin(async { Ok(Permit::default()) })
    }
}

/// Asks once; gives how long the answer took, or why there was none.
pub(crate) async fn probe(mind: &dyn Mind) -> Result<Duration, String> {
    let limit = match mind.face().kind {
        MindKind::CommandLine => PROGRAM,
        MindKind::Model | MindKind::Person | MindKind::Scripted | MindKind::Rehearsal => MODEL,
    };
    let topic = "Is this connection working?";
    let form = Form::vote(0, VoteForm::default());
    let own = format!(
        "This is a test of the connection, and nothing depends on it. Question: {topic}\n\
         Answer YES, with a reason of three words.\nAnswer with one JSON object of this schema:\n{}\n",
        form.schema()
    );
    let brief = Brief {
        stable: Layer::new("You are tested for a council.\n".into()),
        shared: Layer::new(String::new()),
        own,
        form: Arc::new(form),
    };
    let seat = Who::parse("test")?;
    let question = AskContext {
        seat,
        task: MindTask::Vote,
        round: 1,
        attempt: 1,
        topic: topic.into(),
        options: 0,
        option_texts: Vec::new(),
        side: None,
        limit_ms: None,
    };
    let begun = Instant::now();
    let answer = match mind.at_once(&question, &brief) {
        Some(answer) => answer,
        None => match tokio::time::timeout(limit, mind.ask(&question, &brief, &Freely)).await {
            Ok(answer) => answer,
            Err(_) => return Err(format!("no answer within {} s", limit.as_secs())),
        },
    };
    match answer {
        Ok(reply) if reply.text.trim().is_empty() => Err("the answer was empty".into()),
        Ok(_) => Ok(begun.elapsed()),
        Err(failure) => Err(failure.cause.detail.to_string()),
    }
}
