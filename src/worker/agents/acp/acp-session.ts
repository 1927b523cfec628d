// The dialogue of one attempt with an Agent Client Protocol program: handshake, session, mode, model, turns. choices-5.
import { PROTOCOL_VERSION, RequestError, type ClientContext } from '@agentclientprotocol/sdk';
import { z } from 'zod';
import { AgentError, type AgentReport, type AgentContext } from '../adapter/adapter.ts';
import { classifyFailure } from '../output/failure.ts';
import { parseModel } from '../adapter/model-name.ts';
import { addUsage } from '../output/usage.ts';
import type { AcpUpdates } from './acp-updates.ts';

export interface AcpDialogue {
  /** The agent's name, for messages. */
  readonly name: string;
  readonly agent: ClientContext;
  readonly context: AgentContext;
  /** The workspace, with links resolved. */
  readonly path: string;
  readonly onlyReads: boolean;
  readonly updates: AcpUpdates;
  /** Gets the session's id, which a cancel of the turn needs. */
  readonly opened: (sessionId: string) => void;
  /** The raw result of the last request of that method. */
  readonly rawResult: (method: string) => unknown;
}

/** Deadline of every request but the prompt. */
const answerMs = 120_000;

const choice = z.object({
  sessionId: z.string().min(1).max(500).optional(),
  modes: z
    .looseObject({ availableModes: z.array(z.looseObject({ id: z.string(), name: z.string() })) })
    .nullish()
    .catch(null),
  models: z
    .looseObject({ availableModels: z.array(z.looseObject({ modelId: z.string() })) })
    .nullish()
    .catch(null),
  configOptions: z
    .array(
      z.looseObject({
        id: z.string(),
        category: z.string().nullish(),
        options: z.array(z.looseObject({ value: z.string() })).catch([]),
      }),
    )
    .nullish()
    .catch(null),
});
type Choice = z.infer<typeof choice>;

const usage = z.object({ inputTokens: z.number(), outputTokens: z.number(), cachedReadTokens: z.number().nullish() });
const quota = z.object({ token_count: z.object({ input_tokens: z.number(), output_tokens: z.number() }) });
const turnEnd = z.object({
  stopReason: z.string(),
  usage: usage.nullish().catch(null),
  _meta: z
    .looseObject({ quota: quota.optional().catch(undefined) })
    .nullish()
    .catch(null),
});

/** Modes that only read, by the names that programs give them. */
const readingModes = /^(plan|read[-_ ]?only|ask|explore|architect)$/i;

function deadline(): { cancellationSignal: AbortSignal; stopWaitingOnCancel: true } {
  return { cancellationSignal: AbortSignal.timeout(answerMs), stopWaitingOnCancel: true };
}

async function initialize({ agent, name, onlyReads }: AcpDialogue): Promise<{ loads: boolean }> {
  const answer = await agent.request(
    'initialize',
    {
      protocolVersion: PROTOCOL_VERSION,
      // The worker has no unsaved files, so programs read from the disk; requests to read are answered all the same.
      // gemini 0.61 treats the answer that a file is missing as a failure of its tool.
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: !onlyReads }, terminal: false },
    },
    deadline(),
  );
  if (answer.protocolVersion !== PROTOCOL_VERSION) {
    const message = `${name} speaks version ${answer.protocolVersion} of the protocol, not ${PROTOCOL_VERSION}.`;
    throw new AgentError('agent_error', message);
  }
  return { loads: answer.agentCapabilities?.loadSession === true };
}

/** Loads the older session if there is one and the program still has it; otherwise opens a new one. */
async function openSession(dialogue: AcpDialogue, loads: boolean): Promise<{ id: string; choice: Choice }> {
  const { agent, path, context, rawResult } = dialogue;
  const sessionParams = { cwd: path, mcpServers: [] };
  if (loads && context.session !== undefined) {
    try {
      await agent.request('session/load', { ...sessionParams, sessionId: context.session }, deadline());
      return { id: context.session, choice: choice.safeParse(rawResult('session/load')).data ?? {} };
    } catch (error) {
      // The session may be gone; the prompt holds the exchange so far too.
      if (!(error instanceof RequestError)) throw error;
    }
  }
  await agent.request('session/new', sessionParams, deadline());
  const opened = choice.safeParse(rawResult('session/new')).data ?? {};
  if (opened.sessionId === undefined) throw new AgentError('agent_error', `${dialogue.name} did not open a session.`);
  return { id: opened.sessionId, choice: opened };
}

