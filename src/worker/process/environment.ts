// The environment of one attempt: the worker's own, without credentials of the worker and the service. choices-5.
import { secretVariables } from '../../lib/system/secret-variables.ts';

/** Variables that hold a secret or lead to one, left out unless `agent_env` names them. */
const withheld = new Set([
  ...secretVariables,
  'A2A_CARD_SIGNING_KEY_FILE',
  'AUDIT_SIGNING_KEY_FILE',
  'POLICY_URL',
  // Beside PGPASSWORD, where PostgreSQL's own clients find a password.
  'PGPASSFILE',
  // They point git, the agent's and ours, to a repository other than the workspace.
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_COMMON_DIR',
  'GIT_DIR',
  'GIT_INDEX_FILE',
  'GIT_NAMESPACE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_PREFIX',
  'GIT_WORK_TREE',
  // The folder in which the worker was started is private to it.
  'OLDPWD',
]);

/** Each secret has a `…_FILE` form too. Variables with this product's own prefix belong to the worker. */
function isWithheld(name: string): boolean {
  return withheld.has(name) || withheld.has(name.replace(/_FILE$/, '')) || name.startsWith('SWITCHYARD_');
}

/** The variable by which the processes of an attempt are found again, even in another session. */
export const attemptTagVariable = 'SWITCHYARD_RUN';

export interface AgentEnvironment {
  /** The worker's environment. */
  readonly env: NodeJS.ProcessEnv;
  /** `agent_env`: names of variables that are passed on although they would be withheld. */
  readonly passEnv: string[];
}

/**
 * The worker's environment without credentials: for agents, and for git, which may run programs that a repository
 * configures.
 */
export function withoutCredentials({ env, passEnv }: AgentEnvironment): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => passEnv.includes(name) || !isWithheld(name)));
}

export interface AttemptEnvironment extends AgentEnvironment {
  /** The working folder of the agent: `PWD`. */
  readonly path: string;
  readonly taskId: string;
  /** A random id, unique to the attempt. */
  readonly tag: string;
  /** The attempt's own home (`agent_home: private`); undefined: `HOME` stays the user's. */
  readonly home: string | undefined;
  /** Variables of the agent's adapter. */
  readonly extra: Record<string, string>;
  /** The parent span of the agent; undefined: none. */
  readonly traceparent?: string | undefined;
}

/** The whole environment of an agent's process. */
export function buildAttemptEnvironment(options: AttemptEnvironment): NodeJS.ProcessEnv {
  const base = withoutCredentials(options);
  if (options.home !== undefined) {
    // They would lead out of the private home.
    for (const name of ['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME']) delete base[name];
    base['HOME'] = options.home;
  }
  // The worker's own values, if any, belong to another trace.
  for (const name of ['TRACEPARENT', 'TRACESTATE']) delete base[name];
  return {
    ...base,
    ...options.extra,
    ...(options.traceparent === undefined ? {} : { TRACEPARENT: options.traceparent }),
    PWD: options.path,
    SWITCHYARD_TASK_ID: options.taskId,
    [attemptTagVariable]: options.tag,
  };
}
