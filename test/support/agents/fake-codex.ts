// A program called `codex` that counts tokens as it does: by session, a hundred more with each run.
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fitHelp } from './agent-stand-ins.ts';

const source = (node: string): string => `#!${node}
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const args = process.argv.slice(2);
if (args.includes('--version')) { console.log('codex-cli 9.9.9'); process.exit(0); }
if (args.includes('--help')) { console.log(${JSON.stringify(fitHelp('codex'))}); process.exit(0); }
const at = args.indexOf('resume');
const thread_id = at < 0 ? 'thread-' + process.pid : args[at + 1];
const file = process.env.PLANTED_FOLDER + '/' + thread_id;
const input_tokens = (existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0) + 100;
writeFileSync(file, String(input_tokens));
const say = (event) => console.log(JSON.stringify(event));
say({ type: 'thread.started', thread_id });
say({ type: 'item.completed', item: { id: 'i', type: 'file_change', changes: [], status: 'completed' } });
say({ type: 'item.completed', item: { type: 'agent_message', text: 'Done in ' + thread_id } });
say({ type: 'turn.completed', usage: { input_tokens, cached_input_tokens: 0, output_tokens: input_tokens / 10 } });
`;

/** @returns the program for `agent_bin`, and what the worker's environment needs */
export async function plantCodex(folder: string): Promise<{ program: string; env: Record<string, string> }> {
  const bin = join(folder, 'bin');
  await mkdir(bin, { recursive: true });
  const program = join(bin, 'codex');
  await writeFile(program, source(process.execPath));
  await chmod(program, 0o755);
  return { program, env: { PLANTED_FOLDER: folder } };
}
