//! The typed registry: an author's JSON after checking.
//!
//! Immutable and cheap to clone; the author's JSON itself stays in [`super::Document`].

use std::sync::Arc;

use indexmap::IndexMap;
use serde_json::{Map, Value};

use super::{
    DataKey, DiagnosticData, ParseCode, ParseError, RESERVED_KEYS, SCHEMA_VERSION, Section,
    WELL_KNOWN_SECTIONS,
    check::{self, FieldPath, TypeErrors},
};

/// A named route: the settings of the registry that it replaces.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Route {
    /// Replaces the registry's `assembly_order` when present.
    pub assembly_order: Option<Vec<String>>,
    /// Replaces generation settings key by key.
    pub generation: Map<String, Value>,
    /// Replaces output policy field by field.
    pub output_policy: Map<String, Value>,
}

/// Everything that is not a section.
#[derive(Clone, Debug, Default, PartialEq)]
struct RegistrySettings {
    title: Option<String>,
    description: Option<String>,
    template_engine: Option<String>,
    assembly_order: Vec<String>,
    routes: IndexMap<String, Route>,
    generation: Map<String, Value>,
    output_policy: Map<String, Value>,
}

/// A checked registry. Cloning shares everything.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    settings: Arc<RegistrySettings>,
    sections: Arc<IndexMap<String, Arc<Section>>>,
}

impl Registry {
    /// Parses a registry object (without its wrapper).
    ///
    /// Errors carry pointers counted from the registry object, and no position.
    ///
    /// # Errors
    ///
    /// [`ParseError`] for a field of the wrong type or an unknown version.
    pub fn from_map(map: &Map<String, Value>) -> Result<Self, ParseError> {
        Self::checked(map, &IndexMap::new())
    }

    /// The errors of a registry object, in the order in which it is read, a thousand at most. Of
    /// another version, that is the only one.
    pub(super) fn errors(map: &Map<String, Value>) -> Vec<ParseError> {
        let mut errors = TypeErrors::default();
        match version(map) {
            Err(error) if error.code == ParseCode::UnsupportedVersion => return vec![error],
            Err(error) => errors.add(error),
            Ok(()) => {}
        }
        Self::read(map, &IndexMap::new(), &mut errors);
        errors.into_vec()
    }

    /// Parses another version of the registry object. Unchanged sections are shared,
    /// as are the unchanged items of the others.
    ///
    /// # Errors
    ///
    /// [`ParseError`] for a field of the wrong type or an unknown version.
    pub fn with_map(&self, map: &Map<String, Value>) -> Result<Self, ParseError> {
        Self::checked(map, &self.sections)
    }

    fn checked(
        map: &Map<String, Value>,
        earlier: &IndexMap<String, Arc<Section>>,
    ) -> Result<Self, ParseError> {
        version(map)?;
        let mut errors = TypeErrors::default();
        let registry = Self::read(map, earlier, &mut errors);
        errors.first_or(registry)
    }

    fn read(
        map: &Map<String, Value>,
        earlier: &IndexMap<String, Arc<Section>>,
        errors: &mut TypeErrors,
    ) -> Self {
        let root = &FieldPath::ROOT;
        let text = |key, errors: &mut TypeErrors| {
            let text = errors.or_default(check::text(map, key, root));
            text.map(str::to_owned)
        };
        let settings = RegistrySettings {
            title: text("title", errors),
            description: text("description", errors),
            template_engine: text("template_engine", errors),
            assembly_order: check::texts(map, "assembly_order", root, errors),
            routes: routes(map, errors),
            generation: errors.or_default(members(map, "generation", root)),
            output_policy: errors.or_default(members(map, "output_policy", root)),
        };
        let sections = map
            .iter()
            .filter(|(name, value)| is_section(name, value))
            .map(|(name, value)| {
                let section = Section::reparse(name, value, earlier.get(name), errors);
                (name.clone(), section)
            })
            .collect();
        Self {
            settings: Arc::new(settings),
            sections: Arc::new(sections),
        }
    }

    /// The same registry with one section replaced, or appended when it is new.
    ///
    /// Everything else is shared, and so are the section's own unchanged items: a keystroke in
    /// the window takes this path.
    ///
    /// # Errors
    ///
    /// [`ParseError`] for a field of the wrong type.
    pub fn with_section(&self, name: &str, value: &Value) -> Result<Self, ParseError> {
        let mut errors = TypeErrors::default();
        let section = Section::reparse(name, value, self.sections.get(name), &mut errors);
        let section = errors.first_or(section)?;
        let mut sections = IndexMap::clone(&self.sections);
        sections.insert(name.to_owned(), section);
        Ok(Self {
            settings: Arc::clone(&self.settings),
            sections: Arc::new(sections),
        })
    }

