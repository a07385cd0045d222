// The registry of promptlibretto's readme, filled: nine tokens in eight sections, and a state of it.

export const section = (items, more = {}) => ({ required: true, items, ...more });

/** The case: its name, the registry and the state. */
export const nineTokens = () => ({
  name: 'nine tokens',
  registry: {
    assembly_order: [
      'output_prompt_directions',
      'base_context.text',
      'personas.context',
      'sentiment.context',
      'sentiment.nudges',
      'sentiment.scale',
      'examples.normal_examples',
      'sentiment.examples',
      'prompt_endings',
    ],
    output_prompt_directions: section([
      { name: 'rules', text: 'Answer in one short message, in the voice you are given.' },
    ]),
    base_context: section(
      [
        {
          name: 'context',
          text: "You're watching a streamer at {location}.",
          fragments: [
            { if_var: 'sublocation', text: 'Specifically: {sublocation}.' },
            { if_var: 'weather', text: 'It is {weather}.' },
          ],
        },
      ],
      { template_vars: ['location', 'sublocation', 'weather'] },
    ),
    personas: section([
      { id: 'shy', context: "You're nervous about speaking, and it shows." },
      { id: 'loud', context: "You're full of energy and want everybody to know it." },
      { id: 'dry', context: 'You have seen it all and say so in few words.' },
    ]),
    sentiment: section([
      {
        id: 'positive',
        context: 'You like what you see.',
        nudges: ['Say what you like.', 'Be specific.', 'Do not flatter.'],
        examples: ['that was clean', 'ok that one was for the highlight reel'],
        pre_context: 'Examples:',
      },
      {
        id: 'negative',
        context: 'You are not impressed.',
        nudges: ['Say what went wrong.', 'Stay kind.', 'No lectures.'],
        examples: ['we do not talk about that jump', 'the tutorial is free you know'],
        pre_context: 'Examples:',
      },
    ]),
    examples: section(
      [
        {
          name: 'pool',
          items: ['hello chat', 'first time here', 'what did I miss'],
          pre_context: 'Examples:',
        },
        { name: 'late', items: ['still up?', 'one more game'] },
      ],
      { required: false },
    ),
    static_injections: section([{ id: 'house', text: 'Keep it clean.' }], { required: false }),
    prompt_endings: section([{ name: 'end', items: ['Your message:', 'One line only:'] }]),
  },
  state: {
    selections: { personas: 'loud', sentiment: 'negative', examples: ['pool'] },
    array_modes: { sentiment: { nudges: 'index:1' }, prompt_endings: { items: 'index:0' } },
    sliders: { sentiment: 8 },
    template_vars: { 'base_context::location': 'the kitchen', 'base_context::weather': 'raining' },
  },
});