/** Selects the program's own read-only mode, if it has one. Without one its requests to write are rejected. */
async function applyMode({ agent, onlyReads }: AcpDialogue, sessionId: string, { modes }: Choice): Promise<void> {
  if (!onlyReads) return;
  const mode = modes?.availableModes.find(({ id, name }) => [id, name].some((word) => readingModes.test(word)));
  if (mode !== undefined) await agent.request('session/set_mode', { sessionId, modeId: mode.id }, deadline());
}

/** @throws AgentError `bad_model` when the program offers no way to select the model */
async function applyModel({ agent, context, name }: AcpDialogue, sessionId: string, offered: Choice): Promise<void> {
  if (context.task.model === null) return;
  const { provider, model } = parseModel(context.task.model);
  const names = [`${provider ?? ''}/${model}`, `${provider ?? ''}:${model}`, model];
  const find = (all: string[]): string | undefined =>
    names.map((word) => all.find((one) => one === word)).find(Boolean);
  const option = offered.configOptions?.find(({ category, id }) => category === 'model' || id === 'model');
  const value = find(option?.options.map((one) => one.value) ?? []);
  const modelId = find(offered.models?.availableModels.map((one) => one.modelId) ?? []);
  if (option !== undefined && value !== undefined) {
    await agent.request('session/set_config_option', { sessionId, configId: option.id, value }, deadline());
  } else if (modelId !== undefined) {
    // This method is not in the stable part of the protocol, but many programs have it.
    const setModel: string = 'session/set_model';
    await agent.request(setModel, { sessionId, modelId }, deadline());
  } else {
    throw new AgentError('bad_model', `${name} cannot be set to use the model ${context.task.model}.`);
  }
}

function countUsage(report: AgentReport, end: z.infer<typeof turnEnd> | undefined): void {
  const count = end?._meta?.quota?.token_count;
  const input = end?.usage?.inputTokens ?? count?.input_tokens;
  if (input === undefined) return;
  const output = end?.usage?.outputTokens ?? count?.output_tokens ?? 0;
  report.usage = addUsage(report.usage, { input, output, cached: end?.usage?.cachedReadTokens ?? 0, cost: 0 });
}

/** Sends the prompt, then one turn for each batch of messages that arrived meanwhile. */
async function runPromptTurns(dialogue: AcpDialogue, sessionId: string): Promise<void> {
  const { agent, context, updates, rawResult, name } = dialogue;
  const { report, inbox } = context;
  for (
    let promptText = context.prompt;
    ;
    promptText = inbox
      .take()
      .map(({ text }) => text)
      .join('\n\n')
  ) {
    const prompt = [{ type: 'text' as const, text: promptText }];
    await agent.request('session/prompt', { sessionId, prompt });
    await context.show(updates.rest());
    const end = turnEnd.safeParse(rawResult('session/prompt')).data;
    countUsage(report, end);
    if (end?.stopReason !== 'end_turn') {
      report.failure = classifyFailure(name, `stop reason: ${end?.stopReason ?? 'none given'}`);
      return;
    }
    if (inbox.close()) {
      report.finished = true;
      return;
    }
  }
}

/**
 * Conducts the whole dialogue; `session.report` holds the outcome.
 * @throws AgentError, the error of a rejected request, or an error because the connection is closed
 */
export async function runDialogue(dialogue: AcpDialogue): Promise<void> {
  const { loads } = await initialize(dialogue);
  const { id, choice: offered } = await openSession(dialogue, loads);
  dialogue.opened(id);
  // Only a session that the program can load again is worth recording.
  if (loads) dialogue.context.report.session = id;
  await applyMode(dialogue, id, offered);
  await applyModel(dialogue, id, offered);
  dialogue.updates.listen();
  await runPromptTurns(dialogue, id);
}
