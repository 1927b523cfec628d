// Answers to the requests of an Agent Client Protocol program: permissions by policy, files only inside the workspace.
import {
  RequestError,
  type ClientApp,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
} from '@agentclientprotocol/sdk';
import { relative, resolve } from 'node:path';
import type { SandboxedFiles } from '../../sandboxed-fs/files.ts';
import { PathRefused } from '../../sandboxed-fs/path-refused.ts';

export interface AcpPolicy {
  /** The workspace, with links resolved. */
  readonly path: string;
  readonly files: SandboxedFiles;
  /** True for `plan`, `explore` and `general`: writes are rejected. */
  readonly onlyReads: boolean;
}

/** Kinds of tools that change nothing. */
const readingKinds = new Set(['read', 'search', 'think', 'fetch']);

function isOutside(path: string, root: string): boolean {
  const below = relative(root, resolve(root, path));
  return below === '..' || below.startsWith('../');
}

/**
 * Decides a permission request. A writing attempt may do everything whose locations lie in the workspace; a reading one
 * only what reads.
 * Commands name no locations. A writing attempt may run them, as with every other agent program.
 */
function isAllowed({ toolCall }: RequestPermissionRequest, { path, onlyReads }: AcpPolicy): boolean {
  if (onlyReads) return readingKinds.has(toolCall.kind ?? 'other');
  const named = (toolCall.locations ?? []).map((location) => location.path);
  const diffs = (toolCall.content ?? []).flatMap((part) => (part.type === 'diff' ? [part.path] : []));
  return ![...named, ...diffs].some((file) => isOutside(file, path)) || readingKinds.has(toolCall.kind ?? 'other');
}

/** Allows once, never always, so that the next call is checked again. */
function decide(request: RequestPermissionRequest, policy: AcpPolicy): RequestPermissionResponse {
  const kinds = isAllowed(request, policy) ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always'];
  for (const kind of kinds) {
    const option = request.options.find((offered) => offered.kind === kind);
    if (option !== undefined) return { outcome: { outcome: 'selected', optionId: option.optionId } };
  }
  return { outcome: { outcome: 'cancelled' } };
}

/** Sends the reason of a rejected path to the program. Errors of the disk are reported without details. */
async function withRequestErrors<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof PathRefused && error.code === 'not_found') throw RequestError.resourceNotFound();
    if (error instanceof PathRefused) throw RequestError.invalidParams(undefined, error.message);
    throw RequestError.internalError(undefined, 'the file cannot be used');
  }
}

/**
 * Registers the handlers for a program's requests. Terminals are not offered: the program has its own shell or none.
 */
export function answerRequests(app: ClientApp, policy: AcpPolicy): ClientApp {
  return app
    .onRequest('session/request_permission', ({ params }) => decide(params, policy))
    .onRequest('fs/read_text_file', ({ params: { path, line, limit } }) =>
      withRequestErrors(async () => {
        const text = await policy.files.readText(path);
        if (line == null && limit == null) return { content: text };
        const from = Math.max(0, (line ?? 1) - 1);
        return {
          content: text
            .split('\n')
            .slice(from, limit == null ? undefined : from + limit)
            .join('\n'),
        };
      }),
    )
    .onRequest('fs/write_text_file', ({ params: { path, content } }) =>
      withRequestErrors(async () => {
        if (policy.onlyReads) throw new PathRefused('guarded', 'This task may only read.');
        await policy.files.writeText(path, content);
        return {};
      }),
    );
}
