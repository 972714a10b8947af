import type { ProjectContent } from '../api.ts';
import { ALL_CATEGORIES } from '../../../patient/data/groups.ts';
import type { Words } from '../words/en.ts';
import { useLanguage, useWords } from '../words/use-words.ts';
import { Prose } from './prose.tsx';
import {
  localizeContent,
  type LocalizedContent,
  type LocalizedText,
} from '../../../../contract/organization/localize-content.ts';

/** The parts that are compared, by what a reader calls them. */
function listParts(
  { review: { why }, data }: Words,
  both: readonly (LocalizedContent | null)[],
): { name: string; read: (localized: LocalizedContent | null) => LocalizedText | null | undefined }[] {
  const categories = ALL_CATEGORIES.filter((name) =>
    both.some((localized) => localized?.categoryPurposes.has(name)),
  );
  return [
    { name: why.project, read: (localized) => localized?.title },
    { name: why.purpose, read: (localized) => localized?.purpose },
    { name: why.benefits, read: (localized) => localized?.benefits },
    { name: why.risks, read: (localized) => localized?.risks },
    ...categories.map((category) => ({
      name: why.neededFor(data.categories[category].name),
      read: (localized: LocalizedContent | null) => localized?.categoryPurposes.get(category),
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
  const differing = listParts(words, [before, after]).filter(
    ({ read }) => read(before)?.text !== read(after)?.text,
  );
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
              <Part text={read(localized)} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  ));
}

function Part({ text }: { text: LocalizedText | null | undefined }) {
  const { changed } = useWords().review;
  return text ? <Prose {...text} /> : changed.nothing;
}
