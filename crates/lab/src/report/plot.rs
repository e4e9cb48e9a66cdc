//! Plots as SVG, without scripts.

use std::fmt::Write as _;

use super::html::escaped;
use crate::stats::Interval;

const COLOURS: [&str; 8] = ["#174", "#a52", "#57a", "#939", "#886a00", "#0a7a7a", "#c33", "#555"];
/// The most points that are drawn of one line.
const POINTS_MOST: usize = 2_000;

/// A plot of a report.
#[derive(Debug, Clone, PartialEq)]
pub enum Plot {
    /// Figures with their intervals, one below the other.
    Whiskers {
        /// What it shows.
        title: String,
        /// Name and figure.
        rows: Vec<(String, Interval)>,
        /// Whether they are differences.
        signed: bool,
        /// A value that is marked by a line.
        mark: Option<f64>,
    },
    /// Shares along a scale.
    Lines {
        /// What it shows.
        title: String,
        /// What the scale counts.
        scale: String,
        /// Name and points.
        lines: Vec<(String, Vec<(f64, f64)>)>,
        /// Stretches of the scale that are shaded, such as those of forced speeches.
        bands: Vec<(f64, f64)>,
        /// What the shade means.
        band_name: String,
    },
}

fn percent(share: f64, signed: bool) -> String {
    if signed { format!("{:+.1}", share * 100.0) } else { format!("{:.1} %", share * 100.0) }
}

impl Plot {
    /// The drawing.
    pub fn svg(&self) -> String {
        match self {
            Self::Whiskers { title, rows, signed, mark } => whiskers(title, rows, *signed, *mark),
            Self::Lines { title, scale, lines, bands, band_name } => {
                drawn(title, scale, lines, bands, band_name)
            }
        }
    }
}

fn whiskers(title: &str, rows: &[(String, Interval)], signed: bool, mark: Option<f64>) -> String {
    let ends = rows.iter().flat_map(|(_, it)| [it.low, it.high]).chain(mark);
    let finite: Vec<f64> = ends.filter(|end| end.is_finite()).collect();
    let (low, high) = (
        finite.iter().copied().fold(f64::INFINITY, f64::min),
        finite.iter().copied().fold(f64::NEG_INFINITY, f64::max),
    );
    if finite.is_empty() {
        return String::new();
    }
    let (from, to) = (260.0, 620.0);
    let place = |value: f64| from + (value.clamp(low, high) - low) / (high - low).max(1e-9) * (to - from);
    let tall = rows.len() * 22 + 34;
    let mut svg = format!(
        "<h2>{0}</h2><svg viewBox=\"0 0 740 {tall}\" width=\"740\" height=\"{tall}\" role=\"img\" aria-label=\"{0}\">",
        escaped(title)
    );
    if let Some(mark) = mark {
        let _ = write!(
            svg,
            "<line x1=\"{0:.1}\" x2=\"{0:.1}\" y1=\"2\" y2=\"{1}\" stroke=\"#999\" stroke-dasharray=\"4 3\"/>",
            place(mark),
            tall - 20
        );
    }
    for (at, (name, it)) in rows.iter().enumerate() {
        let y = at * 22 + 14;
        let _ = write!(
            svg,
            "<text x=\"250\" y=\"{0}\" text-anchor=\"end\">{1}</text><line x1=\"{2:.1}\" x2=\"{3:.1}\" y1=\"{y}\" y2=\"{y}\" stroke=\"#4a7\" stroke-width=\"3\"/>\
             <circle cx=\"{4:.1}\" cy=\"{y}\" r=\"4\" fill=\"#174\"/><text x=\"640\" y=\"{0}\">{5}</text>",
            y + 4,
            escaped(name),
            place(it.low),
            place(it.high),
            place(it.mean),
            percent(it.mean, signed)
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{from}\" y=\"{0}\">{1}</text><text x=\"{to}\" y=\"{0}\" text-anchor=\"end\">{2}</text></svg>",
        tall - 4,
        percent(low, signed),
        percent(high, signed)
    );
    svg
}

fn drawn(
    title: &str,
    scale: &str,
    lines: &[(String, Vec<(f64, f64)>)],
    bands: &[(f64, f64)],
    band_name: &str,
) -> String {
    let all = || lines.iter().flat_map(|(_, points)| points);
    let (left, right) =
        all().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (x, _)| (low.min(*x), high.max(*x)));
    if !left.is_finite() || !right.is_finite() {
        return String::new();
    }
    let (low, high) = all().fold((1.0f64, 0.0f64), |(low, high), (_, y)| (low.min(*y), high.max(*y)));
    let x = |value: f64| 60.0 + (value - left) / (right - left).max(1e-9) * 480.0;
    let y = |share: f64| 190.0 - (share - low) / (high - low).max(1e-9) * 170.0;
    let mut svg = format!(
        "<h2>{0}</h2><svg viewBox=\"0 0 740 230\" width=\"740\" height=\"230\" role=\"img\" aria-label=\"{0}\">",
        escaped(title)
    );
    for (from, to) in bands.iter().take(POINTS_MOST) {
        let (begin, end) = (x(from.clamp(left, right)), x(to.clamp(left, right)));
        let _ = write!(
            svg,
            "<rect x=\"{begin:.1}\" y=\"16\" width=\"{:.1}\" height=\"176\" fill=\"#d90\" opacity=\"0.25\"/>",
            (end - begin).max(2.0)
        );
    }
    for (nth, (name, points)) in lines.iter().enumerate() {
        let colour = COLOURS[nth % COLOURS.len()];
        let step = points.len().div_ceil(POINTS_MOST).max(1);
        let path: Vec<String> = points
            .iter()
            .step_by(step)
            .map(|(at, share)| format!("{:.1},{:.1}", x(*at), y(*share)))
            .collect();
        let _ = write!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/><text x=\"556\" y=\"{}\" style=\"fill:{colour}\">{}</text>",
            path.join(" "),
            30 + nth * 18,
            escaped(name)
        );
    }
    if !bands.is_empty() {
        let _ = write!(
            svg,
            "<text x=\"556\" y=\"{}\">shaded: {}</text>",
            30 + lines.len() * 18,
            escaped(band_name)
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"4\" y=\"24\">{}</text><text x=\"4\" y=\"194\">{}</text><text x=\"60\" y=\"214\">{left}</text>\
         <text x=\"540\" y=\"214\" text-anchor=\"end\">{right}</text><text x=\"300\" y=\"228\" text-anchor=\"middle\">{}</text></svg>",
        percent(high, false),
        percent(low, false),
        escaped(scale)
    );
    svg
}
