import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { parseDay, getYear, getMonth } from './calendar.ts';
import { generateRecord } from './generate-record.ts';
import { validatePlan, type RecordPlan } from './record-plan.ts';
import { toUrn } from './resource-id.ts';

/** Text is handed on in pieces of this size: a piece per resource makes the zip three times slower. */
const CHUNK_LENGTH = 64 * 1024;

/**
 * An upload archive with one transaction Bundle, `fhir/record.json`. Streamed, so a record of any size needs
 * the same memory; the same plan gives the same bytes. Throws a RangeError when the plan makes no believable record.
 */
export function openRecordArchive(plan: RecordPlan, counter = { resources: 0 }): Readable {
  validatePlan(plan);
  const zip = new ZipFile();
  const json = Readable.from(serializeBundle(plan, counter), { objectMode: false });
  // The DOS time is local and has no zone: built from local parts, it is the same bytes everywhere.
  zip.addReadStream(json, 'fhir/record.json', { mtime: toNoon(plan.endsOn), forceDosTimestamp: true });
  const output = Readable.from(zip.outputStream);
  zip.once('error', (error) => output.destroy(error));
  output.once('close', () => json.destroy());
  zip.end();
  return output;
}

/** Writes the archive of a plan to a file; `bytes` is its size. */
export async function writeRecordArchive(
  plan: RecordPlan,
  file: string,
): Promise<{ resources: number; bytes: number }> {
  const counter = { resources: 0 };
  const output = openRecordArchive(plan, counter);
  // A half-written archive must never stand under the name that was asked for.
  const partial = `${file}.partial`;
  try {
    await pipeline(output, createWriteStream(partial));
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  return { resources: counter.resources, bytes: (await stat(file)).size };
}

function* serializeBundle(plan: RecordPlan, counter: { resources: number }): Iterable<string> {
  let text = '{"resourceType":"Bundle","type":"transaction","entry":[';
  for (const resource of generateRecord(plan)) {
    const separator = counter.resources === 0 ? '\n' : ',\n';
    const request = { method: 'POST', url: resource.resourceType };
    text += separator + JSON.stringify({ fullUrl: toUrn(resource.id), resource, request });
    counter.resources++;
    if (text.length < CHUNK_LENGTH) continue;
    yield text;
    text = '';
  }
  yield `${text}\n]}\n`;
}

function toNoon(endsOn: string): Date {
  const day = parseDay(endsOn);
  return new Date(getYear(day), getMonth(day) - 1, Number(endsOn.slice(8)), 12);
}
