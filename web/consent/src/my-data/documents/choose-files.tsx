import { useRef, useState } from 'react';
import { Button } from '../../../../look/button.tsx';
import { ErrorSummary } from '../../../../look/form.tsx';
import { Icon } from '../../../../look/icon.tsx';
import { Refusal, troubleOf } from '../../api/refusal.ts';
import { usePage } from '../../page.ts';
import type { Words } from '../../words/en.ts';
import { failureText } from '../../words/failure.ts';
import { type Language, useLanguage } from '../../words/language.tsx';
import { useAsMe, type Mine } from '../use-mine.ts';
import { archiveOf, MOST_BYTES, sizeOf } from './archive.ts';
import { countText, percentText, sizeText } from './numbers.ts';

type Way = { at: 'choosing' } | { at: 'packing' } | { at: 'sending'; part: number } | { at: 'sent' };

/** From the files of a device to the service: chosen, looked at, packed and sent. */
function useSending({ mine, onSent }: ChooseFilesProps) {
  const { api } = usePage();
  const asMe = useAsMe(mine);
  const [files, setFiles] = useState<readonly File[]>([]);
  const [way, setWay] = useState<Way>({ at: 'choosing' });
  const [fault, setFault] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);

  const choose = (chosen: readonly File[]) => {
    setFiles(chosen);
    setWay({ at: 'choosing' });
    setFault(sizeOf(chosen) > MOST_BYTES ? new Refusal(413, '') : null);
  };
  const send = async () => {
    setFault(null);
    setWay({ at: 'packing' });
    const archive = await archiveOf(files);
    const onProgress = (part: number) => setWay({ at: 'sending', part });
    onProgress(0);
    if (!(await asMe(() => api.upload({ ...archive, onProgress })))) return;
    setFiles([]);
    setWay({ at: 'sent' });
    await onSent();
  };
  const trySending = () => {
    setAttempt(attempt + 1);
    send().catch((error: unknown) => {
      setFault(error);
      setWay({ at: 'choosing' });
    });
  };
  return { files, way, fault, attempt, choose, trySending };
}

interface ChooseFilesProps {
  mine: Mine;
  onSent: () => Promise<void>;
}

export function ChooseFiles(props: ChooseFilesProps) {
  const { words, language } = useLanguage();
  const { files, way, fault, attempt, choose, trySending } = useSending(props);
  return (
    <div className="stack">
      {fault !== null && (
        <ErrorSummary
          key={attempt}
          title={words.common.problem}
          faults={[{ text: faultText(fault, words, language) }]}
        />
      )}
      {files.length > 0 && <Chosen files={files} />}
      {(way.at === 'packing' || way.at === 'sending') && <Progress way={way} />}
      {(way.at === 'choosing' || way.at === 'sent') && (
        <Choice
          files={files}
          sendable={sizeOf(files) <= MOST_BYTES}
          onChoose={choose}
          onSend={trySending}
          onCancel={() => choose([])}
        />
      )}
      <p role="status" className={way.at === 'sent' ? 'upload-sent' : 'hidden-visually'}>
        {said(way, words)}
      </p>
    </div>
  );
}

/** Once for each state, not for each percent: what is read out should not pile up. */
function said({ at }: Way, { myData }: Words): string {
  if (at === 'packing') return myData.documents.packing;
  return at === 'sent' ? myData.documents.sent : '';
}

/** A browser tells of a file that it cannot read (any more) by an error of its own. */
function faultText(error: unknown, words: Words, language: Language): string {
  const { documents } = words.myData;
  if (!(error instanceof Refusal)) return documents.notReadable;
  const trouble = troubleOf(error);
  if (trouble.kind === 'too-large') return documents.tooLarge;
  return trouble.kind === 'unreadable' ? documents.damaged : failureText(trouble, words, language);
}

const SHOWN = 20;

function Chosen({ files }: { files: readonly File[] }) {
  const { words, language } = useLanguage();
  const { documents } = words.myData;
  const count = countText(files.length, documents.files, language);
  return (
    <div className="chosen">
      <p className="chosen-title">{documents.size(count, sizeText(sizeOf(files), language))}</p>
      <ul>
        {files.slice(0, SHOWN).map((file, place) => (
          // Two files may have one name.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={place}>
            <span>{file.name}</span>
            <span className="soft small">{sizeText(file.size, language)}</span>
          </li>
        ))}
      </ul>
      {files.length > SHOWN && (
        <p className="soft small">{documents.moreProblems(String(files.length - SHOWN))}</p>
      )}
    </div>
  );
}

function Progress({ way }: { way: Extract<Way, { at: 'packing' | 'sending' }> }) {
  const { words, language } = useLanguage();
  const { documents } = words.myData;
  const text = way.at === 'packing' ? documents.packing : documents.sending(percentText(way.part, language));
  return (
    <div className="stack upload-progress">
      <p className="waiting">
        <Icon name="running" />
        {text}
      </p>
      <progress aria-label={text} max={1} value={way.at === 'packing' ? 0 : way.part} />
    </div>
  );
}

interface ChoiceProps {
  files: readonly File[];
  sendable: boolean;
  onChoose: (files: readonly File[]) => void;
  onSend: () => void;
  onCancel: () => void;
}

/** The browser's own dialog, behind a button that looks like the others. */
function Choice({ files, sendable, onChoose, onSend, onCancel }: ChoiceProps) {
  const { words } = useLanguage();
  const { documents } = words.myData;
  const input = useRef<HTMLInputElement>(null);
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
        {chosen && sendable && (
          <Button look="strong" onPress={onSend}>
            {documents.send}
          </Button>
        )}
        <Button look={chosen ? 'plain' : 'strong'} onPress={() => input.current?.click()}>
          {chosen ? documents.chooseOthers : documents.choose}
        </Button>
        {chosen && <Button onPress={onCancel}>{documents.cancel}</Button>}
      </div>
    </>
  );
}
