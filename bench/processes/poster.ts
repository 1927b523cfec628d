// Process: signed POSTs by the HTTP library that the service's webhooks use, one after the other on a few kept
// connections, with nothing before and nothing after them. What any delivery costs before anything is written down.
import { createHmac } from 'node:crypto';
import { Agent } from 'undici';
import { z } from 'zod';
import { drive } from '../measure/round.ts';
import { serveCommands } from '../serve-commands.ts';
import { taskText } from '../bodies/task-body.ts';

/** As many as the service has for one receiver. */
const connections = 16;
const openInput = z.object({ url: z.string() });
const roundInput = z.object({ durationMs: z.number() });
const agent = new Agent({ allowH2: false, pipelining: 1 });
let origin = '';

function post(): Promise<void> {
  const signature = createHmac('sha256', 'the secret of the bench').update(taskText).digest('hex');
  const headers = { 'content-type': 'application/json', 'x-signature': signature };
  return new Promise((resolve, reject) => {
    let status = 0;
    agent.dispatch(
      { origin, path: '/hook', method: 'POST', headers, body: taskText },
      {
        onRequestStart: () => {},
        onResponseStart: (_controller, statusCode) => {
          status = statusCode;
        },
        onResponseData: () => {},
        onResponseEnd: () => (status === 204 ? resolve() : reject(new Error(`the receiver answered ${status}`))),
        onResponseError: (_controller, error) => reject(error),
      },
    );
  });
}

serveCommands(
  {
    open(input) {
      origin = openInput.parse(input).url;
      return Promise.resolve({});
    },
    async round(input) {
      return drive(connections, roundInput.parse(input).durationMs, post);
    },
  },
  () => agent.destroy(),
);
