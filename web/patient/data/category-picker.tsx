import { useId, useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { Checkbox } from '../../kit/choice.tsx';
import type { PatientWords } from '../words/en.ts';
import { joinTitles } from '../../kit/format-list.ts';
import type { Language } from '../../kit/languages.ts';
import { formatNumber } from '../../kit/format-number.ts';
import { useLanguage, useWords } from '../words/use-words.ts';
import { Purpose, PurposeList, type CategoryPurposes } from './category-purposes.tsx';
import type { RecordCounts } from './use-record-counts.ts';
import { ALL_CATEGORIES, filterGroups, type Category, type GroupName } from './groups.ts';
import { ExpandButton } from './expand-button.tsx';
import './category-picker.css';

interface CategoryPickerProps {
  legend: string;
  shared: ReadonlySet<Category>;
  /** The options; all of them by default. */
  offered?: readonly Category[];
  error?: string | undefined;
  /** How much there is of each; null while it is not known. */
  counts?: RecordCounts | null;
  /** What each is needed for; null where nobody says. */
  purposes?: CategoryPurposes | null;
  onChange: (shared: ReadonlySet<Category>) => void;
}

/**
 * Eighteen categories in six groups; a collapsed group still names each category that is shared and each that is not.
 */
export function CategoryPicker(props: CategoryPickerProps) {
  const { legend, shared, offered = ALL_CATEGORIES, error, counts = null, purposes = null, onChange } = props;
  const { data } = useWords();
  const errorId = useId();
  return (
    <div className="kinds-frame">
      <fieldset className="choices" {...(error !== undefined && { 'aria-describedby': errorId })}>
        <legend>{legend}</legend>
        <div className="quiet-buttons">
          <Button variant="quiet" onPress={() => onChange(new Set(offered))}>
            {data.shareAll}
          </Button>
          <Button variant="quiet" onPress={() => onChange(new Set())}>
            {data.shareNone}
          </Button>
        </div>
        {error !== undefined && (
          <p id={errorId} className="field-error">
            {error}
          </p>
        )}
        <div className="kinds">
          {filterGroups(offered).map(({ name, categories }) => (
            <Group key={name} {...{ name, categories, shared, counts, purposes, onChange }} />
          ))}
        </div>
      </fieldset>
    </div>
  );
}

interface GroupProps {
  name: GroupName;
  categories: readonly Category[];
  shared: ReadonlySet<Category>;
  counts: RecordCounts | null;
  purposes: CategoryPurposes | null;
  onChange: (shared: ReadonlySet<Category>) => void;
}

function Group({ name, categories, shared, counts, purposes, onChange }: GroupProps) {
  const { words, language } = useLanguage();
  const { data } = words;
  const listId = useId();
  const count = categories.filter((category) => shared.has(category)).length;
  const mixed = count > 0 && count < categories.length;
  const [opened, setOpened] = useState(mixed);
  const share = (some: readonly Category[], yes: boolean) => {
    const next = new Set(shared);
    for (const category of some) {
      if (yes) next.add(category);
      else next.delete(category);
    }
    onChange(next);
  };
  return (
    <fieldset className="kind choices">
      <legend className="hidden-visually">{data.groups[name]}</legend>
      <Checkbox
        id={`share-${name}`}
        label={data.groups[name]}
        aside={counts?.total === 0 ? undefined : formatHeld(counts, categories, { words, language })}
        hint={opened ? data.count(count, categories.length) : summarizeGroup(categories, shared, words)}
        checked={count === categories.length}
        mixed={mixed}
        // A press on a mixed checkbox shares all, as it does elsewhere.
        onChange={(yes) => share(categories, yes)}
      />
      <ExpandButton
        label={data.oneByOneIn(data.groups[name])}
        listId={listId}
        opened={opened}
        onPress={() => setOpened(!opened)}
      />
      {!opened && <PurposeList categories={categories} purposes={purposes} />}
      <div id={listId} className="kind-list" hidden={!opened}>
        {categories.map((category) => (
          <CategoryChoice
            key={category}
            category={category}
            held={formatHeld(counts, [category], { words, language })}
            checked={shared.has(category)}
            purposes={purposes}
            onChange={(yes) => share([category], yes)}
          />
        ))}
      </div>
    </fieldset>
  );
}

interface CategoryChoiceProps {
  category: Category;
  held: string | undefined;
  checked: boolean;
  purposes: CategoryPurposes | null;
  onChange: (yes: boolean) => void;
}

function CategoryChoice({ category, held, checked, purposes, onChange }: CategoryChoiceProps) {
  const { name, means } = useWords().data.categories[category];
  return (
    <div>
      <Checkbox label={name} aside={held} hint={means} checked={checked} onChange={onChange} />
      <Purpose category={category} purposes={purposes} />
    </div>
  );
}

/** "5", or that there are none. */
function formatHeld(
  counts: RecordCounts | null,
  categories: readonly Category[],
  { words, language }: { words: PatientWords; language: Language },
): string | undefined {
  if (counts === null) return undefined;
  const sum = categories.reduce((all, category) => all + (counts.byCategory.get(category) ?? 0), 0);
  return sum === 0 ? words.data.noneHere : formatNumber(sum, language);
}

/** Names each category of a group, and marks those that are left out. */
function summarizeGroup(
  categories: readonly Category[],
  shared: ReadonlySet<Category>,
  { data }: PatientWords,
): string {
  const listNames = (is: boolean): string[] =>
    categories
      .filter((category) => shared.has(category) === is)
      .map((category) => data.categories[category].name);
  const [yes, no] = [listNames(true), listNames(false)];
  return [
    ...(yes.length > 0 ? [joinTitles(yes)] : []),
    ...(no.length > 0 ? [data.notShared(joinTitles(no))] : []),
  ].join('. ');
}
