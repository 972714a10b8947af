import type { z } from 'zod';
import { ResourceScope, RestrictedScope, type ClientGrant } from '../../../contract/data-categories.ts';
import type { ScreenshotId } from '../../../contract/brands.ts';
import type { ConsentRecord } from '../../../contract/organization/consent-records.ts';
import { formatPersonName } from '../../../contract/account/person-name.ts';
import { localizeContent, type LocalizedText } from '../../../contract/organization/localize-content.ts';
import { resolveConsentContent } from '../../identity/organizations/version-content.ts';
import type { ReceiptRow } from '../receipts/receipt.sql.ts';
import { classifyDecision } from '../records/decision-kind.ts';
import { escapeHtml } from './escape-html.ts';
import { STYLE } from './evidence-style.ts';
import type { LogEntries } from './log-entries.ts';

export interface EvidenceScreen {
  file: string;
  id: ScreenshotId;
  screen: string;
  takenAt: string;
  sha256: string;
}

interface EvidencePage {
  record: z.input<typeof ConsentRecord>;
  row: ReceiptRow;
  screens: readonly EvidenceScreen[];
  log: LogEntries;
  issuer: string;
  exportedAt: Date;
}

/** Nothing is loaded or run, from a disk as little as from a network. */
const POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'";

/**
 * Renders the page of the archive. The pictures are in it once more, so that it also shows them when it is opened inside the
 * archive or sent by itself.
 */
export async function* renderEvidencePage(
  page: EvidencePage,
  readPicture: (screen: EvidenceScreen) => AsyncIterable<Buffer>,
): AsyncGenerator<string> {
  const title = `Consent ${page.record.id}`;
  yield `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta http-equiv="content-security-policy" content="${POLICY}"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body><main><h1>Evidence of a decision</h1>`;
  yield renderDecision(page) + renderScopes(page) + '<h2>What the patient saw</h2>';
  if (page.screens.length === 0)
    yield '<p>No picture is kept: this decision was made without the consent page.</p>';
  for (const [index, screen] of page.screens.entries()) {
    yield `<figure><figcaption>${escapeHtml(`${index + 1}. ${screen.screen}, ${screen.takenAt}`)}<br><code>${escapeHtml(`${screen.file} SHA-256 ${screen.sha256}`)}</code></figcaption><img alt="${escapeHtml(`Screen ${index + 1}: ${screen.screen}`)}" src="data:image/png;base64,`;
    for await (const bytes of readPicture(screen)) yield bytes.toString('base64');
    yield '"></figure>';
  }
  yield renderInteractions(page) + renderWords(page) + renderLog(page) + renderVerification(page);
  yield '</main></body></html>\n';
}

const renderTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  `<div class="wide"><table><thead><tr>${head.map((cell) => `<th scope="col">${escapeHtml(cell)}</th>`).join('')}</tr></thead><tbody>${rows
    .map((cells) => `<tr>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`)
    .join('')}</tbody></table></div>`;

