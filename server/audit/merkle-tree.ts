import { hash } from 'node:crypto';

/** Bytes of a hash. */
export const HASH_BYTES = 32;

/** RFC 9162 §2.1.1: leaves and nodes are hashed with different first bytes, so that none passes for the other. */
export const leafHash = (content: string): Buffer => hash('sha256', `\0${content}`, 'buffer');

const nodeHash = (left: Buffer, right: Buffer): Buffer =>
  hash('sha256', Buffer.concat([NODE, left, right]), 'buffer');

const NODE = Buffer.from([1]);

export interface MerkleTree {
  root: Buffer;
  /** RFC 9162 §2.1.3.1: the hashes that lead from a leaf to the root. */
  path(place: number): Buffer[];
}

/** The tree over at least one leaf hash. A node without a neighbour rises as it is, which is the RFC's splitting. */
export function merkleTree(leaves: readonly Buffer[]): MerkleTree {
  const levels = [leaves];
  for (let level = leaves; level.length > 1; levels.push(level)) level = above(level);
  return {
    root: levels.at(-1)?.[0] as Buffer,
    path: (place) =>
      levels.flatMap((level, height) => {
        const neighbour = level[Math.floor(place / 2 ** height) ^ 1];
        return neighbour && level.length > 1 ? [neighbour] : [];
      }),
  };
}

function above(level: readonly Buffer[]): Buffer[] {
  const nodes: Buffer[] = [];
  for (let place = 0; place < level.length; place += 2) {
    const [left, right] = [level[place] as Buffer, level[place + 1]];
    nodes.push(right ? nodeHash(left, right) : left);
  }
  return nodes;
}

/** Where a leaf stands in a tree, and its way to the root. */
export interface Inclusion {
  leaf: Buffer;
  place: number;
  /** Number of leaves of the tree. */
  size: number;
  path: readonly Buffer[];
}

/** RFC 9162 §2.1.3.2: the root that the path leads to; null when it cannot be a path of this place. */
export function rootOf({ leaf, place, size, path }: Inclusion): Buffer | null {
  if (place < 0 || place >= size) return null;
  let [node, last, at] = [place, size - 1, leaf];
  for (const neighbour of path) {
    if (last === 0) return null;
    // Without a neighbour on these levels the node rose as it was.
    while (node === last && node % 2 === 0) [node, last] = [node / 2, Math.floor(last / 2)];
    at = node % 2 === 1 ? nodeHash(neighbour, at) : nodeHash(at, neighbour);
    [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  }
  return last === 0 ? at : null;
}
