import { Notice } from '../../../look/notice.tsx';
import type { ProjectContent } from '../api/api.ts';
import { Section } from '../section.tsx';
import { useLanguage, useWords } from '../words/language.tsx';
import type { About } from './about.ts';
import { Fact } from './fact.tsx';
import { Prose } from './prose.tsx';
import { Purpose } from './purpose.tsx';
import { toldIn } from './told.ts';

export function Why({ interaction }: About) {
  const { organization, project } = interaction;
  const { words, language } = useLanguage();
  const { why } = words.review;
  const said = toldIn(project.content, language);
  const lang = said?.lang ?? language;
  const contact = project.content?.contact ?? null;
  return (
    <Section icon="building" title={why.title}>
      {lang !== language && <Notice>{why.onlyIn}</Notice>}
      <dl className="facts">
        <Fact name={why.organization}>{organization.name}</Fact>
        <Fact name={why.project}>
          <Prose text={said?.told.title ?? project.name} lang={lang} />
        </Fact>
        <Fact name={why.purpose} element="164.508(c)(1)(iv)" prose>
          <Purpose interaction={interaction} />
        </Fact>
        {said?.told.benefits && (
          <Fact name={why.benefits} prose>
            <Prose text={said.told.benefits} lang={lang} />
          </Fact>
        )}
        {said?.told.risks && (
          <Fact name={why.risks} prose>
            <Prose text={said.told.risks} lang={lang} />
          </Fact>
        )}
        {contact && <Contact contact={contact} />}
      </dl>
    </Section>
  );
}

/** An address and a number can be pressed: the questions come before the answer. */
function Contact({ contact: { name, email, phone } }: { contact: NonNullable<ProjectContent['contact']> }) {
  const { why } = useWords().review;
  if (name === null && email === null && phone === null) return null;
  return (
    <Fact name={why.contact} prose>
      {name !== null && <span className="line">{name}</span>}
      {phone !== null && (
        <a className="line" href={`tel:${phone.replace(/[^\d+]/g, '')}`}>
          {phone}
        </a>
      )}
      {email !== null && (
        <a className="line" href={`mailto:${email}`}>
          {email}
        </a>
      )}
    </Fact>
  );
}
