declare module 'virtual:answer-shapes' {
  import type { AnswerShape } from './complete-answer.ts';

  const shapes: Readonly<Record<string, AnswerShape>>;
  export default shapes;
}
