import { mayBeSameName } from './compare-names.ts';
import type { NamedPerson, PersonName } from './named-person.ts';

/** What is known of who the patient is: by the account, and by what the record holds. Any of each agrees. */
export interface KnownPerson {
  names: readonly PersonName[];
  birthDates: readonly string[];
  sexes: readonly ('male' | 'female')[];
}

export type Difference = 'name' | 'birthDate' | 'sex';

/**
 * Says in what somebody differs from the patient: what both state and nothing agrees in. Name and birth date are the two
 * identifiers by which hospitals know a patient (Joint Commission, NPSG.01.01.01; HL7 Identity Matching weighs them
 * first), so that a contradiction in either is asked about, and in the sex as well: a question costs a tap, and what is not
 * asked may mix two people's records.
 */
export function findDifferences(person: NamedPerson, known: KnownPerson): Difference[] {
  const { names, birthDate, sex } = person;
  const differs: Difference[] = [];
  if (differ(names, known.names, isSameName)) differs.push('name');
  if (birthDate !== null && differ([birthDate], known.birthDates, isSameDate)) differs.push('birthDate');
  if (sex !== null && differ([sex], known.sexes, (one, other) => one === other)) differs.push('sex');
  return differs;
}

/** Both sides state something, and nothing of the one agrees with anything of the other. */
const differ = <T>(ours: readonly T[], theirs: readonly T[], agree: (one: T, other: T) => boolean): boolean =>
  ours.length > 0 && theirs.length > 0 && !ours.some((one) => theirs.some((other) => agree(one, other)));

const isSameName = (one: PersonName, other: PersonName): boolean =>
  one.readings.some((reading) => other.readings.some((theirs) => mayBeSameName(reading, theirs)));

/** As precisely as both state it; day and month exchanged are another date. */
const isSameDate = (one: string, other: string): boolean => one.startsWith(other) || other.startsWith(one);

/** Somebody whom the patient has to be asked about, and why. */
export type OtherPerson<P extends NamedPerson = NamedPerson> = P & { differs: readonly Difference[] };

/**
 * Finds those who differ from what is known, and from the other names of those who do not. Of those, the ones whose birth dates or
 * sexes contradict each other too: where nothing is known of the patient's, one of them is somebody else.
 */
export function findOthers<P extends NamedPerson>(
  persons: readonly P[],
  known: KnownPerson,
): OtherPerson<P>[] {
  const aliases = known.names.length === 0 ? [] : findAliases(persons, known);
  const widened = { ...known, names: [...known.names, ...aliases] };
  const compared = persons.map((person) => ({ person, differs: findDifferences(person, widened) }));
  const alike = compared.flatMap(({ person, differs }) => (differs.length === 0 ? [person] : []));
  const { birthDates, sexes } = toKnown(alike);
  return compared.flatMap(({ person, differs }) => {
    const { birthDate, sex } = person;
    const found = [...differs];
    if (differs.length === 0) {
      if (birthDate !== null && birthDates.some((other) => !isSameDate(birthDate, other)))
        found.push('birthDate');
      if (sex !== null && sexes.length > 1) found.push('sex');
    }
    return found.length === 0 ? [] : [{ ...person, differs: found }];
  });
}

/**
 * Finds the others among the persons of an upload, and among those whom its resources name as their owners: these are compared with
 * the persons of the upload too who may be the patient.
 */
export function findOthersAndOwners<P extends NamedPerson>(
  persons: readonly P[],
  owners: readonly P[],
  known: { account: NamedPerson; record: readonly NamedPerson[] },
): OtherPerson<P>[] {
  const others = findOthers(persons, toKnown([known.account, ...known.record]));
  const found = new Set(others.map(({ names }) => names));
  const alike = persons.filter(({ names }) => !found.has(names));
  const otherOwners = findOthers(owners, toKnown([known.account, ...known.record, ...alike]));
  return leaveOutVague([...others, ...otherOwners]);
}

/** Leaves out who is somebody of the same name of whom more is said: one person is named once. */
export function leaveOutVague<P extends NamedPerson>(persons: readonly P[]): P[] {
  const getName = ({ names }: NamedPerson): string | undefined => names[0]?.text.toLowerCase();
  const namesakes = Map.groupBy(persons, getName);
  return persons.filter(
    (person) => !namesakes.get(getName(person))?.some((other) => saysMore(other, person)),
  );
}

function saysMore(one: NamedPerson, { birthDate, sex }: NamedPerson): boolean {
  const agrees = (one.birthDate ?? '').startsWith(birthDate ?? '') && (sex === null || sex === one.sex);
  return agrees && (one.birthDate !== birthDate || one.sex !== sex);
}

/** The other names of those who are the patient: a letter may have the maiden name that the chart beside it states. */
const findAliases = (persons: readonly NamedPerson[], known: KnownPerson): PersonName[] =>
  persons
    .filter((person) => findDifferences(person, known).length === 0)
    .flatMap(({ names }) => (names.length > 1 ? names.filter(isWhole) : []))
    .slice(0, MAX_KNOWN_NAMES);

/** More names than these say nothing more of who somebody is, and each is compared with each. */
const MAX_KNOWN_NAMES = 50;

/** What is less precise than the rest ("1980", "M. Lopez") would agree with others than the patient. */
export function toKnown(persons: readonly NamedPerson[]): KnownPerson {
  const names = [
    ...new Map(persons.flatMap((person) => person.names).map((name) => [name.text, name])).values(),
  ];
  const whole = names.filter(isWhole);
  const birthDates = [...new Set(persons.flatMap(({ birthDate }) => birthDate ?? []))];
  return {
    names: (whole.length > 0 ? whole : names).slice(0, MAX_KNOWN_NAMES),
    birthDates: birthDates.filter(
      (date) => !birthDates.some((other) => other !== date && other.startsWith(date)),
    ),
    sexes: [...new Set(persons.flatMap(({ sex }) => sex ?? []))],
  };
}

const isWhole = ({ readings }: PersonName): boolean =>
  readings.some(({ given, family }) => family.length > 0 && given.some((word) => word.length > 1));
