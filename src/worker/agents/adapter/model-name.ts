// The model that a task asks for, `provider:model`, as each agent wants to be told. choices-3 "Automation list".
import { AgentError } from './adapter.ts';

export interface ModelName {
  /** Undefined when the name has no provider: the agent is told the bare name. */
  provider: string | undefined;
  model: string;
}

/**
 * Splits at the first colon; a model's own name may hold more of them.
 * @throws AgentError for what could be taken for an option, or is no name at all
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
