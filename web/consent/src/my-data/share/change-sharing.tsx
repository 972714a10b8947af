import { useEffect, useId, useRef, useState } from 'react';
import { Busy } from '../../../../look/busy.tsx';
import { Button } from '../../../../look/button.tsx';
import { ErrorSummary } from '../../../../look/form.tsx';
import type { Consent } from '../../api/api.ts';
import { ChooseCategories } from '../../data/choose-categories.tsx';
import { ChoosePrivate } from '../../data/choose-private.tsx';
import type { Category, PrivateClass } from '../../data/groups.ts';
import { useTask } from '../../task.ts';
import { failureText } from '../../words/failure.ts';
import { useLanguage, useWords } from '../../words/language.tsx';
import type { sharedOf } from './what-is-shared.ts';

export interface Choice {
  categories: ReadonlySet<Category>;
  classes: ReadonlySet<PrivateClass>;
}

interface ChangeSharingProps {
  consent: Consent;
  shared: ReturnType<typeof sharedOf>;
  narrow: (choice: Choice) => Promise<void>;
}

/** Opens in the place of its button; only what is shared now can be chosen, since more needs the app's own question. */
export function ChangeSharing(props: ChangeSharingProps) {
  const { myData } = useWords();
  const { organization, project } = props.consent;
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !open) button.current?.focus();
    wasOpen.current = open;
  }, [open]);
  if (open) return <Choosing {...props} onLeave={() => setOpen(false)} />;
  return (
    <div>
      <Button ref={button} onPress={() => setOpen(true)}>
        <span>
          {myData.change}
          <span className="hidden-visually"> {myData.changeOf(organization.name, project.name)}</span>
        </span>
      </Button>
    </div>
  );
}

/** What is to stay, and why it cannot be saved as it is. */
function useChoice({ shared, narrow }: ChangeSharingProps) {
  const { words, language } = useLanguage();
  const { myData } = words;
  const [categories, setCategories] = useState<ReadonlySet<Category>>(new Set(shared.categories));
  const [classes, setClasses] = useState<ReadonlySet<PrivateClass>>(new Set(shared.classes));
  const [fault, setFault] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const { busy, trouble, run } = useTask();
  const save = () => {
    const same = categories.size === shared.categories.length && classes.size === shared.classes.length;
    const found = categories.size === 0 ? myData.keepOne : same ? myData.nothingTaken : null;
    setFault(found);
    setAttempt(attempt + 1);
    if (found === null) run(async () => narrow({ categories, classes }));
  };
  const said = trouble ? failureText(trouble, words, language) : fault;
  return { categories, setCategories, classes, setClasses, said, attempt, busy, save };
}

function Choosing(props: ChangeSharingProps & { onLeave: () => void }) {
  const { consent, shared, onLeave } = props;
  const { myData, common } = useWords();
  const { categories, setCategories, classes, setClasses, said, attempt, busy, save } = useChoice(props);
  const id = useId();
  const title = useRef<HTMLParagraphElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <div className="consent-change stack" role="group" aria-labelledby={id}>
      <p id={id} ref={title} tabIndex={-1} className="question-title">
        {myData.changeTitle(consent.organization.name)}
      </p>
      <p>{myData.changeLead}</p>
      <ChooseCategories
        legend={myData.changeKinds}
        offered={shared.categories}
        shared={categories}
        onChange={setCategories}
      />
      {shared.classes.length > 0 && (
        <ChoosePrivate
          legend={myData.changePrivate}
          offered={shared.classes}
          shared={classes}
          onChange={setClasses}
        />
      )}
      <p className="soft small">{myData.changeMore}</p>
      {said !== null && <ErrorSummary key={attempt} title={common.problem} faults={[{ text: said }]} />}
      <div className="buttons">
        <Button look="strong" busy={busy} onPress={save}>
          {myData.save}
        </Button>
        <Button busy={busy} onPress={onLeave}>
          {myData.saveNot}
        </Button>
      </div>
      <Busy busy={busy} text={common.oneMoment} />
    </div>
  );
}
