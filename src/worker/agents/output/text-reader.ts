// A reader for programs that print plain text: the end of their output is the answer.
import { textTail } from '../../process/text.ts';
import type { AgentReader, AgentReport } from '../adapter/adapter.ts';

const maxAnswerChars = 64_000;

/** @param unsure whether its last output may indicate a failure although it exits with 0 */
export function createTextReader({ unsure }: { unsure: boolean }): AgentReader {
  let printed = '';
  return {
    stdout(text) {
      printed = `${printed}${text}`.slice(-2 * maxAnswerChars);
      return [{ stream: 'stdout', text }];
    },
    stderr: (text) => [{ stream: 'stderr', text }],
    end: () => [],
    report(): AgentReport {
      // Leading spaces of its first line may be significant.
      const answer = textTail(printed, maxAnswerChars)
        .replace(/^\s*\n/, '')
        .trimEnd();
      return { finished: true, answer, ...(unsure && { unsure: true }) };
    },
  };
}
