// Sets up one attempt of the built-in agent `model`: its tools, its instructions, its shell.
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { artifactMarker } from '../../base/artifact-place.ts';
import { createSandboxedFiles } from '../../sandboxed-fs/files.ts';
import type { AgentContext } from '../adapter/adapter.ts';
import { mayOnlyRead } from '../adapter/agent-mode.ts';
import { runAgentLoop } from './agent-loop.ts';
import type { EndpointCallOptions } from './endpoint-call.ts';
import { largeContextHint, openLargeContext, rlmChoice } from './large-context.ts';
import { defaultRlmSettings } from './rlm/rlm-settings.ts';
import type { ModelSettings, ModelAgentDeps } from './model-settings.ts';
import { openModel } from './model-step.ts';
import { prdToolsFor } from './prd-tools.ts';
import { readingTools } from './reading-tools.ts';
import { createShell } from './shell.ts';
import type { RunShell } from './tool.ts';
import { shellTool, writingTools } from './writing-tools.ts';

export interface ModelConduct {
  readonly context: AgentContext;
  readonly settings: ModelSettings;
  readonly deps: ModelAgentDeps;
  /** The endpoint's name of the model. */
  readonly name: string;
}

function instructionsFor(onlyReads: boolean, hasShell: boolean, answersByTool: boolean): string {
  return [
    'You are a software agent. You work in one folder, the workspace, with the tools that you are given.',
    'Paths are relative to the workspace; nothing outside of it can be reached, and git keeps its own files.',
    onlyReads
      ? 'You can read and not write: answer, explain or plan from what you find.'
      : 'Change files with your tools; whoever gave the task sees the difference. You need not commit.',
    ...(hasShell ? ['Commands run without a terminal; nothing can be typed into them.'] : []),
    'You work on your own. If you cannot go on without an answer from the person who gave the task, use the tool ask.',
    answersByTool
      ? 'When you are done, give your answer by the tool prd_edit; its input is the JSON object that the task asks for.'
      : 'When you are done, report shortly what you did or found, and use no tool.',
  ].join('\n');
}

/** Resolves links; a path that does not exist stays as it is. */
function realPaths(paths: readonly string[]): Promise<string[]> {
  return Promise.all(paths.map((path) => realpath(path).catch(() => path)));
}

/** The shell of an attempt: none for a reading one, and an unconfined one only if the operator allows it. */
function createAgentShell(
  { context, settings, deps }: ModelConduct,
  path: string,
  onlyReads: boolean,
): RunShell | undefined {
  if (onlyReads || settings.shell === 'off') return undefined;
  if (deps.sandbox === undefined && settings.shell !== 'unconfined') return undefined;
  const { gitFolders, folder, contained, env, passEnv, killGraceMs } = context;
  const { sandbox, hidden } = deps;
  const location = { path, gitFolders, folder, contained, env, passEnv, killGraceMs };
  return createShell({ sandbox, hidden, network: settings.shellNetwork, ...location });
}

/** @throws the session's signal's reason when it aborts */
export async function conductModel({ context, settings, name, ...given }: ModelConduct): Promise<void> {
  const path = await realpath(context.path);
  const deps = { ...given.deps, hidden: await realPaths(given.deps.hidden) };
  const onlyReads = mayOnlyRead(context.task.agent_type);
  const shell = createAgentShell({ context, settings, deps, name }, path, onlyReads);
  const prdTools = prdToolsFor(context.task.required_capabilities);
  const { prompt, inbox, report, signal } = context;
  const files = createSandboxedFiles(path, [...deps.hidden, join(path, artifactMarker)]);
  const rlm = settings.rlm ?? defaultRlmSettings;
  const choice = rlmChoice(context.task.metadata);
  const call: EndpointCallOptions = {
    settings,
    model: openModel(settings, name, deps.fetch),
    report,
    largeContextHint: largeContextHint(rlm, choice),
    signal,
    show: (chunks) => context.show(chunks),
    wait: (ms, abort) => delay(ms, undefined, { signal: abort }),
  };
  const { subcallModel } = rlm;
  await using largeContext = openLargeContext({
    choice,
    settings: rlm,
    call,
    subcallModel: subcallModel === undefined ? call.model : openModel(settings, subcallModel, deps.fetch),
    files,
    taskPrompt: context.task.prompt,
    runTokens: settings.maxTokens,
  });
  await runAgentLoop({
    ...call,
    settings,
    prompt,
    instructions: instructionsFor(onlyReads, shell !== undefined, prdTools.length > 0),
    tools: [
      ...readingTools,
      ...(onlyReads ? [] : writingTools),
      ...(shell === undefined ? [] : [shellTool]),
      ...prdTools,
    ],
    toolContext: { files, shell, signal },
    inbox,
    largeContext,
  });
}
