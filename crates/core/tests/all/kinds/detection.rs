//! Which kind a question is, by its wording: a labelled set, with precision and recall.

#![allow(clippy::print_stdout)] // the figures are printed for whoever changes the word lists

use synod_core::matter::{QuestionKind, detect};

const YES_NO: QuestionKind = QuestionKind::YesNo;
const CHOICE: QuestionKind = QuestionKind::Choice;
const OPEN: QuestionKind = QuestionKind::Open;
const ESTIMATE: QuestionKind = QuestionKind::Estimate;

/// Questions with the kind that a person would say they are.
const LABELLED: &[(QuestionKind, &str)] = &[
    // Yes or no, English.
    (YES_NO, "Should we cache the search index?"),
    (YES_NO, "Should we adopt the vendor which costs less?"),
    (YES_NO, "Which is why we should merge, right?"),
    (CHOICE, "Tabs vs. spaces?"),
    (CHOICE, "Should we buy or rent?"),
    (CHOICE, "Sollen wir kaufen oder mieten?"),
    (CHOICE, "Do we go with REST, gRPC or GraphQL?"),
    (CHOICE, "Nehmen wir REST, gRPC oder GraphQL?"),
    (CHOICE, "Sollen wir Redis oder Postgres nehmen?"),
    (ESTIMATE, "What will the move cost?"),
    (ESTIMATE, "At what price should we sell?"),
    (YES_NO, "Is it time to decide what we want to be?"),
    (YES_NO, "Do we know how many users are affected?"),
    (YES_NO, "Should we ship on Friday or not?"),
    (YES_NO, "Can we run it in staging or production?"),
    (YES_NO, "Will the release that was planned for May slip?"),
    (YES_NO, "Does anybody know why the build is slow?"),
    (YES_NO, "Are we sure where the data is stored?"),
    (YES_NO, "Would you merge this?"),
    (YES_NO, "Merge this?"),
    (YES_NO, "Adopt Rust for the gateway"),
    (YES_NO, "Adopt REST and not GraphQL."),
    (YES_NO, "Move the queue to Redis."),
    (YES_NO, "Move the queue?"),
    (YES_NO, "We should stop supporting IE11."),
    (YES_NO, "Resolved: the team works from home on Fridays."),
    (YES_NO, "Hire a second designer this quarter"),
    (YES_NO, "What if we dropped support for Windows?"),
    (YES_NO, "What about moving to Postgres?"),
    (YES_NO, "How about a four-day week?"),
    (YES_NO, "Why not delete the old table?"),
    (YES_NO, "Why don't we switch to trunk-based development?"),
    (YES_NO, "Shall we, given what happened last week, postpone the launch?"),
    (YES_NO, "Was it right to roll back?"),
    (YES_NO, "Was moving to microservices a mistake?"),
    (YES_NO, "Has the migration, which took six weeks, paid off?"),
    (YES_NO, "Is the license, whose text is attached, acceptable?"),
    (YES_NO, "Should we tell customers when we knew?"),
    (YES_NO, "Should the API return an error or an empty list when nothing is found, as it does now?"),
    (YES_NO, "Could the outage happen again?"),
    (YES_NO, "Must every change be reviewed by two people?"),
    (YES_NO, "May contractors push to main?"),
    (YES_NO, "The cache is slow. It costs 40 dollars a day. Should we remove it?"),
    (YES_NO, "Why is the build slow? Because of the linker. Switch to mold."),
    (YES_NO, "Should we do it? And how?"),
    (YES_NO, "Do it now or wait?"),
    (YES_NO, "t"),
    (YES_NO, "cache"),
    (YES_NO, "Keep the monolith"),
    (YES_NO, "Is Redis or Memcached already in use here somewhere?"),
    (YES_NO, "Are there risks which we have not seen, or costs?"),
    (YES_NO, "Whatever happens, ship on Monday"),
    (YES_NO, "When the tests are green, merge the branch"),
    (YES_NO, "How to hire: adopt the new guide"),
    (YES_NO, "What is measured is managed"),
    (YES_NO, "Who breaks the build fixes the build"),
    (YES_NO, "The receipt was edited or reformatted"),
    (YES_NO, "Nothing is run or sent without consent"),
    // Yes or no, German and others.
    (YES_NO, "Sollen wir den Suchindex cachen?"),
    (YES_NO, "Sollen wir das einführen oder nicht?"),
    (YES_NO, "Ist klar, welche Daten betroffen sind?"),
    (YES_NO, "Wissen wir, wie viele Nutzer betroffen sind?"),
    (YES_NO, "Kann das Release, das für Mai geplant war, warten?"),
    (YES_NO, "Wir führen die Vier-Tage-Woche ein."),
    (YES_NO, "Darf jeder direkt auf main pushen?"),
    (YES_NO, "Was wäre, wenn wir Windows nicht mehr unterstützen?"),
    (YES_NO, "Wie wäre es mit einer Vier-Tage-Woche?"),
    (YES_NO, "Warum nicht die alte Tabelle löschen?"),
    (YES_NO, "Est-ce que nous devons migrer vers Postgres ?"),
    (YES_NO, "Faut-il garder le monolithe ?"),
    (YES_NO, "¿Debemos migrar la base de datos?"),
    (YES_NO, "Dobbiamo cambiare fornitore?"),
    (YES_NO, "我们是否应该迁移数据库？"),
    (YES_NO, "我们应该用缓存吗？"),
    (YES_NO, "キャッシュを導入すべきですか？"),
    (YES_NO, "Стоит ли нам перейти на Postgres?"),
    (YES_NO, "هل يجب أن ننتقل إلى Postgres؟"),
    // Choices.
    (CHOICE, "Redis or Postgres?"),
    (CHOICE, "Redis, Postgres or MySQL?"),
    (CHOICE, "tabs or spaces?"),
    (CHOICE, "REST or GraphQL"),
    (CHOICE, "Should we use Redis or Postgres?"),
    (CHOICE, "Should we write it in Rust or Go?"),
    (CHOICE, "Which is better, Redis or Postgres?"),
    (CHOICE, "What should we use: Kafka, NATS or RabbitMQ?"),
    (CHOICE, "Which database: Postgres or MySQL?"),
    (CHOICE, "Build or buy?"),
    (CHOICE, "Monolith or microservices?"),
    (CHOICE, "Redis oder Postgres?"),
    (CHOICE, "Kaufen oder selbst bauen?"),
    (CHOICE, "Welche Datenbank: Postgres oder MySQL?"),
    (CHOICE, "Was ist besser, Rust oder Go?"),
    (CHOICE, "用 Redis 还是 Postgres？"),
    (CHOICE, "RedisそれともPostgres？"),
    // Open, English.
    (OPEN, "Which database should we use?"),
    (OPEN, "Which queue?"),
    (OPEN, "What should we name the product?"),
    (OPEN, "What is the best way to migrate the data?"),
    (OPEN, "How should we deploy the service?"),
    (OPEN, "How do we reduce the build time?"),
    (OPEN, "How can we win back the customers that left?"),
    (OPEN, "Who should lead the project?"),
    (OPEN, "Where should the data be stored?"),
    (OPEN, "When should we launch?"),
    (OPEN, "Why is the build slow?"),
    (OPEN, "Why did the deployment fail, and what should we do about it?"),
    (OPEN, "In which region should we host it?"),
    (OPEN, "By when should it be done?"),
    (OPEN, "Given our budget, which vendor should we pick?"),
    (OPEN, "For a team of four, what process would you recommend?"),
    (OPEN, "If we move to the cloud, how should we handle secrets?"),
    (OPEN, "Which database should we use? We have 3 TB and two engineers."),
    (OPEN, "We have 3 TB of logs. Nobody reads them. What should we do with them?"),
    (OPEN, "What's the root cause of the outage?"),
    (OPEN, "Which of our services should be split first?"),
    (OPEN, "Which database should we use"),
    (OPEN, "What should we do about flaky tests"),
    (OPEN, "How to reduce the memory footprint?"),
    (OPEN, "To whom should the report go?"),
    // Open, German and others.
    (OPEN, "Welche Datenbank sollen wir nehmen?"),
    (OPEN, "Welcher Anbieter passt zu uns?"),
    (OPEN, "Was sollen wir mit den alten Daten tun?"),
    (OPEN, "Wie sollen wir den Dienst ausrollen?"),
    (OPEN, "Wer soll das Projekt leiten?"),
    (OPEN, "Warum ist der Build langsam?"),
    (OPEN, "Wann sollen wir starten?"),
    (OPEN, "In welcher Region sollen wir hosten?"),
    (OPEN, "Womit fangen wir an?"),
    (OPEN, "Quelle base de données devrions-nous utiliser ?"),
    (OPEN, "Comment réduire le temps de compilation ?"),
    (OPEN, "¿Qué base de datos deberíamos usar?"),
    (OPEN, "¿Cómo reducimos el tiempo de compilación?"),
    (OPEN, "Quale database dovremmo usare?"),
    (OPEN, "Welke database moeten we gebruiken?"),
    (OPEN, "我们应该用哪个数据库？"),
    (OPEN, "如何缩短构建时间？"),
    (OPEN, "どのデータベースを使うのがよいですか？"),
    (OPEN, "어떤 데이터베이스를 써야 하나요?"),
    (OPEN, "Какую базу данных нам выбрать?"),
    (OPEN, "ما هي أفضل قاعدة بيانات؟"),
    // Numbers.
    (ESTIMATE, "How many engineers do we need?"),
    (ESTIMATE, "How long will the migration take?"),
    (ESTIMATE, "How much will it cost per month?"),
    (ESTIMATE, "How often does the job fail?"),
    (ESTIMATE, "How likely is it that the vendor goes bankrupt?"),
    (ESTIMATE, "What percentage of users will upgrade?"),
    (ESTIMATE, "What share of the traffic is bots?"),
    (ESTIMATE, "What is the probability that we ship in May?"),
    (ESTIMATE, "For how long must we keep the logs?"),
    (ESTIMATE, "If we launch in May, how many tickets will we get?"),
    (ESTIMATE, "How many days until the disk is full"),
    (ESTIMATE, "Wie viele Leute brauchen wir?"),
    (ESTIMATE, "Wie lange dauert die Migration?"),
    (ESTIMATE, "Wie hoch sind die Kosten pro Monat?"),
    (ESTIMATE, "Wieviel kostet der Betrieb?"),
    (ESTIMATE, "Was kostet die Migration?"),
    (ESTIMATE, "Combien de jours faut-il pour migrer ?"),
    (ESTIMATE, "¿Cuántos ingenieros necesitamos?"),
    (ESTIMATE, "Quanti giorni servono?"),
    (ESTIMATE, "Hoeveel mensen hebben we nodig?"),
    (ESTIMATE, "我们需要多少工程师？"),
    (ESTIMATE, "移行には何日かかりますか？"),
    (ESTIMATE, "Сколько дней займёт миграция?"),
    (ESTIMATE, "كم عدد المهندسين الذين نحتاجهم؟"),
];

