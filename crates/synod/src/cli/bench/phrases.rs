//! The sentences that seats of the benchmarks are made to say, in three scripts. `#` stands for a figure.
//!
//! To add a language: one more [`Phrases`], and its place in [`SpokenLanguages::of`].

/// Sentences of one language.
pub(super) struct Phrases {
    pub(super) carrying: &'static [&'static str],
    pub(super) rejecting: &'static [&'static str],
    pub(super) weighing: &'static [&'static str],
    pub(super) reasons: &'static [&'static str],
    pub(super) points: &'static [&'static str],
    pub(super) asides: &'static [&'static str],
}

/// The languages that the seats of a debate speak.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SpokenLanguages {
    /// English, all of them.
    English,
    /// English, with every sixth seat in Russian and every sixth in Chinese.
    Mixed,
}

impl SpokenLanguages {
    /// What the seat at this place speaks.
    pub(super) fn of(self, place: usize) -> &'static Phrases {
        match (self, place % 6) {
            (Self::Mixed, 4) => &RUSSIAN,
            (Self::Mixed, 5) => &CHINESE,
            (Self::Mixed | Self::English, _) => &ENGLISH,
        }
    }
}

static ENGLISH: Phrases = Phrases {
    carrying: &[
        "Cache the hot part of the index for # seconds and serve the rest from the store.",
        "A cache in front of search pays for itself once # queries a second repeat.",
        "Yes, within a limit of # megabytes and behind a switch that turns it off.",
        "Keep one cached copy per zone and let it expire after # seconds.",
    ],
    rejecting: &[
        "Leave the index uncached: # writes an hour make every copy wrong most of the day.",
        "No cache before the slow query number # is repaired, since it would only hide it.",
        "Buy memory for the store instead; # gigabytes hold the whole index.",
        "A stale price shown # times a day costs more than the milliseconds it saves.",
    ],
    weighing: &[
        "Both cases rest on how often the hot part changes, and # samples do not tell.",
        "The gain is real at # queries a second and gone below it.",
        "Neither side has said who is called at night when # copies disagree.",
        "What decides it is whether # seconds of staleness break a promise.",
    ],
    reasons: &[
        "Over the last # days reads outnumbered writes by two orders of magnitude, and most of them asked for the same few pages.",
        "The nightly import touches # thousand rows at once, so whatever is kept aside has to be thrown away then.",
        "In the trial of last spring the ninety-ninth percentile fell by # milliseconds and the median hardly moved.",
        "Two people know how invalidation works here, and one of them leaves in # weeks.",
        "The contract with the largest customer allows # seconds between a change and its appearance in search.",
        "Every layer that keeps state has cost us # incidents a year, and this would be the fourth of them.",
        "The store spends # percent of its time on parsing the same queries again, which a smaller change would save.",
        "If demand grows as planned, the present machines are full in # months, with or without what is proposed.",
    ],
    points: &[
        "reads dominate by a factor of #",
        "# seconds of staleness are allowed",
        "one more thing to watch, at # pages a month",
        "the import clears # thousand keys",
        "memory for it costs # a month",
        "rolling it back takes # minutes",
    ],
    asides: &[
        "It would change if # percent of reads went elsewhere.",
        "Nobody has measured it above # queries a second.",
        "The figure of # is from one week only.",
        "Ask operations how # nodes restart.",
        "It holds for the # largest tenants.",
    ],
};

static RUSSIAN: Phrases = Phrases {
    carrying: &[
        "Кэшировать горячую часть индекса на # секунд, а остальное брать из хранилища.",
        "Кэш окупается, как только повторяются # запросов в секунду.",
        "Да, но не больше # мегабайт и с выключателем.",
    ],
    rejecting: &[
        "Оставить индекс без кэша: # записей в час делают каждую копию неверной.",
        "Сначала починить медленный запрос номер #, кэш его только скроет.",
        "Лучше купить память: # гигабайт вмещают весь индекс.",
    ],
    weighing: &[
        "Всё зависит от того, как часто меняется горячая часть, а # замеров этого не говорят.",
        "Выигрыш есть при # запросах в секунду и пропадает ниже.",
    ],
    reasons: &[
        "За последние # дней чтений было на два порядка больше, чем записей, и почти все они спрашивали одни и те же страницы.",
        "Ночной импорт меняет # тысяч строк сразу, так что всё отложенное приходится выбросить.",
        "Весной девяносто девятый перцентиль упал на # миллисекунд, а медиана почти не сдвинулась.",
        "Каждый слой, который хранит состояние, стоил нам # сбоев в год.",
    ],
    points: &[
        "чтений больше в # раз",
        "допустимы # секунд отставания",
        "импорт очищает # тысяч ключей",
        "откат занимает # минут",
    ],
    asides: &[
        "Это изменится, если # процентов чтений уйдут в другое место.",
        "Выше # запросов в секунду никто не мерил.",
        "Число # взято за одну неделю.",
    ],
};

static CHINESE: Phrases = Phrases {
    carrying: &[
        "把索引的热点部分缓存#秒，其余从存储读取。",
        "每秒重复#次查询时，缓存就值得。",
        "同意，但限制在#兆字节以内，并且可以关闭。",
    ],
    rejecting: &[
        "不要缓存索引：每小时#次写入会让副本大半天都是错的。",
        "先修好第#号慢查询，缓存只会掩盖它。",
        "不如买内存，#千兆字节可以放下整个索引。",
    ],
    weighing: &[
        "双方都取决于热点部分多久变化一次，#个样本说明不了问题。",
        "每秒#次查询时收益明显，低于它就没有了。",
    ],
    reasons: &[
        "过去#天里读取比写入多两个数量级，大多数都是同样的几页。",
        "夜间导入一次修改#千行，所以缓存的内容那时都要丢弃。",
        "去年春天的试验中，第九十九百分位下降了#毫秒，中位数几乎没有变化。",
        "每一个保存状态的层每年都给我们带来#次事故。",
    ],
    points: &["读取多出#倍", "允许#秒的延迟", "导入会清除#千个键", "回滚需要#分钟"],
    asides: &[
        "如果有#成的读取转移到别处，结论会改变。",
        "没有人测量过每秒#次以上的情况。",
        "#这个数字只来自一周。",
    ],
};
