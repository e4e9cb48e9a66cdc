//! How figures grow with the size of a council: the exponent of a line fitted through their logarithms.

use serde_json::{Map, Value, json};

use super::in_process::{DebateShape, debates, measure};
use super::seat::BenchWords;
use crate::fail::Result;

/// Seats that are measured.
const SEATS: [usize; 5] = [3, 8, 24, 72, 144];
/// Rounds of speech in each of them.
const ROUNDS: u64 = 3;

/// Measures every debate charter at every size.
pub(super) fn all(quick: bool) -> Result<Value> {
    let (mut rows, mut grown) = (Vec::new(), Map::new());
    for shipped in debates() {
        let mut of_charter = Vec::new();
        for seats in SEATS {
            let runs = if quick { 3 } else { (400 / seats).clamp(5, 31) };
            let shape = DebateShape::of(shipped.name, seats, ROUNDS, BenchWords::Differing)?;
            of_charter.push(measure(shape, runs, None)?);
        }
        let fitted = |key: &str| exponent(&of_charter, key);
        grown.insert(
            shipped.name.into(),
            json!({ "cpu": fitted("cpu_us_least"), "bytes": fitted("bytes_told") }),
        );
        rows.extend(of_charter);
    }
    let small = DebateShape::of("collaborative", 3, 2, BenchWords::Differing)?;
    rows.push(measure(small, if quick { 5 } else { 101 }, None)?);
    Ok(json!({ "rows": rows, "exponent_8_to_144_seats": grown }))
}

/// The exponent with which a figure grows with seats, by least squares over the logarithms, from 8 seats on: in a
/// smaller council what every debate costs hides what every seat costs.
fn exponent(rows: &[Value], key: &str) -> Value {
    let point = |row: &Value| {
        let (seats, figure) = (row["seats"].as_f64()?, row[key].as_f64()?);
        (seats >= 8.0 && figure > 0.0).then(|| (seats.ln(), figure.ln()))
    };
    let points: Vec<(f64, f64)> = rows.iter().filter_map(point).collect();
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let across: f64 = points.iter().map(|point| (point.0 - x) * (point.0 - x)).sum();
    let along: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    if across > 0.0 { json!((100.0 * along / across).round() / 100.0) } else { Value::Null }
}
