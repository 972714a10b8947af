import { useState } from 'react';
import type { ProjectContent } from '../../../../../contract/organization/projects.ts';
import type { Language } from '../../../../kit/languages.ts';
import type { PreviewShown, Requester, Scheme } from '../../../../preview/src/preview-message.ts';
import { Section } from '../../kit/page.tsx';
import { CONSENT_TYPES, LANGUAGES, type VersionContent } from '../project-data.ts';
import { useOrganization } from '../use-organization.ts';
import { useProjectWords } from '../use-project-words.ts';
import { type Device, PreviewFrame } from './preview-frame.tsx';
import { Segments } from './segments.tsx';

interface PreviewPanelProps {
  /** What is written now. */
  written: VersionContent;
  projectName: string;
  device: Device;
  onDevice: (device: Device) => void;
}

/** The review as patients see it, in the words that are being written. */
export function PreviewPanel({ written, projectName, device, onDevice }: PreviewPanelProps) {
  const words = useProjectWords().preview;
  const organization = useOrganization();
  const [language, setLanguage] = useState<Language>('en');
  const [scheme, setScheme] = useState<Scheme>('light');
  const [requester, setRequester] = useState<Requester>('app');
  const requesters = ['app', ...CONSENT_TYPES.filter((type) => isAsked(written, type))] as const;
  const asking = requesters.find((each) => each === requester) ?? 'app';
  const shown: PreviewShown = {
    requester: asking,
    organization,
    projectName,
    content: getContent(written, asking),
    language,
    scheme,
  };
  return (
    <Section title={words.title}>
      <p className="soft">{words.lead}</p>
      <div className="preview-controls">
        <Segments legend={words.device} names={words.devices} value={device} onChange={onDevice} />
        <Segments legend={words.scheme} names={words.schemes} value={scheme} onChange={setScheme} />
        <Segments legend={words.language} names={words.languages} value={language} onChange={setLanguage} />
        {requesters.length > 1 && (
          <Segments
            legend={words.requester}
            names={pick(words.requesters, requesters)}
            value={asking}
            onChange={setRequester}
          />
        )}
      </div>
      <PreviewFrame shown={shown} device={device} onLanguage={setLanguage} />
    </Section>
  );
}

const isAsked = ({ consentTypes }: VersionContent, type: Requester) =>
  consentTypes.some((asked) => asked.type === type);

/** The words of the consent's own, else those of the project; null while nothing is written in either language. */
function getContent({ content, consentTypes }: VersionContent, requester: Requester): ProjectContent | null {
  const own = consentTypes.find(({ type }) => type === requester)?.content ?? null;
  const read = own ?? content;
  return read !== null && LANGUAGES.some((language) => read[language] !== undefined) ? read : null;
}

const pick = <Name extends string>(names: Readonly<Record<Name, string>>, chosen: readonly Name[]) =>
  Object.fromEntries(chosen.map((name) => [name, names[name]])) as Record<Name, string>;
