import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isLong } from '../../test/harness/long.ts';
import { getAnalyte, analytes } from './analytes.ts';
import { parseDay } from './calendar.ts';
import { generateRecord } from './generate-record.ts';
import { createProfile, storylines } from './patient-profile.ts';
import { getPanel, yearlyPanels } from './panels.ts';
import type { RecordPlan } from './record-plan.ts';
import type { GeneratedResource } from './resource.ts';

const ENDS_ON = '2026-11-20';
const tenYears = (seed: number): RecordPlan => ({ seed, years: 10, endsOn: ENDS_ON });
const seeds = Array.from({ length: isLong ? 12 : 6 }, (_, index) => index);

// What a reader gets is the JSON text, so that is what is looked at.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;
const lines = (plan: RecordPlan): string[] =>
  Array.from(generateRecord(plan), (resource) => JSON.stringify(resource));
const generated = new Map<string, string[]>();

/** The record of a plan, generated once; parsed anew for each test. */
function record(plan: RecordPlan): Json[] {
  const key = JSON.stringify(plan);
  const known = generated.get(key) ?? lines(plan);
  generated.set(key, known);
  return known.map((line) => JSON.parse(line));
}
const ofType = (resources: Json[], type: string): Json[] => resources.filter((r) => r.resourceType === type);
const getCode = (resource: Json): string => resource.code.coding[0].code;
const count = (plan: RecordPlan): number => Array.from(generateRecord(plan)).length;
const noteText = (document: Json): string =>
  Buffer.from(document.content[0].attachment.data, 'base64').toString('utf8');

function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'reference' && typeof inner === 'string' ? [inner] : referencesIn(inner),
  );
}

