// How far two texts are the same from their ends, in UTF-16 units and never through the middle of a pair.

/** Whether a place in a text lies between the halves of a pair. */
export const splitsPair = (text: string, index: number): boolean =>
  index > 0 && isHighSurrogate(text, index - 1) && isLowSurrogate(text, index);

/** How much of the start of two texts is the same. */
export function commonStart(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let head = 0;
  while (head < most && one[head] === other[head]) head += 1;
  return head > 0 && isHighSurrogate(one, head - 1) ? head - 1 : head;
}

/** How much of the end of two texts is the same, behind as much of their start. */
export function commonEnd(one: string, other: string, head = 0): number {
  const most = Math.min(one.length, other.length) - head;
  let tail = 0;
  while (tail < most && one[one.length - 1 - tail] === other[other.length - 1 - tail]) tail += 1;
  return tail > 0 && isLowSurrogate(one, one.length - tail) ? tail - 1 : tail;
}

function isHighSurrogate(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xd800;
}

function isLowSurrogate(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xdc00;
}
