// A sub-call that has a REPL of its own: its model writes blocks of code until it answers.
import type { ContextPart } from './repl/protocol.ts';
import { Repl } from './repl/repl.ts';
import type { RlmBudget } from './rlm-budget.ts';
import { RlmCalls, type AskModel, type ModelAnswer, type ModelQuestion } from './rlm-calls.ts';
import { answerNow, deeperInstructions, partPreview } from './rlm-instructions.ts';
import type { RlmSettings } from './rlm-settings.ts';

export interface DeeperOptions {
  readonly settings: RlmSettings;
  /** Shared with the caller: a child gets what is left. */
  readonly budget: RlmBudget;
  readonly askModel: AskModel;
  /** The depth of this REPL: the task's own has 0. */
  readonly depth: number;
  readonly signal: AbortSignal;
}

function codeOf(text: string): string | undefined {
  return /```(?:js|javascript)\n(.*?)```/s.exec(text)?.[1];
}

/** Whether a REPL at this depth may open another. */
export function createAskDeeper(
  options: DeeperOptions,
): ((question: string, text: string) => Promise<ModelAnswer>) | undefined {
  if (options.depth + 1 >= options.settings.maxDepth) return undefined;
  return (question, text) => askWithRepl({ ...options, depth: options.depth + 1 }, question, text);
}

async function askWithRepl(options: DeeperOptions, question: string, text: string): Promise<ModelAnswer> {
  const { settings, budget, askModel, signal } = options;
  const { maxConcurrency, memoryMb, maxOutputChars, blockSeconds } = settings;
  const askDeeper = createAskDeeper(options);
  const calls = new RlmCalls({ budget, maxConcurrency, askModel, files: undefined, askDeeper, signal });
  let tokens = 0;
  const answerCall = async (name: string, args: readonly unknown[]) => {
    const answered = await calls.answer(name, args);
    tokens += answered.tokens;
    return answered.reply;
  };
  await using repl = new Repl({ memoryMb, maxOutputChars, blockMs: blockSeconds * 1000, answerCall, signal });
  const part: ContextPart = { name: 'text', text };
  repl.addPart(part);
  const messages: ModelQuestion['messages'][number][] = [
    { role: 'user', text: `${question}\n\n${partPreview(0, part)}` },
  ];
  for (let block = 0; ; block += 1) {
    const last = budget.stopReason(block) !== undefined;
    if (last) messages.push({ role: 'user', text: answerNow });
    // The first turn was counted as the call of `rlm`.
    else if (block > 0) budget.takeSubcalls([''], 0);
    const answer = await askModel({ instructions: deeperInstructions, messages });
    tokens += answer.tokens;
    const code = codeOf(answer.text);
    if (code === undefined || last) return { text: answer.text, tokens };
    calls.beginIteration();
    const end = await repl.run(code);
    messages.push({ role: 'assistant', text: answer.text }, { role: 'user', text: `Output:\n${end.output}` });
  }
}
