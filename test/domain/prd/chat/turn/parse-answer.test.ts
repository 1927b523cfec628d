// The structured answer of an assistant.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAnswer } from '../../../../../src/domain/prd/chat/turn/parse-answer.ts';

const answer = {
  reply: 'Here is a draft.',
  questions: [
    {
      id: 'q1',
      text: 'Which?',
      options: [
        { key: 'A', text: 'one' },
        { key: 'B', text: 'two' },
      ],
    },
  ],
  ops: [{ op: 'set', field: 'project', value: 'P' }],
};

describe('an answer', () => {
  it.each([
    ['alone', JSON.stringify(answer)],
    ['in a fence', `I have read it.\n\`\`\`json\n${JSON.stringify(answer, null, 2)}\n\`\`\`\nDone.`],
    ['among words', `Sure: ${JSON.stringify(answer)} - that is it`],
  ])('is read %s', (_where, text) => {
    expect(parseAnswer(text)).toEqual({ reply: answer.reply, questions: answer.questions, operations: answer.ops });
  });

  it('may leave questions and operations out', () => {
    expect(parseAnswer('{"reply": "Yes."}')).toEqual({ reply: 'Yes.', questions: [], operations: [] });
  });

  it('without JSON is an error that keeps its words as the reply', () => {
    expect(parseAnswer('I would add a login story.')).toEqual({
      reply: 'I would add a login story.',
      errors: [expect.stringContaining('no JSON object')],
    });
  });

  it('names each part that is wrong', () => {
    const wrong = {
      reply: 'r',
      questions: [{ id: 'q', text: 't', options: ['only one'] }],
      ops: [{ op: 'drop' }, 'x'],
    };
    expect(parseAnswer(JSON.stringify(wrong))).toMatchObject({
      errors: [
        expect.stringContaining('questions.0.options'),
        expect.stringContaining('ops.0'),
        expect.stringContaining('ops.1'),
      ],
    });
    const many = { reply: 'r', questions: Array.from({ length: 6 }, () => answer.questions[0]) };
    expect(parseAnswer(JSON.stringify(many))).toMatchObject({ errors: ['questions: at most 5'] });
  });

  it('is free of what the database cannot hold', () => {
    const parsed = parseAnswer('{"reply": "a\\u0000b\\ud83d", "ops": []}');
    expect(parsed).toEqual({ reply: 'ab\ufffd', errors: [expect.stringContaining('NUL')] });
    expect(parseAnswer(`{"reply": "${'x'.repeat(19_999)}\u{1F600}y"}`)).toMatchObject({
      reply: `${'x'.repeat(19_999)}\ufffd`,
    });
    expect(parseAnswer(`{"reply": "r", "ops": ${'['.repeat(5000)}${']'.repeat(5000)}}`)).toHaveProperty('errors');
  });

  it('among many fences is found', () => {
    const noise = 'a```\n'.repeat(100_000);
    expect(parseAnswer(`${noise}\n\`\`\`\n${JSON.stringify(answer)}\n\`\`\`\n`)).toMatchObject({ reply: answer.reply });
  });

  it('never throws, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.jsonValue().map((value) => `\`\`\`json\n${JSON.stringify(value)}\n\`\`\``),
        ),
        (text) => {
          expect(typeof parseAnswer(text).reply).toBe('string');
        },
      ),
    );
  });
});
