// What a document sets in a section, in the cases that the core's test
// `hydrate/shared_cases.rs` reads too.
import { expect, test } from 'vitest';
import sharedCases from '../../../../tests/cases/section_settings.json';
import type { JsonObject } from './edit';
import { parseMode, writeMode } from './mode';
import {
  isRandom,
  isSliderRandom,
  modeText,
  sectionOf,
  selectedItems,
  sliderValue,
  type Section,
} from './registry';

/** One case of the file. */
interface Case {
  name: string;
  section: JsonObject;
  state?: JsonObject;
  selected: number[];
  rolled?: boolean;
  slider?: { selected: number; rolled: boolean };
  /** The mode of the list `f`, in its canonical spelling. */
  mode?: string;
}

test.each(sharedCases as unknown as Case[])('$name', (expected) => {
  const section = sectionOf({ s: expected.section }, 's') as Section;
  const state = expected.state ?? {};
  expect(selectedItems(section, state)).toEqual(expected.selected);
  expect(isRandom(section, state)).toBe(expected.rolled ?? false);
  if (expected.slider) {
    expect(sliderValue(section, state)).toBe(expected.slider.selected);
    expect(isSliderRandom(section, state)).toBe(expected.slider.rolled);
  }
  if (expected.mode !== undefined) {
    expect(writeMode(parseMode(modeText(section, 'f', state)))).toBe(expected.mode);
  }
});
