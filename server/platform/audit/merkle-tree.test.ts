import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { hashLeaf, buildMerkleTree, computeRoot } from './merkle-tree.ts';

const hex = (text: string): Buffer => Buffer.from(text, 'hex');

/** The reference leaves and roots of Certificate Transparency (RFC 6962's own implementation). */
const LEAVES = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
].map((text) => hashLeaf(hex(text).toString('latin1')));
const ROOTS = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];
const PATHS: readonly { place: number; size: number; path: string[] }[] = [
  { place: 0, size: 1, path: [] },
  {
    place: 0,
    size: 8,
    path: [
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ],
  },
  {
    place: 5,
    size: 8,
    path: [
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ],
  },
  { place: 2, size: 3, path: ['fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125'] },
  {
    place: 1,
    size: 5,
    path: [
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
    ],
  },
];

describe('the Merkle tree', () => {
  it('prefixes a leaf with a zero byte before hashing it', () => {
    const direct = createHash('sha256')
      .update(Buffer.from([0]))
      .update('häsch', 'utf8')
      .digest();
    assert.deepEqual(hashLeaf('häsch'), direct);
  });

  it('computes the roots of the reference implementation', () => {
    assert.deepEqual(
      ROOTS.map((_root, index) => buildMerkleTree(LEAVES.slice(0, index + 1)).root.toString('hex')),
      ROOTS,
    );
  });

  it('computes the paths of the reference implementation', () => {
    for (const { place, size, path } of PATHS) {
      const found = buildMerkleTree(LEAVES.slice(0, size)).getPath(place);
      assert.deepEqual(
        found.map((node) => node.toString('hex')),
        path,
        `${place} of ${size}`,
      );
    }
  });

  it('verifies the path of every leaf in trees of every size, and at no other index', () => {
    const all = Array.from({ length: 70 }, (_leaf, index) => hashLeaf(String(index)));
    for (let size = 1; size <= all.length; size++) {
      const tree = buildMerkleTree(all.slice(0, size));
      for (let place = 0; place < size; place++) {
        const proof = { leaf: all[place] as Buffer, leafIndex: place, size, path: tree.getPath(place) };
        assert.deepEqual(computeRoot(proof), tree.root);
        for (const wrong of [place ^ 1, place + 1, size, -1])
          assert.notDeepEqual(computeRoot({ ...proof, leafIndex: wrong }), tree.root, `${wrong} of ${size}`);
        assert.notDeepEqual(computeRoot({ ...proof, leaf: hashLeaf('other') }), tree.root);
        assert.equal(computeRoot({ ...proof, path: [...proof.path, tree.root] }), null);
        if (size > 1) assert.notDeepEqual(computeRoot({ ...proof, path: proof.path.slice(1) }), tree.root);
      }
    }
  });
});
