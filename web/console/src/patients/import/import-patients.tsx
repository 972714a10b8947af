import { useState } from 'react';
import { Button } from '../../../../kit/button.tsx';
import { formatNumber } from '../../../../kit/format-number.ts';
import { SelectField } from '../../../../kit/select-field.tsx';
import { isLostProject, useProjectOptions, useProjects } from '../../frame/project-switcher.tsx';
import { Page, Section } from '../../kit/page.tsx';
import { PageLink } from '../../kit/page-link.tsx';
import { LeaveGuard } from '../../kit/leave-guard.tsx';
import { RefusalNotice } from '../../kit/refusal-notice.tsx';
import { Blank } from '../../kit/blank.tsx';
import { useProjectId } from '../../kit/use-search.ts';
import { useLanguage, useWords } from '../../words/use-words.ts';
import { usePatientWords } from '../use-patient-words.ts';
import { ColumnSection } from './column-section.tsx';
import { RowSection } from './row-section.tsx';
import { StartSection } from './start-section.tsx';
import { type Import, useImport } from './use-import.ts';
import './import.css';

/** Enrolls the people of a file: its columns, every fault at its cell, who takes part already, and then the import. */
export function ImportPatients() {
  const { importer: words, details, one } = usePatientWords();
  const projects = useProjects();
  const chosen = useProjectId();
  const above = (
    <p>
      <PageLink to="/patients">{details.back}</PageLink>
    </p>
  );
  return (
    <Page name="import-patients" title={words.title} lead={words.lead} above={above}>
      {projects.length === 0 ? (
        <Blank text={one.noProject} action={<PageLink to="/projects">{one.noProjectAction}</PageLink>} />
      ) : (
        <Importer projects={projects} initial={chosen ?? projects[0]?.id ?? ''} />
      )}
    </Page>
  );
}

function Importer({ projects, initial }: { projects: ReturnType<typeof useProjects>; initial: string }) {
  const { importer: words } = usePatientWords();
  const { errors } = useWords();
  const [projectId, setProjectId] = useState(initial);
  const work = useImport(projectId);
  const { file, rows, progress, refusal } = work;
  const options = useProjectOptions(projectId).filter(({ value }) => rows === null || value === projectId);
  const lost = isLostProject(projects, projectId) ? errors.wrongProject : undefined;
  return (
    <>
      <Section title={words.file}>
        <div className="import-file">
          <SelectField
            name="project"
            label={words.project}
            options={options}
            value={projectId}
            error={lost}
            onChange={setProjectId}
          />
          <FileInput work={work} />
        </div>
        {file && (
          <p className="soft">
            {words.found(
              file.name,
              file.encoding.toUpperCase(),
              words.delimiters[file.delimiter] ?? file.delimiter,
            )}
          </p>
        )}
      </Section>
      <ProgressLine work={work} />
      {refusal && <RefusalNotice refusal={refusal} />}
      {file && rows === null && <ColumnSection work={work} isBusy={progress !== null} />}
      {rows && <RowSection work={work} rows={rows} />}
      {rows && <StartSection {...{ work, rows, projectId }} isBusy={progress !== null} />}
      <LeaveGuard isUnfinished={work.isUnfinished} words={words} />
    </>
  );
}

function FileInput({ work }: { work: Import }) {
  const { importer: words } = usePatientWords();
  return (
    <div className="field">
      <label className="field-label" htmlFor="list-file">
        {words.choose}
      </label>
      <p className="field-hint" id="list-file-hint">
        {words.fileHint}
      </p>
      <input
        id="list-file"
        className="import-input"
        type="file"
        accept=".csv,.tsv,.txt,text/csv,text/plain,text/tab-separated-values"
        aria-describedby="list-file-hint"
        onClick={({ currentTarget }) => {
          // The same file can be chosen again after it was changed.
          currentTarget.value = '';
        }}
        onChange={({ target }) => {
          const [chosen] = target.files ?? [];
          if (chosen) work.open(chosen);
        }}
      />
    </div>
  );
}

function ProgressLine({ work: { progress, stop } }: { work: Import }) {
  const { importer: words } = usePatientWords();
  const { language } = useLanguage();
  const format = (count: number) => formatNumber(count, language);
  const texts = {
    reading: () => words.reading(format(progress?.done ?? 0)),
    checking: () => words.checking(format(progress?.done ?? 0), format(progress?.all ?? 0)),
    asking: () => words.asking(format(progress?.done ?? 0), format(progress?.all ?? 0)),
    importing: () => words.importing(format(progress?.done ?? 0), format(progress?.all ?? 0)),
  };
  return (
    <div className="import-progress" role="status">
      {progress && (
        <>
          <span>{texts[progress.step]()}</span>
          <progress
            aria-label={texts[progress.step]()}
            max={Math.max(progress.all, 1)}
            value={progress.done}
          />
          <Button onPress={stop}>{words.stop}</Button>
        </>
      )}
    </div>
  );
}
