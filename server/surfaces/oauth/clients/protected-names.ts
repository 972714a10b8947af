/** Names that people trust with their health data, and the domains that may use them. */
export const PROTECTED_NAMES: readonly (readonly [name: string, ...domains: string[]])[] = [
  ['Claude', 'claude.ai', 'claude.com', 'anthropic.com'],
  ['Anthropic', 'anthropic.com', 'claude.ai', 'claude.com'],
  ['ChatGPT', 'chatgpt.com', 'openai.com'],
  ['OpenAI', 'openai.com', 'chatgpt.com'],
  ['Codex', 'openai.com', 'chatgpt.com'],
  ['Gemini', 'google.com', 'google.dev'],
  ['Google', 'google.com', 'google.dev'],
  ['Copilot', 'microsoft.com', 'github.com', 'visualstudio.com', 'vscode.dev'],
  ['Microsoft', 'microsoft.com', 'live.com', 'azure.com'],
  ['Visual Studio Code', 'microsoft.com', 'visualstudio.com', 'vscode.dev'],
  ['GitHub', 'github.com'],
  ['Cursor', 'cursor.com', 'cursor.sh'],
  ['Perplexity', 'perplexity.ai'],
  ['Mistral', 'mistral.ai'],
  ['DeepSeek', 'deepseek.com'],
  ['Grok', 'x.ai', 'grok.com'],
  ['Siri', 'apple.com'],
  ['Apple', 'apple.com'],
  ['Alexa', 'amazon.com'],
  ['Amazon', 'amazon.com', 'amazon.dev', 'aws.amazon.com'],
  ['Meta', 'meta.com', 'meta.ai', 'facebook.com'],
  ['WhatsApp', 'whatsapp.com', 'meta.com'],
  ['Samsung', 'samsung.com'],
  ['MyChart', 'mychart.org', 'epic.com'],
  ['Epic', 'epic.com', 'mychart.org'],
  ['Cerner', 'cerner.com', 'oracle.com'],
  ['Oracle Health', 'oracle.com'],
  ['athenahealth', 'athenahealth.com'],
  ['Medicare', 'medicare.gov', 'cms.gov'],
  ['Medicaid', 'medicaid.gov', 'cms.gov'],
  ['Blue Button', 'bluebutton.cms.gov', 'cms.gov'],
  ['CommonHealth', 'commonhealth.org'],
];

/**
 * Words a letter or two away from a known name that mean something else, alone or with a word behind them ("Medical ID"), and names
 * of people and places: English, Spanish, German and some of their neighbours, without accents. Of two words they are written as
 * one ("Open Air").
 */
export const ORDINARY_WORDS = new Set(
  // Medicaid, Medicare
  (
    'dedicare media medic medics mediacare mediccare medicid medicalid mericare pedicare redicare medicai medicala medical ' +
    'medicale medicali medicall medicals medicalo medicar medicara medicard medicart medicase medicate ' +
    'medicated medicates medicore medicure mediware ' +
    // Cerner
    'berner bernier camer ceder cemre cerna cernan cerne cernear cernel cernes cernir comer corner cremer ferner gerner hemer ' +
    'jemer kemer kerner lemer lerner temer verner werner zerner ' +
    // OpenAI
    'opena opena1c openaid openaim openair openali openall openapi openbi opencal opengi opengl openmi openpal openui penal ' +
    // Claude, Codex
    'clade clause claudel laude code coded codec codee coden coder codes codey corex kodex ' +
    // Gemini, Google, Copilot, Cursor
    'bernini gemina geminid geminis boogie goggle googly copilota copiloto kopilot cursar curser curso cursory cursos kursor ' +
    // Mistral, Apple, Alexa, Amazon, Samsung
    'mistrial mitral ample appid apples applet apply dapple rapple aleda aleja aleksa alela alera aleta alex alexi alexia alexy ' +
    'aleya aleza ' +
    'anexa flexa plexa amazona amazone amazons armazon mazon samsun ' +
    // MyChart, athenahealth, CommonHealth, Microsoft, Perplexity
    'machart mdchart mycart mycharm mychat myhart ateneahealth athenehealth athenshealth commonwealth microsort perplexing ' +
    // Blue Button, GitHub, DeepSeek, Chartgate
    'bluebottom bluebutter bonebutton lifebutton linebutton livebutton timebutton truebutton wisebutton fithub guthub deepsee ' +
    'chartmate'
  ).split(' '),
);

/**
 * Words that a name is run together with and stays that name ("claudeai", "getclaude", "mychartapp"), before or behind it. None of
 * them makes an ordinary word of a known name: "metadata" and "applet" are no apps of theirs.
 */
export const APP_WORDS: readonly string[] = (
  'account agent ai api app apps ask assistant beta bot care chat client cloud code com companion connect connector desktop for ' +
  'free get go health hello help helper hey hub io login mcp me mobile my new now official ok online plugin plus portal pro real ' +
  'record records secure security server service services signin support sync talk team the to tool tools true try use verify ' +
  'web with'
).split(' ');

/** Known names that words are made of: "metahealth" and "prometa" are nobody's. Only these words leave them what they are. */
export const STEMS: ReadonlySet<string> = new Set(['Meta']);
export const STEM_WORDS: readonly string[] = 'account ai app login official signin support verify'.split(' ');