/// Questions that the word lists were not made with: what came out at the first try is what can be expected of others.
const HELD_OUT: &[(QuestionKind, &str)] = &[
    (YES_NO, "Should the on-call rota include product managers?"),
    (YES_NO, "Is a rewrite what we need?"),
    (YES_NO, "Freeze hiring until Q3"),
    (YES_NO, "Should we let each team pick which tools it uses?"),
    (YES_NO, "Do customers care how fast the page loads?"),
    (YES_NO, "Will users or admins notice the change?"),
    (YES_NO, "Let's sunset the v1 API by June."),
    (YES_NO, "Does the data suggest that we know who churns?"),
    (YES_NO, "Accept the offer from Acme?"),
    (YES_NO, "Sollten wir offenlegen, was passiert ist?"),
    (YES_NO, "Lohnt sich der Umstieg?"),
    (YES_NO, "Brauchen wir ein zweites Rechenzentrum oder reicht eines?"),
    (YES_NO, "Devons-nous payer la rançon ?"),
    (YES_NO, "Is there any reason why we should wait?"),
    (YES_NO, "Should we support iOS and Android, or the web only, in the first release?"),
    (CHOICE, "Svelte or React?"),
    (CHOICE, "AWS, Azure or GCP?"),
    (CHOICE, "Should the backend run on Kubernetes or Nomad?"),
    (CHOICE, "Which cloud: AWS or Azure?"),
    (CHOICE, "Kotlin oder Swift?"),
    (OPEN, "What are the main risks of the acquisition?"),
    (OPEN, "Which metric best captures developer happiness?"),
    (OPEN, "How would you structure the monorepo?"),
    (OPEN, "What would make the onboarding easier?"),
    (OPEN, "Where do we go from here?"),
    (OPEN, "Considering the outage, what should change in our process?"),
    (OPEN, "Wie können wir die Kosten senken?"),
    (OPEN, "Welchen Namen soll das Produkt tragen?"),
    (OPEN, "Pourquoi les clients partent-ils ?"),
    (OPEN, "¿Cuál es el mejor plan?"),
    (OPEN, "下一步我们应该做什么？"),
    (ESTIMATE, "How many support tickets will we get next month?"),
    (ESTIMATE, "How much memory does the index need?"),
    (ESTIMATE, "How big will the database be in a year?"),
    (ESTIMATE, "What fraction of requests can be cached?"),
    (ESTIMATE, "Wie viel Speicher brauchen wir?"),
    (ESTIMATE, "Wie oft fällt der Dienst aus?"),
    (ESTIMATE, "¿Cuánto costará la migración?"),
    (ESTIMATE, "需要多久才能完成？"),
    // Commands, written after the words that tell them and not used to change these.
    (OPEN, "Name two companies we could partner with"),
    (OPEN, "List risks"),
    (OPEN, "Suggest improvements to the onboarding"),
    (OPEN, "Outline three scenarios for next year"),
    (OPEN, "Describe how the failover should work"),
    (OPEN, "Give three reasons to stay on AWS"),
    (OPEN, "Recommend an approach for caching"),
    (OPEN, "Come up with a slogan"),
    (OPEN, "Nenne zwei Alternativen zu Kafka"),
    (OPEN, "Beschreibe, wie wir testen sollen"),
    (OPEN, "Propose trois noms"),
    (OPEN, "Could you suggest a better title?"),
    (ESTIMATE, "Estimate the duration of the outage"),
    (ESTIMATE, "Predict how much revenue we make"),
    (ESTIMATE, "Schätze den Aufwand"),
    (CHOICE, "Python ou Go ?"),
    (CHOICE, "Rester ou partir ?"),
    (CHOICE, "Decide between AWS and Azure"),
    (CHOICE, "Vim or Emacs"),
    (YES_NO, "Name the release after its city"),
    (YES_NO, "List prices without tax"),
    (YES_NO, "Suggest users reset their password every year"),
    (YES_NO, "Find and fix all flaky tests"),
    (YES_NO, "Choose quality over speed"),
    (YES_NO, "Tell the truth about the breach"),
    (YES_NO, "Recommend Firefox to employees"),
    (YES_NO, "Estimate again after each sprint"),
    (YES_NO, "Give up the office"),
    (YES_NO, "Propose Ann as chair"),
    (YES_NO, "Select the cheapest bidder"),
    (YES_NO, "Guess"),
    (YES_NO, "Zähle leere Stimmen als Enthaltung"),
    (YES_NO, "Continuer ou non ?"),
    (YES_NO, "Outline agents in the org chart"),
];

