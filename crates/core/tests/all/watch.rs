//! Reading a round: agreement, exits, what still moves, what is common, and likeness in many scripts.

use synod_core::kernel::{Choice, Permille, Response, Who};
use synod_core::watch::{
    Analysis, Apart, Exit, Indicator, Level, Opinion, Over, Rules, Share, Voice, analyse, conformity, exit,
    likeness, spread, statistics,
};

fn rules() -> Rules {
    Rules {
        confidence: ">= 17/20".parse().unwrap(),
        consensus: ">= 9/10".parse().unwrap(),
        groupthink: true,
        still_rounds: 2,
    }
}

fn permille(thousandths: u16) -> Permille {
    Permille::new(thousandths).unwrap()
}

/// One seat's word: `ann yes 0.9 | position | point; point | reasoning`, each part optional. A `!` before the
/// name marks an ordered side, a `?` after it a filled section for objections.
#[derive(Clone)]
struct Word {
    who: Who,
    response: Response,
    ordered: bool,
    objection: bool,
}

impl Word {
    fn voice(&self) -> Voice<'_> {
        let Self { who, response, ordered, objection } = self;
        Voice { who, response, ordered: *ordered, objection: *objection }
    }
}

fn word(line: &str) -> Word {
    let mut parts = line.split('|').map(str::trim);
    let mut head = parts.next().unwrap().split_whitespace();
    let name = head.next().unwrap();
    let mut response = Response::default();
    for item in head {
        match item {
            "yes" => response.stance = Some(Choice::Yes),
            "no" => response.stance = Some(Choice::No),
            "neutral" => response.stance = Some(Choice::Neutral),
            "a" => response.stance = Some(Choice::Option(0)),
            "b" => response.stance = Some(Choice::Option(1)),
            sure => {
                let (_, decimals) = sure.split_once('.').unwrap();
                response.confidence = Some(permille(format!("{decimals:0<3}").parse().unwrap()));
            }
        }
    }
    let mut part = || parts.next().filter(|part| !part.is_empty()).map(String::from);
    response.position = part();
    let points = part().unwrap_or_default();
    response.key_points =
        points.split(';').map(str::trim).filter(|p| !p.is_empty()).map(String::from).collect();
    response.reasoning = part();
    let (ordered, objection) = (name.starts_with('!'), name.ends_with('?'));
    Word { who: Who::parse(name.trim_matches(['!', '?'])).unwrap(), response, ordered, objection }
}

/// One seat a line.
fn round(script: &str) -> Vec<Word> {
    script.lines().map(str::trim).filter(|line| !line.is_empty()).map(word).collect()
}

fn voices(words: &[Word]) -> Vec<Voice<'_>> {
    words.iter().map(Word::voice).collect()
}

fn read(scripts: &[&str]) -> Analysis {
    read_with(&rules(), 0, None, scripts)
}

fn read_with(rules: &Rules, options: usize, seats: Option<usize>, scripts: &[&str]) -> Analysis {
    let rounds: Vec<Vec<Word>> = scripts.iter().map(|script| round(script)).collect();
    let rounds: Vec<Vec<Voice<'_>>> = rounds.iter().map(|words| voices(words)).collect();
    analyse(rules, options, seats.unwrap_or(rounds.last().map_or(0, Vec::len)), &rounds)
}

/// `yes` and `no` so many times, all so sure.
fn split(yes: usize, no: usize, neutral: usize, sure: &str) -> String {
    let sides = [("yes", yes), ("no", no), ("neutral", neutral)];
    let seats = sides.into_iter().flat_map(|(side, count)| std::iter::repeat_n(side, count));
    seats.enumerate().map(|(i, side)| format!("s{i:02} {side} {sure}\n")).collect()
}

fn share(part: u32, whole: u32) -> Option<Share> {
    Some(Share { part, whole })
}

fn names(who: &[Who]) -> String {
    who.iter().map(Who::as_str).collect::<Vec<_>>().join(" ")
}

// Agreement.

#[test]
fn agreement_is_the_largest_side_among_the_known() {
    for (script, expected) in [
        ("ann yes\nbob yes", share(2, 2)),
        ("ann yes\nbob no", share(1, 2)),
        ("ann yes\nbob yes\ncy no", share(2, 3)),
        ("ann yes\nbob neutral\ncy neutral", share(1, 3)),
        ("ann neutral\nbob neutral\ncy neutral", share(0, 3)),
        ("ann yes", None),
        ("ann\nbob", None),
        ("ann yes\nbob", None),
        ("ann yes\nbob yes\ncy", share(2, 2)),
        ("", None),
    ] {
        assert_eq!(read(&[script]).agreement, expected, "{script:?}");
    }
}

#[test]
fn agreement_needs_more_than_half_of_the_free_seats() {
    let of = |seats| read_with(&rules(), 0, Some(seats), &["ann yes\nbob yes"]).agreement;
    assert_eq!(of(3), share(2, 2));
    assert_eq!(of(4), None, "two of four is not more than half");
    let with_order = |seats| read_with(&rules(), 0, Some(seats), &["ann yes\nbob yes\n!cy no"]).agreement;
    assert_eq!(with_order(4), share(2, 2), "the ordered seat is not a free one");
    assert_eq!(with_order(5), None);
}

