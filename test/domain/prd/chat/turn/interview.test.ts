// The interviewer, which answers a PRD chat without any model.
import { describe, expect, it } from 'vitest';
import { editDocument } from '../../../../../src/domain/prd/chat/turn/edit-document.ts';
import { interview } from '../../../../../src/domain/prd/chat/turn/interview.ts';
import { parsePrd } from '../../../../../src/domain/prd/parse-prd.ts';
import type { PrdOperation, PrdTurn } from '../../../../../src/domain/model/prd/prd-session.ts';

function documentOf(operations: readonly PrdOperation[]): unknown {
  const edited = editDocument(null, operations);
  return 'document' in edited ? edited.document : edited.errors;
}

function turns(...texts: string[]): PrdTurn[] {
  return texts.map((text, index) => ({
    n: index * 2 + 1,
    role: 'user',
    text,
    attachments: [],
    taskId: null,
    questions: [],
    status: 'answered',
    source: 'user',
    baseVersion: 0,
    madeVersion: null,
    isRepair: false,
    actsAs: null,
    warnings: [],
    at: '2026-01-01T00:00:00.000Z',
  }));
}

describe('the interviewer', () => {
  it('asks its questions one after another', () => {
    const answers = ['A login page. For editors.', 'I list them later', '`npm test`', 'nothing', 'A'];
    const asked = answers.map((_, index) => interview(turns(...answers.slice(0, index + 1))).questions[0]?.id);
    expect(asked).toEqual(['stories', 'gates', 'scope', 'order', undefined]);
  });

  it('makes a story of each line of a list, and a gate of each command [runs-13.9]', () => {
    const { operations } = interview(
      turns('A login page.', '- a form\n- a session', 'run `npm test` and `npm run lint`'),
    );
    const edited = editDocument(null, operations);
    expect(edited).toMatchObject({
      document: {
        project: 'A login page',
        branchName: 'a-login-page',
        gates: [{ command: 'npm test' }, { command: 'npm run lint' }],
        userStories: [
          {
            id: 'US-001',
            title: 'a form',
            acceptanceCriteria: [expect.any(String), '`npm test` passes', '`npm run lint` passes'],
          },
          { id: 'US-002', title: 'a session', dependsOn: ['US-001'] },
        ],
      },
    });
  });

  it('has a draft after the fifth answer, whatever was answered [runs-13.9]', () => {
    const { operations } = interview(turns('', '', '', '', ''));
    expect(editDocument(null, operations)).toMatchObject({
      document: { project: 'Project', branchName: 'project', userStories: [{ id: 'US-001' }] },
    });
  });

  it('reads a message of line feeds, backticks and commands alone', () => {
    for (const text of ['\n'.repeat(200_000), '`'.repeat(200_000), ' - '.repeat(60_000)]) interview(turns(text));
    const commands = Array.from({ length: 80 }, (_, index) => `\`c${index}\``).join(' ');
    const { operations } = interview(turns('x', '- a', commands));
    expect(parsePrd(documentOf(operations))).toHaveProperty('prd');
  });

  it('leaves stories independent where any order will do', () => {
    const { operations } = interview(turns('x', '- a\n- b', '`t`', '', 'B'));
    expect(JSON.stringify(operations)).not.toContain('dependsOn');
  });
});
