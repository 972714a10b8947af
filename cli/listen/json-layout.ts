const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g;

/** Valid JSON on one line, every number with the digits it came with. */
export const onOneLine = (json: string): string => tokensOf(json).join('');

/** Valid JSON with two spaces a level, every number with the digits it came with. */
export function indented(json: string): string {
  const tokens = tokensOf(json);
  let depth = 0;
  const line = (): string => `\n${'  '.repeat(depth)}`;
  return tokens
    .map((token, index) => {
      const opens = token === '{' || token === '[';
      const closes = token === '}' || token === ']';
      const isEmpty = opens && closing(tokens[index + 1]);
      if (opens) depth += 1;
      if (closes) depth -= 1;
      if (opens) return isEmpty ? token : token + line();
      if (closes) return opening(tokens[index - 1]) ? token : line() + token;
      if (token === ',') return token + line();
      return token === ':' ? ': ' : token;
    })
    .join('');
}

const tokensOf = (json: string): string[] => json.match(TOKEN) ?? [];

const opening = (token: string | undefined): boolean => token === '{' || token === '[';
const closing = (token: string | undefined): boolean => token === '}' || token === ']';
