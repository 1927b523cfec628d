// Leaves commits as an artifact of a task: a thin bundle, which holds what is new since a commit and nothing else.
import { open, stat } from 'node:fs/promises';
import type { NewWorkerEvent } from '../base/event.ts';
import type { Git } from '../workspace/git/git.ts';
import { BundleError } from './bundle-error.ts';

/** A repository as a working folder of git. */
export interface BundlePlace {
  readonly git: Git;
  readonly root: string;
}

interface BundleRange {
  /** The ref that names the last commit. */
  readonly ref: string;
  /** The commit below the first one: a reader of the bundle needs it. */
  readonly base: string;
  /** The bundle is written here first. */
  readonly file: string;
  readonly maxBytes: number;
}

interface BundleTarget {
  readonly emit: (event: NewWorkerEvent) => Promise<void>;
  readonly artifactId: string;
  readonly name: string;
}

/** Well below the limit of a request's body, as base64. */
const chunkBytes = 4 * 1024 * 1024;

/**
 * Writes the bundle `base..ref` and sends it in chunks as one artifact (`application/x-git-bundle`). A repeated call
 * replaces the artifact.
 * @throws BundleError `bundle_too_large`; WorkspaceError
 */
export async function sendBundle(place: BundlePlace, range: BundleRange, target: BundleTarget): Promise<void> {
  const { ref, base, file, maxBytes } = range;
  await place.git.run(['bundle', 'create', '--quiet', file, ref, `^${base}`], { cwd: place.root });
  const { size } = await stat(file);
  if (size > maxBytes) {
    const message = `The new commits are a bundle of ${size} bytes, and a step may carry ${maxBytes} (RALPH_BUNDLE_MAX_BYTES).`;
    throw new BundleError('bundle_too_large', message);
  }
  await sendFile(file, size, target);
}

async function sendFile(file: string, size: number, { emit, artifactId, name }: BundleTarget): Promise<void> {
  const handle = await open(file);
  try {
    for (let at = 0; at < size; at += chunkBytes) {
      const chunk = Buffer.alloc(Math.min(chunkBytes, size - at));
      await handle.read(chunk, 0, chunk.length, at);
      await emit({
        type: 'artifact',
        artifact_id: artifactId,
        name,
        mime_type: 'application/x-git-bundle',
        bytes: chunk.toString('base64'),
        append: at > 0,
        last_chunk: at + chunk.length >= size,
      });
    }
  } finally {
    await handle.close();
  }
}
