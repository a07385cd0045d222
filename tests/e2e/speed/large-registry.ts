// A registry as large as an author's may get: 200 sections, 5,000 items, every section rendered.

const SECTIONS = 200;
const ITEMS = 25;

const item = (section: number, n: number) => ({
  id: `item-${String(n)}`,
  text: `Passage ${String(n)} of part ${String(section)}: the {mood} lantern over the door is lit.`,
  rules: [0, 1, 2].map((rule) => `Rule ${String(rule)} of passage ${String(n)}.`),
});

const section = (n: number) => ({
  required: n % 4 !== 3,
  template_vars: ['mood'],
  template_var_defaults: { mood: 'green' },
  section_random: n % 10 === 0,
  selected: n % 4 === 3 ? ['item-1', 'item-2'] : `item-${String(n % ITEMS)}`,
  items: Array.from({ length: ITEMS }, (_, each) => item(n, each)),
});

const nameOf = (n: number): string => `part_${String(n).padStart(3, '0')}`;

/** The registry as a file holds it. */
export const largeRegistry = (): string => {
  const names = Array.from({ length: SECTIONS }, (_, n) => nameOf(n));
  const order = names.flatMap((name) => [`${name}.text`, `${name}.rules`]);
  const sections = Object.fromEntries(names.map((name, n) => [name, section(n)]));
  const registry = { title: 'Large', assembly_order: order, ...sections };
  return `${JSON.stringify({ registry }, null, 2)}\n`;
};
