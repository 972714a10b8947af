import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { filterByType, convertCcdaSection } from '../../../test/harness/ccda-section.ts';

const SNOMED = '2.16.840.1.113883.6.96';

interface ProblemOptions {
  value?: string;
  negated?: boolean;
  times?: string;
  concern?: string;
  inside?: string;
  narrative?: string;
}

const problem = ({ value, negated, times, concern, inside = '', narrative = '' }: ProblemOptions): string => `
  <text>${narrative}</text>
  <entry><act classCode="ACT" moodCode="EVN"><code code="CONC"/>
    <statusCode code="${concern ?? 'active'}"/><effectiveTime><low value="20140302"/></effectiveTime>
    <entryRelationship typeCode="SUBJ"><observation classCode="OBS" moodCode="EVN"${negated ? ' negationInd="true"' : ''}>
      <templateId root="2.16.840.1.113883.10.20.22.4.4"/>
      <id root="1.2.3" extension="7"/><code code="55607006" codeSystem="${SNOMED}"/>
      <text><reference value="#p1"/></text><statusCode code="completed"/>
      <effectiveTime>${times ?? '<low value="201402"/>'}</effectiveTime>
      ${value ?? `<value xsi:type="CD" code="44054006" codeSystem="${SNOMED}" displayName="Diabetes type 2"/>`}
      ${inside}
    </observation></entryRelationship></act></entry>`;

const status = (code: string): string => `
  <entryRelationship typeCode="REFR"><observation classCode="OBS" moodCode="EVN">
    <code code="33999-4" codeSystem="2.16.840.1.113883.6.1"/>
    <value xsi:type="CD" code="${code}" codeSystem="${SNOMED}"/></observation></entryRelationship>`;

async function readOnlyProblem(options: ProblemOptions): Promise<Record<string, unknown>> {
  const [resource, ...others] = filterByType(
    await convertCcdaSection('11450-4', problem(options)),
    'Condition',
  );
  assert.ok(resource && others.length === 0);
  return resource;
}

const code = (concept: unknown): string | undefined =>
  (concept as { coding?: { code: string }[] } | undefined)?.coding?.[0]?.code;

