import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { formatMebibytes, readDiskSpace } from '../db/disk-space.ts';
import { measureStore } from '../db/existing-store.ts';
import { explainFileFault } from '../kernel/file-fault.ts';
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
 * What who asks sends when it keeps its side of the connection open for as long as it needs the copy, which is deleted then,
 * whatever ended it. The command of a version before sends nothing, and deletes the copy by itself.
 */
const KEEPS_OPEN = 'keep';

/**
 * Lets the command line ask the process that has the embedded store for a copy of it as of now. The answer is the folder, in
 * the data directory and no store's name, or what went wrong. Null where the path is too long.
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
  let isClosing = false;
  const sockets = new Set<net.Socket>();
  const server = net.createServer({ allowHalfOpen: true }, (socket) => {
    const folder = path.join(dataDirectory, `${SNAPSHOT_PREFIX}${randomUUID()}`);
    let keepsOpen = false;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (bytes) => (keepsOpen ||= bytes.toString() === KEEPS_OPEN));
    socket.once('close', () => {
      sockets.delete(socket);
      // Who has a copy when the service stops goes on with it.
      if (keepsOpen && !isClosing) fs.rm(folder, { recursive: true, force: true }, () => {});
    });
    void createSnapshot(folder, takeSnapshot).then((reply) => socket.end(JSON.stringify(reply)));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socketPath, resolve);
  });
  server.unref();
  return {
    close: () =>
      new Promise((resolve) => {
        isClosing = true;
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

async function createSnapshot(
  folder: string,
  takeSnapshot: (folder: string) => Promise<void>,
): Promise<SnapshotReply> {
  try {
    fs.mkdirSync(folder, { mode: 0o700 });
    await takeSnapshot(path.join(folder, 'store'));
    return { folder: path.resolve(folder) };
  } catch (error) {
    fs.rmSync(folder, { recursive: true, force: true });
    const reason =
      describeMissingSpace(path.dirname(folder)) ?? explainFileFault(error) ?? (error as Error).message;
    return { problem: `the store could not be copied: ${reason}` };
  }
}

/**
 * Says what a copy that failed would have needed where there is less; null where there is enough. A file system that
 * copies on write needs next to nothing: so it is measured when it has failed.
 */
function describeMissingSpace(dataDirectory: string): string | null {
  const needed = measureStore(dataDirectory);
  const { free } = readDiskSpace(dataDirectory);
  return free >= needed
    ? null
    : `the disk of ${dataDirectory} is full: a copy needs ${formatMebibytes(needed + 1024 ** 2 - 1)}, and ${formatMebibytes(free)} are free`;
}

const SNAPSHOT_PREFIX = 'store-snapshot-';

/** Those of a command that was killed. */
function removeSnapshots(dataDirectory: string): void {
  for (const name of fs.readdirSync(dataDirectory))
    if (name.startsWith(SNAPSHOT_PREFIX))
      fs.rmSync(path.join(dataDirectory, name), { recursive: true, force: true });
}

type SnapshotReply = { folder: string } | { problem: string };

export interface ServedSnapshot {
  folder: string;
  /** Deletes it. */
  release(): void;
}

/** Asks the process that serves the store for a copy, which is deleted when this process ends at the latest. */
export async function requestServedSnapshot(dataDirectory: string): Promise<ServedSnapshot> {
  const chunks: Buffer[] = [];
  const socket = net.connect({ path: getSocketPath(dataDirectory), allowHalfOpen: true });
  socket.write(KEEPS_OPEN);
  try {
    // Iterating over it would destroy it at the end of the answer.
    socket.on('data', (bytes) => chunks.push(bytes));
    await once(socket, 'end');
  } catch {
    throw new BackupError('the process that has this store does not answer; stop it, and try again');
  }
  socket.on('error', () => {});
  const reply = parseReply(Buffer.concat(chunks).toString());
  if ('problem' in reply) {
    socket.destroy();
    throw new BackupError(reply.problem);
  }
  const release = (): void => {
    // The process may have ended meanwhile.
    fs.rmSync(reply.folder, { recursive: true, force: true });
    socket.destroy();
  };
  return { folder: reply.folder, release };
}

/** A process that ends meanwhile has sent nothing, or a part. */
function parseReply(text: string): SnapshotReply {
  try {
    return JSON.parse(text) as SnapshotReply;
  } catch {
    return { problem: 'the process that has this store ended meanwhile; try again' };
  }
}
