//! How parts of an action are written, as a pattern for people.
//!
//! Must not read anything.

use super::{Form, Part, Shape};

/// What stands between who does something and where to.
pub(super) const ARROW: &str = "->";

/// Words with blanks between them, but none around an arrow.
pub(super) fn joined(words: &[String]) -> String {
    let mut line = String::new();
    for (at, word) in words.iter().enumerate() {
        let arrow =
            |at: Option<usize>| at.and_then(|at| words.get(at)).is_some_and(|it| it == ARROW);
        if at > 0 && word != ARROW && !arrow(at.checked_sub(1)) {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

/// How some parts are written.
pub(super) fn pattern(parts: &[Part]) -> String {
    let part = |part: &Part| match *part {
        Part::Is(field, shape) => form(field, &shape),
        Part::May(field, shape) | Part::Any(field, shape) => format!("({})", form(field, &shape)),
        Part::Led(word, field, shape) => format!("({word} {})", form(field, &shape)),
        Part::Flag(word, _) => format!("({word})"),
        Part::Word(word) => word.to_owned(),
        Part::Arrow => ARROW.to_owned(),
        Part::Choice(_, forms) => {
            let words: Vec<&str> = forms.iter().map(|form| form.word).collect();
            words.join("|")
        }
        Part::Keyed(names, shape, needed) => {
            let one = |name: &(&str, &str)| format!("{} {}", name.0, form("number", &shape));
            let all = names.iter().map(one).collect::<Vec<_>>().join(", ");
            if needed { all } else { format!("({all})") }
        }
    };
    joined(&parts.iter().map(part).collect::<Vec<_>>())
}

fn form(field: &str, shape: &Shape) -> String {
    let field = field.to_uppercase();
    match *shape {
        Shape::Hex => "q,r".to_owned(),
        Shape::YesNo(yes, no) => format!("{yes}|{no}"),
        Shape::OrNull(word, inner) => format!("{}|{word}", form(&field, inner)),
        Shape::List(item) => format!("[{}, …]", form(field.trim_end_matches('S'), item)),
        Shape::Tuple(items) => {
            let items: Vec<String> = items.iter().map(|item| form(&field, item)).collect();
            items.join(ARROW)
        }
        Shape::Object(parts) => pattern(parts),
        Shape::OneOf(_, forms) => {
            let one = |form: &Form| format!("{} {}", form.word, pattern(form.parts));
            forms.iter().map(one).collect::<Vec<_>>().join(" | ")
        }
        Shape::Text => format!("\"{field}\""),
        Shape::Name | Shape::Short(_) | Shape::Number(_) => field,
    }
}
