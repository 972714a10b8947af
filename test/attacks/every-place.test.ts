import assert from 'node:assert/strict';
import fs from 'node:fs';
import { describe, it } from 'node:test';
import { FHIR_RESOURCE_TYPES } from '../../contract/fhir/fhir-resource-types.ts';
import { ResourceScope, RestrictedScope } from '../../contract/data-categories.ts';
import type { DataMask } from '../../contract/brands.ts';
import { combineMasks, labelBit, NO_LABELS } from '../../server/consent/access/sensitivity-labels.ts';
import { buildEntries } from '../../server/clinical/entries/build-entries.ts';
import { categorizeResource } from '../../server/clinical/entries/category.ts';
import type { Entry } from '../../server/clinical/entries/entry.ts';
import { buildVariants } from '../../server/clinical/ingest/import/build-variants.ts';
import { classifyResource } from '../../server/clinical/labels/classify-resource.ts';
import { findRedactions } from '../../server/clinical/labels/find-redactions.ts';
import { listMentions } from '../../server/clinical/labels/mentions.ts';
import { PART_TYPES } from '../../server/clinical/labels/nested-resource.ts';
import { formatRedactions, redactBody } from '../../server/clinical/labels/redact.ts';
import { BILLED_ELEMENTS, BILLS } from '../../server/clinical/labels/target-labels.ts';
import type { ParsedResource } from '../../server/clinical/store/found-resource.ts';
import { buildAt, listPaths, listReferenceTargets } from '../harness/fhir-definitions.ts';

const CONSENTS = [...ResourceScope.options, ...RestrictedScope.options].map((name) => ({
  name,
  withheld: labelBit(name),
}));

const isOfResource = (path: string): boolean => FHIR_RESOURCE_TYPES.has(path.split('.')[0] ?? '');

/** The part of a resource and what its target requires, as the import labels them; `null` where the target is not held. */
function label(resource: ParsedResource, target: DataMask | null, body = JSON.stringify(resource)) {
  const { classes, nestedCategories } = classifyResource(resource);
  const requiredLabels = [categorizeResource(resource), ...nestedCategories, ...classes]
    .map(labelBit)
    .reduce(combineMasks, NO_LABELS);
  const { redactions, additionalLabels } = findRedactions(
    { resource, body, mentions: listMentions(resource) },
    {
      requiredLabels,
      getTargetLabels: (mention) => (mention.target === null ? mention.labels : (target ?? mention.labels)),
    },
  );
  return { body, redactions, requiredLabels: combineMasks(requiredLabels, additionalLabels) };
}

type Labeled = ReturnType<typeof label>;

/** What `$everything` sends under a consent; null for nothing. */
function readBody({ body, redactions, requiredLabels }: Labeled, withheld: DataMask): string | null {
  if ((requiredLabels & withheld) !== 0) return null;
  const row = { required_labels: requiredLabels, redactions: formatRedactions(redactions) };
  return redactBody(Buffer.from(body), row, [withheld]).toString();
}

const build = (resource: ParsedResource): Entry[] => buildEntries(resource, { resolve: () => null });

/** The entries that tools read under a consent. */
function readEntries(resource: ParsedResource, labeled: Labeled, withheld: DataMask): Entry[] {
  const covers = (labels: number): boolean => (labels & withheld) === 0;
  return buildVariants({ ...labeled, resource, entries: build(resource), build })
    .filter(({ requiredLabels, unlessCovered = [] }) => covers(requiredLabels) && !unlessCovered.some(covers))
    .map(({ entry }) => entry);
}

/**
 * Entries as tools read them. The visit and what is grouped by it are left out in the statement that reads; no tool reads
 * links, and what follows from them requires what it is from.
 */
const describeEntries = (entries: readonly Entry[]): object[] =>
  entries.map(({ visit: _visit, groupKey: _key, links: _links, dateFrom: _from, ...rest }) => rest);

const SECRET = { reference: '', display: 'Zanzibar disease' };

