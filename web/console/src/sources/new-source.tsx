import { useNavigate } from '@tanstack/react-router';
import type { createSource } from '../../../../contract/organization/sources.ts';
import { useConsole } from '../api/use-console.ts';
import { useRefresh } from '../api/use-data.ts';
import { Page, Section } from '../kit/page.tsx';
import { PageLink } from '../kit/page-link.tsx';
import { SourceForm } from './source-form.tsx';
import type { SourceInput } from './source-input.ts';
import { useSourceWords } from './use-source-words.ts';

/** Connects a server, and leads to where it is registered and tested. */
export function NewSource() {
  const words = useSourceWords();
  const { call } = useConsole();
  const refresh = useRefresh();
  const navigate = useNavigate();
  return (
    <Page
      name="new-source"
      title={words.form.title}
      lead={words.form.lead}
      above={<PageLink to="/sources">{words.back}</PageLink>}
    >
      <Section title={words.settings.edit} isNarrow>
        <SourceForm
          submit={words.form.submit}
          onSend={async (body) => {
            const { id } = await call<typeof createSource>('POST /v1/organizations/{orgId}/sources', {
              body: body as SourceInput,
            });
            await refresh('GET /v1/organizations/{orgId}/sources');
            await navigate({ to: `/sources/${id}` });
          }}
        />
      </Section>
    </Page>
  );
}
