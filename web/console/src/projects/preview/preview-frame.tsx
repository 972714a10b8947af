import { useEffect, useRef, useState } from 'react';
import type { Language } from '../../../../kit/languages.ts';
import {
  PREVIEW_ORIGIN,
  PREVIEW_PATH,
  type PreviewMessage,
  type PreviewShown,
  readPreviewReport,
} from '../../../../preview/src/preview-message.ts';
import { useConsole } from '../../api/use-console.ts';
import { useWords } from '../../words/use-words.ts';
import { useProjectWords } from '../use-project-words.ts';
import { useWidth } from './use-width.ts';
import './preview.css';

/** The sizes of the windows that the review is shown in, in CSS pixels. */
const DEVICES = { phone: { width: 390, height: 760 }, desktop: { width: 1080, height: 1240 } } as const;

/** What stands above the frame and below it while it stays in view, and the least that shows something. */
const BESIDE = 320;
const MIN_HEIGHT = 420;

export type Device = keyof typeof DEVICES;

interface PreviewFrameProps {
  shown: PreviewShown;
  device: Device;
  /** The other language was pressed in the review. */
  onLanguage: (language: Language) => void;
}

/** The frame is as large as the window that it stands for, and drawn no wider than what is available. */
export function PreviewFrame({ shown, device, onLanguage }: PreviewFrameProps) {
  const words = useProjectWords().preview;
  const { common } = useWords();
  const { baseUrl } = useConsole();
  const [frame, isReady] = usePreview(shown, onLanguage);
  const [stage, available] = useWidth();
  const { width, height } = DEVICES[device];
  const scale = available === 0 ? 1 : Math.min(1, available / width);
  const drawn = Math.min(height * scale, Math.max(MIN_HEIGHT, innerHeight - BESIDE));
  return (
    <div ref={stage} className="preview-stage" style={{ height: drawn }}>
      {!isReady && <p className="soft">{common.oneMoment}</p>}
      {/* Its answer has the sandbox, which holds wherever it is opened. */}
      {/* oxlint-disable-next-line react/iframe-missing-sandbox */}
      <iframe
        ref={frame}
        className={`preview-frame preview-${device}`}
        title={words.frame}
        src={`${baseUrl}${PREVIEW_PATH}`}
        style={{ width, height: drawn / scale, transform: `scale(${scale})` }}
      />
    </div>
  );
}

/**
 * Sends what is to be shown as soon as the frame listens, and whenever it changes. Its origin has no name to send to: the
 * policy of this page is what keeps any other page out of the frame.
 */
function usePreview(shown: PreviewShown, onLanguage: (language: Language) => void) {
  const ref = useRef<HTMLIFrameElement>(null);
  const [isReady, setReady] = useState(false);
  const message = JSON.stringify({ chartgatePreview: 'show', shown } satisfies PreviewMessage);
  useEffect(() => {
    const receive = (event: MessageEvent<unknown>) => {
      const sender = { window: ref.current?.contentWindow ?? null, origin: PREVIEW_ORIGIN };
      const report = readPreviewReport(event, sender);
      if (report?.chartgatePreview === 'ready') setReady(true);
      if (report?.chartgatePreview === 'language') onLanguage(report.language);
    };
    addEventListener('message', receive);
    return () => removeEventListener('message', receive);
  }, [onLanguage]);
  useEffect(() => {
    if (isReady) ref.current?.contentWindow?.postMessage(JSON.parse(message), '*');
  }, [isReady, message]);
  return [ref, isReady] as const;
}
