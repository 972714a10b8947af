import { Counter, type Registry } from 'prom-client';
import type { FastifyBaseLogger } from 'fastify';

/** What an operator counts and finds in the log besides requests and errors. */
const ACTIVITIES = {
  consent_granted: { name: 'chartgate_consents_total', help: 'Consents that patients gave or changed' },
  consent_withdrawn: { name: 'chartgate_withdrawals_total', help: 'Consents that patients withdrew' },
  read_refused: { name: 'chartgate_refused_reads_total', help: 'Reads that no consent permitted' },
  sign_in_failed: {
    name: 'chartgate_failed_sign_ins_total',
    help: 'Attempts to sign in, or to get a token, with wrong credentials',
  },
  mail_sent: { name: 'chartgate_mails_total', help: 'Mails that were handed over' },
  mail_failed: { name: 'chartgate_failed_mails_total', help: 'Attempts to hand over a mail that failed' },
  upload_received: { name: 'chartgate_uploads_total', help: 'Archives that patients uploaded' },
} as const;

export type ActivityKind = keyof typeof ACTIVITIES;

/** Counts an activity, and logs it at `info`. `ids` are ids and codes of ours: never a patient's, a name, an address or a text. */
export type ReportActivity = (kind: ActivityKind, ids?: Readonly<Record<string, string | undefined>>) => void;

export function createActivityReport(registry: Registry, log: FastifyBaseLogger): ReportActivity {
  const counters = new Map(
    Object.entries(ACTIVITIES).map(([kind, { name, help }]) => [
      kind,
      new Counter({ name, help, registers: [registry] }),
    ]),
  );
  return (kind, ids = {}) => {
    counters.get(kind)?.inc();
    log.info({ activity: kind, ...ids }, kind.replaceAll('_', ' '));
  };
}
