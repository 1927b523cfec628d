// Rows of tools: manifests by version, and contents by their hash.
import type { RegisteredTool, ToolManifest } from '../../model/tool.ts';
import type { Page } from './page.ts';

export interface ToolRows {
  /** @returns false when this version exists; nothing is changed then */
  add(manifest: ToolManifest, about: { signedBy: string; registeredBy: string }): Promise<boolean>;
  /** Every version of one tool, unordered. */
  versions(toolId: string): Promise<RegisteredTool[]>;
  /** By tool and version, as text; `before` is the last one's `tool_id version`. */
  list(page: Page): Promise<RegisteredTool[]>;
  count(): Promise<number>;
  /** Marks one version, or all, and deletes contents that no version needs any more. */
  revoke(toolId: string, version: string | undefined, by: string): Promise<void>;
  /** @param sha256Hash the hash of `content` */
  putContent(sha256Hash: string, content: Uint8Array): Promise<void>;
  content(sha256Hash: string): Promise<Uint8Array | undefined>;
}
