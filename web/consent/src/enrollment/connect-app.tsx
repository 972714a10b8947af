import { lazy, Suspense, useState } from 'react';
import { Button } from '../../../kit/button.tsx';
import { Section } from '../../../patient/section.tsx';
import { useWords } from '../words/use-words.ts';
import './enrollment.css';

/** Comes when it is shown: few people see it, and the page is small. */
const QrCode = lazy(async () => ({ default: (await import('../../../kit/qr-code.tsx')).QrCode }));

/** How to connect an app or agent to the project: its address to copy, to scan, and as a command. */
export function ConnectApp({ mcpUrl }: { mcpUrl: string }) {
  const { invitation } = useWords();
  return (
    <Section icon="app" title={invitation.connectTitle}>
      <p>{invitation.connect}</p>
      <CopyableText label={invitation.address} text={mcpUrl} copy={invitation.copyAddress} />
      <figure className="qr-figure">
        <Suspense fallback={<div className="qr-code" />}>
          <QrCode text={mcpUrl} label={invitation.qrCode} />
        </Suspense>
        <figcaption className="soft small">{invitation.scan}</figcaption>
      </figure>
      <CopyableText
        label={invitation.command}
        text={`claude mcp add --transport http chartgate ${mcpUrl}`}
        copy={invitation.copyCommand}
      />
      <p className="soft small">{invitation.connectNext}</p>
    </Section>
  );
}

function CopyableText({ label, text, copy }: { label: string; text: string; copy: string }) {
  const { invitation } = useWords();
  const [copied, setCopied] = useState(false);
  const copyText = () => {
    // Refused where the page is not secure; the text can be selected by hand.
    void navigator.clipboard?.writeText(text).then(
      () => setCopied(true),
      () => undefined,
    );
  };
  return (
    <div className="copyable">
      <p className="copyable-label">{label}</p>
      <code className="copyable-text">{text}</code>
      <Button onPress={copyText}>{copy}</Button>
      <p role="status" className="soft small">
        {copied && invitation.copied}
      </p>
    </div>
  );
}