#[test]
fn ordered_voices_are_listed_and_not_counted() {
    let analysis = read(&["ann yes 0.9\nbob yes 0.9\n!cy no 0.1 | it costs too much money"]);
    assert_eq!(analysis.agreement, share(2, 2));
    assert_eq!(names(&analysis.ordered), "cy");
    assert_eq!((analysis.confidence, analysis.least_confidence), (Some(permille(900)), Some(permille(900))));
    assert_eq!(analysis.clusters.len(), 1);
    assert!(analysis.conflicts.is_empty() && analysis.common_ground.is_empty());
    assert_eq!(exit(&rules(), &analysis, &[]), Some(Exit::Consensus));
}

#[test]
fn levels_begin_where_they_say_and_unknown_is_its_own() {
    for (part, whole, level) in
        [(7, 10, Level::High), (69, 100, Level::Medium), (4, 10, Level::Medium), (39, 100, Level::Low)]
    {
        assert_eq!(Level::of(share(part, whole)), level, "{part} of {whole}");
    }
    assert_eq!(Level::of(None).word(), "unknown");
    assert_eq!(Share { part: 2, whole: 3 }.permille(), permille(667));
    assert_eq!(Share { part: 0, whole: 0 }.permille(), permille(0));
}

#[test]
fn confidence_is_the_mean_of_the_known_and_the_least_needs_all() {
    let analysis = read(&["ann yes 0.9\nbob yes 0.8\ncy yes"]);
    assert_eq!((analysis.confidence, analysis.least_confidence), (Some(permille(850)), None));
    let nobody = read(&["ann yes\nbob yes"]);
    assert_eq!((nobody.confidence, nobody.least_confidence), (None, None));
}

#[test]
fn a_side_that_the_question_does_not_have_is_unknown() {
    let analysis = read_with(&rules(), 2, None, &["ann a\nbob a\ncy b\ndee yes"]);
    assert_eq!(analysis.agreement, share(2, 3));
    assert_eq!(names(&analysis.unknown), "dee");
    assert_eq!(names(&read(&["ann a\nbob yes\ncy yes"]).unknown), "ann");
}

#[test]
fn the_last_word_of_a_seat_is_the_one_read() {
    assert_eq!(read(&["ann no\nann yes\nbob yes"]).agreement, share(2, 2));
}

// Clusters by words.

const CACHE: &str = "We should cache every response at the edge for one hour";
const NO_CACHE: &str = "We should not cache every response at the edge for one hour";
const QUEUE: &str = "Put a durable queue between the writers and the database";

#[test]
fn voices_without_a_side_stand_where_their_words_stand() {
    let analysis =
        read(&[&format!("ann yes | {CACHE}\nbob | {CACHE} only\ncy no | {NO_CACHE}\ndee | {QUEUE}\neli")]);
    let shown: Vec<_> = analysis.clusters.iter().map(|c| (c.stance, names(&c.who))).collect();
    assert_eq!(
        shown,
        [
            (Some(Choice::Yes), "ann bob".to_string()),
            (Some(Choice::No), "cy".to_string()),
            (None, "dee".to_string())
        ]
    );
    assert_eq!(names(&analysis.unknown), "eli");
    assert_eq!(analysis.agreement, share(2, 4));
}

#[test]
fn words_alone_make_clusters_and_reasoning_stands_in_for_a_position() {
    let analysis = read(&[&format!("ann | {CACHE}\nbob | | | {CACHE}\ncy | {NO_CACHE}\ndee | {QUEUE}")]);
    let shown: Vec<_> = analysis.clusters.iter().map(|c| names(&c.who)).collect();
    assert_eq!(shown, ["ann bob", "cy", "dee"]);
    assert_eq!(analysis.conflicts.len(), 2, "sides without a stance, and the sentence itself");
    assert_eq!(analysis.conflicts[0].about, Over::Side);
}

#[test]
fn a_voice_that_sounds_like_two_sides_is_on_neither() {
    let analysis = read(&[&format!("ann yes | {CACHE}\nbob no | {CACHE}\ncy | {CACHE}")]);
    assert_eq!(names(&analysis.unknown), "cy");
}

#[test]
fn the_gist_is_of_the_surest_who_said_anything_and_short() {
    let long = "word ".repeat(100);
    let analysis = read(&[&format!("ann yes 0.5 | {CACHE}\nbob yes 0.9 | {long}\ncy yes 0.99")]);
    let gist = analysis.clusters[0].gist.as_deref().unwrap();
    assert!(gist.starts_with("word word") && gist.chars().count() <= 200, "{gist}");
    assert_eq!(read(&["ann yes\nbob yes"]).clusters[0].gist, None);
}

// Exits.

#[test]
fn consensus_is_met_by_exactly_nine_tenths() {
    let left = |yes, no| exit(&rules(), &read(&[&split(yes, no, 0, "0.5")]), &[]);
    assert_eq!(left(9, 1), Some(Exit::Consensus));
    assert_eq!(left(17, 3), None, "0.85");
    assert_eq!(left(64, 8), None, "0.889");
    assert_eq!(left(65, 7), Some(Exit::Consensus), "0.903");
}

