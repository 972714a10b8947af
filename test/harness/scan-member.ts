import { drainMember } from '../../server/clinical/ingest/archive/archive.ts';
import type { Member } from '../../server/clinical/ingest/archive/member.ts';
import { READERS } from '../../server/clinical/ingest/readers/read-member.ts';
import type { Reader } from '../../server/clinical/ingest/readers/reader.ts';
import { createMemberScanner, type MemberScan } from '../../server/clinical/ingest/readers/scan-member.ts';

/** Scans one member as the verification of its archive does. */
export async function scanMember(member: Member, readers: readonly Reader[] = READERS): Promise<MemberScan> {
  const scans: MemberScan[] = [];
  await drainMember(
    member,
    createMemberScanner(member.path, readers, (scan) => scans.push(scan)),
  );
  return scans[0] as MemberScan;
}
