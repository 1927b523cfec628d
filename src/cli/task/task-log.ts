// The command `logs`: prints the output of a task's agent, so far or until the task ends.
import { eventPage, type TaskEventWire } from '../../contracts/event.ts';
import { exitCodes, type ExitCode } from '../core/exit-codes.ts';
import type { CliIo } from '../core/io.ts';
import { printJson } from '../core/output.ts';
import type { CliServiceClient } from '../core/service-client.ts';
import { createEventPrinter } from './event-printer.ts';
import { waitForTask } from './task-wait.ts';

const pageSize = 1000;

/** @returns ok, whatever the outcome of the task */
export async function printLog(
  client: CliServiceClient,
  io: CliIo,
  taskId: string,
  { json, follow }: { json: boolean; follow: boolean },
): Promise<ExitCode> {
  if (follow) {
    const code = await waitForTask(client, io, taskId, { json, untilQuestion: false });
    return code === exitCodes.interrupted ? code : exitCodes.ok;
  }
  const printer = createEventPrinter(io);
  for await (const event of eventsSoFar(client, taskId)) {
    if (json) printJson(io, event);
    else printer.show(event);
  }
  return exitCodes.ok;
}

async function* eventsSoFar(client: CliServiceClient, taskId: string): AsyncGenerator<TaskEventWire, void, undefined> {
  let after = 0;
  for (;;) {
    const params = { path: { id: taskId }, query: { after, limit: pageSize } };
    const page = await client.read(client.api.GET('/v1/agent/tasks/{id}/events', { params }), eventPage);
    yield* page.events;
    if (page.events.length < pageSize) return;
    after = page.next;
  }
}