/// What is put as a command or in a language with another word for `or`, with what looks like it and moves something. The labels
/// were written before the words that tell them.
const COMMANDS: &[(QuestionKind, &str)] = &[
    (OPEN, "Name three risks"),
    (OPEN, "Name three risks of the migration."),
    (OPEN, "Name the main risks of the migration"),
    (OPEN, "List the top five reasons why customers leave"),
    (OPEN, "List all options we have for the queue"),
    (OPEN, "Suggest a database for the new service"),
    (OPEN, "Suggest ways to cut the build time."),
    (OPEN, "Propose a name for the product"),
    (OPEN, "Propose three alternatives to Kafka."),
    (OPEN, "Recommend a cloud provider"),
    (OPEN, "Give us two arguments against the merger"),
    (OPEN, "Give me an example of a good error message"),
    (OPEN, "Find a better name for the team"),
    (OPEN, "Identify the biggest weaknesses of the plan"),
    (OPEN, "Brainstorm ideas for the offsite"),
    (OPEN, "Please list three metrics for the launch."),
    (OPEN, "Can you name three risks?"),
    (OPEN, "Explain why the build is slow"),
    (OPEN, "Tell us which vendor to pick"),
    (OPEN, "Find out why sign-ups dropped."),
    (OPEN, "Decide which database to use"),
    (OPEN, "Pick a name for the product"),
    (OPEN, "We move to the cloud in May. Name the three biggest risks."),
    (OPEN, "Nenne drei Risiken"),
    (OPEN, "Nenne die wichtigsten Gründe für den Umzug."),
    (OPEN, "Schlage einen Namen für das Produkt vor"),
    (OPEN, "Zähle drei Nachteile der Cloud auf"),
    (OPEN, "Erkläre, warum der Build langsam ist"),
    (OPEN, "Cite trois risques de la migration"),
    (OPEN, "Donne deux raisons de partir"),
    (OPEN, "Nombra tres riesgos"),
    (OPEN, "列出三个风险"),
    (ESTIMATE, "Estimate the cost of the move"),
    (ESTIMATE, "Estimate how many users will leave"),
    (ESTIMATE, "Guess how long the migration takes"),
    (ESTIMATE, "Estimate the number of tickets next month."),
    (ESTIMATE, "Tell us how many engineers we need"),
    (ESTIMATE, "Schätze die Kosten des Umzugs"),
    (ESTIMATE, "Schätze, wie lange die Migration dauert"),
    (CHOICE, "Redis ou Postgres ?"),
    (CHOICE, "Acheter ou louer ?"),
    (CHOICE, "Redis, Postgres ou MySQL ?"),
    (CHOICE, "Devons-nous utiliser Redis ou Postgres ?"),
    (CHOICE, "¿Redis o Postgres?"),
    (CHOICE, "¿Comprar o alquilar?"),
    (CHOICE, "Redis o Postgres?"),
    (CHOICE, "Redis of Postgres?"),
    (CHOICE, "Redis eller Postgres?"),
    (CHOICE, "Choose between Redis and Postgres"),
    (CHOICE, "Should we use 3 or 5 replicas?"),
    (CHOICE, "Is it Redis or Postgres that is faster?"),
    (YES_NO, "Can we finish in 2 or 3 weeks if nobody is ill?"),
    (YES_NO, "Is it 3 or 4 o'clock somewhere that matters?"),
    (CHOICE, "Pick one: Redis, Postgres or MySQL"),
    (CHOICE, "Entscheide zwischen Rust und Go"),
    (YES_NO, "Name the service Atlas"),
    (YES_NO, "Name Ann as team lead"),
    (YES_NO, "Name a successor by Friday and tell the press"),
    (YES_NO, "List the company on the stock exchange"),
    (YES_NO, "List the old API as deprecated"),
    (YES_NO, "Give every team two days a month for upkeep"),
    (YES_NO, "Give three engineers a raise"),
    (YES_NO, "Give customers a refund"),
    (YES_NO, "Find a new office and move by June"),
    (YES_NO, "Propose a pay cut to the board"),
    (YES_NO, "Recommend the upgrade to all customers"),
    (YES_NO, "Pick Postgres"),
    (YES_NO, "Choose Rust for the gateway."),
    (YES_NO, "Explain the outage to customers"),
    (YES_NO, "Tell customers what happened"),
    (YES_NO, "Decide by majority"),
    (YES_NO, "Estimate all stories in points"),
    (YES_NO, "Can you merge this?"),
    (YES_NO, "Please merge this."),
    (YES_NO, "Fusionner ou pas ?"),
    (YES_NO, "Oui ou non ?"),
    (YES_NO, "Yes or no?"),
    (YES_NO, "Faut-il attendre un mois ou deux ?"),
    (YES_NO, "¿Migramos o no?"),
    (YES_NO, "Freedom of speech?"),
    (YES_NO, "Out of scope?"),
    (YES_NO, "Benenne den Dienst in Atlas um"),
    (YES_NO, "Nenne den Dienst Atlas"),
    (YES_NO, "Schlage dem Vorstand den Verkauf vor"),
];

