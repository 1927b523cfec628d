// The environment of one run: the worker's own, less its and the service's credentials. choices-5.
import { secretVariables } from '../../lib/system/secret-variables.ts';

/**
 * Variables that hold a secret or lead to one. They are left out unless `agent_env` names them.
 */
const withheld = new Set([
  ...secretVariables,
  'A2A_CARD_SIGNING_KEY_FILE',
  'AUDIT_SIGNING_KEY_FILE',
  'POLICY_URL',
  // With PGPASSWORD, how PostgreSQL's own clients are told a password.
  'PGPASSFILE',
  // They point git, the agent's and ours, at another repository than the work place.
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_COMMON_DIR',
  'GIT_DIR',
  'GIT_INDEX_FILE',
  'GIT_NAMESPACE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_PREFIX',
  'GIT_WORK_TREE',
  // The folder that the worker came from is nobody's business in a run.
  'OLDPWD',
]);

/** Each secret has a `…_FILE` form too, and everything of this product's own name is the worker's. */
function isWithheld(name: string): boolean {
  return withheld.has(name) || withheld.has(name.replace(/_FILE$/, '')) || name.startsWith('SWITCHYARD_');
}

/** The variable by which the processes of a run are found again, wherever they move themselves. */
export const attemptTagVariable = 'SWITCHYARD_RUN';

export interface AgentEnvironment {
  /** The worker's environment. */
  env: NodeJS.ProcessEnv;
  /** Names that are passed on although they are withheld otherwise: `agent_env`. */
  passEnv: string[];
}

/** The worker's environment without credentials: for agents, and for git, which may run what a repository configures. */
export function withoutCredentials({ env, passEnv }: AgentEnvironment): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => passEnv.includes(name) || !isWithheld(name)));
}

export interface AttemptEnvironment extends AgentEnvironment {
  /** The folder that the agent works in: `PWD`. */
  path: string;
  taskId: string;
  /** A random word, unique to the run. */
  tag: string;
  /** A home of the run's own (`agent_home: private`); without it `HOME` stays the user's. */
  home: string | undefined;
  /** What the agent's adapter adds. */
  extra: Record<string, string>;
  /** The span that it works under; undefined: none. */
  traceparent?: string | undefined;
}

/** The whole environment of an agent's process. */
export function buildAttemptEnvironment(options: AttemptEnvironment): NodeJS.ProcessEnv {
  const base = withoutCredentials(options);
  if (options.home !== undefined) {
    // They would lead out of the private home again.
    for (const name of ['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME']) delete base[name];
    base['HOME'] = options.home;
  }
  // The worker's own, if it has one, is of another trace.
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
