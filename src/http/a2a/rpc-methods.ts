// The JSON-RPC methods of both versions: each action under its method names, with its permission.
import { rpcOperation, type RpcOperation } from '../pipeline/operation.ts';
import { actionNames, actions } from './protocol/actions.ts';
import type { VersionAdapter } from './protocol/version-adapter.ts';
import { activatedHeaders } from './protocol/extensions.ts';
import { wantsLegacyWrapper, taskV03ToLegacyWrapper } from './v0_3/params-to-v03.ts';
import type { WireVersion } from './protocol/versions.ts';

export type VersionAdapters = Readonly<Record<WireVersion, VersionAdapter>>;

const versions: readonly WireVersion[] = ['0.3', '1.0'];

export function buildA2aMethods(adapters: VersionAdapters): RpcOperation[] {
  return versions.flatMap((version) => buildMethods(adapters[version]));
}

/** True for a method of this version. No method name belongs to both versions. */
export function isMethodOf(version: WireVersion, method: string): boolean {
  return methodNames[version].has(method);
}

const methodNamesOf = (version: WireVersion): ReadonlySet<string> =>
  new Set(actionNames.flatMap((name) => actions[name].methods[version]));
const methodNames: Readonly<Record<WireVersion, ReadonlySet<string>>> = {
  '0.3': methodNamesOf('0.3'),
  '1.0': methodNamesOf('1.0'),
};

function buildMethods(adapter: VersionAdapter): RpcOperation[] {
  return actionNames.flatMap((name) => {
    const { methods, permission, summary, createsTask = false } = actions[name];
    return methods[adapter.version].map((method) =>
      rpcOperation({
        name: `a2a.${name}`,
        method,
        permission,
        summary,
        createsTask,
        params: adapter.params[name],
        normalise: (params, path) => adapter.normalise(name, params, path),
        check: (params) => adapter.check(name, params),
        run: async (caller, { params, rawParams, path, context }) => {
          const plainAnswer = await adapter.answer(name, caller, { params, context });
          const active = activatedHeaders(context.view);
          const answer =
            active === undefined ? plainAnswer : { ...plainAnswer, headers: { ...plainAnswer.headers, ...active } };
          const isLegacy = name === 'send' && adapter.version === '0.3' && wantsLegacyWrapper(rawParams, path);
          return isLegacy && 'result' in answer ? { ...answer, result: taskV03ToLegacyWrapper(answer.result) } : answer;
        },
      }),
    );
  });
}
