const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g;

/** Formats valid JSON on one line, every number with the digits it came with. */
export const minifyJson = (json: string): string => tokenize(json).join('');

/** Formats valid JSON with two spaces a level, every number with the digits it came with. */
export function indentJson(json: string): string {
  const tokens = tokenize(json);
  let depth = 0;
  const startLine = (): string => `\n${'  '.repeat(depth)}`;
  return tokens
    .map((token, index) => {
      const opens = token === '{' || token === '[';
      const closes = token === '}' || token === ']';
      const isEmpty = opens && isClosing(tokens[index + 1]);
      if (opens) depth += 1;
      if (closes) depth -= 1;
      if (opens) return isEmpty ? token : token + startLine();
      if (closes) return isOpening(tokens[index - 1]) ? token : startLine() + token;
      if (token === ',') return token + startLine();
      return token === ':' ? ': ' : token;
    })
    .join('');
}

const tokenize = (json: string): string[] => json.match(TOKEN) ?? [];

const isOpening = (token: string | undefined): boolean => token === '{' || token === '[';
const isClosing = (token: string | undefined): boolean => token === '}' || token === ']';
