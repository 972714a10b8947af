import { ALL_CATEGORIES, PRIVATE_CLASSES } from '../data/groups.ts';
import { lastDayOf } from '../words/day.ts';
import type { Words } from '../words/en.ts';
import { useLanguage } from '../words/language.tsx';
import { rowOf } from '../words/list.ts';
import type { About } from './about.ts';
import type { Choices } from './choices.ts';
import { Fact } from './fact.tsx';
import { recipients } from './names.ts';
import { endOf } from './term.ts';

/** What was chosen on the way here, above the two buttons: who pressed their way down sees it again. */
export function InShort({ interaction, choices, now }: Pick<About, 'interaction' | 'choices' | 'now'>) {
  const { words, language } = useLanguage();
  const { decision, what } = words.review;
  const end = endOf(choices, now);
  const privately = PRIVATE_CLASSES.filter((name) => choices.privately.has(name)).map(
    (name) => words.data.classes[name].name,
  );
  return (
    <section className="in-short stack" aria-label={decision.short}>
      <h3>{decision.short}</h3>
      <dl className="facts">
        <Fact name={what.gets}>{recipients(interaction, words)}</Fact>
        <Fact name={decision.read}>{readIn(choices, words)}</Fact>
        <Fact name={decision.private}>{privately.length === 0 ? decision.noPrivate : rowOf(privately)}</Fact>
        {end !== null && (
          <Fact name={decision.until}>
            {choices.term === 'once' ? decision.onceUntil : lastDayOf(end.toISOString(), language)}
          </Fact>
        )}
      </dl>
    </section>
  );
}

/** By what is shared or by what is left out, whichever is said in fewer words. */
function readIn({ categories }: Choices, { review, data }: Words): string {
  const named = (is: boolean): string[] =>
    ALL_CATEGORIES.filter((name) => categories.has(name) === is).map((name) => data.categories[name].name);
  const [yes, no] = [named(true), named(false)];
  if (no.length === 0) return review.decision.everything;
  if (yes.length === 0) return review.decision.nothing;
  return no.length < yes.length ? review.decision.but(rowOf(no)) : review.decision.only(rowOf(yes));
}
