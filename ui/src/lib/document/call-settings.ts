// The registry's own settings, `generation` and `output_policy`: which fields there are, what typed
// words become, and which value is in use. With a route in use its fields come before the registry's.
import type { Edit, JsonValue } from '../ipc';
import { MAX_ATTEMPTS } from '../ipc/generated/constants';
import { text } from '../text';
import { at, isObject, type JsonObject } from './edit';
import { registryOf } from './registry';

/** Which of the two. */
export type SettingsPart = 'generation' | 'output_policy';

/** What a field holds. A count is a whole number from 0. */
export type FieldKind = 'text' | 'lines' | 'number' | 'count' | 'flag' | 'list';

/** One known field. */
export interface SettingField {
  name: string;
  kind: FieldKind;
  /** The default value; absent for none. */
  fallback?: JsonValue;
  /** The largest count. */
  most?: number;
}

/** Counts above it would not survive a JSON reader that knows doubles only. */
const MOST = Number.MAX_SAFE_INTEGER;

/** The fields in the order they are shown. */
export const FIELDS: Record<SettingsPart, readonly SettingField[]> = {
  generation: [
    { name: 'provider', kind: 'text', fallback: 'ollama' },
    { name: 'model', kind: 'text', fallback: 'default' },
    { name: 'temperature', kind: 'number', fallback: 0.8 },
    { name: 'top_p', kind: 'number' },
    { name: 'top_k', kind: 'count' },
    { name: 'max_tokens', kind: 'count', fallback: 256 },
    { name: 'repeat_penalty', kind: 'number' },
    { name: 'timeout_ms', kind: 'count', fallback: 60_000 },
    { name: 'retries', kind: 'count', fallback: 1, most: MAX_ATTEMPTS },
    { name: 'max_prompt_chars', kind: 'count' },
  ],
  output_policy: [
    { name: 'min_length', kind: 'count' },
    { name: 'max_length', kind: 'count' },
    { name: 'strip_prefixes', kind: 'list' },
    { name: 'strip_patterns', kind: 'list' },
    { name: 'forbidden_substrings', kind: 'list' },
    { name: 'forbidden_patterns', kind: 'list' },
    { name: 'require_patterns', kind: 'list' },
    { name: 'append_suffix', kind: 'lines' },
    { name: 'collapse_whitespace', kind: 'flag', fallback: true },
  ],
};

/** What the settings in use belong to: the route in use, else the registry. */
export function settingsOwner(route: string | null): string[] {
  return route === null ? ['registry'] : ['registry', 'routes', route];
}

/** Where they are written. */
export function settingsPath(part: SettingsPart, route: string | null): string[] {
  return [...settingsOwner(route), part];
}

/** The settings written at that place; empty when there are none. */
export function ownSettings(tree: JsonValue, part: SettingsPart, route: string | null): JsonObject {
  const settings = at(tree, settingsPath(part, route));
  return isObject(settings) ? settings : {};
}

/** What a field is when the place in use says nothing, and whether the registry says it. */
export function inherited(
  tree: JsonValue,
  part: SettingsPart,
  route: string | null,
  field: SettingField,
): { value: JsonValue | undefined; fromRegistry: boolean } {
  const base = registryOf(tree)[part];
  const baseValue = isObject(base) ? base[field.name] : undefined;
  if (route !== null && baseValue !== undefined && baseValue !== null) {
    return { value: baseValue, fromRegistry: true };
  }
  return { value: field.fallback, fromRegistry: false };
}

/** What typed words become: a value, nothing (the field goes), or a problem in words. */
export function readTyped(
  field: SettingField,
  typed: string,
): { value: JsonValue | undefined } | { problem: string } {
  const words = typed.trim();
  if (field.kind === 'lines') return { value: typed };
  if (words === '') return { value: undefined };
  if (field.kind === 'text') return { value: typed };
  const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(words) ? Number(words) : NaN;
  if (field.kind === 'number') {
    const problem = Number.isFinite(number)
      ? inexact(words)
      : (withPoint(words) ?? text.notANumber(field.name));
    return problem === undefined ? { value: number } : { problem };
  }
  const most = field.most ?? MOST;
  const whole = /^\d+$/.test(words) && number <= most;
  return whole ? { value: number } : { problem: text.notACount(field.name, most) };
}

/** How a number with a decimal comma is written; none if the words are no such number. */
export const withPoint = (words: string): string | undefined =>
  /^[+-]?\d*,\d+$/.test(words) ? text.decimalPoint(words.replace(',', '.')) : undefined;

/** What a whole number would become that a double cannot hold; none if it can. */
export function inexact(words: string): string | undefined {
  if (!/^[+-]?\d+$/.test(words) || Number.isSafeInteger(Number(words))) return undefined;
  return text.inexact(String(Number(words)));
}

/** A value as text for a field of one line. */
export function wordsOf(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * Sets a field at the place in use, or takes it away: the last one with the settings, unless those were
 * written before, though empty.
 */
export function setSetting(
  tree: JsonValue,
  part: SettingsPart,
  route: string | null,
  name: string,
  value: JsonValue | undefined,
  wereEmpty = false,
): Edit[] {
  const settings = settingsPath(part, route);
  const path = [...settings, name];
  if (value !== undefined) return [{ kind: 'set', path, value }];
  const names = Object.keys(ownSettings(tree, part, route));
  if (!names.includes(name)) return [];
  return [{ kind: 'remove', path: names.length === 1 && !wereEmpty ? settings : path }];
}
