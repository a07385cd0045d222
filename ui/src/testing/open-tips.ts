// The prompt of the page's tests as a text with a value and a list of tips, which an edit changes.
import type { Segment } from '$lib/ipc';
import { guides } from './guides';
import { source, type Answer } from './open-text';
import { openStudio } from './studio';

const segments = (context: string, tips: string[]): Segment[] => [
  { text: 'Calm ', source: source('context') },
  { text: context, source: source('context', { variable: 'place' }) },
  { text: '.', source: source('context'), start: 12 },
  { text: '\n' },
  ...tips.flatMap((tip, entry): Segment[] => [
    ...(entry > 0 ? [{ text: '\n' }] : []),
    { text: '- ', source: source('tips', { entry }), bullet: true },
    ...(tip === '' ? [] : [{ text: tip, source: source('tips', { entry }) }]),
  ]),
];

/** A window whose prompt is made of a value and some tips. */
export async function openTips(answer: Answer) {
  const scene = guides();
  const shown = { place: 'here', tips: ['Breathe.', 'Wait.'] };
  const opened = await openStudio({
    ...scene,
    editPrompt: answer,
    preview: (tree) => ({
      ...scene.preview(tree),
      rolled: [],
      segments: { head: 0, middle: segments(shown.place, shown.tips), tail: 0 },
    }),
  });
  return { ...opened, shown };
}
