import { useState } from 'react';
import { Notice } from '../../../kit/notice.tsx';
import { SelectField } from '../../../kit/select-field.tsx';
import { useTask } from '../../../kit/task.ts';
import { Section } from '../kit/page.tsx';
import { RefusalNotice } from '../kit/refusal-notice.tsx';
import { States } from '../kit/states.tsx';
import { useSearch } from '../kit/use-search.ts';
import { parseInput, type Tool } from './schema-fields.ts';
import { ScopeFields } from './scope-fields.tsx';
import { Answers, type MadeCall } from './tool-answers.tsx';
import { ToolForm } from './tool-form.tsx';
import { useConsentInForce, useTools } from './use-agent-data.ts';
import { useScopes } from './use-scopes.ts';
import { useTestCase } from './use-test-agent.ts';
import { useTestPatientWords } from './use-test-patient-words.ts';
import {
  formatWithheld,
  isEmptyConsent,
  parseWithheld,
  suggestWithheld,
  toScopesBody,
  type Withheld,
} from './withheld.ts';

/** A call of a tool as the agent of the person, under the consent and under a narrower one. */
export function TryIt() {
  const { tryIt: words } = useTestPatientWords();
  const tools = useTools();
  return (
    <Section title={words.title}>
      <p className="soft">{words.lead}</p>
      <States query={tools}>{(loaded) => <ToolChoice tools={loaded} />}</States>
    </Section>
  );
}

const FIRST_TOOL = 'get_conditions';

function ToolChoice({ tools }: { tools: readonly Tool[] }) {
  const { tryIt: words } = useTestPatientWords();
  const [search, setSearch] = useSearch();
  const tool = tools.find(({ name }) => name === (search['tool'] ?? FIRST_TOOL)) ?? tools[0];
  if (tool === undefined) return null;
  return (
    <div className="stack">
      <div className="form-narrow">
        <SelectField
          name="tool"
          label={words.tool}
          options={tools.map(({ name, title }) => ({ value: name, label: `${title} (${name})` }))}
          value={tool.name}
          // Arguments, and what is left out, are of the tool before.
          onChange={(name) =>
            setSearch({ tool: name, args: undefined, without: undefined }, { replace: true })
          }
        />
      </div>
      <p className="soft small" lang="en">
        {tool.description}
      </p>
      <ToolCall key={tool.name} tool={tool} />
    </div>
  );
}

function ToolCall({ tool }: { tool: Tool }) {
  const { tryIt: words } = useTestPatientWords();
  const { names } = useScopes();
  const [search, setSearch] = useSearch();
  const { agent } = useTestCase();
  const consent = useConsentInForce();
  const { busy, refusal, run } = useTask();
  const [made, setMade] = useState<MadeCall | null>(null);
  const without = search['without'];
  const withheld = without === undefined ? suggestWithheld(tool.name) : parseWithheld(without, names);
  const isNone = isEmptyConsent(withheld, names);
  const submit = (input: object) => {
    setSearch(
      { args: Object.keys(input).length === 0 ? undefined : JSON.stringify(input) },
      { replace: true },
    );
    run(async () => {
      const called = { name: tool.name, input };
      const wide = await agent.callTool(called, null);
      // Without a consent there is nothing to be narrower than.
      const narrow =
        wide.kind === 'refused' ? wide : await agent.callTool(called, toScopesBody(withheld, names));
      setMade({ key: crypto.randomUUID(), tool: tool.name, input, withheld, wide, narrow });
    });
  };
  return (
    <>
      {consent.data === null && <Notice kind="warning">{words.noConsent}</Notice>}
      <ToolForm
        tool={tool}
        initial={parseInput(search['args'])}
        busy={busy}
        isStopped={isNone}
        onSubmit={submit}
      >
        <NarrowerChoice
          withheld={withheld}
          onChange={(next) => setSearch({ without: formatWithheld(next) || 'nothing' }, { replace: true })}
        />
      </ToolForm>
      {refusal && <RefusalNotice refusal={refusal} />}
      {made === null ? (
        <p className="soft">{words.nothing}</p>
      ) : (
        <Answers key={made.key} made={made} covered={consent.data ?? null} />
      )}
    </>
  );
}

interface NarrowerChoiceProps {
  withheld: Withheld;
  onChange: (withheld: Withheld) => void;
}

/** What the narrower consent leaves out, in a sentence that opens into boxes. */
function NarrowerChoice({ withheld, onChange }: NarrowerChoiceProps) {
  const { tryIt: words, consent } = useTestPatientWords();
  const { names, getLabel } = useScopes();
  return (
    <details className="narrower">
      <summary>
        <span className="narrower-title">{words.narrower}</span>
        <span className="narrower-names">
          {withheld.size === 0 ? words.narrowerNone : [...withheld].map(getLabel).join(', ')}
        </span>
      </summary>
      <ScopeFields checked="withheld" withheld={withheld} onChange={onChange} />
      <div role="alert">
        {isEmptyConsent(withheld, names) && <p className="field-error">{consent.emptyError}</p>}
      </div>
    </details>
  );
}
