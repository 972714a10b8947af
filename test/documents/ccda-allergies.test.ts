import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Entry } from '../../server/clinical/entries/entry.ts';
import { filterByType, convertCcdaSection } from '../harness/ccda-section.ts';

const SNOMED = '2.16.840.1.113883.6.96';
const RXNORM = '2.16.840.1.113883.6.88';

interface AllergyOptions {
  negated?: boolean;
  kind?: string;
  entity?: string;
  inside?: string;
  actContent?: string;
  narrative?: string;
  act?: string;
}

const PENICILLIN = `<code code="70618" codeSystem="${RXNORM}" displayName="Penicillin"/>`;

const allergy = (options: AllergyOptions): string => `
  <text>${options.narrative ?? ''}</text>
  <entry><act classCode="ACT" moodCode="EVN" ${options.act ?? ''}><code code="CONC"/><statusCode code="active"/>
    <entryRelationship typeCode="SUBJ"><observation classCode="OBS" moodCode="EVN"${options.negated ? ' negationInd="true"' : ''}>
      <templateId root="2.16.840.1.113883.10.20.22.4.7"/><id root="1.2.3" extension="9"/>
      <code code="ASSERTION"/><effectiveTime><low value="1998"/></effectiveTime>
      <value xsi:type="CD" code="${options.kind ?? '416098002'}" codeSystem="${SNOMED}" displayName="Allergy"/>
      <participant typeCode="CSM"><participantRole classCode="MANU">
        <playingEntity classCode="MMAT">${options.entity ?? PENICILLIN}</playingEntity>
      </participantRole></participant>${options.inside ?? ''}
    </observation></entryRelationship>${options.actContent ?? ''}</act></entry>`;

const severity = (code: string, name: string): string => `
  <entryRelationship typeCode="SUBJ" inversionInd="true"><observation classCode="OBS" moodCode="EVN">
    <code code="SEV"/><value xsi:type="CD" code="${code}" codeSystem="${SNOMED}" displayName="${name}"/>
  </observation></entryRelationship>`;

const reaction = (inside = ''): string => `
  <entryRelationship typeCode="MFST" inversionInd="true"><observation classCode="OBS" moodCode="EVN">
    <code code="ASSERTION"/><value xsi:type="CD" code="247472004" codeSystem="${SNOMED}" displayName="Hives"/>${inside}
  </observation></entryRelationship>`;

type Allergy = Extract<Entry, { kind: 'allergy' }>;

async function readOnlyAllergy(options: AllergyOptions): Promise<Allergy> {
  const { entries } = await convertCcdaSection('48765-2', allergy(options));
  const [entry, ...others] = entries.filter((each) => each.kind === 'allergy');
  assert.ok(entry && others.length === 0);
  return entry;
}

