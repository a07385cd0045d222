//! What every call of a model ignores in its registry, or prints otherwise than was meant, such as a
//! key that is misspelled: warnings when it is read, and errors of calls with `strict=True`.

use promptdeck_core::file_kind::FileKind;
use promptdeck_core::hydrate::{Engine, Entries, JINJA, StateEntry};
use promptdeck_core::lint;
use promptdeck_core::registry::{DataKey, Diagnostic, Document, Registry, SourceMap, codes};

use crate::fault::{Fault, Raised};

/// The warnings about a registry.
pub struct RegistryWarnings {
    /// Those that no call avoids.
    of_all_calls: Vec<Fault>,
    /// Those about defaults, which a state can replace.
    of_defaults: Vec<(Diagnostic, Fault)>,
}

impl RegistryWarnings {
    /// Those of a registry that was read from a file of some kind.
    pub fn of(
        engine: &Engine,
        document: &Document,
        source_map: &SourceMap,
        kind: FileKind,
    ) -> Self {
        let registry = engine.registry();
        let fault = |found: Diagnostic| Fault::of_call(found.located(source_map));
        let ignored = lint::ignored(document, registry);
        let mut of_defaults = engine.default_warnings();
        of_defaults.retain(|found| !ignored.contains(found));
        let of_defaults = of_defaults.into_iter();
        let of_all_calls = call_document(kind).into_iter();
        let of_all_calls = of_all_calls.chain(ignored.into_iter().map(fault));
        Self {
            of_all_calls: of_all_calls.chain(template(registry)).collect(),
            of_defaults: of_defaults
                .map(|found| (found.clone(), fault(found)))
                .collect(),
        }
    }

    /// The same with the name of the file before each message.
    pub fn in_file(mut self, name: &str) -> Self {
        let of_defaults = self.of_defaults.iter_mut().map(|(_, fault)| fault);
        for fault in self.of_all_calls.iter_mut().chain(of_defaults) {
            fault.message.insert_str(0, &format!("{name}: "));
        }
        self
    }

    /// All of them.
    pub fn faults(&self) -> Vec<Fault> {
        let of_defaults = self.of_defaults.iter().map(|(_, fault)| fault);
        self.of_all_calls
            .iter()
            .chain(of_defaults)
            .cloned()
            .collect()
    }

    /// Refuses every call.
    pub fn refuse_all(&self) -> Result<(), Fault> {
        self.of_all_calls
            .first()
            .map_or(Ok(()), |fault| Err(fault.clone()))
    }

    /// Refuses a call with a state that leaves a faulty default in place.
    pub fn refuse(&self, state: &impl Entries) -> Result<(), Fault> {
        let mut of_defaults = self.of_defaults.iter();
        let left = of_defaults.find(|(found, _)| !state.entries().any(|entry| sets(entry, found)));
        left.map_or(Ok(()), |(_, fault)| Err(fault.clone()))
    }
}

/// That a call document is more than the registry in it.
fn call_document(kind: FileKind) -> Option<Fault> {
    (kind == FileKind::CallWithRegistry).then(|| {
        let message = "a call document: of it only the registry is read; `promptdeck request` reads \
                       all of it";
        Fault::new(Raised::Call, "call_document", message).at("")
    })
}

/// That texts which are Jinja templates are not rendered.
fn template(registry: &Registry) -> Option<Fault> {
    (registry.template_engine() == Some(JINJA)).then(|| {
        let message = "its texts are Jinja templates, which are given unrendered; `promptdeck request` \
                       and `promptdeck hydrate --call` render them with the arguments of a call \
                       document";
        Fault::new(Raised::Call, "template_not_rendered", message)
    })
}

/// Whether an entry of a state takes the place of a default.
fn sets(entry: StateEntry<'_>, found: &Diagnostic) -> bool {
    let named = |key| found.data.text(key);
    match entry {
        StateEntry::Field { section, field } => {
            named(DataKey::Section) == Some(section) && named(DataKey::Field) == Some(field)
        }
        StateEntry::Section { part, section } => {
            let replaced = match found.code {
                codes::BAKED_MODE => return false,
                codes::BAKED_SLIDER_OUT_OF_RANGE => "sliders",
                _ => "selections",
            };
            part == replaced && named(DataKey::Section) == Some(section)
        }
        _ => false,
    }
}
