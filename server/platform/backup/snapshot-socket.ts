import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { BackupError } from './backup-format.ts';

/** In the folder of the embedded store, which is its user's own: whoever can connect could read the store itself. */
const SOCKET = 'owner.sock';

/** What systems take as the path of a socket. */
const MAX_SOCKET_PATH_BYTES = 103;

const getSocketPath = (dataDirectory: string): string => path.resolve(dataDirectory, SOCKET);

export interface SnapshotServer {
  close(): Promise<void>;
}

/**
 * Lets the command line ask the process that has the embedded store for a copy of it as of now. The answer is the folder, in
 * the data directory and no store's name, or what went wrong; whoever asked deletes it. Null where the path is too long.
 */
export async function listenForSnapshots(
  dataDirectory: string,
  takeSnapshot: (folder: string) => Promise<void>,
): Promise<SnapshotServer | null> {
  const socketPath = getSocketPath(dataDirectory);
  if (Buffer.byteLength(socketPath) > MAX_SOCKET_PATH_BYTES || process.platform === 'win32') return null;
  // A killed process leaves its own behind; whoever has the store's lock is the only one to listen.
  fs.rmSync(socketPath, { force: true });
  removeSnapshots(dataDirectory);
  const server = net.createServer((socket) => {
    const folder = path.join(dataDirectory, `${SNAPSHOT_PREFIX}${randomUUID()}`);
    const answer = (reply: SnapshotReply): void => void socket.end(JSON.stringify(reply));
    socket.on('error', () => {});
    fs.mkdirSync(folder, { mode: 0o700 });
    takeSnapshot(path.join(folder, 'store')).then(
      () => answer({ folder: path.resolve(folder) }),
      (error: Error) => {
        fs.rmSync(folder, { recursive: true, force: true });
        answer({ problem: error.message });
      },
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socketPath, resolve);
  });
  server.unref();
  return { close: () => new Promise((resolve) => server.close(() => resolve())) };
}

const SNAPSHOT_PREFIX = 'store-snapshot-';

/** Those of a command that was killed. */
function removeSnapshots(dataDirectory: string): void {
  for (const name of fs.readdirSync(dataDirectory))
    if (name.startsWith(SNAPSHOT_PREFIX))
      fs.rmSync(path.join(dataDirectory, name), { recursive: true, force: true });
}

type SnapshotReply = { folder: string } | { problem: string };

/** Returns the folder of a copy of the store that another process serves; the caller deletes it. */
export async function requestServedSnapshot(dataDirectory: string): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of net.connect(getSocketPath(dataDirectory))) chunks.push(chunk as Buffer);
  } catch {
    throw new BackupError('the process that has this store does not answer; stop it, and try again');
  }
  const reply = parseReply(Buffer.concat(chunks).toString());
  if ('problem' in reply) throw new BackupError(reply.problem);
  return reply.folder;
}

/** A process that ends meanwhile has sent nothing, or a part. */
function parseReply(text: string): SnapshotReply {
  try {
    return JSON.parse(text) as SnapshotReply;
  } catch {
    return { problem: 'the process that has this store ended meanwhile; try again' };
  }
}
