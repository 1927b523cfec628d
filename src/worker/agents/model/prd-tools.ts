// The tool by which the agent `model` answers a turn of a PRD chat, in place of a block of JSON. runs-13.
import { prdAssistantAnswer } from '../../../contracts/ralph/prd-chat.ts';
import { prdCapabilityLabel } from '../../../contracts/step.ts';
import { defineTool, type ModelTool } from './tool.ts';

const prdEdit = defineTool({
  name: 'prd_edit',
  description:
    'Gives your answer to the person and edits the draft; it ends your work. reply: your answer; questions: at most 5; ' +
    'ops: the edits, of which each set names a field, and each upsert_story has the whole story.',
  input: prdAssistantAnswer,
  subject: ({ ops }) => `${ops.length} edits`,
  run: (answer) => Promise.resolve({ ok: true, text: 'The answer is given.', answer: JSON.stringify(answer) }),
});

/** The tools of a task, by the capabilities that it asks for: none unless it is a turn of a PRD chat. */
export function prdToolsFor(requiredCapabilities: readonly string[]): readonly ModelTool[] {
  return requiredCapabilities.includes(prdCapabilityLabel) ? [prdEdit] : [];
}
