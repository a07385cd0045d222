// Bounds, defaults and names that the core sets. Generated, as all files here.

/** The most attempts one run makes, whatever `retries` says. */
export const MAX_ATTEMPTS = 20;

/** The position of a slider that nothing sets. */
export const SLIDER_DEFAULT = 5;

/** What a slider prints when the section has no `scale_template`. */
export const SCALE_TEMPLATE = 'On a scale of 1-10, intensity is {value} on {emotion}.';

/** Names that stand for a section in the entries of an assembly order, and there only. */
export const ALIASES: Record<string, string> = {
  persona: 'personas',
  sentiments: 'sentiment',
  injections: 'static_injections',
  ending: 'prompt_endings',
  endings: 'prompt_endings',
};

/** The sections every registry may have, in canonical order. */
export const WELL_KNOWN_SECTIONS: readonly string[] = [
  'base_context',
  'personas',
  'sentiment',
  'static_injections',
  'runtime_injections',
  'output_prompt_directions',
  'examples',
  'prompt_endings',
];

/** Keys of a registry that are never sections. */
export const RESERVED_KEYS: readonly string[] = [
  'version',
  'title',
  'description',
  'template_engine',
  'assembly_order',
  'routes',
  'generation',
  'output_policy',
];

/** The name under which a call without a route is listed; no route should have it. */
export const BUILT_IN_ROUTE = 'default';

/** Sections of which a bare entry prints `context`; of all others it prints `text`. */
export const CONTEXT_SECTIONS: readonly string[] = [
  'personas',
  'sentiment',
];

/** Fields whose text names the item or its emotion. */
export const LABEL_FIELDS: readonly string[] = [
  'id',
  'name',
  'scale_emotion',
];

/** Fields that list names: of sections, variables or items. */
export const NAME_LISTS: readonly string[] = [
  'include_sections',
  'runtime_variables',
  'requires',
  'excludes',
];

/** Characters that no name of a section, item or field has: they separate the parts of an entry. */
export const NAME_SEPARATORS = '.[]';

/** White space, which no such name has. */
export const NAME_WHITE_SPACE = '\u{9}\u{a}\u{b}\u{c}\u{d}\u{20}\u{85}\u{a0}\u{1680}\u{2000}\u{2001}\u{2002}\u{2003}\u{2004}\u{2005}\u{2006}\u{2007}\u{2008}\u{2009}\u{200a}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}';
