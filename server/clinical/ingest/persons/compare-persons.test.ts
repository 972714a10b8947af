import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findDifferences, findOthers, findOthersAndOwners, toKnown } from './compare-persons.ts';
import { readAccountName, readPersons, type NamedPerson } from './named-person.ts';

type Json = Record<string, unknown>;

const read = (patient: Json): NamedPerson =>
  readPersons({ resourceType: 'Patient', ...patient })[0] as NamedPerson;

/** "Maria Elena/Lopez Garcia" as given and family name; without "/" the text alone. */
const named = (...names: string[]): NamedPerson =>
  read({
    name: names.map((name) => {
      const [given, family] = name.split('/');
      return family === undefined ? { text: name } : { given: given === '' ? [] : given?.split(' '), family };
    }),
  });

const account = (name: string, birthDate: string | null = null): NamedPerson => {
  const [firstName = '', lastName = ''] = name.split('/');
  return { names: readAccountName({ firstName, lastName }), birthDate, sex: null };
};

const isSame = (accountName: string, ...fileNames: string[]): boolean =>
  findDifferences(named(...fileNames), toKnown([account(accountName)])).length === 0;

describe('a name in a file', () => {
  const SAME: readonly (readonly [string, string, ...string[]])[] = [
    ['Maria/Lopez', 'MARÍA/LÓPEZ'],
    ['Maria/Lopez', 'Maria Elena/Lopez'],
    ['Maria/Lopez', 'Maria E./Lopez'],
    ['Maria Elena/Lopez', 'Maria E/Lopez'],
    ['Maria/Lopez', 'M./Lopez'],
    ['Maria/Lopez', '/Lopez'],
    ['Maria/Lopez', 'Lopez, Maria'],
    ['Maria/Lopez', 'Dra. Maria Elena Lopez'],
    ['Maria/Lopez', 'Maria Lopez, MD'],
    ['Lopez/Maria', 'Maria/Lopez'],
    ['Maria/Lopez Garcia', 'Maria/Lopez'],
    ['Maria/Lopez Garcia', 'Maria/Lopez-Garcia'],
    ['Maria/Lopez Garcia', 'Maria Lopez/Garcia'],
    ['Maria/Lopez', 'Maria/Lopez de Garcia'],
    ['Maria/Lopez', 'Maria/Perez', 'Maria/Lopez'],
    ['Juan/de la Cruz', 'Juan/Delacruz'],
    ['Juan/de la Cruz', 'Juan/Cruz'],
    ['Jane/Smith', 'Jane Doe/Smith'],
    ['Jane/Smith', 'Jane/Smith-Jones'],
    ['Mary Ann/Smith', 'Maryann/Smith'],
    ['James/Smith', 'Robert James/Smith'],
    ['Sean/OBrien', 'Seán/O’Brien'],
    ['Jurgen/Müller', 'Jürgen/Mueller'],
    ['Soren/Oster', 'Søren/Øster'],
    ['Abe/Frami', 'Abe604/Frami345'],
    ['John/Smith', 'John/Smith Jr.'],
    ['Md/Rahim', 'Md/Rahim'],
    ['王/小明', '王小明/', '小明/王'],
  ];
  for (const [ours, ...theirs] of SAME)
    it(`agrees: ${ours} and ${theirs.join(', ')}`, () => assert.ok(isSame(ours, ...theirs)));

  const OTHER: readonly (readonly [string, string])[] = [
    ['Maria/Lopez', 'Ana/Lopez'],
    ['Maria/Lopez', 'Maria/Perez'],
    ['Maria/Lopez Garcia', 'Maria/Garcia Perez'],
    ['Maria Elena/Lopez', 'Maria Isabel/Lopez'],
    ['John A/Smith', 'John B/Smith'],
    ['John/Smith Sr', 'John/Smith Jr'],
    ['Robert/Smith', 'Bob/Smith'],
    ['Maria/Lopez', 'Ana Lopez'],
    ['Maria/Lopez', 'N./Lopez'],
    ['Иван/Петров', 'Ivan/Petrov'],
    ['Jo/Larsen', 'Larsen Clinic'],
  ];
  for (const [ours, theirs] of OTHER)
    it(`differs: ${ours} and ${theirs}`, () => assert.ok(!isSame(ours, theirs)));

  it('says nothing where it is empty, anonymous, or no name', () => {
    for (const name of [
      undefined,
      'Maria',
      [{}],
      [{ text: ' - ' }],
      [{ use: 'anonymous', text: 'X' }],
      [7, null, ['a']],
    ])
      assert.deepEqual(findDifferences(read({ name }), toKnown([account('Maria/Lopez')])), []);
  });

  it('of a nickname or a maiden name agrees as any of several does', () => {
    const person = read({
      name: [
        { use: 'official', given: ['Robert'], family: 'Smith' },
        { use: 'nickname', given: ['Bob'] },
      ],
    });
    assert.deepEqual(findDifferences(person, toKnown([account('Bob/Smith')])), []);
    const married = read({
      name: [
        { use: 'official', given: ['Ana'], family: 'Smith' },
        { use: 'maiden', given: ['Ana'], family: 'Lopez' },
      ],
    });
    assert.deepEqual(findDifferences(married, toKnown([account('Ana/Lopez')])), []);
  });

  it('is compared in no time where it is endless', () => {
    const long = read({ name: Array.from({ length: 1_000 }, () => ({ text: 'a '.repeat(100_000) })) });
    assert.deepEqual(findDifferences(long, toKnown([long])), []);
  });
});

