//! Fractions in whole numbers, so that every machine comes to the same: parts of 2^32, in 128 bits.

/// One.
pub(super) const ONE: i128 = 1 << 32;

/// A product of two fractions.
pub(super) fn times(a: i128, b: i128) -> i128 {
    (a * b) >> 32
}

/// A quotient of two fractions. The second is not nothing.
pub(super) fn over(a: i128, b: i128) -> i128 {
    (a << 32) / b
}

/// The root of a fraction, rounded down; nothing for what has none.
pub(super) fn root(a: i128) -> i128 {
    (a.max(0) << 32).isqrt()
}

/// Pivots below this leave nothing of their row but rounding.
const LEAST_PIVOT: i128 = ONE >> 12;
/// Entries beyond this come from a matrix that has no inverse worth the name.
const MOST: i128 = ONE << 20;

/// The solution of as many linear equations as there are unknowns: `rows` of coefficients, each with its right side last. `None` where
/// the equations do not say. Rows are exchanged, so that it needs no matrix without negative directions.
pub(super) fn solve(mut rows: Vec<Vec<i128>>) -> Option<Vec<i128>> {
    let size = rows.len();
    for step in 0..size {
        // Of equal pivots the first, whatever the machine.
        let pivot = (step..size).max_by_key(|row| (rows[*row][step].abs(), std::cmp::Reverse(*row)))?;
        rows.swap(step, pivot);
        if rows[step][step].abs() < LEAST_PIVOT {
            return None;
        }
        let (above, below) = rows.split_at_mut(step + 1);
        let top = &above[step];
        for row in below {
            let factor = over(row[step], top[step]);
            if factor == 0 {
                continue;
            }
            for (cell, lead) in row[step..].iter_mut().zip(&top[step..]) {
                *cell -= times(factor, *lead);
            }
            if row.iter().any(|cell| cell.abs() > MOST) {
                return None;
            }
        }
    }
    let mut found = vec![0; size];
    for step in (0..size).rev() {
        let known: i128 = (step + 1..size).map(|later| times(rows[step][later], found[later])).sum();
        found[step] = over(rows[step][size] - known, rows[step][step]);
        if found[step].abs() > MOST {
            return None;
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::{ONE, over, root, solve, times};

    #[test]
    fn equations_are_solved_and_contradictions_are_not() {
        // 2x + y = 5, x + 3y = 10: x = 1, y = 3.
        let rows = vec![vec![2 * ONE, ONE, 5 * ONE], vec![ONE, 3 * ONE, 10 * ONE]];
        let found = solve(rows).expect("a solution");
        assert!((found[0] - ONE).abs() < 8 && (found[1] - 3 * ONE).abs() < 8, "{found:?}");
        assert_eq!(solve(vec![vec![ONE, ONE, ONE], vec![ONE, ONE, 2 * ONE]]), None);
        // A first pivot of nothing is no obstacle.
        let found = solve(vec![vec![0, ONE, ONE], vec![ONE, 0, 2 * ONE]]);
        assert_eq!(found, Some(vec![2 * ONE, ONE]));
    }

    #[test]
    fn roots_and_quotients_are_exact_where_they_can_be() {
        assert_eq!(root(4 * ONE), 2 * ONE);
        assert_eq!(root(ONE / 4), ONE / 2);
        assert_eq!(root(-ONE), 0);
        assert_eq!(times(over(ONE, 4 * ONE), 4 * ONE), ONE);
    }
}
