// The history of a call document: which response answers which call, what comes next, what is pasted.
import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../ipc';
import { freeCallId, messagesOf, nextMessage, responsesTo, withTools } from './messages';

const user = { role: 'user', content: 'hi' };
const assistant = { role: 'assistant', content: 'ho' };
const calling = (...ids: string[]) => ({
  role: 'assistant',
  content: '',
  tool_calls: ids.map((id) => ({
    id,
    type: 'function',
    function: { name: `f_${id}`, arguments: '{}' },
  })),
});
const tool = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'ok' });

describe('responses are paired with the calls they follow', () => {
  test.each([
    [
      [calling('a'), tool('a')],
      [null, 'f_a'],
    ],
    [
      [calling('a', 'b'), tool('b'), tool('a')],
      [null, 'f_b', 'f_a'],
    ],
    [
      [calling('a'), tool('x')],
      [null, null],
    ],
    [
      [calling('a'), user, tool('a')],
      [null, null, null],
    ],
    [[tool('a')], [null]],
  ])('%j', (history, expected) => {
    expect(messagesOf({ history }).map(({ answered }) => answered)).toEqual(expected);
  });
});

describe('the message that would keep the rules', () => {
  test.each([
    [[], 'user'],
    [[user], 'assistant'],
    [[user, assistant], 'user'],
    [[calling('a')], 'tool a'],
    [[calling('a', 'b'), tool('b')], 'tool a'],
    [[calling('a'), tool('a')], 'assistant'],
  ])('after %j comes %s', (history, expected) => {
    const next = nextMessage(messagesOf({ history }));
    const label = next.tool_call_id === undefined ? next.role : `${next.role} ${next.tool_call_id}`;
    expect(label).toBe(expected);
  });
});

test('a call is answered by the responses with its id before the next turn', () => {
  const check = (history: JsonValue[], call: number, expected: number[]) => {
    const messages = messagesOf({ history });
    expect(responsesTo(messages, 0, messages[0]!.calls[call]!)).toEqual(expected);
  };
  check([calling('a', 'b'), tool('b'), tool('a'), user, tool('a')], 0, [2]);
  check([calling('a', 'b'), tool('b'), tool('a')], 1, [1]);
  check([calling('a', 'a'), tool('a')], 1, []);
  check([calling('a')], 0, []);
});

test('a new call has a unique id', () => {
  expect(freeCallId([])).toBe('call_1');
  expect(freeCallId(messagesOf({ history: [calling('x', 'call_3')] }))).toBe('call_4');
});

test('a broken rule is shown at its message', () => {
  const violations = [{ rule: 'orphan_tool_response', index: 1, message: 'message 1' }];
  const rows = messagesOf({ history: [user, tool('a')] }, violations);
  expect(rows.map((row) => row.violations.length)).toEqual([0, 1]);
});

test('tools of a function that is known are not added again', () => {
  const tool = (name: string, description: string) => ({
    type: 'function',
    function: { name, description },
  });
  const tools = [tool('a', 'own'), { name: 'b' }];
  expect(withTools(tools, [tool('a', 'other'), tool('b', 'other'), tool('c', 'other')])).toEqual([
    ...tools,
    tool('c', 'other'),
  ]);
});
