// The message that every implementation of the A2A group receives.

const message = {
  messageId: 'bench',
  role: 'ROLE_USER',
  parts: [{ text: 'Fix the failing test and say what was wrong.' }],
};

/** A send over v1.0's JSON-RPC that is answered with the task as it was taken. */
export const messageText = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'SendMessage',
  params: { message, configuration: { returnImmediately: true } },
});