#[test]
fn the_lowest_known_agreement_decides_on_consensus() {
    let rules = rules();
    let (all, most, unknown) =
        (read(&["ann yes\nbob yes"]), read(&[&split(17, 3, 0, "")]), read(&["ann yes"]));
    for (analysis, judged, expected) in [
        (&all, &[900][..], Some(Exit::Consensus)),
        (&all, &[1000, 899], None),
        (&most, &[1000], None),
        (&unknown, &[900], Some(Exit::Consensus)),
        (&unknown, &[950, 850], None),
        (&unknown, &[], None),
    ] {
        let judged: Vec<Permille> = judged.iter().map(|one| permille(*one)).collect();
        assert_eq!(exit(&rules, analysis, &judged), expected, "{judged:?}");
    }
}

#[test]
fn all_in_neutral_is_no_consensus_for_a_side() {
    let analysis = read(&[&split(0, 0, 5, "0.95")]);
    assert_eq!(analysis.agreement, share(0, 5));
    assert_eq!(exit(&rules(), &analysis, &[]), None);
}

#[test]
fn confidence_ends_a_stage_unless_sides_stand_against_each_other() {
    for (yes, no, neutral, sure, expected) in [
        (1, 1, 0, "0.95", None),
        (2, 2, 0, "0.95", None),
        (2, 1, 0, "0.95", None),
        (3, 2, 0, "0.95", None),
        (3, 1, 0, "0.85", Some(Exit::Confidence)),
        (3, 1, 0, "0.849", None),
        (8, 2, 0, "0.9", Some(Exit::Confidence)),
        (2, 0, 2, "0.9", Some(Exit::Confidence)),
        (1, 0, 2, "0.9", None),
        (3, 1, 0, "", None),
    ] {
        let analysis = read(&[&split(yes, no, neutral, sure)]);
        assert_eq!(exit(&rules(), &analysis, &[]), expected, "{yes} {no} {neutral} {sure}");
    }
    let one_unsaid = read(&["ann yes 0.9\nbob yes 0.9\ncy yes 0.9\ndee no"]);
    assert_eq!(exit(&rules(), &one_unsaid, &[]), None);
}

#[test]
fn the_order_is_consensus_convergence_confidence() {
    let still = format!(
        "ann yes 0.9 | {CACHE}\nbob yes 0.9 | {CACHE}\ncy yes 0.9 | {QUEUE}\ndee no 0.9 | {NO_CACHE}"
    );
    let analysis = read(&[&still, &still, &still]);
    assert_eq!(exit(&rules(), &analysis, &[]), Some(Exit::Convergence), "confidence would hold too");
    assert_eq!(exit(&rules(), &read(&[&still]), &[]), Some(Exit::Confidence));
    let agreed = format!("ann yes 0.9 | {CACHE}\nbob yes 0.9 | {CACHE}");
    assert_eq!(exit(&rules(), &read(&[&agreed, &agreed, &agreed]), &[]), Some(Exit::Consensus));
    assert_eq!(Exit::Convergence.words(), "positions no longer change");
}

// Convergence.

#[test]
fn two_rounds_are_never_enough_for_two_intervals() {
    let same = format!("ann yes | {CACHE}\nbob no | {NO_CACHE}");
    let after = |rounds: usize| read(&vec![same.as_str(); rounds]).converged;
    assert_eq!([after(1), after(2), after(3), after(4)], [None, None, Some(true), Some(true)]);
    let unwatched = Rules { still_rounds: 0, ..rules() };
    assert_eq!(read_with(&unwatched, 0, None, &[&same, &same, &same]).converged, None);
}

#[test]
fn whoever_moves_keeps_it_moving() {
    let with = |bob: &str| format!("ann yes | {CACHE}\nbob {bob}");
    let still = with(&format!("no | {NO_CACHE}"));
    let check = |first: &str, second: &str, third: &str| read(&[first, second, third]).converged;
    let cases = [
        ("side", with(&format!("yes | {NO_CACHE}")), Some(false)),
        ("words", with(&format!("no | {QUEUE}")), Some(false)),
        ("a denial", with(&format!("no | {CACHE}")), Some(false)),
        ("silence", with("no"), None),
        ("a reworded end", with(&format!("no | {NO_CACHE} or so")), Some(true)),
        ("a figure", with(&format!("no | {NO_CACHE}, 20 percent")), Some(true)),
    ];
    for (what, moved, expected) in &cases {
        assert_eq!(check(&still, &still, moved), *expected, "{what} last");
        assert_eq!(check(&still, moved, &still), *expected, "{what} between");
        assert_eq!(check(moved, &still, &still), *expected, "{what} first");
    }
    let moved = cases[0].1.as_str();
    assert_eq!(read(&[moved, &still, &still, &still]).converged, Some(true), "long ago does not matter");
}

