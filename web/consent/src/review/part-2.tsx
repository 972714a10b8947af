import { formatFullName } from '../../../../contract/account/person-name.ts';
import { ALL_CATEGORIES } from '../../../patient/data/groups.ts';
import { formatDay } from '../../../kit/format-date.ts';
import { useLanguage, useWords } from '../words/use-words.ts';
import { joinTitles } from '../../../kit/format-list.ts';
import type { ReviewProps } from './review-props.ts';
import { ConsentExpiry } from './consent-expiry.tsx';
import { DetailRow } from './detail-row.tsx';
import { formatRecipients } from './names.ts';
import { Purpose } from './purpose.tsx';
import { SignatureLine } from './signature-line.tsx';

/**
 * The elements that 42 CFR 2.31(a) (as of 2024) demands in a consent to records of a treatment program, with the notice
 * of 2.32; shown when such records are chosen.
 */
export function Part2(props: ReviewProps) {
  const { part2 } = useWords().review;
  return (
    <section className="part-2 stack" aria-label={part2.title}>
      <h3>{part2.title}</h3>
      <p>{part2.law}</p>
      <dl className="facts">
        <Part2Disclosure {...props} />
        <Part2Expiry {...props} />
      </dl>
      <p data-element="2.32">{part2.passedOn}</p>
    </section>
  );
}

function Part2Disclosure({ interaction, person, choices }: ReviewProps) {
  const words = useWords();
  const { part2 } = words.review;
  const kinds = ALL_CATEGORIES.filter((name) => choices.categories.has(name));
  const kindNames = joinTitles(kinds.map((name) => words.data.categories[name].name));
  return (
    <>
      <DetailRow name={part2.patient} element="2.31(a)(1)">
        {formatFullName(person)}
      </DetailRow>
      <DetailRow name={part2.gives} element="2.31(a)(2)">
        {part2.givesText(interaction.organization.name)}
      </DetailRow>
      <DetailRow name={part2.what} element="2.31(a)(3)" prose>
        {part2.whatText} {part2.kinds(kindNames)} {part2.notNotes}
      </DetailRow>
      <DetailRow name={part2.gets} element="2.31(a)(4)">
        {formatRecipients(interaction, words)}
      </DetailRow>
      <DetailRow name={part2.purpose} element="2.31(a)(5)" prose>
        <Purpose interaction={interaction} />
      </DetailRow>
    </>
  );
}

function Part2Expiry(props: ReviewProps) {
  const { words, language } = useLanguage();
  const { part2 } = words.review;
  return (
    <>
      <DetailRow name={part2.stop} element="2.31(a)(6)" prose>
        {part2.stopText}
      </DetailRow>
      <DetailRow name={part2.ends} element="2.31(a)(7)" prose>
        <ConsentExpiry {...props} />
      </DetailRow>
      <DetailRow name={part2.signed} element="2.31(a)(8)" prose>
        <SignatureLine {...props} />
      </DetailRow>
      <DetailRow name={part2.date} element="2.31(a)(9)">
        {formatDay(props.now.toISOString(), language)}
      </DetailRow>
    </>
  );
}
