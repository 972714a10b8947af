import { useId, useState } from 'react';
import { joinTitles } from '../../kit/format-list.ts';
import { useWords } from '../words/use-words.ts';
import { ExpandButton } from './expand-button.tsx';
import { SENSITIVITIES, type Sensitivity } from './groups.ts';
import { SensitivityPicker } from './sensitivity-picker.tsx';

interface SensitivityGroupProps {
  legend: string;
  shared: ReadonlySet<Sensitivity>;
  onChange: (shared: ReadonlySet<Sensitivity>) => void;
}

/**
 * The protected classes, collapsed: each is named as shared or as left out. They have no checkbox in common, since none of
 * them is ever chosen by a press that is not about it.
 */
export function SensitivityGroup({ legend, shared, onChange }: SensitivityGroupProps) {
  const { data } = useWords();
  const listId = useId();
  const [opened, setOpened] = useState(shared.size > 0);
  const listNames = (is: boolean): string =>
    joinTitles(
      SENSITIVITIES.filter((name) => shared.has(name) === is).map((name) => data.sensitivities[name].name),
    );
  return (
    <div className="kinds-frame">
      <div className="kinds">
        <div className="kind kind-private">
          <div className="kind-summary">
            {opened && <p className="soft">{data.count(shared.size, SENSITIVITIES.length)}</p>}
            {!opened && shared.size > 0 && <p className="kind-shared">{data.shared(listNames(true))}</p>}
            {!opened && shared.size < SENSITIVITIES.length && <p>{data.notShared(listNames(false))}</p>}
          </div>
          <ExpandButton
            label={data.oneByOneIn(legend)}
            listId={listId}
            opened={opened}
            onPress={() => setOpened(!opened)}
          />
          <div id={listId} className="kind-list" hidden={!opened}>
            <SensitivityPicker legend={legend} legendHidden shared={shared} onChange={onChange} />
          </div>
        </div>
      </div>
    </div>
  );
}
