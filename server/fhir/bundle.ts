import type { EverythingParameters } from './everything-parameters.ts';
import { leadAround } from './lead.sql.ts';
import type { FhirDeps } from './open-record.ts';
import { linksOf } from './paging-links.ts';
import { stretches, type Progress } from './stretches.ts';
import type { Telling } from './telling.ts';
import type { WholeRecord } from './whole-record.ts';

/** Every entry begins by ending the one before it. */
const BEFORE = (fhirBase: string): string => `},{"fullUrl":"${fhirBase}/`;
const AFTER = '","search":{"mode":"match"},"resource":';

/** The entries of a Bundle; `fhirBase` is a URL without characters that JSON would escape. */
export const bundleTelling = (fhirBase: string): Telling => ({
  lead: leadAround(BEFORE(fhirBase), AFTER),
  finish: (bytes) => bytes,
  tell: (reference, body) => Buffer.from(`${BEFORE(fhirBase)}${reference}${AFTER}${body}`),
});

/**
 * 42 CFR 2.32 (a) (2): records of substance use treatment programs go out with this notice; the label is that of HL7's
 * data segmentation guide.
 */
const PART_2 = {
  security: [
    {
      system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode',
      code: '42CFRPart2',
      display: '42 CFR part 2 prohibits unauthorized use or disclosure of these records.',
    },
  ],
};

interface Page {
  whole: WholeRecord;
  parameters: EverythingParameters;
  after: number;
  telling: Telling;
}

/** One page as a searchset Bundle (https://hl7.org/fhir/R4/bundle.html), piece by piece. */
export async function* bundle(deps: FhirDeps, page: Page): AsyncGenerator<Buffer | string> {
  const { whole, parameters } = page;
  const { record, selection, total } = whole;
  const meta = { lastUpdated: selection.state.toISOString(), ...(record.part_2 && PART_2) };
  yield `{"resourceType":"Bundle","meta":${JSON.stringify(meta)},"type":"searchset","total":${total},"entry":[`;
  const progress: Progress = { last: page.after, rows: 0 };
  let begun = false;
  for await (const bytes of entries(deps, page, progress)) {
    yield begun ? bytes : bytes.subarray(2);
    begun = true;
  }
  const told = progress.rows + (hasPerson(page) ? 1 : 0);
  const links = linksOf(deps.baseUrl, { whole, parameters, told, last: progress.last });
  yield `${begun ? '}' : ''}],"link":${JSON.stringify(links)}}`;
}

const hasPerson = ({ whole, parameters: { offset, count } }: Page): boolean =>
  whole.person !== null && offset === 0 && count > 0;

/** The person comes first, on the first page. */
async function* entries(deps: FhirDeps, page: Page, progress: Progress): AsyncGenerator<Buffer> {
  const { whole, parameters, after, telling } = page;
  const { access } = whole.record;
  const person = hasPerson(page);
  if (person) yield telling.tell(`Person/${access.patientId}`, whole.person ?? '');
  const most = parameters.count - (person ? 1 : 0);
  const { selection, replaced, hope } = whole;
  const { contact } = whole.record;
  yield* stretches(deps, access, { selection, telling, contact, hope, after, most, replaced, progress });
}
