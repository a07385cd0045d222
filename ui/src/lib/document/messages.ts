// The messages of a call document: the calls in them, and which response answers which call.
import type { JsonValue, Violation } from '../ipc';
import { at, isObject, type JsonObject } from './edit';

/** A tool call of an assistant's message. */
export interface ToolCall {
  index: number;
  id: string;
  name: string;
  arguments: string;
}

/** A message of the history. */
export interface Message {
  index: number;
  role: string;
  content: string;
  /** Its content is a list of parts or an object, which is edited as JSON. */
  structured: boolean;
  calls: ToolCall[];
  /** Of a tool's response: the id it answers. */
  answers: string;
  /** Of a tool's response: the function of the call it answers, when there is one before it. */
  answered: string | null;
  violations: Violation[];
}

export const ROLES = ['user', 'assistant', 'tool', 'system'] as const;

const words = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

function callsOf(message: JsonObject): ToolCall[] {
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls : [];
  return calls.map((call, index) => ({
    index,
    id: words(at(call, ['id'])),
    name: words(at(call, ['function', 'name'])),
    arguments: words(at(call, ['function', 'arguments'])),
  }));
}

/** The messages of a call document's tree, each with the rules it breaks. */
export function messagesOf(tree: JsonValue, violations: Violation[] = []): Message[] {
  const history = at(tree, ['history']);
  let open: ToolCall[] = [];
  return (Array.isArray(history) ? history : []).map((value, index) => {
    const message = isObject(value) ? value : {};
    const role = words(message.role);
    const calls = role === 'assistant' ? callsOf(message) : [];
    const answers = words(message.tool_call_id);
    const answered = role === 'tool' ? open.find(({ id }) => id === answers) : undefined;
    // A response pairs with the calls it follows, other responses between them or not.
    if (role !== 'tool') open = calls;
    return {
      index,
      role,
      content: words(message.content),
      structured: typeof message.content === 'object' && message.content !== null,
      calls,
      answers,
      answered: answered?.name ?? null,
      violations: violations.filter((violation) => violation.index === index),
    };
  });
}

/** The messages that answer a tool call of a message. */
export function responsesTo(messages: Message[], message: number, tool: ToolCall): number[] {
  // Of calls with one id the first is answered.
  const first = messages[message]?.calls.find(({ id }) => id === tool.id);
  if (first?.index !== tool.index) return [];
  const after = messages.slice(message + 1);
  const end = after.findIndex(({ role }) => role !== 'tool');
  return after
    .slice(0, end < 0 ? undefined : end)
    .filter(({ answers }) => answers === tool.id)
    .map(({ index }) => index);
}

/** The message that would keep the rules if it came after these. */
export function nextMessage(before: Message[]): JsonObject {
  const start = before.findLastIndex(({ role }) => role !== 'tool');
  const responded = before.slice(start + 1).map(({ answers }) => answers);
  const open = before[start]?.calls.filter(({ id }) => !responded.includes(id)) ?? [];
  const [call] = open;
  if (call) return { role: 'tool', tool_call_id: call.id, content: '' };
  const last = before.at(-1)?.role;
  return { role: last === 'user' || last === 'tool' ? 'assistant' : 'user', content: '' };
}

/** An id that no call of the history has. */
export function freeCallId(messages: Message[]): string {
  const taken = new Set(messages.flatMap(({ calls }) => calls.map(({ id }) => id)));
  let number = taken.size + 1;
  while (taken.has(`call_${number}`)) number += 1;
  return `call_${number}`;
}

/** The tools of a call document with others behind them, of which those of a known function are left out. */
export function withTools(tools: JsonValue[], more: JsonValue[]): JsonValue[] {
  const nameOf = (tool: JsonValue) => at(tool, ['function', 'name']) ?? at(tool, ['name']);
  const known = new Set(tools.map(nameOf));
  return [...tools, ...more.filter((tool) => !known.has(nameOf(tool)))];
}
