// Answers whose body is produced while it is sent.
import type { Answer } from '../pipeline/operation.ts';

/** The first piece is produced before the answer begins, so that errors are still answered as such. */
export async function pieceAnswer(
  pieces: AsyncGenerator<string | Uint8Array, void, undefined>,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  const first = await pieces.next();
  return { pieces: prependPiece(first, pieces), headers: { 'cache-control': 'no-store', ...headers } };
}

async function* prependPiece(
  first: IteratorResult<string | Uint8Array, void>,
  rest: AsyncGenerator<string | Uint8Array, void, undefined>,
): AsyncGenerator<string | Uint8Array, void, undefined> {
  if (first.done !== true) yield first.value;
  yield* rest;
}
