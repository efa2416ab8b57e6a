/** Tools of LangChain's community package, loaded when they are first used. */
import { folkmootError } from '../../errors.ts';
import type { BuiltInTool } from './local-system.ts';

const missing = (error: unknown) =>
  folkmootError(
    'FOLKMOOT_MISSING_PACKAGE',
    'The package of this tool is not installed: run "npm install @langchain/community" in the Node-RED folder.',
    error,
  );

const longestExpression = 500;

export const calculatorTool: BuiltInTool = {
  settings: {
    ...{ name: 'Calculate', risk: 'read', effect: false, timeoutMs: 5_000 },
    description: 'Works out an expression of numbers such as (3.5*4)/2 or 2^10',
    synonyms: ['how much is', 'work out', 'sum', 'divided by', 'times'],
    parameters: [
      { name: 'expression', type: 'string', required: true, description: 'numbers, + - * / ^ and brackets' },
    ],
    sentence: '{expression} is {result}',
  },
  async run({ expression }) {
    const text = String(expression);
    if (text.length > longestExpression)
      throw folkmootError('FOLKMOOT_TOOL_FAILED', `An expression has at most ${longestExpression} characters.`);
    const { Calculator } = await import('@langchain/community/tools/calculator').catch((error: unknown) => {
      throw missing(error);
    });
    const answer: unknown = await new Calculator().invoke(text);
    const number = Number(answer);
    if (answer === '' || !Number.isFinite(number))
      throw folkmootError('FOLKMOOT_TOOL_FAILED', `"${text.slice(0, 60)}" is no expression that can be worked out.`);
    return number;
  },
};

export const wikipediaTool: BuiltInTool = {
  settings: {
    ...{ name: 'Wikipedia', risk: 'read', effect: false, timeoutMs: 20_000 },
    description: 'Looks something up in the encyclopedia Wikipedia',
    synonyms: ['encyclopedia', 'look up', 'who was', 'what is'],
    parameters: [{ name: 'subject', type: 'string', required: true }],
    result: 'the beginning of the articles that fit best',
  },
  async run({ subject }) {
    const { WikipediaQueryRun } = await import('@langchain/community/tools/wikipedia_query_run').catch(
      (error: unknown) => {
        throw missing(error);
      },
    );
    return (await new WikipediaQueryRun({ topKResults: 2, maxDocContentLength: 3_000 }).invoke(
      String(subject),
    )) as unknown;
  },
};