    /// The same registry with one more entry in the assembly order of a route, at `index` or, beyond
    /// the end, as the last one. Sections are shared.
    ///
    /// # Examples
    ///
    /// ```
    /// use promptdeck_core::registry;
    ///
    /// let parsed = registry::parse(br#"{"assembly_order": ["b"], "b": {"items": []}}"#)?;
    /// let more = parsed.registry.with_entry(None, 0, "a");
    /// assert_eq!(more.assembly_order(), ["a", "b"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_entry(&self, route: Option<&str>, index: usize, entry: &str) -> Self {
        let mut settings = RegistrySettings::clone(&self.settings);
        let edited_route = route.and_then(|name| settings.routes.get_mut(name));
        let order = edited_route
            .and_then(|route| route.assembly_order.as_mut())
            .unwrap_or(&mut settings.assembly_order);
        order.insert(index.min(order.len()), entry.to_owned());
        Self {
            settings: Arc::new(settings),
            sections: Arc::clone(&self.sections),
        }
    }

    /// Whether the assembly orders of another version of the registry read the same in this one: they
    /// are shared with it, and its sections have the same names in the same places.
    pub(crate) fn shares_orders(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.settings, &other.settings)
            && self.sections.keys().eq(other.sections.keys())
    }

    /// The `title`.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.settings.title.as_deref()
    }

    /// The `description`.
    #[must_use]
    pub fn description(&self) -> Option<&str> {
        self.settings.description.as_deref()
    }

    /// The `template_engine`.
    #[must_use]
    pub fn template_engine(&self) -> Option<&str> {
        self.settings.template_engine.as_deref()
    }

    /// The tokens of the default route, as written.
    #[must_use]
    pub fn assembly_order(&self) -> &[String] {
        &self.settings.assembly_order
    }

    /// All sections, in file order.
    #[must_use]
    pub fn sections(&self) -> &IndexMap<String, Arc<Section>> {
        &self.sections
    }

    /// The section of that very name (aliases are for tokens only).
    #[must_use]
    pub fn section(&self, name: &str) -> Option<&Arc<Section>> {
        self.sections.get(name)
    }

    /// All sections in canonical order: the well-known ones, then the others in file order.
    pub fn canonical_sections(&self) -> impl Iterator<Item = &Arc<Section>> {
        let known = WELL_KNOWN_SECTIONS
            .iter()
            .filter_map(|name| self.sections.get(*name));
        let others = self
            .sections
            .values()
            .filter(|section| !WELL_KNOWN_SECTIONS.contains(&section.name()));
        known.chain(others)
    }

    /// The assembly order that a call uses: the route's own, else the registry's. A route that does
    /// not exist uses the registry's.
    #[must_use]
    pub fn assembly_order_of(&self, route: Option<&str>) -> &[String] {
        let route = route.and_then(|name| self.routes().get(name));
        let route_order = route.and_then(|route| route.assembly_order.as_deref());
        route_order.unwrap_or_else(|| self.assembly_order())
    }

    /// The routes, in file order.
    #[must_use]
    pub fn routes(&self) -> &IndexMap<String, Route> {
        &self.settings.routes
    }

    /// The generation settings as written.
    #[must_use]
    pub fn generation(&self) -> &Map<String, Value> {
        &self.settings.generation
    }

    /// The output policy as written.
    #[must_use]
    pub fn output_policy(&self) -> &Map<String, Value> {
        &self.settings.output_policy
    }
}

/// Whether a top-level member is a section: not reserved, and an object that holds `items`.
#[must_use]
pub fn is_section(name: &str, value: &Value) -> bool {
    !RESERVED_KEYS.contains(&name)
        && value
            .as_object()
            .is_some_and(|members| members.contains_key("items"))
}

fn version(map: &Map<String, Value>) -> Result<(), ParseError> {
    let path = FieldPath::ROOT.key("version");
    match check::present(map, "version") {
        None => Ok(()),
        Some(Value::Number(number)) if number.as_u64() == Some(SCHEMA_VERSION) => Ok(()),
        Some(Value::Number(number)) if number.as_u64() == Some(2) => Err(path.error(
            ParseCode::UnsupportedVersion,
            "version 2 is the dialect of promptlibretto 0.7 and newer; import the file to convert it \
             (Ctrl+I in the window, or `promptdeck import`)"
                .to_owned(),
            DiagnosticData::of(DataKey::Found, number.to_string())
                .with(DataKey::Expected, SCHEMA_VERSION.to_string()),
        )),
        Some(Value::Number(number)) => Err(path.error(
            ParseCode::UnsupportedVersion,
            format!("version {number} is unknown; this program reads version {SCHEMA_VERSION}"),
            DiagnosticData::of(DataKey::Found, number.to_string())
                .with(DataKey::Expected, SCHEMA_VERSION.to_string()),
        )),
        Some(other) => Err(path.wrong_type("the number 22", other)),
    }
}

