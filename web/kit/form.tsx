import { type ReactNode, type SubmitEvent, useEffect, useRef } from 'react';
import { Busy } from './busy.tsx';
import { Button } from './button.tsx';
import './form.css';

/** What is wrong with an input; without a field, it is about the whole form. */
export interface FormError {
  field?: string;
  text: string;
}

export const findError = (errors: readonly FormError[], field: string): string | undefined =>
  errors.find((error) => error.field === field)?.text;

interface FormProps {
  children: ReactNode;
  errors: readonly FormError[];
  errorsTitle: string;
  /** Counts the attempts to send, so that the same errors are announced again. */
  attempt: number;
  submit: string;
  busy: boolean;
  /** Announced while busy. */
  busyText: string;
  /** The focus goes to the first field that is wrong, for people who fill in forms all day; else to the list of errors. */
  focusesFault?: boolean;
  onSubmit: () => void;
}

/**
 * Lists the errors above the fields with a link to each; the browser's own bubbles would be in its language, not the
 * page's.
 */
export function Form({ children, errors, errorsTitle, attempt, focusesFault, ...rest }: FormProps) {
  const { submit, busy, busyText, onSubmit } = rest;
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    if (!busy) onSubmit();
  };
  return (
    <form className="stack stack-wide" noValidate onSubmit={send}>
      <ErrorSummary {...{ errors, attempt, focusesFault }} title={errorsTitle} />
      {children}
      <Button type="submit" variant="strong" busy={busy}>
        {submit}
      </Button>
      <Busy busy={busy} text={busyText} />
    </form>
  );
}

interface ErrorSummaryProps {
  errors: readonly FormError[];
  title: string;
  /** Counts the attempts to send. */
  attempt?: number;
  focusesFault?: boolean | undefined;
}

/**
 * Lists what is wrong; nothing where nothing is. It takes the focus once for each attempt: errors that go and come back while
 * somebody mends them must not throw them to the list (WCAG 2.2, 3.2.2).
 */
export function ErrorSummary({ errors, title, attempt = 0, focusesFault = false }: ErrorSummaryProps) {
  const summary = useRef<HTMLDivElement>(null);
  const focusedFor = useRef<number | null>(null);
  const hasErrors = errors.length > 0;
  const fault = focusesFault ? errors.find(({ field }) => field !== undefined)?.field : undefined;
  useEffect(() => {
    if (!hasErrors || focusedFor.current === attempt) return;
    focusedFor.current = attempt;
    const field = fault === undefined ? null : document.getElementById(fault);
    (field ?? summary.current)?.focus();
    // Only when the list appears: typing must not take the focus away.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [hasErrors, attempt]);
  if (!hasErrors) return null;
  return (
    <div key={attempt} ref={summary} className="error-summary" role="alert" tabIndex={-1}>
      <h2>{title}</h2>
      <ul>
        {errors.map(({ field, text }) => (
          <li key={text}>{field === undefined ? text : <FieldLink field={field} text={text} />}</li>
        ))}
      </ul>
    </div>
  );
}

/** A link, as in other error summaries; it must not change the address, which is the app's route. */
function FieldLink({ field, text }: { field: string; text: string }) {
  return (
    <a
      href={`#${field}`}
      onClick={(event) => {
        event.preventDefault();
        document.getElementById(field)?.focus();
      }}
    >
      {text}
    </a>
  );
}
