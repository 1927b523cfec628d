// The command `task create`: from flags, a file or standard input to a task.
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
    .argument('[prompt...]', 'what the agent is to do; "-" reads it from standard input')
    .option('--codebase <codebase>', 'id, name, or a path that a worker holds; "global" for none in particular')
    .option('--follow', 'print what happens until the task ends; the exit code is its outcome')
    .option('--prompt-file <file>', 'file that holds the prompt')
    .option('--title <title>', 'title; the first line of the prompt by default')
    .option('--priority <number>', 'from 0 to 100, higher first', integerArgument)
    .option('--agent <type>', 'an agent (codex, command, …) or a way to work (build, plan, explore, general)')
    .option('--model <model>', 'provider:model')
    .option('--capability <name>', 'what the worker must have; may stand several times', collect)
    .option('--target-agent <name>', 'only workers with this agent, or of this name')
    .option('--target-worker <id>', 'only this worker')
    .option('--deadline <time>', 'ISO 8601; the task fails when it has not ended by then')
    .option('--max-attempts <number>', 'attempts when workers die', integerArgument)
    .option('--conversation <id>', 'the conversation that it belongs to')
    .option('--metadata <json>', 'an object that stays with the task, at most 16 KiB', jsonObjectArgument)
    .option('--webhook-url <address>', 'told when the task ends')
    .option('--idempotency-key <key>', 'the same key makes one task, however often it is sent')
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
    throw new CliError(exitCodes.usage, 'two_prompts', 'There are two prompts: an argument and --prompt-file.');
  }
  const text =
    promptFile !== undefined
      ? await readPromptFile(io, promptFile)
      : argument === '-'
        ? await io.readStdin()
        : argument;
  if (text.trim() !== '') return text;
  const remedy = 'Write it as an argument, or name a file with --prompt-file; "-" reads standard input.';
  throw new CliError(exitCodes.usage, 'no_prompt', 'There is no prompt.', remedy);
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
      'See `switchyard codebase list`; `--codebase .` is the one of this folder.',
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
