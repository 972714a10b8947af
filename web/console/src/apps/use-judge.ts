import type { ClientJudging, judgeClient } from '../../../../contract/organization/clients.ts';
import { useConsole } from '../api/use-console.ts';
import { useRefresh } from '../api/use-data.ts';

const ITEM = '/v1/organizations/{orgId}/clients/{clientId}';

/** Judges an app; every page that shows apps asks for them anew. A dry run changes nothing. */
export function useJudge(clientId: string) {
  const { call } = useConsole();
  const refresh = useRefresh();
  return async (judging: Partial<ClientJudging> & Pick<ClientJudging, 'judgement'>) => {
    const judged = await call<typeof judgeClient>(`PATCH ${ITEM}`, {
      params: { clientId },
      body: { ...judging },
    });
    if (!judged.dryRun) await refresh(`GET ${ITEM}`, 'GET /v1/organizations/{orgId}/clients');
    return judged;
  };
}

const DAY_MS = 24 * 3600 * 1000;

export const DURATIONS = ['never', '30', '90', '365'] as const;
export type Duration = (typeof DURATIONS)[number];

/** When a judgement of this duration ends that begins now; null: not by itself. */
export const resolveUntil = (duration: string): string | null =>
  duration === 'never' ? null : new Date(Date.now() + Number(duration) * DAY_MS).toISOString();
