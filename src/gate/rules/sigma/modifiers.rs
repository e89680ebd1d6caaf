//! What stands behind a field's name in a Sigma rule: `CommandLine|contains|all`.

/// How the values of a field are meant.
#[derive(Clone, Debug, Default)]
pub(super) struct Modifiers {
    /// Every value must fit, not one.
    pub all: bool,
    /// Upper and lower case differ.
    pub is_cased: bool,
    /// Any of the marks that Windows tools take in front of an option.
    pub is_dash_any: bool,
    pub form: Form,
    pub open: Open,
}

/// What kind of value it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Form {
    #[default]
    Plain,
    Regex,
    /// A network of addresses, `a.b.c.d/n`.
    Network,
    /// Base64 of the value, at so many offsets; wide letters have two bytes.
    Encoded {
        offsets: usize,
        is_wide: bool,
    },
}

/// Where the value may stand inside of a longer one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Open {
    pub front: bool,
    pub back: bool,
}

impl Modifiers {
    pub(super) fn read(names: &[&str]) -> Result<Self, String> {
        let mut read = Self::default();
        let names: Vec<_> = names.iter().map(|name| name.to_ascii_lowercase()).collect();
        let is_wide = names.iter().any(|name| matches!(name.as_str(), "wide" | "utf16le"));
        for name in &names {
            match name.as_str() {
                "contains" => read.open = Open { front: true, back: true },
                "startswith" => read.open.back = true,
                "endswith" => read.open.front = true,
                "all" => read.all = true,
                "windash" => read.is_dash_any = true,
                "re" => (read.form, read.is_cased) = (Form::Regex, true),
                "i" => read.is_cased = false,
                "cased" => read.is_cased = true,
                "cidr" => read.form = Form::Network,
                "base64" => read.form = Form::Encoded { offsets: 1, is_wide },
                "base64offset" => read.form = Form::Encoded { offsets: 3, is_wide },
                // Patterns are read line by line anyway, and wide letters belong to the encoding.
                "m" | "s" | "wide" | "utf16le" => {}
                other => return Err(format!("the modifier `{other}` is not translated")),
            }
        }
        Ok(read)
    }

    /// The same, wherever the value stands.
    pub(super) fn anywhere(self) -> Self {
        Self { open: Open { front: true, back: true }, ..self }
    }
}