describe('a birth date in a file', () => {
  const differs = (ours: string | null, theirs: string): string[] =>
    findDifferences(read({ birthDate: theirs }), toKnown([account('Maria/Lopez', ours)]));

  it('agrees as precisely as both are known, and differs with day and month exchanged', () => {
    for (const [ours, theirs] of [
      ['1956-03-02', '1956-03-02'],
      ['1956-03-02', '1956-03'],
      ['1956', '1956-03-02'],
      ['1956-03-02', '1956-03-02T10:00:00Z'],
      [null, '1956-03-02'],
      ['1956-03-02', 'unknown'],
    ] as const)
      assert.deepEqual(differs(ours, theirs), []);
    assert.deepEqual(differs('1956-03-02', '1956-02-03'), ['birthDate']);
    assert.deepEqual(differs('1956-03-02', '1957'), ['birthDate']);
  });
});

describe('what is known of the patient', () => {
  it('is the account and all that the record holds: any of it agrees', () => {
    const known = toKnown([
      account('Ana/Lopez'),
      read({ name: [{ given: ['Ana'], family: 'Smith' }], birthDate: '1956-03-02', gender: 'female' }),
    ]);
    const differences = (patient: Json): string[] => findDifferences(read(patient), known);
    assert.deepEqual(
      differences({ name: [{ text: 'Ana Smith' }], birthDate: '1956-03-02', gender: 'female' }),
      [],
    );
    assert.deepEqual(differences({ name: [{ text: 'Ana Lopez' }], gender: 'unknown' }), []);
    assert.deepEqual(differences({ name: [{ text: 'Eva Smith' }], birthDate: '1990', gender: 'male' }), [
      'name',
      'birthDate',
      'sex',
    ]);
  });

  it('is not what is less precise than the rest', () => {
    const known = toKnown([
      account('Maria/Lopez', '1956-03-02'),
      read({ birthDate: '1956' }),
      named('M./Lopez'),
    ]);
    assert.deepEqual(findDifferences({ ...named('Martha/Lopez'), birthDate: '1956-12-01' }, known), [
      'name',
      'birthDate',
    ]);
  });
});

