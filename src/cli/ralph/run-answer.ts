// The command `ralph answer`: answers an open question of a run, or shows what is asked.
import type { Command } from 'commander';
import { runAnswer, type RunQuestionWire } from '../../contracts/ralph/run.ts';
import { CliError } from '../core/cli-error.ts';
import { collect, newCommand, type CommandContext } from '../core/command.ts';
import { exitCodes } from '../core/exit-codes.ts';
import { openClient, type ClientFlags } from '../core/open-client.ts';
import { printJson } from '../core/output.ts';
import { byId } from '../core/service-client.ts';
import { amountArgument } from '../flags/amount-argument.ts';
import { durationArgument } from '../flags/duration-argument.ts';
import { integerArgument } from '../flags/integer-argument.ts';
import { programCommand } from '../task/first-task.ts';
import { runQuestionText } from './run-table.ts';
import { readRun } from './run-wait.ts';

interface AnswerFlags extends ClientFlags {
  readonly question?: string;
  readonly criterion?: string[];
  readonly text?: string;
  readonly agent?: string;
  readonly commit?: string;
  readonly branch?: string;
  readonly usd?: number;
  readonly tokens?: number;
  readonly time?: number;
  readonly iterations?: number;
}

export function answerRunCommand(run: CommandContext): Command {
  const { io, end } = run;
  return newCommand('answer', 'answer a question of a run; without an answer: show what it asks')
    .argument('<run>', 'id of the run')
    .argument('[answer...]', 'one of the options and, where it takes one, a text; for an agent’s question only a text')
    .option('--question <id>', 'the question (default: the only open one)')
    .option('--criterion <number=option>', 'the option for one criterion, counted from 1; may be repeated', collect)
    .option('--text <text>', 'hint or reason')
    .option('--agent <name>', 'with other_agent')
    .option('--commit <id>', 'with take: the commit that a person made')
    .option('--branch <name>', 'with rename')
    .option('--usd <amount>', 'with raise: by how much', amountArgument)
    .option('--tokens <number>', 'with raise: by how many', integerArgument)
    .option('--time <duration>', 'with raise: by how long, e.g. 2h', durationArgument)
    .option('--iterations <number>', 'with raise: by how many', integerArgument)
    .action(async (id: string, words: string[], flags: AnswerFlags) => {
      const client = await openClient(run, flags);
      const asked = await readRun(client, id);
      if (words.length === 0 && flags.criterion === undefined && flags.text === undefined) {
        const program = await programCommand(io);
        if (flags.json) printJson(io, { questions: asked.questions });
        else io.out(asked.questions.map((question) => runQuestionText(id, question, program)).join('\n'));
        return end(asked.questions.length === 0 ? exitCodes.ok : exitCodes.needsInput);
      }
      const question = chooseQuestion(asked.questions, flags.question);
      const body = { question_id: question.question_id, ...toAnswer(question, words, flags) };
      const call = client.api.POST('/v1/ralph/runs/{id}/answer', { ...byId(id), body });
      const { run: answered } = await client.read(call, runAnswer);
      if (flags.json) printJson(io, { run: answered });
      else io.out(`${answered.run_id} ${answered.status}\n`);
      end(exitCodes.ok);
    });
}

/** @throws CliError when none is open, or several are and none is named */
function chooseQuestion(open: readonly RunQuestionWire[], named: string | undefined): RunQuestionWire {
  const [first, second] = open;
  const found = named === undefined ? first : open.find(({ question_id: id }) => id === named);
  if (found === undefined) {
    const what = named === undefined ? 'The run asks nothing.' : `The run has no open question ${named}.`;
    throw new CliError(exitCodes.conflict, 'no_question', what);
  }
  if (named === undefined && second !== undefined) {
    const ids = open.map(({ question_id: id, kind }) => `${id} (${kind})`).join(', ');
    throw new CliError(
      exitCodes.usage,
      'several_questions',
      `The run asks several: ${ids}.`,
      'Name one by --question.',
    );
  }
  return found;
}

interface AnswerBody {
  readonly choice?: string;
  readonly choices?: Record<string, string>;
  readonly text?: string;
  readonly agent?: string;
  readonly commit?: string;
  readonly branch?: string;
  readonly usd?: number;
  readonly tokens?: number;
  readonly seconds?: number;
  readonly iterations?: number;
}

function toAnswer({ options }: RunQuestionWire, words: readonly string[], flags: AnswerFlags): AnswerBody {
  const [first, ...rest] = words;
  const choice = options.length === 0 ? undefined : first;
  const text = flags.text ?? (options.length === 0 ? words : rest).join(' ');
  const { agent, commit, branch, usd, tokens, time: seconds, iterations, criterion } = flags;
  return {
    ...(choice === undefined ? {} : { choice }),
    ...(criterion === undefined ? {} : { choices: Object.fromEntries(criterion.map(criterionChoice)) }),
    ...(text === '' ? {} : { text }),
    ...(agent === undefined ? {} : { agent }),
    ...(commit === undefined ? {} : { commit }),
    ...(branch === undefined ? {} : { branch }),
    ...(usd === undefined ? {} : { usd }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(seconds === undefined ? {} : { seconds }),
    ...(iterations === undefined ? {} : { iterations }),
  };
}

/** People count criteria from 1, the wire from 0. */
function criterionChoice(given: string): [string, string] {
  const [, number, option] = /^(\d{1,3})=(\w+)$/.exec(given) ?? [];
  if (number !== undefined && option !== undefined && Number(number) > 0) return [String(Number(number) - 1), option];
  throw new CliError(exitCodes.usage, 'bad_criterion', `${given} is not a criterion and an option, such as 2=accept.`);
}
