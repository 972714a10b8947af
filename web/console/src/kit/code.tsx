import { CopyButton } from './copy-button.tsx';

interface CodeProps {
  /** Names it for screen readers. */
  label: string;
  text: string;
  /** Where it is not that of the page. */
  lang?: string;
}

/** A text for machines as it is written. */
export function Code({ label, text, lang }: CodeProps) {
  return (
    // It scrolls by itself where it is long, so it has to take the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <pre className="code" tabIndex={0} role="region" aria-label={label} lang={lang}>
      {text}
    </pre>
  );
}

/** A text for machines under its name, with a button that copies it. */
export function CopyCode({ label, text, ...more }: CodeProps) {
  return (
    <div className="secret">
      <div className="secret-label">
        <span>{label}</span>
        <CopyButton text={text} subject={label} />
      </div>
      <Code label={label} text={text} {...more} />
    </div>
  );
}
