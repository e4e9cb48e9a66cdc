//! Likeness of texts in many scripts.

use synod_core::watch::likeness;

use super::{CACHE, QUEUE};

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
