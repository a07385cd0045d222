// What a virtual display shows, read from the file in which Xvfb keeps it: an X window dump. The
// driver waits forever for a picture of a still window that WebKit draws without layers.
import { readFileSync } from 'node:fs';
import { crc32, deflateSync } from 'node:zlib';

/** Numbers of the dump's header, by their position in it. */
const HEADER_SIZE = 0;
const BITS_PER_PIXEL = 11;
const BYTES_PER_LINE = 12;
const COLOURS = 19;
/** Bytes of one entry of its colour map. */
const COLOUR_SIZE = 12;

/** The upper left part of a display as a PNG; `dump` is the display's file. */
export function pictureOf(dump: string, width: number, height: number): Buffer {
  const bytes = readFileSync(dump);
  const header = (position: number) => bytes.readUInt32BE(4 * position);
  if (header(BITS_PER_PIXEL) !== 32) throw new Error(`${dump}: its pixels are not of 32 bits`);
  const pixels = header(HEADER_SIZE) + COLOUR_SIZE * header(COLOURS);
  // A row of a PNG starts with its filter, 0 for none; pixels are blue, green, red, unused in the dump.
  const rows = Buffer.alloc(height * (1 + 3 * width));
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const from = pixels + y * header(BYTES_PER_LINE) + 4 * x;
      const to = y * (1 + 3 * width) + 1 + 3 * x;
      for (let colour = 0; colour < 3; colour += 1)
        rows[to + colour] = bytes[from + 2 - colour] ?? 0;
    }
  }
  const shape = Buffer.alloc(13);
  shape.writeUInt32BE(width, 0);
  shape.writeUInt32BE(height, 4);
  // 8 bits for each of red, green and blue.
  shape.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', shape),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A chunk of a PNG: length, name and data, checksum. */
function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
