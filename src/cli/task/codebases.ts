// The commands `codebase add|list|rm`, and how the command line resolves the name of a codebase.
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { Command } from 'commander';
import { z } from 'zod';
import {
  codebaseAnswer,
  codebaseId,
  codebasePage,
  registrationPending,
  type CodebaseWire,
} from '../../contracts/codebase.ts';
import { taskAnswer } from '../../contracts/task.ts';
import { isGitUrl } from '../../lib/text/git-url.ts';
import { allPages } from '../core/all-pages.ts';
import { CliError } from '../core/cli-error.ts';
import { newCommand, type CommandContext } from '../core/command.ts';
import { findConnection, withConnection, type ConnectionFlags } from '../core/connection.ts';
import { exitCodes } from '../core/exit-codes.ts';
import { followTaskEvents } from './follow.ts';
import type { CliIo } from '../core/io.ts';
import { singleLine, printJson, table } from '../core/output.ts';
import { byId, createCliServiceClient, type CliServiceClient } from '../core/service-client.ts';

interface Flags extends ConnectionFlags {
  readonly json?: true;
}

interface AddFlags extends Flags {
  readonly name?: string;
  readonly description?: string;
  readonly worker?: string;
}

export function codebaseCommand(run: CommandContext): Command {
  const { io, end } = run;
  const group = new Command('codebase').description('manage the codebases of workers');
  const add = newCommand('add', 'register a folder; a worker that has it binds it')
    .argument('[path]', 'path on the machine of the worker, or the address of a repository to clone', '.')
    .option('--name <name>', 'name (default: the name of the folder)')
    .option('--description <text>', 'description')
    .option('--worker <id>', 'bind it to this worker at once, and to no other worker')
    .action(async (folder: string, flags: AddFlags) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      const added = await addCodebase(client, io, isGitUrl(folder) ? folder : path.resolve(io.cwd, folder), flags);
      if (flags.json) printJson(io, { codebase: added });
      else io.out(`${added.codebase_id}  ${singleLine(added.name)}  ${singleLine(added.path)}\n`);
      end(exitCodes.ok);
    });
  const list = newCommand('list', 'list codebases').action(async (flags: Flags) => {
    const codebases = await allCodebases(createCliServiceClient(await findConnection(io, flags), io));
    if (flags.json) printJson(io, { codebases });
    else io.out(codebaseTable(codebases));
    end(exitCodes.ok);
  });
  const remove = newCommand('rm', 'remove a codebase from the register; files are not touched')
    .argument('<codebase>', 'id, name, or path')
    .action(async (reference: string, flags: Flags) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      // Matches a folder exactly, never one that contains it: a misspelt word inside a codebase must not remove that codebase.
      const id = await resolveCodebase(client, io, reference, { below: false });
      const { codebase } = await client.read(client.api.DELETE('/v1/agent/codebases/{id}', byId(id)), codebaseAnswer);
      if (flags.json) printJson(io, { codebase });
      else io.out(`removed ${codebase.codebase_id}  ${singleLine(codebase.name)}\n`);
      end(exitCodes.ok);
    });
  for (const command of [add, list, remove]) group.addCommand(withConnection(command));
  return group;
}

function codebaseTable(codebases: readonly CodebaseWire[]): string {
  const rows = codebases.map(({ codebase_id, name, status, bindings, path: boundPath }) => [
    codebase_id,
    name,
    status,
    String(bindings.length),
    boundPath,
  ]);
  return table(['ID', 'NAME', 'STATUS', 'WORKERS', 'PATH'], rows);
}

export async function allCodebases(client: Pick<CliServiceClient, 'api' | 'read'>): Promise<CodebaseWire[]> {
  return allPages(
    async (query) => client.read(client.api.GET('/v1/agent/codebases', { params: { query } }), codebasePage),
    (page) => page.codebases,
  );
}

/**
 * Resolves a reference to an id: an id, `global`, the path of a worker's folder, a unique name, or a path below such a folder.
 * A relative path below a folder must exist: otherwise any misspelt word would match the codebase of the current folder.
 * @param below whether a path below a worker's folder matches its codebase
 * @throws CliError when nothing matches, or several codebases do
 */