#[test]
fn commands_and_other_words_for_or_are_told() {
    for kind in QuestionKind::ALL {
        let told = |question: &str| detect(question).kind;
        let labelled = COMMANDS.iter().filter(|(is, _)| *is == kind).count();
        let found = COMMANDS.iter().filter(|(_, question)| told(question) == kind).count();
        let right = COMMANDS.iter().filter(|(is, question)| *is == kind && told(question) == kind).count();
        println!("{:8} precision {right}/{found} recall {right}/{labelled}", kind.word());
    }
    let wrong: Vec<String> = COMMANDS
        .iter()
        .filter(|(kind, question)| detect(question).kind != *kind)
        .map(|(kind, question)| {
            format!("{question} is {} and was told as {}", kind.word(), detect(question).kind.word())
        })
        .collect();
    assert!(100 * wrong.len() <= 3 * COMMANDS.len(), "{wrong:#?}");
    let away = COMMANDS.iter().filter(|(kind, question)| *kind == YES_NO && detect(question).kind != YES_NO);
    assert_eq!(away.count(), 0, "a motion was turned away: {wrong:#?}");
    assert_eq!(detect("Redis ou Postgres ?").options, ["Redis", "Postgres"]);
    assert_eq!(detect("Choose between Redis and Postgres").options, ["Redis", "Postgres"]);
    assert_eq!(detect("Estimate how many users will leave").arguments(), "--estimate users");
}

