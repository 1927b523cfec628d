// HTTP client of the policy server: posts a question and reads the decision, with one deadline for both.
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';

export interface PolicyClient {
  /** The decision on a question. @throws Error without a valid decision before the deadline */
  decide(question: string): Promise<boolean>;
  /** Closes the idle connections. */
  close(): void;
}

/** A decision takes about fifty bytes; a response longer than this is not a decision. */
const maxAnswerBytes = 64 * 1024;
/** Concurrent connections; further questions wait for one, within their deadline. */
const maxConnections = 32;

/**
 * @param url address of the decision; redirects are not followed
 * @param deadlineMs covers waiting for a connection, connecting, the request, and the response to its last byte
 */
export function openPolicyClient(url: string, deadlineMs: number): PolicyClient {
  const address = new URL(url);
  const protocol = address.protocol === 'https:' ? https : http;
  const agent = new protocol.Agent({ keepAlive: true, maxSockets: maxConnections, maxFreeSockets: maxConnections });

  async function post(question: string, signal: AbortSignal, fresh: boolean): Promise<string> {
    const request = protocol.request(address, {
      method: 'POST',
      // A new connection for a retry after a reused one failed.
      agent: fresh ? false : agent,
      signal,
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(question) },
    });
    request.end(question);
    let response: IncomingMessage;
    try {
      response = await responseTo(request);
    } catch (error) {
      // The server closed an idle connection just as the question was sent. A question has no side effects: retry.
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
        throw new Error(`the policy server did not answer within ${deadlineMs} ms`, { cause: error });
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => agent.destroy(),
  };
}

function responseTo(request: http.ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // The listener stays for the whole exchange: errors after the head reach the reader of the body.
    request.on('error', reject).once('response', resolve);
  });
}

/** @throws Error for a status other than 200, another content type than JSON, and a response that is too long */
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

/** The boolean `result` of a response. @throws Error without one */
function decisionIn(text: string): boolean {
  const answer: unknown = JSON.parse(text);
  if (typeof answer === 'object' && answer !== null && 'result' in answer) {
    if (typeof answer.result === 'boolean') return answer.result;
  }
  throw new Error('the policy server answered without a decision');
}
