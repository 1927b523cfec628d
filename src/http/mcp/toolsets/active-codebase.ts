// Tools for the active codebase: the default of a caller's calls. Stored for the caller, not for a connection.
// choices-7.
import { z } from 'zod';
import { getActiveCodebase, setActiveCodebase } from '../../../domain/codebases/active.ts';
import { getCodebase } from '../../../domain/codebases/manage.ts';
import type { Caller } from '../../../domain/model/access/caller.ts';
import type { Codebase } from '../../../domain/model/codebase.ts';
import type { Store } from '../../../domain/ports/store/store.ts';
import { parseEntityId } from '../../pipeline/entity-id.ts';
import { anyId } from '../tools/tool-schemas.ts';
import { readOnly, idempotent, tool, type Tool } from '../tools/tool.ts';

interface ActiveDeps {
  readonly store: Store;
}

/** `principal`: stored for the caller; `request`: selected by the path or header of this request alone. */
type Scope = 'principal' | 'request';

const active = z.looseObject({
  codebase_id: z.string().nullable(),
  name: z.string().nullable(),
  path: z.string().nullable(),
  worker_id: z.string().nullable(),
  scope: z.enum(['principal', 'request']),
});

export function activeCodebaseTools(deps: ActiveDeps): Tool[] {
  return [setActiveTool(deps), currentTool(deps, 'get_current_codebase'), currentTool(deps, 'get_active_codebase')];
}

/** The default codebase of a call. Read without the caller's audit intent, because reading it changes nothing. */
export async function fallbackCodebaseId(deps: ActiveDeps, caller: Caller): Promise<string | undefined> {
  const { intent: _, ...reader } = caller;
  return (await getActiveCodebase(deps, reader))?.codebaseId;
}

function setActiveTool(deps: ActiveDeps): Tool {
  return tool({
    name: 'set_active_codebase',
    title: 'Set the active codebase',
    description:
      'Make a codebase the default of later calls without a codebase_id. It is stored for this credential, on every ' +
      'connection; a codebase_id in a call always wins.',
    toolset: 'codebases',
    keywords: 'repository repo project workspace select switch use default current',
    permission: 'codebases:read',
    hints: idempotent,
    input: z.strictObject({ codebase_id: anyId }),
    output: active,
    example: { codebase_id: 'global' },
    untrusted: true,
    run: async (caller, { codebase_id }) =>
      activeToWire(await setActiveCodebase(deps, caller, parseEntityId('codebase', codebase_id)), 'principal'),
  });
}

function currentTool(deps: ActiveDeps, name: 'get_current_codebase' | 'get_active_codebase'): Tool {
  const isAlias = name === 'get_active_codebase';
  return tool({
    name,
    title: isAlias ? 'Get the active codebase' : 'Get the current codebase',
    description: isAlias
      ? 'The same as get_current_codebase.'
      : 'Get the default codebase of calls without a codebase_id; null when none is set.',
    toolset: 'codebases',
    keywords: 'repository repo project workspace active default',
    permission: 'codebases:read',
    hints: readOnly,
    input: z.strictObject({}),
    output: active,
    example: {},
    untrusted: true,
    run: async (caller, _args, { codebaseId }) => {
      if (codebaseId !== undefined)
        return activeToWire(await getCodebase(deps, caller, parseEntityId('codebase', codebaseId)), 'request');
      return activeToWire(await getActiveCodebase(deps, caller), 'principal');
    },
  });
}

function activeToWire(codebase: Codebase | undefined, scope: Scope): z.input<typeof active> {
  return {
    codebase_id: codebase?.codebaseId ?? null,
    name: codebase?.name ?? null,
    path: codebase?.path ?? null,
    worker_id: codebase?.workerId ?? null,
    scope,
  };
}