/** The resource without the reference, and without the member of a list that is about it alone. */
function withoutReference(value: unknown): unknown {
  if (Array.isArray(value)) {
    const rest = value.map(withoutReference).filter((each) => each !== undefined);
    return rest.length === 0 ? undefined : rest;
  }
  if (typeof value !== 'object' || value === null) return value;
  if ('display' in value && value.display === SECRET.display) return undefined;
  const rest = Object.entries(value).map(([name, inner]) => {
    const isOne = !Array.isArray(inner) || name === 'section' || name === 'note';
    return [name, isOne ? withoutReference(inner) : withoutMember(inner)] as const;
  });
  const kept = rest.filter(([, inner]) => inner !== undefined);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** A list without the members that name the secret directly. */
const withoutMember = (list: unknown[]): unknown[] | undefined => {
  const rest = list
    .filter(
      (member) =>
        !Object.values(member as object).some(
          (inner) => (inner as { display?: unknown } | null)?.display === SECRET.display,
        ),
    )
    .map(withoutReference)
    .filter((member) => member !== undefined);
  return rest.length === 0 ? undefined : rest;
};

const PERSONS = new Set(['Patient', 'Person']);

/** Inside of an element that is left out of bills by what it may name, see below. */
const isBilled = (path: string): boolean => {
  const [type = '', ...names] = path.split('.');
  return BILLS.has(type) && names.some((name) => BILLED_ELEMENTS.has(name));
};

/** Every reference of FHIR R4 to a resource with a category of its own: path, type of the target, labels of the target. */
const PLACES = Object.entries(listReferenceTargets()).flatMap(([path, targets]) => {
  if (!isOfResource(path) || isBilled(path)) return [];
  const types = targets === 'Resource' ? ['Condition', 'Claim'] : targets.split(' ');
  return types
    .filter((type) => !PART_TYPES.has(type) && !PERSONS.has(type) && type !== 'Binary')
    .map((type) => ({ path, type, labels: labelBit(categorizeResource({ resourceType: type })) }));
});

describe('every place of FHIR R4 where a reference names a resource of another category', () => {
  it(`is known: ${PLACES.length} of them`, () => {
    const stored = JSON.parse(
      fs.readFileSync(new URL('../../documents/fhir/reference-targets.json', import.meta.url), 'utf8'),
    ) as object;
    assert.deepEqual(stored, listReferenceTargets(), 'run tools/write-reference-targets.ts');
    assert.ok(PLACES.length > 500);
  });

  it('reads under each consent, as FHIR and in the tools, as if it were not there', () => {
    for (const { path, type, labels } of PLACES) {
      const reference = { ...SECRET, reference: `${type}/zanzibar` };
      const whole = { ...buildAt(path, reference), id: 'x' } as unknown as ParsedResource;
      const labeled = label(whole, labels);
      const rest = withoutReference(whole) as ParsedResource;
      for (const { name, withheld } of CONSENTS) {
        const where = `${path} to ${type} without ${name}`;
        const isLeft = (labels & ~labeled.requiredLabels & withheld) !== 0;
        const body = readBody(labeled, withheld);
        if (body === null) continue;
        assert.equal(body, JSON.stringify(isLeft ? rest : whole), where);
        assert.equal(isLeft && /zanzibar/i.test(body), false, where);
        // Under a consent that covers it, each category of its own would give the same entries again.
        if (!isLeft && name !== 'CONTACT_INFO') continue;
        const expected = describeEntries(build(isLeft ? rest : whole));
        assert.deepEqual(describeEntries(readEntries(whole, labeled, withheld)), expected, where);
      }
    }
  });

  it('is left out by its type where the target is not held, or has a name alone', () => {
    for (const { path, type, labels } of PLACES)
      for (const reference of [
        { ...SECRET, reference: `${type}/zanzibar` },
        { ...SECRET, type },
      ]) {
        if (!('reference' in reference) && !/^[A-Z]/.test(type)) continue;
        const labeled = label(buildAt(path, reference) as unknown as ParsedResource, null);
        if ((labels & labeled.requiredLabels) !== 0) continue;
        const body = readBody(labeled, labels);
        assert.doesNotMatch(body ?? '', /zanzibar/i, `${path} to ${type}`);
      }
  });
});

describe('every place of FHIR R4 where content may stand', () => {
  const places = listPaths('Attachment').filter(isOfResource);
  const data = Buffer.from('The HIV test was positive.').toString('base64');

  it(`is classified by its words: ${places.length} of them`, () => {
    assert.ok(places.length > 30);
    for (const path of places) {
      const resource = buildAt(path, { contentType: 'text/plain', data }) as unknown as ParsedResource;
      assert.ok(classifyResource(resource).classes.includes('HIV_OR_STI'), path);
      assert.deepEqual(classifyResource(resource).unread, [], path);
    }
  });

  it('may be of any class where it cannot be read', () => {
    for (const path of places) {
      const unread = { contentType: 'application/msword', data: 'UEsDBAo=' };
      const resource = buildAt(path, unread) as unknown as ParsedResource;
      assert.equal(classifyResource(resource).unread.length, 1, path);
    }
  });

  it('may be a Binary of its own, whose id is found', () => {
    for (const path of places)
      for (const url of ['Binary/b', 'https://ehr.example/fhir/Binary/b/_history/1'])
        assert.deepEqual(
          classifyResource(buildAt(path, { url }) as unknown as ParsedResource).binaries,
          ['b'],
          path,
        );
  });
});

describe('every type of FHIR R4 inside of another resource', () => {
  it('adds its category to the whole, unless it is part of it', () => {
    for (const resourceType of FHIR_RESOURCE_TYPES) {
      const inner = { resourceType, id: 'i' };
      const { nestedCategories } = classifyResource({ resourceType: 'Basic', contained: [inner] });
      assert.deepEqual(
        nestedCategories,
        PART_TYPES.has(resourceType) ? [] : [categorizeResource(inner)],
        resourceType,
      );
    }
  });
});

describe('what a bill names', () => {
  const plain = { text: 'Zürich disease' };
  const coded = { coding: [{ system: 'http://snomed.info/sct', code: '73211009' }] };
  for (const [how, concept, escape] of [
    ['as it is', plain, false],
    ['in escapes', plain, true],
    ['with spaces around it', { text: '  Zanzibar disease\n' }, false],
    ['in two letters', { text: 'TB' }, false],
    ['by its code alone', coded, false],
    ['with a NUL in it', { text: 'Zanzi\0bar' }, false],
  ] as const)
    it(`is in no entry for those who do not share it, written ${how}`, () => {
      const resource = {
        resourceType: 'Claim',
        status: 'active',
        item: [{ sequence: 1, productOrService: concept }],
      } as unknown as ParsedResource;
      const written = JSON.stringify(resource);
      const body = escape ? written.replaceAll('ü', '\\u00fc') : written;
      const labeled = label(resource, null, body);
      const rest = { resourceType: 'Claim', status: 'active' } as ParsedResource;
      assert.notDeepEqual(describeEntries(build(resource)), describeEntries(build(rest)));
      const labels = labelBit('PROCEDURES');
      for (const withheld of [labels, combineMasks(labels, labelBit('MEDICATIONS'))]) {
        const entries = describeEntries(readEntries(resource, labeled, withheld));
        assert.deepEqual(entries, describeEntries(build(rest)));
      }
    });
});

describe('every code of a bill', () => {
  const places = [...BILLS].flatMap((type) =>
    [...BILLED_ELEMENTS].map(([name, labels]) => ({ type, name, labels })),
  );

  it('is left out for those who do not share what it names', () => {
    for (const { type, name, labels } of places) {
      const concept = { text: 'Zanzibar disease' };
      const resource = { resourceType: type, status: 'active', [name]: [{ sequence: 1, code: concept }] };
      for (const { name: consent, withheld } of CONSENTS) {
        const body = readBody(label(resource, null), withheld);
        if (body === null) continue;
        const rest = { resourceType: type, status: 'active' };
        const expected = (labels & withheld) === 0 ? resource : rest;
        assert.equal(body, JSON.stringify(expected), `${type}.${name} without ${consent}`);
      }
    }
  });
});
