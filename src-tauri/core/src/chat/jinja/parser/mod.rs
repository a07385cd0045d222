//! Jinja's grammar: from tokens to statements. Expressions are in their own file.
//! Follows Jinja 3.1, `trim_blocks` and `lstrip_blocks` on, with loop controls and `generation`.

mod expression;

use std::sync::Arc;

use super::ast::{
    Applied, Block, Body, CallBlock, Expr, For, LoopTest, Macro, Name, SetBlock, Signature, Slot,
    Statement, Target, With,
};
use super::error::{Error, ErrorKind, Result};
use super::filters;
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

    /// The end token stays current for ever.
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
        matches!(self.kind(), Kind::Operator(own) if *own == operator)
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
        matches!(self.kind(), Kind::Name(own) if &**own == name)
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

    fn statement(&mut self, ends: &[&'static str], into: &mut Vec<Statement>) -> Result<()> {
        let at = self.at();
        let Kind::Name(tag) = self.kind().clone() else {
            return Err(self.error("tag name expected"));
        };
        self.advance();
        into.push(match &*tag {
            "for" => self.for_loop(at)?,
            "if" => self.condition()?,
            "set" => self.set(at)?,
            "macro" => self.macro_definition()?,
            "call" => self.call_block(at)?,
            "filter" => self.filter_block()?,
            "with" => self.with()?,
            "block" => self.block()?,
            "print" => return self.print(at, into),
            "generation" => {
                let (body, _) = self.body_until(&["endgeneration"])?;
                Statement::Generation(plain(body))
            }
            "break" | "continue" if self.loops == 0 => {
                return Err(Error::new(ErrorKind::Syntax, format!("'{tag}' outside loop")).at(at));
            }
            "break" => Statement::Break,
            "continue" => Statement::Continue,
            "include" | "import" | "from" | "extends" => self.other_template(at)?,
            "autoescape" => {
                self.expression(true)?;
                self.body_until(&["endautoescape"])?;
                Statement::Unsupported("autoescape blocks are not supported", at)
            }
            other => {
                let message = if ends.is_empty() {
                    format!("Encountered unknown tag '{other}'.")
                } else {
                    format!(
                        "Encountered unknown tag '{other}'. Jinja was looking for the following \
                         tags: {}.",
                        quoted_list(ends)
                    )
                };
                return Err(Error::new(ErrorKind::Syntax, message).at(at));
            }
        });
        Ok(())
    }

    /// A chat template stands alone: there is nothing to load another one from.
    fn other_template(&mut self, at: u32) -> Result<Statement> {
        while !matches!(self.kind(), Kind::BlockEnd) {
            if matches!(self.advance(), Kind::End) {
                return Err(self.unexpected("end of statement block"));
            }
        }
        Ok(Statement::Unsupported(
            "no loader for this environment specified",
            at,
        ))
    }

    fn print(&mut self, at: u32, into: &mut Vec<Statement>) -> Result<()> {
        let mut first = true;
        while !matches!(self.kind(), Kind::BlockEnd) {
            if !std::mem::take(&mut first) {
                self.expect_operator(",")?;
            }
            into.push(Statement::Print(self.expression(true)?, at));
        }
        Ok(())
    }

    fn for_loop(&mut self, at: u32) -> Result<Statement> {
        let target = self.target(true, &["in"], false)?;
        if !self.skip_name("in") {
            return Err(self.unexpected("in"));
        }
        let iterable = self.tuple(false, &["recursive"], false)?;
        let test = match self.skip_name("if") {
            true => Some(Box::new(LoopTest {
                entry: Vec::new(),
                target: target.clone(),
                test: self.expression(true)?,
            })),
            false => None,
        };
        let recursive = self.skip_name("recursive");
        self.loops += 1;
        let (body, end) = self.body_until(&["endfor", "else"])?;
        self.loops -= 1;
        let otherwise = match end {
            "else" => Some(plain(self.body_until(&["endfor"])?.0)),
            _ => None,
        };
        Ok(Statement::For(Arc::new(For {
            target,
            iterable,
            test,
            recursive,
            loop_slot: None,
            once: Vec::new(),
            body: plain(body),
            otherwise,
            function: 0,
            at,
        })))
    }

    fn condition(&mut self) -> Result<Statement> {
        let mut branches = Vec::new();
        loop {
            let test = self.tuple(false, &[], false)?;
            let (body, end) = self.body_until(&["elif", "else", "endif"])?;
            branches.push((test, body));
            match end {
                "elif" => {}
                "else" => {
                    let (otherwise, _) = self.body_until(&["endif"])?;
                    return Ok(Statement::If(branches, otherwise));
                }
                _ => return Ok(Statement::If(branches, Vec::new())),
            }
        }
    }

    fn set(&mut self, at: u32) -> Result<Statement> {
        let target = self.target(true, &[], true)?;
        if self.skip_operator("=") {
            let value = self.tuple(true, &[], false)?;
            return Ok(Statement::Set(target, value, at));
        }
        let mut filter = None;
        while self.skip_operator("|") {
            filter = Some(self.one_filter(filter)?);
        }
        let (body, _) = self.body_until(&["endset"])?;
        Ok(Statement::SetBlock(Box::new(SetBlock {
            target,
            filter,
            body: plain(body),
            at,
        })))
    }

    fn signature(&mut self) -> Result<Signature> {
        let mut signature = Signature::default();
        self.expect_operator("(")?;
        while !self.is_operator(")") {
            if !signature.parameters.is_empty() {
                self.expect_operator(",")?;
            }
            let parameter = self.store_name()?;
            if self.skip_operator("=") {
                signature.defaults.push(self.expression(true)?);
            } else if !signature.defaults.is_empty() {
                return Err(self.error("non-default argument follows default argument"));
            }
            signature.parameters.push(parameter);
        }
        self.expect_operator(")")?;
        Ok(signature)
    }

    /// The body of a function: loops around it are none of its own.
    fn function_body(&mut self, end: &'static str) -> Result<Body> {
        let loops = std::mem::take(&mut self.loops);
        let (body, _) = self.body_until(&[end])?;
        self.loops = loops;
        Ok(plain(body))
    }

    fn macro_definition(&mut self) -> Result<Statement> {
        let name = self.store_name()?;
        let mut signature = self.signature()?;
        signature.body = self.function_body("endmacro")?;
        Ok(Statement::Macro(Box::new(Macro {
            name,
            signature: Arc::new(signature),
        })))
    }

    fn call_block(&mut self, at: u32) -> Result<Statement> {
        let mut signature = match self.is_operator("(") {
            true => self.signature()?,
            false => Signature::default(),
        };
        let call = self.expression(true)?;
        if !matches!(call, Expr::Call(_)) {
            return Err(Error::new(ErrorKind::Syntax, "expected call").at(at));
        }
        signature.body = self.function_body("endcall")?;
        Ok(Statement::CallBlock(Box::new(CallBlock {
            call,
            signature: Arc::new(signature),
            at,
        })))
    }

    fn filter_block(&mut self) -> Result<Statement> {
        let mut filter = self.one_filter(None)?;
        while self.skip_operator("|") {
            filter = self.one_filter(Some(filter))?;
        }
        let (body, _) = self.body_until(&["endfilter"])?;
        match filter {
            Expr::Filter(filter) => Ok(Statement::FilterBlock(filter, plain(body))),
            _ => Err(self.error("expected a filter")),
        }
    }

    fn with(&mut self) -> Result<Statement> {
        let mut with = With::default();
        while !matches!(self.kind(), Kind::BlockEnd) {
            if !with.targets.is_empty() {
                self.expect_operator(",")?;
            }
            with.targets.push(self.target(true, &[], false)?);
            self.expect_operator("=")?;
            with.values.push(self.expression(true)?);
        }
        let (body, _) = self.body_until(&["endwith"])?;
        with.body = plain(body);
        Ok(Statement::With(Box::new(with)))
    }

    fn block(&mut self) -> Result<Statement> {
        let name = self.expect_name()?;
        self.skip_name("scoped");
        self.skip_name("required");
        let body = self.function_body("endblock")?;
        if self.is_name(&name) {
            self.advance();
        }
        Ok(Statement::Block(Box::new(Block { function: 0, body })))
    }

    fn store_name(&mut self) -> Result<Name> {
        let at = self.at();
        let name = self.expect_name()?;
        self.checked_name(name, at)
    }

    fn checked_name(&self, name: Arc<str>, at: u32) -> Result<Name> {
        if matches!(
            &*name,
            "true" | "false" | "none" | "True" | "False" | "None"
        ) {
            return Err(Error::new(ErrorKind::Syntax, format!("can't assign to '{name}'")).at(at));
        }
        Ok(Name {
            name,
            slot: Slot::default(),
            at,
        })
    }

    /// What an assignment stores to. `namespaced` allows `name.attribute`.
    fn target(&mut self, tuples: bool, ends: &[&str], namespaced: bool) -> Result<Target> {
        let at = self.at();
        let mut parts = Vec::new();
        let mut is_tuple = false;
        loop {
            if !parts.is_empty() {
                self.expect_operator(",")?;
            }
            if self.at_tuple_end(ends) || self.is_operator("=") {
                break;
            }
            parts.push(self.target_part(namespaced)?);
            if !(tuples && self.is_operator(",")) {
                break;
            }
            is_tuple = true;
        }
        match (is_tuple, parts.pop()) {
            (false, Some(only)) => Ok(only),
            (true, Some(last)) => {
                parts.push(last);
                Ok(Target::Tuple(parts, at))
            }
            (_, None) => Err(self.unexpected("name")),
        }
    }

    fn target_part(&mut self, namespaced: bool) -> Result<Target> {
        let at = self.at();
        if self.skip_operator("(") {
            self.descend()?;
            let inner = self.target(true, &[], namespaced)?;
            self.rise();
            self.expect_operator(")")?;
            return Ok(inner);
        }
        let Kind::Name(name) = self.kind().clone() else {
            return Err(self.error(format!("can't assign to '{}'", self.described())));
        };
        self.advance();
        let name = self.checked_name(name, at)?;
        if namespaced && self.skip_operator(".") {
            let attribute = self.expect_name()?;
            return Ok(Target::Attribute {
                namespace: name,
                attribute,
            });
        }
        Ok(Target::Name(name))
    }

    fn at_tuple_end(&self, ends: &[&str]) -> bool {
        match self.kind() {
            Kind::VariableEnd | Kind::BlockEnd => true,
            Kind::Operator(operator) => *operator == ")",
            Kind::Name(name) => ends.contains(&&**name),
            _ => false,
        }
    }

    /// One filter after its bar: name and arguments.
    fn one_filter(&mut self, subject: Option<Expr>) -> Result<Expr> {
        let at = self.at();
        let name = self.dotted_name()?;
        let arguments = match self.is_operator("(") {
            true => self.arguments()?,
            false => super::ast::Arguments::default(),
        };
        Ok(Expr::Filter(Box::new(Applied {
            subject,
            function: filters::lookup(&name),
            name,
            arguments,
            at,
        })))
    }

    fn dotted_name(&mut self) -> Result<Arc<str>> {
        let mut name = self.expect_name()?;
        while self.skip_operator(".") {
            name = format!("{name}.{}", self.expect_name()?).into();
        }
        Ok(name)
    }
}

fn plain(statements: Vec<Statement>) -> Body {
    Body {
        entry: Vec::new(),
        statements,
    }
}

fn quoted_list(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
    quoted.join(" or ")
}
