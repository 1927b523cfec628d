// The two adapters of v0.3 on REST. Both accept v0.3's own JSON and the JSON of its proto file; one answers v0.3's own
// JSON, the other the JSON of the proto file, which clients of that version expect.
import type { RpcAnswer, RpcFrame } from '../../pipeline/operation.ts';
import type { ActionName } from '../protocol/actions.ts';
import type { Cards } from '../card/cards.ts';
import type { VersionAdapter } from '../protocol/version-adapter.ts';
import { protoToV03 } from './proto-to-v03.ts';
import { v03ToProto } from './v03-to-proto.ts';

export function createV03RestAdapter(v03: VersionAdapter): VersionAdapter {
  return { ...v03, normalise: (action, given, path) => v03.normalise(action, protoToV03(action, given), path) };
}

export function createV03ProtoAdapter(v03: VersionAdapter, cards: Cards): VersionAdapter {
  return {
    ...createV03RestAdapter(v03),
    async answer(action, caller, received) {
      if (action === 'extended_card')
        return { result: await cards.extendedCard(caller, '0.3 proto', received.context.view.forwardedOrigin) };
      return answerV03ToProto(action, await v03.answer(action, caller, received));
    },
  };
}

function answerV03ToProto(action: ActionName, answer: RpcAnswer): RpcAnswer {
  if ('stream' in answer) return { ...answer, stream: framesV03ToProto(action, answer.stream) };
  return { ...answer, result: v03ToProto(action, answer.result) };
}

async function* framesV03ToProto(
  action: ActionName,
  frames: AsyncIterable<RpcFrame>,
): AsyncGenerator<RpcFrame, void, undefined> {
  for await (const frame of frames) yield { ...frame, result: v03ToProto(action, frame.result) };
}
