import { formatNumber } from '../../../kit/format-number.ts';
import { usePermission } from '../api/use-console.ts';
import { PageLink } from '../kit/page-link.tsx';
import { Section } from '../kit/page.tsx';
import { ExactTime } from '../kit/relative-time.tsx';
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
    </Section>
  );
}

/** What has become of fetching from connected servers. */
export function SourceSection({ patient: { sources } }: SectionProps) {
  const { details: words } = usePatientWords();
  return (
    <Section title={words.sources}>
      {sources.length === 0 ? (
        <p className="soft">{words.noSources}</p>
      ) : (
        <dl className="facts">
          {sources.map((source) => [
            <dt key={source.sourceId}>{source.name}</dt>,
            <dd key={`${source.sourceId}-state`}>
              <code>{source.state}</code> {source.message !== null && <span lang="en">{source.message}</span>}
            </dd>,
          ])}
        </dl>
      )}
    </Section>
  );
}

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
          const outcome = entry.outcome === 'success' ? null : words.outcomes[entry.outcome];
          return [
            <dt key={entry.id}>
              <ExactTime time={entry.at} />
            </dt>,
            <dd key={`${entry.id}-what`}>
              {words.actions[entry.action] ?? entry.action}
              {outcome !== null && `, ${outcome}`}{' '}
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
