//! Jinja's grammar: from tokens to statements. Expressions are in their own file.
//! Follows Jinja 3.1, `trim_blocks` and `lstrip_blocks` on, with loop controls and `generation`.

mod expression;
mod postfix;
mod statement;
mod target;

use std::sync::Arc;

use super::ast::Statement;
use super::error::{Error, ErrorKind, Result};
use super::lexer::{Kind, Token};

/// The deepest nesting of statements and expressions.
const MAX_NESTING: u16 = 72;

/// Filters, calls and subscripts one after the other on a single value.
const MAX_POSTFIX: usize = 100;

pub(super) struct Parser<'a> {
    source: &'a str,
    tokens: Vec<Token>,
    position: usize,
    nesting: u16,
    /// Loops around the current statement within the current function.
    loops: usize,
}

/// Parses a whole template.
pub(super) fn parse(source: &str, tokens: Vec<Token>) -> Result<Vec<Statement>> {
    let mut parser = Parser {
        source,
        tokens,
        position: 0,
        nesting: 0,
        loops: 0,
    };
    let (statements, _) = parser.statements_until(&[])?;
    Ok(statements)
}

impl Parser<'_> {
    fn kind(&self) -> &Kind {
        &self.tokens[self.position].kind
    }

    fn at(&self) -> u32 {
        self.tokens[self.position].at
    }

    /// The end token stays current.
    fn advance(&mut self) -> Kind {
        let kind = self.tokens[self.position].kind.clone();
        if self.position + 1 < self.tokens.len() {
            self.position += 1;
        }
        kind
    }

    fn peek(&self) -> &Kind {
        &self.tokens[(self.position + 1).min(self.tokens.len() - 1)].kind
    }

    fn error(&self, message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Syntax, message).at(self.at())
    }

    fn line(&self, at: u32) -> u32 {
        self.source[..at as usize].matches('\n').count() as u32 + 1
    }

    /// What the current token is called in messages.
    fn described(&self) -> String {
        match self.kind() {
            Kind::Text(_) => "template data".into(),
            Kind::BlockBegin => "begin of statement block".into(),
            Kind::BlockEnd => "end of statement block".into(),
            Kind::VariableBegin => "begin of print statement".into(),
            Kind::VariableEnd => "end of print statement".into(),
            Kind::Name(name) => name.to_string(),
            Kind::Const(_) => "number".into(),
            Kind::String(_) => "string".into(),
            Kind::Operator(operator) => (*operator).into(),
            Kind::End => "end of template".into(),
        }
    }

    fn unexpected(&self, wanted: &str) -> Error {
        match self.kind() {
            Kind::End => self.error(format!("unexpected end of template, expected '{wanted}'.")),
            _ => self.error(format!(
                "expected token '{wanted}', got '{}'",
                self.described()
            )),
        }
    }

    fn is_operator(&self, operator: &str) -> bool {
        matches!(self.kind(), Kind::Operator(found) if *found == operator)
    }

    fn skip_operator(&mut self, operator: &str) -> bool {
        let found = self.is_operator(operator);
        if found {
            self.advance();
        }
        found
    }

    fn expect_operator(&mut self, operator: &str) -> Result<()> {
        if self.skip_operator(operator) {
            Ok(())
        } else {
            Err(self.unexpected(operator))
        }
    }

    fn is_name(&self, name: &str) -> bool {
        matches!(self.kind(), Kind::Name(found) if &**found == name)
    }

    fn skip_name(&mut self, name: &str) -> bool {
        let found = self.is_name(name);
        if found {
            self.advance();
        }
        found
    }

    fn expect_name(&mut self) -> Result<Arc<str>> {
        match self.kind() {
            Kind::Name(name) => {
                let name = Arc::clone(name);
                self.advance();
                Ok(name)
            }
            _ => Err(self.unexpected("name")),
        }
    }

    fn expect_block_end(&mut self) -> Result<()> {
        match self.kind() {
            Kind::BlockEnd => {
                self.advance();
                Ok(())
            }
            _ => Err(self.unexpected("end of statement block")),
        }
    }

    fn descend(&mut self) -> Result<()> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return Err(Error::new(
                ErrorKind::Limit,
                format!("the template nests more than {MAX_NESTING} deep"),
            )
            .at(self.at()));
        }
        Ok(())
    }

    fn rise(&mut self) {
        self.nesting -= 1;
    }

    /// Statements up to one of `ends`, whose name is given back and consumed; with no `ends`, up
    /// to the end of the template.
    fn statements_until(
        &mut self,
        ends: &[&'static str],
    ) -> Result<(Vec<Statement>, &'static str)> {
        self.descend()?;
        let mut statements = Vec::new();
        loop {
            let at = self.at();
            match self.advance() {
                Kind::Text(text) => statements.push(Statement::Text(text, at)),
                Kind::VariableBegin => {
                    let expr = self.tuple(true, &[], false)?;
                    match self.kind() {
                        Kind::VariableEnd => self.advance(),
                        _ => return Err(self.unexpected("end of print statement")),
                    };
                    statements.push(Statement::Print(expr, at));
                }
                Kind::BlockBegin => {
                    if let Some(end) = ends.iter().find(|end| self.is_name(end)) {
                        self.advance();
                        self.rise();
                        return Ok((statements, end));
                    }
                    self.statement(ends, &mut statements)?;
                    self.expect_block_end()?;
                }
                Kind::End if ends.is_empty() => {
                    self.rise();
                    return Ok((statements, ""));
                }
                _ => {
                    return Err(self.error(format!(
                        "Unexpected end of template. Jinja was looking for the following tags: {}.",
                        quoted_list(ends)
                    )));
                }
            }
        }
    }

    /// The rest of an opening tag, then its body.
    fn body_until(&mut self, ends: &[&'static str]) -> Result<(Vec<Statement>, &'static str)> {
        self.skip_operator(":");
        self.expect_block_end()?;
        self.statements_until(ends)
    }
}

fn quoted_list(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
    quoted.join(" or ")
}
