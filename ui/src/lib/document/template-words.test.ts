// Expressions in the Jinja tags of a text.
import { expect, test } from 'vitest';
import { findInTags, replaceInTags } from './template-words';

test.each([
  ['n in {{ n }}', 'n', 8],
  ['{{ name }} {{ user.n }} {{ "n" }} {% if n %}', 'n', 40],
  ['{{ user.nam | upper }}', 'user.nam', 3],
  ['{{ user.name }}', 'user.nam', -1],
  ['n', 'n', -1],
])('%s has %s at %i', (text, expression, at) => {
  expect(findInTags(text, expression)).toBe(at);
});

test('an expression is replaced in every tag, and nowhere else', () => {
  const text = 'Dear nme, {{ nme }} and {% for x in nme %}{{ user.nme }}{{ nmes }}{% endfor %}';
  expect(replaceInTags(text, 'nme', 'name')).toBe(
    'Dear nme, {{ name }} and {% for x in name %}{{ user.nme }}{{ nmes }}{% endfor %}',
  );
});
