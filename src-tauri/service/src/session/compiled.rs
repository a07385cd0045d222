//! A session's tree compiled: the engine for its registry, the state, route and seed. After an edit
//! only the parts it touched are compiled again.

use promptdeck_core::hydrate::{Engine, Seed, State};
use promptdeck_core::registry::Registry;
use serde_json::Value;

use crate::ServiceError;
use crate::tree::{self, EditScope};
use crate::wire::Edit;
use crate::working_copy::Compiled;

/// A compiled tree.
#[derive(Debug, Clone)]
pub(crate) struct CompiledSession {
    pub(super) engine: Engine,
    pub(super) state: State,
    pub(super) route: Option<String>,
    pub(super) seed: Seed,
}

impl Compiled for CompiledSession {
    const FILE_PATH: &'static [&'static str] = &["registry"];

    fn compile(tree: &Value) -> Result<Self, ServiceError> {
        tree::check(tree)?;
        let registry = Registry::from_map(tree::registry(tree)).map_err(ServiceError::Refused)?;
        Ok(Self {
            engine: Engine::new(registry),
            state: tree::state(tree)?,
            route: tree::route(tree)?,
            seed: tree::seed(tree)?,
        })
    }

    fn recompile(&self, tree: &Value, edits: &[Edit]) -> Result<Self, ServiceError> {
        recompile(tree, self, &EditScope::of(edits))
    }

    fn changes_file(tree: &Value, edits: &[Edit]) -> bool {
        tree::changes_file(tree, edits)
    }
}

/// Compiles a tree after an edit; parts the edit did not touch are reused.
fn recompile(
    tree: &Value,
    old: &CompiledSession,
    scope: &EditScope,
) -> Result<CompiledSession, ServiceError> {
    if scope.top {
        return CompiledSession::compile(tree);
    }
    let mut compiled = old.clone();
    let registry = tree::registry(tree);
    let is_section = |name: &String| {
        registry
            .get(name)
            .is_some_and(|value| value.get("items").is_some())
    };
    let known = |name: &String| old.engine.registry().section(name).is_some();
    if scope.registry
        || !scope
            .sections
            .iter()
            .all(|name| is_section(name) && known(name))
    {
        tree::check(tree)?;
        let changed = old.engine.registry().with_map(registry);
        compiled.engine = old
            .engine
            .with_registry(changed.map_err(ServiceError::Refused)?);
    } else if !scope.sections.is_empty() {
        let mut changed = old.engine.registry().clone();
        for name in &scope.sections {
            if let Some(value) = registry.get(name) {
                changed = changed
                    .with_section(name, value)
                    .map_err(ServiceError::Refused)?;
            }
        }
        compiled.engine = old.engine.with_registry(changed);
    }
    if scope.state {
        compiled.state = tree::state(tree)?;
    }
    if scope.call {
        compiled.route = tree::route(tree)?;
        compiled.seed = tree::seed(tree)?;
    }
    Ok(compiled)
}
