import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EnrollmentEntry } from '../../../../../contract/organization/enrollment.ts';
import { writeCsv } from '../../list/write-csv.ts';
import { findDateOrders, toIsoDay } from './birth-dates.ts';
import { checkValues, toEntry, type Values } from './check-values.ts';
import { decodeFile } from './decode-file.ts';
import { FIELDS, matchColumns } from './fields.ts';
import * as sheet from './import-sheet.ts';
import { readTable } from './read-table.ts';

const { signal } = new AbortController();
const onProgress = (): void => undefined;

const load = async (text: string): Promise<sheet.SheetRow[]> => {
  const { table } = await readTable(text, { signal, onProgress });
  const { headers, body, firstLine } = sheet.openSheet(table);
  const rows = await sheet.buildRows(body, sheet.guessColumns(headers), { firstLine, signal, onProgress });
  assert.ok(rows);
  return rows;
};

const person: Values = {
  email: 'ana@mail.example',
  firstName: 'Ana',
  lastName: 'Ruiz',
  externalId: '',
  phone: '',
  dateOfBirth: '',
  languagePreference: '',
};

describe('a list of people to enroll', () => {
  it('is decoded as what it was saved in', () => {
    const text = 'Núñez;Zoë';
    const utf16 = new Uint8Array(Buffer.from(text, 'utf16le'));
    const swapped = new Uint8Array(Buffer.from(text, 'utf16le').swap16());
    for (const [bytes, encoding] of [
      [new Uint8Array(Buffer.from(text)), 'utf-8'],
      [new Uint8Array(Buffer.from(`\ufeff${text}`)), 'utf-8'],
      [new Uint8Array([0xff, 0xfe, ...utf16]), 'utf-16le'],
      [new Uint8Array([0xfe, 0xff, ...swapped]), 'utf-16be'],
      [utf16, 'utf-16le'],
      [new Uint8Array(Buffer.from(text, 'latin1')), 'windows-1252'],
    ] as const)
      assert.deepEqual(decodeFile(bytes), { text, encoding });
  });

  it('has its delimiter found, and its columns by their names in two languages', async () => {
    for (const delimiter of [',', ';', '\t']) {
      const text = [
        ['Correo electrónico', 'Nombre', 'Apellidos', 'Fecha de nacimiento', 'NHC', 'Notas'],
        ['ana@mail.example', 'Ana', `"Ruiz${delimiter} de ""Oro"""`, '1980-12-31', '7', ''],
      ]
        .map((cells) => cells.join(delimiter))
        .join('\r\n');
      const [row] = await load(text);
      assert.deepEqual(
        [row?.line, row?.state, row?.values],
        [
          2,
          'ready',
          { ...person, lastName: `Ruiz${delimiter} de "Oro"`, externalId: '7', dateOfBirth: '1980-12-31' },
        ],
      );
    }
    assert.deepEqual(
      matchColumns(['E-Mail', 'First Name', 'Surname', 'DOB', 'Tel.', 'email address', 'Ward']),
      ['email', 'firstName', 'lastName', 'dateOfBirth', 'phone', null, null],
    );
  });

  it('is checked by the rules of the contract', () => {
    const samples: Record<keyof Values, string[]> = {
      email: [
        '',
        'a',
        'a@b',
        'a@b.example',
        '.a@b.example',
        'a..b@c.example',
        'é@b.example',
        `${'a'.repeat(320)}@b.example`,
      ],
      firstName: ['', 'A', 'x'.repeat(200), 'x'.repeat(201)],
      lastName: ['', '=HYPERLINK("x")'],
      externalId: ['', 'x'.repeat(201)],
      phone: ['', '1', '+1 (555) 010-77.77', '555 ext 7', '5'.repeat(26)],
      dateOfBirth: [
        '',
        '1980-12-31',
        '1980-02-30',
        '2000-02-29',
        '1900-02-29',
        '12/31/1980',
        '80-1-1',
        '9999-12-31',
      ],
      languagePreference: ['', 'en', 'es-MX', 'Spanish', 'e', 'en_US', 'zh-Hant-TW'],
    };
    for (const field of FIELDS)
      for (const value of samples[field]) {
        const values = { ...person, [field]: value };
        const isFaulty = checkValues(values).length > 0;
        assert.equal(isFaulty, !EnrollmentEntry.safeParse(toEntry(values)).success, `${field}: ${value}`);
      }
  });

  it('has days of birth written anew in a whole column, both ways offered where the days do not show which', () => {
    assert.deepEqual(findDateOrders(['12/31/1980', '1/2/1980'], 'es'), ['mdy']);
    assert.deepEqual(findDateOrders(['31.12.1980'], 'en'), ['dmy']);
    assert.deepEqual(findDateOrders(['1/2/1980'], 'en'), ['mdy', 'dmy']);
    assert.deepEqual(findDateOrders(['1/2/80', 'unknown', '1980-01-02'], 'en'), []);
    assert.equal(toIsoDay('2/30/1980', 'mdy'), null);
    const rows = [1, 2].map((line) => ({
      line,
      values: { ...person, email: `p${line}@mail.example`, dateOfBirth: `${line}/31/1980` },
    }));
    const built = rows.map(({ line, values }) =>
      sheet.editCell(
        [{ line, values, faults: [], state: 'ready' as const, referenceId: null, isAsked: false }],
        { line, field: 'dateOfBirth', value: values.dateOfBirth },
      ),
    );
    const converted = sheet.convertDates(built.flat(), 'mdy');
    assert.deepEqual(
      converted.map(({ state, values }) => [state, values.dateOfBirth]),
      [
        ['ready', '1980-01-31'],
        ['faulty', '2/31/1980'],
      ],
    );
  });

  it('marks the address of a line that is for another person than above, and takes one who is there again', async () => {
    const text = [
      'email,first name,last name,date of birth,mrn',
      'maria@mail.example,Maria,López,1980-12-31,1',
      'Maria@mail.example,María,Lopez,1980-12-31,',
      'maria@mail.example,Ann,Lee,1990-01-02,2',
      'maria@mail.example,Maria,López,1999-01-02,1',
    ].join('\n');
    const rows = await load(text);
    const list = (of: readonly sheet.SheetRow[]) =>
      of.map(({ state, faults }) => [state, faults.map(({ field, code }) => `${field} ${code}`).join()]);
    assert.deepEqual(list(rows), [
      ['ready', ''],
      ['twice', ''],
      ['faulty', 'email sharedAddress'],
      ['faulty', 'email sharedAddress'],
    ]);
    assert.deepEqual(list(sheet.editCell(rows, { line: 4, field: 'email', value: 'ann@mail.example' }))[2], [
      'ready',
      '',
    ]);
    const mended = sheet.editCell(rows, { line: 2, field: 'email', value: 'other@mail.example' });
    assert.deepEqual(list(mended), [
      ['ready', ''],
      ['ready', ''],
      ['faulty', 'email sharedAddress'],
      ['faulty', 'email sharedAddress'],
    ]);
  });

  it('finds a thousand faults and who stands twice among a hundred thousand rows, and goes through them in chunks', async () => {
    const lines = Array.from({ length: 100_000 }, (_, index) =>
      index % 100 === 0
        ? `not an address,Ana,Ruiz`
        : `p${index === 7 ? 8 : index}@mail.example,=Ana,"Ruiz, ${index === 7 ? 8 : index}"`,
    );
    let rows: readonly sheet.SheetRow[] = await load(['email,first name,last name', ...lines].join('\n'));
    assert.deepEqual(sheet.countRows(rows), {
      ready: 98_999,
      faulty: 1000,
      twice: 1,
      enrolled: 0,
      imported: 0,
    });
    const [twice] = rows.filter(({ state }) => state === 'twice');
    assert.equal(twice?.line, 10);
    rows = sheet.editCell(rows, { line: 2, field: 'email', value: ' p0@mail.example ' });
    rows = sheet.editCell(rows, { line: 9, field: 'email', value: 'p7@mail.example' });
    assert.deepEqual(sheet.countRows(rows), {
      ready: 99_001,
      faulty: 999,
      twice: 0,
      enrolled: 0,
      imported: 0,
    });

    const chunk = sheet.nextChunk(rows, { isDry: true });
    assert.equal(chunk.length, sheet.CHUNK_SIZE);
    const numbers = chunk.map(({ line }) => line);
    const result = {
      errors: [{ patientIndex: 0 }],
      duplicates: [{ patientIndex: 1, referenceId: 'id 1' }],
      successfulPatients: chunk.slice(2).map((_, index) => ({ patientIndex: index + 2, referenceId: null })),
    };
    const asked = sheet.applyResult(rows, numbers, { result, isDry: true });
    assert.deepEqual(
      asked.slice(0, 3).map(({ state, isAsked, referenceId }) => [state, isAsked, referenceId]),
      [
        ['faulty', true, null],
        ['enrolled', true, 'id 1'],
        ['ready', true, null],
      ],
    );
    const shared = sheet.applyResult(rows, numbers, {
      result: { ...result, warnings: [{ patientIndex: 2 }] },
      isDry: true,
    });
    assert.deepEqual(
      shared.slice(1, 3).map(({ state, faults }) => [state, faults]),
      [
        ['enrolled', []],
        ['ready', [{ field: 'externalId', code: 'sharedId' }]],
      ],
    );
    assert.ok(!sheet.nextChunk(asked, { isDry: true }).some(({ line }) => numbers.includes(line)));
    assert.equal(sheet.nextChunk(asked, { isDry: false })[0]?.line, numbers[2]);
    const done = sheet.applyResult(asked, numbers.slice(2), {
      result: { errors: [], duplicates: [], successfulPatients: [{ patientIndex: 0, referenceId: 'id 2' }] },
      isDry: false,
    });
    const csv = writeCsv(sheet.buildResultTable(done.slice(0, 3)));
    assert.match(csv, /^\ufeffline,state,referenceId,email/);
    assert.match(csv, /\r\n4,imported,id 2,p2@mail\.example,"'=Ana","Ruiz, 2",/);
  });
});
