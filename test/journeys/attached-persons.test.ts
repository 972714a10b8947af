import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createBundle } from '../harness/archive.ts';
import { confirmUpload, newAskedPatient, sendFiles } from '../harness/asked-patient.ts';
import { buildCcdaDocument } from '../harness/ccda-document.ts';
import { startTestService, waitForBatch, type TestService } from '../harness/service.ts';

type Name = readonly [given: string, family: string];
const ANA: Name = ['Ana', 'Lopez'];
const JOHN: Name = ['John', 'Doe'];

const encode = (content: string | Buffer): string => Buffer.from(content).toString('base64');
const attach = (contentType: string, content: string | Buffer): object => ({
  resourceType: 'DocumentReference',
  id: 'letter',
  status: 'current',
  content: [{ attachment: { contentType, data: encode(content) } }],
});
const patient = ([given, family]: Name): object => ({
  resourceType: 'Patient',
  id: 'p',
  name: [{ given: [given], family }],
});
const ccda = ([given, family]: Name): string =>
  buildCcdaDocument({
    person: `<patient><name><given>${given}</given><family>${family}</family></name></patient>`,
    sections: '<section><title>Problems</title><text>Gout</text></section>',
  });
const prefixed = (name: Name): string =>
  ccda(name)
    .replaceAll(/(<\/?)(?=[A-Za-z])/g, '$1h:')
    .replace('xmlns=', 'xmlns:h=');

const rows = (...lines: string[]): string => `<tr>${lines.join('</tr><tr>')}</tr>`;

/** Files in which somebody is named within a resource, or by a document of text, in one way each. */
const FILES: Readonly<Record<string, (name: Name) => Record<string, unknown>>> = {
  'a C-CDA that is attached': (name) => ({ 'a.json': createBundle(attach('text/xml', ccda(name))) }),
  'a packed C-CDA whose elements have a prefix': (name) => ({
    'a.json': createBundle(attach('text/plain', gzipSync(prefixed(name)))),
  }),
  'a C-CDA in a Binary, beside their own chart': (name) => ({
    'a.json': createBundle(patient(ANA), {
      resourceType: 'Binary',
      id: 'b',
      contentType: 'application/xml',
      data: encode(ccda(name)),
    }),
  }),
  'FHIR that is attached': (name) => ({
    'a.ndjson': JSON.stringify(attach('application/fhir+json', JSON.stringify(createBundle(patient(name))))),
  }),
  'a text that is attached': (name) => ({
    'a.json': createBundle(attach('text/plain', `Patient name: ${name.join(' ')}\nGout`)),
  }),
  'an RTF that is attached': (name) => ({
    'a.json': createBundle(
      attach('application/rtf', `{\\rtf1 Patient Name:\\tab ${name.join(' ')}\\par Gout}`),
    ),
  }),
  'a page in the address of an attachment': (name) => ({
    'a.json': createBundle({
      resourceType: 'Communication',
      status: 'completed',
      payload: [
        { contentAttachment: { url: `data:text/html,<b>Patient name:</b> ${name.join(' ')}<p>Gout</p>` } },
      ],
    }),
  }),
  'a Patient in Parameters': (name) => ({
    'a.json': { resourceType: 'Parameters', parameter: [{ name: 'x', part: [{ resource: patient(name) }] }] },
  }),
  'a table of HTML': (name) => ({
    'a.html': `<table>${rows(
      `<td>Patient Name:</td><td>${name.join(' ')}</td>`,
      '<td>DOB:</td><td>05/05/1980</td>',
    )}</table>`,
  }),
  'a list of terms': ([given, family]) => ({
    'a.html': `<dl><dt>Patient</dt><dd>${family}, ${given}</dd><dt>Date of birth</dt><dd>1980-05-05</dd></dl>`,
  }),
  'a table whose labels stand above': (name) => ({
    'a.html': `<table>${rows(
      '<th>Visit</th><th>Patient name</th><th>Date of birth</th>',
      `<td>03/01/2026</td><td>${name.join(' ')}</td><td>05/05/1980</td>`,
    )}</table>`,
  }),
};

/** FHIR that is attached is listed, since nobody reads its facts. */
const READ = /^completed/;

describe('a person whom an upload names somewhere within', () => {
  let service: TestService;
  before(async () => void (service = await startTestService()));
  after(() => service.stop());

  for (const [where, build] of Object.entries(FILES))
    it(`is compared with the patient: ${where}`, async () => {
      const person = await newAskedPatient(service);
      const held = await sendFiles(service, person, build(JOHN));
      assert.equal(held.status, 'needs_confirmation');
      assert.equal(held.question.persons[0].name.replace(/^Doe, John$/, 'John Doe'), 'John Doe');
      assert.match((await sendFiles(service, person, build(ANA))).status, READ);
      assert.equal((await confirmUpload(service, person, held.batchId as string)).status, 202);
      assert.match((await waitForBatch(service, person, held.batchId as string)).status as string, READ);
    });
});
