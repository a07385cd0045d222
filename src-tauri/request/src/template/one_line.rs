//! A template with every tag on one line. The compiler drops the span of an instruction once a part of
//! its expression began on another line; with a space in place of each line break between two tokens of
//! a tag it gives the same instructions at the same offsets, each with its span.

use std::borrow::Cow;

use minijinja::{
    Error,
    machinery::{Span, Token, tokenize},
    syntax::SyntaxConfig,
};

/// The template; the source itself where no tag has a line break.
pub fn on_one_line(source: &str) -> Result<Cow<'_, str>, Error> {
    let mut joined = Cow::Borrowed(source);
    // Where the token of a tag ends.
    let mut end: Option<usize> = None;
    for token in tokenize(source, false, SyntaxConfig::default()) {
        let (
            token,
            Span {
                start_offset,
                end_offset,
                ..
            },
        ) = token?;
        let start = start_offset as usize;
        if let Some(end) = end
            && source
                .get(end..start)
                .is_some_and(|between| between.contains(['\n', '\r']))
        {
            let blanks = " ".repeat(start - end);
            joined.to_mut().replace_range(end..start, &blanks);
        }
        end = match token {
            Token::TemplateData(_) | Token::VariableEnd | Token::BlockEnd => None,
            _ => Some(end_offset as usize),
        };
    }
    Ok(joined)
}

#[cfg(test)]
mod tests {
    use super::on_one_line;

    #[test]
    fn line_breaks_between_the_tokens_of_a_tag_become_spaces() {
        for (template, expected) in [
            ("a\n{{ b\n  .c }}\nd", "a\n{{ b   .c }}\nd"),
            (
                "{%-\r\nif a\n-%}\nb{% endif %}",
                "{%-  if a -%}\nb{% endif %}",
            ),
            ("{{ 'a\nb' ~\nc }}", "{{ 'a\nb' ~ c }}"),
            (
                "{% raw %}{{\na }}{% endraw %}",
                "{% raw %}{{\na }}{% endraw %}",
            ),
            ("{#\n#}{{ a }}\n{{ b }}", "{#\n#}{{ a }}\n{{ b }}"),
        ] {
            assert_eq!(on_one_line(template).expect(template), expected);
        }
    }
}
