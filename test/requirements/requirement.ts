// The noun requirement: one testable statement of the specification, and the phase of the work that owes it.

/** The content of each phase of the work. The names are capabilities; `foundation` must hold now. */
export const phases = {
  foundation: 'the queue, the worker, the agent family, the first A2A door, the command line',
  access: 'credentials, policy, tenancy and audit, proven',
  a2a: 'the whole A2A protocol, both versions and both bindings',
  automation: 'the task API for automation platforms, webhooks, limits',
  'tool-protocol': 'the tool server and its platform tools',
  'remote-workers': 'broker, many replicas, sessions, interventions, signed and sandboxed tools',
  cluster: 'self-management inside a container orchestration cluster',
  runs: 'autonomous development runs, PRD chat, large contexts',
  backup: 'backup, restore and point in time',
  marketing: 'marketing tools and the coordinator',
  'monitor-ui': 'the pages for people and their sign-in',
  schedules: 'cron jobs, the state of background loops, what acts for its owner later',
  objectives: 'objectives, key results and their runs, artifacts that any agent leaves',
  insight: 'analytics',
};

type Phase = keyof typeof phases;

export interface Requirement {
  /** `core-` the service core, `tools-` tools and marketing, `runs-` autonomous runs, `ui-` the monitor UI, `platform-` cluster, cron, objectives, analytics, backup, `choices-` the settled gaps; then section and count. Never reused. */
  readonly id: string;
  /** The section it restates, such as `core-5.1`. */
  readonly source: string;
  readonly text: string;
  readonly phase: Phase;
}

/** The statements of one place in the specification that one phase owes: `texts` maps id to statement, in order. */
export function requirements(source: string, phase: Phase, texts: Readonly<Record<string, string>>): Requirement[] {
  return Object.entries(texts).map(([id, text]) => ({ id, source, text, phase }));
}
