import type { ProjectContent } from '../api.ts';
import { useLanguage } from '../words/use-words.ts';
import { Prose } from './prose.tsx';
import { localizeContent } from './project-content.ts';

const COMPARED_FIELDS = ['title', 'purpose', 'benefits', 'risks'] as const;

/** The project's content then and now, side by side, where the two differ. */
export function ContentChanges({
  previous,
  current,
}: {
  previous: ProjectContent | null;
  current: ProjectContent | null;
}) {
  const { words, language } = useLanguage();
  const { changed, why } = words.review;
  const [before, after] = [localizeContent(previous, language), localizeContent(current, language)];
  // Without the earlier content there is nothing to compare.
  if (!before) return null;
  const names = { title: why.project, purpose: why.purpose, benefits: why.benefits, risks: why.risks };
  const differing = COMPARED_FIELDS.filter(
    (part) => (before.texts[part] ?? '') !== (after?.texts[part] ?? ''),
  );
  return differing.map((part) => (
    <div key={part} className="then-and-now">
      <h3>{names[part]}</h3>
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
              {localized?.texts[part] ? (
                <Prose text={localized.texts[part]} lang={localized.lang} />
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
