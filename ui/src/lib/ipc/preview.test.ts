// A preview is rebuilt from differences, and says when it can't be.
import { describe, expect, it } from 'vitest';
import type { Patch, PreviewPatch, Segment } from './generated';
import { nextPreview } from './preview';

const none = { head: 0, middle: [], tail: 0 };

const patch = (number: number, base: number | null, segments: Patch<Segment>): PreviewPatch => ({
  number,
  base,
  segments,
  sections: none,
  tokens: none,
  unprinted: none,
  rolled: [],
  characters: 0,
  micros: 0,
  problem: null,
  unrendered: null,
});

const texts = (...all: string[]): Segment[] => all.map((text) => ({ text }));

describe('nextPreview', () => {
  const first = nextPreview(
    null,
    patch(0, null, { head: 0, middle: texts('a', 'b', 'c'), tail: 0 }),
  );

  it('begins from nothing', () => {
    expect(first?.segments).toEqual(texts('a', 'b', 'c'));
  });

  it('replaces the middle and keeps the objects around it', () => {
    const next = nextPreview(first, patch(1, 0, { head: 1, middle: texts('x', 'y'), tail: 1 }));
    expect(next?.segments).toEqual(texts('a', 'x', 'y', 'c'));
    expect(next?.segments[0]).toBe(first?.segments[0]);
    expect(next?.segments[3]).toBe(first?.segments[2]);
    expect(next?.tokens).toBe(first?.tokens);
  });

  it('keeps the objects between two changes, wherever they stand now', () => {
    const unchanged = [{ after: 2, from: 1, count: 1 }];
    const next = nextPreview(
      first,
      patch(1, 0, { head: 0, middle: texts('x', 'new', 'y'), unchanged, tail: 0 }),
    );
    expect(next?.segments).toEqual(texts('x', 'new', 'b', 'y'));
    expect(next?.segments[2]).toBe(first?.segments[1]);
  });

  it('keeps nothing of the end when the tail is empty', () => {
    const next = nextPreview(first, patch(1, 0, { head: 1, middle: [], tail: 0 }));
    expect(next?.segments).toEqual(texts('a'));
  });

  it('starts from scratch when the patch builds on nothing', () => {
    const next = nextPreview(first, patch(9, null, { head: 0, middle: texts('z'), tail: 0 }));
    expect(next?.segments).toEqual(texts('z'));
  });

  it('refuses a patch for another preview', () => {
    expect(nextPreview(first, patch(3, 2, none))).toBeNull();
    expect(nextPreview(null, patch(3, 2, none))).toBeNull();
  });
});
