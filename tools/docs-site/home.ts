import { en, type HomeWords } from '../../web/docs/words/en.ts';
import { es } from '../../web/docs/words/es.ts';
import { escapeHtml } from './html.ts';
import { LOGO, renderHead } from './layout.ts';

/** Stands where the service puts the address of the patients' page, which may have a host of its own. */
const CONSENT_APP = '%CONSENT_APP%';

/** Renders `/` in each language. */
export const renderHomePages = (style: string): [string, string][] => [
  ['home/en.html', renderHome('en', en, style)],
  ['home/es.html', renderHome('es', es, style)],
];

function renderHome(language: 'en' | 'es', words: HomeWords, style: string): string {
  const { patients, agents, partners, operators } = words.readers;
  const other = language === 'en' ? 'es' : 'en';
  const card = (reader: { title: string; text: string }, links: string): string =>
    `<li class="docs-card"><h2>${escapeHtml(reader.title)}</h2><p>${escapeHtml(reader.text)}</p><p class="home-links">${links}</p></li>`;
  const link = (href: string, text: string): string =>
    `<a class="link-alone" href="${href}">${escapeHtml(text)}</a>`;
  return `<!doctype html>
<html lang="${language}">
<head>${renderHead(words.title, style)}</head>
<body class="home">
<header class="docs-head"><span class="docs-name">${LOGO}${escapeHtml(words.title)}</span><nav aria-label="${escapeHtml(words.languages)}"><a class="link-alone" lang="${other}" hreflang="${other}" href="/?lang=${other}">${escapeHtml(words.otherLanguage)}</a></nav></header>
<main class="home-sheet">
<h1>${escapeHtml(words.lead)}</h1>
<ul class="docs-cards">
${card(patients, link(`${CONSENT_APP}/#/my-data`, patients.link))}
${card(agents, link('/docs/start/agent-builders', agents.link))}
${card(partners, link('/docs/start/partners', partners.link))}
${card(operators, `${link('/console/', operators.link)} ${link('/docs/start/operators', operators.documentation)}`)}
</ul>
<p>${link('/docs/', words.more)}</p>
</main>
</body>
</html>
`;
}
