// The words about the starters: what each is, and one sentence per section that its card shows until
// it is dismissed. They are no part of the registries.

interface StarterText {
  name: string;
  what: string;
  /** By section. */
  notes: Record<string, string>;
}

export const starters: Record<string, StarterText> = {
  persona: {
    name: 'Persona',
    what: 'A voice, what it must do, and a mood on a slider.',
    notes: {
      personas:
        'Who speaks: the text is the voice, the list base_directives is what it must do. Two entries of the assembly print them.',
      sentiment:
        'The mood: choose an item, then move the slider. The sentence below prints its value.',
      examples: 'Worked examples under one heading. Set the mode to random to roll some of them.',
      prompt_endings: 'What comes last is what a model follows best: keep it short.',
    },
  },
  support_desk: {
    name: 'Support desk',
    what: 'What is known, a tone per channel, and no promises.',
    notes: {
      output_prompt_directions: 'What to write comes first, so that it holds for all that follows.',
      base_context:
        'The only facts the model may use. {company} is a variable: set it below, or let your program set it.',
      channel: 'One item per channel: choose email, chat or review, and the prompt changes.',
      static_injections: 'What must never happen, as a list: each line can be switched off alone.',
      customer:
        'A fragment prints only when its variable has a value: type a name and see the sentence appear.',
    },
  },
  code_review: {
    name: 'Code review',
    what: 'The diff as a variable, rules by severity, one output shape.',
    notes: {
      output_prompt_directions: 'The task and its limits. {language} is filled in by your program.',
      static_injections: 'Severities with their meaning: a model that has to rank says less.',
      checklist: 'One of three ways to look at a change: choose it, or let the seed roll it.',
      base_context: 'The change itself, as the variable {diff}. Its default is a sample.',
      prompt_endings: 'The shape of the answer stands last, next to where the answer begins.',
    },
  },
  extraction: {
    name: 'Extraction',
    what: 'A schema, worked examples and a check on every answer.',
    notes: {
      output_prompt_directions:
        'The task in three sentences. Braces that are no variable print as they are.',
      schema: 'One entry per field: add a field here and an example below.',
      examples: 'Each example shows a case the schema leaves open: a missing date, nobody named.',
      base_context:
        'The text to read, as a variable. The output policy at the end of the deck checks every answer.',
    },
  },
  story_teller: {
    name: 'Storyteller',
    what: 'Scenes rolled from lists; one seed is one telling.',
    notes: {
      personas: 'The teller is rolled: click the lock to keep one you like.',
      scene: 'The mode random:1 takes one place of the list. Ctrl+R rolls another.',
      turn: 'One of three turns, rolled on its own: locking the scene does not move it.',
      obstacles: 'The mode random:2 takes two rules of five.',
      prompt_endings: '{words} is a variable with a default; your program may set another one.',
    },
  },
  agent: {
    name: 'Agent with tools',
    what: 'A role, rules for each tool and when to stop.',
    notes: {
      personas: 'The role decides what the tools are for: choose the one that may change things.',
      base_context: 'Where the work is. The task itself is the next message, not part of this.',
      tools:
        'One field per tool and one entry of the assembly each: remove the entry, and the tool is not mentioned.',
      static_injections: 'What holds for every tool: data is not an instruction.',
      runtime_injections:
        'Check read_only, and only the sections it keeps are printed. Your program can do the same.',
      prompt_endings: 'When to stop, and what to say then: without it an agent goes on.',
    },
  },
};

/** The sentence of a note, as `starter.section`; undefined for one that this program does not know. */
export function noteOf(note: string): string | undefined {
  const at = note.indexOf('.');
  const starter = Object.hasOwn(starters, note.slice(0, at))
    ? starters[note.slice(0, at)]
    : undefined;
  const section = note.slice(at + 1);
  return starter && Object.hasOwn(starter.notes, section) ? starter.notes[section] : undefined;
}
