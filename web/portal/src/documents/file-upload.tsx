import { type RefObject, useEffect, useRef, useState } from 'react';
import { revealInvisible } from '../../../../contract/reveal-invisible.ts';
import { Button } from '../../../kit/button.tsx';
import { ErrorSummary } from '../../../kit/form.tsx';
import { Icon } from '../../../kit/icon.tsx';
import { Refusal } from '../../../kit/http/refusal.ts';
import { toFailure } from '../../../patient/failure.ts';
import { isSamePerson } from '../../../patient/same-person.ts';
import type { Batch } from '../api.ts';
import { useAppDeps } from '../app-deps.ts';
import type { Words } from '../words/en.ts';
import { formatFailure } from '../../../patient/format-failure.ts';
import type { Language } from '../../../kit/languages.ts';
import { useLanguage, useWords } from '../words/use-words.ts';
import { useGuardedAction, type PersonProps } from '../person-query.ts';
import { useLostAction } from '../lost-action.ts';
import { isEmptyArchive, isNothingRead } from './outcome.ts';
import { isAsked, isPending } from './use-batches.ts';
import { createArchive, MAX_UPLOAD_BYTES, sumSizes } from './archive.ts';
import { formatCount, formatPercent, formatSize } from '../../../kit/format-number.ts';

type UploadState =
  | { at: 'choosing' }
  | { at: 'packing' }
  | { at: 'sending'; fraction: number }
  | { at: 'sent'; batchId: string | undefined };

/** Takes files from the device to the service: chosen, checked, packed and sent. */
function useUpload({ personProps, onSent, focusAdded }: FileUploadProps) {
  const { api } = useAppDeps();
  const runGuarded = useGuardedAction(personProps);
  const { lost } = useLostAction();
  // What was chosen when the session had ended is offered again, to whoever chose it.
  const [files, setFiles] = useState<readonly File[]>(() =>
    lost?.person && isSamePerson(lost.person, personProps.person) ? (lost.files ?? []) : [],
  );
  const [upload, setUpload] = useState<UploadState>({ at: 'choosing' });
  const [uploadError, setUploadError] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  const progress = useRef<HTMLDivElement>(null);

  const choose = (chosen: readonly File[]) => {
    setFiles(chosen);
    setUpload({ at: 'choosing' });
    setUploadError(sumSizes(chosen) > MAX_UPLOAD_BYTES ? new Refusal(413, '') : null);
  };
  const send = async () => {
    setUploadError(null);
    setUpload({ at: 'packing' });
    const archive = await createArchive(files);
    const onProgress = (fraction: number) => setUpload({ at: 'sending', fraction });
    onProgress(0);
    let batchId: string | undefined;
    const upload = async () => void ({ batchId } = await api.uploadMyDocuments({ ...archive, onProgress }));
    if (!(await runGuarded(upload, { files }))) return setUpload({ at: 'choosing' });
    setFiles([]);
    // The progress goes; whoever has moved on meanwhile stays there.
    if (progress.current?.contains(document.activeElement)) focusAdded();
    setUpload({ at: 'sent', batchId });
    await onSent();
  };
  const startUpload = () => {
    setAttempt(attempt + 1);
    send().catch((error: unknown) => {
      setUploadError(error);
      setUpload({ at: 'choosing' });
    });
  };
  return { files, upload, uploadError, attempt, progress, choose, startUpload };
}

interface FileUploadProps {
  personProps: PersonProps;
  /** What came into the record, as far as it is loaded. */
  batches: readonly Batch[];
  onSent: () => Promise<void>;
  /** Moves the focus to what was added. */
  focusAdded: () => void;
}

export function FileUpload(props: FileUploadProps) {
  const { words, language } = useLanguage();
  const { files, upload, uploadError, attempt, progress, choose, startUpload } = useUpload(props);
  return (
    <div className="stack">
      {uploadError !== null && (
        <ErrorSummary
          key={attempt}
          title={words.common.problem}
          errors={[{ text: formatUploadError(uploadError, words, language) }]}
        />
      )}
      {files.length > 0 && <ChosenFiles files={files} />}
      {(upload.at === 'packing' || upload.at === 'sending') && (
        <UploadProgress ref={progress} upload={upload} />
      )}
      {(upload.at === 'choosing' || upload.at === 'sent') && (
        <FileButtons
          files={files}
          canSend={sumSizes(files) <= MAX_UPLOAD_BYTES}
          onChoose={choose}
          onSend={startUpload}
          onCancel={() => choose([])}
        />
      )}
      <UploadStatus upload={upload} batches={props.batches} />
    </div>
  );
}

function UploadStatus({ upload, batches }: { upload: UploadState; batches: readonly Batch[] }) {
  const words = useWords();
  const wasListed = useWasListed(upload, batches);
  const text = getStatusText(upload, { batches, wasListed }, words);
  return (
    <p role="status" className={upload.at === 'sent' && text !== '' ? 'upload-sent' : 'hidden-visually'}>
      {text}
    </p>
  );
}

