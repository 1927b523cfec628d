// A reader for programs that print plain text: the end of what they print is their answer.
import { textTail } from '../../process/text.ts';
import type { AgentReader, AgentReport } from '../adapter/adapter.ts';

const maxAnswerChars = 64_000;

/** @param unsure whether what it wrote last may tell that it failed although it exits with 0 */
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
      // Blanks at the beginning of its first line may mean something.
      const answer = textTail(printed, maxAnswerChars)
        .replace(/^\s*\n/, '')
        .trimEnd();
      return { finished: true, answer, ...(unsure && { unsure: true }) };
    },
  };
}
