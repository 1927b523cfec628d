// The counterpart of child.ts: a process of the bench executes commands, and ends with its channel.
import { z } from 'zod';

const command = z.object({ id: z.number(), name: z.string(), input: z.unknown() });

export type CommandHandlers = Readonly<Record<string, (input: unknown) => Promise<unknown>>>;

/**
 * Answers each message with the result or the error of its command.
 * @param close called when the parent disconnects, before the process ends
 */
export function serveCommands(handlers: CommandHandlers, close: () => Promise<void>): void {
  process.on('message', (message) => {
    const { id, name, input } = command.parse(message);
    // Owned: #carryOut answers its own failure.
    void runCommand(handlers, name, input).then((answer) => process.send?.({ id, ...answer }));
  });
  process.once('disconnect', () => {
    void close().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${errorText(error)}\n`);
        process.exit(1);
      },
    );
  });
}

async function runCommand(
  handlers: CommandHandlers,
  name: string,
  input: unknown,
): Promise<{ output: unknown } | { error: string }> {
  const handler = handlers[name];
  if (handler === undefined) return { error: `does not know how to ${name}` };
  try {
    return { output: await handler(input) };
  } catch (error) {
    return { error: errorText(error) };
  }
}

function errorText(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
