import { useState } from 'react';
import type { changeOwnName } from '../../../../contract/console/console.ts';
import { MAX_PLAIN_NAME_LENGTH } from '../../../../contract/text-limits.ts';
import { Button } from '../../../kit/button.tsx';
import { Checkbox, RadioGroup } from '../../../kit/choice.tsx';
import { Field } from '../../../kit/field.tsx';
import { Form } from '../../../kit/form.tsx';
import { useConsole } from '../api/use-console.ts';
import { Dialog } from '../kit/dialog.tsx';
import { Page, Section } from '../kit/page.tsx';
import { ProjectNames } from '../kit/project-picker.tsx';
import { useTimeZone } from '../kit/time-zone.tsx';
import { useToast } from '../kit/toasts.tsx';
import { requireText, useForm } from '../kit/use-form.ts';
import { useLanguage, useWords } from '../words/use-words.ts';
import { ChangePassword } from './change-password.tsx';
import { Identity } from './identity.tsx';
import { Passkeys } from './passkeys.tsx';
import { SecondFactor } from './second-factor.tsx';
import { SessionList } from './session-list.tsx';
import { useProfileWords } from './use-profile-words.ts';

/** A member's own login. Whom the identity provider lets in signs in by nothing that is kept here. */
export function Profile() {
  const words = useProfileWords();
  const { member } = useConsole();
  return (
    <Page name="profile" title={words.title} lead={words.lead}>
      <Person />
      <Display />
      <Identity />
      {!member.isJoined && (
        <>
          <ChangePassword />
          <Passkeys />
          <SecondFactor />
        </>
      )}
      <SessionList />
    </Page>
  );
}

function Person() {
  const words = useProfileWords();
  const { common, roles } = useWords();
  const { member } = useConsole();
  const [isRenaming, setRenaming] = useState(false);
  return (
    <Section title={words.person}>
      <dl className="facts">
        <dt>{words.name}</dt>
        <dd>{member.name}</dd>
        <dt>{words.email}</dt>
        <dd>{member.email}</dd>
        <dt>{words.role}</dt>
        <dd>{roles[member.role]}</dd>
        <dt>{words.projects}</dt>
        <dd>
          <ProjectNames ids={member.projectIds} />
        </dd>
      </dl>
      <div>
        <Button onPress={() => setRenaming(true)}>{common.change}</Button>
      </div>
      {isRenaming && <RenameDialog onClose={() => setRenaming(false)} />}
    </Section>
  );
}

function RenameDialog({ onClose }: { onClose: () => void }) {
  const words = useProfileWords();
  const { common } = useWords();
  const { call, member, reloadSession } = useConsole();
  const toast = useToast();
  const { form, field } = useForm({
    validators: { name: requireText(words.nameMissing) },
    initial: { name: member.name },
    async send({ name }) {
      await call<typeof changeOwnName>('POST /console/name', { body: { name: name.trim() } });
      await reloadSession();
      toast(words.nameSaved);
      onClose();
    },
  });
  return (
    <Dialog title={words.name} onClose={onClose}>
      <Form {...form} submit={common.save}>
        <Field {...field('name')} label={words.name} autoComplete="name" maxLength={MAX_PLAIN_NAME_LENGTH} />
      </Form>
    </Dialog>
  );
}

/** What is kept in this browser alone. */
function Display() {
  const words = useProfileWords();
  const { language, chooseLanguage } = useLanguage();
  const { isUtc, setUtc } = useTimeZone();
  const zone = new Intl.DateTimeFormat(language).resolvedOptions().timeZone;
  return (
    <Section title={words.display}>
      <RadioGroup
        name="language"
        legend={words.language}
        options={(['en', 'es'] as const).map((value) => ({ value, label: words.languages[value] }))}
        value={language}
        onChange={chooseLanguage}
      />
      <Checkbox label={words.utc} hint={words.zone(zone)} checked={isUtc} onChange={setUtc} />
    </Section>
  );
}
