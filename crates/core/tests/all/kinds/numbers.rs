//! How numbers are read that people and models write.

use synod_core::kernel::{NotANumber, Number, Range};

#[test]
fn numbers_are_read_as_written_or_not_at_all() {
    let read = |written: &str| Number::read(written, "days").map(|number| number.to_string());
    for (written, number) in [
        ("12", "12"),
        ("12.5", "12.5"),
        ("12.5 days", "12.5"),
        ("12 day", "12"),
        ("1,200,000", "1200000"),
        ("1 000 000", "1000000"),
        ("1\u{202f}200", "1200"),
        ("1 200,5 days", "1200.5"),
        ("12 000 days", "12000"),
        ("1,2000", "1.2"),
        ("0,500", "0.5"),
        ("1e3", "1000"),
        ("1.5E2 days", "150"),
        ("1e+3", "1000"),
        ("twelve", "12"),
        ("zwölf", "12"),
        ("about three days", "3"),
        ("Eleven days.", "11"),
        ("1,200.5 days", "1200.5"),
        ("1.200,5 days", "1200.5"),
        ("1.234.567", "1234567"),
        ("1'200", "1200"),
        ("1_200", "1200"),
        ("12,5", "12.5"),
        ("0.125", "0.125"),
        ("-3", "-3"),
        ("~12", "12"),
        ("about 12 days", "12"),
        ("12 Days.", "12"),
        ("007", "7"),
        ("3.10", "3.1"),
    ] {
        assert_eq!(read(written).as_deref(), Ok(number), "{written}");
    }
    for (written, why) in [
        ("1.200", NotANumber::Ambiguous),
        ("12.345 days", NotANumber::Ambiguous),
        ("1,200", NotANumber::Ambiguous),
        ("12,345", NotANumber::Ambiguous),
        ("-1,500 days", NotANumber::Ambiguous),
        ("less than 5", NotANumber::Bound),
        ("no more than 3", NotANumber::Bound),
        ("> 100", NotANumber::Bound),
        ("mindestens 5", NotANumber::Bound),
        ("5+", NotANumber::Bound),
        ("5 or more", NotANumber::Bound),
        ("not 12", NotANumber::Denied),
        ("not 5 but 7", NotANumber::Denied),
        ("nicht 12", NotANumber::Denied),
        ("[10,20]", NotANumber::List),
        ("1,5 Mio", NotANumber::Multiplied),
        ("1.5 million", NotANumber::Multiplied),
        ("1.5M", NotANumber::Multiplied),
        ("2 Mrd. days", NotANumber::Multiplied),
        ("12 thousand days", NotANumber::Multiplied),
        ("one hundred and twenty", NotANumber::Multiplied),
        ("two weeks", NotANumber::OtherUnit),
        ("one or two", NotANumber::Unreadable),
        ("1 2 3", NotANumber::Unreadable),
        ("12 1000", NotANumber::Unreadable),
        ("3 1/2", NotANumber::Unreadable),
        ("1e99", NotANumber::Unreadable),
        ("1e-3", NotANumber::Unreadable),
        ("2^10", NotANumber::Unreadable),
        ("2 weeks", NotANumber::OtherUnit),
        ("12k", NotANumber::Multiplied),
        ("12 days or so", NotANumber::OtherUnit),
        ("$12", NotANumber::OtherUnit),
        ("10-20", NotANumber::Range),
        ("10 to 20 days", NotANumber::Range),
        ("between 10 and 20", NotANumber::Range),
        ("soon", NotANumber::Unreadable),
        ("", NotANumber::Unreadable),
        ("12 or 14", NotANumber::Unreadable),
        ("1,2,3", NotANumber::Unreadable),
        ("1,23,456", NotANumber::Unreadable),
        ("12.3.4", NotANumber::Unreadable),
        ("1234567890123456", NotANumber::Unreadable),
        ("0.1234567", NotANumber::Unreadable),
    ] {
        assert_eq!(read(written), Err(why), "{written}");
    }
}

#[test]
fn units_may_stand_before_or_after_and_in_the_plural() {
    let read = |written: &str, unit: &str| Number::read(written, unit).map(|number| number.to_string());
    for (written, unit, number) in [
        ("$ 40", "$", "40"),
        ("€1,200.00", "€", "1200"),
        ("$1,200.00", "USD", "1200"),
        ("$1,200.00", "dollars", "1200"),
        ("1200 €", "Euro", "1200"),
        ("1200 €", "EUR", "1200"),
        ("1.200,50 Euro", "€", "1200.5"),
        ("$1 000 000", "USD", "1000000"),
        ("5 k", "k", "5"),
        ("zwölf Tage", "Tage", "12"),
        ("USD 12", "usd", "12"),
        ("35 %", "percent", "35"),
        ("35 Prozent", "%", "35"),
        ("3 Wochen", "Woche", "3"),
        ("1 Tag", "Tage", "1"),
        ("5 person-days", "person-days", "5"),
    ] {
        assert_eq!(read(written, unit).as_deref(), Ok(number), "{written} in {unit}");
    }
    for (written, unit) in [
        ("3 months", "minutes"),
        ("3 m", "months"),
        ("5 days", "person-days"),
        ("$5", "€"),
        ("$5", "EUR"),
        ("12 m", "min"),
    ] {
        assert_eq!(read(written, unit), Err(NotANumber::OtherUnit), "{written} in {unit}");
    }
}

#[test]
fn ranges_are_read_with_their_bounds_in_order() {
    let read =
        |written: &str| Range::read(written, "days").map(|it| (it.low.to_string(), it.high.to_string()));
    let of = |low: &str, high: &str| Some((low.to_string(), high.to_string()));
    assert_eq!(read("10-20"), of("10", "20"));
    assert_eq!(read("10–20 days"), of("10", "20"));
    assert_eq!(read("1.5 to 2 days"), of("1.5", "2"));
    assert_eq!(read("between 3 and 4 days"), of("3", "4"));
    assert_eq!(read("zwischen 3 und 4"), of("3", "4"));
    assert_eq!(read("-5-5"), of("-5", "5"));
    for none in ["20-10", "10", "ten to twenty", "10-20 weeks", "-5"] {
        assert_eq!(read(none), None, "{none}");
    }
}

#[test]
fn what_is_shown_is_read_back() {
    for written in ["0", "12", "-12.5", "0.00000001", "123456789012345.25", "-0.5"] {
        let number: Number = written.parse().unwrap();
        assert_eq!(number.to_string(), written);
        let json = serde_json::to_string(&number).unwrap();
        assert_eq!(serde_json::from_str::<Number>(&json).unwrap(), number);
    }
    for wrong in ["", "1,2", "1e5", ".", "1.2.3", "0.000000001", "+1"] {
        assert!(wrong.parse::<Number>().is_err(), "{wrong}");
    }
}
