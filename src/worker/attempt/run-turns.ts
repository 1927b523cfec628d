// Runs an agent, and resumes its session for messages that it could not take while it worked.
import type { NewArtifact } from '../../contracts/worker.ts';
import type { AgentUsage, ToolCounts } from '../agents/adapter/adapter.ts';
import type { SessionFacts } from '../report/task-outcome.ts';
import { runAgent, type AgentEnd, type AgentStart } from './run-agent.ts';

export interface TurnsEnd extends Pick<AgentEnd, 'usage' | 'judge'> {
  readonly facts: SessionFacts;
  /** The artifacts of the agent itself, of its last turn. */
  readonly artifacts: readonly NewArtifact[];
  /** The agent's answer in its last turn. */
  readonly answer: string;
}

/** The form of session ids; never an option in a program's arguments. */
const sessionName = /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,199}$/;

/** Whether a text may be used as a session id in a program's arguments. */
export function isSessionName(value: unknown): value is string {
  return typeof value === 'string' && sessionName.test(value);
}

/**
 * Runs the agent until it ends, and resumes its session as long as messages wait and it can be resumed. Messages that
 * cannot be delivered any more are answered as failed.
 * @throws as `runAgent`
 */
export async function runTurns(start: AgentStart): Promise<TurnsEnd> {
  const { agent, agentHome, interventions, signal } = start;
  const tools = new Map<string, ToolCounts>();
  try {
    let end = await begin(start);
    addToolCounts(tools, end);
    let { usage } = end;
    let session = end.report.session ?? start.session;
    while (!interventions.inbox.close()) {
      const next = await resume(start, end, session);
      if (next === undefined) break;
      addToolCounts(tools, next);
      end = next;
      usage = addUsages(usage, next.usage);
      session = next.report.session ?? session;
    }
    const resumable =
      agent.resumes && agentHome === 'user' && !signal.aborted && isSessionName(session) ? session : undefined;
    const { sessionUsage, artifacts = [], answer } = end.report;
    const facts = { session: resumable, sessionUsage, tools };
    return { usage, judge: (changed) => end.judge(changed), facts, artifacts, answer };
  } finally {
    interventions.close('run_ended');
  }
}

/**
 * The first turn. If the agent does not find its session (because it keeps sessions by folder), it starts without it.
 */
async function begin(start: AgentStart): Promise<AgentEnd> {
  const end = await runAgent(start);
  const { answer, failure, tools } = end.report;
  const untouched = answer === '' && tools === undefined && (failure === undefined || failure.code === 'agent_error');
  if (start.session === undefined || end.done || start.signal.aborted || !untouched) return end;
  await start.output.write('stderr', `${start.agent.name} could not resume its session and starts a new one.\n`);
  return runAgent({ ...start, session: undefined, sessionUsage: undefined, leftMs: end.leftMs });
}

/** The next turn with the waiting messages; undefined when there can be none. */
async function resume(start: AgentStart, end: AgentEnd, session: string | undefined): Promise<AgentEnd | undefined> {
  const { agent, interventions, signal } = start;
  if (agent.resumes !== true || !isSessionName(session)) interventions.close('agent_takes_no_messages');
  if (agent.resumes !== true || !isSessionName(session) || !end.done || signal.aborted) return undefined;
  const turn = interventions.inbox
    .take()
    .map(({ text }) => text)
    .join('\n\n');
  return runAgent({ ...start, session, sessionUsage: end.report.sessionUsage, turn, leftMs: end.leftMs });
}

export function addUsages(one: AgentUsage, other: AgentUsage): AgentUsage {
  const cost = (one.cost_usd ?? 0) + (other.cost_usd ?? 0);
  const usage = {
    input_tokens: added(one.input_tokens, other.input_tokens),
    cached_tokens: added(one.cached_tokens, other.cached_tokens),
    output_tokens: added(one.output_tokens, other.output_tokens),
    duration_ms: added(one.duration_ms, other.duration_ms),
  };
  return { ...usage, ...(cost > 0 && { cost_usd: cost }) };
}

function added(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined && other === undefined ? undefined : (one ?? 0) + (other ?? 0);
}

function addToolCounts(tools: Map<string, ToolCounts>, { report }: AgentEnd): void {
  for (const [name, { calls, failed }] of report.tools ?? []) {
    const known = tools.get(name) ?? { calls: 0, failed: 0 };
    tools.set(name, { calls: known.calls + calls, failed: known.failed + failed });
  }
}
