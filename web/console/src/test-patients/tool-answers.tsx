import { useEffect, useRef } from 'react';
import { Button } from '../../../kit/button.tsx';
import { formatNumber } from '../../../kit/format-number.ts';
import { Notice } from '../../../kit/notice.tsx';
import { useConsole } from '../api/use-console.ts';
import { Badge } from '../kit/badge.tsx';
import { CopyButton } from '../kit/copy-button.tsx';
import { useSearch } from '../kit/use-search.ts';
import { useLanguage } from '../words/use-words.ts';
import { buildToolCurl } from './agent-curl.ts';
import { renderMarkdown } from './render-markdown.ts';
import type { ToolAnswer } from './call-mcp.ts';
import { useScopes } from './use-scopes.ts';
import { useTestCase } from './use-test-agent.ts';
import { useTestPatientWords } from './use-test-patient-words.ts';
import { toScopesBody, type Withheld } from './withheld.ts';

/** What was called, with what came of it: it stays as it was while the form is changed. */
export interface MadeCall {
  /** Another with each call. */
  key: string;
  tool: string;
  input: object;
  withheld: Withheld;
  wide: ToolAnswer;
  narrow: ToolAnswer;
}

interface AnswersProps {
  made: MadeCall;
  /** What the consent in force leaves out; null: there is none. */
  covered: Withheld | null;
}

/** The two answers side by side, one below the other on a phone. */
export function Answers({ made, covered }: AnswersProps) {
  const { tryIt: words } = useTestPatientWords();
  const { language } = useLanguage();
  const { names, format } = useScopes();
  const [search, setSearch] = useSearch();
  const isSource = search['show'] === 'source';
  const head = useRef<HTMLHeadingElement>(null);
  const { wide, narrow, withheld } = made;
  // What was asked for has come: it is where a person goes on. `key` makes it anew with each call.
  useEffect(() => head.current?.focus(), []);
  const buildCurl = useToolCurl(made);
  const both = new Set([...(covered ?? []), ...withheld]);
  const isSame = wide.text === narrow.text;
  const lengths = [wide, narrow].map(({ text }) => formatNumber(text.length, language)) as [string, string];
  return (
    <div className="stack">
      <div className="answers-head" role="status">
        <p className="soft">
          {isSame ? wide.kind === 'answer' && words.sameAnswer : words.differs(...lengths)}
        </p>
        <Button
          variant="quiet"
          onPress={() => setSearch({ show: isSource ? undefined : 'source' }, { replace: true })}
        >
          {isSource ? words.rendered : words.source}
        </Button>
      </div>
      <div className="answers">
        <Answer
          title={words.wide}
          headRef={head}
          lead={covered === null ? undefined : words.wideCovers(format(covered))}
          answer={wide}
          curl={buildCurl(null)}
          isSource={isSource}
        />
        {wide.kind !== 'refused' && (
          <Answer
            title={words.narrow}
            lead={words.narrowCovers(format(both))}
            answer={narrow}
            curl={buildCurl(toScopesBody(withheld, names))}
            isSource={isSource}
          />
        )}
      </div>
    </div>
  );
}

function useToolCurl({ tool: name, input }: MadeCall): (grant: object | null) => string {
  const { agent: _, ...ids } = useTestCase();
  const { baseUrl, organization } = useConsole();
  return (grant) =>
    buildToolCurl({ baseUrl, organizationId: organization.id, ...ids }, { name, input, grant });
}

interface AnswerProps {
  title: string;
  headRef?: React.RefObject<HTMLHeadingElement | null>;
  lead: string | undefined;
  answer: ToolAnswer;
  curl: string;
  isSource: boolean;
}

function Answer({ title, headRef, lead, answer, curl, isSource }: AnswerProps) {
  const { tryIt: words } = useTestPatientWords();
  const { language } = useLanguage();
  const { status, durationMs, kind, text } = answer;
  return (
    <section className="answer" aria-label={title}>
      <div className="answer-head">
        <h3 ref={headRef} tabIndex={-1}>
          {title}
        </h3>
        <Badge kind={kind === 'answer' ? 'good' : 'danger'}>
          {words.answered(String(status), formatNumber(durationMs, language))}
        </Badge>
      </div>
      {lead !== undefined && <p className="soft small">{lead}</p>}
      <details className="answer-request">
        <summary>{words.request}</summary>
        <div className="secret">
          <CopyButton text={curl} subject="curl" />
          <pre className="code">{curl}</pre>
        </div>
      </details>
      {kind !== 'answer' && (
        <Notice kind="warning">{kind === 'refused' ? words.refused : words.toolError}</Notice>
      )}
      {isSource || kind !== 'answer' ? (
        <pre className="code answer-source" lang="en">
          {text}
        </pre>
      ) : (
        <div className="answer-text" lang="en">
          {renderMarkdown(text)}
        </div>
      )}
    </section>
  );
}
