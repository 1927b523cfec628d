// The service reads every answer that the tool of the agent `model` accepts.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { prdAssistantAnswer } from '../../../../../src/contracts/ralph/prd-chat.ts';
import { parseAnswer } from '../../../../../src/domain/prd/chat/turn/parse-answer.ts';

const text = fc.string({ minLength: 1 });
const option = fc.record({ key: text, text });
const answer = fc.record({
  reply: text,
  questions: fc.array(fc.record({ id: text, text, options: fc.array(option, { maxLength: 6 }) }), { maxLength: 6 }),
  ops: fc.array(
    fc.oneof(
      fc.record({ op: fc.constant('set'), field: text, value: fc.jsonValue() }),
      fc.record({ op: fc.constant('upsert_story'), story: fc.dictionary(text, fc.jsonValue()) }),
      fc.record({ op: fc.constant('remove_story'), id: text }),
      fc.record({ op: fc.constant('order'), ids: fc.array(text) }),
    ),
  ),
});

it('what the tool prd_edit accepts is read as it was given', () => {
  fc.assert(
    fc.property(answer, (given) => {
      const accepted = prdAssistantAnswer.safeParse(given);
      fc.pre(accepted.success && given.reply.trim() !== '');
      const wire = JSON.stringify(accepted.data);
      const { ops: operations, ...rest } = JSON.parse(wire);
      expect(parseAnswer(wire)).toEqual({ ...rest, operations });
    }),
  );
});
