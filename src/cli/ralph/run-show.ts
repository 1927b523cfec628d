// The commands `ralph list|show|watch`: runs, one run with its stories, one story with its evidence.
import { Option, type Command } from 'commander';
import { runPage, runStatus, type RunWire } from '../../contracts/ralph/run.ts';
import {
  attemptList,
  storyAnswer,
  type AttemptWire,
  type EvidenceWire,
  type StoryWire,
} from '../../contracts/ralph/story.ts';
import { newCommand, type CommandContext } from '../core/command.ts';
import { exitCodes } from '../core/exit-codes.ts';
import { openClient, type ClientFlags } from '../core/open-client.ts';
import { fields, printJson, shorten, singleLine } from '../core/output.ts';
import { integerArgument } from '../flags/integer-argument.ts';
import { resolveCodebase } from '../task/codebases.ts';
import { programCommand } from '../task/first-task.ts';
import { criteriaMarks, runListTable, runText } from './run-table.ts';
import { readRun, waitForRun } from './run-wait.ts';

interface ListFlags extends ClientFlags {
  readonly status?: RunWire['status'];
  readonly codebase?: string;
  readonly project?: string;
  readonly limit: number;
}

export function listRunsCommand(run: CommandContext): Command {
  const { io, end } = run;
  return newCommand('list', 'list runs, newest first')
    .addOption(new Option('--status <status>', 'only runs in this state').choices(runStatus.options))
    .option('--codebase <codebase>', 'only runs on this codebase: id, name or path')
    .option('--project <name>', 'only runs of this project')
    .option('--limit <number>', 'how many, 1 to 200', integerArgument, 20)
    .action(async ({ status, codebase, project, limit, ...flags }: ListFlags) => {
      const client = await openClient(run, flags);
      const codebaseId = codebase === undefined ? undefined : await resolveCodebase(client, io, codebase);
      const query = {
        limit,
        ...(status === undefined ? {} : { status }),
        ...(project === undefined ? {} : { project }),
        ...(codebaseId === undefined ? {} : { codebase_id: codebaseId }),
      };
      const page = await client.read(client.api.GET('/v1/ralph/runs', { params: { query } }), runPage);
      if (flags.json) printJson(io, page);
      else io.out(runListTable(page.runs, io.now()));
      end(exitCodes.ok);
    });
}

export function showRunCommand(run: CommandContext): Command {
  const { io, end } = run;
  return newCommand('show', 'show a run with its stories and open questions, or one story with its evidence')
    .argument('<run>', 'id of the run')
    .option('--story <id>', 'one story: its criteria, evidence and attempts')
    .action(async (id: string, flags: ClientFlags & { story?: string }) => {
      const client = await openClient(run, flags);
      if (flags.story === undefined) {
        const shown = await readRun(client, id);
        if (flags.json) printJson(io, { run: shown });
        else io.out(runText(shown, await programCommand(io)));
        return end(exitCodes.ok);
      }
      const params = { path: { id, story_id: flags.story } };
      const { story } = await client.read(
        client.api.GET('/v1/ralph/runs/{id}/stories/{story_id}', { params }),
        storyAnswer,
      );
      const { attempts } = await client.read(
        client.api.GET('/v1/ralph/runs/{id}/stories/{story_id}/attempts', { params }),
        attemptList,
      );
      if (flags.json) printJson(io, { story, attempts });
      else io.out(storyText(story, attempts));
      end(exitCodes.ok);
    });
}

export function watchRunCommand(run: CommandContext): Command {
  const { io, end } = run;
  return newCommand('watch', 'follow a run until it ends or asks; the exit code is its outcome')
    .argument('<run>', 'id of the run')
    .action(async (id: string, flags: ClientFlags) => {
      const client = await openClient(run, flags);
      end(await waitForRun(client, io, id, { json: flags.json === true }));
    });
}

function storyText(story: StoryWire, attempts: readonly AttemptWire[]): string {
  const head = fields([
    ['story', `${story.story_id}: ${story.title}`],
    ['status', story.phase === null ? story.status : `${story.status} (${story.phase})`],
    ['result', story.result],
    ...(story.commit === null ? [] : [['commit', story.commit] as const]),
  ]);
  const criteria = story.criteria.map((criterion) => {
    const evidence = story.evidence.findLast((row) => row.criterion === criterion.index);
    const mark = `${criteriaMarks([criterion])} ${criterion.index + 1}. ${singleLine(criterion.text)}\n`;
    return evidence === undefined ? mark : `${mark}     ${evidenceLine(evidence)}\n`;
  });
  const tries = attempts.map((attempt) => `${attemptLine(attempt)}\n`);
  return `${head}\n${criteria.join('')}${tries.length === 0 ? '' : `\n${tries.join('')}`}`;
}

function evidenceLine({
  by,
  status,
  command,
  exit_code,
  reason,
  quotes,
  subject,
  vacuous,
  flaky,
}: EvidenceWire): string {
  const parts = [
    `${status} by ${by}${subject === undefined ? '' : ` ${subject}`}`,
    command === undefined ? '' : `\`${command}\`${typeof exit_code === 'number' ? ` exit ${exit_code}` : ''}`,
    ...(quotes ?? []).map(({ path, line, text }) => `${path}:${line} \`${shorten(text, 80)}\``),
    reason ?? '',
    vacuous === true ? 'it passed before the work, too' : '',
    flaky === true ? 'flaky' : '',
  ];
  return shorten(parts.filter((part) => part !== '').join('; '), 300);
}

function attemptLine({ n, try: tryNumber, status, failure_code: code, agent, summary, steps }: AttemptWire): string {
  const tries = tryNumber > 1 ? `, try ${tryNumber}` : '';
  const done = steps.map(({ kind, status: ended }) => `${kind} ${ended}`).join(', ');
  const why = code === null ? '' : ` (${code})`;
  return shorten(`iteration ${n}${tries}: ${status}${why}; ${agent ?? 'no agent yet'}; ${done}; ${summary}`, 300);
}
