import { useEffect, useId, useRef, useState } from 'react';
import { Busy } from '../../../kit/busy.tsx';
import { Button } from '../../../kit/button.tsx';
import { ErrorSummary } from '../../../kit/form.tsx';
import { formatClientName } from '../../../patient/client-name.ts';
import { CategoryPicker } from '../../../patient/data/category-picker.tsx';
import { useRecordCounts } from '../../../patient/data/use-record-counts.ts';
import { SensitivityPicker } from '../../../patient/data/sensitivity-picker.tsx';
import type { Category, Sensitivity } from '../../../patient/data/groups.ts';
import { useTask } from '../../../kit/task.ts';
import { toFailure } from '../../../patient/failure.ts';
import { formatFailure } from '../../../patient/format-failure.ts';
import { isSamePerson } from '../../../patient/same-person.ts';
import { type NarrowedScopes, useLostAction } from '../lost-action.ts';
import { usePerson } from '../person-query.ts';
import { useLanguage } from '../words/use-words.ts';
import { InvitationLink } from './asked-again.tsx';
import type { CardProps } from './card-props.ts';
import { findWayToMore, formatUnchanged } from './consent-effects.ts';
import { formatConsentName, quoteConsents } from './consent-name.ts';
import type { toSharedScopes } from './shared-scopes.ts';

interface NarrowConsentProps extends CardProps {
  shared: ReturnType<typeof toSharedScopes>;
  narrow: (scopes: NarrowedScopes) => Promise<void>;
}

/** Replaces its button when open. Only what is shared now can be chosen, since more takes a new request. */
export function NarrowConsent(props: NarrowConsentProps) {
  const { words, language } = useLanguage();
  const { myData } = words;
  const kept = useKeptScopes(props.consent);
  const { setLost } = useLostAction();
  const [open, setOpen] = useState(kept !== null);
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !open) button.current?.focus();
    wasOpen.current = open;
  }, [open]);
  const discard = () => {
    setOpen(false);
    // Who leaves it as it is has given up what was kept, too.
    if (kept !== null) setLost(null);
  };
  if (open) return <NarrowForm {...props} kept={kept} onClose={discard} />;
  return (
    <div>
      <Button ref={button} onPress={() => setOpen(true)}>
        <span>
          {myData.change}
          <span className="hidden-visually"> {formatConsentName(props.consent, { words, language })}</span>
        </span>
      </Button>
    </div>
  );
}

/** What was chosen when the session had ended is offered again, to whoever chose it. */
function useKeptScopes({ consentRecordId }: CardProps['consent']): NarrowedScopes | null {
  const { person } = usePerson();
  const { lost } = useLostAction();
  if (!lost?.person || !isSamePerson(lost.person, person)) return null;
  const { narrowing } = lost;
  return narrowing?.consentRecordId === consentRecordId ? narrowing.scopes : null;
}

/** The scopes to keep, and why they cannot be saved as they are. */
function useNarrowForm({ shared, kept, narrow }: NarrowFormProps) {
  const { words, language } = useLanguage();
  const { myData } = words;
  const [categories, setCategories] = useState<ReadonlySet<Category>>(
    new Set(shared.categories.filter((name) => kept?.categories.has(name) !== false)),
  );
  const [sensitivities, setSensitivities] = useState<ReadonlySet<Sensitivity>>(
    new Set(shared.sensitivities.filter((name) => kept?.sensitivities.has(name) !== false)),
  );
  const [formError, setFormError] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const { busy, refusal, run } = useTask();
  const save = () => {
    const same =
      categories.size === shared.categories.length && sensitivities.size === shared.sensitivities.length;
    const found = categories.size === 0 ? myData.keepOne : same ? myData.nothingRemoved : null;
    setFormError(found);
    setAttempt(attempt + 1);
    if (found === null) run(async () => narrow({ categories, sensitivities }));
  };
  const errorText = refusal ? formatFailure(toFailure(refusal), words, language) : formError;
  return {
    categories,
    setCategories,
    sensitivities,
    setSensitivities,
    errorText,
    attempt,
    busy,
    save,
  };
}

interface NarrowFormProps extends NarrowConsentProps {
  /** Chosen before, and not saved. */
  kept: NarrowedScopes | null;
  onClose: () => void;
}

function NarrowForm(props: NarrowFormProps) {
  const { consent, consents, shared, onClose } = props;
  const { words, language } = useLanguage();
  const { myData, common } = words;
  const unchanged = formatUnchanged(consent, { words, language, consents });
  const { categories, setCategories, sensitivities, setSensitivities, errorText, attempt, busy, save } =
    useNarrowForm(props);
  const counts = useRecordCounts();
  const id = useId();
  const title = useRef<HTMLParagraphElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <div className="consent-change stack" role="group" aria-labelledby={id}>
      <p id={id} ref={title} tabIndex={-1} className="question-title">
        {myData.consents.change.title(quoteConsents([consent], { words, language }))}
      </p>
      <p>{myData.changeLead}</p>
      {unchanged !== null && <p>{unchanged}</p>}
      <CategoryPicker
        legend={myData.changeKinds}
        offered={shared.categories}
        shared={categories}
        counts={counts}
        onChange={setCategories}
      />
      {shared.sensitivities.length > 0 && (
        <SensitivityPicker
          legend={myData.changePrivate}
          offered={shared.sensitivities}
          shared={sensitivities}
          onChange={setSensitivities}
        />
      )}
      <WayToMore {...props} />
      {errorText !== null && (
        <ErrorSummary key={attempt} title={common.problem} errors={[{ text: errorText }]} />
      )}
      <div className="buttons">
        <Button variant="strong" busy={busy} onPress={save}>
          {myData.save}
        </Button>
        <Button busy={busy} onPress={onClose}>
          {myData.discard}
        </Button>
      </div>
      <Busy busy={busy} text={common.oneMoment} />
    </div>
  );
}

/** How to share more, which takes a new decision. */
function WayToMore({ consent, invitations }: CardProps) {
  const { words } = useLanguage();
  const text = words.myData.consents.change.more[findWayToMore(consent, invitations)];
  const invitation = invitations.find(({ studyId }) => studyId === consent.project.id);
  return (
    <>
      <p className="soft small">
        {typeof text === 'string' ? text : text(formatClientName(consent.organization, words))}
      </p>
      {invitation && (
        <p>
          <InvitationLink invitation={invitation} />
        </p>
      )}
    </>
  );
}
