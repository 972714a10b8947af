import { type SubmitEvent, useId, useState } from 'react';
import { Busy } from '../../../kit/busy.tsx';
import { Button } from '../../../kit/button.tsx';
import { formatPercent } from '../../../kit/format-number.ts';
import { useTask } from '../../../kit/task.ts';
import { Dialog } from '../kit/dialog.tsx';
import { RefusalNotice } from '../kit/refusal-notice.tsx';
import { useToast } from '../kit/toasts.tsx';
import { useLanguage } from '../words/use-words.ts';
import { useRefreshCase } from './use-agent-data.ts';
import { useTestCase } from './use-test-agent.ts';
import { useTestPatientWords } from './use-test-patient-words.ts';

/** Uploads an archive for the person, as the patient's own page and API do. */
export function UploadDialog({ onClose }: { onClose: () => void }) {
  const { record } = useTestPatientWords();
  const { words, language } = useLanguage();
  const { agent } = useTestCase();
  const refresh = useRefreshCase();
  const toast = useToast();
  const { busy, refusal, run } = useTask();
  const [file, setFile] = useState<File | null>(null);
  const [isMissing, setMissing] = useState(false);
  const [sent, setSent] = useState(0);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setMissing(file === null);
    if (file === null) return;
    run(async () => {
      setSent(0);
      await agent.upload(file, setSent);
      await refresh('uploads');
      toast(record.uploaded);
      onClose();
    });
  };
  return (
    <Dialog title={record.upload} onClose={onClose}>
      <form className="stack" noValidate onSubmit={submit}>
        <p className="soft">{record.uploadLead}</p>
        <FileField isMissing={isMissing} onChange={setFile} />
        {busy && <p className="soft">{record.sent(formatPercent(sent, language))}</p>}
        {refusal && <RefusalNotice refusal={refusal} texts={record.errors} />}
        <div className="dialog-buttons">
          <Button onPress={onClose}>{words.common.cancel}</Button>
          <Button type="submit" variant="strong" busy={busy}>
            {record.uploadSubmit}
          </Button>
        </div>
        <Busy busy={busy} text={words.common.oneMoment} />
      </form>
    </Dialog>
  );
}

function FileField({ isMissing, onChange }: { isMissing: boolean; onChange: (file: File | null) => void }) {
  const { record: words } = useTestPatientWords();
  const [fileId, errorId] = [useId(), useId()];
  return (
    <div className="field">
      <label className="field-label" htmlFor={fileId}>
        {words.file}
      </label>
      {isMissing && (
        <p id={errorId} className="field-error" role="alert">
          {words.noFile}
        </p>
      )}
      <input
        id={fileId}
        type="file"
        accept=".zip,application/zip"
        className="test-file"
        {...(isMissing && { 'aria-invalid': true, 'aria-describedby': errorId })}
        onChange={({ target }) => onChange(target.files?.[0] ?? null)}
      />
    </div>
  );
}