const renderFacts = (facts: readonly (readonly [string, string | null])[]): string =>
  `<dl>${facts
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value ?? '')}</dd>`)
    .join('')}</dl>`;

const DECISIONS = {
  given: 'The patient gave consent',
  changed: 'The patient gave consent, in place of the one before',
  refused: 'The patient said no',
  withdrawn: 'The patient took the consent back',
  revoked: 'The organization ended the consent, with the enrollment',
} as const;

const AUTHORITIES: ReadonlyMap<string, string> = new Map([
  ['parent', 'a parent'],
  ['guardian', 'the legal guardian'],
  ['power-of-attorney', 'by a power of attorney'],
  ['other', 'by law, for another reason'],
]);

const formatSigner = ({ name, authority }: NonNullable<EvidencePage['record']['representative']>): string =>
  `${formatPersonName(name)} (${AUTHORITIES.get(authority) ?? authority})`;

function renderDecision({ record, row }: EvidencePage): string {
  const { representative } = record;
  return renderFacts([
    ['Decision', DECISIONS[classifyDecision(row)]],
    ['When', record.timestamp],
    ['Until', record.consentStatus === 'OPTED_IN' ? record.expirationTimestamp : null],
    ['Patient', record.patientId],
    ['Signed by', representative && formatSigner(representative)],
    ['Organization', row.organization_name],
    ['Project', row.project_name],
    ['Type of consent', record.consentType],
    ['App', record.clientName ?? record.clientId],
    ['The app gets it until', record.grant?.expirationTimestamp ?? null],
    ['Language of the page', record.language],
    ['Flow', record.consentUIFlow],
    ['Version of the page', record.uiHash],
    ['Version of the words', record.studySnapshotId],
    ['Seconds to decide', String(record.consentStats.sessionLength)],
    ['Record', record.id],
  ]);
}

const toTitle = (key: string): string => key.charAt(0) + key.slice(1).toLowerCase().replaceAll('_', ' ');

/** A grant names its categories, or all with null. */
const coversCategory = ({ consentDataResourceScopes: names }: ScopeNames, key: ResourceScope): boolean =>
  names?.includes(key) !== false;
const coversClass = ({ consentDataSensitivityScopes: names }: ScopeNames, key: RestrictedScope): boolean =>
  names?.includes(key) === true;

/** Renders what is covered, in as many columns as parts of it, or the app, have less of it or a sooner end. */
function renderScopes({ record }: EvidencePage): string {
  if (record.consentStatus !== 'OPTED_IN')
    return '<h2>What it covers</h2><p>Nothing: from this moment on, nothing is shared under this consent.</p>';
  const columns = listColumns(record);
  const head = columns.map(({ title }) => title);
  const render = (covers: (scopes: ScopeNames) => boolean): string[] =>
    columns.map(({ scopes, yes, no }) => (covers(scopes) ? yes : no));
  return (
    '<h2>What it covers</h2>' +
    renderTable(
      ['Category', ...head],
      ResourceScope.options.map((key) => [toTitle(key), ...render((scopes) => coversCategory(scopes, key))]),
    ) +
    renderTable(
      ['Protected class', ...head],
      RestrictedScope.options.map((key) => [toTitle(key), ...render((scopes) => coversClass(scopes, key))]),
    )
  );
}

type ScopeNames = Pick<ClientGrant, 'consentDataResourceScopes' | 'consentDataSensitivityScopes'>;

interface ScopeColumn {
  title: string;
  scopes: ScopeNames;
  yes: string;
  no: string;
}

/** The lists of a record name what any part has, and what the organization gets: a part, and the app, may have less. */
function listColumns({ parts, grant, ...scopes }: EvidencePage['record']): ScopeColumn[] {
  const shared = { yes: 'shared', no: 'not shared' };
  const columns = parts?.map((part) => ({
    title: `Until ${part.expirationTimestamp}`,
    scopes: part,
    ...shared,
  }));
  const app = grant && {
    title: `The app, until ${grant.expirationTimestamp}`,
    scopes: grant,
    yes: 'the app gets it',
    no: 'the app does not get it',
  };
  return [...(columns ?? [{ title: '', scopes, ...shared }]), ...(app ? [app] : [])];
}

const renderInteractions = ({ record: { consentStats } }: EvidencePage): string =>
  consentStats.interactions.length === 0
    ? ''
    : '<h2>What the patient did</h2>' +
      renderTable(
        ['When', 'Screen', 'Action'],
        consentStats.interactions.map(({ at, screen, action }) => [at, screen, action]),
      );

function renderWords({ row }: EvidencePage): string {
  const content = localizeContent(
    resolveConsentContent(row, row.consent_type),
    row.language === 'es' ? 'es' : 'en',
  );
  if (content === null) return '';
  const parts: readonly (readonly [string, LocalizedText | null | undefined])[] = [
    ['Title', content.title],
    ['Purpose', content.purpose],
    ['Benefits', content.benefits],
    ['Risks', content.risks],
    ...ResourceScope.options.map(
      (key) => [`${toTitle(key)}: what it is needed for`, content.categoryPurposes.get(key)] as const,
    ),
  ];
  const facts = parts.flatMap(([name, part]) =>
    part ? [`<dt>${escapeHtml(name)}</dt><dd lang="${part.lang}">${escapeHtml(part.text)}</dd>`] : [],
  );
  return `<h2>The words of that version</h2><dl>${facts.join('')}</dl>`;
}

const renderLog = ({ log }: EvidencePage): string =>
  '<h2>The audit log about it</h2>' +
  renderTable(
    ['When', 'Action', 'By', 'Outcome', 'Proof'],
    log.entries.map(({ at, action, actor, outcome, isProven }) => [
      at,
      action,
      actor,
      outcome,
      isProven ? 'sealed' : 'not sealed yet',
    ]),
  ) +
  (log.omitted === 0 ? '' : `<p>${log.omitted} more are in audit.ndjson.</p>`);

const renderVerification = ({ issuer, exportedAt }: EvidencePage): string =>
  `<h2>How to check it</h2><p>This page only shows what the files beside it hold; it proves nothing. Exported from ${escapeHtml(issuer)} at ${exportedAt.toISOString()}.</p><ol><li><code>chartgate receipt verify evidence.zip --keys keys.json</code>, or with the folder in the place of the archive, checks all of it: manifest.jws is signed and names the SHA-256 of every other file, the receipt is signed, and the entries of audit.ndjson are in the signed log. A file that was changed, added or taken out is named.</li><li>keys.json has to be one that you have from ${escapeHtml(issuer)}/.well-known/jwks.json yourself: whoever made an archive could have put in keys of their own. The one in the archive also has keys that are no longer published there.</li><li>Without the program: manifest.jws is a JWS (RFC 7515, ES256). The middle of its three parts, decoded by base64url, lists <code>files</code>; <code>sha256sum</code> prints the same of the files here. The documentation of the service (“Consent”) has the commands for its signature, with openssl.</li></ol>`;
