//! Line charts between 0 and 1 as SVG, readable in light and in dark.
//!
//! A chart stands alone as a file and within a page: its colours are its own, its words are escaped, and it asks for nothing
//! from anywhere.

use std::fmt::Write as _;

use maud::{Markup, PreEscaped, html};

use crate::base::printable;

/// A chart; both axes go from 0 to 1.
#[derive(Clone, Debug, Default)]
pub struct Chart {
    /// What it shows. May be other people's text.
    pub title: String,
    /// What goes to the right.
    pub across: &'static str,
    /// What goes up.
    pub up: &'static str,
    /// Its lines, at most four.
    pub lines: Vec<Line>,
    /// Points on it, with their names.
    pub marks: Vec<Line>,
}

/// A line, or a point where it has but one.
#[derive(Clone, Debug)]
pub struct Line {
    /// What it is.
    pub name: String,
    /// Its points, from 0 to 1.
    pub points: Vec<(f64, f64)>,
}

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 456.0;
const LEFT: f64 = 52.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 50.0;
const BOTTOM: f64 = 84.0;

const STYLE: &str = "
.chart { font: 12px system-ui, sans-serif; color-scheme: light dark; }
.chart .ground { fill: #fff; } .chart text { fill: #222; } .chart .grid { stroke: #ddd; fill: none; }
.chart .line { fill: none; stroke-width: 2; } .chart .mark { stroke: #fff; stroke-width: 1.5; }
.chart .s0 { stroke: #1b6ac9; } .chart .s1 { stroke: #b8501e; stroke-dasharray: 6 3; }
.chart .s2 { stroke: #2b7d4f; } .chart .s3 { stroke: #7a5195; stroke-dasharray: 2 3; } .chart .mark { fill: #c2185b; }
@media (prefers-color-scheme: dark) {
.chart .ground { fill: #16181c; } .chart text { fill: #ddd; } .chart .grid { stroke: #3a3d44; }
.chart .s0 { stroke: #6cb0ff; } .chart .s1 { stroke: #ffa36b; } .chart .s2 { stroke: #6fd39b; }
.chart .s3 { stroke: #c99cf0; } .chart .mark { fill: #ff7ab0; stroke: #16181c; }
}";

impl Chart {
    /// The chart as SVG.
    pub fn svg(&self) -> Markup {
        let title = printable(&self.title);
        let view = format!("0 0 {WIDTH} {HEIGHT}");
        html! {
            svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox=(view) role="img" width=(WIDTH) height=(HEIGHT) {
                title { (title) }
                style { (PreEscaped(STYLE)) }
                rect class="ground" width=(WIDTH) height=(HEIGHT) {}
                text x=(LEFT) y="20" font-weight="bold" { (title) }
                (self.grid())
                @for (nth, line) in self.lines.iter().enumerate() {
                    path class={ "line s" (nth % 4) } d=(path(&line.points)) {}
                }
                @for (x, y) in self.marks.iter().filter_map(|mark| mark.points.first()) {
                    circle class="mark" cx=(across(*x)) cy=(up(*y)) r="5" {}
                }
                (self.legend())
            }
        }
    }

    fn grid(&self) -> Markup {
        let steps: Vec<f64> = (0..=5).map(|nth| f64::from(nth) / 5.0).collect();
        let middle = f64::midpoint(LEFT, WIDTH - RIGHT);
        html! {
            @for step in &steps {
                path class="grid" d=(path(&[(0.0, *step), (1.0, *step)])) {}
                path class="grid" d=(path(&[(*step, 0.0), (*step, 1.0)])) {}
                text x=(LEFT - 8.0) y=(up(*step) + 4.0) text-anchor="end" { (format!("{step:.1}")) }
                text x=(across(*step)) y=(HEIGHT - BOTTOM + 16.0) text-anchor="middle" { (format!("{step:.1}")) }
            }
            text x=(middle) y=(HEIGHT - BOTTOM + 34.0) text-anchor="middle" { (self.across) }
            text x="14" y=(TOP - 10.0) { (self.up) }
        }
    }

    /// The names, in two columns below the plot.
    fn legend(&self) -> Markup {
        let lines = self.lines.len();
        let x = |nth: usize| LEFT + (nth % 2) as f64 * f64::midpoint(WIDTH, -LEFT - RIGHT);
        let y = |nth: usize| HEIGHT - BOTTOM + 54.0 + 17.0 * (nth / 2) as f64;
        let name = |nth: usize, name: &str| {
            html! {
                text x=(x(nth) + 30.0) y=(y(nth) + 4.0) { (printable(name)) }
            }
        };
        html! {
            @for (nth, line) in self.lines.iter().enumerate() {
                path class={ "line s" (nth % 4) } d=(format!("M{} {} h24", x(nth), y(nth))) {}
                (name(nth, &line.name))
            }
            @for (nth, mark) in self.marks.iter().enumerate() {
                circle class="mark" cx=(x(lines + nth) + 12.0) cy=(y(lines + nth)) r="5" {}
                (name(lines + nth, &mark.name))
            }
        }
    }
}

fn across(share: f64) -> f64 {
    LEFT + share * (WIDTH - LEFT - RIGHT)
}

fn up(share: f64) -> f64 {
    HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)
}

/// The points as a path, without those that no eye tells from the one before.
fn path(points: &[(f64, f64)]) -> String {
    let mut path = String::new();
    let mut last = String::new();
    for (x, y) in points {
        let place = format!("{:.1} {:.1}", across(*x), up(*y));
        if place != last {
            let _ = write!(path, "{}{place}", if path.is_empty() { 'M' } else { 'L' });
            last = place;
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::{Chart, Line, path};

    #[test]
    fn foreign_words_stay_words() {
        let name = "</title><script>x\u{202e}\u{1b}".to_owned();
        let line = Line { name: name.clone(), points: vec![(0.0, 1.0), (1.0, 0.0)] };
        let chart = Chart { title: name, lines: vec![line.clone()], marks: vec![line], ..Chart::default() };
        let svg = chart.svg().into_string();
        assert!(!svg.contains("<script") && !svg.contains('\u{202e}') && !svg.contains('\u{1b}'), "{svg}");
        assert!(svg.contains("&lt;/title&gt;&lt;script&gt;x\\u{202e}"), "{svg}");
    }

    #[test]
    fn a_path_goes_up_where_values_do_and_skips_what_nobody_sees() {
        assert_eq!(path(&[(0.0, 0.0), (0.00001, 0.00001), (1.0, 1.0)]), "M52.0 372.0L544.0 50.0");
        assert_eq!(path(&[]), "");
    }
}
