import { Icon } from '../../../kit/icon.tsx';
import { Badge } from '../kit/badge.tsx';
import { Section } from '../kit/page.tsx';
import { type ContentTexts, isStarted } from './content-fields.ts';
import { LANGUAGES } from './project-data.ts';
import { useProjectWords } from './use-project-words.ts';

/** Which elements of an authorization the words decide, and which the consent page adds to any of them. */
export function LegalElements({ texts }: { texts: ContentTexts }) {
  const words = useProjectWords();
  const { legal } = words;
  const begun = LANGUAGES.filter((language) => isStarted(texts, language));
  const languages = begun.length === 0 ? LANGUAGES.slice(0, 1) : begun;
  return (
    <Section title={legal.title}>
      <p className="soft">{legal.lead}</p>
      <h3 className="project-legal-title">{legal.byWords}</h3>
      <ul className="project-legal">
        {languages.map((language) => {
          const isMet = (texts[`${language}.purpose`] ?? '').trim() !== '';
          return (
            <li key={language}>
              <Badge kind={isMet ? 'good' : 'warning'}>{isMet ? legal.met : legal.missing}</Badge>
              <Element
                element="(c)(1)(iv)"
                text={words.inLanguage(legal.purpose, words.languages[language])}
              />
            </li>
          );
        })}
        <li>
          <Badge>{legal.yours}</Badge>
          <Element element="(c)(3)" text={legal.plain} />
        </li>
      </ul>
      <h3 className="project-legal-title">{legal.byPage}</h3>
      <ul className="project-legal project-legal-pairs">
        {legal.rest.map(({ element, text }) => (
          <li key={element}>
            <Icon name="check" />
            <Element {...{ element, text }} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** An element, and where the regulation has it. */
const Element = ({ element, text }: { element: string; text: string }) => (
  <span>
    {text} <span className="soft small">{element}</span>
  </span>
);
