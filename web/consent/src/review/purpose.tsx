import type { Interaction } from '../api/api.ts';
import { clientName } from '../request/client-name.ts';
import { useLanguage } from '../words/language.tsx';
import { Prose } from './prose.tsx';
import { toldIn } from './told.ts';

/** In the project's words; 45 CFR 164.508(c)(1)(iv) and 42 CFR 2.31(a)(5) take the person's own request for one too. */
export function Purpose({ interaction: { project, client } }: { interaction: Interaction }) {
  const { words, language } = useLanguage();
  const said = toldIn(project.content, language);
  if (said) return <Prose text={said.told.purpose} lang={said.lang} />;
  if (project.purpose !== null) return <Prose text={project.purpose} />;
  return words.review.why.ownRequest(clientName(client, words));
}
