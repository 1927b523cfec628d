// The last lines of a task's output, cleaned and without colours.
import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '../../api/api.ts';
import { cleanOutput, plainOf } from '../../text/clean.ts';

/** Pieces that are read: one holds a line or more, or a part of one. */
const readPieces = 200;

export function outputEndQuery(id: string) {
  return queryOptions({
    queryKey: ['task', id, 'tail'],
    queryFn: async () => {
      const params = { path: { id }, query: { tail: readPieces } };
      const answer = await dataOf(api().GET('/v1/agent/tasks/{id}/output', { params }));
      return typeof answer === 'string' || !('output' in answer) ? '' : answer.output.map(({ text }) => text).join('');
    },
  });
}

export function lastLines(text: string, count: number): string {
  return plainOf(cleanOutput(text)).trimEnd().split('\n').slice(-count).join('\n');
}
