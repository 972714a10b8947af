import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { indexNarrative } from './narrative-index.ts';
import { renderNarrativeLine, renderNarrative } from './render-narrative.ts';
import { hasClinicalContent } from './notes/has-clinical-content.ts';
import { parseCda } from './parse-cda.ts';

const text = (inside: string): string => renderNarrative(parseCda(Buffer.from(`<text>${inside}</text>`)));

describe('the narrative of a section', () => {
  it('is rendered with rows, items and paragraphs as lines', () => {
    assert.equal(
      text(`<paragraph>Seen <content styleCode="Bold">today</content>.</paragraph>
        <table><thead><tr><th>Drug</th><th>Dose</th></tr></thead>
          <tbody><tr><td>Aspirin</td><td>81 mg<footnote>daily</footnote></td></tr><tr><td/><td/></tr></tbody></table>
        <list><item>Rest</item><item><paragraph>Drink</paragraph></item></list>one<br/>two`),
      'Seen today.\n\nDrug | Dose\nAspirin | 81 mg [daily]\n\n- Rest\n- Drink\n\none\ntwo',
    );
  });

  it('is rendered without deleted text and pictures', () => {
    assert.equal(
      text('<content revised="delete">old</content><content>new</content><renderMultiMedia/>'),
      'new',
    );
  });

  it('is rendered with lists inside of a cell in their row', () => {
    assert.equal(
      text('<table><tr><td>A</td><td><list><item>x</item><item>y</item></list></td></tr></table>'),
      'A | x; y',
    );
  });

  it('is rendered in one line for a reference', () => {
    const row = '<tr ID="r"><td ID="c">Penicillin</td><td>Hives</td></tr>';
    const root = parseCda(Buffer.from(`<section><text><table>${row}</table></text><entry/></section>`));
    const narrative = indexNarrative(root);
    assert.equal(narrative.resolveText('#r', root.lastElementChild ?? root), 'Penicillin | Hives');
    assert.equal(narrative.resolveText('#c', root.lastElementChild ?? root), 'Penicillin');
    assert.equal(narrative.resolveText('#nowhere', root), undefined);
    assert.equal(renderNarrativeLine(parseCda(Buffer.from('<text>a<br/>b</text>'))), 'a b');
  });

  it('is resolved in the own section where two sections have the same id', () => {
    const section = (drug: string): string =>
      `<section><text><content ID="m1">${drug}</content></text><entry/></section>`;
    const root = parseCda(Buffer.from(`<component>${section('Aspirin')}${section('Insulin')}</component>`));
    const narrative = indexNarrative(root);
    assert.deepEqual(
      root.children.map((one) => narrative.resolveText('#m1', one.lastElementChild ?? one)),
      ['Aspirin', 'Insulin'],
    );
  });

  it('has clinical content, or only a placeholder', () => {
    for (const nothing of [
      '',
      '- ',
      'No information',
      'None',
      'N/A',
      'Not available.',
      'No Information About Results',
      'Procedure excluded/not available | |',
      '02/12/2014 13:01 | No allergy data is applicable | active',
      'Surgical history not documented',
    ])
      assert.equal(hasClinicalContent(nothing), false, nothing);
    for (const something of [
      'No known allergies',
      'Dark stools.',
      'None of the wounds is infected',
      'No fever recorded today, but chills',
      'Unknown rash on arm',
    ])
      assert.equal(hasClinicalContent(something), true, something);
  });
});
