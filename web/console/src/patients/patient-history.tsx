import type { listWebhooks } from '../../../../contract/webhooks/webhooks.ts';
import { formatNumber } from '../../../kit/format-number.ts';
import { usePermission } from '../api/use-console.ts';
import { useData } from '../api/use-data.ts';
import { Table } from '../../../kit/table.tsx';
import { Badge } from '../kit/badge.tsx';
import { Id } from '../kit/copy-button.tsx';
import { PageLink } from '../kit/page-link.tsx';
import { Section } from '../kit/page.tsx';
import { ExactTime, RelativeTime } from '../kit/relative-time.tsx';
import { useSearch } from '../kit/use-search.ts';
import { SYNC_KINDS } from '../sources/sync-kinds.ts';
import { useReason } from '../sources/use-reason.ts';
import { useLanguage } from '../words/use-words.ts';
import type { PatientData } from './patient-data.ts';
import { usePatientWords } from './use-patient-words.ts';

interface SectionProps {
  patient: PatientData;
}

/** How many uploads there are, and how they went; nothing of what they hold. */
export function UploadSection({ patient: { uploads } }: SectionProps) {
  const { details: words } = usePatientWords();
  const { language } = useLanguage();
  const states = Object.entries(uploads?.byStatus ?? {});
  return (
    <Section title={words.uploads}>
      {uploads === null || states.length === 0 ? (
        <p className="soft">{uploads === null ? words.uploadsHidden : words.noUploads}</p>
      ) : (
        <dl className="facts">
          {states.map(([status, count]) => [
            <dt key={status}>{words.uploadStatus[status] ?? status}</dt>,
            <dd key={`${status}-count`}>{formatNumber(count, language)}</dd>,
          ])}
          <dt>{words.rejected}</dt>
          <dd>{formatNumber(uploads.rejectedDocuments, language)}</dd>
        </dl>
      )}
      {uploads !== null && uploads.newest.length > 0 && <NewestUploads uploads={uploads.newest} />}
    </Section>
  );
}

/** Each upload by its id; one that the address names is marked, and stands first. */
function NewestUploads({ uploads }: { uploads: NonNullable<PatientData['uploads']>['newest'] }) {
  const { details: words } = usePatientWords();
  const { language } = useLanguage();
  const [{ upload: named }] = useSearch();
  const isNamed = ({ batchId }: { batchId: string }): boolean => batchId === named;
  return (
    <details open={uploads.some(isNamed)}>
      <summary>{words.newestUploads}</summary>
      <Table
        caption={words.newestUploads}
        rows={uploads.toSorted((one, other) => Number(isNamed(other)) - Number(isNamed(one)))}
        getKey={({ batchId }) => batchId}
        empty={null}
        columns={[
          {
            header: words.upload,
            render: (row) => (
              <>
                <Id id={row.batchId} subject={words.upload} />
                {isNamed(row) && <Badge kind="good">{words.namedUpload}</Badge>}
              </>
            ),
          },
          { header: words.received, render: ({ receivedAt }) => <ExactTime time={receivedAt} /> },
          { header: words.uploadState, render: ({ status }) => words.uploadStatus[status] ?? status },
          {
            header: words.rejected,
            render: ({ rejectedDocuments }) => formatNumber(rejectedDocuments, language),
          },
        ]}
      />
    </details>
  );
}

/** What has become of fetching from connected servers. */
export function SourceSection({ patient: { patientId, sources } }: SectionProps) {
  const { details: words, sourceStates } = usePatientWords();
  const mayOpen = usePermission('sources.read');
  const describe = useReason();
  return (
    <Section title={words.sources}>
      {sources.length === 0 ? (
        <p className="soft">{words.noSources}</p>
      ) : (
        <dl className="facts">
          {sources.map((source) => [
            <dt key={source.sourceId}>
              {mayOpen ? (
                <PageLink to={`/sources/${source.sourceId}`} search={{ tab: 'patients', patientId }}>
                  {source.name}
                </PageLink>
              ) : (
                source.name
              )}
            </dt>,
            <dd key={`${source.sourceId}-state`}>
              <Badge kind={SYNC_KINDS[source.state]}>{sourceStates[source.state]}</Badge>{' '}
              {describe(source.code, source.message)}
              {source.nextAttemptAt !== null && (
                <p className="small soft">
                  {words.nextTry} <RelativeTime time={source.nextAttemptAt} />
                </p>
              )}
            </dd>,
          ])}
        </dl>
      )}
    </Section>
  );
}

/** The webhooks that may have been notified about the patient, each with its deliveries about them. */
export function WebhookSection({ patient: { patientId } }: SectionProps) {
  const { details: words } = usePatientWords();
  const mayRead = usePermission('webhooks.read');
  const { data } = useData<typeof listWebhooks>(
    'GET /v1/organizations/{orgId}/webhooks',
    { query: { limit: 1000 } },
    { enabled: mayRead },
  );
  if (!mayRead || data === undefined || data.results.length === 0) return null;
  return (
    <Section title={words.webhooks}>
      <p className="soft">{words.webhooksLead}</p>
      <ul>
        {data.results.map(({ id, url, description }) => (
          <li key={id}>
            <PageLink to={`/webhooks/${id}`} search={{ tab: 'deliveries', patientId }}>
              {new URL(url).host}
            </PageLink>{' '}
            <span className="soft small">{description}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Its words say that it did not go as it began. */
const EARLY_END = 'fhir.everything_ended';

/** The audit log about the patient, newest first, in words. */
export function TimelineSection({ patient }: SectionProps) {
  const { timeline } = patient;
  const mayReadLog = usePermission('audit.read');
  const { details: words } = usePatientWords();
  return (
    <Section
      title={words.timeline}
      {...(mayReadLog && {
        actions: (
          <PageLink to="/reads" search={{ patientId: patient.patientId }}>
            {words.reads}
          </PageLink>
        ),
      })}
    >
      <dl className="facts">
        {timeline.map((entry) => {
          const refused = entry.outcome === 'refused' ? words.refused[entry.action] : undefined;
          const isSaid = entry.outcome === 'success' || entry.action === EARLY_END || refused !== undefined;
          return [
            <dt key={entry.id}>
              <ExactTime time={entry.at} />
            </dt>,
            <dd key={`${entry.id}-what`}>
              {refused ?? words.actions[entry.action] ?? entry.action}
              {!isSaid && `, ${words.outcomes[entry.outcome as keyof typeof words.outcomes]}`}{' '}
              <span className="soft">
                {words.by(entry.actor.name ?? words.actors[entry.actor.kind])}
                {entry.project && ` · ${entry.project.name}`}
              </span>
            </dd>,
          ];
        })}
      </dl>
    </Section>
  );
}
