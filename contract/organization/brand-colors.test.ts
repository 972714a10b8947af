import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import fc from 'fast-check';
import { deriveBrandColors, getContrast } from './brand-colors.ts';

const TOKENS = fs.readFileSync(path.join(import.meta.dirname, '../../web/kit/tokens.css'), 'utf8');
const [lightTokens, darkTokens] = TOKENS.split('@media');

const readToken = (tokens: string | undefined, name: string): string =>
  new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(tokens ?? '')?.[1] ?? `no ${name}`;

const SCHEMES = [
  ['light', lightTokens],
  ['dark', darkTokens],
] as const;

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

const assertReadable = (chosen: string): void => {
  const colors = deriveBrandColors(chosen);
  for (const [scheme, tokens] of SCHEMES) {
    const { accent, accentStrong, onAccent, accentWash } = colors[scheme];
    const pairs: [string, string][] = [
      ['ground', 'surface'].map((name) => readToken(tokens, name)),
      [accentWash, onAccent],
    ]
      .flat()
      .map((behind) => [accent, behind]);
    for (const [one, behind] of [
      ...pairs,
      [accentStrong, onAccent],
      [readToken(tokens, 'ink'), accentWash],
    ] as const)
      assert.ok(getContrast(one, behind) >= 4.5, `${chosen} ${scheme}: ${one} on ${behind}`);
  }
};

it('every colour becomes letters that can be read in both schemes, on the grounds of our pages', () => {
  for (const chosen of [
    '#000000',
    '#ffffff',
    '#ffff00',
    '#ff0000',
    '#00ff00',
    '#0000ff',
    '#0b5d4b',
    '#777777',
  ])
    assertReadable(chosen);
  fc.assert(fc.property(color, assertReadable), { numRuns: 300 });
});

it('a colour that can be read on light pages stays as it is there', () => {
  for (const chosen of ['#0b5d4b', '#1a3c8c', '#7a1fa2', '#8c1c13'])
    assert.equal(deriveBrandColors(chosen).light.accent, chosen);
});

it('contrast is that of WCAG', () => {
  assert.equal(getContrast('#000000', '#ffffff'), 21);
  assert.equal(getContrast('#ffffff', '#777777').toFixed(2), '4.48');
});
