// The dialects of v0.3 on REST: one in the JSON of its proto file, as the clients of that version speak it, and the
// document's, which takes that too and answers v0.3's own JSON. Both are v0.3, read and written otherwise.
import type { RpcAnswer, RpcFrame } from '../../pipeline/operation.ts';
import type { ActionName } from '../protocol/actions.ts';
import type { Cards } from '../card/cards.ts';
import type { Dialect } from '../protocol/dialect.ts';
import { fromProto } from './proto-in.ts';
import { toProto } from './proto-out.ts';

export function documentDialect(v03: Dialect): Dialect {
  return { ...v03, normalise: (action, given, door) => v03.normalise(action, fromProto(action, given), door) };
}

export function protoDialect(v03: Dialect, cards: Cards): Dialect {
  return {
    ...documentDialect(v03),
    async answer(action, caller, asked) {
      if (action === 'extended_card')
        return { result: await cards.extended(caller, '0.3 proto', asked.facts.words.toldAddress) };
      return written(action, await v03.answer(action, caller, asked));
    },
  };
}

function written(action: ActionName, answer: RpcAnswer): RpcAnswer {
  if ('stream' in answer) return { ...answer, stream: writtenFrames(action, answer.stream) };
  return { ...answer, result: toProto(action, answer.result) };
}

async function* writtenFrames(
  action: ActionName,
  frames: AsyncIterable<RpcFrame>,
): AsyncGenerator<RpcFrame, void, undefined> {
  for await (const frame of frames) yield { ...frame, result: toProto(action, frame.result) };
}
