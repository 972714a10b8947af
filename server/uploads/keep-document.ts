import { createHash } from 'node:crypto';
import type { BatchId, PatientId } from '../../contract/ids.ts';
import type { Clock } from '../kernel/clock.ts';
import { derivedUuid } from '../records/identity.ts';
import type { Db } from '../storage/db.ts';
import { putFile } from './blobs.ts';
import type { Member } from './reading.ts';
import { spool } from './spool.ts';
import { insertDocument } from './uploads.sql.ts';

/** Keeps a member as it came; the same bytes under the same path are kept once. */
export async function keepDocument(
  { db, clock }: { db: Db; clock: Clock },
  { patientId, batchId }: { patientId: PatientId; batchId: BatchId },
  member: Member,
): Promise<void> {
  await using spooled = await spool(member);
  const hash = createHash('sha256');
  let size = 0;
  for await (const bytes of (await member.open()) as AsyncIterable<Buffer>) {
    hash.update(bytes);
    size += bytes.length;
  }
  const sha256 = hash.digest();
  const documentId = derivedUuid(`${patientId}|${sha256.toString('hex')}|${member.path}`);
  await putFile(db, { patientId, blobId: documentId }, spooled.file);
  await db.query(
    insertDocument(patientId, { documentId, batchId, path: member.path, size, sha256, now: clock.now() }),
  );
}
