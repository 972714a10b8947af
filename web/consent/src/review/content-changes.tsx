import type { ProjectContent } from '../api.ts';
import { ALL_CATEGORIES } from '../../../patient/data/groups.ts';
import type { Words } from '../words/en.ts';
import { useLanguage } from '../words/use-words.ts';
import { Prose } from './prose.tsx';
import { localizeContent } from './project-content.ts';

type Localized = NonNullable<ReturnType<typeof localizeContent>>;

/** The parts that are compared, by what a reader calls them. */
function listParts(
  { review: { why }, data }: Words,
  both: readonly (Localized | null)[],
): { name: string; read: (localized: Localized | null) => string | undefined }[] {
  const categories = ALL_CATEGORIES.filter((name) =>
    both.some((localized) => localized?.texts.categoryPurposes?.[name] !== undefined),
  );
  return [
    { name: why.project, read: (localized) => localized?.texts.title },
    { name: why.purpose, read: (localized) => localized?.texts.purpose },
    { name: why.benefits, read: (localized) => localized?.texts.benefits ?? undefined },
    { name: why.risks, read: (localized) => localized?.texts.risks ?? undefined },
    ...categories.map((category) => ({
      name: why.neededFor(data.categories[category].name),
      read: (localized: Localized | null) => localized?.texts.categoryPurposes?.[category],
    })),
  ];
}

/** The project's content then and now, side by side, where the two differ. */
export function ContentChanges({
  previous,
  current,
}: {
  previous: ProjectContent | null;
  current: ProjectContent | null;
}) {
  const { words, language } = useLanguage();
  const { changed } = words.review;
  const [before, after] = [localizeContent(previous, language), localizeContent(current, language)];
  // Without the earlier content there is nothing to compare.
  if (!before) return null;
  const differing = listParts(words, [before, after]).filter(({ read }) => read(before) !== read(after));
  return differing.map(({ name: part, read }) => (
    <div key={part} className="then-and-now">
      <h3>{part}</h3>
      <dl>
        {(
          [
            [changed.old, before],
            [changed.now, after],
          ] as const
        ).map(([name, localized]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {localized && read(localized) ? (
                <Prose text={read(localized) ?? ''} lang={localized.lang} />
              ) : (
                changed.nothing
              )}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  ));
}
