import {
  createAttentionItem,
  MAX_ATTENTION_COUNT,
  type AttentionCheck,
} from '../../platform/attention/attention.ts';
import type { Db } from '../../platform/db/db.ts';
import { findTroubledSources } from './attention.sql.ts';

/** Creates the check of sources: which fail, and which have patients whom they could not match surely. */
export const createSourceAttention = (db: Db): AttentionCheck => ({
  permission: 'sources.read',
  async find(reach) {
    const rows = await db.query(findTroubledSources(reach, MAX_ATTENTION_COUNT));
    return rows.flatMap(({ source_id: id, name, failed, ambiguous }) => {
      const target = `/console/sources/${id}`;
      return [
        ...(failed > 0
          ? [
              createAttentionItem({
                code: 'source_failing',
                severity: 'problem',
                name,
                count: failed,
                target: `${target}?tab=patients&status=failed`,
              }),
            ]
          : []),
        ...(ambiguous > 0
          ? [
              createAttentionItem({
                code: 'source_ambiguous',
                severity: 'notice',
                name,
                count: ambiguous,
                target: `${target}?tab=work`,
              }),
            ]
          : []),
      ];
    });
  },
});
