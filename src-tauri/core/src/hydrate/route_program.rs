//! Assembly orders compiled: tokens parsed, their sections found.

use smallvec::SmallVec;

use super::{
    HashedKey,
    token::{Token, resolve_section},
    token_report::DropReason,
};
use crate::registry::Registry;

/// An assembly order, ready for many calls.
#[derive(Debug, Default)]
pub(super) struct RouteProgram {
    pub tokens: Vec<TokenProgram>,
    /// The sections whose choices the tokens need, by position in the registry; a token names its
    /// own by slot.
    pub slots: SmallVec<[u32; 16]>,
    /// Whether a token of its own places the runtime injections.
    pub places_injections: bool,
}

/// The compiled assembly orders of a registry.
#[derive(Debug)]
pub(super) struct OrderPrograms {
    pub default: RouteProgram,
    /// Of the named routes, in their order; those that keep the default order have none.
    pub routes: Vec<Option<RouteProgram>>,
}

impl OrderPrograms {
    pub fn new(registry: &Registry) -> Self {
        let routes = registry.routes().values().map(|route| {
            let order = route.assembly_order.as_deref();
            order.map(|order| RouteProgram::new(order, registry))
        });
        Self {
            default: RouteProgram::new(registry.assembly_order(), registry),
            routes: routes.collect(),
        }
    }
}

/// A token of an assembly order.
#[derive(Debug)]
pub(super) struct TokenProgram {
    pub text: Box<str>,
    pub target: Result<TokenTarget, DropReason>,
}

/// The parsed form of a token.
#[derive(Debug)]
pub(super) struct TokenTarget {
    /// The section's position in the registry.
    pub section: u32,
    /// The index of the section's choice in the call's choices.
    pub slot: u32,
    pub form: TokenForm,
}

/// The form of a token.
#[derive(Debug)]
pub(super) enum TokenForm {
    Bare,
    Dotted(HashedKey),
    Bracket(Result<Box<TokenTarget>, DropReason>),
}

impl RouteProgram {
    pub fn new(order: &[String], registry: &Registry) -> Self {
        let mut program = Self::default();
        for text in order {
            let target = Token::parse(text)
                .map_err(|_| DropReason::Malformed)
                .and_then(|token| program.target(&token, registry));
            program.places_injections |= target
                .as_ref()
                .is_ok_and(|target| target.places_injections(registry));
            program.tokens.push(TokenProgram {
                text: text.as_str().into(),
                target,
            });
        }
        program
    }

    fn target(&mut self, token: &Token, registry: &Registry) -> Result<TokenTarget, DropReason> {
        let section = find_section(token.section(), registry).ok_or(DropReason::UnknownSection)?;
        let form = match token {
            Token::Bare { .. } => TokenForm::Bare,
            Token::Dotted { field, .. } => TokenForm::Dotted(HashedKey::new(field)),
            Token::Bracket { inner, .. } => {
                TokenForm::Bracket(self.target(inner, registry).map(Box::new))
            }
        };
        let slot = self
            .slots
            .iter()
            .position(|other| *other == section)
            .unwrap_or_else(|| {
                self.slots.push(section);
                self.slots.len() - 1
            });
        Ok(TokenTarget {
            section,
            slot: slot as u32,
            form,
        })
    }
}

impl TokenTarget {
    fn places_injections(&self, registry: &Registry) -> bool {
        let name = registry
            .sections()
            .get_index(self.section as usize)
            .map(|(name, _)| name.as_str());
        let whole = match &self.form {
            TokenForm::Bare => true,
            TokenForm::Dotted(field) => field.text() == "text",
            TokenForm::Bracket(_) => false,
        };
        whole && name == Some("runtime_injections")
    }
}

/// The section that a token names: by its exact name, else by alias.
pub(super) fn find_section(name: &str, registry: &Registry) -> Option<u32> {
    let sections = registry.sections();
    let name = resolve_section(name, |name| sections.contains_key(name))?;
    sections.get_index_of(name).map(|index| index as u32)
}
