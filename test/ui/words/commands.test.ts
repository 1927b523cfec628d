// The commands that empty pages show: the command line takes each as it stands.
import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { exitCodes } from '../../../src/cli/core/exit-codes.ts';
import { conversationWords } from '../../../ui/src/words/en-conversations.ts';
import { questionWords } from '../../../ui/src/words/en-questions.ts';
import { settingsWords } from '../../../ui/src/words/service/en-settings.ts';
import { taskListWords } from '../../../ui/src/words/tasks/en-tasks.ts';
import { openService } from '../../support/service.ts';
import { run } from '../../support/process/program.ts';

it('are commands of the command line, with the flags that they need [ui-3.2.40]', async () => {
  await using service = await openService();
  const env = { SWITCHYARD_URL: service.url, SWITCHYARD_TOKEN: service.token('admin') };
  const lines = [conversationWords, questionWords, settingsWords.keys, taskListWords].map(
    (words) => words.emptyCommand,
  );
  for (const line of lines) {
    const words = execFileSync('/bin/sh', ['-c', `printf '%s\\n' ${line}`], { encoding: 'utf8' })
      .trim()
      .split('\n');
    const { code, err } = await run(words.slice(1), { cwd: import.meta.dirname, env });
    expect([line, code], err).toEqual([line, exitCodes.ok]);
  }
});
