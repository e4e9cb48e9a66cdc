//! The light of a room: what a mode looks like, and the bodies that lamps are sent. Pure; `lamp` sends them.

use serde_json::{Value, json};

/// WLED's effects, by its own numbers.
const SOLID: u8 = 0;
const BREATHE: u8 = 2;
const PERCENT: u8 = 98;
/// How fast WLED breathes: once in five seconds, and once in two and a half.
const SLOW: u8 = 24;
const FAST: u8 = 128;

/// How a light moves. People who see colours otherwise tell modes by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LightPattern {
    /// Not at all.
    Steady,
    /// A slow pulse.
    PulseSlow,
    /// A pulse.
    Pulse,
}

impl LightPattern {
    /// The word it is sent as.
    pub fn word(self) -> &'static str {
        match self {
            Self::Steady => "steady",
            Self::PulseSlow => "pulse_slow",
            Self::Pulse => "pulse",
        }
    }
}

/// What a mode looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModeLight {
    /// The name of the mode.
    pub mode: &'static str,
    /// Red, green, blue.
    pub color: [u8; 3],
    /// How it moves.
    pub pattern: LightPattern,
    /// How bright, of 255.
    pub brightness: u8,
    /// Tenths of a second in which the light changes to it.
    pub change: u8,
}

/// The six modes.
pub const MODE_LIGHTS: [ModeLight; 6] = [
    light("listening", [0, 90, 255], LightPattern::PulseSlow, 110, 7),
    light("facilitator", [255, 190, 0], LightPattern::Steady, 170, 4),
    light("integrator", [0, 220, 220], LightPattern::Steady, 170, 4),
    light("devils_advocate", [150, 0, 255], LightPattern::Pulse, 170, 4),
    light("commander", [255, 0, 0], LightPattern::Steady, 255, 0),
    light("silent_scribe", [0, 0, 90], LightPattern::Steady, 50, 15),
];

const fn light(
    mode: &'static str,
    color: [u8; 3],
    pattern: LightPattern,
    brightness: u8,
    change: u8,
) -> ModeLight {
    ModeLight { mode, color, pattern, brightness, change }
}

/// What a mode of that name looks like.
pub fn mode_light(mode: &str) -> Option<ModeLight> {
    MODE_LIGHTS.into_iter().find(|light| light.mode == mode)
}

impl ModeLight {
    /// The same dimmed to a share in permille. What is lit stays lit.
    pub fn dimmed(self, permille: u16) -> Self {
        let brightness = u32::from(self.brightness) * u32::from(permille.min(1000)) / 1000;
        Self { brightness: u8::try_from(brightness.max(1)).unwrap_or(u8::MAX), ..self }
    }

    /// The colour as `#ffbe00`.
    pub fn hex(&self) -> String {
        let [red, green, blue] = self.color;
        format!("#{red:02x}{green:02x}{blue:02x}")
    }

    /// The body for a WLED lamp's `/json/state`. With the percent of its time that a mode has left, a ring empties with it.
    pub fn wled(&self, percent_left: Option<u8>) -> Value {
        let mut segment = json!({
            "id": 0,
            "fx": match self.pattern {
                LightPattern::Steady => SOLID,
                LightPattern::PulseSlow | LightPattern::Pulse => BREATHE,
            },
            "pal": 0,
            "col": [self.color, [0, 0, 0], [0, 0, 0]],
        });
        match self.pattern {
            LightPattern::Steady => (),
            LightPattern::PulseSlow => segment["sx"] = json!(SLOW),
            LightPattern::Pulse => segment["sx"] = json!(FAST),
        }
        if let Some(left) = percent_left {
            segment["fx"] = json!(PERCENT);
            segment["ix"] = json!(left.min(100));
        }
        json!({"on": true, "bri": self.brightness, "tt": self.change, "seg": segment})
    }

    /// The body for any other listener, such as a webhook of Home Assistant.
    pub fn hook(&self, told: &HookFacts<'_>) -> Value {
        json!({
            "room": told.room,
            "mode": self.mode,
            "color": self.hex(),
            "pattern": self.pattern.word(),
            "brightness": f64::from((u32::from(self.brightness) * 100 + 127) / 255) / 100.0,
            "since": told.since.map(crate::when::iso),
            "until": told.until.map(crate::when::iso),
            "reason": told.reason,
        })
    }
}

/// What a hook is told beside the light.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HookFacts<'a> {
    /// The room.
    pub room: &'a str,
    /// Since when the mode is, in milliseconds since 1970.
    pub since: Option<i64>,
    /// When it ends by itself.
    pub until: Option<i64>,
    /// What it was entered for.
    pub reason: Option<&'a str>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lamps_are_sent_what_wled_reads() {
        let body = |mode: &str| mode_light(mode).map(|light| light.wled(None));
        assert_eq!(
            body("listening"),
            Some(json!({"on": true, "bri": 110, "tt": 7,
                "seg": {"id": 0, "fx": 2, "sx": 24, "pal": 0, "col": [[0, 90, 255], [0, 0, 0], [0, 0, 0]]}}))
        );
        assert_eq!(
            body("commander"),
            Some(json!({"on": true, "bri": 255, "tt": 0,
                "seg": {"id": 0, "fx": 0, "pal": 0, "col": [[255, 0, 0], [0, 0, 0], [0, 0, 0]]}}))
        );
        assert_eq!(
            body("devils_advocate"),
            Some(json!({"on": true, "bri": 170, "tt": 4,
                "seg": {"id": 0, "fx": 2, "sx": 128, "pal": 0, "col": [[150, 0, 255], [0, 0, 0], [0, 0, 0]]}}))
        );
        assert_eq!(body("disco"), None);
        let ring = mode_light("facilitator").unwrap().wled(Some(140));
        assert_eq!((&ring["seg"]["fx"], &ring["seg"]["ix"]), (&json!(98), &json!(100)));
        for light in MODE_LIGHTS {
            assert!(light.wled(None)["seg"].get("i").is_none(), "it would freeze the lamp");
            assert_eq!(light.dimmed(1000), light);
            assert!(light.dimmed(1).brightness >= 1, "{}", light.mode);
        }
    }

    #[test]
    fn no_two_modes_look_the_same_without_colour_or_brightness() {
        let told: Vec<_> = MODE_LIGHTS.iter().map(|light| (light.color, light.pattern)).collect();
        for (at, one) in told.iter().enumerate() {
            assert!(!told[at + 1..].contains(one), "{one:?}");
        }
    }

    #[test]
    fn hooks_are_told_the_mode_and_why() {
        let facts =
            HookFacts { room: "kitchen", since: Some(0), until: Some(90_000), reason: Some("overlap") };
        assert_eq!(
            mode_light("facilitator").unwrap().hook(&facts),
            json!({"room": "kitchen", "mode": "facilitator", "color": "#ffbe00", "pattern": "steady",
                "brightness": 0.67, "since": "1970-01-01T00:00:00Z", "until": "1970-01-01T00:01:30Z", "reason": "overlap"})
        );
    }
}