#[test]
fn a_missing_seat_is_no_convergence() {
    let (both, one) = (format!("ann yes | {CACHE}\nbob yes | {CACHE}"), format!("ann yes | {CACHE}"));
    for rounds in [[&one, &both, &both], [&both, &one, &both], [&both, &both, &one]] {
        assert_eq!(read(&rounds.map(String::as_str)).converged, Some(false));
    }
    let ordered = format!("ann yes | {CACHE}\n!bob yes | {CACHE}");
    assert_eq!(read(&[&both, &ordered, &both]).converged, Some(false));
    assert_eq!(read(&[&ordered, &ordered, &ordered]).converged, Some(true), "the ordered one is not asked");
}

#[test]
fn convergence_is_not_told_where_nothing_is_known() {
    assert_eq!(read(&["ann\nbob", "ann\nbob", "ann\nbob"]).converged, None);
    assert_eq!(read(&["", "", ""]).converged, None);
    assert_eq!(read(&["ann yes\nbob no"; 3]).converged, Some(true), "sides without words");
}

// Likeness.

const ALIKE: u16 = 600;

#[test]
fn a_denial_makes_two_texts_unlike_in_any_language() {
    for (said, denied) in [
        ("We should cache", "We should not cache"),
        ("We should cache", "We shouldn\u{2019}t cache"),
        ("It can be cached", "It cannot be cached"),
        ("Deploy with tests", "Deploy without tests"),
        ("We have time to wait", "We have no time to wait"),
        ("Wir sollten das zwischenspeichern", "Wir sollten das nicht zwischenspeichern"),
        ("Das ist eine gute Lösung", "Das ist keine gute Lösung"),
        ("Il faut mettre en cache", "Il ne faut pas mettre en cache"),
        ("C'est une bonne solution", "Ce n'est pas une bonne solution"),
        ("Debemos usar la caché", "No debemos usar la caché"),
        ("Dobbiamo usare la cache", "Non dobbiamo usare la cache"),
        ("Devemos usar o cache no servidor", "Não devemos usar o cache no servidor"),
        ("We moeten dit bewaren", "We moeten dit niet bewaren"),
        ("Мы должны кэшировать ответы", "Мы не должны кэшировать ответы"),
        ("我们应该缓存所有响应", "我们不应该缓存所有响应"),
        ("有足够的时间", "没有足够的时间"),
        ("キャッシュを使うべきである", "キャッシュを使うべきではない"),
        ("キャッシュを使います", "キャッシュを使いません"),
        ("캐시를 사용하는 것이 좋다", "캐시를 사용하는 것이 좋지 않다"),
        ("캐시를 한다", "캐시를 안 한다"),
        ("이 설계에는 cache있다", "이 설계에는 cache없다"),
        ("يجب أن نستخدم الذاكرة", "لا يجب أن نستخدم الذاكرة"),
        ("हमें कैश करना चाहिए", "हमें कैश नहीं करना चाहिए"),
    ] {
        assert_eq!(likeness(said, denied).get(), 0, "{said} / {denied}");
        assert_eq!(likeness(denied, denied).get(), 1000, "{denied}");
    }
}

#[test]
fn what_only_seems_to_deny_does_not() {
    for (said, other) in [
        ("I know the notes and another note", "I know the notes and another note too"),
        ("We should cache the responses", "No, we should cache the responses"),
        ("It saves time and money", "It saves not only time but money"),
        ("We should cache this", "No doubt we should cache this"),
        ("The non-blocking client is faster", "The nonblocking client is faster"),
        ("Il faut cacher les réponses du serveur", "Il ne faut cacher que les réponses du serveur"),
        ("Wir sparen Zeit und Geld im Betrieb", "Wir sparen nicht nur Zeit und Geld im Betrieb"),
        ("Usamos o cache no servidor com uma regra", "Usamos o cache em um servidor com uma regra"),
        ("这是非常好的解决方案", "这是很好的解决方案"),
        ("我们必须缓存所有的响应数据", "我们不得不缓存所有的响应数据"),
        ("それは安全かもしれないと思う", "それは安全かもと思う"),
        ("이 방안은 안전하다고 생각한다", "이 방안은 안전하다고 생각합니다"),
        ("Мы экономим время и деньги", "Мы экономим не только время, но и деньги"),
        ("لا شك أن الحل جيد وسريع", "إن الحل جيد وسريع"),
        ("We shall neither cache nor log requests", "We shall not cache or log requests"),
        ("Wir wollen weder Cache noch Log", "Wir wollen keinen Cache noch Log"),
        ("Никто не знает ответа на вопрос", "Не знаем ответа на этот вопрос"),
        ("No sabemos nada del servidor central", "No sabemos mucho del servidor central"),
    ] {
        assert!(likeness(said, other).get() > 450, "{said} / {other}: {}", likeness(said, other));
    }
}

