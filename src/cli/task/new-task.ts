// The command `task create`: creates a task from flags, a file or standard input.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from 'commander';
import { taskAnswer, type TaskWire } from '../../contracts/task.ts';
import { CliError } from '../core/cli-error.ts';
import { resolveCodebase } from './codebases.ts';
import { collect, newCommand, type CommandContext } from '../core/command.ts';
import { findConnection, withConnection, type ConnectionFlags } from '../core/connection.ts';
import { exitCodes } from '../core/exit-codes.ts';
import type { CliIo } from '../core/io.ts';
import { jsonObjectArgument } from '../flags/json-object-argument.ts';
import { singleLine, printJson } from '../core/output.ts';
import { createCliServiceClient, type CliServiceClient } from '../core/service-client.ts';
import { waitForTask } from './task-wait.ts';
import { integerArgument } from '../flags/integer-argument.ts';

interface CreateFlags extends ConnectionFlags {
  readonly json?: true;
  readonly codebase?: string;
  readonly title?: string;
  readonly promptFile?: string;
  readonly follow?: true;
  readonly priority?: number;
  readonly agent?: string;
  readonly model?: string;
  readonly capability?: string[];
  readonly targetAgent?: string;
  readonly targetWorker?: string;
  readonly deadline?: string;
  readonly maxAttempts?: number;
  readonly conversation?: string;
  readonly metadata?: Record<string, unknown>;
  readonly webhookUrl?: string;
  readonly idempotencyKey?: string;
}

export function createCommand({ io, end }: CommandContext): Command {
  const command = newCommand('create', 'queue a task for an agent')
    .argument('[prompt...]', 'instructions for the agent; "-" reads them from standard input')
    .option('--codebase <codebase>', 'id, name, or a path on a worker; "global" for no codebase')
    .option('--follow', 'print events until the task ends; the exit code is its outcome')
    .option('--prompt-file <file>', 'file that holds the prompt')
    .option('--title <title>', 'title; the first line of the prompt by default')
    .option('--priority <number>', 'from 0 to 100, higher first', integerArgument)
    .option('--agent <type>', 'an agent (codex, command, …) or a mode (build, plan, explore, general)')
    .option('--model <model>', 'provider:model')
    .option('--capability <name>', 'capability that the worker must have; may be repeated', collect)
    .option('--target-agent <name>', 'only workers with this agent, or with this name')
    .option('--target-worker <id>', 'only this worker')
    .option('--deadline <time>', 'ISO 8601; the task fails if it has not ended by then')
    .option('--max-attempts <number>', 'most attempts, counting those lost with a worker', integerArgument)
    .option('--conversation <id>', 'conversation of the task')
    .option('--metadata <json>', 'JSON object stored with the task, at most 16 KiB', jsonObjectArgument)
    .option('--webhook-url <address>', 'address to notify when the task ends')
    .option('--idempotency-key <key>', 'repeated calls with the same key create one task')
    .action(async (promptArgs: string[], flags: CreateFlags) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      const task = await createTask(client, io, await readPrompt(io, promptArgs, flags), flags);
      if (flags.follow !== true) {
        if (flags.json) printJson(io, { task });
        else io.out(`${task.id}\n`);
        if (!flags.json)
          io.err(`${singleLine(task.title)}: ${task.status}. Follow it: switchyard task watch ${task.id}\n`);
        return end(exitCodes.ok);
      }
      if (!flags.json) io.err(`task ${task.id}\n`);
      end(await waitForTask(client, io, task.id, { json: flags.json === true, untilQuestion: true }));
    });
  return withConnection(command);
}

async function readPrompt(io: CliIo, promptArgs: readonly string[], { promptFile }: CreateFlags): Promise<string> {
  const argument = promptArgs.join(' ');
  if (promptFile !== undefined && argument !== '') {
    throw new CliError(
      exitCodes.usage,
      'two_prompts',
      'The prompt is given twice: as an argument and by --prompt-file.',
    );
  }
  const text =
    promptFile !== undefined
      ? await readPromptFile(io, promptFile)
      : argument === '-'
        ? await io.readStdin()
        : argument;
  if (text.trim() !== '') return text;
  const remedy = 'Give it as an argument, or in a file with --prompt-file; "-" reads standard input.';
  throw new CliError(exitCodes.usage, 'no_prompt', 'The prompt is missing.', remedy);
}

async function readPromptFile(io: CliIo, file: string): Promise<string> {
  try {
    return await readFile(path.resolve(io.cwd, file), 'utf8');
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CliError(exitCodes.usage, 'prompt_file', `The prompt cannot be read: ${why}`, '', { cause });
  }
}

async function createTask(client: CliServiceClient, io: CliIo, prompt: string, flags: CreateFlags): Promise<TaskWire> {
  if (flags.codebase === undefined) {
    throw new CliError(
      exitCodes.usage,
      'no_codebase',
      'Name the codebase: --codebase with an id, a name or a path, or "global".',
      'List them with `switchyard codebase list`; `--codebase .` is the codebase of the current folder.',
    );
  }
  const body = {
    title: flags.title ?? titleFromPrompt(prompt),
    prompt,
    codebase_id: await resolveCodebase(client, io, flags.codebase),
    priority: flags.priority,
    agent_type: flags.agent,
    model: flags.model,
    required_capabilities: flags.capability,
    target_agent: flags.targetAgent,
    target_worker_id: flags.targetWorker,
    deadline_at: flags.deadline,
    max_attempts: flags.maxAttempts,
    conversation_id: flags.conversation,
    metadata: flags.metadata,
    webhook_url: flags.webhookUrl,
  };
  const header = flags.idempotencyKey === undefined ? {} : { 'Idempotency-Key': flags.idempotencyKey };
  return (await client.read(client.api.POST('/v1/agent/tasks', { params: { header }, body }), taskAnswer)).task;
}

/** The first line that is not the fence of a code block. */
function titleFromPrompt(prompt: string): string {
  const line = prompt.split('\n').find((candidate) => /\w/.test(candidate.replace(/^\s*`{3,}.*/, '')));
  return singleLine(line?.trim() ?? 'Task').slice(0, 200);
}
