import type { Language } from '../../kit/languages.ts';
import { useLanguage, useWords } from '../words/use-words.ts';
import type { Category } from './groups.ts';
import './category-purposes.css';

/** What an organization says it needs each category for. */
export interface CategoryPurposes {
  organization: string;
  texts: ReadonlyMap<Category, { text: string; lang: Language }>;
  /** Said of a text in the other language; null: it is said of all of them. */
  otherLanguage: string | null;
}

interface PurposeListProps {
  categories: readonly Category[];
  purposes: CategoryPurposes | null;
}

/** What is said about the categories of a collapsed group: nobody has to open it to read it, and the evidence shows it. */
export function PurposeList({ categories, purposes }: PurposeListProps) {
  const { data } = useWords();
  const explained = categories.filter((category) => purposes?.texts.has(category));
  if (purposes === null || explained.length === 0) return null;
  return (
    <div className="kind-purposes">
      <p className="soft small">{data.neededFor(purposes.organization)}</p>
      <ul>
        {explained.map((category) => (
          <li key={category} className="small">
            {data.categories[category].name}: <Quote purposes={purposes} category={category} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What is said about one category, beside its check box. */
export function Purpose({ category, purposes }: { category: Category; purposes: CategoryPurposes | null }) {
  const { data } = useWords();
  if (!purposes?.texts.has(category)) return null;
  return (
    <p className="kind-purpose small">
      <span className="soft">{data.neededFor(purposes.organization)}</span>{' '}
      <Quote purposes={purposes} category={category} />
    </p>
  );
}

/** The browser sets the quotation marks of the language: these are the organization's words, not the service's. */
function Quote({ purposes, category }: { purposes: CategoryPurposes; category: Category }) {
  const { language } = useLanguage();
  const quoted = purposes.texts.get(category);
  return (
    <>
      <q className="kind-quote" lang={quoted?.lang}>
        {quoted?.text}
      </q>
      {purposes.otherLanguage !== null && quoted?.lang !== language && (
        <span className="soft small"> ({purposes.otherLanguage})</span>
      )}
    </>
  );
}
