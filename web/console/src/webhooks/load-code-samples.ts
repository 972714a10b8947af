import { type CodeSample, parseCodeSamples } from './code-samples.ts';

/** Loads the guide when somebody looks at the code. */
export async function loadCodeSamples(): Promise<CodeSample[]> {
  const { default: guide } = await import('../../../../docs/webhooks.md?raw');
  return parseCodeSamples(guide);
}