#[test]
fn the_same_words_turned_round_are_unlike() {
    for (one, other) in [
        ("Use Kafka, not Rabbit, for events", "Use Rabbit, not Kafka, for events"),
        ("Nehmt Kafka, nicht Rabbit", "Nehmt Rabbit, nicht Kafka"),
        ("使用缓存,不使用日志", "使用日志,不使用缓存"),
        ("Keep 3 replicas of each shard", "Keep 5 replicas of each shard"),
        ("We should approve the merger now", "We should reject the merger now"),
        ("Die Kosten werden stark steigen", "Die Kosten werden stark sinken"),
        ("我们支持这个提案", "我们反对这个提案"),
    ] {
        assert_eq!(likeness(one, other).get(), 0, "{one} / {other}");
    }
    let (one, other) =
        ("We should not adopt it until tests are cheap", "Until tests are cheap we should not adopt it");
    assert!(likeness(one, other).get() >= ALIKE, "the order of clauses is no difference");
}

#[test]
fn likeness_holds_over_scripts_and_spellings() {
    for (one, other) in [
        ("We should cache the responses at the edge", "We should cache responses at the edge, I think"),
        ("Straße und Maß", "STRASSE UND MASS"),
        ("ﬁne tuning", "FINE TUNING"),
        ("Мы должны кэшировать ответы на границе", "Мы должны кэшировать все ответы на границе"),
        ("我们应该在边缘缓存所有响应", "我们应该在边缘缓存响应"),
        ("エッジですべての応答をキャッシュするべきだ", "エッジで応答をキャッシュするべきだ"),
        ("يجب أن نخزن الردود على الحافة", "يَجِبُ أن نخزن الردود على الحافة"),
        ("हमें उत्तरों को कैश करना चाहिए", "हमें सभी उत्तरों को कैश करना चाहिए"),
        ("응답을 모두 캐시해야 합니다", "응답을 캐시해야 합니다"),
    ] {
        assert!(likeness(one, other).get() >= ALIKE, "{one} / {other}: {}", likeness(one, other));
    }
    for (one, other) in [
        (CACHE, QUEUE),
        ("Мы должны кэшировать ответы", "Очередь решает проблему нагрузки"),
        ("我们应该缓存所有响应", "队列可以解决负载问题"),
        ("応答をキャッシュするべきだ", "待ち行列で負荷を解決できる"),
        ("يجب أن نخزن الردود", "قائمة الانتظار تحل المشكلة"),
        ("👍", "👎"),
        ("Yes.", "No."),
        ("cache", ""),
    ] {
        assert!(likeness(one, other).get() < 350, "{one} / {other}: {}", likeness(one, other));
    }
}

// Points.

