import type { ConsentType } from '../../../contract/account/consent.ts';
import type { Brand } from '../../../contract/organization/brand.ts';
import type { Interaction } from '../../../contract/oauth/interaction.ts';
import type { Contact, ProjectContent } from '../../../contract/organization/projects.ts';
import type { Language } from '../../kit/languages.ts';

/** Where the preview is served, below the base URL. */
export const PREVIEW_PATH = '/consent-preview/';

/** The preview's origin as messages name it: its sandbox gives it one of its own. */
export const PREVIEW_ORIGIN = 'null';

export type Scheme = 'light' | 'dark';

/** Who asks in the preview: an app, or the organization for one of its consents. */
export type Requester = 'app' | ConsentType;

/** An app as the review shows it; of one that is not let in there is no review. */
export type PreviewedClient = Omit<Interaction['client'], 'letIn'>;

/** What the console has the preview show. */
export interface PreviewShown {
  requester: Requester;
  /** The app that asks; absent: a sample. */
  client?: PreviewedClient;
  organization: { name: string; contact: Contact | null; brand: Brand | null };
  projectName: string;
  content: ProjectContent | null;
  language: Language;
  scheme: Scheme;
}

/** From the preview: it listens now, or the other language was pressed in it. */
export type PreviewReport =
  | { chartgatePreview: 'ready' }
  | { chartgatePreview: 'language'; language: Language };

/** To the preview. */
export interface PreviewMessage {
  chartgatePreview: 'show';
  shown: PreviewShown;
}

const REQUESTERS: readonly unknown[] = [
  'app',
  'PATIENT_DIRECTED_DATA_EXCHANGE',
  'DATA_AUTHORIZATION',
  'FUTURE_DATA_USE',
] satisfies readonly Requester[];

/** A message event, as far as it says what was sent by whom. */
interface Received {
  data: unknown;
  origin: string;
  source: unknown;
}

/** The window that sends what counts, and its origin. */
export interface Sender {
  window: unknown;
  origin: string;
}

/** Returns what is to be shown; null for a message of another window or origin, and for one that says something else. */
export function readPreviewMessage(received: Received, sender: Sender): PreviewShown | null {
  const message = readOwn(received, sender);
  const shown = message?.['chartgatePreview'] === 'show' ? toRecord(message['shown']) : null;
  const isShown =
    shown !== null &&
    REQUESTERS.includes(shown['requester']) &&
    isLanguage(shown['language']) &&
    (shown['scheme'] === 'light' || shown['scheme'] === 'dark') &&
    typeof shown['projectName'] === 'string' &&
    typeof toRecord(shown['organization'])?.['name'] === 'string' &&
    typeof shown['content'] === 'object' &&
    (shown['client'] === undefined || toRecord(shown['client']) !== null);
  return isShown ? (shown as unknown as PreviewShown) : null;
}

/** Returns what the preview reports; null for a message of another window or origin, and for one that says something else. */
export function readPreviewReport(received: Received, sender: Sender): PreviewReport | null {
  const message = readOwn(received, sender);
  const kind = message?.['chartgatePreview'];
  if (kind === 'ready') return { chartgatePreview: 'ready' };
  const language = message?.['language'];
  return kind === 'language' && isLanguage(language) ? { chartgatePreview: 'language', language } : null;
}

const readOwn = ({ data, origin, source }: Received, sender: Sender) =>
  origin === sender.origin && source !== null && source === sender.window ? toRecord(data) : null;

const isLanguage = (value: unknown): value is Language => value === 'en' || value === 'es';

const toRecord = (value: unknown): Record<string, unknown> | null =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
