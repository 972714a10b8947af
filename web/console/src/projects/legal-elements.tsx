import { Icon } from '../../../kit/icon.tsx';
import { Badge } from '../kit/badge.tsx';
import { Section } from '../kit/page.tsx';
import type { Readability } from '../../../kit/readability.ts';
import { type LegalStatus, rateVersion } from './legal-status.ts';
import { MissingTranslations } from './missing-translations.tsx';
import type { VersionContent } from './project-data.ts';
import { useProjectWords } from './use-project-words.ts';

/** Which elements of an authorization the words decide, and which the consent page adds to any of them. */
export function LegalElements({ version }: { version: VersionContent }) {
  const { legal } = useProjectWords();
  return (
    <Section title={legal.title}>
      <p className="soft">{legal.lead}</p>
      <h3 className="project-legal-title">{legal.byWords}</h3>
      <ul className="project-legal">
        {rateVersion(version).map((status) => (
          <WrittenElements key={`${status.type ?? ''} ${status.language}`} status={status} />
        ))}
      </ul>
      <MissingTranslations version={version} />
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

/** The purpose, and how plain the language is, of the words in one language. */
function WrittenElements({ status }: { status: LegalStatus }) {
  const words = useProjectWords();
  const { legal } = words;
  const { type, language, hasPurpose, reading } = status;
  const name = (text: string) => {
    const named = words.inLanguage(text, words.languages[language]);
    return type === null ? named : words.ownText(words.types[type], named);
  };
  return (
    <>
      <li>
        <Badge kind={hasPurpose ? 'good' : 'warning'}>{hasPurpose ? legal.met : legal.missing}</Badge>
        <Element element="(c)(1)(iv)" text={name(legal.purpose)} />
      </li>
      <li>
        <ReadingBadge reading={reading} />
        <Element
          element="(c)(3)"
          text={`${name(legal.plain)}: ${reading === null ? legal.tooShort : legal.reading[language](Math.round(reading.score))}`}
        />
      </li>
    </>
  );
}

function ReadingBadge({ reading }: { reading: Readability | null }) {
  const { legal } = useProjectWords();
  if (reading === null) return <Badge>{legal.yours}</Badge>;
  return (
    <Badge kind={reading.isPlain ? 'good' : 'warning'}>{reading.isPlain ? legal.met : legal.hard}</Badge>
  );
}

/** An element, and where the regulation has it. */
const Element = ({ element, text }: { element: string; text: string }) => (
  <span>
    {text} <span className="soft small">{element}</span>
  </span>
);
