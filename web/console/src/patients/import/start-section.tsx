import { useMemo, useState } from 'react';
import { Button } from '../../../../kit/button.tsx';
import { RadioGroup } from '../../../../kit/choice.tsx';
import { formatNumber } from '../../../../kit/format-number.ts';
import { useRefresh } from '../../api/use-data.ts';
import { MailsKept } from '../../kit/mails-kept.tsx';
import { Section } from '../../kit/page.tsx';
import { saveFile } from '../../kit/save-file.ts';
import { useLanguage } from '../../words/use-words.ts';
import { AsksNothing } from '../asks-nothing.tsx';
import { PATIENTS_TARGET } from '../patient-data.ts';
import { usePatientWords } from '../use-patient-words.ts';
import { buildResultTable, countRows, type SheetRow } from './import-sheet.ts';
import { OwnInvitation } from './own-invitation.tsx';
import type { Import } from './use-import.ts';

interface StartSectionProps {
  work: Import;
  rows: readonly SheetRow[];
  isBusy: boolean;
  projectId: string;
}

/** Whether people are invited, the import itself, and its result as a file. */
export function StartSection({ work, rows, isBusy, projectId }: StartSectionProps) {
  const { importer: words } = usePatientWords();
  const { language } = useLanguage();
  const refresh = useRefresh();
  const [invite, setInvite] = useState<'now' | 'later'>('now');
  const { ready, imported } = useMemo(() => countRows(rows), [rows]);
  const format = (count: number) => formatNumber(count, language);
  const said = [
    ...(imported > 0 ? [words.done(format(imported))] : []),
    ...(!isBusy && imported > 0 && ready > 0 ? [words.stopped] : []),
    ...(ready === 0 && imported === 0 ? [words.nothingReady] : []),
  ];
  const save = async () => {
    const { writeCsv } = await import('../../list/write-csv.ts');
    saveFile('import-result.csv', writeCsv(buildResultTable(rows)), 'text/csv');
    await refresh(PATIENTS_TARGET);
  };
  return (
    <Section title={words.invitations}>
      <RadioGroup
        name="invite"
        legend={words.invitations}
        legendHidden
        options={(['now', 'later'] as const).map((value) => ({ value, ...words.invite[value] }))}
        value={invite}
        onChange={setInvite}
      />
      {invite === 'now' && <AsksNothing projectId={projectId} />}
      {invite === 'now' && <MailsKept />}
      {imported === 0 && !isBusy && <OwnInvitation projectId={projectId} />}
      <p role="status">{said.join(' ')}</p>
      <div className="page-actions">
        {ready > 0 && (
          <Button variant="strong" busy={isBusy} onPress={() => work.start(invite === 'now')}>
            {imported > 0 ? words.resume(format(ready)) : words.start(format(ready))}
          </Button>
        )}
        {imported > 0 && <Button onPress={() => void save()}>{words.result}</Button>}
        {!isBusy && <Button onPress={work.reset}>{words.again}</Button>}
      </div>
    </Section>
  );
}