describe('whom a patient is asked about', () => {
  const known = toKnown([account('Ana/Lopez', '1956-03-02')]);
  const list = (persons: NamedPerson[], on = known): (string | undefined)[] =>
    findOthers(persons, on).map(({ names, differs }) => `${names[0]?.text}: ${differs.join(' ')}`);

  it('are those who differ, and none of the others', () => {
    assert.deepEqual(list([named('Ana/Lopez'), named('Eva/Lopez'), named('Eva/Perez')]), [
      'Eva Lopez: name',
      'Eva Perez: name',
    ]);
  });

  it('are not those who have another name of the patient that the upload states', () => {
    const married = read({
      name: [
        { use: 'official', given: ['Ana'], family: 'Lopez' },
        { use: 'maiden', given: ['Ana'], family: 'Ruiz' },
      ],
    });
    assert.deepEqual(list([named('Ana/Ruiz'), married]), []);
    assert.deepEqual(list([named('Ana/Ruiz'), { ...married, birthDate: '1990-01-01' }]), [
      'Ana Ruiz: name',
      'Ana Lopez: birthDate',
    ]);
    assert.deepEqual(list([married, named('Eva/Ruiz')]), ['Eva Ruiz: name']);
  });

  it('are those who contradict each other, where nothing says which is meant', () => {
    const elder = { ...named('John/Smith'), birthDate: '1930-01-01' };
    const younger = { ...named('John/Smith'), birthDate: '1960-01-01' };
    const on = toKnown([account('John/Smith')]);
    assert.deepEqual(list([elder, younger], on), ['John Smith: birthDate', 'John Smith: birthDate']);
    assert.deepEqual(list([elder, elder], on), []);
  });

  it('are Patients, contained ones, and the Person of our own archives', () => {
    const name = [{ text: 'Eva Perez' }];
    assert.equal(readPersons({ resourceType: 'Person', name }).length, 1);
    assert.equal(
      readPersons({ resourceType: 'Observation', contained: [{ resourceType: 'Patient', name }, null] })
        .length,
      1,
    );
    const parameters = { parameter: [{ part: [{ resource: { resourceType: 'Patient', name } }] }] };
    assert.equal(readPersons({ resourceType: 'Parameters', ...parameters }).length, 1);
    for (const resourceType of ['RelatedPerson', 'Practitioner'])
      assert.deepEqual(readPersons({ resourceType, name }), []);
  });

  it('are shown without what is not seen', () => {
    const [name] = read({ name: [{ text: 'Eva\u202e\u0000 Perez\n#x' }] }).names;
    assert.equal(name?.text, 'Eva Perez #x');
  });

  it('are shown with the joiners of their letters, which make no other name', () => {
    for (const [given, family] of [
      ['محمد', '👩🏽\u200d⚕️'],
      ['می\u200cرا', 'رضایی'],
    ] as const) {
      assert.equal(account(`${given}/${family}`).names[0]?.text, `${given} ${family}`);
      assert.equal(named(`${given}/${family}`).names[0]?.text, `${given} ${family}`);
    }
    assert.ok(isSame('می\u200cرا/رضایی', 'میرا/رضایی'));
    const long = read({ name: [{ text: `Eva ${'👩🏽'.repeat(100)}` }] }).names[0]?.text ?? '';
    assert.equal(long, long.toWellFormed());
  });

  it('are named once, where more is said of them elsewhere', () => {
    const nobody = { account: account('Jo/Larsen'), record: [] };
    const leo = { ...named('Leo/Testwell'), birthDate: '1979-08-27', sex: 'male' as const };
    const [vague, year, woman] = [
      named('LEO/Testwell'),
      { ...named('Leo/Testwell'), birthDate: '1979' },
      { ...named('Leo/Testwell'), sex: 'female' as const },
    ];
    const { length } = findOthersAndOwners([leo, year], [vague], nobody);
    assert.equal(length, 1);
    assert.deepEqual(
      findOthersAndOwners([vague, leo, woman, leo], [], nobody).map(({ sex }) => sex),
      ['male', 'female', 'male'],
      'who differs is another, and who is alike stays',
    );
  });
});
