// The model name of a task, `provider:model`, in the form that each agent takes. choices-3 "Automation list".
import { AgentError } from './adapter.ts';

export interface ModelName {
  /** Undefined when the name has no provider: the agent gets the bare name. */
  readonly provider: string | undefined;
  readonly model: string;
}

/**
 * Splits at the first colon; a model's own name may contain more of them.
 * @throws AgentError for a name that could be read as an option, or that is not a name
 */
export function parseModel(text: string): ModelName {
  if (!/^[\p{L}\p{N}][\p{L}\p{N}._:/@+[\]-]*$/u.test(text)) {
    throw new AgentError('bad_model', `"${text}" is not the name of a model (provider:model).`);
  }
  const colon = text.indexOf(':');
  if (colon <= 0) return { provider: undefined, model: text };
  return { provider: text.slice(0, colon), model: text.slice(colon + 1) };
}

/** `provider/model`, the form of opencode and pi. */
export function slashedModel(text: string): string {
  const { provider, model } = parseModel(text);
  return provider === undefined ? model : `${provider}/${model}`;
}