/** True once the list has had what was sent. */
function useWasListed(upload: UploadState, batches: readonly Batch[]): boolean {
  const [listed, setListed] = useState<string | null>(null);
  const sent = upload.at === 'sent' ? upload.batchId : undefined;
  if (sent !== undefined && sent !== listed && batches.some(({ batchId }) => batchId === sent))
    setListed(sent);
  return sent !== undefined && sent === listed;
}

/** Changes with the state, not with each percent, so that announcements do not pile up. */
function getStatusText(
  upload: UploadState,
  { batches, wasListed }: { batches: readonly Batch[]; wasListed: boolean },
  { myData }: Words,
): string {
  const { packing, sent, sentAsked, sentRead, sentFailed, sentEmpty } = myData.documents;
  if (upload.at === 'packing') return packing;
  if (upload.at !== 'sent') return '';
  const batch = batches.find(({ batchId }) => batchId === upload.batchId);
  // What was in the list and is in it no more was taken out.
  if (batch === undefined) return wasListed ? '' : sent;
  if (isPending(batch)) return sent;
  if (isAsked(batch)) return sentAsked;
  if (isEmptyArchive(batch)) return sentEmpty;
  return isNothingRead(batch) ? sentFailed : sentRead;
}

/** A browser reports a file that it cannot read (any more) by an error of its own. */
export function formatUploadError(error: unknown, words: Words, language: Language): string {
  const { documents } = words.myData;
  if (!(error instanceof Refusal)) return documents.notReadable;
  const failure = toFailure(error);
  switch (failure.kind) {
    case 'too-large':
      return documents.tooLarge;
    case 'unreadable':
      return documents.damaged;
    case 'timed-out':
      return documents.timedOut;
    case 'quota-exceeded':
      return documents.quotaExceeded;
    case 'too-many-uploads':
      return documents.tooManyToday;
    case 'too-many-unfinished':
      return documents.tooManyWaiting;
    default:
      return formatFailure(failure, words, language);
  }
}

const MAX_SHOWN = 20;

function ChosenFiles({ files }: { files: readonly File[] }) {
  const { words, language } = useLanguage();
  const { documents } = words.myData;
  const count = formatCount(files.length, documents.files, language);
  return (
    <div className="chosen">
      <p className="chosen-title">{documents.size(count, formatSize(sumSizes(files), language))}</p>
      <ul>
        {files.slice(0, MAX_SHOWN).map((file, index) => (
          // Two files may have one name.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index}>
            <span>{revealInvisible(file.name)}</span>
            <span className="soft small">{formatSize(file.size, language)}</span>
          </li>
        ))}
      </ul>
      {files.length > MAX_SHOWN && (
        <p className="soft small">{documents.moreProblems(String(files.length - MAX_SHOWN))}</p>
      )}
    </div>
  );
}

interface UploadProgressProps {
  ref: RefObject<HTMLDivElement | null>;
  upload: Extract<UploadState, { at: 'packing' | 'sending' }>;
}

/** Takes the focus from the pressed button, in whose place it stands. */
function UploadProgress({ ref, upload }: UploadProgressProps) {
  const { words, language } = useLanguage();
  const { documents } = words.myData;
  const text =
    upload.at === 'packing' ? documents.packing : documents.sending(formatPercent(upload.fraction, language));
  useEffect(() => ref.current?.focus(), [ref]);
  return (
    <div ref={ref} className="stack upload-progress" tabIndex={-1}>
      <p className="waiting">
        <Icon name="running" />
        {text}
      </p>
      {upload.at === 'sending' && <p className="soft">{documents.keepOpen}</p>}
      <progress aria-label={text} max={1} value={upload.at === 'packing' ? 0 : upload.fraction} />
    </div>
  );
}

interface FileButtonsProps {
  files: readonly File[];
  canSend: boolean;
  onChoose: (files: readonly File[]) => void;
  onSend: () => void;
  onCancel: () => void;
}

/** Opens the browser's own dialog by a button that looks like the others. */
function FileButtons({ files, canSend, onChoose, onSend, onCancel }: FileButtonsProps) {
  const { words } = useLanguage();
  const { documents } = words.myData;
  const input = useRef<HTMLInputElement>(null);
  const chooser = useRef<HTMLButtonElement>(null);
  const cancel = () => {
    chooser.current?.focus();
    onCancel();
  };
  const chosen = files.length > 0;
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={({ currentTarget }) => {
          onChoose([...(currentTarget.files ?? [])]);
          // So that choosing the same file again is a change.
          currentTarget.value = '';
        }}
      />
      <div className="buttons">
        {chosen && canSend && (
          <Button variant="strong" onPress={onSend}>
            {documents.send}
          </Button>
        )}
        <Button ref={chooser} variant={chosen ? 'plain' : 'strong'} onPress={() => input.current?.click()}>
          {chosen ? documents.chooseOthers : documents.choose}
        </Button>
        {chosen && <Button onPress={cancel}>{documents.cancel}</Button>}
      </div>
    </>
  );
}
