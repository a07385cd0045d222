import { expect, test } from 'vitest';

function field() {
  const host = document.createElement('div');
  document.body.append(host);
  const root = host.attachShadow({ mode: 'open' });
  const input = root.appendChild(document.createElement('input'));
  return { root, input };
}

test('a shadow root knows whether the focus is in it, in another one or beside them', () => {
  const [one, other] = [field(), field()];
  one.input.focus();
  expect(one.root.activeElement).toBe(one.input);
  expect(other.root.activeElement).toBeNull();
  other.input.focus();
  expect(one.root.activeElement).toBeNull();
  const button = document.body.appendChild(document.createElement('button'));
  button.focus();
  expect(other.root.activeElement).toBeNull();
});
