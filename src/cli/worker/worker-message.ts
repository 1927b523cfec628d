// What a worker process tells the `up` that started it, over their channel.
import { z } from 'zod';

/** The service knows the worker. */
export const workerReadyMessage = z.object({ event: z.literal('ready'), worker_id: z.string() });
