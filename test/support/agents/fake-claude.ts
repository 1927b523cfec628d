// A program called `claude` that speaks like it and does what its prompt says: WAIT <file>, FAIL (a tool), ASK. It has no `session-gone`.
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fitHelp } from './agent-stand-ins.ts';

export interface PlantedClaude {
  /** For `agent_bin`. */
  readonly program: string;
  /** For the worker's environment. */
  readonly env: Record<string, string>;
  /** How it was started each time, and what it read. */
  starts(): Promise<{ args: string[]; prompt: string }[]>;
}

const source = (node: string): string => `#!${node}
const { appendFileSync, existsSync } = require('node:fs');
const args = process.argv.slice(2);
if (args.includes('--version')) { console.log('9.9.9 (planted)'); process.exit(0); }
if (args.includes('--help')) { console.log(${JSON.stringify(fitHelp('claude'))}); process.exit(0); }
(async () => {
  let prompt = '';
  for await (const chunk of process.stdin) prompt += chunk;
  appendFileSync(process.env.PLANTED_LOG, JSON.stringify({ args, prompt }) + '\\n');
  const resumed = args.indexOf('--resume');
  const session_id = resumed < 0 ? 'session-of-' + process.pid : args[resumed + 1];
  const say = (event) => console.log(JSON.stringify({ session_id, ...event }));
  if (session_id === 'session-gone') {
    say({ type: 'result', subtype: 'error_during_execution', is_error: true, errors: ['No conversation found'] });
    process.exit(1);
  }
  const content = (type, part) => say({ type, message: { content: [part] } });
  content('assistant', { type: 'tool_use', id: 't', name: 'Bash', input: { command: 'ls' } });
  content('user', { type: 'tool_result', tool_use_id: 't', is_error: prompt.includes('FAIL'), content: 'listed' });
  const gate = /WAIT (\\S+)/.exec(prompt);
  while (gate && !existsSync(gate[1])) await new Promise((resolve) => setTimeout(resolve, 30));
  const words = prompt.split('\\n')[0];
  const result = prompt.includes('ASK') && !prompt.includes('User:') ? 'SWITCHYARD_NEEDS_INPUT: Which colour?' : 'Did: ' + words;
  const usage = { input_tokens: 10, output_tokens: 1 };
  say({ type: 'result', subtype: 'success', is_error: false, result, usage, total_cost_usd: 0 });
})();
`;

export async function plantClaude(folder: string): Promise<PlantedClaude> {
  const bin = join(folder, 'bin');
  const log = join(folder, 'starts.jsonl');
  await mkdir(bin, { recursive: true });
  const program = join(bin, 'claude');
  await writeFile(program, source(process.execPath));
  await chmod(program, 0o755);
  await writeFile(log, '');
  return {
    program,
    env: { PLANTED_LOG: log },
    async starts() {
      const lines = (await readFile(log, 'utf8')).split('\n').filter((line) => line !== '');
      return lines.map((line) => JSON.parse(line));
    },
  };
}
