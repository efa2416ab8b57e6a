/** The `generate` task: a step's prompt into calls of the agent's functions. */
import type { GenerateAnswer, TaskData } from '../model.ts';
import { filledFromBoard } from './board.ts';
import { compiled } from './compiled.ts';
import { interpret } from './interpret.ts';
import type { CallReading } from './reading.ts';
import { modelNeeded, questionOf, refusalOf, takesModel, tieQuestion, unclearMessage, wordsOfClause } from './said.ts';

type Call = GenerateAnswer['calls'][number];

interface Part {
  readonly calls: readonly Call[];
  readonly question?: string;
  readonly refusal?: string;
}

/** All clauses of the prompt that are clear give calls; the rest is asked or refused in words. */
export function generateWithRules(data: TaskData): GenerateAnswer {
  const allowed = data.agents.flatMap((agent) => agent.generates);
  const tools = data.tools ?? [];
  const own = data.functions.filter(({ name }) => allowed.includes(name) && !tools.some((tool) => tool.name === name));
  const functions = [...own, ...tools];
  const { requests, unclear, isWithdrawn } = interpret(data.request, compiled(functions));
  if (unclear) return { message: unclearMessage(unclear), calls: [] };
  if (!requests.length)
    return { message: isWithdrawn ? 'All right, I do nothing.' : 'There is nothing to do.', calls: [] };
  const board = [...data.board];
  const parts = requests.map((request): Part => {
    if (request.kind === 'tie')
      return {
        calls: [],
        question: tieQuestion(
          request.matches.map(({ fn }) => fn.spec),
          wordsOfClause(request),
        ),
      };
    const part = partOf(request.stranger === undefined ? filledFromBoard(request, board) : request);
    board.push(...part.calls);
    return part;
  });
  const questions = parts.flatMap(({ question }) => question ?? []);
  const refusals = parts.flatMap(({ refusal }) => refusal ?? []);
  const calls = parts.flatMap((part) => part.calls);
  const message = [...refusals, ...questions].join(' ') || 'Done.';
  return {
    message,
    calls,
    ...(questions.length ? { question: questions.join(' ') } : {}),
    ...(requests.every((one) => one.kind === 'call' && one.isFallback)
      ? { otherwise: 'Nothing here tells me that.' }
      : {}),
    ...(refusals.length ? { refusal: refusals.join(' ') } : {}),
  };
}

function partOf(reading: CallReading): Part {
  if (reading.missing.length && takesModel(reading.fn.spec))
    return { calls: [], refusal: modelNeeded(wordsOfClause(reading)) };
  if (reading.outside.length) return { calls: [], refusal: refusalOf(reading) };
  if (reading.conflicts.length || reading.missing.length)
    return { calls: [], question: questionOf(reading, wordsOfClause(reading)) };
  return { calls: reading.calls.map((parameters) => ({ function: reading.fn.spec.name, parameters })) };
}
