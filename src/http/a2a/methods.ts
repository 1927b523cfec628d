// The methods of the protocol on JSON-RPC, of both versions: each action under its names, with its permission.
import { rpcOperation, type RpcOperation } from '../pipeline/operation.ts';
import { actionNames, actions } from './protocol/actions.ts';
import type { Dialect } from './protocol/dialect.ts';
import { activatedHeaders } from './protocol/extensions.ts';
import { wantsWrapper, wrapped } from './v0_3/legacy.ts';
import type { WireVersion } from './protocol/versions.ts';

export type Dialects = Readonly<Record<WireVersion, Dialect>>;

const versions: readonly WireVersion[] = ['0.3', '1.0'];

export function a2aMethods(dialects: Dialects): RpcOperation[] {
  return versions.flatMap((version) => methodsOf(dialects[version]));
}

/** True for a method of this version: each version has names of its own. */
export function isMethodOf(version: WireVersion, method: string): boolean {
  return named[version].has(method);
}

const namesOf = (version: WireVersion): ReadonlySet<string> =>
  new Set(actionNames.flatMap((name) => actions[name].methods[version]));
const named: Readonly<Record<WireVersion, ReadonlySet<string>>> = { '0.3': namesOf('0.3'), '1.0': namesOf('1.0') };

function methodsOf(dialect: Dialect): RpcOperation[] {
  return actionNames.flatMap((name) => {
    const { methods, permission, summary, createsTask = false } = actions[name];
    return methods[dialect.version].map((method) =>
      rpcOperation({
        name: `a2a.${name}`,
        method,
        permission,
        summary,
        createsTask,
        params: dialect.params[name],
        normalise: (params, path) => dialect.normalise(name, params, path),
        check: (params) => dialect.check(name, params),
        run: async (caller, { params, given, path, facts }) => {
          const said = await dialect.answer(name, caller, { params, facts });
          const active = activatedHeaders(facts.words);
          const answer = active === undefined ? said : { ...said, headers: { ...said.headers, ...active } };
          const legacy = name === 'send' && dialect.version === '0.3' && wantsWrapper(given, path);
          return legacy && 'result' in answer ? { ...answer, result: wrapped(answer.result) } : answer;
        },
      }),
    );
  });
}
