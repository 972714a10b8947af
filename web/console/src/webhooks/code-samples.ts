export interface CodeSample {
  /** The language, or the library with it. */
  name: string;
  code: string;
}

/** Names of what the guide calls by the mark of its code block. */
const LANGUAGES: Readonly<Record<string, string>> = {
  js: 'JavaScript',
  python: 'Python',
  go: 'Go',
  ruby: 'Ruby',
  java: 'Java',
  sh: 'Shell',
};

/** Reads the code blocks of the guide's chapter on receiving: what its readers paste is what its test runs. */
export function parseCodeSamples(guide: string): CodeSample[] {
  const [, chapter = ''] = /^## Receive\n([^]*?)(?=^## )/m.exec(guide) ?? [];
  const samples = [...chapter.matchAll(/^```(\w+)\n([^]*?)^```/gm)].flatMap(([, mark = '', code = '']) => {
    const name = LANGUAGES[mark];
    return name === undefined ? [] : [{ name: nameSample(name, code), code: code.trimEnd() }];
  });
  return samples.filter(({ name }, index) => samples.findIndex((other) => other.name === name) === index);
}

/** One language may have several samples: with a framework, or without any library. */
function nameSample(language: string, code: string): string {
  const [, framework] = /from '(express|fastify)'/.exec(code) ?? [];
  if (framework !== undefined) return `${language} (${framework})`;
  return /import hmac|openssl dgst/.test(code) ? `${language} (HMAC)` : language;
}
