import { Notice } from '../../../kit/notice.tsx';
import { QrCode } from '../../../kit/qr-code.tsx';
import { useConsole } from '../api/use-console.ts';
import { CopyCode } from '../kit/code.tsx';
import { Section } from '../kit/page.tsx';
import { AppSwitch } from './app-switch.tsx';
import { LANGUAGES, type ProjectData } from './project-data.ts';
import { useOrganization } from './use-organization.ts';
import { useProjectWords } from './use-project-words.ts';
import { projects as en } from './words/en.ts';
import { projects as es } from './words/es.ts';
import './projects.css';

/** Where apps, agents and people come to the project. */
export function ConnectTab({ project }: { project: ProjectData }) {
  const words = useProjectWords();
  const { baseUrl } = useConsole();
  const mcpUrl = `${baseUrl}/projects/${project.id}/mcp`;
  const invitationUrl = `${baseUrl}/consent/#/patient-consent/${project.id}/enrollment/link`;
  const isAsking = project.consentTypes.length > 0;
  return (
    <div className="page">
      <Section title={words.mcpTitle}>
        <p className="soft">{words.mcpLead}</p>
        <CopyCode label={words.mcpUrl} text={mcpUrl} />
        <CopyCode label={words.claude} text={`claude mcp add --transport http chartgate ${mcpUrl}`} />
      </Section>
      <AppSwitch project={project} />
      <Section title={words.invitationTitle}>
        <p className="soft">{words.invitationLead}</p>
        {!isAsking && <Notice kind="warning">{words.notAsking}</Notice>}
        <CopyCode label={words.invitationUrl} text={invitationUrl} />
        {isAsking && (
          <div className="project-qr">
            <QrCode text={invitationUrl} label={words.qrCode} />
          </div>
        )}
      </Section>
      {isAsking && <InvitationTexts project={project} url={invitationUrl} />}
    </div>
  );
}

/** What invites in the language of whoever reads it, whatever the language of the console is. */
const INVITATIONS = { en: en.invitationText, es: es.invitationText };

/** A letter or a message to paste, in each language that the project has words in. */
function InvitationTexts({ project, url }: { project: ProjectData; url: string }) {
  const words = useProjectWords();
  const { name: organization } = useOrganization();
  return (
    <Section title={words.invitationTextTitle}>
      <p className="soft">{words.invitationTextLead}</p>
      {LANGUAGES.map((language) => {
        const title = project.content?.[language]?.title;
        if (title === undefined) return null;
        const text = INVITATIONS[language](organization, title, url);
        const label = words.inLanguage(words.invitationTextTitle, words.languages[language]);
        return <CopyCode key={language} label={label} text={text} lang={language} />;
      })}
    </Section>
  );
}
