import { formatList } from '../../../kit/format-list.ts';
import type { Interaction } from '../api.ts';
import { useLanguage } from '../words/use-words.ts';

type About = NonNullable<Interaction['client']['about']>;

/**
 * The app's own words, behind a line that names them: nobody has checked them, and no law demands them. Each link shows its
 * host, and opens beside the review.
 */
export function ClientAbout({ about }: { about: About }) {
  const { words, language } = useLanguage();
  const { who } = words.review;
  const links = (
    [
      ['policy', about.policyUri],
      ['terms', about.tosUri],
      ['homepage', about.clientUri],
    ] as const
  ).flatMap(([name, uri]) => (uri === null ? [] : [{ name, uri }]));
  const parts = [
    ...links.map(({ name }) => who.parts[name]),
    ...(about.contacts.length > 0 ? [who.parts.contact] : []),
  ];
  return (
    <details className="client-about">
      <summary>{who.says(formatList(parts, language))}</summary>
      {links.map(({ name, uri }) => (
        <a key={name} className="line" href={uri} target="_blank" rel="noreferrer">
          {who[name](new URL(uri).host)}
        </a>
      ))}
      {about.contacts.map((contact) => (
        <span key={contact} className="line">
          {who.contact(contact)}
        </span>
      ))}
    </details>
  );
}
