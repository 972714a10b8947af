import type { ProjectContent } from '../api/api.ts';
import { useLanguage } from '../words/language.tsx';
import { Prose } from './prose.tsx';
import { toldIn } from './told.ts';

const PARTS = ['title', 'purpose', 'benefits', 'risks'] as const;

/** What a project told then and tells now, side by side, where the two differ. */
export function ThenAndNow({ then, now }: { then: ProjectContent | null; now: ProjectContent | null }) {
  const { words, language } = useLanguage();
  const { changed, why } = words.review;
  const [before, after] = [toldIn(then, language), toldIn(now, language)];
  // Without what was told then, there is nothing to set beside it.
  if (!before) return null;
  const names = { title: why.project, purpose: why.purpose, benefits: why.benefits, risks: why.risks };
  const differing = PARTS.filter((part) => (before.told[part] ?? '') !== (after?.told[part] ?? ''));
  return differing.map((part) => (
    <div key={part} className="then-and-now">
      <h3>{names[part]}</h3>
      <dl>
        {(
          [
            [changed.old, before],
            [changed.now, after],
          ] as const
        ).map(([name, said]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{said?.told[part] ? <Prose text={said.told[part]} lang={said.lang} /> : changed.nothing}</dd>
          </div>
        ))}
      </dl>
    </div>
  ));
}
