// Saves an answer of the service as a file: the call needs the token, so a plain link cannot.
import { ApiError } from './api-error.ts';

interface BlobAnswer {
  readonly data?: Blob;
  readonly response: Response;
}

/** @param name of the file; ours, never one that an agent wrote. @throws ApiError */
export async function downloadCall(name: string, call: Promise<BlobAnswer>): Promise<void> {
  const { data, response } = await call;
  if (!response.ok || data === undefined) throw new ApiError(response, undefined);
  saveBlob(name, data);
}

export function saveBlob(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has begun to read the blob by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