describe('a generated record', () => {
  it('is the same text for the same plan and another for another seed', () => {
    assert.deepEqual(lines(tenYears(7)), lines(tenYears(7)));
    assert.notDeepEqual(lines(tenYears(7)), lines(tenYears(8)));
  });

  it('gives every resource an id of its own', () => {
    for (const seed of seeds) {
      const ids = record(tenYears(seed)).map((resource) => resource.id);
      assert.equal(new Set(ids).size, ids.length);
      for (const id of ids)
        assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    }
  });

  it('refers only to resources that it contains, however many visits there are', () => {
    const plans = [
      ...seeds.map(tenYears),
      { ...tenYears(1), visitsPerYear: 1 },
      { ...tenYears(2), visitsPerYear: 40 },
    ];
    for (const plan of plans) {
      const resources = record(plan);
      const known = new Set(resources.map((resource) => `urn:uuid:${resource.id}`));
      const dangling = resources.flatMap((resource) => referencesIn(resource).filter((to) => !known.has(to)));
      assert.deepEqual(dangling, []);
    }
  });

  it('ends with a visit within the last 30 days and with nothing after the last day', () => {
    for (const seed of seeds) {
      for (const visitsPerYear of [1, 4, 30]) {
        const days = ofType(record({ ...tenYears(seed), visitsPerYear }), 'Encounter').map((visit) =>
          parseDay(visit.period.start.slice(0, 10)),
        );
        const last = Math.max(...days);
        assert.ok(
          parseDay(ENDS_ON) - last <= 30,
          `seed ${seed}: last visit ${parseDay(ENDS_ON) - last} days before`,
        );
        assert.ok(last <= parseDay(ENDS_ON));
        assert.deepEqual(
          days,
          days.toSorted((a, b) => a - b),
        );
      }
    }
  });

  it('draws the labs of an illness only from its diagnosis on', () => {
    for (const seed of seeds) {
      const plan = tenYears(seed);
      const resources = record(plan);
      const { storylines: chosen } = createProfile(plan);
      for (const name of new Set(storylines.flatMap((story) => story.monitoring.map(({ panel }) => panel)))) {
        if (yearlyPanels.includes(name)) continue;
        const starts = chosen
          .filter(({ story }) => story.monitoring.some(({ panel }) => panel === name))
          .map((line) => line.diagnosedOn);
        const codes = new Set(getPanel(name).analytes.map((analyte) => getAnalyte(analyte).code.code));
        const drawn = ofType(resources, 'Observation').filter((observation) =>
          codes.has(getCode(observation)),
        );
        if (starts.length === 0) assert.equal(drawn.length, 0, `${name} of nobody's illness`);
        else assert.ok(drawn.length > 0, `${name} never drawn`);
        for (const observation of drawn) {
          assert.ok(parseDay(observation.effectiveDateTime.slice(0, 10)) >= Math.min(...starts));
        }
      }
    }
  });

  it('writes every measured number with the decimal places of its kind, zeros included', () => {
    const placesByCode = new Map(Object.values(analytes).map(({ code, places }) => [code.code, places]));
    let zeros = 0;
    for (const line of lines(tenYears(3))) {
      const value = /"valueQuantity":\{"value":([\d.]+),/.exec(line)?.[1];
      const resource: Json = JSON.parse(line);
      if (value === undefined || resource.component) continue;
      assert.equal(value.split('.')[1]?.length ?? 0, placesByCode.get(getCode(resource)), line);
      if (value.includes('.') && value.endsWith('0')) zeros++;
    }
    assert.ok(zeros > 20, `${zeros} numbers end in a zero`);
  });

  it('flags most laboratory numbers and gives their reference range', () => {
    const labs = ofType(record(tenYears(3)), 'Observation').filter(
      (observation) => observation.category[0].coding[0].code === 'laboratory' && observation.valueQuantity,
    );
    const flagged = labs.filter((lab) => lab.interpretation && lab.referenceRange);
    assert.ok(flagged.length > labs.length * 0.8 && flagged.length < labs.length);
    for (const { valueQuantity, interpretation, referenceRange } of flagged) {
      const [{ low, high }] = referenceRange;
      const isHigh = high !== undefined && valueQuantity.value > high.value;
      const isLow = low !== undefined && valueQuantity.value < low.value;
      assert.equal(interpretation[0].coding[0].code, isHigh ? 'H' : isLow ? 'L' : 'N');
    }
  });

  it('reports the results of a panel together, each once', () => {
    const resources = record(tenYears(3));
    const byUrn = new Map(resources.map((resource) => [`urn:uuid:${resource.id}`, resource]));
    const listed = ofType(resources, 'DiagnosticReport').flatMap((report) =>
      report.result.map((result: Json) => [report, byUrn.get(result.reference), result.reference]),
    );
    assert.equal(new Set(listed.map(([, , urn]) => urn)).size, listed.length);
    for (const [report, result] of listed) assert.equal(result.effectiveDateTime, report.effectiveDateTime);
  });

  it('computes body mass index from the weight and height of the same visit', () => {
    const vitals = ofType(record(tenYears(4)), 'Observation');
    const at = (code: string) =>
      new Map(
        vitals
          .filter((vital) => getCode(vital) === code)
          .map((vital) => [vital.encounter.reference, vital.valueQuantity.value]),
      );
    const [weights, heights, indexes] = [at('29463-7'), at('8302-2'), at('39156-5')];
    assert.ok(indexes.size > 20);
    for (const [visit, index] of indexes) {
      const expected = (weights.get(visit) ?? 0) / ((heights.get(visit) ?? 0) / 100) ** 2;
      assert.equal(index, Number(expected.toFixed(1)));
    }
  });

  it('has a note of 80 to 200 words for every visit, which names what was started there', () => {
    for (const seed of seeds) {
      const resources = record(tenYears(seed));
      const notes = new Map(
        ofType(resources, 'DocumentReference').map((note) => [
          note.context.encounter[0].reference,
          noteText(note),
        ]),
      );
      assert.equal(notes.size, ofType(resources, 'Encounter').length);
      for (const note of notes.values()) {
        const words = note.split(/\s+/).length;
        assert.ok(words >= 80 && words <= 200, `${words} words: ${note}`);
      }
      for (const condition of ofType(resources, 'Condition')) {
        const note = notes.get(condition.encounter.reference) ?? '';
        assert.ok(note.includes(condition.code.text), note);
      }
    }
  });

  it('writes local times with the offset of their day', () => {
    for (const { period } of ofType(record(tenYears(5)), 'Encounter')) {
      const month = Number(period.start.slice(5, 7));
      if (month >= 4 && month <= 10) assert.match(period.start, /-04:00$/);
      if (month === 12 || month <= 2) assert.match(period.start, /-05:00$/);
      assert.ok(Date.parse(period.start) < Date.parse(period.end));
    }
  });

  it('distinguishes a declined vaccine from those that were given', () => {
    for (const seed of seeds) {
      const vaccines = ofType(record(tenYears(seed)), 'Immunization');
      const declined = vaccines.filter((vaccine) => vaccine.status === 'not-done');
      assert.equal(declined.length, 1);
      assert.ok(declined[0].statusReason);
      assert.ok(vaccines.length > 10);
    }
  });

  it('stops a medication for a reason and replaces another by its successor', () => {
    const all = seeds.flatMap((seed) => ofType(record(tenYears(seed)), 'MedicationRequest'));
    const stopped = all.filter((request) => request.status === 'stopped');
    assert.ok(stopped.length > 0 && stopped.every((request) => request.statusReason.text));
    assert.ok(
      stopped.some(({ id }) => all.some((next) => next.priorPrescription?.reference === `urn:uuid:${id}`)),
    );
    assert.ok(all.some((request) => request.dosageInstruction[0].asNeededBoolean === true));
    assert.ok(all.some((request) => request.dosageInstruction[0].text === undefined));
  });

  it('knows resolved conditions with their end and two to four chronic ones', () => {
    for (const seed of seeds) {
      const conditions = ofType(record(tenYears(seed)), 'Condition');
      for (const condition of conditions) {
        const isResolved = condition.clinicalStatus.coding[0].code === 'resolved';
        assert.equal(condition.abatementDateTime !== undefined, isResolved);
        if (isResolved) assert.ok(condition.abatementDateTime > condition.onsetDateTime);
      }
      const chronic = createProfile(tenYears(seed)).storylines.length;
      assert.ok(chronic >= 2 && chronic <= 4);
    }
  });

  it('grows with the years and with the visits of a year', () => {
    const base = count({ seed: 1, years: 3, endsOn: ENDS_ON });
    assert.ok(count({ seed: 1, years: 12, endsOn: ENDS_ON }) > base * 2);
    assert.ok(count({ seed: 1, years: 3, endsOn: ENDS_ON, visitsPerYear: 24 }) > base * 3);
  });

  it('reaches 20,000 resources', () => {
    const plan = { seed: 1, years: 30, endsOn: ENDS_ON, visitsPerYear: 60 };
    let resources = 0;
    for (const resource of generateRecord(plan)) resources += resource.id ? 1 : 0;
    assert.ok(resources >= 20_000, `${resources} resources`);
  });

  it('is about the patient of the plan, when one is named', () => {
    const patient = { firstName: 'Maria', lastName: 'Sampleton', birthDate: '1961-04-30' };
    const [first] = record({ ...tenYears(1), patient });
    assert.deepEqual(first.name[0], { use: 'official', family: 'Sampleton', given: ['Maria'] });
    assert.equal(first.birthDate, '1961-04-30');
    assert.equal(first.gender, 'female');
  });

  it('is refused for a plan that no believable record can come of', () => {
    const first = (plan: RecordPlan): GeneratedResource | undefined => [...generateRecord(plan)][0];
    const patient = { firstName: 'Maria', lastName: 'Sampleton', birthDate: '2015-01-01' };
    assert.throws(() => first({ ...tenYears(1), patient }), /of age on 2033-01-01/);
    assert.throws(() => first({ ...tenYears(1), endsOn: '2026-02-30' }), /endsOn must be a day/);
    assert.throws(() => first({ ...tenYears(1), years: 0 }), /years must be from 0.5 to 70/);
    assert.throws(() => first({ ...tenYears(1), visitsPerYear: 101 }), /visitsPerYear must be from 1 to 100/);
    assert.throws(() => first({ ...tenYears(-1) }), /seed must be a whole number/);
  });
});
