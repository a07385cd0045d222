// The report of an import from a structured document.
import { render } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import type { Conversion } from '$lib/ipc';
import SourceReport from './SourceReport.svelte';

test('a message that begins with a key of the document keeps its spelling', () => {
  const entry = (pointer: string, message: string) =>
    ({ status: 'not_supported', pointer, line: null, message }) as const;
  const report: Conversion = {
    format: 'openai_messages',
    sections: [],
    section_count: 0,
    is_template: false,
    entries: [
      entry('/temperature', 'temperature is not a number and is left out: "hot"'),
      entry('', 'the model is left out'),
    ],
    more_entries: 0,
    characters: 0,
    same: null,
    line_ends: false,
    messages: 0,
    tools: 0,
    call_problem: null,
  };
  const screen = render(SourceReport, { report });
  expect(screen.getByText('temperature is not a number and is left out: "hot"')).toBeTruthy();
  expect(screen.getByText('The model is left out')).toBeTruthy();
});
