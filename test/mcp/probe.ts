import assert from 'node:assert/strict';
import { normalize, readUnits } from '../data/facts/text-units.ts';
import { createArchive, createBundle } from '../harness/archive.ts';
import { callTool, getToolText, newTestPatient, upload, type TestService } from '../harness/service.ts';

/** A FHIR resource of a hand-made record. */
export type Resource = Record<string, unknown> & { resourceType: string };

/** What a tool says of a hand-made record. */
export interface Answer {
  text: string;
  /** One row, line or section says all of this, its headings and the heads of its columns included. */
  says(...words: string[]): void;
  /** No row, line or section says all of this. */
  saysNot(...words: string[]): void;
  matches(pattern: RegExp): void;
}

export type Ask = (tool: string, input?: object) => Promise<Answer>;

export const patient: Resource = {
  resourceType: 'Patient',
  id: 'p',
  name: [{ family: 'Probe', given: ['Paula'] }],
  birthDate: '1970-01-01',
  gender: 'female',
};

/** Uploads a record of the given resources to a patient of its own, who consents to everything. */
export const openProbe = (service: TestService, ...resources: Resource[]): Promise<Ask> =>
  openSources(service, { 'record.json': resources });

/** Uploads a record of several files, each a source. */
export async function openSources(
  service: TestService,
  files: Readonly<Record<string, readonly Resource[]>>,
): Promise<Ask> {
  const owner = await newTestPatient(service);
  const isNamed = Object.values(files).some((resources) =>
    resources.some(({ resourceType }) => resourceType === 'Patient'),
  );
  const contents = Object.entries(files).map(([name, resources], index) => {
    const all = isNamed || index > 0 ? resources : [patient, ...resources];
    return [name, createBundle(...all.map(addSubject))];
  });
  const batch = await upload(service, owner, await createArchive(Object.fromEntries(contents)));
  assert.equal(batch.status, 'completed', JSON.stringify(batch.rejected));
  return async (tool, input = {}) => {
    const answer = await callTool(service, owner, tool, input);
    assert.equal(answer.body.error, undefined, `${tool}: ${JSON.stringify(answer.body.error)}`);
    return readAnswer(tool, getToolText(answer));
  };
}

function readAnswer(tool: string, text: string): Answer {
  const units = readUnits({ tool, input: {}, text });
  const isSaid = (words: readonly string[]): boolean =>
    units.some(({ whole }) => words.every((each) => whole.includes(` ${normalize(each)} `)));
  return {
    text,
    says: (...words) => assert.ok(isSaid(words), `${tool} does not say ${JSON.stringify(words)}:\n${text}`),
    saysNot: (...words) => assert.ok(!isSaid(words), `${tool} says ${JSON.stringify(words)}:\n${text}`),
    matches: (pattern) => assert.match(text, pattern),
  };
}

const WITHOUT_SUBJECT = new Set([
  'Patient',
  'Medication',
  'Practitioner',
  'Organization',
  'Location',
  'Substance',
]);

const addSubject = (resource: Resource): Resource =>
  WITHOUT_SUBJECT.has(resource.resourceType)
    ? resource
    : {
        ...resource,
        [['AllergyIntolerance', 'Immunization', 'FamilyMemberHistory', 'Device', 'Claim'].includes(
          resource.resourceType,
        )
          ? 'patient'
          : 'subject']: { reference: 'Patient/p' },
      };

const coding = (system: string, code: string, display?: string): object => ({
  system,
  code,
  ...(display !== undefined && { display }),
});
export const snomed = (code: string, display?: string): object =>
  coding('http://snomed.info/sct', code, display);
export const loinc = (code: string, display?: string): object => coding('http://loinc.org', code, display);
export const rxnorm = (code: string, display?: string): object =>
  coding('http://www.nlm.nih.gov/research/umls/rxnorm', code, display);
export const ndc = (code: string): object => coding('http://hl7.org/fhir/sid/ndc', code);

const laboratory = [
  { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/observation-category', code: 'laboratory' }] },
];

/** A laboratory result; `code` is its name or a CodeableConcept. */
export const lab = (id: string, code: string | object, rest: object = {}): Resource => ({
  resourceType: 'Observation',
  id,
  status: 'final',
  category: laboratory,
  code: typeof code === 'string' ? { text: code } : code,
  effectiveDateTime: '2024-02-02',
  ...rest,
});

export const condition = (id: string, code: string | object, rest: object = {}): Resource => ({
  resourceType: 'Condition',
  id,
  code: typeof code === 'string' ? { text: code } : code,
  ...rest,
});

export const inForce = { clinicalStatus: { coding: [{ code: 'active' }] } };

export const order = (id: string, rest: object): Resource => ({
  resourceType: 'MedicationRequest',
  id,
  status: 'active',
  intent: 'order',
  authoredOn: '2024-01-01',
  ...rest,
});

export const allergy = (id: string, code: string | object, rest: object = {}): Resource => ({
  resourceType: 'AllergyIntolerance',
  id,
  ...inForce,
  code: typeof code === 'string' ? { text: code } : code,
  recordedDate: '2024-01-01',
  ...rest,
});

export const visit = (id: string, day: string, rest: object = {}): Resource => ({
  resourceType: 'Encounter',
  id,
  status: 'finished',
  class: { code: 'IMP' },
  period: { start: `${day}T10:00:00Z`, end: `${day}T12:00:00Z` },
  ...rest,
});

export const refer = (reference: string): { reference: string } => ({ reference });
export const LIFE = { years: 150 };
