// Values that were rolled and then locked: what is kept to roll them again. A lock writes the rolled
// value into the selection, so the document alone can't tell it from one the author chose.
import type { Edit, LockedSlot, Slot } from '../ipc';
import { setMode, setRandom, setSliderRandom } from './selection-edits';
import { isRandom, isSliderRandom, modeText, type Section } from './registry';
import type { JsonObject } from './edit';
import { parseMode } from './mode';

/** Names a slot among all of a registry. */
export function slotKey(slot: Slot): string {
  return [slot.kind, slot.section, slot.kind === 'array' ? slot.field : ''].join('\u001f');
}

/** Names a list whose entries were rolled. */
export const rolledKey = (section: string, field: string): string =>
  slotKey({ kind: 'array', section, field });

/** The same lock after a section was renamed. */
export function inRenamedSection(lock: LockedSlot, from: string, to: string): LockedSlot {
  return lock.slot.section === from ? { ...lock, slot: { ...lock.slot, section: to } } : lock;
}

/** The mode a list was rolled by; null for a slot that is switched on and off. */
export function rollOf(slot: Slot, section: Section, state: JsonObject): string | null {
  return slot.kind === 'array' ? modeText(section, slot.field, state) : null;
}

/** Whether a slot is still as a lock left it: it is not rolled. */
export function isFixed(slot: Slot, section: Section, state: JsonObject): boolean {
  if (slot.kind === 'item') return !isRandom(section, state);
  if (slot.kind === 'slider') return !isSliderRandom(section, state);
  return parseMode(modeText(section, slot.field, state)).kind === 'entries';
}

/** The edits that roll a locked slot again, given the result of `rollOf`. */
export function unlock(slot: Slot, section: Section, roll: string | null): Edit[] {
  if (slot.kind === 'item') return setRandom(section, true);
  if (slot.kind === 'slider') return setSliderRandom(section, true);
  return roll === null ? [] : setMode(section, slot.field, roll);
}