#[test]
fn common_ground_over_sides_comes_first() {
    let analysis = read(&["ann yes | p | The rollout must be gradual; Latency drops by half
         bob yes | p | Latency drops by half
         cy no | p | The rollout must be gradual; Storage costs rise
         dee no | p | Writes get slower"]);
    let shown: Vec<_> =
        analysis.common_ground.iter().map(|p| (p.sides, p.text.as_str(), names(&p.who))).collect();
    assert_eq!(
        shown,
        [
            (2, "The rollout must be gradual", "ann cy".to_string()),
            (1, "Latency drops by half", "ann bob".to_string())
        ]
    );
}

#[test]
fn sentences_of_the_position_are_points_where_no_key_points_are_given() {
    let analysis = read(&["ann yes | Yes. Caching halves the latency of reads. Ship it soon in May.
         bob no | Yes. Caching halves the latency of all reads. The bill doubles."]);
    let shown: Vec<_> = analysis.common_ground.iter().map(|p| p.text.as_str()).collect();
    assert_eq!(shown, ["Caching halves the latency of reads."]);
}

#[test]
fn conflicts_are_of_sides_and_of_points() {
    let analysis = read(&["ann yes | For it | The cache is safe under load
         bob yes | For it | The cache is safe under load
         cy no | Against | The cache is not safe under load
         dee neutral | Who knows | Nobody asked the users"]);
    let shown: Vec<_> =
        analysis.conflicts.iter().map(|c| (c.about, names(&c.one.who), names(&c.other.who))).collect();
    let pair = || ("ann bob".to_string(), "cy".to_string());
    assert_eq!(shown, [(Over::Side, pair().0, pair().1), (Over::Point, pair().0, pair().1)]);
    assert_eq!(analysis.conflicts[1].other.gist.as_deref(), Some("The cache is not safe under load"));
}

#[test]
fn who_says_both_is_on_neither_side_of_a_point() {
    let analysis =
        read(&["ann yes | p | The cache is safe; The cache is not safe\nbob yes | p | Costs are low here"]);
    assert!(analysis.conflicts.is_empty(), "{:?}", analysis.conflicts);
}

#[test]
fn lists_are_cut_off() {
    let points = |name: usize, word: &str| {
        let many: Vec<String> =
            ('a'..='h').map(|c| format!("{}{word} fits", c.to_string().repeat(9))).collect();
        format!("s{name:02} yes | p | {}\n", many.join("; "))
    };
    let script: String = (0..20).map(|i| points(i, if i % 2 == 0 { " never" } else { "" })).collect();
    let analysis = read(&[&script]);
    assert_eq!((analysis.common_ground.len(), analysis.conflicts.len()), (8, 8));
    let options: String = (0..6)
        .map(|i| format!("s{i} | {}\n", QUEUE.replace("durable", &"xyzuvw"[i..=i].repeat(40))))
        .collect();
    assert!(read(&[&options]).conflicts.is_empty(), "other words are not against each other");
}

#[test]
fn nuances_are_differences_within_one_side() {
    let analysis =
        read(&[&format!("ann yes 0.95 | {CACHE}\nbob yes 0.55 | {QUEUE}\ncy yes 0.9 | {CACHE} then")]);
    let shown: Vec<_> = analysis.nuances.iter().map(|n| (n.apart, n.stance, names(&n.who))).collect();
    assert_eq!(
        shown,
        [
            (Apart::Reasons, Some(Choice::Yes), "ann bob".to_string()),
            (Apart::Confidence, Some(Choice::Yes), "ann bob".to_string())
        ]
    );
    let near = read(&[&format!("ann yes 0.9 | {CACHE}\nbob yes 0.501 | {CACHE}")]);
    assert!(near.nuances.is_empty(), "{:?}", near.nuances);
}

// Groupthink.

fn signs(scripts: &[&str]) -> Vec<Indicator> {
    read(scripts).groupthink
}

#[test]
fn all_sure_and_alike_is_a_sign() {
    let alike =
        |sure: &str| format!("ann yes 0.9 | {CACHE}\nbob? yes {sure} | {CACHE}\ncy yes 0.9 | {CACHE}");
    assert_eq!(signs(&[&alike("0.85")]), [Indicator::ConfidentAndAlike]);
    assert_eq!(signs(&[&alike("0.84")]), []);
    assert_eq!(signs(&[&alike("")]), [], "not stated is not sure");
    let off = Rules { groupthink: false, ..rules() };
    assert_eq!(read_with(&off, 0, None, &[&alike("0.9")]).groupthink, []);
    let two = format!("ann yes 0.9 | {CACHE}\nbob yes 0.9 | {CACHE}");
    assert_eq!(signs(&[&two]), [], "two are no group");
}

#[test]
fn no_alternative_needs_all_on_one_side_and_no_word_for_another() {
    let with = |cy: &str| format!("ann yes | {CACHE}\nbob yes | {QUEUE}\n{cy}");
    let none = [Indicator::NoAlternative];
    assert_eq!(signs(&[&with("cy yes | It is cheap and quick")]), none);
    assert_eq!(signs(&[&with("cy? yes | It is cheap and quick")]), [], "weighed in its section");
    assert_eq!(signs(&[&with("cy yes | It is cheap | The alternative is slower")]), []);
    assert_eq!(signs(&[&with("cy yes | Billig | | Der Nachteil ist klein")]), []);
    assert_eq!(signs(&[&with("cy yes | It is cheap, rather than quick")]), []);
    assert_eq!(signs(&[&with("cy no | It is cheap and quick")]), []);
    assert_eq!(signs(&[&with("dee yes | p\ncy")]), [], "one whose side cannot be told");
    assert_eq!(signs(&[&with("cy yes | Είναι φτηνό και γρήγορο")]), [], "a script without a list");
}

#[test]
fn dissent_that_falls_silent_is_a_sign() {
    let before = format!("ann yes | {CACHE}\nbob? yes | {CACHE}\ncy no | {QUEUE}\ndee yes | {CACHE}");
    let after = |cy: &str| format!("ann yes | {CACHE}\nbob? yes | {CACHE}\ncy {cy}\ndee yes | {CACHE}");
    let dropped = [Indicator::DissentDropped { who: Who::parse("cy").unwrap() }];
    assert_eq!(signs(&[&before, &after("yes 0.6")]), dropped);
    assert_eq!(signs(&[&before, &after(&format!("yes | {CACHE}"))]), dropped);
    assert_eq!(signs(&[&before, &after("yes | I now vote yes.")]), dropped);
    assert_eq!(signs(&[&before, &after("yes | The load test of May shows the origin survives purges")]), []);
    assert_eq!(signs(&[&before, &after(&format!("no | {QUEUE}"))]), [], "still there");
    let torn = format!("ann yes | {CACHE}\nbob? yes | {CACHE}\ncy no | {QUEUE}\ndee no | {QUEUE}");
    assert_eq!(signs(&[&torn, &after("yes")]), [], "two of four were no minority");
}

#[test]
fn agreement_by_reference_is_a_sign() {
    let with = |cy: &str| format!("ann yes | {CACHE} | Reads get faster\nbob? yes | {QUEUE}\ncy yes {cy}");
    let referring = [Indicator::ByReference { who: Who::parse("cy").unwrap() }];
    for cy in [
        "| Yes | | I agree with Ann.",
        "| I agree with Ann and Bob. | Reads get faster",
        "| Yes | | As Ann said, reads get faster.",
        "| Ja | | Ich stimme Ann zu.",
        "| Ja | | Wie Ann sagt. Ich folge der Mehrheit.",
        "| Yes | | Like the others, I vote yes.",
    ] {
        assert_eq!(signs(&[&with(cy)]), referring, "{cy}");
    }
    for cy in [
        "| I agree with Ann. | Purging takes two seconds in the pilot",
        "| Yes | | I agree with Ann. The pilot in May cut the bill by half.",
        "| Reads get faster",
    ] {
        assert_eq!(signs(&[&with(cy)]), [], "{cy}");
    }
}

#[test]
fn a_changed_vote_that_names_no_argument_is_conformity() {
    for none in [
        "",
        "  ",
        "-",
        "none",
        "N/A",
        "too risky",
        "the others agree",
        "Most voted yes.",
        "I was convinced by the majority",
        "I was convinced by the arguments of the others.",
        "I agree with Bob.",
        "no new argument",
        "Die Mehrheit hat mich überzeugt",
        "Ich schließe mich der Mehrheit an.",
        "Die anderen haben dafür gestimmt.",
        "大多数人都同意",
    ] {
        assert!(conformity(Some(none)), "{none}");
    }
    assert!(conformity(None));
    for argument in [
        "The purge test shows stale prices",
        "I was convinced by the load test that Bob cited",
        "The majority showed that purging takes two seconds",
        "Cost matters most",
        "Die anderen zeigen, dass die Kosten sinken",
        "测试表明缓存会降低成本",
        "Стоимость хранения растёт вдвое",
    ] {
        assert!(!conformity(Some(argument)), "{argument}");
    }
}

// Judges and statistics.

#[test]
fn the_spread_is_over_all_known_agreements() {
    let opinion =
        |agreement: Option<u16>| Opinion { agreement: agreement.map(permille), ..Opinion::default() };
    let (known, unknown) = (read(&["ann yes\nbob yes\ncy no"]), read(&["ann yes"]));
    assert_eq!(spread(&known, &[opinion(Some(900)), opinion(None)]), Some((permille(667), permille(900))));
    assert_eq!(spread(&known, &[]), Some((permille(667), permille(667))));
    assert_eq!(
        spread(&unknown, &[opinion(Some(400)), opinion(Some(300))]),
        Some((permille(300), permille(400)))
    );
    assert_eq!(spread(&unknown, &[opinion(None)]), None);
}

#[test]
fn statistics_name_nobody_and_invent_nothing() {
    let words = round(&format!(
        "ann b 0.9 | {QUEUE}\nbob a 0.8 | {CACHE}\ncy b | {CACHE} only\ndee no | one word here\neli neutral\nfay"
    ));
    let responses: Vec<&Response> = words.iter().map(|word| &word.response).collect();
    let figures = statistics(2, &responses);
    assert_eq!(figures.mean_confidence, Some(permille(850)));
    assert_eq!(
        figures.stances,
        [(Choice::Option(0), 1), (Choice::Option(1), 2), (Choice::No, 1), (Choice::Neutral, 1)]
    );
    let positions: Vec<_> = figures.positions.iter().map(|(said, count)| (said.as_str(), *count)).collect();
    assert_eq!(positions, [(CACHE, 2), (QUEUE, 1), ("one word here", 1)]);
    let none = statistics(0, &[&Response::default()]);
    assert_eq!((none.mean_confidence, none.stances, none.positions), (None, vec![], vec![]));
}

#[test]
fn only_five_positions_are_shown() {
    let words: Vec<Word> = (0..7).map(|i| word(&format!("s{i} | {}", "abcdefg"[i..=i].repeat(12)))).collect();
    let responses: Vec<&Response> = words.iter().map(|word| &word.response).collect();
    let shown = statistics(0, &responses).positions;
    assert_eq!(shown.len(), 5);
    assert_eq!(shown[0].0, "aaaaaaaaaaaa");
}

// What holds for every round.

struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides as u64) as usize
    }
}

const TEXTS: [&str; 12] = [
    CACHE,
    NO_CACHE,
    QUEUE,
    "Wir sollten nicht warten, sondern messen.",
    "我们应该缓存所有响应。不要等待。",
    "I agree with the majority. As ann said, it is fine.",
    "",
    "👍 ok",
    "キャッシュを使うべきではない",
    "Не ждать, а измерять 3 раза",
    "يجب ألا ننتظر ولا نقيس",
    "We should cache every response at the edge. Put a queue between the writers.",
];

fn any_round(dice: &mut Dice) -> Vec<Word> {
    let mut words = Vec::new();
    for name in ["ann", "bob", "cy", "dee", "eli", "fay", "gus"] {
        if dice.roll(6) == 0 {
            continue;
        }
        let mut word = word(name);
        let stances =
            [None, Some(Choice::Yes), Some(Choice::No), Some(Choice::Neutral), Some(Choice::Option(1))];
        word.response.stance = stances[dice.roll(5)];
        word.response.confidence = [None, Permille::new(dice.roll(1001) as u16)][dice.roll(2)];
        word.response.position = Some(TEXTS[dice.roll(12)].to_string());
        word.response.reasoning = [None, Some(TEXTS[dice.roll(12)].to_string())][dice.roll(2)].clone();
        word.response.key_points = (0..dice.roll(3)).map(|_| TEXTS[dice.roll(12)].to_string()).collect();
        (word.ordered, word.objection) = (dice.roll(5) == 0, dice.roll(5) == 0);
        words.push(word);
    }
    words
}

#[test]
fn the_order_of_voices_changes_nothing_and_shares_are_shares() {
    for seed in 1..400u64 {
        let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let rounds: Vec<Vec<Word>> = (0..1 + dice.roll(4)).map(|_| any_round(&mut dice)).collect();
        let options = dice.roll(2) * 3;
        let forwards: Vec<_> = rounds.iter().map(|words| voices(words)).collect();
        let mut shuffled = forwards.clone();
        for round in &mut shuffled {
            (1..round.len()).rev().for_each(|at| round.swap(at, dice.roll(at + 1)));
        }
        let analysis = analyse(&rules(), options, 7, &forwards);
        assert_eq!(analysis, analyse(&rules(), options, 7, &shuffled), "seed {seed}");
        if let Some(Share { part, whole }) = analysis.agreement {
            assert!(part <= whole && (2..=7).contains(&whole), "seed {seed}: {part} of {whole}");
        }
        let counted: usize = analysis.clusters.iter().map(|cluster| cluster.who.len()).sum();
        let last = rounds.last().unwrap().len();
        assert_eq!(counted + analysis.unknown.len() + analysis.ordered.len(), last, "seed {seed}");
        let written = serde_json::to_string(&analysis).unwrap();
        assert_eq!(serde_json::from_str::<Analysis>(&written).unwrap(), analysis, "seed {seed}");
        let canonical = serde_json::from_str::<serde_json::Value>(&written).unwrap().to_string();
        assert_eq!(written, canonical, "seed {seed}: fields stand in their canonical order");
    }
}

#[test]
fn likeness_is_symmetric_and_whole_for_the_same_text() {
    let mut dice = Dice(77);
    for _ in 0..2000 {
        let text = |dice: &mut Dice| {
            let alphabet: Vec<char> = "ab no nicht n't不なi.,-'не é7 ".chars().collect();
            (0..dice.roll(40)).map(|_| alphabet[dice.roll(alphabet.len())]).collect::<String>()
        };
        let (one, other) = (text(&mut dice), text(&mut dice));
        assert_eq!(likeness(&one, &other), likeness(&other, &one), "{one:?} {other:?}");
        assert_eq!(likeness(&one, &one).get(), 1000, "{one:?}");
    }
}

/// Words that are no filler and point at nobody; some deny, some are of another script.
const SAID: [&str; 28] = [
    "cache",
    "edge",
    "queue",
    "writers",
    "reads",
    "latency",
    "budget",
    "pilot",
    "customers",
    "won't",
    "can't",
    "never",
    "not",
    "cannot",
    "without",
    "17",
    "250",
    "40",
    "9.5",
    "Кэш",
    "читать",
    "не",
    "запись",
    "réponse",
    "Straße",
    "缓存所有响应",
    "不要等待",
    "non-blocking",
];

fn sentence(dice: &mut Dice) -> String {
    let words: Vec<&str> = (0..4 + dice.roll(8)).map(|_| SAID[dice.roll(SAID.len())]).collect();
    // Two plain words more, so that every sentence says something.
    format!("invalidation replicas {}", words.join(" "))
}

/// A sentence that is another one with some words changed.
fn varied(dice: &mut Dice, of: &str) -> String {
    let change = |word: &str, dice: &mut Dice| match dice.roll(4) {
        0 => SAID[dice.roll(SAID.len())].to_string(),
        _ => word.to_string(),
    };
    of.split(' ').map(|word| change(word, dice)).collect::<Vec<_>>().join(" ")
}

/// A voice that points at others adds nothing exactly if each of its sentences is half like some sentence of theirs.
#[test]
fn what_adds_nothing_is_told_by_likeness_alone() {
    let (mut adds, mut repeats) = (0, 0);
    for seed in 1..1500u64 {
        let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let others: Vec<String> = (0..6).map(|_| sentence(&mut dice)).collect();
        let own: Vec<String> = (0..1 + dice.roll(2))
            .map(|_| match dice.roll(5) {
                0 => sentence(&mut dice),
                _ => {
                    let of = others[dice.roll(6)].clone();
                    varied(&mut dice, &of)
                }
            })
            .collect();
        let script = format!(
            "ann yes | {} | {}\nbob yes | {} | {}\ndee yes | {} | {}\ncy yes | Yes | {} | I agree with Ann.",
            others[0],
            others[1],
            others[2],
            others[3],
            others[4],
            others[5],
            own.join(" | ")
        );
        let mut words = round(&script);
        words[3].response.key_points = own.clone();
        words[3].response.reasoning = Some("I agree with Ann.".into());
        let found = analyse(&rules(), 0, 4, &[voices(&words)]).groupthink;
        let said: Vec<&str> = words[..3]
            .iter()
            .flat_map(|word| {
                word.response.position.iter().chain(&word.response.key_points).map(String::as_str)
            })
            .collect();
        let told = |one: &String| said.iter().any(|other| likeness(one, other) >= permille(500));
        let expected = own.iter().all(told);
        let referring = Indicator::ByReference { who: Who::parse("cy").unwrap() };
        assert_eq!(found.contains(&referring), expected, "seed {seed}: {own:?} beside {said:?}");
        *(if expected { &mut repeats } else { &mut adds }) += 1;
    }
    assert!(adds > 100 && repeats > 100, "{adds} add something, {repeats} nothing");
}
