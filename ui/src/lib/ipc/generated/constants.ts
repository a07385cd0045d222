// Bounds, defaults and names that the core sets. Generated, as all files here.

/** The most attempts one run makes, whatever `retries` says. */
export const MAX_ATTEMPTS = 20;

/** Where a slider stands that nothing sets. */
export const SLIDER_DEFAULT = 5;

/** What a slider prints when the section has no `scale_template` of its own. */
export const SCALE_TEMPLATE = 'On a scale of 1-10, intensity is {value} on {emotion}.';

/** Names that stand for a section in the entries of an assembly order, and there only. */
export const ALIASES: Record<string, string> = {
  persona: 'personas',
  sentiments: 'sentiment',
  injections: 'static_injections',
  ending: 'prompt_endings',
  endings: 'prompt_endings',
};
