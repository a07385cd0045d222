// What a window manager sends for the button that closes a window. None runs on the display of a test,
// and `xdotool` can only destroy a window, so this speaks X itself: two names and one message.
import { once } from 'node:events';
import { type Socket, connect } from 'node:net';

const REPLY = 32;

/** Reads that many bytes. */
const take = async (socket: Socket, size: number): Promise<Buffer> => {
  for (;;) {
    const bytes = socket.read(size) as Buffer | null;
    if (bytes) return bytes;
    await once(socket, 'readable');
  }
};

/** Greets the server, without authorization, which a test's display does not ask for. */
const greet = async (socket: Socket): Promise<void> => {
  const request = Buffer.alloc(12);
  request.write('l');
  request.writeUInt16LE(11, 2);
  socket.write(request);
  const head = await take(socket, 8);
  if (head[0] !== 1) throw new Error('the display refuses the connection');
  await take(socket, head.readUInt16LE(6) * 4);
};

/** The number of a name of the protocol. */
const atom = async (socket: Socket, name: string): Promise<number> => {
  const words = Math.ceil(name.length / 4);
  const request = Buffer.alloc(8 + words * 4);
  request[0] = 16;
  request.writeUInt16LE(2 + words, 2);
  request.writeUInt16LE(name.length, 4);
  request.write(name, 8);
  socket.write(request);
  return (await take(socket, REPLY)).readUInt32LE(8);
};

/** Asks the program of a window to close it. */
export const pressCloseButton = async (display: string, window: number): Promise<void> => {
  const socket = connect(`/tmp/.X11-unix/X${display.slice(1)}`);
  try {
    await greet(socket);
    const [protocols, deleteWindow] = [
      await atom(socket, 'WM_PROTOCOLS'),
      await atom(socket, 'WM_DELETE_WINDOW'),
    ];
    const request = Buffer.alloc(12 + REPLY);
    request[0] = 25;
    request.writeUInt16LE(request.length / 4, 2);
    request.writeUInt32LE(window, 4);
    const message = request.subarray(12);
    message[0] = 33;
    message[1] = 32;
    message.writeUInt32LE(window, 4);
    message.writeUInt32LE(protocols, 8);
    message.writeUInt32LE(deleteWindow, 12);
    socket.write(request);
    // A reply shows that the server has read the message.
    await atom(socket, 'WM_PROTOCOLS');
  } finally {
    socket.destroy();
  }
};
