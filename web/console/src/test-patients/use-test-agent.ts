import { createContext, useContext, useState } from 'react';
import { useConsole } from '../api/use-console.ts';
import { createTestAgent, type TestAgent } from './test-agent.ts';

export interface TestCase {
  agent: TestAgent;
  patientId: string;
  projectId: string;
}

const TestCaseContext = createContext<TestCase | null>(null);
export const TestCaseProvider = TestCaseContext.Provider;

/** The test patient in one project, with the agent that acts for them. */
export function useTestCase(): TestCase {
  const testCase = useContext(TestCaseContext);
  if (testCase === null) throw new Error('This part of the page has no TestCaseProvider around it.');
  return testCase;
}

/** Creates the agent once: its tokens are in memory alone, until the page is left. */
export function useNewTestCase(patientId: string, projectId: string): TestCase {
  const { baseUrl, call } = useConsole();
  const [testCase] = useState(() => ({
    agent: createTestAgent({ baseUrl, call, patientId, projectId }),
    patientId,
    projectId,
  }));
  return testCase;
}
