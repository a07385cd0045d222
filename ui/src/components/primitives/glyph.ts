// The strokes of an icon as path data. Lucide's own component builds an element for every stroke of
// every icon at run time; drawn as one path from a template, the icons of a window cost a tenth.
import type { LucideIconData } from '@lucide/icons';

/** What an icon draws: its lines, and its dots, which are drawn stronger. */
export interface Glyph {
  lines: string;
  pips: string;
}

type Attributes = Record<string, string>;

/** A stroke so short that only its round ends show. */
const PIP = /^M[\d.]+[ ,][\d.]+h\.01$/;

const drawn = new WeakMap<LucideIconData, Glyph>();

/** The path data of an icon. */
export function glyphOf(icon: LucideIconData): Glyph {
  const known = drawn.get(icon);
  if (known) return known;
  const paths = icon.node.map(([shape, attributes]) => pathOf(shape, attributes as Attributes));
  // A single dot belongs to what surrounds it; several are pips.
  const pips = paths.filter((path) => PIP.test(path));
  const many = pips.length > 1;
  const glyph = {
    lines: paths.filter((path) => !(many && pips.includes(path))).join(''),
    pips: many ? pips.join('') : '',
  };
  drawn.set(icon, glyph);
  return glyph;
}

function pathOf(shape: string, attributes: Attributes): string {
  const number = (name: string, otherwise = 0): number => Number(attributes[name] ?? otherwise);
  switch (shape) {
    case 'path':
      // A separate path begins at the corner, which a relative first step is counted from.
      return (attributes.d ?? '').replace(/^m/, 'M0 0m');
    case 'line':
      return `M${number('x1')} ${number('y1')}L${number('x2')} ${number('y2')}`;
    case 'polyline':
      return `M${attributes.points ?? ''}`;
    case 'polygon':
      return `M${attributes.points ?? ''}z`;
    case 'circle':
      return ellipse(number('cx'), number('cy'), number('r'), number('r'));
    case 'ellipse':
      return ellipse(number('cx'), number('cy'), number('rx'), number('ry'));
    case 'rect':
      return rectangle(
        number('x'),
        number('y'),
        number('width'),
        number('height'),
        number('rx', number('ry')),
      );
    default:
      throw new Error(`an icon with <${shape}>, which has no path here`);
  }
}

const ellipse = (x: number, y: number, rx: number, ry: number): string =>
  `M${x - rx} ${y}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0z`;

function rectangle(x: number, y: number, width: number, height: number, r: number): string {
  const corner = (dx: number, dy: number): string => (r > 0 ? `a${r} ${r} 0 0 1 ${dx} ${dy}` : '');
  const [w, h] = [width - 2 * r, height - 2 * r];
  return `M${x + r} ${y}h${w}${corner(r, r)}v${h}${corner(-r, r)}h${-w}${corner(-r, -r)}v${-h}${corner(r, -r)}z`;
}