#[test]
fn questions_that_nobody_tuned_for_are_told_as_well() {
    let right = HELD_OUT.iter().filter(|(kind, question)| detect(question).kind == *kind).count();
    for (kind, question) in HELD_OUT.iter().filter(|(kind, question)| detect(question).kind != *kind) {
        println!("{question} is {} and was told as {}", kind.word(), detect(question).kind.word());
    }
    let away =
        HELD_OUT.iter().filter(|(kind, question)| *kind == YES_NO && detect(question).kind != YES_NO).count();
    println!("held out: {right} of {} right, {away} yes-or-no questions turned away", HELD_OUT.len());
    assert!(100 * right >= 90 * HELD_OUT.len(), "{right} of {}", HELD_OUT.len());
    assert_eq!(away, 0);
}

/// The figures that matter: nobody who asked for yes or no is turned away, and few others get through.
#[test]
fn kinds_are_told_by_wording() {
    assert!(LABELLED.len() >= 120, "{}", LABELLED.len());
    let found: Vec<(QuestionKind, QuestionKind, &str)> =
        LABELLED.iter().map(|(kind, question)| (*kind, detect(question).kind, *question)).collect();
    for (is, said, question) in found.iter().filter(|(is, said, _)| is != said) {
        println!("{question} is {} and was told as {}", is.word(), said.word());
    }
    let mut wrong: Vec<String> = Vec::new();
    for kind in QuestionKind::ALL {
        let labelled = found.iter().filter(|(is, ..)| *is == kind).count();
        let told = found.iter().filter(|(_, said, _)| *said == kind).count();
        let right = found.iter().filter(|(is, said, _)| *is == kind && *said == kind).count();
        println!("{:8} precision {right}/{told} recall {right}/{labelled}", kind.word());
        // Told as a kind that it is not: a precision of at least 0.98 for every kind but yes or no.
        assert!(kind == YES_NO || 100 * right >= 98 * told, "{}: {right} of {told}", kind.word());
        assert!(100 * right >= 95 * labelled, "{}: {right} of {labelled}", kind.word());
    }
    let turned_away = found.iter().filter(|(is, said, _)| *is == YES_NO && *said != YES_NO);
    wrong.extend(turned_away.map(|(_, said, question)| format!("{question} as {}", said.word())));
    assert_eq!(wrong, Vec::<String>::new(), "a yes-or-no question was turned away");
}

