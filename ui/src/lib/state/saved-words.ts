// What is said of a save. The file holds the registry; what is chosen in the window is not in it, which
// an author learns here, the first time that it matters.
import type { SaveReport } from '../ipc';
import type { JsonObject } from '../document/edit';
import { partOf } from '../document/registry';
import { text } from '../text';

const PARTS = [
  ['selections', text.statePart.selections],
  ['array_modes', text.statePart.modes],
  ['section_random', text.statePart.random],
  ['sliders', text.statePart.sliders],
  ['slider_random', text.statePart.random],
  ['template_vars', text.statePart.variables],
] as const;

/** What of a state is set, in words. */
const setIn = (state: JsonObject): string[] => [
  ...new Set(
    PARTS.filter(([part]) => Object.keys(partOf(state, part)).length > 0).map(([, name]) => name),
  ),
];

export class SavedWords {
  #told = false;

  /** The words about the save of a document that is shown with this state, if it is. */
  of(document: string, report: SaveReport, state: JsonObject | undefined): string {
    if (!report.written) return text.nothingToSave(document);
    const saved = text.savedTo(document, report.kept);
    const stays = this.#told || !state ? [] : setIn(state);
    if (stays.length === 0) return saved;
    this.#told = true;
    return `${saved} ${text.notInTheFile(stays)}`;
  }
}
