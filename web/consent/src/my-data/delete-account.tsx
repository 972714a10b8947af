import { useState } from 'react';
import { Field } from '../../../look/field.tsx';
import { Form } from '../../../look/form.tsx';
import { Notice } from '../../../look/notice.tsx';
import { aPassword } from '../account/checks.ts';
import { useForm } from '../account/use-form.ts';
import { Refusal, troubleOf } from '../api/refusal.ts';
import { usePage } from '../page.ts';
import { myDataFragment } from '../route.ts';
import { Screen } from '../screen.tsx';
import { useWords } from '../words/language.tsx';
import { Question } from './ask-first.tsx';
import { BackToMyData } from './back-to-my-data.tsx';
import { Listed } from './listed.tsx';
import type { PartProps } from './use-mine.ts';
import { useAsMe } from './use-mine.ts';

/** What goes and what stays, the password, and one more question. */
export function DeleteAccount(props: PartProps) {
  const { parts, deletion } = useWords().myData;
  return (
    <Screen
      name="my-data-delete"
      title={parts['delete-account'].title}
      above={<BackToMyData />}
      lead={deletion.lead}
    >
      {props.person.isTestPatient ? <Notice>{deletion.testPatient}</Notice> : <Leaving {...props} />}
    </Screen>
  );
}

function Leaving(props: PartProps) {
  const { deletion } = useWords().myData;
  return (
    <>
      <Listed title={deletion.goes} items={deletion.goesList} icon="minus" />
      <Listed title={deletion.stays} items={deletion.staysList} icon="lock" />
      <p>{deletion.staysElsewhere}</p>
      <p>
        <a className="link-alone" href={myDataFragment('download')}>
          {deletion.downloadFirst}
        </a>
      </p>
      <hr className="rule" />
      <Steps {...props} />
    </>
  );
}

/** The password first, then the question; a wrong password leads back to its field. */
function Steps({ onDeleted, ...mine }: PartProps) {
  const { api } = usePage();
  const { deletion } = useWords().myData;
  const asMe = useAsMe(mine);
  const [asking, setAsking] = useState<{ password: string } | null>(null);
  const [wrong, setWrong] = useState(false);
  if (asking === null)
    return (
      <Password
        wrong={wrong}
        onTyped={(password) => {
          setWrong(false);
          setAsking({ password });
        }}
      />
    );
  const remove = async () => {
    try {
      if (await asMe(() => api.deleteAccount(asking.password))) onDeleted();
    } catch (error) {
      if (!(error instanceof Refusal) || troubleOf(error).kind !== 'wrong-password') throw error;
      setWrong(true);
      setAsking(null);
    }
  };
  return (
    <Question
      title={deletion.sure}
      yes={deletion.yes}
      no={deletion.no}
      work={remove}
      onNo={() => setAsking(null)}
    >
      <p>{deletion.sureText}</p>
    </Question>
  );
}

/** Typed anew after each refusal, as on every page that asks for one. */
function Password({ wrong, onTyped }: { wrong: boolean; onTyped: (password: string) => void }) {
  const { myData, common, form: labels } = useWords();
  const { deletion } = myData;
  const { form, field } = useForm({
    checks: { password: aPassword },
    send: async ({ password }) => onTyped(password),
  });
  const isRefused = wrong && form.attempt === 0;
  const faults = isRefused ? [{ field: 'password', text: deletion.wrongPassword }] : form.faults;
  return (
    <Form {...form} faults={faults} submit={deletion.next}>
      <Field
        {...field('password')}
        error={faults[0]?.text}
        label={labels.password}
        hint={deletion.passwordHint}
        type="password"
        autoComplete="current-password"
        reveal={common.reveal}
      />
    </Form>
  );
}
