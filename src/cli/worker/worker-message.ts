// The message that a worker process sends to the `up` that started it, over their IPC channel.
import { z } from 'zod';

/** The worker has registered with the service. */
export const workerReadyMessage = z.object({ event: z.literal('ready'), worker_id: z.string() });
