import type { Interaction } from '../api.ts';
import { useWords } from '../words/use-words.ts';

type About = NonNullable<Interaction['client']['about']>;

/** The app's own words, with the host of each link, since nobody has checked them. A link opens beside the review. */
export function ClientAbout({ about }: { about: About }) {
  const { who } = useWords().review;
  const links = [
    ['policy', about.policyUri],
    ['terms', about.tosUri],
    ['homepage', about.clientUri],
  ] as const;
  return (
    <div>
      <p>{who.says}</p>
      {links.map(
        ([name, uri]) =>
          uri !== null && (
            <a key={name} className="line" href={uri} target="_blank" rel="noreferrer">
              {who[name](new URL(uri).host)}
            </a>
          ),
      )}
      {about.contacts.map((contact) => (
        <span key={contact} className="line">
          {who.contact(contact)}
        </span>
      ))}
    </div>
  );
}
