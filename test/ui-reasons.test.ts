import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { FAULTS, OUTCOME_MESSAGES } from '../server/clinical/sources/source-fault.ts';
import { REASON_BY_CODE } from '../web/portal/src/sources/source-reason.ts';
import { en } from './harness/words.ts';
import { ROOT } from './harness/process.ts';

/** Words with an underscore in the reading of uploads that are no reason why something was not read. */
const NO_REASONS: ReadonlySet<string> = new Set([
  // Of a batch.
  'completed_with_errors',
  'needs_confirmation',
  // Of a request that is refused before anything of it is kept.
  'unsupported_media_type',
  'one_file_required',
  'malformed_form',
  'too_many_uploads',
  'too_many_unfinished',
  // Of a request to read again what was read.
  'nothing_unread',
  // Of a request to take out what is still being read.
  'upload_unfinished',
  // Of an entry that says nothing, or that another entry holds: nothing is lost with it.
  'null_flavored',
  'no_content',
  'no_form',
  'part_of_another',
  // Of a job whose patient is gone, or whose batch another attempt has read.
  'patient_gone',
  'batch_ended',
  // Names of something else.
  'document_id',
  'upload_received',
  'uploads_failed',
  'full',
  'chartgate_uploads_refused_total',
  'shift_jis',
  'node_modules',
]);

const readTexts = (folder: string): string[] =>
  fs
    .readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.(test|sql)\.ts$/.test(file))
    .map((file) => fs.readFileSync(path.join(ROOT, folder, file), 'utf8'));

/** Codes of one word are distinguished from other words by where they stand. */
const ONE_WORD =
  /(?:\bcode: |Error\(\s*|\baddNotice\(\s*|\b(?:refusal|createRejection|createRejectionNotice)\([^()]*?, )'([a-z]+)'/g;

function extractReasons(text: string): string[] {
  const joined = Array.from(text.matchAll(/'([a-z]+(?:_[a-z0-9]+)+)'/g), ([, code]) => code as string);
  return [...joined, ...Array.from(text.matchAll(ONE_WORD), ([, code]) => code as string)];
}

describe('the reasons a person is shown', () => {
  it('has words for every reason why something of an upload was not read, and for no other', () => {
    const found = new Set(['documents', 'server/clinical/ingest'].flatMap(readTexts).flatMap(extractReasons));
    for (const word of NO_REASONS) assert.ok(found.delete(word), `${word} is nowhere any more`);
    assert.ok(found.size > 40, `${found.size} codes`);
    assert.deepEqual(Object.keys(en.myData.documents.reasons).sort(), [...found].sort());
  });

  it('has words for every reason why a source gave nothing, and for no other', () => {
    const codes = [...Object.keys(FAULTS), ...Object.keys(OUTCOME_MESSAGES)];
    assert.deepEqual([...REASON_BY_CODE.keys()].sort(), codes.sort());
    const knownReasons = new Set<string>([...REASON_BY_CODE.values(), 'again']);
    assert.deepEqual([...knownReasons].sort(), Object.keys(en.myData.sources.reasons).sort());
  });
});
