//! One small call, to find out whether a backend answers. Nothing is recorded in any house.

use std::sync::Arc;
use std::time::{Duration, Instant};

use synod_core::brief::{Brief, Form, Layer, VoteForm};
use synod_core::kernel::Who;
use synod_minds::{AskContext, CallEstimate, Granting, Mind, MindKind, MindTask, Pass, Permit, Reply};

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

/// Asks a backend once, outside of any matter; what it answered, or why it did not.
pub(crate) async fn ask_once(
    mind: &dyn Mind,
    task: MindTask,
    topic: &str,
    told: [String; 2],
    form: Arc<Form>,
) -> Result<Reply, String> {
    let limit = match mind.face().kind {
        MindKind::CommandLine => PROGRAM,
        MindKind::Model | MindKind::Person | MindKind::Scripted | MindKind::Rehearsal => MODEL,
    };
    let [stable, own] = told;
    let brief = Brief { stable: Layer::new(stable), shared: Layer::new(String::new()), own, form };
    let seat = Who::parse("test")?;
    let question = AskContext {
        seat,
        task,
        round: 1,
        attempt: 1,
        topic: topic.into(),
        options: 0,
        option_texts: Vec::new(),
        side: None,
        limit_ms: None,
    };
    let answer = match mind.at_once(&question, &brief) {
        Some(answer) => answer,
        None => match tokio::time::timeout(limit, mind.ask(&question, &brief, &Freely)).await {
            Ok(answer) => answer,
            Err(_) => return Err(format!("no answer within {} s", limit.as_secs())),
        },
    };
    match answer {
        Ok(reply) if reply.text.trim().is_empty() => Err("the answer was empty".into()),
        Ok(reply) => Ok(reply),
        Err(failure) => Err(failure.cause.detail.to_string()),
    }
}

/// Asks once; gives how long the answer took, or why there was none.
pub(crate) async fn probe(mind: &dyn Mind) -> Result<Duration, String> {
    let topic = "Is this connection working?";
    let form = Form::vote(0, VoteForm::default());
    let own = format!(
        "This is a test of the connection, and nothing depends on it. Question: {topic}\n\
         Answer YES, with a reason of three words.\nAnswer with one JSON object of this schema:\n{}\n",
        form.schema()
    );
    let told = ["You are tested for a council.\n".into(), own];
    let begun = Instant::now();
    ask_once(mind, MindTask::Vote, topic, told, Arc::new(form)).await?;
    Ok(begun.elapsed())
}