export async function resolveCodebase(
  client: Pick<CliServiceClient, 'api' | 'read'>,
  io: CliIo,
  reference: string,
  { below } = { below: true },
): Promise<string> {
  if (codebaseId.safeParse(reference).success) return reference;
  const codebases = await allCodebases(client);
  const named = codebases.filter(({ name }) => name === reference);
  const folder = path.resolve(io.cwd, reference);
  const real = await realpath(folder).catch(() => undefined);
  const folders = [folder, real ?? folder];
  const workerCodebases = codebases.filter(({ codebase_id }) => codebase_id !== 'global');
  const exact = workerCodebases.filter(({ bindings }) =>
    bindings.some(({ path: boundPath }) => folders.includes(boundPath)),
  );
  const matchBelow = below && named.length === 0 && (real !== undefined || path.isAbsolute(reference));
  const match = exact[0] ?? (matchBelow ? findDeepestEnclosing(workerCodebases, folders) : undefined);
  // Several workers may hold the same path. To run a task any of them will do; to change one codebase the path is ambiguous.
  const candidates = below && match !== undefined ? [match] : exact;
  const [first, second] = candidates.length === 0 ? named : candidates;
  if (first !== undefined && second === undefined) return first.codebase_id;
  const list = 'List them with `switchyard codebase list`.';
  if (first !== undefined) {
    throw new CliError(
      exitCodes.usage,
      'ambiguous',
      `Several codebases are named ${singleLine(reference)}, or are at this path.`,
      `Use the id. ${list}`,
    );
  }
  throw new CliError(
    exitCodes.notFound,
    'codebase_not_found',
    `No worker holds a codebase at ${singleLine(folder)}, and none is named ${singleLine(reference)}.`,
    `Register it with \`switchyard codebase add ${singleLine(reference)}\`. ${list}`,
  );
}

/** The codebase with the deepest folder that contains one of the paths. */
function findDeepestEnclosing(
  codebases: readonly CodebaseWire[],
  folders: readonly string[],
): CodebaseWire | undefined {
  let best: { codebase: CodebaseWire; depth: number } | undefined;
  for (const codebase of codebases) {
    for (const { path: boundPath } of codebase.bindings) {
      const encloses = folders.some((folder) =>
        folder.startsWith(boundPath.endsWith('/') ? boundPath : `${boundPath}/`),
      );
      if (encloses && boundPath.length > (best?.depth ?? -1)) best = { codebase, depth: boundPath.length };
    }
  }
  return best?.codebase;
}

const registrationAnswer = z.union([codebaseAnswer, registrationPending]);
const bindingResult = z.object({ codebase_id: codebaseId });

async function addCodebase(
  client: CliServiceClient,
  io: CliIo,
  folder: string,
  { name, description, worker }: AddFlags,
): Promise<CodebaseWire> {
  const body = {
    name: name ?? (path.basename(folder) || folder),
    path: folder,
    description,
    worker_id: worker,
  };
  const answer = await client.read(client.api.POST('/v1/agent/codebases', { body }), registrationAnswer);
  if ('codebase' in answer) return answer.codebase;
  const id = await registrationResult(client, io, answer.task_id);
  return (await client.read(client.api.GET('/v1/agent/codebases/{id}', byId(id)), codebaseAnswer)).codebase;
}

/** Waits until a worker has bound the path, or all have declined. */
async function registrationResult(client: CliServiceClient, io: CliIo, taskId: string): Promise<string> {
  const signal = new AbortController().signal;
  for await (const event of followTaskEvents({ client, taskId, signal, onReconnect: () => undefined, now: io.now })) {
    if (event.type === 'status' && event.data.final) break;
  }
  const { task } = await client.read(client.api.GET('/v1/agent/tasks/{id}', byId(taskId)), taskAnswer);
  const result = bindingResult.safeParse(task.result === null ? undefined : JSON.parse(task.result));
  if (task.status === 'completed' && result.success) return result.data.codebase_id;
  throw new CliError(
    exitCodes.failed,
    task.error?.code ?? 'not_registered',
    `The codebase was not registered: ${task.error?.message ?? task.status}`,
    'The path must be an existing folder on the machine of a worker.',
  );
}
