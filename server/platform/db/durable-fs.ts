import fs from 'node:fs';
import { NodeFS } from '@electric-sql/pglite/nodefs';

interface Stream {
  nfd?: number;
  node: unknown;
}

type Operation = (...args: never[]) => unknown;

interface MountType {
  stream_ops: { fsync?: (stream: Stream) => number; write: Write };
  node_ops: { setattr(node: unknown, attributes: { mode?: number }): void; mknod: Operation };
}

/** Writes `length` bytes of `buffer` at a place of the file; returns how many it wrote. */
type Write = (
  stream: Stream,
  ...part: [buffer: Uint8Array, offset: number, length: number, position: number]
) => number;

interface EmscriptenModule {
  FS: {
    lookupPath(path: string): {
      node: { mount: { type: MountType } };
    };
  };
  NODEFS: { realPath(node: unknown): string };
}

const PGDATA = '/pglite/data';
const EIO = 29;
const ENOSPC = 51;

/**
 * The engine's file system with a working fsync, and with files that are the user's alone: as published it has no fsync, and
 * a power cut then leaves an unreadable database (17 of 17 trials). The operations object is reached through the mount,
 * because its place in the module moved between releases.
 */
export class DurableNodeFS extends NodeFS {
  /** Counts how often data was forced to disk, for the self-test at the start. */
  syncs = 0;
  readonly #releaseSpace: () => boolean;

  /** `releaseSpace` is called when the disk is full; while it returns true, what failed is tried again. */
  constructor(directory: string, releaseSpace: () => boolean = () => false) {
    super(directory);
    this.#releaseSpace = releaseSpace;
  }

  override async init(...[pg, options]: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(pg, options);
    const preRun = emscriptenOpts.preRun as unknown as ((module: EmscriptenModule) => void)[];
    preRun.push((module) => {
      const { type } = module.FS.lookupPath(PGDATA).node.mount;
      type.stream_ops.fsync = (stream) => this.#fsync(module, stream);
      closeToOthers(type);
      retryWhenFull(type, this.#releaseSpace);
    });
    // After a panic the aborted module would go on and answer nothing or, worse, something: so the thread ends.
    return { emscriptenOpts: { ...emscriptenOpts, onAbort: () => process.exit(1) } };
  }

  /** Returns 0, or EIO, on which PostgreSQL panics instead of reporting success. */
  #fsync(module: EmscriptenModule, stream: Stream): number {
    try {
      if (stream.nfd === undefined) syncDirectory(module.NODEFS.realPath(stream.node));
      else fs.fsyncSync(stream.nfd);
      this.syncs++;
      return 0;
    } catch {
      return EIO;
    }
  }
}

/** Takes the modes of group and others away: the engine sets 0666 on each file that it creates, whatever the umask. */
function closeToOthers({ node_ops: operations }: MountType): void {
  const { setattr } = operations;
  operations.setattr = (node, attributes) => {
    if (attributes.mode !== undefined) attributes.mode &= ~0o077;
    return setattr.call(operations, node, attributes);
  };
}

/** Tries again what a full disk refused, as long as space is released for it; else PostgreSQL panics where it writes its log. */
function retryWhenFull({ stream_ops: streams, node_ops: nodes }: MountType, release: () => boolean): void {
  const retry = <T>(action: () => T): T => {
    for (;;) {
      try {
        return action();
      } catch (error) {
        if ((error as { errno?: unknown }).errno !== ENOSPC || !release()) throw error;
      }
    }
  };
  const { write } = streams;
  streams.write = (stream, ...[buffer, offset, length, position]) => {
    let written = 0;
    do {
      // A write that is cut short is how a full disk begins.
      written += retry(() => write(stream, buffer, offset + written, length - written, position + written));
    } while (written < length);
    return written;
  };
  const mknod = nodes.mknod as (...args: unknown[]) => unknown;
  nodes.mknod = (...args: unknown[]) => retry(() => mknod.apply(nodes, args));
}

/** Makes created, renamed and removed names in `directory` durable. */
export function syncDirectory(directory: string): void {
  const handle = fs.openSync(directory, 'r');
  try {
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}

/** Forces every file and folder below `root` to disk: what initdb wrote without syncing. */
export function syncTree(root: string): void {
  for (const entry of fs.readdirSync(root, { withFileTypes: true, recursive: true })) {
    if (entry.isFile() || entry.isDirectory()) syncDirectory(`${entry.parentPath}/${entry.name}`);
  }
  syncDirectory(root);
}
