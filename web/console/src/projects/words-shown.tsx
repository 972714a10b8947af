import { Notice } from '../../../kit/notice.tsx';
import { Blank } from '../kit/blank.tsx';
import { compareVersions } from './compare-versions.ts';
import { LegalElements } from './legal-elements.tsx';
import type { ProjectData, VersionContent } from './project-data.ts';
import { useDescribeField } from './use-describe-field.ts';
import { useProjectWords } from './use-project-words.ts';
import './projects.css';

/** The words in force, for a role that does not change them. */
export function WordsShown({ project }: { project: ProjectData }) {
  const words = useProjectWords();
  return (
    <div className="project-words">
      <Notice>{words.readOnly}</Notice>
      {project.version === null ? (
        <Blank title={words.noVersion} text={words.noWords} />
      ) : (
        <>
          <div className="card">
            <VersionTexts version={project} />
          </div>
          <LegalElements version={project} />
        </>
      )}
    </div>
  );
}

/** Every text of one version, and what it asks for. */
export function VersionTexts({ version }: { version: VersionContent }) {
  const words = useProjectWords();
  const describeField = useDescribeField();
  const { texts, types } = compareVersions(null, version);
  return (
    <dl className="facts project-texts">
      {texts.map(({ type, field, after }) => (
        <Text key={`${type ?? ''} ${field}`} label={describeField(field, type)} text={after} field={field} />
      ))}
      <Text
        label={words.typesTitle}
        text={types.after.map((type) => words.types[type]).join(', ') || words.asksNothing}
      />
    </dl>
  );
}

function Text({ label, text, field = '' }: { label: string; text: string; field?: string }) {
  const lang = /^(en|es)\./.exec(field)?.[1];
  return (
    <>
      <dt>{label}</dt>
      <dd {...(lang !== undefined && { lang })}>{text}</dd>
    </>
  );
}
