//! What a budget refuses. A seat whose call is refused lapses, and the result says so.

use crate::kernel::{Nano, refusals};

refusals! {
    /// What a budget refuses.
    pub enum Refusal {
        /// The call may cost more than the budget has left. The seat lapses and the result says so; allow a higher cost
        /// next time.
        #[error("the call may cost {worst}, and {left} of the budget is left")]
        Cost {
            /// What is left.
            left: Nano,
            /// What the call may cost.
            worst: Nano,
        } = "budget/cost", Conflict,

        /// The budget limits cost, and the price of this model is not known. Write its price into `prices.toml`, or
        /// limit calls or tokens instead.
        #[error("the budget limits cost, and the price of this model is not known: write it into prices.toml")]
        PriceUnknown = "budget/price-unknown", Conflict,

        /// All calls that the budget allows are made. The seat lapses and the result says so; allow more calls next
        /// time.
        #[error("all {most} calls that the budget allows are made")]
        Calls {
            /// The limit.
            most: u32,
        } = "budget/calls", Conflict,

        /// The call may take more tokens than the budget has left. The seat lapses and the result says so; allow more
        /// tokens next time.
        #[error("the call may take {worst} tokens, and {left} of the budget are left")]
        Tokens {
            /// What is left.
            left: u64,
            /// What the call may take.
            worst: u64,
        } = "budget/tokens", Conflict,
    }
}
