// A file of a change as the service lists it, and the comments on it.

export interface ChangedFile {
  readonly path: string;
  readonly oldPath?: string | undefined;
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed';
  readonly added: number;
  readonly removed: number;
}

export interface ReviewComment {
  /** A name of the draft in this page. */
  readonly id: string;
  /** Without a path the comment is on the whole change; without a line on the file. */
  readonly path?: string | undefined;
  readonly side?: 'old' | 'new' | undefined;
  readonly line?: number | undefined;
  readonly endLine?: number | undefined;
  readonly quote?: string | undefined;
  readonly text: string;
}

export type FoldReason = 'generated' | 'lock' | 'large';

const largeLines = 1_500;
const locks =
  /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|Cargo\.lock|poetry\.lock|uv\.lock|Pipfile\.lock|Gemfile\.lock|composer\.lock|go\.sum|flake\.lock)$/;
const generated =
  /(^|\/)(dist|build|vendor|node_modules|__snapshots__|generated)\/|\.(min\.(js|css)|map|snap|pb\.go)$|_pb2\.py$/;

/** Why a file is folded until it is opened. */
export function foldReason({ path, added, removed }: ChangedFile): FoldReason | undefined {
  if (locks.test(path)) return 'lock';
  if (generated.test(path)) return 'generated';
  return added + removed > largeLines ? 'large' : undefined;
}
