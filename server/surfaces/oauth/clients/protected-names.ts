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

/** Words a letter away from a known name that mean something else. */
export const ORDINARY_WORDS = new Set(
  'alex ample apples apply clause code coded coder codes cursory goggle medicate'.split(' '),
);

/**
 * Words that a name is run together with and stays that name ("claudeai", "getclaude", "mychartapp"), before or behind it. None of
 * them makes an ordinary word of a known name: "metadata" and "applet" are no apps of theirs.
 */
export const APP_WORDS: readonly string[] = (
  'account agent ai app apps assistant bot care chat cloud code companion connect connector desktop get health help helper hub ' +
  'login mobile my official online plus portal pro record records secure security service services signin support team the ' +
  'use verify web'
).split(' ');
