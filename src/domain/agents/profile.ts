// Validates an agent's registration: bounded, printable, without secrets.
import type { AgentProfile } from '../model/agent.ts';
import { invalidField } from '../tasks/routing/invalid-field.ts';
import { isReservedLabel, reservedLabelMessage } from '../tasks/routing/reserved-labels.ts';

/** Sizes that a registration may have; the schemas of the routes use them too. */
export const agentBounds = {
  name: 100,
  description: 2_000,
  url: 2_000,
  capabilities: 32,
  models: 64,
  /** Length of each capability and model. */
  label: 200,
} as const;

/** Control characters, unassigned characters, and those that change the direction of text. */
const unprintable = /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\u2028\u2029]/u;

/** @throws DomainError invalid */
export function checkProfile(profile: AgentProfile): void {
  const { name, description, url, capabilities, models } = profile;
  if (name === '' || name.length > agentBounds.name || name.trim() !== name || unprintable.test(name)) {
    throw invalidField(
      '/name',
      `must have 1–${agentBounds.name} printable characters and no leading or trailing space`,
    );
  }
  if (description.length > agentBounds.description) {
    throw invalidField('/description', `may have at most ${agentBounds.description} characters`);
  }
  if (url !== undefined && !isPlainUrl(url)) {
    throw invalidField(
      '/url',
      `must be an http or https URL without credentials, of at most ${agentBounds.url} characters`,
    );
  }
  checkLabels('/capabilities', capabilities, agentBounds.capabilities);
  if (capabilities.some(isReservedLabel)) throw invalidField('/capabilities', reservedLabelMessage);
  checkLabels('/models', models, agentBounds.models);
}

function checkLabels(path: string, labels: readonly string[], maxCount: number): void {
  const fits = labels.every((label) => label !== '' && label.length <= agentBounds.label && !unprintable.test(label));
  if (labels.length > maxCount || !fits) {
    throw invalidField(path, `may have at most ${maxCount} names of 1–${agentBounds.label} printable characters`);
  }
}

function isPlainUrl(text: string): boolean {
  if (text.length > agentBounds.url || !URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === '';
}