fn routes(map: &Map<String, Value>, errors: &mut TypeErrors) -> IndexMap<String, Route> {
    let path = FieldPath::ROOT.key("routes");
    let routes = errors.or_default(check::object(map, "routes", &FieldPath::ROOT));
    routes
        .into_iter()
        .flatten()
        .map(|(name, value)| {
            let path = path.key(name);
            let none = Map::new();
            let route = value.as_object().unwrap_or_else(|| {
                errors.add(path.wrong_type("an object", value));
                &none
            });
            let order = check::present(route, "assembly_order");
            let route = Route {
                assembly_order: order.map(|_| check::texts(route, "assembly_order", &path, errors)),
                generation: errors.or_default(members(route, "generation", &path)),
                output_policy: errors.or_default(members(route, "output_policy", &path)),
            };
            (name.clone(), route)
        })
        .collect()
}

fn members(
    map: &Map<String, Value>,
    key: &str,
    path: &FieldPath<'_>,
) -> Result<Map<String, Value>, ParseError> {
    Ok(check::object(map, key, path)?.cloned().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_entry_is_added_to_the_order_that_a_route_uses() {
        let registry = read(&json!({
            "assembly_order": ["a", "b"],
            "routes": {"own": {"assembly_order": ["b"]}, "none": {"generation": {}}},
            "a": section(&["one"]),
            "b": section(&["two"]),
        }));
        for (route, index, order) in [
            (None, 1, vec!["a", "new", "b"]),
            (Some("own"), 0, vec!["new", "b"]),
            (Some("none"), 9, vec!["a", "b", "new"]),
        ] {
            let extended = registry.with_entry(route, index, "new");
            assert_eq!(extended.assembly_order_of(route), order, "{route:?}");
            assert_eq!(registry.assembly_order_of(route).len() + 1, order.len());
            let shared = |name| extended.section(name).expect("there");
            assert!(Arc::ptr_eq(
                registry.section("a").expect("there"),
                shared("a")
            ));
        }
    }

    fn section(texts: &[&str]) -> Value {
        let items = texts.iter().map(|text| json!({ "id": text, "text": text }));
        json!({ "items": items.collect::<Vec<_>>(), "selected": texts[0] })
    }

    fn read(registry: &Value) -> Registry {
        Registry::from_map(registry.as_object().expect("an object")).expect("a registry")
    }

    /// Reparses over the first version; the result equals parsing from scratch.
    fn reparse(first: &Registry, registry: &Value) -> Registry {
        let second = first.with_map(registry.as_object().expect("an object"));
        let second = second.expect("a registry");
        let registry_alone = read(registry);
        assert!(
            second
                .sections()
                .iter()
                .eq(registry_alone.sections().iter())
        );
        assert_eq!(*second.settings, *registry_alone.settings);
        second
    }

    #[test]
    fn another_version_shares_what_says_the_same() {
        let mut registry = json!({
            "assembly_order": ["a.text", "b.text"],
            "a": section(&["one", "two"]),
            "b": section(&["three", "four"]),
        });
        let first = read(&registry);
        let shared = |second: &Registry, name: &str| {
            let [one, other] = [&first, second].map(|version| version.section(name));
            Arc::ptr_eq(one.expect("there"), other.expect("there"))
        };

        registry["assembly_order"] = json!(["b.text"]);
        let second = reparse(&first, &registry);
        assert!(shared(&second, "a") && shared(&second, "b"));

        registry["a"]["items"][1]["text"] = json!("changed");
        registry["c"] = section(&["five"]);
        let second = reparse(&first, &registry);
        assert!(!shared(&second, "a") && shared(&second, "b"));
        let items = |version: &Registry| version.section("a").expect("there").items().to_vec();
        assert!(Arc::ptr_eq(&items(&first)[0], &items(&second)[0]));
        assert!(!Arc::ptr_eq(&items(&first)[1], &items(&second)[1]));

        for (key, value) in [
            ("selected", json!("four")),
            ("required", json!(false)),
            ("template_vars", json!(["x"])),
            ("items", json!([{ "id": "three", "text": "three" }])),
        ] {
            let mut changed = registry.clone();
            changed["b"][key] = value;
            assert!(!shared(&reparse(&first, &changed), "b"), "{key}");
        }
    }
}
