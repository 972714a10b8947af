import { hash } from 'node:crypto';

export const HASH_BYTES = 32;

/** RFC 9162 §2.1.1: leaves and nodes are hashed with different first bytes, so that none passes for the other. */
export const hashLeaf = (content: string): Buffer => hash('sha256', `\0${content}`, 'buffer');

const hashNode = (left: Buffer, right: Buffer): Buffer =>
  hash('sha256', Buffer.concat([NODE_PREFIX, left, right]), 'buffer');

const NODE_PREFIX = Buffer.from([1]);

export interface MerkleTree {
  root: Buffer;
  /** RFC 9162 §2.1.3.1: the hashes that lead from a leaf to the root. */
  getPath(leafIndex: number): Buffer[];
}

/** Builds the tree over at least one leaf hash. A node without a sibling rises unchanged, which equals the RFC's splitting. */
export function buildMerkleTree(leaves: readonly Buffer[]): MerkleTree {
  const levels = [leaves];
  for (let level = leaves; level.length > 1; levels.push(level)) level = hashLevel(level);
  return {
    root: levels.at(-1)?.[0] as Buffer,
    getPath: (leafIndex) =>
      levels.flatMap((level, height) => {
        const sibling = level[Math.floor(leafIndex / 2 ** height) ^ 1];
        return sibling && level.length > 1 ? [sibling] : [];
      }),
  };
}

function hashLevel(level: readonly Buffer[]): Buffer[] {
  const nodes: Buffer[] = [];
  for (let index = 0; index < level.length; index += 2) {
    const [left, right] = [level[index] as Buffer, level[index + 1]];
    nodes.push(right ? hashNode(left, right) : left);
  }
  return nodes;
}

/** The position of a leaf in a tree, and its path to the root. */
export interface Inclusion {
  leaf: Buffer;
  leafIndex: number;
  /** Number of leaves of the tree. */
  size: number;
  path: readonly Buffer[];
}

/** RFC 9162 §2.1.3.2: computes the root that the path leads to; null when it cannot be a path of this index. */
export function computeRoot({ leaf, leafIndex, size, path }: Inclusion): Buffer | null {
  if (leafIndex < 0 || leafIndex >= size) return null;
  let [node, last, current] = [leafIndex, size - 1, leaf];
  for (const sibling of path) {
    if (last === 0) return null;
    // On levels where it has no sibling the node rose unchanged.
    while (node === last && node % 2 === 0) [node, last] = [node / 2, Math.floor(last / 2)];
    current = node % 2 === 1 ? hashNode(sibling, current) : hashNode(current, sibling);
    [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  }
  return last === 0 ? current : null;
}
