// The conventions of a repository for the agent `model`, which reads no file by itself. runs-9.
import { join } from 'node:path';
import { plainBlock } from '../../../lib/text/plain-text.ts';
import { modelAgentName } from '../../agents/model/model-agent.ts';
import { readPlainFile } from '../read-plain-file.ts';
import { fencedBlock } from './prompt-parts.ts';

/** The first that has text counts. Programs read theirs without being given it. */
const names = ['AGENTS.md', 'CLAUDE.md'] as const;
const maxBytes = 16 * 1024;

/** The prompt, and behind it the text of the repository's AGENTS.md or CLAUDE.md where the agent is `model`. */
export async function withConventions(prompt: string, agentName: string, root: string): Promise<string> {
  if (agentName !== modelAgentName) return prompt;
  for (const name of names) {
    const text = plainBlock(await readPlainFile(join(root, name), maxBytes)).trim();
    if (text !== '') return `${prompt}\n\n# ${name} of this repository\n${fencedBlock('markdown', text)}`;
  }
  return prompt;
}
