// The flags that describe the tasks which a cron job or an objective creates.
import type { Command } from 'commander';
import { definedMembers } from '../../lib/json/defined-members.ts';
import { jsonObjectArgument } from './json-object-argument.ts';

export interface TemplateFlags {
  readonly title?: string;
  readonly prompt?: string;
  readonly codebase?: string;
  readonly agentType?: string;
  readonly template?: Record<string, unknown>;
}

/** Without `--prompt`, which is required by some commands. */
export function withTemplateFlags(command: Command): Command {
  return command
    .option('--title <text>', 'title of the tasks')
    .option('--codebase <id>', 'codebase of the tasks')
    .option('--agent-type <type>', 'agent type of the tasks')
    .option('--template <json>', 'further fields of the tasks, as an object', jsonObjectArgument);
}

/** The named fields of a task template. */
export function templateOf({ title, prompt, codebase, agentType, template }: TemplateFlags) {
  return { ...template, ...definedMembers({ prompt, title, codebase_id: codebase, agent_type: agentType }) };
}

export function namesTemplate(flags: TemplateFlags): boolean {
  return Object.keys(templateOf(flags)).length > 0;
}
