// Which rows of Selected vs evaluated are differences.
import { expect, test } from 'vitest';
import type { Origin, SectionEvaluation } from '../ipc';
import { evaluationRows } from './evaluation-rows';

const items = [{ id: 'quizmaster' }, { id: 'judge' }];
const picked = (index: number, name: string) => ({ index, name });

function evaluation(origin: Origin, used: number, slider: [Origin, number]): SectionEvaluation {
  return {
    section: 'personas',
    selected: [picked(0, 'quizmaster')],
    used: [picked(used, items[used]!.id)],
    origin,
    slider: { selected: 5, used: slider[1], origin: slider[0] },
    arrays: [],
    filtered_by: [],
  };
}

test.each<[string, SectionEvaluation, string[]]>([
  ['nothing rolled', evaluation('selection', 0, ['selection', 5]), []],
  ['rolled to what is selected', evaluation('random', 0, ['random', 5]), ['item', 'slider']],
  ['rolled to something else', evaluation('random', 1, ['random', 7]), ['item', 'slider']],
  ['the slider alone rolled', evaluation('selection', 0, ['random', 5]), ['slider']],
])('differences: %s', (_name, section, expected) => {
  const rows = evaluationRows([section], { personas: { items } });
  const differing = rows.filter((row) => row.differs).map((row) => row.sub ?? 'item');
  expect(differing).toEqual(expected);
  // The head counts what was rolled: all of it is among the differences.
  expect(rows.filter((row) => row.rolled && !row.differs)).toEqual([]);
});

test('a filtered section is no difference, whatever was rolled', () => {
  const section = { ...evaluation('random', 1, ['random', 7]), filtered_by: ['alarm'] };
  const rows = evaluationRows([section], { personas: { items } });
  expect(rows.map((row) => row.differs)).toEqual([false]);
});

test('rows stay the same objects while the section changes in what they do not tell', () => {
  const section: SectionEvaluation = {
    section: 'personas',
    selected: [{ index: 0, name: 'calm' }],
    used: [{ index: 0, name: 'calm' }],
    origin: 'selection',
    arrays: [],
    filtered_by: [],
  };
  const withText = (text: string) => ({ personas: { items: [{ id: 'calm', text }] } });
  const [before] = evaluationRows([section], withText('One.'));
  const [after] = evaluationRows([section], withText('One!'));
  expect(after).toBe(before);
});
