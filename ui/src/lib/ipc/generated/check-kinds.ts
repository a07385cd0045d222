// What a form for checks offers. Generated, as all files here.

/** What a check holds: the prompt of one roll, the prompts of several, or an answer. */
export type CheckSubject = 'prompt' | 'rolls' | 'answer';

/** The form of an expectation's value. */
export type ValueForm =
  | 'text'
  | 'pattern'
  | 'tokens'
  | 'characters'
  | 'golden'
  | 'target'
  | 'share'
  | 'problems'
  | 'flag'
  | 'reason';

export interface ExpectationKind {
  key: string;
  form: ValueForm;
  /** The checks that accept it. */
  of: readonly CheckSubject[];
}

/** The kinds of expectations, in the order of lists. */
export const EXPECTATION_KINDS: readonly ExpectationKind[] = [
  { key: 'contains', form: 'text', of: ['prompt', 'rolls', 'answer'] },
  { key: 'not_contains', form: 'text', of: ['prompt', 'rolls', 'answer'] },
  { key: 'matches', form: 'pattern', of: ['prompt', 'rolls', 'answer'] },
  { key: 'not_matches', form: 'pattern', of: ['prompt', 'rolls', 'answer'] },
  { key: 'starts_with', form: 'text', of: ['prompt', 'rolls', 'answer'] },
  { key: 'ends_with', form: 'text', of: ['prompt', 'rolls', 'answer'] },
  { key: 'max_tokens', form: 'tokens', of: ['prompt', 'rolls', 'answer'] },
  { key: 'min_tokens', form: 'tokens', of: ['prompt', 'rolls', 'answer'] },
  { key: 'max_characters', form: 'characters', of: ['prompt', 'rolls', 'answer'] },
  { key: 'text', form: 'golden', of: ['prompt'] },
  { key: 'renders', form: 'target', of: ['prompt', 'rolls'] },
  { key: 'never_renders', form: 'target', of: ['prompt', 'rolls'] },
  { key: 'share', form: 'share', of: ['prompt', 'rolls'] },
  { key: 'stable_prefix_tokens', form: 'tokens', of: ['prompt', 'rolls'] },
  { key: 'no_problems', form: 'problems', of: ['prompt', 'rolls'] },
  { key: 'accepted', form: 'flag', of: ['answer'] },
  { key: 'rejected', form: 'reason', of: ['answer'] },
  { key: 'cleaned', form: 'golden', of: ['answer'] },
];

/** The tokenizers that a check can name. */
export const CHECK_TOKENIZERS: readonly string[] = [
  'o200k_base',
  'cl100k_base',
  'estimate',
];

/** The codes of problems that a check can allow. */
export const PROBLEM_CODES: readonly string[] = [
  'baked_mode',
  'baked_several_items',
  'baked_slider_out_of_range',
  'baked_unknown_item',
  'bracket_not_paired',
  'bracket_without_match',
  'condition_undeclared',
  'default_undeclared',
  'duplicate_id',
  'entry_not_text',
  'fragment_without_text',
  'fragments_not_printed',
  'hidden_character',
  'include_alias',
  'include_unknown',
  'injections_required',
  'item_unreachable',
  'legacy_spelling',
  'length_conflict',
  'mode_malformed',
  'mode_out_of_range',
  'mode_without_list',
  'name_not_in_tokens',
  'pattern',
  'pool_needs_field',
  'prompt_too_large',
  'random_before_stable',
  'relation_contradiction',
  'relation_unknown',
  'retries_capped',
  'roll_disagrees',
  'route_named_default',
  'runtime_variable_unfilled',
  'scale_name_unknown',
  'section_empty',
  'section_not_rendered',
  'setting_unknown',
  'setting_wrong_type',
  'slider_not_in_assembly',
  'state_mode',
  'state_mode_out_of_range',
  'state_no_item',
  'state_several_items',
  'state_slider_not_whole',
  'state_slider_out_of_range',
  'state_unknown_field',
  'state_unknown_item',
  'state_unknown_section',
  'state_unknown_slider',
  'state_unknown_variable',
  'template_engine_unknown',
  'text_not_in_assembly',
  'text_not_printed',
  'token_malformed',
  'unknown_field',
  'unknown_key',
  'unknown_section',
  'variable_gap',
  'variable_not_closed',
  'variable_placeholder',
  'variable_undeclared',
  'variable_unused',
  'weight_invalid',
  'weights_all_zero',
  'weights_unused',
];
