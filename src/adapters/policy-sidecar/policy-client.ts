// One exchange with the policy server: a question is posted, an answer with a decision is read, all before a deadline.
import http from 'node:http';
import https from 'node:https';
import type { IncomingMessage } from 'node:http';

export interface PolicyClient {
  /** The decision on a question. @throws when nothing that is one came before the deadline */
  decide(question: string): Promise<boolean>;
  /** Closes the connections that are kept for the next question. */
  close(): void;
}

/** An answer is some fifty bytes; who sends more than this is no policy server. */
const maxAnswerBytes = 64 * 1024;
/** Connections at once; further questions wait for one, within their deadline. */
const maxConnections = 32;

/**
 * @param url where the decision lies; its scheme, host and port alone are spoken to, no redirect is followed
 * @param deadlineMs for all of it: waiting for a connection, connecting, the question, the answer to its last byte
 */
export function openPolicyClient(url: string, deadlineMs: number): PolicyClient {
  const address = new URL(url);
  const protocol = address.protocol === 'https:' ? https : http;
  const agent = new protocol.Agent({ keepAlive: true, maxSockets: maxConnections, maxFreeSockets: maxConnections });

  async function post(question: string, signal: AbortSignal, fresh: boolean): Promise<string> {
    const request = protocol.request(address, {
      method: 'POST',
      // A connection of its own, where a kept one has failed.
      agent: fresh ? false : agent,
      signal,
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(question) },
    });
    request.end(question);
    let response: IncomingMessage;
    try {
      response = await responseTo(request);
    } catch (error) {
      // The server closed a kept connection just as the question went out. A question changes nothing: ask again.
      if (request.reusedSocket && !fresh && !signal.aborted) return post(question, signal, true);
      throw error;
    }
    return textOf(response);
  }

  return {
    async decide(question) {
      const deadline = new AbortController();
      const timer = setTimeout(() => deadline.abort(), deadlineMs);
      try {
        return decisionIn(await post(question, deadline.signal, false));
      } catch (error) {
        if (!deadline.signal.aborted) throw error;
        throw new Error(`the policy server gave no answer within ${deadlineMs} ms`, { cause: error });
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => agent.destroy(),
  };
}

function responseTo(request: http.ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // Stays for the whole exchange: what breaks after the head is told to the reader of the body.
    request.on('error', reject).once('response', resolve);
  });
}

/** @throws for another status than 200, for what is not JSON by its own word, and for too much of it */
async function textOf(response: IncomingMessage): Promise<string> {
  const { statusCode } = response;
  const type = response.headers['content-type'] ?? 'of no type';
  if (statusCode !== 200 || !/^application\/json\b/i.test(type)) {
    response.destroy();
    throw new Error(`the policy server answered ${statusCode} ${type}`);
  }
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    const piece: Buffer = chunk;
    pieces.push(piece);
    size += piece.length;
    // Leaving the loop closes the connection.
    if (size > maxAnswerBytes) throw new Error(`the policy server answered more than ${maxAnswerBytes} bytes`);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** `result`, when it is true or false and nothing else. */
function decisionIn(text: string): boolean {
  const answer: unknown = JSON.parse(text);
  if (typeof answer === 'object' && answer !== null && 'result' in answer) {
    if (typeof answer.result === 'boolean') return answer.result;
  }
  throw new Error('the policy server answered without a decision');
}