describe('a problem of a C-CDA document', () => {
  it('becomes a Condition with identifier, code and dates in their precision', async () => {
    const condition = await readOnlyProblem({});
    assert.deepEqual(condition['identifier'], [{ system: 'urn:oid:1.2.3', value: '7' }]);
    assert.equal(code(condition['code']), '44054006');
    assert.equal(condition['onsetDateTime'], '2014-02');
    assert.equal(condition['recordedDate'], '2014-03-02');
    assert.equal(code((condition['category'] as unknown[])[0]), 'problem-list-item');
  });

  it('takes the status of its own observation before that of the concern', async () => {
    assert.equal(
      code((await readOnlyProblem({ inside: status('413322009') }))['clinicalStatus']),
      'resolved',
    );
    assert.equal(code((await readOnlyProblem({}))['clinicalStatus']), 'active');
    assert.equal(code((await readOnlyProblem({ concern: 'completed' }))['clinicalStatus']), 'inactive');
  });

  it('has no status where the document has none', async () => {
    assert.equal((await readOnlyProblem({ concern: 'new' }))['clinicalStatus'], undefined);
  });

  it('is resolved where it has an end and no status', async () => {
    const condition = await readOnlyProblem({ times: '<low value="2013"/><high value="20140405"/>' });
    assert.equal(code(condition['clinicalStatus']), 'resolved');
    assert.equal(condition['abatementDateTime'], '2014-04-05');
  });

  it('keeps both an end and "active" where a document has both', async () => {
    const times = '<low value="2013"/><high value="20140405"/>';
    const condition = await readOnlyProblem({ times, inside: status('55561003') });
    assert.equal(code(condition['clinicalStatus']), 'active');
    assert.equal(condition['abatementDateTime'], undefined);
    assert.deepEqual(condition['note'], [{ text: 'Ended: 2014-04-05' }]);
  });

  it('is refuted, under the name of the problem, where it is negated', async () => {
    const narrative = '<content ID="p1">No diabetes (ruled out)</content>';
    const { entries } = await convertCcdaSection('11450-4', problem({ negated: true, narrative }));
    const [entry] = entries;
    assert.equal(entry?.title, 'Diabetes type 2');
    assert.ok(entry?.kind === 'condition' && entry.detail.verification === 'refuted' && !entry.current);
  });

  it('states that there are no problems where a generic problem is negated', async () => {
    const value = `<value xsi:type="CD" code="55607006" codeSystem="${SNOMED}" displayName="Problem"/>`;
    const { entries } = await convertCcdaSection('11450-4', problem({ negated: true, value }));
    const [entry] = entries;
    assert.ok(entry?.kind === 'condition' && entry.detail.none);
    assert.equal(entry.detail.verification, null);
  });

  it('is refuted where it is negated and only its words name the problem', async () => {
    const value =
      '<value xsi:type="CD" nullFlavor="OTH"><originalText>Deep vein thrombosis</originalText></value>';
    const generic = `<value xsi:type="CD" code="55607006" codeSystem="${SNOMED}"><originalText>Deep vein thrombosis</originalText></value>`;
    for (const each of [value, generic, '<value xsi:type="ST">Deep vein thrombosis</value>']) {
      const { entries } = await convertCcdaSection('11450-4', problem({ negated: true, value: each }));
      const [entry] = entries;
      assert.equal(entry?.title, 'Deep vein thrombosis');
      assert.ok(entry?.kind === 'condition' && entry.detail.verification === 'refuted');
      assert.ok(!entry.detail.none);
    }
  });

  it('has the text of the narrative where it has no code', async () => {
    const value = '<value xsi:type="CD" nullFlavor="UNK"/>';
    const narrative = '<table><tbody><tr><td ID="p1">Tennis elbow</td></tr></tbody></table>';
    assert.deepEqual((await readOnlyProblem({ value, narrative }))['code'], { text: 'Tennis elbow' });
  });

  it('has the text of the narrative where its code has no name', async () => {
    const value =
      '<value xsi:type="CD"><translation code="710.3" codeSystem="2.16.840.1.113883.6.103"/></value>';
    const narrative = '<content ID="p1">Dermatomyositis</content>';
    assert.deepEqual((await readOnlyProblem({ value, narrative }))['code'], {
      coding: [{ system: 'http://hl7.org/fhir/sid/icd-9-cm', code: '710.3' }],
      text: 'Dermatomyositis',
    });
  });

  it('is left out with a reason where it is only "no data"', async () => {
    const value = '<value xsi:type="CD" nullFlavor="UNK"/>';
    const narrative = '<content ID="p1">No problem data is applicable</content>';
    const read = await convertCcdaSection('11450-4', problem({ value, narrative }));
    assert.deepEqual(filterByType(read, 'Condition'), []);
    assert.deepEqual(
      read.skipped.map(({ reason }) => reason),
      ['null_flavored'],
    );
  });

  it('keeps the age at onset, an invalid date and further notes', async () => {
    const age = `<entryRelationship typeCode="SUBJ" inversionInd="true"><observation classCode="OBS" moodCode="EVN">
      <code code="445518008" codeSystem="${SNOMED}" displayName="Age At Onset"/>
      <value xsi:type="PQ" value="57" unit="a"/></observation></entryRelationship>`;
    const extension = {
      url: 'http://hl7.org/fhir/StructureDefinition/originalText',
      valueString: '200130311',
    };
    assert.deepEqual((await readOnlyProblem({ times: '<low value="200130311"/>' }))['_onsetDateTime'], {
      extension: [extension],
    });
    assert.deepEqual((await readOnlyProblem({ inside: age }))['note'], [{ text: 'Age at onset: 57 a' }]);
    const { onsetAge } = await readOnlyProblem({ times: '<low nullFlavor="UNK"/>', inside: age });
    assert.deepEqual(onsetAge, { value: '57', unit: 'a', system: 'http://unitsofmeasure.org', code: 'a' });
  });
});
