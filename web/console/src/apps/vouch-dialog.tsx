import type { ClientApp } from '../../../../contract/organization/clients.ts';
import { Form } from '../../../kit/form.tsx';
import { useConsole } from '../api/use-console.ts';
import { Dialog } from '../kit/dialog.tsx';
import { useToast } from '../kit/toasts.tsx';
import { formatAppName } from './app-names.tsx';
import { JudgementFields, useJudgementForm } from './judgement-fields.tsx';
import { useAppWords } from './use-app-words.ts';
import { useJudge } from './use-judge.ts';

interface VouchDialogProps {
  app: ClientApp;
  onClose: () => void;
}

export function VouchDialog({ app, onClose }: VouchDialogProps) {
  const words = useAppWords();
  const { organization } = useConsole();
  const judge = useJudge(app.id);
  const toast = useToast();
  const name = formatAppName(app, words);
  const { form, field } = useJudgementForm({
    async send(judging) {
      await judge({ judgement: 'vouched', ...judging });
      toast(words.vouch.done(name));
      onClose();
    },
    errors: { cannot_vouch: { text: words.vouch.cannot } },
  });
  return (
    <Dialog title={words.vouch.title(name)} onClose={onClose}>
      <p>{words.vouch.text(organization.name)}</p>
      <Form {...form} submit={words.vouch.submit}>
        <JudgementFields field={field} />
      </Form>
    </Dialog>
  );
}
