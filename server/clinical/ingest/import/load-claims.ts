import type { PatientId } from '../../../../contract/brands.ts';
import type { Queryable } from '../../../platform/db/db.ts';
import { getPath, readText } from '../../entries/element.ts';
import { isNumberedList } from '../../labels/bill-items.ts';
import type { MentioningResource } from '../../labels/find-redactions.ts';
import { listInlineMembers } from '../../labels/inline-members.ts';
import { listMentions } from '../../labels/mentions.ts';
import type { ClassifyWords } from '../../labels/word-classifier.ts';
import type { ParsedResource } from '../../store/found-resource.ts';
import { parseResource } from '../../store/parse-resource.ts';
import { findBodiesByIds } from '../../store/bodies-by-id.sql.ts';

/**
 * Loads the Claims that responses answer, whose items theirs point to, with what numbered members of these refer to or say: one look-up a
 * page, and none where there is no response.
 */
export async function loadClaims(
  on: Queryable,
  patientId: PatientId,
  { resources, classifyWords }: { resources: readonly ParsedResource[]; classifyWords: ClassifyWords },
): Promise<(resource: ParsedResource) => MentioningResource | undefined> {
  const ids = new Set(resources.flatMap((resource) => readClaimId(resource) ?? []));
  if (ids.size === 0) return () => undefined;
  const rows = await on.query(findBodiesByIds(patientId, 'Claim', [...ids]));
  const claims = new Map(
    rows.map(({ fhir_id: id, body }) => {
      const resource = parseResource(body);
      const mentions = [
        ...listMentions(resource).filter(isOfNumberedMember),
        ...listInlineMembers(resource, classifyWords),
      ];
      return [id, { resource, mentions }] as const;
    }),
  );
  return (resource) => claims.get(readClaimId(resource) ?? '');
}

const isOfNumberedMember = ({ pointer, target }: MentioningResource['mentions'][number]): boolean =>
  target !== null && isNumberedList(pointer[0]);

function readClaimId(resource: ParsedResource): string | null {
  if (resource.resourceType !== 'ClaimResponse') return null;
  return (
    /^Claim\/([A-Za-z0-9.-]{1,64})$/.exec(readText(getPath(resource['request'], 'reference')) ?? '')?.[1] ??
    null
  );
}
