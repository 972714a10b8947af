import { nameConcept, nameReference, sayStatus, sayTerm, type Lookup } from './concepts.ts';
import type { Fact, ResourceFacts } from './fact.ts';
import { listAt, objectsAt, textAt, textsAt, type Json, type JsonObject, type RawResource } from './json.ts';
import { ALL_STATEMENTS } from './other-statements.ts';
import type { Form } from './statements.ts';

/** What the resources of a record state, each by itself, in the words of the record. */
export function readFacts(resources: readonly RawResource[]): ResourceFacts[] {
  const byReference = new Map(resources.map((each) => [`${each.resourceType}/${each.id}`, each]));
  const lookup: Lookup = (reference) => byReference.get(reference.split('/_history/')[0] ?? '');
  return resources.flatMap((resource) => {
    const known = ALL_STATEMENTS.get(resource.resourceType);
    if (!known || isWithdrawn(resource)) return [];
    const contained = objectsAt(resource, 'contained');
    const names = known.names
      .flatMap((path) => listAt(resource, path))
      .flatMap((each) => nameAny(each, lookup, contained));
    const day = known.days.flatMap((path) => readDays(resource, path, lookup)).slice(0, 1);
    const facts: Fact[] = [
      ...(names.length > 0 ? [{ question: 'what' as const, field: 'name', wordings: names }] : []),
      ...day.map((each) => ({ question: 'when' as const, field: 'date', wordings: [each] })),
      ...known.statements.flatMap(({ question, path, form }) =>
        listAt(resource, path)
          .map((each) => say(form, each, lookup, contained))
          .flatMap((said) => said)
          .filter((wordings) => wordings.length > 0)
          .map((wordings) => ({ question, field: path, wordings })),
      ),
    ];
    return [{ type: resource.resourceType, id: resource.id, names, days: day, facts }];
  });
}

/** `entered-in-error`, in the status of the resource or of its verification: never shown. */
const isWithdrawn = (resource: RawResource): boolean =>
  [textAt(resource, 'status'), ...textsAt(resource, 'verificationStatus.coding.code')].includes(
    'entered-in-error',
  );

function readDays(resource: RawResource, path: string, lookup: Lookup): string[] {
  const [link, rest] = path.split('>');
  if (rest === undefined || link === undefined) return textsAt(resource, path).map(toDay);
  const target = textAt(resource, `${link}.reference`);
  return target === undefined ? [] : textsAt(lookup(target), rest).map(toDay);
}

const toDay = (date: string): string => date.slice(0, 10);

function nameAny(value: Json, lookup: Lookup, contained: readonly JsonObject[]): string[] {
  if (typeof value === 'string') return [value];
  return [...nameConcept(value), ...nameReference(value, lookup, contained)];
}

/** The facts in one value: of each, the words that state it. */
function say(form: Form, value: Json, lookup: Lookup, contained: readonly JsonObject[]): string[][] {
  if (form === 'concept') return [nameConcept(value)];
  if (form === 'reference') return [nameReference(value, lookup, contained)];
  if (form === 'quantity') return sayQuantity(value);
  if (form === 'range')
    return [
      // A range may stand in the head of a column, whose unit is said once.
      ...textsAt(value, 'text').map((each) => [each, each.replace(/(?<=\d) ?[^\d\s]+$/, '')]),
      ...['low', 'high', 'numerator', 'denominator'].flatMap((end) =>
        objectsAt(value, end).flatMap(sayQuantity),
      ),
    ];
  if (form === 'flag') return [value === true ? ['true', 'yes'] : ['false', 'no']];
  if (typeof value !== 'string') return [];
  if (form === 'date') return [[toDay(value)]];
  if (form === 'text') return [sayTerm(value)];
  return EXPECTED.has(value) ? [] : [sayStatus(value)];
}

/** States that go without saying: what is shown without a status is over and as it should be. */
const EXPECTED = new Set(['final', 'completed', 'finished', 'confirmed', 'unknown', 'available', 'order']);

function sayQuantity(value: Json): string[][] {
  const unit = [...textsAt(value, 'unit'), ...textsAt(value, 'code')];
  const isPlain = unit.every((each) => /^(1|\{.*\})$/.test(each));
  return [...textsAt(value, 'value').map((each) => [each]), ...(isPlain ? [] : [unit])];
}