#[test]
fn what_to_type_follows_from_the_question() {
    let typed = |question: &str| detect(question).arguments();
    assert_eq!(typed("Redis or Postgres?"), "--option Redis --option Postgres");
    assert_eq!(typed("Redis, Postgres or MySQL?"), "--option Redis --option Postgres --option MySQL");
    assert_eq!(typed("Should we use Redis or Postgres?"), "--option Redis --option Postgres");
    assert_eq!(
        typed("What should we use: Kafka, NATS or plain SQL?"),
        "--option Kafka --option NATS --option 'plain SQL'"
    );
    assert_eq!(typed("Which database?"), "--open");
    assert_eq!(typed("How many days will it take?"), "--estimate days");
    assert_eq!(typed("Wie viele Leute brauchen wir?"), "--estimate leute");
    assert_eq!(typed("How long will it take?"), "--estimate days");
    assert_eq!(typed("How likely is it?"), "--estimate '%'");
    assert_eq!(typed("How much will it cost?"), "--estimate UNIT");
}

/// A long document is looked at once, and whatever stands in it is no reason to fail.
#[test]
fn any_text_has_a_kind() {
    for text in ["", "?", "???", "or?", "Or", " or ?", "what", "¿?", "\u{0}\u{1}?", "a or b or c or d?"] {
        let _ = detect(text);
    }
    let long = "Which one? Why not? How many? ".repeat(2000);
    assert_eq!(detect(&long).kind, YES_NO, "it asks for several things");
}

#[test]
fn options_are_what_one_would_choose() {
    for (topic, options) in [
        ("Either we hire or we outsource: which one?", ["we hire", "we outsource"]),
        ("Lieber Montag oder Freitag?", ["Montag", "Freitag"]),
        ("Tabs vs. spaces?", ["Tabs", "spaces"]),
        ("Should we buy or rent?", ["buy", "rent"]),
        ("Sollen wir Redis oder Postgres nehmen?", ["Redis", "Postgres"]),
    ] {
        assert_eq!(detect(topic).options, options, "{topic}");
    }
}
