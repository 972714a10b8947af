import { useState } from 'react';
import { Checkbox } from '../../../kit/choice.tsx';
import { Form } from '../../../kit/form.tsx';
import { Notice } from '../../../kit/notice.tsx';
import { useTask } from '../../../kit/task.ts';
import { toFailure } from '../../../patient/failure.ts';
import { formatFailure } from '../../../patient/format-failure.ts';
import { Screen } from '../../../patient/screen.tsx';
import type { NoticeSettings } from '../api.ts';
import { useAppDeps } from '../app-deps.ts';
import { BackToMyData } from '../back-to-my-data.tsx';
import { Loaded } from '../loaded.tsx';
import { useGuardedAction, usePersonQuery, type PersonProps } from '../person-query.ts';
import { StatusMessage } from '../status-message.tsx';
import { useLanguage, useWords } from '../words/use-words.ts';

const NAMES = ['firstRead', 'unusualVolume', 'unusedConsent', 'heldUpload', 'weeklyDigest'] as const;

/** Which mails the person wants about the use of their record. */
export function Notices(props: PersonProps) {
  const { api } = useAppDeps();
  const { parts, notices } = useWords().myData;
  const query = usePersonQuery(api.getMyNotices, props);
  const { email, isTestPatient } = props.person;
  return (
    <Screen name="my-data-notices" title={parts.notices.title} above={<BackToMyData />} lead={notices.lead}>
      {isTestPatient && <Notice>{notices.testPatient}</Notice>}
      <Loaded of={query}>{({ settings }) => <Settings {...props} settings={settings} />}</Loaded>
      {!isTestPatient && <p className="soft small">{notices.mailTo(email)}</p>}
    </Screen>
  );
}

function Settings({ settings, ...props }: PersonProps & { settings: NoticeSettings }) {
  const { api } = useAppDeps();
  const { words, language } = useLanguage();
  const { notices } = words.myData;
  const runGuarded = useGuardedAction(props);
  const [wanted, setWanted] = useState(settings);
  const [isSaved, setIsSaved] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const { busy, refusal, run } = useTask();
  const change = (name: keyof NoticeSettings, checked: boolean) => {
    setIsSaved(false);
    setWanted({ ...wanted, [name]: checked });
  };
  const save = () => {
    setIsSaved(false);
    setAttempt(attempt + 1);
    run(async () => setIsSaved(await runGuarded(() => api.updateMyNotices(wanted))));
  };
  const errors = refusal ? [{ text: formatFailure(toFailure(refusal), words, language) }] : [];
  return (
    <div>
      <StatusMessage text={isSaved ? notices.saved : null} />
      <Form
        {...{ errors, attempt, busy }}
        errorsTitle={words.common.problem}
        submit={notices.save}
        busyText={words.common.oneMoment}
        onSubmit={save}
      >
        <fieldset className="choices">
          <legend>{notices.legend}</legend>
          {NAMES.map((name) => (
            <Checkbox
              key={name}
              {...notices.settings[name]}
              checked={wanted[name]}
              onChange={(checked) => change(name, checked)}
            />
          ))}
        </fieldset>
      </Form>
    </div>
  );
}
