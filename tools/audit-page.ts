import { AUDIT_ACTIONS } from '../server/platform/audit/actions.ts';
import { replacePart } from './replace-part.ts';

/** Renders docs/audit.md with the list of actions, which comes from code. */
export const renderAuditPage = (page: string): string =>
  replacePart(
    page,
    'actions',
    [
      '| action | what it says |',
      '|---|---|',
      ...Object.entries(AUDIT_ACTIONS).map(([action, meaning]) => `| \`${action}\` | ${meaning} |`),
    ].join('\n'),
  );