describe('an allergy of a C-CDA document', () => {
  it('becomes an AllergyIntolerance with kind, substance, reactions and severities', async () => {
    const read = await convertCcdaSection(
      '48765-2',
      allergy({ inside: reaction(severity('24484000', 'Severe')) }),
    );
    const [resource] = filterByType(read, 'AllergyIntolerance');
    assert.equal(resource?.['type'], 'allergy');
    assert.deepEqual(resource?.['category'], ['medication']);
    assert.equal(resource?.['onsetDateTime'], '1998');
    assert.deepEqual(
      (await readOnlyAllergy({ inside: reaction(severity('24484000', 'Severe')) })).detail.reactions,
      ['Hives (severe)'],
    );
  });

  it('has the reactions that stand beside it in its act, with their severities', async () => {
    const { detail } = await readOnlyAllergy({ actContent: reaction(severity('24484000', 'Severe')) });
    assert.deepEqual(detail.reactions, ['Hives (severe)']);
    assert.equal(detail.note, null);
  });

  it('passes its severity to its reactions, and keeps as text what FHIR has no degree for', async () => {
    const { detail } = await readOnlyAllergy({
      inside: reaction() + severity('371924009', 'Moderate to severe'),
    });
    assert.deepEqual(detail.reactions, ['Hives (severe)']);
    assert.equal(detail.note, 'Severity: Moderate to severe');
  });

  it('keeps its own severity where a reaction has another, and how susceptible the patient is', async () => {
    const { detail } = await readOnlyAllergy({
      inside:
        reaction(severity('255604002', 'Mild')) +
        severity('6736007', 'Moderate').replace(
          '</observation>',
          '<interpretationCode code="VS" displayName="Very susceptible"/></observation>',
        ),
    });
    assert.deepEqual(detail.reactions, ['Hives (mild)']);
    assert.equal(detail.note, 'Severity: Moderate\nSusceptibility: Very susceptible');
  });

  it('is not named by its reaction where a reference points there', async () => {
    const entity = `<code code="70618" codeSystem="${RXNORM}" displayName="Penicillin">
      <originalText><reference value="#r1"/></originalText></code>`;
    const narrative = `<table><thead><tr><th>Substance</th><th>Reaction</th></tr></thead>
      <tbody><tr><td>Penicillin</td><td><content ID="r1">Hives</content></td></tr></tbody></table>`;
    assert.equal((await readOnlyAllergy({ entity, narrative })).title, 'Penicillin');
  });

  it('has both names where they have no word in common', async () => {
    const entity = `<code code="2670" codeSystem="${RXNORM}" displayName="Codeine"/><name>Aspirin</name>`;
    assert.equal((await readOnlyAllergy({ entity })).title, 'Aspirin (coded as Codeine)');
    const same = `<code code="2670" codeSystem="${RXNORM}" displayName="Codeine"/><name>codeine sulfate</name>`;
    assert.equal((await readOnlyAllergy({ entity: same })).title, 'codeine sulfate');
  });

  it('states the kind of allergies that are absent where it is negated without a substance', async () => {
    const entity = '<code nullFlavor="NA"/>';
    const drugs = await readOnlyAllergy({ negated: true, entity });
    assert.equal(drugs.title, 'No known drug allergies');
    assert.ok(drugs.detail.none);
    const all = await readOnlyAllergy({ negated: true, entity, kind: '419199007' });
    assert.equal(all.title, 'No known allergies');
  });

  it('is refuted and not active where it is negated with a substance', async () => {
    const entry = await readOnlyAllergy({ negated: true });
    assert.equal(entry.title, 'Penicillin');
    assert.equal(entry.detail.verification, 'refuted');
    assert.ok(!entry.current && !entry.detail.none);
  });

  it('is refuted where it is negated and only its words name the substance', async () => {
    const inline = '<code nullFlavor="OTH"><originalText>Penicillin V</originalText></code>';
    const reference = '<code nullFlavor="OTH"><originalText><reference value="#a1"/></originalText></code>';
    const narrative = '<content ID="a1">Penicillin V</content>';
    for (const entity of [inline, reference]) {
      const entry = await readOnlyAllergy({ negated: true, entity, narrative });
      assert.equal(entry.title, 'Penicillin V');
      assert.equal(entry.detail.verification, 'refuted');
      assert.ok(!entry.current && !entry.detail.none);
    }
  });

  it('keeps the words of a denial whose name stands without them', async () => {
    const entity = '<code nullFlavor="OTH"><originalText>No latex allergy</originalText></code>';
    const entry = await readOnlyAllergy({ negated: true, entity });
    assert.equal(entry.title, 'latex allergy');
    assert.equal(entry.detail.note, 'As the document words it: No latex allergy');
  });

  it('is refuted where the concern around it is negated', async () => {
    const entry = await readOnlyAllergy({ act: 'negationInd="true"' });
    assert.equal(entry.detail.verification, 'refuted');
  });

  it('states no more than its words deny where they name no substance', async () => {
    const stateAbsence = (words: string) =>
      readOnlyAllergy({
        negated: true,
        kind: '419199007',
        entity: `<code nullFlavor="OTH"><originalText>${words}</originalText></code>`,
      });
    for (const [words, title] of [
      ['No known food allergies', 'No known food allergies'],
      ['Sin alergias conocidas', 'No known allergies'],
      ['Sin alergias a medicamentos', 'No known drug allergies'],
      ['No known drug or food allergies', 'No known drug or food allergies'],
    ]) {
      const entry = await stateAbsence(words ?? '');
      assert.equal(entry.title, title);
      assert.ok(entry.detail.none, words);
    }
  });

  it('is not made twice by a severity in the same act', async () => {
    const { detail } = await readOnlyAllergy({ actContent: severity('24484000', 'Severe') });
    assert.match(detail.note ?? '', /Severe/);
  });

  it('is left out with a reason where it is null-flavored', async () => {
    const read = await convertCcdaSection('48765-2', allergy({ act: 'nullFlavor="NI"' }));
    assert.deepEqual(filterByType(read, 'AllergyIntolerance'), []);
    assert.equal(read.skipped[0]?.reason, 'null_flavored');
  });
});
