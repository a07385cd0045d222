// The page applies edits as the service does: both run the same cases.
import { describe, expect, it } from 'vitest';
import cases from './edits.cases.json';
import { applyEdit } from './edits';
import type { Edit, JsonValue } from './generated';

interface Case {
  name: string;
  tree: JsonValue;
  edits: Edit[];
  after?: JsonValue;
  refused?: boolean;
}

describe('edits', () => {
  it.each(cases as Case[])('$name', ({ tree, edits, after, refused }) => {
    const replica = JSON.parse(JSON.stringify(tree)) as JsonValue;
    const apply = () => {
      for (const edit of edits) applyEdit(replica, edit);
    };
    if (refused) {
      expect(apply).toThrow();
      expect(replica).toEqual(tree);
      return;
    }
    apply();
    // As text: the order of keys counts.
    expect(JSON.stringify(replica)).toBe(JSON.stringify(after));
  });

  it('keeps what is sent apart from the replica', () => {
    const tree: JsonValue = { a: [] };
    const value: JsonValue = { text: 'x' };
    applyEdit(tree, { kind: 'insert', path: ['a', 0], value });
    applyEdit(tree, { kind: 'splice', path: ['a', 0, 'text'], at: 1, delete: 0, insert: 'y' });
    expect(value).toEqual({ text: 'x' });
  });
});
