declare module 'virtual:answer-shapes' {
  const shapes: Readonly<Record<string, import('./complete-answer.ts').AnswerShape>>;
  export default shapes;
}
