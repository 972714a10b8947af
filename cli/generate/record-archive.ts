import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { dayNumber, yearOf, monthOf } from './calendar.ts';
import { generateRecord } from './generate-record.ts';
import { checkPlan, type RecordPlan } from './record-plan.ts';
import { urn } from './resource-id.ts';

/** Text is handed on in pieces of this size: a piece per resource makes the zip three times slower. */
const PIECE = 64 * 1024;

/**
 * An upload archive with one transaction Bundle, `fhir/record.json`. Streamed, so a record of any size needs
 * the same memory; the same plan gives the same bytes. `bytes` is the archive's size.
 */
export async function writeRecordArchive(
  plan: RecordPlan,
  file: string,
): Promise<{ resources: number; bytes: number }> {
  checkPlan(plan);
  const counted = { resources: 0 };
  const zip = new ZipFile();
  const json = Readable.from(bundleText(plan, counted), { objectMode: false });
  // The DOS time is local and has no zone: built from local parts, it is the same bytes everywhere.
  zip.addReadStream(json, 'fhir/record.json', { mtime: noonOf(plan.endsOn), forceDosTimestamp: true });
  const output = Readable.from(zip.outputStream);
  zip.once('error', (error) => output.destroy(error));
  zip.end();
  // A half-written archive must never stand under the name that was asked for.
  const partial = `${file}.partial`;
  try {
    await pipeline(output, createWriteStream(partial));
    await rename(partial, file);
  } catch (error) {
    json.destroy();
    await rm(partial, { force: true });
    throw error;
  }
  return { resources: counted.resources, bytes: (await stat(file)).size };
}

function* bundleText(plan: RecordPlan, counted: { resources: number }): Iterable<string> {
  let text = '{"resourceType":"Bundle","type":"transaction","entry":[';
  for (const resource of generateRecord(plan)) {
    const separator = counted.resources === 0 ? '\n' : ',\n';
    const request = { method: 'POST', url: resource.resourceType };
    text += separator + JSON.stringify({ fullUrl: urn(resource.id), resource, request });
    counted.resources++;
    if (text.length < PIECE) continue;
    yield text;
    text = '';
  }
  yield `${text}\n]}\n`;
}

function noonOf(endsOn: string): Date {
  const day = dayNumber(endsOn);
  return new Date(yearOf(day), monthOf(day) - 1, Number(endsOn.slice(8)), 12);
}
